"""Power against statsmodels, R and the textbook."""

from __future__ import annotations

import math

import numpy as np
import pytest
import scipy.stats

from idealrank import IdealrankError
from idealrank.statistics import power
from idealrank.statistics.paired_tests import paired_test
from idealrank.statistics.power import detectable, power_of_t, queries_needed, queries_to_settle


def theirs(size: float, n: int, alpha: float) -> float:
    """Return statsmodels' power on the side of the difference; on the other side it is NaN at times, and below 1e-6."""
    from statsmodels.stats.power import TTestPower

    return float(TTestPower().power(size, n, alpha / 2, alternative="larger"))


def test_power_is_that_of_r() -> None:
    """R's pwr prints 0.4555818 for Cohen's exercise 2.5: d = 0.2, n = 60, alpha = 0.1."""
    assert power_of_t(0.2, 60, 0.1) == pytest.approx(0.4555818, abs=5e-8)


@pytest.mark.heavy
@pytest.mark.parametrize("n", [3, 10, 50, 1000])
@pytest.mark.parametrize(("alpha", "power"), [(0.05, 0.8), (0.001, 0.9)])
def test_detectable_is_that_of_statsmodels(n: int, alpha: float, power: float) -> None:
    """The difference is statsmodels' effect size times the standard deviation."""
    assert theirs(detectable(0.3, n, alpha, power) / 0.3, n, alpha) == pytest.approx(power, abs=2e-6)


@pytest.mark.heavy
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


@pytest.mark.parametrize(
    ("seen", "true", "bar", "same_from"),
    [(0.158, 0.158, 0.0, 0), (0.01, 0.0, 0.0, 0), (0.168, 0.0, 0.0, 100), (0.0, 0.3, 0.05, 0), (0.0, 0.0, 0.0, 3000)],
)
def test_a_second_look_at_that_many_queries_decides(seen: float, true: float, bar: float, same_from: int) -> None:
    """Of 40,000 simulated second looks four in five end above the bar, below it, or within 0.1 of no gain."""
    rng, n, same = np.random.default_rng(5), 60, 0.1
    zone = (-same - bar, same - bar)
    total = int(queries_to_settle(seen - bar, 1.0, n, true=true - bar, same=zone, same_from=same_from))

    def decided(total: int) -> float:
        more = rng.normal(true, 1 / math.sqrt(total - n), 40_000)
        means = (n * seen + (total - n) * more) / total
        half = scipy.stats.t.ppf(0.975, total - 1) / math.sqrt(total)
        alike = (means - half > -same) & (means + half < same) & (total >= same_from)
        return float(((means - half > bar) | (means + half < bar) | alike).mean())

    assert decided(total) >= 0.8 - 3 * math.sqrt(0.16 / 40_000)
    assert decided(total - 20) < 0.8 + 3 * math.sqrt(0.16 / 40_000)


def test_no_number_of_queries_settles_no_gain_without_an_equivalence() -> None:
    """If nothing changes, and only what is 0 counts as the same, no number is enough; without spread one more is."""
    assert queries_to_settle(0.1, 1.0, 50, true=0.0) == math.inf
    assert queries_to_settle(0.1, 0.0, 5, true=0.1) == 6


def test_a_normal_number_is_never_between_ends_that_cross() -> None:
    """Few queries leave no room for ABOUT THE SAME: its ends cross, and the chance is 0, not below it."""
    assert power._normal_probability(1.0, 0.5, 0.7, 0.2) == 0
    assert power._normal_probability(0.5, 1.0, 0.7, 0.0) == 1
