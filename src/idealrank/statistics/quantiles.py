"""Quantiles, such as the 95th percentile of latencies: their intervals, and their differences between two systems."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from idealrank.arrays import Floats
from idealrank.statistics.draws import chunks, refuse_share, stream
from idealrank.statistics.intervals import Interval

if TYPE_CHECKING:
    from numpy.typing import ArrayLike

QUANTILES = {"p50": 0.5, "p95": 0.95, "p99": 0.99}
"""The quantiles that are shown, by name."""

DRAWS = 2_000
"""Resamples of a difference of quantiles."""

BEYOND = 2
"""So many queries are expected beyond a quantile before a resampled interval for its differences is believed.

From two on, simulated 95% intervals for the 95th and 99th percentile contain the true difference in 95% to 98% of cases
where all times grow alike (docs/statistics.md), with one in 90% to 94%: fewer queries beyond the quantile do not show
how long the tail is. Where only a few queries get slower, it is less: 89% with two queries beyond the quantile.
"""

FROM_ZERO = "a quantile of 0"
"""Why a ratio has no interval: the first quantile may be 0."""


@dataclass(frozen=True, eq=False)
class DrawnQuantiles:
    """Quantiles of one system's values, and of these values in queries drawn with replacement.

    Attributes
    ----------
    count
        How many queries there are.
    quantiles
        By probability, the quantile of the values.
    drawn
        By probability, (draws,) that of each draw. Two systems with as many queries and the same seed have the same
        queries in each draw, so they are paired.
    """

    count: int
    quantiles: dict[float, float]
    drawn: dict[float, Floats]


@dataclass(frozen=True)
class QuantileChange:
    """How much a quantile differs between two systems.

    Attributes
    ----------
    before, after
        The quantile of each.
    difference
        The interval of ``after - before``.
    ratio
        The interval of ``after / before - 1``: the difference as a share of the first.
    """

    before: float
    after: float
    difference: Interval
    ratio: Interval

    @property
    def growth(self) -> float:
        """How much more the second is."""
        return self.after - self.before

    @property
    def relative(self) -> float:
        """The growth as a share of the first; infinite from 0."""
        if self.before == 0:
            return math.inf if self.after > 0 else 0.0 * self.after
        return self.growth / self.before


def quantile(values: ArrayLike, q: float) -> float:
    """Return a quantile, interpolated between the two values beside it; NaN of no values.

    Source: Hyndman and Fan (1996), Sample quantiles in statistical packages, The American Statistician 50(4), type 7,
    as ``numpy.quantile``.

    Examples
    --------
    >>> quantile([10, 20, 30, 40], 0.5)
    25.0
    """
    x = np.asarray(values, np.float64)
    return float(np.quantile(x, q)) if len(x) else math.nan


def quantile_interval(values: ArrayLike, q: float, level: float = 0.95) -> Interval:
    """Return the interval of a quantile: two of the values, whichever distribution they come from.

    How many of n values lie below the true quantile is binomial with probability q. The ends are the innermost values
    that are beyond it with a probability of at most half the error rate each, so the interval contains the quantile at
    least as often as the level says; it always includes the quantile of the values. An end is infinite where no value
    is far enough out: an upper end for the 95th percentile at 95% needs 72 values, one for the 99th 368.

    Assumes that the values are independent. Source: Conover (1999), Practical nonparametric statistics, section 3.2;
    scipy's ``quantile_test``.

    Examples
    --------
    >>> found = quantile_interval(range(1, 31), 0.5)
    >>> found.low, found.high
    (10.0, 21.0)
    >>> quantile_interval(range(1, 31), 0.95).high
    inf
    """
    from scipy.special import bdtr

    refuse_share("level", level)
    x = np.sort(np.asarray(values, np.float64))
    at_most = bdtr(np.arange(len(x)), len(x), q)
    below = int(np.searchsorted(at_most, (1 - level) / 2, side="right"))
    above = int(np.searchsorted(at_most, (1 + level) / 2, side="left"))
    low = float(x[below - 1]) if below else -math.inf
    high = float(x[above]) if above < len(x) else math.inf
    value = quantile(x, q)  # of two values the 99th percentile is below the higher one, which is the lower end
    return Interval(min(low, value), max(high, value), level, "order statistics")


def drawn_quantiles(values: ArrayLike, quantiles: Sequence[float], *, seed: int, draws: int = DRAWS) -> DrawnQuantiles:
    """Draw queries with replacement, and return the quantiles of each draw.

    Parameters
    ----------
    values
        (n,) Values, query by query; in the same order for two systems that are compared.
    quantiles
        Each between 0 and 1.
    """
    x = np.asarray(values, np.float64)
    n, rng = len(x), stream(seed, "quantiles")
    places = (rng.integers(0, n, (rows, n)) for rows in chunks(draws, n)) if n else ()
    parts = [np.quantile(x[each], quantiles, axis=1) for each in places]
    drawn = np.concatenate(parts, axis=1) if parts else np.full((len(quantiles), draws), np.nan)
    return DrawnQuantiles(n, {q: quantile(x, q) for q in quantiles}, dict(zip(quantiles, drawn, strict=True)))


def quantile_change(before: DrawnQuantiles, after: DrawnQuantiles, q: float, level: float = 0.95) -> QuantileChange:
    """Return how much a quantile differs between two systems, over the same queries: the paired bootstrap.

    The intervals are the percentiles of the differences, and of the ratios, in queries drawn with replacement, each
    with the values of both systems. Assumes that the queries are independent. Where fewer than `BEYOND` queries are
    expected beyond the quantile, the intervals are infinite: 40 queries are enough for the 95th percentile, 200 for the
    99th. The ratio has none where the first quantile may be 0.

    Source: Efron and Tibshirani (1993), An introduction to the bootstrap, chapters 8 and 13.

    Examples
    --------
    >>> first, second = (drawn_quantiles(range(start, start + 100), [0.5], seed=7) for start in (0, 5))
    >>> median = quantile_change(first, second, 0.5)
    >>> median.after - median.before, median.difference.low, median.difference.high
    (5.0, 5.0, 5.0)
    """
    refuse_share("level", level)
    ends, enough = (before.quantiles[q], after.quantiles[q]), before.count * min(q, 1 - q) >= BEYOND - _ROUNDING
    if not enough:
        return QuantileChange(*ends, *[_unknown_interval(level, "too few queries beyond the quantile")] * 2)
    difference = _percentile_interval(after.drawn[q] - before.drawn[q], level)
    if not (before.drawn[q] > 0).all():
        return QuantileChange(*ends, difference, _unknown_interval(level, FROM_ZERO))
    return QuantileChange(*ends, difference, _percentile_interval(after.drawn[q] / before.drawn[q] - 1, level))


_ROUNDING = 1e-9
"""200 × (1 − 0.99) is a little less than 2."""


def _unknown_interval(level: float, why: str) -> Interval:
    return Interval(-math.inf, math.inf, level, why)


def _percentile_interval(drawn: Floats, level: float) -> Interval:
    low, high = np.quantile(drawn, [(1 - level) / 2, (1 + level) / 2])
    return Interval(float(low), float(high), level, f"percentile bootstrap, {len(drawn)} draws")
