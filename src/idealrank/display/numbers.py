"""Numbers as they are written, in text and in JSON: p-values, intervals, differences with their glyph."""

import math
from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np

from idealrank.arrays import EQUAL
from idealrank.display.blocks import TextColumn


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
    # From 2^53 on float64 skips whole numbers, so a whole value there need not be meant as one.
    whole = bool((array[finite] == np.round(array[finite])).all() and (np.abs(array[finite]) < 2**53).all())
    listed: list[Any] = (np.where(finite, array, 0).astype(np.int64) if whole else array).tolist()
    for place in np.flatnonzero(~finite).tolist():
        listed[place] = None
    return listed


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
    if abs(difference) <= EQUAL:
        return "= 0.0000"
    better = (difference < 0) == (direction == "lower")
    return f"{'▲' if better else '▼'} {number_text(difference, '+.4f')}"


def difference_column(differences: Sequence[float], directions: Sequence[str]) -> TextColumn:
    """Write differences with their sign, on a page with their glyph, too."""
    glyphs = [change_text(value, direction) for value, direction in zip(differences, directions, strict=True)]
    return TextColumn("difference", [number_text(value, "+.4f") for value in differences], numeric=True, page=glyphs)


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


# Amounts in sentences.


MOST = 4
"""Decimals, at most."""


def span_amount(low: float, high: float, *, sign: bool = False) -> str:
    """Write an interval in as many decimals as its width deserves; without a width as one number.

    Examples
    --------
    >>> span_amount(-0.0502, 0.1324, sign=True), span_amount(0.01234, 0.01567), span_amount(-12.4, 30.0, sign=True)
    ('−0.050 to +0.132', '0.0123 to 0.0157', '−12 to +30')
    >>> span_amount(0.0000123, 0.0000345), span_amount(0.0, 0.00002, sign=True)
    ('0.000012 to 0.000034', '0.000000 to +0.000020')
    """
    if high - low <= EQUAL:
        return amount(high, 0 if abs(high) <= EQUAL else max(decimals(abs(high)), 2), sign=sign)
    digits = _span_digits(low, high)
    return f"{amount(low, digits, sign=sign)} to {amount(high, digits, sign=sign)}"


def either_way(low: float, high: float) -> tuple[str, str]:
    """Write the ends of an interval that includes 0: how much worse, and how much better.

    Examples
    --------
    >>> either_way(-0.0502, 0.1324), either_way(0.0, 0.2)
    (('0.050 worse', '0.132 better'), ('no change', '0.20 better'))
    """
    digits = _span_digits(low, high)
    written = (amount(-low, digits), "worse"), (amount(high, digits), "better")
    worse, better = (f"{size} {word}" if size.strip("0.") else "no change" for size, word in written)
    return worse, better


def _span_digits(low: float, high: float) -> int:
    """Return how many decimals an interval deserves; more than four where those do not show it."""
    return max(decimals((high - low) / 2), fine_digits(max(abs(low), abs(high))))


def fine_digits(size: float) -> int:
    """Return how many decimals show two digits of a size that four do not; 0 of others.

    Examples
    --------
    >>> fine_digits(0.0000345), fine_digits(0.5), fine_digits(0.0)
    (6, 0, 0)
    """
    return 1 - math.floor(math.log10(size)) if EQUAL < size < 10.0 ** (1 - MOST) else 0


def decimals(width: float) -> int:
    """Return how many decimals show two digits of a width, at most four.

    Examples
    --------
    >>> decimals(0.0913), decimals(0.25), decimals(40.0)
    (3, 2, 0)
    """
    return MOST if width <= EQUAL else min(max(1 - math.floor(math.log10(width)), 0), MOST)


def amount(value: float, digits: int, *, sign: bool = False) -> str:
    """Write an amount with a real minus sign; what rounds to 0 has no sign.

    Examples
    --------
    >>> amount(-0.0502, 3, sign=True), amount(0.0411, 2, sign=True), amount(-0.00001, 3)
    ('−0.050', '+0.04', '0.000')
    """
    written = f"{abs(value):,.{digits}f}"
    if not any(digit in written for digit in "123456789"):
        return written
    return f"{'−' if value < 0 else '+' * sign}{written}"


def milliseconds(value: float, *, sign: bool = False) -> str:
    """Write milliseconds in three digits, whole ones in full; a dash where there are none.

    Examples
    --------
    >>> milliseconds(0.1234), milliseconds(12.34), milliseconds(1234.5), milliseconds(math.inf)
    ('0.123', '12.3', '1,234', '–')
    >>> milliseconds(-3.0, sign=True)
    '−3.00'
    """
    return amount(value, three_digits(value), sign=sign) if math.isfinite(value) else "–"


def three_digits(value: float) -> int:
    """Return how many decimals show three digits of a value, at most three."""
    return max(0, min(3, 2 - math.floor(math.log10(abs(value))))) if value else 0


def distinct_amount(value: float, other: float, digits: int, *, sign: bool = False) -> str:
    """Write an amount in so many decimals, or as many more as tell it from another that it is not.

    Examples
    --------
    >>> distinct_amount(10.0001, 10.0, 1), distinct_amount(10.0, 10.0, 1), distinct_amount(12.34, 10.0, 1, sign=True)
    ('10.0001', '10.0', '+12.3')
    """
    differs = abs(value - other) > 1e-9 * max(abs(other), 1.0)
    enough = (more for more in range(digits, 12) if round(value, more) != round(other, more))
    return amount(value, next(enough, digits) if differs else digits, sign=sign)


def count(number: float) -> str:
    """Write a number of things to two digits above a hundred, thousands apart.

    Examples
    --------
    >>> count(7), count(308), count(140_678)
    ('7', '310', '140,000')
    """
    whole = math.ceil(number)
    return f"{round(whole, 2 - len(str(whole))) if whole > 100 else whole:,}"


def percent(share: float) -> str:
    """Write a share as percent: whole, or to one decimal where it is not.

    Examples
    --------
    >>> percent(0.95), percent(0.995), percent(0.234)
    ('95%', '99.5%', '23.4%')
    """
    return f"{share * 100:.3g}%"
