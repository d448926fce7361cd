"""The request of Elasticsearch's and OpenSearch's ranking evaluation API.

Source: Elasticsearch 8 reference, "Ranking evaluation API": a template of the search, and a request per query.
"""

from __future__ import annotations

from idealrank.data.writing.rows import Rows
from idealrank.data.writing.texts import as_json
from idealrank.data.writing.writer import Wishes, Writer

_INDEX = "my-index"
_SEARCH = {"query": {"multi_match": {"query": "{{query_string}}", "fields": ["*"]}}}


def request(rows: Rows, wishes: Wishes, notes: list[str]) -> str:
    """Write the ratings of each query, with a plain search that the user is to replace by the real one."""
    index = wishes.es_index or _INDEX
    requests = [
        {
            "id": query,
            "template_id": "search",
            "params": {"query_string": rows.texts.get(query, query)},
            "ratings": [{"_index": index, "_id": rows.doc[i], "rating": int(rows.grade[i])} for i in places],
        }
        for query, places in rows.by_query()
    ]
    notes.append("the search is a plain multi_match: put your own in templates[0].template.source")
    if not wishes.es_index:
        notes.append(f"the index is called {_INDEX}: name yours with --index or index=…")
    return as_json({
        "templates": [{"id": "search", "template": {"source": _SEARCH}}],
        "requests": requests,
        "metric": {"dcg": {"k": 10, "normalize": True}},
    })  # fmt: skip


RANK_EVAL = Writer("rank_eval", "a _rank_eval request", (), {"judgments": request}, frozenset({"texts"}))
