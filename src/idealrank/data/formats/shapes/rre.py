"""Rated Ranking Evaluator: ratings, by topic, query group or query.

A group's relevant documents hold for each of its queries. They come in three forms: grades by document, documents by
grade, and a list of objects. Source: SeaseLtd/rated-ranking-evaluator 1.1, "Ratings file"; RRE Enterprise.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from idealrank.data.formats.plan import Plan, Tables
from idealrank.data.formats.shapes.names import maps, plain_id

_DOCS = "relevant_documents"
_LEVELS = ("topics", "query_groups", "queries")
_IDS = ("id", "document_id", "doc_id", "documentId")
_TEXTS = ("$query", "query", "query_placeholder", "q", "text")


def plan(document: Any, name: str) -> Plan | None:
    """Return how ratings are read, None for documents of others."""
    if not isinstance(document, Mapping) or not any(_rated(document)):
        return None
    return Plan("ratings of the Rated Ranking Evaluator", (), build=_tables)


def _rated(value: Mapping[str, Any]) -> Iterator[bool]:
    """Yield once for everything with relevant documents below the levels of such a file."""
    for level in _LEVELS:
        for inner in maps(value.get(level)):
            if _DOCS in inner:
                yield True
            yield from _rated(inner)


def _tables(documents: Sequence[Any]) -> Tables:
    records = [
        {"query": query, "query_group": group, "doc_id": doc, "grade": grade}
        for document in documents
        for query, group, doc, grade in _judged(document, "", {})
    ]
    names = ("query", "query_group", "doc_id", "grade")
    return {"judgments": {name: [record[name] for record in records] for name in names}}


def _judged(value: Mapping[str, Any], group: str, around: Mapping[str, Any]) -> Iterator[tuple[str, str, Any, Any]]:
    """Yield query, group, document and grade of everything within a topic, a group or a query."""
    group = str(value.get("name", group)) if "queries" in value else group
    documents = {**around, **dict(_graded(value.get(_DOCS)))}
    inner = [item for level in _LEVELS for item in maps(value.get(level))]
    for item in inner:
        yield from _judged(item, group, documents)
    if not inner and (text := _text(value)):
        for doc, grade in documents.items():
            yield text, group, doc, grade


def _text(query: Mapping[str, Any]) -> str:
    held = query.get("placeholders")
    places = [held, query] if isinstance(held, Mapping) else [query]
    others = held.values() if isinstance(held, Mapping) else ()  # a placeholder may have any name
    named = (place[name] for place in places for name in _TEXTS if name in place)
    return str(next(named, next((value for value in others if isinstance(value, str)), "")))


def _graded(documents: Any) -> Iterator[tuple[Any, Any]]:
    if isinstance(documents, list):
        for one in maps(documents):
            yield plain_id(next((one[name] for name in _IDS if name in one), None)), _grade(one)
    for key, value in documents.items() if isinstance(documents, Mapping) else ():
        if isinstance(value, list):
            yield from ((plain_id(doc), key) for doc in value)
        else:
            yield key, _grade(value)


def _grade(value: Any) -> Any:
    if isinstance(value, Mapping):
        return value.get("gain", value.get("rating", value.get("grade")))
    return value
