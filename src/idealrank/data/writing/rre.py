"""Ratings of the Rated Ranking Evaluator: documents by gain, one group per query.

Source: SeaseLtd/rated-ranking-evaluator 1.1, "Ratings file". Quepid 8.6 imports this spelling alone.
"""

from __future__ import annotations

from idealrank.data.writing.rows import Rows, plain
from idealrank.data.writing.texts import as_json, query_names
from idealrank.data.writing.writer import Above, Wishes, Writer


def ratings(rows: Rows, wishes: Wishes, notes: list[str]) -> str:
    """Write the documents of each query by their gain."""
    names = query_names(rows, notes)
    groups = [_group(names[query], rows, places) for query, places in rows.by_query()]
    return as_json({"id_field": "id", "topics": [{"description": rows.name, "query_groups": groups}]})


def _group(query: str, rows: Rows, places: list[int]) -> dict[str, object]:
    documents: dict[str, list[str]] = {}
    for place in places:
        documents.setdefault(str(plain(rows.grade[place])), []).append(rows.doc[place])
    return {
        "name": query,
        "queries": [{"template": "query.json", "placeholders": {"$query": query}}],
        "relevant_documents": documents,
    }


_ABOVE = Above(0, "RRE counts every document listed as relevant")
RRE = Writer("rre", "RRE ratings", (), {"judgments": ratings}, frozenset({"texts"}), _ABOVE)
