"""Power against statsmodels, R and the textbook."""

from __future__ import annotations

import math

import numpy as np
import pytest
import scipy.integrate
import scipy.stats
from statsmodels.stats.power import TTestPower

from idealrank import IdealrankError
from idealrank.statistics.paired_tests import paired_test
from idealrank.statistics.power import detectable, power_of_t, queries_needed, queries_to_settle


def theirs(size: float, n: int, alpha: float) -> float:
    """Return statsmodels' power on the side of the difference; on the other side it is NaN at times, and below 1e-6."""
    return float(TTestPower().power(size, n, alpha / 2, alternative="larger"))


def test_power_is_that_of_r() -> None:
    """R's pwr prints 0.4555818 for Cohen's exercise 2.5: d = 0.2, n = 60, alpha = 0.1."""
    assert power_of_t(0.2, 60, 0.1) == pytest.approx(0.4555818, abs=5e-8)


@pytest.mark.parametrize("n", [3, 10, 50, 1000])
@pytest.mark.parametrize(("alpha", "power"), [(0.05, 0.8), (0.001, 0.9)])
def test_detectable_is_that_of_statsmodels(n: int, alpha: float, power: float) -> None:
    """The difference is statsmodels' effect size times the standard deviation."""
    assert theirs(detectable(0.3, n, alpha, power) / 0.3, n, alpha) == pytest.approx(power, abs=2e-6)


@pytest.mark.parametrize("size", [0.02, 0.1, 0.5, 2.0])
@pytest.mark.parametrize("alpha", [0.05, 0.0005])
def test_queries_needed_is_that_of_statsmodels(size: float, alpha: float) -> None:
    """It is the first whole number at which statsmodels' power is enough."""
    n = queries_needed(-size * 0.3, 0.3, alpha)
    assert theirs(size, n, alpha) >= 0.8 - 2e-6
    assert theirs(size, n - 1, alpha) < 0.8 + 2e-6


def test_large_numbers_of_queries() -> None:
    """At many queries the number is that of the normal test, the squared sum of two quantiles over the effect's."""
    assert queries_needed(0.0001, 0.1) == pytest.approx((1.959964 + 0.841621) ** 2 * 1e6, rel=1e-5)


def test_a_test_finds_what_is_detectable() -> None:
    """Of 2000 simulated comparisons at the detectable difference the t test finds 80 %, within three errors."""
    rng, difference = np.random.default_rng(1), detectable(1, 25)
    found = np.mean([paired_test("t", rng.normal(difference, 1, 25), seed=1).p <= 0.05 for _ in range(2000)])
    assert abs(found - 0.8) < 3 * math.sqrt(0.16 / 2000)


def test_odd_questions() -> None:
    """One query finds nothing, no difference needs endless queries, and without spread two queries are enough."""
    assert detectable(0.2, 1) == math.inf
    assert detectable(0, 10) == 0
    assert queries_needed(0, 0.2) == math.inf
    assert queries_needed(0.1, 0) == 2


@pytest.mark.parametrize("call", [{"sd": -1, "n": 9}, {"sd": 1, "n": 0}, {"sd": 1, "n": 9, "alpha": 5}])
def test_what_is_refused(call: dict[str, float]) -> None:
    """A negative spread, no query, or an alpha of 5 are errors."""
    with pytest.raises(IdealrankError, match=r"=(-1|0|5): "):
        detectable(**call)  # type: ignore[arg-type]


def settled(total: int, size: float, n: int, alpha: float = 0.05) -> float:
    """Integrate, over what the true difference may be after n queries, how likely all queries together decide.

    The true difference is about normal around the one seen, in standard deviations; that of the queries to come about
    normal around the true one; all together decide where their mean is t standard errors from 0.
    """
    bound = scipy.stats.t.ppf(1 - alpha / 2, total - 1) / math.sqrt(total)
    prior, more = scipy.stats.norm(size, 1 / math.sqrt(n)), total - n

    def decides(true: float) -> float:
        mean = scipy.stats.norm((n * size + more * true) / total, math.sqrt(more) / total)
        return float(prior.pdf(true) * (mean.sf(bound) + mean.cdf(-bound)))

    wide = 8 / math.sqrt(n)
    return float(scipy.integrate.quad(decides, size - wide, size + wide, limit=400)[0])


@pytest.mark.parametrize(("difference", "n"), [(0.0411, 41), (-0.05, 30), (0.0, 20), (0.02, 200)])
def test_queries_to_settle_are_those_of_an_integral(difference: float, n: int) -> None:
    """It is the first number of queries at which the integral of the power over the true difference is 80 %."""
    total = int(queries_to_settle(difference, 0.26, n))
    assert settled(total, difference / 0.26, n) >= 0.8 - 1e-6
    assert settled(total - 1, difference / 0.26, n) < 0.8 + 1e-6


def test_a_second_look_at_that_many_queries_decides() -> None:
    """Of 4000 simulated true differences and second looks four in five decide, within three errors."""
    rng, n, seen = np.random.default_rng(3), 41, 0.158
    total = int(queries_to_settle(seen, 1.0, n))
    true = rng.normal(seen, 1 / math.sqrt(n), 4000)
    means = (n * seen + (total - n) * rng.normal(true, 1 / math.sqrt(total - n))) / total
    decided = np.abs(means) >= scipy.stats.t.ppf(0.975, total - 1) / math.sqrt(total)
    assert abs(decided.mean() - 0.8) < 3 * math.sqrt(0.16 / 4000)


@pytest.mark.parametrize(
    ("seen", "bar", "same_from"), [(0.01, 0.0, 0), (0.168, 0.0, 100), (0.0, 0.05, 0), (0.0, 0.0, 3000)]
)
def test_about_the_same_settles_it_too(seen: float, bar: float, same_from: int) -> None:
    """Of 40,000 simulated second looks four in five end above the bar, below it, or within 0.1 of no gain."""
    rng, n, same = np.random.default_rng(5), 60, 0.1
    zone = (-same - bar, same - bar)
    total = int(queries_to_settle(seen - bar, 1.0, n, same=zone, same_from=same_from))

    def decided(total: int) -> float:
        true = rng.normal(seen, 1 / math.sqrt(n), 40_000)
        means = (n * seen + (total - n) * rng.normal(true, 1 / math.sqrt(total - n))) / total
        half = scipy.stats.t.ppf(0.975, total - 1) / math.sqrt(total)
        alike = (means - half > -same) & (means + half < same) & (total >= same_from)
        return float(((means - half > bar) | (means + half < bar) | alike).mean())

    assert decided(total) >= 0.8 - 3 * math.sqrt(0.16 / 40_000)
    assert decided(total - 20) < 0.8 + 3 * math.sqrt(0.16 / 40_000)
    assert total < queries_to_settle(seen - bar, 1.0, n)


def test_twice_as_narrow_as_the_same_settles_everything() -> None:
    """Once the half interval is half of what counts as the same, every mean is above 0, below 0, or the same."""
    total = (2 * 1.9615 * 0.2 / 0.02) ** 2
    assert queries_to_settle(0.0, 0.2, 10, power=1 - 1e-9, same=(-0.02, 0.02)) == pytest.approx(total, rel=0.003)


def test_settling_takes_more_than_finding_what_was_seen() -> None:
    """A difference that was seen is uncertain, and takes more queries than one that is known; without spread one."""
    assert queries_to_settle(0.0411, 0.26, 41) > queries_needed(0.0411, 0.26)
    assert queries_to_settle(0.1, 0.0, 5) == 6
