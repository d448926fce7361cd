"""Quantiles: their intervals by order statistics, and the paired bootstrap of their differences."""

from __future__ import annotations

import itertools
import math

import numpy as np
import pytest
import scipy.stats
from numpy.typing import ArrayLike

from idealrank.statistics.intervals import Interval
from idealrank.statistics.quantiles import QuantileChange, drawn_quantiles, quantile, quantile_change, quantile_interval


def changed(
    before: ArrayLike, after: ArrayLike, q: float, level: float = 0.95, *, seed: int = 1, draws: int = 2000
) -> QuantileChange:
    """Return how much a quantile changes."""
    first, second = (drawn_quantiles(values, [q], seed=seed, draws=draws) for values in (before, after))
    return quantile_change(first, second, q, level)


LEVELS = (0.51, 0.81, 0.95, 0.99)


def test_by_hand() -> None:
    """p95 of 10, 20 … 100 lies at place 8.55 of 0 to 9: 90 + 0.55 × 10 = 95.5."""
    assert quantile(range(10, 101, 10), 0.95) == pytest.approx(95.5)
    assert math.isnan(quantile([], 0.95))


def test_interval_by_hand() -> None:
    """Six values are all above the median once in 64, 1.6%, which is below 2.5%; five once in 32, which is not."""
    found = quantile_interval([3, 1, 6, 2, 5, 4], 0.5)
    assert (found.low, found.high) == (1.0, 6.0)
    assert quantile_interval([3, 1, 5, 2, 4], 0.5).low == -math.inf  # once in 32, 3.1%


@pytest.mark.parametrize("q", [0.05, 0.5, 0.9, 0.95, 0.99])
@pytest.mark.parametrize("n", [1, 2, 5, 30, 71, 72, 100, 400, 1000])
def test_against_scipy(q: float, n: int) -> None:
    """The ends are those of scipy's quantile_test, moved to include numpy's quantile; where it has none, infinite."""
    values = np.random.default_rng(n).lognormal(size=n)
    theirs = scipy.stats.quantile_test(values, p=q)
    for level in LEVELS:
        ours, expected = quantile_interval(values, q, level), theirs.confidence_interval(level)
        inside = float(np.quantile(values, q))
        low = min(expected.low, inside) if math.isfinite(expected.low) else -math.inf
        high = max(expected.high, inside) if math.isfinite(expected.high) else math.inf
        assert (ours.low, ours.high) == (low, high)


def test_the_interval_includes_the_quantile() -> None:
    """Of 1 and 2, p99 is 1.99, and P(both are below the true p99) is 98%: the lower end would be 2."""
    found = quantile_interval([1, 2], 0.99)
    assert (found.low, found.high) == (pytest.approx(1.99), math.inf)


@pytest.mark.parametrize(("q", "least"), [(0.95, 72), (0.99, 368)])
def test_how_many_values_bound_a_quantile(q: float, least: int) -> None:
    """All n values are below the quantile with probability q to the n, which is 2.5% at 72 and 368 values."""
    assert q**least < 0.025 < q ** (least - 1)
    assert math.isfinite(quantile_interval(range(least), q).high)
    assert quantile_interval(range(least - 1), q).high == math.inf


@pytest.mark.parametrize(("n", "q"), [(15, 0.5), (40, 0.8), (100, 0.95)])
def test_exact_coverage(n: int, q: float) -> None:
    """Summed over the binomial distribution, the interval contains the quantile at least as often as it says."""
    found = quantile_interval(range(1, n + 1), q)
    below = 0 if found.low == -math.inf else int(found.low)
    above = n + 1 if found.high == math.inf else int(found.high)
    covered = sum(math.comb(n, k) * q**k * (1 - q) ** (n - k) for k in range(below, above))
    assert covered >= 0.95
    narrower = covered - math.comb(n, below) * q**below * (1 - q) ** (n - below)
    missed_below = sum(math.comb(n, k) * q**k * (1 - q) ** (n - k) for k in range(below + 1))
    assert missed_below > 0.025 or narrower < 0.95


def test_bootstrap_against_every_resample() -> None:
    """All 4^4 resamples of four queries: the drawn distribution of median differences has the same percentiles."""
    before, after = np.array([1.0, 2.0, 4.0, 8.0]), np.array([2.0, 2.0, 7.0, 8.5])
    every = np.array(list(itertools.product(range(4), repeat=4)))
    exact = np.median(after[every], axis=1) - np.median(before[every], axis=1)
    found = changed(before, after, 0.5, 0.6, draws=40_000)
    low, high = np.quantile(exact, [0.2, 0.8])
    assert found.difference.low == pytest.approx(low, abs=0.02)
    assert found.difference.high == pytest.approx(high, abs=0.02)
    ratios = np.median(after[every], axis=1) / np.median(before[every], axis=1) - 1
    assert found.ratio.high == pytest.approx(np.quantile(ratios, 0.8), abs=0.02)


def test_closed_form() -> None:
    """A system that is twice as slow in every query differs by the first one's quantile, and by exactly 100%."""
    before = np.random.default_rng(3).lognormal(size=200)
    for q in (0.5, 0.95):
        change = changed(before, 2 * before, q)
        assert change.after - change.before == pytest.approx(np.quantile(before, q))
        assert (change.ratio.low, change.ratio.high) == (pytest.approx(1.0), pytest.approx(1.0))
        drawn = changed(np.zeros(200), before, q).difference
        assert (change.difference.low, change.difference.high) == (pytest.approx(drawn.low), pytest.approx(drawn.high))


def test_pairs_stay_together() -> None:
    """What every query has in common does not widen the interval of the difference."""
    rng = np.random.default_rng(5)
    query, noise = rng.uniform(10, 1000, size=300), rng.normal(size=300)
    paired = changed(query, query + 5 + noise, 0.5)
    apart = changed(query, (query + 5 + noise)[::-1], 0.5)
    assert paired.difference.high - paired.difference.low < 3
    assert apart.difference.high - apart.difference.low > 30


@pytest.mark.parametrize(("n", "q", "known"), [(40, 0.95, True), (39, 0.95, False), (200, 0.99, True), (3, 0.5, False)])
def test_too_few_beyond(n: int, q: float, known: bool) -> None:
    """With fewer than two queries expected beyond a quantile nothing is said about how much it changes."""
    values = np.arange(1.0, n + 1)
    change = changed(values, values + 1, q)
    assert math.isfinite(change.difference.high) is known
    assert change.after - change.before == pytest.approx(1)


def test_a_first_quantile_of_zero() -> None:
    """Nothing is a share of 0 milliseconds."""
    change = changed(np.zeros(50), np.ones(50), 0.5)
    assert change.ratio.high == math.inf
    assert change.difference.high == 1.0


def test_no_queries() -> None:
    """Without a query there is no quantile, and nothing is known."""
    change = changed([], [], 0.95)
    assert math.isnan(change.before)
    assert change.difference.high == math.inf


@pytest.mark.parametrize(("n", "q"), [(40, 0.95), (100, 0.95), (60, 0.5)])
def test_simulated_coverage(n: int, q: float) -> None:
    """Of 95% intervals for log-normal latencies of two correlated systems, 91% to 100% contain the true difference."""
    rng, tries = np.random.default_rng(11), 200
    true = (math.exp(0.1) - 1) * math.exp(3 + 0.6 * scipy.stats.norm.ppf(q))
    hits = 0
    for _ in range(tries):
        query = rng.normal(size=n)
        noise = rng.normal(size=(2, n))
        before, after = np.exp(3 + 0.6 * (0.7 * query + math.sqrt(0.51) * noise))
        change = changed(before, after * math.exp(0.1), q, draws=400)
        hits += change.difference.low <= true <= change.difference.high
    assert hits >= 0.91 * tries


def test_a_quantile_of_nothing() -> None:
    """From 0 ms to some is infinitely more, to 0 ms no more."""
    none = Interval(-math.inf, math.inf, 0.95, "none")
    relative = [QuantileChange(before, after, none, none).relative for before, after in ((0, 2), (0, 0), (4, 3))]
    assert relative == [math.inf, 0.0, -0.25]
