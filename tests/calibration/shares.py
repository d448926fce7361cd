"""The simulations: each returns a share of runs."""

from __future__ import annotations

import math
import zlib
from collections.abc import Callable

import numpy as np

from idealrank.statistics.corrections import holm
from idealrank.statistics.intervals import interval
from idealrank.statistics.max_t import max_t
from idealrank.statistics.paired_tests import paired_test
from idealrank.statistics.tukey import randomised_tukey
from tests.calibration.distributions import Distribution, Draw

ALPHA = 0.05


def coverage(method: str, values: Distribution, n: int, runs: int, draws: int) -> float:
    """Return how often the interval of 95 % holds the true mean."""
    held = 0
    for seed, x in enumerate(_samples(values, n, runs)):
        found = interval(method, x, seed=seed, draws=draws)
        held += found.low <= values.mean <= found.high
    return held / runs


def weighted_coverage(spread: float, n: int, runs: int) -> float:
    """Return how often the default interval holds the weighted mean: normal values, log-normal weights, unrelated."""
    rng, held = np.random.default_rng(n), 0
    for _ in range(runs):
        found = interval("student_t", rng.normal(size=n), rng.lognormal(0, spread, n), seed=0)
        held += found.low <= 0 <= found.high
    return held / runs


def rejections(test: str, differences: Distribution, n: int, runs: int, draws: int) -> float:
    """Return how often p is at most 0.05 where the mean difference is 0."""
    samples = _samples(differences, n, runs)
    return sum(paired_test(test, d, seed=seed, draws=draws).p <= ALPHA for seed, d in enumerate(samples)) / runs


def _samples(drawn: Distribution, n: int, runs: int) -> list[np.ndarray]:
    """Return the same samples whatever the method."""
    rng = np.random.default_rng([zlib.crc32(drawn.name.encode()), n])
    return [drawn.draw(rng, n) for _ in range(runs)]


def _t_tests(values: np.ndarray) -> np.ndarray:
    return np.array([paired_test("t", d, seed=0).p for d in values[1:] - values[0]])


FAMILIES: dict[str, Callable[[np.ndarray, int, int], float]] = {
    "ten systems against a baseline, t, no correction": lambda v, seed, draws: _t_tests(v).min(),
    "ten systems against a baseline, t, Holm": lambda v, seed, draws: holm(_t_tests(v)).min(),
    "ten systems against a baseline, max t": lambda v, seed, draws: max_t(v[1:] - v[0], seed=seed, draws=draws).p.min(),
    "all pairs of eleven systems, randomised Tukey HSD": lambda v, seed, draws: randomised_tukey(
        v, seed=seed, draws=draws
    ).p.min(),
}
"""Families of tests by name: the smallest adjusted p of (11, Q) values, the first row the baseline."""


def false_families(name: str, values: Draw, n: int, runs: int, draws: int) -> float:
    """Return how often any of a family is rejected where no system differs."""
    rng = np.random.default_rng(n)
    return sum(FAMILIES[name](values(rng, n), seed, draws) <= ALPHA for seed in range(runs)) / runs


def error_of(share: float, runs: int) -> float:
    """Return the standard error of a share of runs."""
    return math.sqrt(share * (1 - share) / runs)
