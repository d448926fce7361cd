"""How often tests reject where systems do not differ."""

from __future__ import annotations

import itertools
import math

import numpy as np
import pytest

from idealrank.statistics.paired_tests import paired_test

ALPHA = 0.05


@pytest.mark.parametrize(
    ("name", "n", "size"),
    [("sign", 10, 22 / 1024), ("sign", 12, 158 / 4096), ("wilcoxon", 10, 50 / 1024), ("wilcoxon", 6, 2 / 64)],
)
def test_exact_size(name: str, n: int, size: float) -> None:
    """Over all signs the sign test and Wilcoxon's reject as often as their tables say: W ≤ 8 of 10 at 0.0488."""
    sizes = np.arange(1.0, n + 1)
    rejected = [paired_test(name, sizes * signs, seed=1).p <= ALPHA for signs in itertools.product([1, -1], repeat=n)]
    assert np.mean(rejected) == size


@pytest.mark.parametrize(("n", "draws"), [(12, 99), (60, 199)])
@pytest.mark.parametrize("shape", ["normal", "zeros", "weighted"])
def test_randomisation_under_the_null(n: int, draws: int, shape: str) -> None:
    """It rejects at most α, plus three errors of 1000 simulations, where the signs are even; zeros and weights too."""
    rng, runs = np.random.default_rng(11), 1000
    weights = rng.lognormal(size=n) if shape == "weighted" else None
    rejected = 0
    for run in range(runs):
        d = rng.standard_t(3, n) * (rng.random(n) < (0.4 if shape == "zeros" else 1.0))
        rejected += paired_test("randomisation", d, weights, seed=run, draws=draws).p <= ALPHA
    assert rejected / runs <= ALPHA + 3 * math.sqrt(ALPHA * (1 - ALPHA) / runs)


def test_t_and_bootstrap_under_the_null() -> None:
    """On 50 normal differences both reject α of the time, within three errors of 1000 simulations and 0.01."""
    rng, runs = np.random.default_rng(12), 1000
    drawn = [rng.normal(size=50) for _ in range(runs)]
    for name in ("t", "bootstrap"):
        share = np.mean([paired_test(name, d, seed=run, draws=199).p <= ALPHA for run, d in enumerate(drawn)])
        assert abs(share - ALPHA) <= 3 * math.sqrt(ALPHA * (1 - ALPHA) / runs) + 0.01
