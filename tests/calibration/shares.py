"""The simulations: each returns a share of runs."""

from __future__ import annotations

import math
import zlib
from collections.abc import Callable

import numpy as np

from idealrank.comparison.segments.segments import permutation_p as drawn_p
from idealrank.statistics.all_pairs import randomised_tukey
from idealrank.statistics.corrections import benjamini_hochberg, holm
from idealrank.statistics.intervals import interval
from idealrank.statistics.max_t import max_t
from idealrank.statistics.paired_tests import paired_test
from idealrank.statistics.sample import make_sample as sampled
from tests.calibration.distributions import Distribution, Draw

ALPHA = 0.05
SEGMENT = 10
"""Queries of each segment."""
DROP, SPREAD = 0.01, 0.2
"""What a gate fails by, and the standard deviation of the differences it looks at."""


def coverage(method: str, values: Distribution, n: int, runs: int, draws: int) -> float:
    """Return how often the interval of 95 % holds the true mean."""
    held = 0
    for seed, x in enumerate(_samples(values, n, runs)):
        found = interval(method, x, seed=seed, draws=draws)
        held += found.low <= values.mean <= found.high
    return held / runs


def bounded_coverage(method: str, values: Distribution, bounds: tuple[float, float], n: int, runs: int) -> float:
    """Return how often the interval of 95 % contains the true mean of values between two bounds."""
    found = [interval(method, x, seed=0, bounds=bounds) for x in _samples(values, n, runs)]
    return sum(each.low <= values.mean <= each.high for each in found) / runs


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


def false_segments(test: str, differences: Distribution, n: int, runs: int, draws: int) -> float:
    """Return how often any of the segments of ten queries has a corrected p of at most 0.05, where no mean changes."""
    found = 0
    for seed, d in enumerate(_samples(differences, n, runs)):
        every = sampled(d)
        parts = [d[first : first + SEGMENT] for first in range(0, n, SEGMENT)]
        p = [
            paired_test("t", part, seed=seed).p if test == "t" else drawn_p(part, None, every, seed, draws)
            for part in parts
        ]
        found += benjamini_hochberg(np.array(p)).min() <= ALPHA
    return found / runs


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
