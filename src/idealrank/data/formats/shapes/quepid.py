"""Quepid: the JSON of a case, a book, ratings and a snapshot.

Source: o19s/quepid 8.6, exports of cases, books and snapshots.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from idealrank.data.formats.plan import Plan, Tables, rows
from idealrank.data.formats.shapes.names import mapping, maps, plain_id


def plan(document: Any, name: str) -> Plan | None:
    """Return where the rows of an export lie, None for documents of others."""
    if not isinstance(document, Mapping):
        return None
    if isinstance(document.get("query_doc_pairs"), list):
        return _book(document["query_doc_pairs"])
    if _is_snapshot(document):
        return Plan("a Quepid snapshot", (), build=_snapshot)
    queries = document.get("queries")
    first = queries[0] if isinstance(queries, list) and queries else None
    if not isinstance(first, Mapping) or "ratings" not in first:
        return None
    return _ratings() if isinstance(first["ratings"], Mapping) else _case()


def _is_snapshot(document: Mapping[Any, Any]) -> bool:
    """Whether it has documents by query; the queries may lie behind the part of a large file that is looked at."""
    if not isinstance(document.get("docs"), Mapping):
        return False
    return isinstance(document.get("queries"), list) or {"name", "time", "has_snapshot_file"} <= document.keys()


def _book(some: list[Any]) -> Plan:
    pairs = "query_doc_pairs[]"
    judged = f"{pairs}.judgements[]"
    where = {"query": f"{pairs}.query_text", "doc_id": f"{pairs}.doc_id"}
    judgments = rows("judgments", judged, **where, grade="+.rating", rater=("+.user_email", "+.user_name"))
    results = rows("results", pairs, query="+.query_text", doc_id="+.doc_id", rank="+.position")
    ranked = any(isinstance(pair, Mapping) and pair.get("position") is not None for pair in some)
    return Plan("a Quepid book", (judgments, results) if ranked else (judgments,))


def _case() -> Plan:
    queries, ratings = "queries[]", "queries[].ratings[]"
    return Plan("a Quepid case", (
        rows("judgments", ratings, query=f"{queries}.query_text", doc_id="+.doc_id", grade="+.rating"),
        rows("queries", queries, True, query="+.query_text"),
    ))  # fmt: skip


def _ratings() -> Plan:
    queries, ratings = "queries[]", "queries[].ratings.*"
    text = (f"{queries}.query", f"{queries}.query_text")
    return Plan("Quepid ratings", (rows("judgments", ratings, query=text, doc_id="+@key", grade="+"),))


def _snapshot(documents: Sequence[Any]) -> Tables:
    """Results and ratings by query, each with the query's text; documents that were only rated are no results."""
    returned: list[tuple[Any, ...]] = []
    rated: list[tuple[Any, ...]] = []
    for document in documents:
        queries = {str(query.get("query_id", query.get("id"))): query for query in maps(document.get("queries"))}
        texts = {key: query.get("query_text") for key, query in queries.items()}
        for key, docs in mapping(document.get("docs")).items():
            shown = [doc for doc in maps(docs) if not doc.get("rated_only")]
            returned += [
                (key, texts.get(key), plain_id(doc.get("id")), rank, mapping(doc.get("fields")).get("title"))
                for rank, doc in enumerate(shown, 1)
            ] or [(key, texts.get(key), None, None, None)]
        for key, query in queries.items():
            rated += [(key, texts[key], doc, grade) for doc, grade in mapping(query.get("ratings")).items()]
    tables = {"results": _columns(returned, "query_id query doc_id rank title")}
    return tables | ({"judgments": _columns(rated, "query_id query doc_id grade")} if rated else {})


def _columns(records: Sequence[Sequence[Any]], names: str) -> dict[str, list[Any]]:
    return {name: [record[place] for record in records] for place, name in enumerate(names.split())}
