"""The randomised Tukey HSD against enumeration, printed critical values and simulation."""

from __future__ import annotations

import itertools
import math

import numpy as np
import pytest

from idealrank import IdealrankError
from idealrank.statistics.all_pairs import expected_tukey_seconds, randomised_tukey
from idealrank.statistics.paired_tests import paired_test

STUDENTIZED_RANGE = {3: 3.314, 5: 3.858, 10: 4.474}
"""Upper 5 % points for k means, infinite degrees of freedom, as textbooks print them."""


def drawn(systems: int, queries: int, seed: int) -> np.ndarray:
    """Return values of systems that do not differ, on queries that do."""
    rng = np.random.default_rng(seed)
    return rng.normal(size=(systems, queries)) + 2 * rng.normal(size=queries)


@pytest.mark.parametrize("weights", [None, np.array([1.0, 2, 4, 1])])
def test_p_is_the_share_of_all_exchanges(weights: np.ndarray | None) -> None:
    """On three systems and four queries each p lies within four errors of that over all 6⁴ exchanges."""
    values = np.round(drawn(3, 4, 1), 1) + np.array([[0], [0.5], [3]])
    shares = values * (np.ones(4) if weights is None else weights) / (4 if weights is None else weights.sum())
    orders = list(itertools.permutations(range(3)))
    ranges = [
        np.ptp(sum(shares[list(order), q] for q, order in enumerate(chosen)))
        for chosen in itertools.product(orders, repeat=4)
    ]
    found = randomised_tukey(values, weights, seed=1)
    for i, j in itertools.combinations(range(3), 2):
        exact = np.mean(np.array(ranges) >= abs(found.difference[i, j]) - 1e-9)
        assert abs(found.p[i, j] - exact) <= 4 * found.error[i, j]
        assert found.difference[i, j] == pytest.approx(shares[i].sum() - shares[j].sum(), rel=1e-9)


def test_two_systems_are_a_randomisation_test() -> None:
    """With two systems p is that of the randomisation test of their differences, to its simulation error."""
    values = drawn(2, 20, 2) + np.array([[0.4], [0]])
    found = randomised_tukey(values, seed=1)
    exact = paired_test("randomisation", values[0] - values[1], seed=1).p
    assert abs(found.p[0, 1] - exact) < 4 * found.error[0, 1]


def test_ties_with_the_observed_count() -> None:
    """Five differences of 0.1 are as large in 2 of 32 exchanges, whatever the last bits of the sums."""
    found = randomised_tukey([[0.3, 0.4, 0.7, 0.2, 0.9], [0.2, 0.3, 0.6, 0.1, 0.8]], seed=1)
    assert abs(found.p[0, 1] - 2 / 32) < 4 * found.error[0, 1]


@pytest.mark.parametrize("systems", STUDENTIZED_RANGE)
def test_half_width_is_that_of_the_studentized_range(systems: int) -> None:
    """At many queries it is the printed point times the spread within a query over the root of the queries."""
    values = drawn(systems, 1000, 3)
    spread = math.sqrt(values.var(axis=0, ddof=1).mean() / 1000)
    found = randomised_tukey(values, seed=1, draws=4000)
    assert found.half_width / spread == pytest.approx(STUDENTIZED_RANGE[systems], abs=0.1)


def test_family_wise_error() -> None:
    """Of 300 families of five equal systems at most 5 % have a pair rejected, plus three errors; a better one is."""
    runs, wrong, right = 300, 0, 0
    for run in range(runs):
        values = drawn(5, 20, 50 + run)
        wrong += randomised_tukey(values, seed=run, draws=199).p.min() <= 0.05
        values[0] += 2
        right += (randomised_tukey(values, seed=run, draws=199).p[0, 1:] <= 0.05).all()
    assert wrong / runs <= 0.05 + 3 * math.sqrt(0.05 * 0.95 / runs)
    assert right / runs > 0.9


def test_order_of_systems() -> None:
    """Systems in another order have the same p-values; p is symmetric, 1 on the diagonal and for identical systems."""
    values = drawn(4, 30, 4)
    values[3] = values[0]
    found = randomised_tukey(values, seed=1, draws=500)
    turned = randomised_tukey(values[::-1], seed=1, draws=500)
    assert np.array_equal(turned.p[::-1, ::-1], found.p)
    assert np.array_equal(found.p, found.p.T)
    assert np.diag(found.p).tolist() == [1, 1, 1, 1]
    assert found.p[0, 3] == 1
    assert randomised_tukey(np.zeros((3, 5)), seed=1, draws=50).p.min() == 1


def test_pairs_outside_the_half_width_are_rejected() -> None:
    """A difference beyond the half width has p of at most 0.05, and one within it has more."""
    values = drawn(6, 60, 5) + np.linspace(0, 1, 6)[:, None]
    found = randomised_tukey(values, seed=1, draws=999)
    assert np.array_equal(np.abs(found.difference) > found.half_width, found.p <= 0.05)
    assert 0 < (found.p <= 0.05).sum() < 30


def test_equal_weights_are_none() -> None:
    """Weights that are all the same change nothing."""
    values = drawn(3, 10, 6)
    plain, equal = (randomised_tukey(values, weights, seed=1, draws=300) for weights in (None, [2.0] * 10))
    assert np.array_equal(plain.p, equal.p)
    assert plain.half_width == pytest.approx(equal.half_width, rel=1e-12)


def test_few_draws_say_nothing() -> None:
    """Ten draws cannot give a level of 95 %: the half width is infinite and no p is below 1/11."""
    found = randomised_tukey(drawn(3, 10, 7) + np.array([[0], [0], [9]]), seed=1, draws=10)
    assert found.half_width == math.inf
    assert found.p.min() == pytest.approx(1 / 11)


def test_progress_and_time() -> None:
    """Progress is told up to the last draw, and the expected time grows with the draws."""
    told: list[tuple[int, int]] = []
    values = drawn(4, 500, 8)
    randomised_tukey(values, seed=1, draws=1200, progress=lambda done, total: told.append((done, total)))
    assert len(told) > 1
    assert told[-1] == (1200, 1200)
    assert 0 < expected_tukey_seconds(values, draws=100) < expected_tukey_seconds(values, draws=1_000_000)


@pytest.mark.parametrize(
    ("values", "said"),
    [
        ([[0.1, 0.2]], "at least two rows"),
        ([0.1, 0.2], "at least two rows"),
        ([[0.1, math.nan], [0.1, 0.2]], "values: nan in row 0, column 1"),
    ],
)
def test_what_is_refused(values: object, said: str) -> None:
    """One system, or a value that is missing, is an error that says what to give."""
    with pytest.raises(IdealrankError, match=said):
        randomised_tukey(values, seed=1)  # type: ignore[arg-type]
