"""Numbers of a comparison as they are written: p-values, intervals, and differences with their glyph."""

from __future__ import annotations

import math

from idealrank.comparison.pairing import ALIKE


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
    ('▲ +0.0411', '▼ -0.0123', '= 0.0000', '▲ -0.5000')
    """
    if math.isnan(difference):
        return "–"
    if abs(difference) <= ALIKE:
        return "= 0.0000"
    better = (difference < 0) == (direction == "lower")
    return f"{'▲' if better else '▼'} {difference:+.4f}"


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
    return "–" if not math.isfinite(low + high) else f"{low:{sign}.4f} to {high:{sign}.4f}"


def number_text(value: float, form: str) -> str:
    """Write a number; a dash where it is none."""
    return f"{value:{form}}" if math.isfinite(value) else "–"
