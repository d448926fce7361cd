"""The betting interval against exact enumeration, a closed form and what it promises."""

from __future__ import annotations

import math

import numpy as np
import pytest
import scipy.optimize
import scipy.special
import scipy.stats

from idealrank import UsageError
from idealrank.statistics.intervals import STAKES, Interval, interval


def bet(values: object, weights: object = None, level: float = 0.95, low: float = 0.0, high: float = 1.0) -> Interval:
    """Return the betting interval of values between two bounds."""
    return interval("betting", np.array(values, float), weights, level, seed=1, bounds=(low, high))  # type: ignore[arg-type]


@pytest.mark.parametrize("n", [6, 25])
def test_coverage_of_a_proportion_is_exact(n: int) -> None:
    """Over all numbers of ones that can come up, each end errs in at most 2.5 %, whatever the proportion."""
    found = [bet([1.0] * ones + [0.0] * (n - ones)) for ones in range(n + 1)]
    for p in (0.01, 0.05, 0.2, 0.37, 0.5, 0.9, 0.99):
        chance = scipy.stats.binom.pmf(range(n + 1), n, p)
        assert sum(c for c, each in zip(chance, found, strict=True) if each.low > p) <= 0.025
        assert sum(c for c, each in zip(chance, found, strict=True) if each.high < p) <= 0.025


@pytest.mark.parametrize("n", [5, 20, 100])
def test_zeros_have_the_interval_of_their_closed_form(n: int) -> None:
    """Of n zeros the upper end is where the mean of (1 + stake · m / (1 − m))^n over the stakes is 1 / 0.025."""

    def owned(mean: float) -> float:
        logs = n * np.log1p(STAKES * mean / (1 - mean))
        return float(scipy.special.logsumexp(logs)) - math.log(40 * len(STAKES))

    found = bet([0.0] * n)
    assert found.low == 0
    assert found.high == pytest.approx(scipy.optimize.brentq(owned, 1e-9, 1 - 1e-9), abs=1e-9)


def test_one_rare_loss_is_allowed_for() -> None:
    """Sixty equal gains of 0.02 may hide losses of 1: Student's t has no width there, betting includes 0."""
    gains = [0.02] * 60
    assert interval("student_t", gains, seed=1).low == pytest.approx(0.02)
    assert bet(gains, low=-1.0).low < 0 < bet(gains, low=-1.0).high


def test_bounds_and_values_move_together() -> None:
    """Values turned, moved or stretched with their bounds have the interval turned, moved or stretched."""
    values = np.random.default_rng(1).beta(2, 5, 40)
    plain = bet(values)
    turned, moved = bet(-values, low=-1.0, high=0.0), bet(3 * values - 2, low=-2.0, high=1.0)
    assert (-turned.high, -turned.low) == pytest.approx((plain.low, plain.high), abs=1e-9)
    assert (moved.low, moved.high) == pytest.approx((3 * plain.low - 2, 3 * plain.high - 2), abs=1e-9)


def test_more_confidence_and_fewer_queries_are_wider() -> None:
    """At a higher level, or of a fourth of the queries, the interval is wider; it contains the mean."""
    values = np.random.default_rng(2).uniform(0, 1, 80)
    plain, surer, fewer = bet(values), bet(values, level=0.99), bet(values[:20])
    assert plain.low < values.mean() < plain.high
    assert surer.low < plain.low < plain.high < surer.high
    assert fewer.high - fewer.low > plain.high - plain.low


def test_weights_of_zero_and_of_one_kind() -> None:
    """Equal weights change nothing, and a query of weight 0 is as good as absent."""
    values = np.random.default_rng(3).uniform(0, 1, 30)
    plain = bet(values)
    assert bet(values, np.full(30, 7.0)).low == pytest.approx(plain.low, abs=1e-9)
    assert bet([*values, 1.0], np.array([1.0] * 30 + [0.0])).high == pytest.approx(plain.high, abs=1e-9)


def test_values_without_bounds_are_refused() -> None:
    """Without bounds nothing can be promised: the error says so and names another interval."""
    with pytest.raises(UsageError, match="betting needs bounds, and these values have none"):
        bet([0.1, 0.2], high=math.inf)
