"""Judgments of OpenSearch's Search Relevance Workbench, as its API imports them.

Source: opensearch-project/search-relevance 3.x, PUT _plugins/_search_relevance/judgments.
"""

from __future__ import annotations

from idealrank.data.writing.rows import Rows, number_texts
from idealrank.data.writing.texts import as_json, query_names
from idealrank.data.writing.writer import Wishes, Writer


def judgments(rows: Rows, wishes: Wishes, notes: list[str]) -> str:
    """Write the ratings by the text of the query; early versions read only ratings that are text."""
    names, rating = query_names(rows, notes), number_texts(rows.grade)
    queries = [
        {"query": names[query], "ratings": [{"docId": rows.doc[i], "rating": rating[i]} for i in places]}
        for query, places in rows.by_query()
    ]
    return as_json({"name": rows.name, "description": "", "type": "IMPORT_JUDGMENT", "judgmentRatings": queries})


OPENSEARCH = Writer(
    "opensearch", "OpenSearch judgments", (), {"judgments": judgments}, frozenset({"fractions", "texts"})
)
