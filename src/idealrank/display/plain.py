"""Numbers and tables as values JSON can hold: what is not finite is None, whole numbers are whole."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from idealrank.display.table import Table


def number(value: float) -> float | None:
    """Return a number, or None where it is not finite."""
    return float(value) if math.isfinite(value) else None


def numbers(values: Any) -> list[Any]:
    """Return an array as a list: NaN and infinite as None; whole numbers, where all are, without a point.

    Examples
    --------
    >>> numbers(np.array([1.0, np.nan, 3.0])), numbers(np.array([0.5, 1.0]))
    ([1, None, 3], [0.5, 1.0])
    """
    found = np.asarray(values)
    if found.dtype.kind != "f":
        return found.tolist()  # type: ignore[no-any-return]
    finite = np.isfinite(found)
    whole = bool((found[finite] == np.round(found[finite])).all() and (np.abs(found[finite]) < 2**53).all())
    kept: list[Any] = (np.where(finite, found, 0).astype(np.int64) if whole else found).tolist()
    for place in np.flatnonzero(~finite).tolist():
        kept[place] = None
    return kept


def rows(table: Table) -> list[dict[str, Any]]:
    """Return the rows of a table, without the fingerprints; infinite and missing numbers as None."""
    columns = {name: table[name] for name in table.columns}
    cleaned = {name: [_cell(value) for value in values] for name, values in columns.items()}
    return [dict(zip(cleaned, row, strict=True)) for row in zip(*cleaned.values(), strict=True)]


def _cell(value: Any) -> Any:
    if isinstance(value, float):
        return number(value)
    return list(value) if isinstance(value, tuple) else value
