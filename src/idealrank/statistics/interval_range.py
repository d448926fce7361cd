"""The range of Student's interval: how far its ends can move where each difference is only known to lie in a range."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from idealrank.arrays import Floats

STEPS = 32
"""Steps of a search by golden section; each leaves 62 % of the range."""

STARTS = 65
"""Thresholds that are tried for the highest lower end, before the best of them is searched around."""

SLACK = 1e-10
"""What is added for rounding, relative to the largest difference."""

_GOLDEN = (5**0.5 - 1) / 2


class IntervalRange(NamedTuple):
    """Ends that the lower and the upper end of an interval never leave: the lowest and the highest of each."""

    low_least: float
    low_most: float
    high_least: float
    high_most: float

    @property
    def negated(self) -> IntervalRange:
        """The same of the differences with the other sign."""
        return IntervalRange(-self.high_most, -self.high_least, -self.low_most, -self.low_least)


def interval_range(low: Floats, high: Floats, level: float) -> IntervalRange:
    """Return what the ends of Student's t interval of a mean can be, where each of n values lies in a range.

    The four numbers are safe: no choice of values has an end beyond them. Nearly always they are reached.

    With c = t / √n the lower end is m − c s, of mean m and standard deviation s. Its least: for every a and every
    μ > 0, s ≤ (Σ (x − a)² / (n − 1) / μ + μ) / 2. What this makes of m − c s is a sum over the values, each least at
    an end of its range, and it is concave in (a, μ): the best a and μ are searched for, and any are safe. Its most:
    for every u of sum 0 and Σ u² = 1 / (n − 1), s ≥ Σ u x (Cauchy and Schwarz), so m − c s ≤ Σ (1/n − c u) x, which is
    greatest at the ends. The best u are of the values nearest to a threshold that is searched for. The upper end is the
    lower one of the values with the other sign.

    Parameters
    ----------
    low, high
        (n,) the lowest and the highest value of each; n is 2 or more.
    level
        Level of the interval.

    Examples
    --------
    >>> found = interval_range(np.array([0.1, 0.2, 0.3]), np.array([0.1, 0.2, 0.4]), 0.95)
    >>> [round(end, 4) for end in found]
    [-0.1461, -0.0484, 0.4484, 0.6128]
    """
    from scipy.special import stdtrit

    n = len(low)
    wide = float(stdtrit(n - 1, (1 + level) / 2)) / n**0.5
    slack = SLACK * max(float(np.abs(low).max()), float(np.abs(high).max()))
    return IntervalRange(
        _least_low(low, high, wide) - slack,
        _most_low(low, high, wide) + slack,
        -_most_low(-high, -low, wide) - slack,
        -_least_low(-high, -low, wide) + slack,
    )


def _least_low(low: Floats, high: Floats, wide: float) -> float:
    """Return a number that mean − wide × deviation is never below: the best of those by (a, μ)."""
    n, first, last = len(low), float(low.min()), float(high.max())
    if first == last:
        return first

    def bound(a: float, deviation: float) -> float:
        steep = wide / (2 * deviation * (n - 1))
        of_low, of_high = low / n - steep * (low - a) ** 2, high / n - steep * (high - a) ** 2
        return float(np.minimum(of_low, of_high).sum()) - wide * deviation / 2

    def best(deviation: float) -> float:
        return _search(lambda a: bound(a, deviation), first, last)

    # The deviation of values within a range is at most about half of it; two of them are 0.71 of it apart.
    return _search(best, 1e-9 * (last - first), last - first)


def _most_low(low: Floats, high: Floats, wide: float) -> float:
    """Return a number that mean − wide × deviation is never above: the best of those by u."""
    n, first, last = len(low), float(low.min()), float(high.max())

    def bound(threshold: float) -> float:
        x = np.clip(threshold, low, high)
        x = x - x.mean()
        size = float(np.sqrt((x**2).sum() * (n - 1)))
        u = x / size if size > 0 else x
        # Of equal values only rounding is left, whose sum may not be 0 beside its size; a smaller u is as safe.
        slope = 1 / n - wide * (u - u.mean())
        return float(np.maximum(slope * low, slope * high).sum())

    tried = np.linspace(first, last, STARTS)
    bounds = [bound(threshold) for threshold in tried.tolist()]
    at = int(np.argmin(bounds))
    around = tried[max(at - 1, 0)], tried[min(at + 1, STARTS - 1)]
    return min(bounds[at], -_search(lambda threshold: -bound(threshold), *map(float, around)))


def _search(value: Callable[[float], float], low: float, high: float) -> float:
    """Return the highest value found by golden section, which of a concave one is its highest."""
    inner = [high - _GOLDEN * (high - low), low + _GOLDEN * (high - low)]
    values = [value(inner[0]), value(inner[1])]
    best = max(values)
    for _ in range(STEPS):
        if values[0] > values[1]:
            high = inner[1]
            inner = [high - _GOLDEN * (high - low), inner[0]]
            values = [value(inner[0]), values[0]]
        else:
            low = inner[0]
            inner = [inner[1], low + _GOLDEN * (high - low)]
            values = [values[1], value(inner[1])]
        best = max(best, *values)
    return best
