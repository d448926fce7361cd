"""Rank correlations: Kendall's tau, the AP correlation, in which swaps at the top count most, and a trend in time."""

from __future__ import annotations

import math
from bisect import bisect_right, insort
from collections import Counter
from collections.abc import Iterable
from itertools import groupby
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from idealrank.arrays import Floats
from idealrank.errors import DataError, UsageError

if TYPE_CHECKING:
    from numpy.typing import ArrayLike


def kendall_tau(a: ArrayLike, b: ArrayLike) -> float:
    """Return Kendall's tau-b of two lists of numbers.

    (C − D) / √((n₀ − n₁)(n₀ − n₂)) for C pairs in the same order in both and D in opposite orders, n₀ pairs
    in all, n₁ tied in `a`, n₂ in `b`. NaN if one list has no two different numbers.

    Parameters
    ----------
    a, b
        (n,) numbers of the same things.

    Raises
    ------
    UsageError
        If the lengths differ.
    DataError
        If a number is NaN.

    Notes
    -----
    Source: Kendall, "The treatment of ties in ranking problems", Biometrika 33(3), 1945; scipy's `kendalltau`.

    Examples
    --------
    >>> round(kendall_tau([1, 2, 3, 4], [1, 3, 2, 4]), 4)
    0.6667
    """
    x, y = _check_numbers(a, b)
    pairs = math.comb(len(x), 2)
    tied = [sum(math.comb(count, 2) for count in Counter(values).values()) for values in (x, y, zip(x, y, strict=True))]
    opposite = _count_inversions([second for _, second in sorted(zip(x, y, strict=True))])
    same = pairs - tied[0] - tied[1] + tied[2] - opposite
    free = (pairs - tied[0]) * (pairs - tied[1])
    return (same - opposite) / math.sqrt(free) if free else math.nan


def _count_inversions(values: Iterable[float]) -> int:
    """Count the pairs in which the earlier value is greater."""
    before: list[float] = []
    count = 0
    for value in values:
        count += len(before) - bisect_right(before, value)
        insort(before, value)
    return count


def tau_ap(truth: ArrayLike, estimate: ArrayLike) -> float:
    """Return the AP correlation of an estimated order with the true one; the greatest number is first.

    2 / (n − 1) Σ C(i) / (i − 1) − 1 over ranks i from 2 on of the estimated order, where C(i) is how many of
    those above rank i are also above it in the true order. 1 for the same order, −1 for the reverse.

    Parameters
    ----------
    truth, estimate
        (n,) numbers of the same things, no two equal.

    Raises
    ------
    UsageError
        If the lengths differ.
    DataError
        If a number is NaN, or two are equal.

    Notes
    -----
    Source: Yilmaz, Aslam and Robertson, "A new rank correlation coefficient for information retrieval",
    SIGIR 2008.

    Examples
    --------
    >>> round(tau_ap([4, 3, 2, 1], [3, 4, 2, 1]), 4), round(tau_ap([4, 3, 2, 1], [4, 3, 1, 2]), 4)
    (0.3333, 0.7778)
    """
    x, y = _check_numbers(truth, estimate)
    if len(set(x)) < len(x) or len(set(y)) < len(y):
        raise DataError("tau_ap does not accept equal numbers. Use tau_ap_b, which handles ties.")
    return _ap_correlation(x, y)


def tau_ap_b(a: ArrayLike, b: ArrayLike) -> float:
    """Return the AP correlation of two orders, neither of them the true one, with ties; the greatest is first.

    The mean of the AP correlation of `a` with `b` and of `b` with `a`, each below the first tie: in C(i) / (i − 1)
    only things strictly above i count, and things tied in `a` have no order. NaN if one list has no two different
    numbers.

    Parameters
    ----------
    a, b
        (n,) numbers of the same things.

    Raises
    ------
    UsageError
        If the lengths differ.
    DataError
        If a number is NaN.

    Notes
    -----
    Source: Urbano and Marrero, "The treatment of ties in AP correlation", ICTIR 2017.

    Examples
    --------
    >>> round(tau_ap_b([4, 3, 2, 1], [3, 4, 2, 1]), 4), round(tau_ap_b([4, 3, 3, 1], [4, 3, 3, 1]), 4)
    (0.3333, 1.0)
    """
    x, y = _check_numbers(a, b)
    return (_ap_correlation(x, y) + _ap_correlation(y, x)) / 2


def _ap_correlation(x: list[float], y: list[float]) -> float:
    """Return the AP correlation of the order of y with that of x; ties of y are one rank, those of x are discordant."""
    down = sorted(zip(y, x, strict=True), reverse=True)
    seen: list[float] = []
    shares: list[float] = []
    for _, tied in groupby(down, key=lambda pair: pair[0]):
        values = [value for _, value in tied]
        shares += [1 - bisect_right(seen, value) / len(seen) for value in values] if seen else []
        for value in values:
            insort(seen, value)
    return 2 * math.fsum(shares) / len(shares) - 1 if shares else math.nan


class Trend(NamedTuple):
    """Spearman's rank correlation of time and value, and its two-sided p-value; NaN where there is no order."""

    correlation: float
    p: float


def rank_trend(time: Floats, values: Floats) -> Trend:
    """Test whether values rise or fall with time, by Spearman's rank correlation.

    If they do not, it has the mean 0 and the variance 1 / (n - 1) over all orders of the values, ties or not; its
    distribution is taken as normal. Source: Hotelling and Pabst (1936), Annals of Mathematical Statistics 7, 29-43.

    Examples
    --------
    >>> trend = rank_trend(np.arange(10.0), np.array([1.0, 3, 2, 4, 5, 7, 6, 8, 10, 9]))
    >>> round(trend.correlation, 4), round(trend.p, 4)
    (0.9636, 0.0038)
    """
    first, second = _mid_ranks(time), _mid_ranks(values)
    spread = math.sqrt(float(first @ first) * float(second @ second))
    if len(time) < 2 or spread == 0:
        return Trend(math.nan, math.nan)
    correlation = float(first @ second) / spread
    return Trend(correlation, math.erfc(abs(correlation) * math.sqrt((len(time) - 1) / 2)))


def _mid_ranks(values: Floats) -> Floats:
    """(N,) the rank of each value, equal ones sharing theirs, less their mean."""
    _, place, many = np.unique(values, return_inverse=True, return_counts=True)
    ranks: Floats = (np.cumsum(many) - (many - 1) / 2)[place]
    centred: Floats = ranks - (len(values) + 1) / 2
    return centred


def _check_numbers(a: ArrayLike, b: ArrayLike) -> tuple[list[float], list[float]]:
    x, y = (np.asarray(values, np.float64).tolist() for values in (a, b))
    if len(x) != len(y):
        raise UsageError(f"{len(x)} numbers and {len(y)} numbers: a correlation needs the same things in both lists.")
    if any(value != value for value in (*x, *y)):
        raise DataError("A number is missing (NaN). Leave out things without a value in one of the lists.")
    return x, y
