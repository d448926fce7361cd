"""Hits: what a search function returns for one result becomes an id and a score."""

from collections.abc import Mapping
from typing import Any

import numpy as np

from idealrank.data.formats.messages import a_kind
from idealrank.errors import DataError

NAMES = ("id", "_id", "doc_id", "docid", "docno", "document_id", "doc", "node_id", "product_id", "pid")
"""Where an object or a dict has the id of its document; the first that is there counts."""

WITHIN = ("node", "document", "metadata", "meta")
"""Where an object that has no id itself may hold what has one: LlamaIndex' nodes, LangChain's metadata."""


def hit(item: Any) -> tuple[Any, float | None]:
    """Return the id and the score of one result: of an id, a pair (id, score), or an object that plainly has an id.

    Raises
    ------
    DataError
        If the id is no text and no whole number: with its type.

    Examples
    --------
    >>> hit("d1"), hit(("d1", 2)), hit({"doc_id": 7, "score": 0.5})
    (('d1', None), ('d1', 2.0), (7, 0.5))
    """
    if isinstance(item, (tuple, list)) and len(item) == 2:
        return _checked(_identity(item[0]), item[0]), None if item[1] is None else float(item[1])
    return _checked(_identity(item), item), None if _plain(item) else _score(item)


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
    """Whether a value is text that is not empty, or a whole number."""
    if isinstance(value, (bool, np.bool_)):
        return False
    whole = isinstance(value, (int, np.integer)) or (isinstance(value, (float, np.floating)) and value == value // 1)
    return whole or (isinstance(value, str) and bool(value))


def _score(item: Any) -> float | None:
    score = _field(item, "score")
    number = isinstance(score, (int, float, np.integer, np.floating)) and not isinstance(score, bool)
    return float(score) if number else None


def _checked(identity: Any, item: Any) -> Any:
    if identity is None:
        raise DataError(
            f"the search function returned {a_kind(type(item).__name__)} as a document, and it has no id that is text "
            f"or a whole number. Return ids, pairs (id, score), or what has one of {', '.join(NAMES)}, "
            "or metadata that has."
        )
    return identity
