"""Numbers as they are written, in text and in JSON: p-values, intervals, differences with their glyph."""

import math
from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np

from idealrank.arrays import SAME
from idealrank.display.grid import Column


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
    array = np.asarray(values)
    if array.dtype.kind != "f":
        return array.tolist()  # type: ignore[no-any-return]
    finite = np.isfinite(array)
    whole = bool((array[finite] == np.round(array[finite])).all() and (np.abs(array[finite]) < 2**53).all())
    listed: list[Any] = (np.where(finite, array, 0).astype(np.int64) if whole else array).tolist()
    for place in np.flatnonzero(~finite).tolist():
        listed[place] = None
    return listed


def plain_value(value: Any) -> Any:
    """Return a value as JSON can contain it: what is not finite as None, tuples as lists, sets in order.

    Examples
    --------
    >>> plain_value({"ends": (0.5, float("nan")), "docs": {"b", "a"}})
    {'ends': [0.5, None], 'docs': ['a', 'b']}
    """
    if isinstance(value, float):
        return value if math.isfinite(value) else None
    if isinstance(value, dict):
        return {name: plain_value(inner) for name, inner in value.items()}
    if isinstance(value, (tuple, list)):
        return [plain_value(inner) for inner in value]
    return sorted(value) if isinstance(value, (set, frozenset)) else value


def change_text(difference: float, direction: str = "higher") -> str:
    """Write a difference with its sign, and ▲ for a gain, ▼ for a loss; = where values are equal.

    Parameters
    ----------
    direction
        Whether more is better: where it is ``lower``, a difference below 0 is a gain. What is neither good nor bad
        has ▲ where it grows.

    Examples
    --------
    >>> change_text(0.0411), change_text(-0.0123), change_text(0.0), change_text(-0.5, "lower")
    ('▲ +0.0411', '▼ −0.0123', '= 0.0000', '▲ −0.5000')
    """
    if math.isnan(difference):
        return "–"
    if abs(difference) <= SAME:
        return "= 0.0000"
    better = (difference < 0) == (direction == "lower")
    return f"{'▲' if better else '▼'} {number_text(difference, '+.4f')}"


def difference_column(differences: Sequence[float], directions: Sequence[str]) -> Column:
    """Write differences with their sign, on a page with their glyph, too."""
    glyphs = [change_text(value, direction) for value, direction in zip(differences, directions, strict=True)]
    return Column("difference", [number_text(value, "+.4f") for value in differences], numeric=True, page=glyphs)


def p_text(p: float) -> str:
    """Write a p-value: to four decimals, a smaller one as below that.

    Examples
    --------
    >>> p_text(0.04321), p_text(0.00001), p_text(1.0)
    ('0.0432', '<0.0001', '1.0000')
    """
    if math.isnan(p):
        return "–"
    return "<0.0001" if p < 0.0001 else f"{p:.4f}"


def span_text(low: float, high: float, sign: str = "+") -> str:
    """Write an interval; a dash where there is none."""
    ends = (number_text(end, f"{sign}.4f") for end in (low, high))
    return "–" if not math.isfinite(low + high) else " to ".join(ends)


def number_text(value: float, form: str) -> str:
    """Write a number with a real minus sign; a dash where it is none. What rounds to 0 is not below it.

    Examples
    --------
    >>> number_text(-0.00001, ".4f"), number_text(-0.0, "+.4f"), number_text(-0.25, "+.4f")
    ('0.0000', '0.0000', '−0.2500')
    """
    written = f"{value:{form}}"
    if not math.isfinite(value):
        return "–"
    if not any(digit in written for digit in "123456789"):
        return written.removeprefix("-")
    return written.replace("-", "−")


def decimal(value: float) -> str:
    """Write a number to four decimals."""
    return number_text(value, ".4f")


def signed(value: float) -> str:
    """Write a difference to four decimals, with its sign."""
    return number_text(value, "+.4f")


def places(values: Iterable[float], most: int = 4) -> int:
    """Return how many decimals show all values as they are, up to `most`; 0 where all are whole.

    Examples
    --------
    >>> places([2.5, 3.0]), places([1.0, 3.0]), places([1 / 3])
    (1, 0, 4)
    """
    rounded = [f"{value:.{most}f}".rstrip("0") for value in values if math.isfinite(value)]
    return max((len(text.partition(".")[2]) for text in rounded), default=0)
