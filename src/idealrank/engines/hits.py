"""Hits: each result of a search function becomes an id and a score."""

import math
from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np

from idealrank.data.formats.messages import a_kind, quoted
from idealrank.data.formats.shapes.chroma import chroma_hits, is_chroma
from idealrank.data.ids import id_text
from idealrank.engines.engine import Failed, Found
from idealrank.errors import DataError

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
    if _in_places(item):
        identity = _checked(_identity(item[0]), item[0])
        return identity, _finite(_number(item[1], identity), identity)
    identity = _checked(_identity(item), item)
    return identity, _finite(None if _plain(item) else _score(item), identity)


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
        raise TypeError(f"the search function returned {a_kind(type(answer).__name__)}, not a list of document ids")
    if isinstance(answer, Mapping) and is_chroma(answer):
        answer = chroma_hits(answer)
    if isinstance(answer, Mapping) and any(isinstance(score, (Mapping, list)) for score in answer.values()):
        raise DataError(_WHOLE.format(", ".join(map(str, answer))[:40]))
    items = sorted(answer.items(), key=_by_score) if isinstance(answer, Mapping) else answer
    first = [item for _, item in zip(range(k), items, strict=False)]
    return [_placed(rank, item) for rank, item in enumerate(first, 1)], first


def sound(found: Found) -> Found:
    """Return what was found, if its ids are texts or whole numbers, and its scores are finite.

    Raises
    ------
    Failed
        If one is not.
    """
    for rank, (key, score) in enumerate(found.hits, 1):
        if isinstance(key, bool) or not isinstance(key, (str, int)) or key == "":
            raise Failed(f"rank {rank}: the id {key!r} is neither a text nor a whole number")
        if score is not None and not math.isfinite(score):
            raise Failed(f"rank {rank}: document {key!r} has the score {score}, which is not finite")
    return found


_WHOLE = (
    "the search function returned a dict with {}, which is not {{id: score}}. Return the documents of the response in "
    'rank order: for Elasticsearch and OpenSearch [(hit["_id"], hit["_score"]) for hit in response["hits"]["hits"]].'
)


def _placed(rank: int, item: Any) -> tuple[Any, float | None]:
    try:
        return hit(item)
    except DataError as error:
        raise DataError(f"rank {rank}: {error}") from None


def _by_score(item: tuple[Any, Any]) -> float:
    """Put the greatest score first, as in a dict of dicts, and NaN before it; equal scores keep their order."""
    score = float(item[1])
    return -math.inf if math.isnan(score) else -score


def _in_places(item: Any) -> bool:
    """Whether an id comes first and a score second; a longer named tuple may have its id in a field instead."""
    if not isinstance(item, (tuple, list)):
        return False
    return len(item) == 2 or (len(item) > 2 and _identity(item) is None)


def _identity(item: Any) -> Any:
    if _plain(item):
        return item
    own = next((value for name in NAMES if _plain(value := _field(item, name))), None)
    if own is not None:
        return own
    held = (_field(item, name) for name in WITHIN)
    return next((found for value in held if value is not None and (found := _identity(value)) is not None), None)


def _field(item: Any, name: str) -> Any:
    return item.get(name) if isinstance(item, Mapping) else getattr(item, name, None)


def _plain(value: Any) -> bool:
    """Whether a value is non-empty text or a whole number."""
    if isinstance(value, (bool, np.bool_)):
        return False
    whole = isinstance(value, (int, np.integer)) or (isinstance(value, (float, np.floating)) and value == value // 1)
    return whole or (isinstance(value, str) and bool(value))


def _score(item: Any) -> float | None:
    score = _field(item, "score")
    number = isinstance(score, (int, float, np.integer, np.floating)) and not isinstance(score, bool)
    return float(score) if number else None


def _number(score: Any, identity: Any) -> float | None:
    try:
        return None if score is None else float(score)
    except (TypeError, ValueError):
        raise DataError(
            f"document {quoted(id_text(identity))} has the score {quoted(str(score))}, which is not a number. "
            "Return ids, or tuples that begin with the id and the score."
        ) from None


def _finite(score: float | None, identity: Any) -> float | None:
    if score is None or math.isfinite(score):
        return score
    raise DataError(
        f"document {quoted(id_text(identity))} has the score {score}, which is not finite. Return a finite number, "
        "or None for a result without a score."
    )


def _checked(identity: Any, item: Any) -> Any:
    if identity is None:
        raise DataError(
            f"the search function returned {a_kind(type(item).__name__)} as a document, without an id that is text "
            f"or a whole number. Return ids, tuples (id, score, …), or objects with one of {', '.join(NAMES)}, "
            "or with metadata that has one."
        )
    return identity
