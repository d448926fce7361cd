"""Intervals, effect size and standard errors against scipy, statsmodels and R."""

from __future__ import annotations

import math

import numpy as np
import pytest
import scipy.stats

from idealrank import IdealrankError
from idealrank.statistics.draws import stream
from idealrank.statistics.intervals import INTERVALS, Interval, interval
from idealrank.statistics.power import effect_size
from idealrank.statistics.sample import make_sample as sampled
from tests.statistics.test_paired_tests import SLEEP


def ends(name: str, x: object, weights: object = None, level: float = 0.95, draws: int = 2000) -> tuple[float, float]:
    """Return low and high; for betting, which needs bounds, of values between 0 and 10."""
    bounds = (0.0, 10.0) if name == "betting" else (-math.inf, math.inf)
    found = interval(name, np.array(x, float), weights, level, seed=5, draws=draws, bounds=bounds)
    return found.low, found.high


def drawn(n: int) -> np.ndarray:
    """Return skewed values."""
    return np.random.default_rng(n).exponential(size=n)


def weights_of(n: int) -> np.ndarray:
    """Return weights of queries, of which few have most."""
    return np.random.default_rng(n + 1).lognormal(size=n)


def test_student_t_is_that_of_r() -> None:
    """R prints 0.7001142 to 2.4598858 for the sleep data."""
    assert ends("student_t", SLEEP) == pytest.approx((0.7001142, 2.4598858), abs=5e-8)


@pytest.mark.parametrize("level", [0.8, 0.95, 0.999])
def test_student_t_is_that_of_scipy(level: float) -> None:
    """The ends are those of scipy's one-sample t test."""
    theirs = scipy.stats.ttest_1samp(drawn(30), 0).confidence_interval(level)
    assert ends("student_t", drawn(30), level=level) == pytest.approx((theirs.low, theirs.high), rel=1e-12)


@pytest.mark.parametrize("name", ["percentile", "bca"])
@pytest.mark.parametrize("n", [2, 10, 50])
def test_bootstraps_are_those_of_scipy(name: str, n: int) -> None:
    """On the same draws the ends are those of scipy's bootstrap."""
    method = {"percentile": "percentile", "bca": "BCa"}[name]
    theirs = scipy.stats.bootstrap(
        (np.sort(drawn(n)),), np.mean, n_resamples=2000, method=method, rng=stream(5, "bootstrap means")
    ).confidence_interval
    assert ends(name, drawn(n)) == pytest.approx((theirs.low, theirs.high), rel=1e-9)


@pytest.mark.heavy
@pytest.mark.parametrize("n", [4, 10, 100])
def test_weighted_error_is_the_robust_one_of_a_weighted_regression(n: int) -> None:
    """The standard error of a weighted mean is that of statsmodels' WLS on a constant with HC1.

    Both take the queries' weights as given and the variance from the residuals, times n / (n − 1). The interval
    takes the degrees of freedom of the effective number of queries (Kish), which are fewer.
    """
    import statsmodels.api

    fitted = statsmodels.api.WLS(drawn(n), np.ones(n), weights=weights_of(n)).fit(cov_type="HC1", use_t=True)
    sample = sampled(drawn(n), weights_of(n))
    assert (sample.mean, sample.error) == pytest.approx((fitted.params[0], fitted.bse[0]), rel=1e-9)
    w = weights_of(n)
    half = scipy.stats.t.ppf(0.975, sum(w) ** 2 / sum(w * w) - 1) * fitted.bse[0]
    expected = (fitted.params[0] - half, fitted.params[0] + half)
    assert ends("student_t", drawn(n), w) == pytest.approx(expected, rel=1e-9)


def test_one_query_with_nearly_all_the_weight() -> None:
    """Where one of sixty queries has 97 % of the weight, nothing is known of the mean."""
    found = interval("student_t", drawn(60), np.array([2000.0] + [1.0] * 59), seed=1)
    assert (found.low, found.high) == (-math.inf, math.inf)


def test_weights_that_count_queries() -> None:
    """The weighted standard deviation is numpy's of queries repeated by their weights, times √(n / (n − 1))."""
    x, w = drawn(9), np.arange(1, 10)
    repeated = np.repeat(x, w)
    assert sampled(x, w).mean == pytest.approx(repeated.mean(), rel=1e-12)
    assert sampled(x, w).deviation == pytest.approx(repeated.std() * math.sqrt(9 / 8), rel=1e-12)


def test_weighted_bca_is_scipys_bca_of_a_ratio() -> None:
    """With weights the BCa interval is scipy's for the ratio of two paired means, on the same draws."""
    x, w = drawn(25), weights_of(25)
    order = np.lexsort((w, x))
    theirs = scipy.stats.bootstrap(
        (w[order] * x[order], w[order]),
        lambda a, b, axis: a.mean(axis=axis) / b.mean(axis=axis),
        paired=True,
        n_resamples=2000,
        method="BCa",
        rng=stream(5, "bootstrap means"),
    ).confidence_interval
    assert ends("bca", x, w) == pytest.approx((theirs.low, theirs.high), rel=1e-9)


@pytest.mark.parametrize("name", [name for name in INTERVALS if name != "betting"])
def test_odd_values(name: str) -> None:
    """One query has no finite interval; values that are all the same have one without width, from six on.

    All flips of the signs of five cannot reach 5 %, so five alike say nothing.
    """
    assert ends(name, [0.3]) == (-math.inf, math.inf)
    assert ends(name, [0.0] * 5) == (0.0, 0.0)
    assert ends(name, [0.1] * 5) == (-math.inf, math.inf)
    assert ends(name, [0.1] * 6) == pytest.approx((0.1, 0.1), rel=1e-12)


@pytest.mark.parametrize("name", INTERVALS)
def test_the_same_whatever_the_order(name: str) -> None:
    """Order and scale of weights change nothing, and a seed gives one interval."""
    x, w, turned = drawn(40), weights_of(40), np.random.default_rng(1).permutation(40)
    assert ends(name, x, w) == ends(name, x[turned], w[turned])
    assert ends(name, x, w) == pytest.approx(ends(name, x, 100 * w), rel=1e-9)
    assert ends(name, x) == pytest.approx(ends(name, x, np.full(40, 3.0)), rel=1e-9)


def test_few_draws_make_no_nan() -> None:
    """An interval of one draw is poor, but a pair of numbers."""
    for seed in range(5):
        found = interval("bca", drawn(3), seed=seed, draws=1)
        assert math.isfinite(found.low)
        assert math.isfinite(found.high)


def test_an_interval_is_a_value() -> None:
    """It carries its level and its method in words."""
    found = interval("student_t", SLEEP, seed=1)
    assert isinstance(found, Interval)
    assert (found.level, found.method) == (0.95, "Student t, 9 degrees of freedom")


@pytest.mark.parametrize(
    ("call", "said"),
    [
        (("bcA", SLEEP), "Did you mean bca"),
        (("bca", SLEEP, None, 95), "level=95: it must be between 0 and 1"),
        (("bca", [0.1, math.nan]), "nan at place 1"),
    ],
)
def test_calls_that_are_refused(call: tuple[object, ...], said: str) -> None:
    """Unknown intervals, levels outside 0 to 1 and NaN are errors that say what is allowed."""
    with pytest.raises(IdealrankError, match=said):
        interval(*call, seed=1)  # type: ignore[arg-type]


def test_effect_size_is_t_over_root_n() -> None:
    """The sleep data have t = 4.0621 over ten, so d = 1.2846."""
    assert effect_size(SLEEP) == pytest.approx(4.0621 / math.sqrt(10), abs=2e-5)


def test_effect_size_of_odd_differences() -> None:
    """It is 0 for identical systems, infinite without spread, NaN for one query."""
    assert effect_size([0, 0, 0]) == 0
    assert effect_size([-0.1, -0.1]) == -math.inf
    assert math.isnan(effect_size([0.3]))
