"""Skewness against SciPy, and Hall's transformation against a number computed by hand and a simulation."""

from __future__ import annotations

import math

import numpy as np
import pytest
import scipy.stats

from idealrank.statistics.sample import sampled
from idealrank.statistics.skewness import skewness, unskewed_t


def test_skewness_is_that_of_scipy() -> None:
    """Without weights it is scipy's biased skewness; of values that are all the same, or one, it is 0."""
    values = np.random.default_rng(1).exponential(size=30)
    assert skewness(sampled(values)) == pytest.approx(scipy.stats.skew(values), rel=1e-12)
    assert skewness(sampled(-values)) == pytest.approx(-scipy.stats.skew(values), rel=1e-12)
    assert skewness(sampled([0.1] * 9)) == skewness(sampled([0.3])) == 0


def test_halls_transformation_by_hand() -> None:
    """With t = 2, γ = −1, n = 25: z = 0.4 and 5 · (0.4 − 0.16/3 + 0.064/27 − 1/150) = 1.71185."""
    assert unskewed_t(2.0, -1.0, 25) == pytest.approx(1.7118519, abs=5e-8)
    assert unskewed_t(2.0, 1.0, 25) == pytest.approx(5 * (0.4 + 0.16 / 3 + 0.064 / 27 + 1 / 150), abs=1e-12)
    assert unskewed_t(math.inf, -3.0, 25) == math.inf


def test_a_tail_of_losses_no_longer_fakes_gains() -> None:
    """Gains of 1 less an exponential loss average 0; t calls too many of 50 a gain at 2.5 %, t corrected fewer."""
    rng, bound = np.random.default_rng(4), scipy.stats.t.ppf(0.975, 49)
    found = [sampled(1 - rng.exponential(size=50)) for _ in range(4000)]
    t = np.array([each.mean / each.error for each in found])
    corrected = np.array([unskewed_t(x, skewness(each), 50) for x, each in zip(t, found, strict=True)])
    error = math.sqrt(0.025 * 0.975 / 4000)
    assert (t > bound).mean() > 0.025 + 6 * error
    assert (corrected > bound).mean() < 0.025 + 6 * error
