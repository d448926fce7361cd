"""Skewness against SciPy, and the end of a skewed interval by hand, by SciPy's bootstrap and by simulation."""

from __future__ import annotations

import math

import numpy as np
import pytest
import scipy.stats

from idealrank.statistics.sample import make_sample as sampled, share_unseen, skewed_end, skewness


def test_skewness_is_that_of_scipy() -> None:
    """Without weights it is scipy's biased skewness; of values that are all the same, or one, it is 0."""
    values = np.random.default_rng(1).exponential(size=30)
    assert skewness(sampled(values)) == pytest.approx(scipy.stats.skew(values), rel=1e-12)
    assert skewness(sampled(-values)) == pytest.approx(-scipy.stats.skew(values), rel=1e-12)
    assert skewness(sampled([0.1] * 9)) == skewness(sampled([0.3])) == 0


def test_end_of_a_skewed_interval_by_hand() -> None:
    """With c = 2, γ = −3, n = 25: a = −0.1, w = 2.1 and 2.1 / 0.79² = 3.36485; without a tail it is c itself."""
    assert skewed_end(2.0, -3.0, 25) == pytest.approx(2.1 / 0.79**2, abs=1e-12)
    assert skewed_end(2.0, 3.0, 25) == pytest.approx(1.9 / 1.19**2, abs=1e-12)
    assert skewed_end(2.0, 0.0, 25) == 2.0
    assert skewed_end(2.0, -15.0, 25) == math.inf


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_it_ends_where_the_bootstrap_does(seed: int) -> None:
    """SciPy's BCa interval of a mean with 20,000 draws ends there, within 0.06 standard errors."""
    values = 1 - np.random.default_rng(seed).exponential(size=100)
    sample = sampled(values)
    by_draws = scipy.stats.bootstrap((values,), np.mean, n_resamples=20_000, method="BCa", rng=seed)
    low = sample.mean - skewed_end(1.959964, skewness(sample), 100) * sample.error
    assert low == pytest.approx(by_draws.confidence_interval.low, abs=0.06 * sample.error)


def test_a_tail_of_losses_no_longer_fakes_gains() -> None:
    """Gains of 1 less an exponential loss average 0; t calls too many of 50 a gain at 2.5 %, t corrected fewer."""
    rng, bound = np.random.default_rng(4), scipy.stats.t.ppf(0.975, 49)
    found = [sampled(1 - rng.exponential(size=50)) for _ in range(4000)]
    t = np.array([each.mean / each.error for each in found])
    ends = np.array([skewed_end(bound, skewness(each), 50) for each in found])
    error = math.sqrt(0.025 * 0.975 / 4000)
    assert (t > bound).mean() > 0.025 + 6 * error
    assert (t > np.maximum(bound, ends)).mean() < 0.025 + 6 * error


def test_what_queries_can_all_have_missed() -> None:
    """If 7.11 % of queries lose, fifty contain none with a probability of 2.5 %."""
    assert scipy.stats.binom.pmf(0, 50, share_unseen(50, 0.025)) == pytest.approx(0.025)
