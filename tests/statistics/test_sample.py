"""A sample of queries: what follows from it in any order."""

from __future__ import annotations

import numpy as np
import pytest

from idealrank.statistics.sample import make_sample, skewness

VALUES, WEIGHTS = [0.5, 0.1, 0.9, 0.3], [2.0, 0.0, 1.0, 3.0]


@pytest.mark.parametrize("weights", [None, WEIGHTS])
def test_a_sum_needs_no_order(monkeypatch: pytest.MonkeyPatch, weights: list[float] | None) -> None:
    """Mean, error, deviation and degrees are exact in any order, so that nothing is sorted for them."""
    ordered = make_sample(sorted(VALUES), weights and [w for _, w in sorted(zip(VALUES, weights, strict=True))])
    for name in ("sort", "lexsort"):
        monkeypatch.delattr(np, name)
    sample = make_sample(VALUES, weights)
    names = ("n", "mass", "mean", "error", "deviation", "effective", "degrees", "t", "is_constant", "weighted")
    assert [getattr(sample, name) for name in names] == [getattr(ordered, name) for name in names]


@pytest.mark.parametrize("weights", [None, WEIGHTS])
def test_what_depends_on_order_has_one(weights: list[float] | None) -> None:
    """Values and weights are in an order that depends only on them, and so what is computed from them in turn."""
    pairs = list(zip(VALUES, weights or [1.0] * 4, strict=True))
    samples = [make_sample([v for v, _ in some], weights and [w for _, w in some]) for some in (pairs, pairs[::-1])]
    assert len({(one.values.tobytes(), one.weights.tobytes(), skewness(one)) for one in samples}) == 1
