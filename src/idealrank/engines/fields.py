"""Fields: what lies at a path in an answer, as numbers, and as what a document brings along."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any


def number(value: Any) -> float | None:
    """Return a number of an answer, None for anything else."""
    try:
        return float(value) if isinstance(value, (int, float)) and not isinstance(value, bool) else None
    except OverflowError:  # a whole number beyond any float
        return math.inf


def kept(source: Any, fields: Sequence[str]) -> dict[str, Any]:
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
