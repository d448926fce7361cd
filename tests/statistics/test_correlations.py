"""Rank correlations against scipy, printed values of R code, and all orders."""

from __future__ import annotations

import itertools
import math

import numpy as np
import pytest
from scipy.stats import kendalltau

import idealrank as ir
from idealrank.statistics.correlations import kendall_tau, tau_ap, tau_ap_b

X = [
    [0.897, 0.372, 0.908, 0.898, 0.661, 0.062, 0.177, 0.384, 0.498, 0.992],
    [0.266, 0.573, 0.202, 0.945, 0.629, 0.206, 0.687, 0.77, 0.718, 0.38],
    [0.185, 0.573, 0.944, 0.129, 0.468, 0.553, 0.761, 0.405, 0.976, 0.445],
]
Y = [
    [0.82, 0.406, 0.817, 0.953, 0.673, 0.073, 0.364, 0.547, 0.589, 0.988],
    [0.263, 0.843, 0.728, 0.928, 0.08, 0.114, 0.467, 0.641, 0.973, 0.644],
    [0.845, 0.272, 0.275, 0.924, 0.605, 0.334, 0.162, 0.872, 0.018, 0.25],
]
X_TIED = [
    [0.9, 0.4, 0.9, 0.9, 0.7, 0.1, 0.2, 0.4, 0.5, 1],
    [0.3, 0.6, 0.2, 0.9, 0.6, 0.2, 0.7, 0.8, 0.7, 0.4],
    [0.2, 0.6, 0.9, 0.1, 0.5, 0.6, 0.8, 0.4, 1, 0.4],
]
Y_TIED = [
    [0.8, 0.4, 0.8, 1, 0.7, 0.1, 0.4, 0.5, 0.6, 1],
    [0.3, 0.8, 0.7, 0.9, 0.1, 0.1, 0.5, 0.6, 1, 0.6],
    [0.8, 0.3, 0.3, 0.9, 0.6, 0.3, 0.2, 0.9, 0, 0.2],
]


def test_against_values_of_ircor() -> None:
    """The R package ircor 1.0, by Urbano and Marrero, has these to four digits (tau, tauAP, tauAP_b, with ties)."""
    assert [kendall_tau(x, y) for x, y in zip(X, Y, strict=True)] == pytest.approx([0.9111, 0.2889, -0.6889], abs=6e-5)
    assert [tau_ap(x, y) for x, y in zip(X, Y, strict=True)] == pytest.approx([0.8519, 0.2504, -0.6971], abs=6e-5)
    assert [tau_ap_b(x, y) for x, y in zip(X, Y, strict=True)] == pytest.approx([0.8333, 0.2880, -0.668], abs=6e-5)
    tied = list(zip(X_TIED, Y_TIED, strict=True))
    assert [kendall_tau(x, y) for x, y in tied] == pytest.approx([0.9398, 0.3765, -0.6510], abs=6e-5)
    assert [tau_ap_b(x, y) for x, y in tied] == pytest.approx([0.7321, 0.297, -0.7047], abs=6e-5)
    assert [tau_ap_b(y, x) for x, y in tied] == pytest.approx([0.7321, 0.297, -0.7047], abs=6e-5)


def test_kendall_against_scipy() -> None:
    """tau-b is scipy's on 300 random pairs of lists full of ties, NaN where a list is all one tie."""
    rng = np.random.default_rng(4)
    for _ in range(300):
        a, b = rng.integers(0, rng.integers(1, 9), (2, rng.integers(2, 30)))
        assert kendall_tau(a, b) == pytest.approx(kendalltau(a, b).statistic, abs=1e-12, nan_ok=True)


def test_ap_correlation_by_its_definition() -> None:
    """Over all orders of five: 2 / (n − 1) Σ C(i) / (i − 1) − 1, counted position by position."""
    for order in itertools.permutations(range(5)):  # order[i]: the true rank of what stands at rank i
        correct = [sum(order[j] < order[i] for j in range(i)) / i for i in range(1, 5)]
        estimate, truth = range(5, 0, -1), [-rank for rank in order]
        assert tau_ap(truth, estimate) == pytest.approx(2 / 4 * math.fsum(correct) - 1, abs=1e-12)


def test_random_orders_have_no_ap_correlation() -> None:
    """Over all orders the AP correlation is 0 on average (Yilmaz, Aslam and Robertson)."""
    found = [tau_ap(truth, range(5)) for truth in itertools.permutations(range(5))]
    assert math.fsum(found) == pytest.approx(0.0, abs=1e-9)


def test_what_is_refused() -> None:
    """Lists of different lengths, missing numbers, and ties where none are read."""
    with pytest.raises(ir.UsageError, match="2 numbers and 1"):
        kendall_tau([1, 2], [1])
    with pytest.raises(ir.DataError, match="NaN"):
        tau_ap_b([1, math.nan], [1, 2])
    with pytest.raises(ir.DataError, match="Use tau_ap_b"):
        tau_ap([1, 1], [1, 2])
    assert math.isnan(tau_ap_b([1, 1], [1, 2]))
    assert math.isnan(kendall_tau([1], [2]))
