"""Chroma: answers of ``collection.query()``, with the lists of one or several queries.

Lists are in the order of their distances, the smallest first. An answer does not name its queries.
Source: chroma-core/chroma 1.x, QueryResult.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from idealrank.data.formats.plan import Plan, Tables
from idealrank.data.formats.shapes.query import NUMBERED
from idealrank.errors import DataError, plural

_BESIDE = {"distances", "metadatas", "documents", "embeddings", "included", "uris"}


def plan(document: Any, name: str) -> Plan | None:
    """Return how the lists of one answer, or of several in a list or by query, are read; None for other documents."""
    by_query = _is_by_query(document)
    if by_query or is_chroma(_several(document)[0]):
        notes = () if by_query else (NUMBERED,)
        return Plan("a Chroma query result", (), notes, lambda documents: _tables(documents, name))
    return None


def is_chroma(document: Any) -> bool:
    """Whether a document is an answer of ``collection.query()``: a list of ids per query, beside other such lists.

    Examples
    --------
    >>> is_chroma({"ids": [["a", "b"]], "distances": [[0.1, 0.2]]}), is_chroma({"ids": ["a", "b"]})
    (True, False)
    """
    if not isinstance(document, Mapping) or not _BESIDE & document.keys():
        return False
    ids = document.get("ids")
    return isinstance(ids, (list, tuple)) and bool(ids) and all(isinstance(each, (list, tuple)) for each in ids)


def _is_by_query(document: Any) -> bool:
    return isinstance(document, Mapping) and is_chroma(next(iter(document.values()), None))


def _several(document: Any) -> Sequence[Any]:
    return document if isinstance(document, list) and document else [document]


def chroma_hits(answer: Mapping[str, Any]) -> list[dict[str, Any]]:
    """Return the documents of an answer to one query, the nearest first, each with its distance as negative score.

    Raises
    ------
    DataError
        If it is the answer to several queries.

    Examples
    --------
    >>> chroma_hits({"ids": [["a", "b"]], "distances": [[0.5, 0.25]], "metadatas": None})
    [{'id': 'b', 'score': -0.25}, {'id': 'a', 'score': -0.5}]
    """
    if len(answer["ids"]) != 1:
        raise DataError(
            f"a Chroma query result of {plural(len(answer['ids']), 'query')}. Return the answer to the one query that "
            "the function was called with."
        )
    lists = {"metadata": answer.get("metadatas"), "text": answer.get("documents")}
    beside = {name: values[0] for name, values in lists.items() if values}
    return [
        {
            "id": answer["ids"][0][place],
            **({} if distance is None else {"score": -distance}),
            **{name: values[place] for name, values in beside.items()},
        }
        for place, distance in _nearest_first(answer, 0, "the search function's answer")
    ]


def _tables(documents: Sequence[Any], name: str) -> Tables:
    """Results by query, whose number goes on from one answer to the next."""
    columns: dict[str, list[Any]] = {column: [] for column in ("query_id", "doc_id", "rank", "distance")}
    for number, (query, answer, place) in enumerate(_lists(documents, name), 1):
        key = number if query is None else query
        ids, found = answer["ids"][place], _nearest_first(answer, place, f"{name} query {key}")
        rows: list[tuple[Any, ...]] = [(key, ids[at], rank, distance) for rank, (at, distance) in enumerate(found, 1)]
        for row in rows or [(key, None, None, None)]:
            for values, value in zip(columns.values(), row, strict=True):
                values.append(value)
    return {"results": columns}


def _lists(documents: Sequence[Any], name: str) -> Iterator[tuple[Any, Mapping[str, Any], int]]:
    """Yield the query of each list of ids, None where it is not named, its answer, and its place in it.

    Raises
    ------
    DataError
        If something else is among the answers, or one that is to name its query is to several.
    """
    for document in documents:
        by_query = _is_by_query(document)
        for query, answer in document.items() if by_query else ((None, one) for one in _several(document)):
            if not is_chroma(answer) or (by_query and len(answer["ids"]) != 1):
                where = f"{name} query {query}" if by_query else name
                raise DataError(
                    f"{where}: something else among Chroma's query results. Give the whole answer of "
                    f"collection.query(){' to one query' if by_query else ''}."
                )
            for place in range(len(answer["ids"])):
                yield query, answer, place


def _nearest_first(answer: Mapping[str, Any], query: int, where: str) -> list[tuple[int, float | None]]:
    """Return the place of each document of a query, and its distance if there are any.

    Raises
    ------
    DataError
        If there is not one finite distance per document.
    """
    ids, lists = answer["ids"][query], answer.get("distances")
    if lists is None:
        return [(place, None) for place in range(len(ids))]
    distances = lists[query] if query < len(lists) else ()
    if len(distances) != len(ids) or not all(map(_is_finite, distances)):
        raise DataError(
            f"{where}: {plural(len(ids), 'id')} and {plural(len(distances), 'distance')}. Give one finite number per "
            "document, in the same order, or leave the distances out."
        )
    return sorted(enumerate(distances), key=lambda one: one[1])


def _is_finite(distance: Any) -> bool:
    return isinstance(distance, (int, float)) and not isinstance(distance, bool) and math.isfinite(distance)
