"""Hits: what an engine, a database or a function returned becomes ids, scores and fields."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from decimal import Decimal
from typing import Any

import numpy as np

from idealrank.data.formats.messages import quoted, with_article
from idealrank.data.formats.nested import NO_ORDER
from idealrank.data.formats.objects import is_single_value
from idealrank.data.formats.shapes.tools import chroma_hits, is_chroma
from idealrank.data.ids import id_text
from idealrank.engines.engine import SearchError, SearchHits
from idealrank.errors import DataError, some

NAMES = ("id", "_id", "doc_id", "docid", "docno", "document_id", "doc", "node_id", "product_id", "pid")
"""Names under which an object or a dict may have its document's id; the first one found counts."""

WITHIN = ("node", "document", "metadata", "meta")
"""Attributes in which an object without an id may have one: LlamaIndex's nodes, LangChain's metadata."""


def hit(item: Any) -> tuple[Any, float | None]:
    """Return the id and the score of one result: an id, (id, score, …), or an object with an id.

    Raises
    ------
    DataError
        If the id is neither text nor a whole number (the message gives its type), or the score is not finite.

    Examples
    --------
    >>> hit("d1"), hit(("d1", 2)), hit(("d2", 1, "a title")), hit({"doc_id": 7, "score": 0.5})
    (('d1', None), ('d1', 2.0), ('d2', 1.0), (7, 0.5))
    """
    if _is_pair(item):
        identity = _check_id(_find_id(item[0]), item[0])
        return identity, _check_finite(_to_float(item[1], identity), identity)
    identity = _check_id(_find_id(item), item)
    return identity, _check_finite(None if _is_id(item) else _read_score(item), identity)


def _is_pair(item: Any) -> bool:
    """Whether an id comes first and a score second; a longer named tuple may have its id in a field instead."""
    if not isinstance(item, (tuple, list)):
        return False
    return len(item) == 2 or (len(item) > 2 and _find_id(item) is None)


def _read_score(item: Any) -> float | None:
    score = _field(item, "score")
    number = isinstance(score, (int, float, np.integer, np.floating)) and not isinstance(score, bool)
    return float(score) if number else None


def _to_float(score: Any, identity: Any) -> float | None:
    try:
        return None if score is None else float(score)
    except (TypeError, ValueError):
        raise DataError(
            f"document {quoted(id_text(identity))} has the score {quoted(str(score))}, which is not a number. "
            "Return ids, or tuples that begin with the id and the score."
        ) from None


def _check_finite(score: float | None, identity: Any) -> float | None:
    if score is None or math.isfinite(score):
        return score
    raise DataError(
        f"document {quoted(id_text(identity))} has the score {score}, which is not finite. Return a finite number, "
        "or None for a result without a score."
    )


def _check_id(identity: Any, item: Any) -> Any:
    if identity is None:
        raise DataError(
            f"the search function returned {with_article(type(item).__name__)} as a document, without an id that is "
            f"text or a whole number. Return ids, tuples (id, score, …), or objects with one of {', '.join(NAMES)}, "
            "or with metadata that has one."
        )
    return identity


def _find_id(item: Any) -> Any:
    if _is_id(item):
        return item
    if is_single_value(item):
        return str(item)  # a UUID, whose parts are called as those of a document are
    own = next((value for name in NAMES if _is_id(value := _field(item, name)) or is_single_value(value)), None)
    if own is not None:
        return _find_id(own)
    held = (_field(item, name) for name in WITHIN)
    return next((found for value in held if value is not None and (found := _find_id(value)) is not None), None)


def _is_id(value: Any) -> bool:
    """Whether a value is non-empty text or a whole number."""
    if isinstance(value, (bool, np.bool_)):
        return False
    whole = isinstance(value, (int, np.integer)) or (isinstance(value, (float, np.floating)) and value == value // 1)
    return whole or (isinstance(value, str) and bool(value))


def _field(item: Any, name: str) -> Any:
    return item.get(name) if isinstance(item, Mapping) else getattr(item, name, None)


def hits_of(answer: Any, k: int) -> tuple[list[tuple[Any, float | None]], list[Any]]:
    """Return the id and the score of the first k results of an answer, and the results themselves.

    Raises
    ------
    TypeError
        If the answer is no list of results.
    DataError
        If a result has no id, or the answer is a whole response.
    """
    if isinstance(answer, (str, bytes)):
        raise TypeError(f"the search function returned the text {answer[:40]!r}, not a list of document ids")
    if not isinstance(answer, Iterable):
        raise TypeError(
            f"the search function returned {with_article(type(answer).__name__)}, not a list of document ids"
        )
    if isinstance(answer, (set, frozenset)) and len(answer) > 1:
        raise DataError(f"the search function returned a set: {NO_ORDER}")
    if isinstance(answer, Mapping) and is_chroma(answer):
        answer = chroma_hits(answer)
    if isinstance(answer, Mapping) and any(isinstance(score, (Mapping, list)) for score in answer.values()):
        raise DataError(_WHOLE.format(", ".join(map(str, answer))[:40]))
    items = sorted(answer.items(), key=_score_order) if isinstance(answer, Mapping) else answer
    first = [item for _, item in zip(range(k), items, strict=False)]
    return [_hit_at_rank(rank, item) for rank, item in enumerate(first, 1)], first


def _hit_at_rank(rank: int, item: Any) -> tuple[Any, float | None]:
    try:
        return hit(item)
    except DataError as error:
        raise DataError(f"rank {rank}: {error}") from None


def _score_order(item: tuple[Any, Any]) -> float:
    """Put the greatest score first, as in a dict of dicts, and NaN before it; equal scores keep their order."""
    score = float(item[1])
    return -math.inf if math.isnan(score) else -score


def check_hits(found: SearchHits) -> SearchHits:
    """Return what was found, if its ids are texts or whole numbers, and its scores are finite.

    Raises
    ------
    SearchError
        If one is not.
    """
    for rank, (key, score) in enumerate(found.hits, 1):
        if isinstance(key, bool) or not isinstance(key, (str, int)) or key == "":
            raise SearchError(f"rank {rank}: the id {key!r} is neither a text nor a whole number")
        if score is not None and not math.isfinite(score):
            raise SearchError(f"rank {rank}: document {key!r} has the score {score}, which is not finite")
    return found


_WHOLE = (
    "the search function returned a dict with {}, which is not {{id: score}}. Return the documents of the response in "
    'rank order: for Elasticsearch and OpenSearch [(hit["_id"], hit["_score"]) for hit in response["hits"]["hits"]].'
)


# Rows.


def hits_of_rows(names: Sequence[str], rows: Sequence[Sequence[Any]], fields: Sequence[str]) -> SearchHits:
    """Return the hits of rows, and the fields of their documents.

    The id is the column called id, doc_id or the like, else the first; the score is the column called score.

    Raises
    ------
    SearchError
        If a field that was asked for is no column, a row has no id, or a score is not finite.
    """
    if not names:
        raise SearchError("the statement returns no rows: write a SELECT", hopeless=True)
    low = [name.lower() for name in names]
    key = next((low.index(name) for name in NAMES if name in low), 0)
    score = low.index("score") if "score" in low else None
    lacking = [field for field in fields if field not in names]
    if lacking:
        raise SearchError(f"the statement selects no column {some(lacking)}, only {some(names)}", hopeless=True)
    if any(row[key] is None for row in rows):
        raise SearchError(f"a row without an id, in the column {names[key]}", hopeless=True)
    hits = [(_id_of_cell(row[key]), None if score is None else number(_decimal_to_float(row[score]))) for row in rows]
    places = [(field, list(names).index(field)) for field in fields]
    documents = (
        {_id_of_cell(row[key]): {field: row[place] for field, place in places} for row in rows} if fields else {}
    )
    return check_hits(SearchHits(hits, documents))


def _id_of_cell(value: Any) -> str | int:
    """Return an id of a database, as a UUID, as text or a whole number."""
    return value if isinstance(value, (str, int)) and not isinstance(value, bool) else id_text(value)


def _decimal_to_float(value: Any) -> Any:
    """Return a number of a database, as Decimal, as a float."""
    return float(value) if isinstance(value, Decimal) else value


# Fields.


def number(value: Any) -> float | None:
    """Return a number of an answer, None for anything else."""
    try:
        return float(value) if isinstance(value, (int, float)) and not isinstance(value, bool) else None
    except OverflowError:  # a whole number beyond any float
        return math.inf


def select_fields(source: Any, fields: Sequence[str]) -> dict[str, Any]:
    """Return the fields of a document that were asked for; a path as brand.name looks inside."""
    return {name: value for name in fields if (value := at(source, name)) is not None}


def at(document: Any, path: str) -> Any:
    """Return what lies at a path of names and places, None if nothing does.

    Examples
    --------
    >>> at({"a": {"b": [1, 2]}}, "a.b.1"), at({"a.b": 3}, "a.b"), at([], "a")
    (2, 3, None)
    """
    if not path:
        return document
    if isinstance(document, dict) and path in document:
        return document[path]
    name, _, rest = path.partition(".")
    if isinstance(document, dict):
        return at(document[name], rest) if name in document else None
    if isinstance(document, list) and name.isdigit() and int(name) < len(document):
        return at(document[int(name)], rest)
    return None
