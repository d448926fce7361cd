"""Paired tests against scipy, printed numbers and exact enumeration."""

from __future__ import annotations

import itertools
import math

import numpy as np
import pytest
import scipy.stats

from idealrank import IdealrankError
from idealrank.statistics.paired_tests import TESTS, paired_test

DARWIN = [49, -67, 8, 16, 6, 23, 28, 41, 14, 29, 56, 24, 75, 60, -48]
"""Crossed minus self-fertilised maize, eighths of an inch: Fisher (1935), The Design of Experiments, chapter III."""

SLEEP = [1.2, 2.4, 1.3, 1.3, 0.0, 1.0, 1.8, 0.8, 4.6, 1.4]
"""Student's sleep data, the second drug minus the first: R's data set `sleep`."""

DEPRESSION = (
    [1.83, 0.50, 1.62, 2.48, 1.68, 1.88, 1.55, 3.06, 1.30],
    [0.878, 0.647, 0.598, 2.05, 1.06, 1.29, 1.06, 3.14, 1.29],
)
"""Hollander & Wolfe (1973), page 29: the example of R's `wilcox.test`."""


def p(name: str, d: object, weights: object = None, draws: int = 2000, seed: int = 3) -> float:
    """Return the p-value of a test."""
    return paired_test(name, np.array(d, float), weights, seed=seed, draws=draws).p


def drawn(n: int, seed: int = 0) -> np.ndarray:
    """Return differences without ties."""
    return np.random.default_rng(seed).normal(0.2, 1, n)


def flips(count: int) -> np.ndarray:
    """Return every pattern of signs."""
    return np.array(list(itertools.product([1, -1], repeat=count)))


def test_t_is_that_of_fisher_and_r() -> None:
    """Fisher prints t = 2.148 for Darwin's maize; R prints t = 4.0621 and p = 0.002833 for the sleep data."""
    assert paired_test("t", DARWIN, seed=1).statistic == pytest.approx(2.148, abs=5e-4)
    assert paired_test("t", SLEEP, seed=1).statistic == pytest.approx(4.0621, abs=5e-5)
    assert p("t", SLEEP) == pytest.approx(0.002833, abs=5e-7)


@pytest.mark.parametrize("n", [2, 3, 30, 1000])
def test_t_is_that_of_scipy(n: int) -> None:
    """T and p are those of scipy's one-sample t test of the differences."""
    theirs = scipy.stats.ttest_1samp(drawn(n), 0)
    ours = paired_test("t", drawn(n), seed=1)
    assert (ours.statistic, ours.p) == pytest.approx((theirs.statistic, theirs.pvalue), rel=1e-12)


def test_wilcoxon_is_that_of_r() -> None:
    """R prints V = 40 and, one-sided, p = 0.01953 for the depression data."""
    found = paired_test("wilcoxon", np.subtract(*DEPRESSION), seed=1)
    assert found.statistic == 45 - 40
    assert found.p / 2 == pytest.approx(0.01953, abs=5e-6)


@pytest.mark.parametrize("n", [1, 5, 20, 50])
def test_wilcoxon_is_that_of_scipy(n: int) -> None:
    """Without ties p is scipy's exact one, and beyond 200 queries its normal approximation, ties and zeros included."""
    assert p("wilcoxon", drawn(n)) == pytest.approx(scipy.stats.wilcoxon(drawn(n)).pvalue, rel=1e-12)
    tied = np.round(drawn(300 + n), 1)
    assert p("wilcoxon", tied) == pytest.approx(scipy.stats.wilcoxon(tied).pvalue, rel=1e-12)


@pytest.mark.parametrize("seed", range(5))
def test_wilcoxon_with_ties_is_the_count_of_all_signs(seed: int) -> None:
    """With ties and zeros p is the share of all signs whose smaller sum of ranks is as small."""
    d = np.round(drawn(11, seed), 0) * 0.1
    moved = d[d != 0]
    ranks = scipy.stats.rankdata(np.round(np.abs(moved), 9))
    sums = np.minimum(flips(len(moved)).clip(0) @ ranks, (-flips(len(moved))).clip(0) @ ranks)
    mine = min(ranks[moved > 0].sum(), ranks[moved < 0].sum())
    assert p("wilcoxon", d) == pytest.approx(np.mean(sums <= mine), rel=1e-12)


def test_differences_that_differ_by_rounding_are_tied() -> None:
    """0.3 − 0.2 and 0.2 − 0.1 are no two sizes of a difference, though they differ in the last bit."""
    d = [0.3 - 0.2, 0.2 - 0.1, -(0.4 - 0.3), 0.5]
    assert d[0] != d[1]
    assert p("wilcoxon", d) == p("wilcoxon", [0.1, 0.1, -0.1, 0.5])


@pytest.mark.parametrize(("wins", "losses", "ties"), [(9, 1, 0), (5, 5, 3), (0, 4, 2), (60, 41, 30)])
def test_sign_is_the_binomial_test(wins: int, losses: int, ties: int) -> None:
    """P of the sign test is scipy's binomial test of wins against losses, without the ties."""
    d = [0.3] * wins + [-0.1] * losses + [0.0] * ties
    found = paired_test("sign", d, seed=1)
    assert found.p == pytest.approx(scipy.stats.binomtest(wins, wins + losses).pvalue, rel=1e-12)
    assert (found.statistic, found.n) == (wins, wins + losses)


def test_randomisation_is_that_of_fisher() -> None:
    """Fisher counts 863 of 32768 flips whose sum is at least 314 for Darwin's maize."""
    assert p("randomisation", DARWIN) == 2 * 863 / 32768


@pytest.mark.parametrize("weights", [None, [1, 2, 3, 4, 5, 1, 2, 3, 4, 5]])
@pytest.mark.parametrize("n", [1, 2, 5, 10])
def test_randomisation_is_the_count_of_all_flips(n: int, weights: list[int] | None) -> None:
    """P is the share of all flips of the (weighted) differences with as large a sum, ties with the observed counted."""
    d = np.round(drawn(n), 1)
    parts = d if weights is None else d * weights[:n]
    sums = np.abs(flips(n) @ parts)
    assert p("randomisation", d, weights and weights[:n]) == np.mean(sums >= abs(parts.sum()) - 1e-9)


def test_randomisation_is_that_of_scipy() -> None:
    """P is that of scipy's permutation test over all exchanges of two paired samples."""
    a, b = drawn(12), drawn(12, 1)
    theirs = scipy.stats.permutation_test((a, b), lambda x, y: np.mean(x - y), permutation_type="samples")
    assert p("randomisation", a - b) == pytest.approx(theirs.pvalue, rel=1e-12)


def test_drawn_flips_come_near_all_flips(monkeypatch: pytest.MonkeyPatch) -> None:
    """P by drawn flips lies within four of its own errors of the exact one, and is (b + 1) / (draws + 1)."""
    d = drawn(20, 4)
    exact = paired_test("randomisation", d, seed=1)
    monkeypatch.setattr("idealrank.statistics.paired_tests.MOST_FLIPPED", 0)
    found = [paired_test("randomisation", d, seed=seed, draws=999) for seed in range(5)]
    assert exact.error == 0
    assert len({one.p for one in found}) > 1
    for one in found:
        assert abs(one.p - exact.p) < 4 * one.error
        assert one.p * 1000 == pytest.approx(round(one.p * 1000))


@pytest.mark.parametrize("weighted", [False, True])
def test_bootstrap_agrees_with_t_on_normal_differences(weighted: bool) -> None:
    """At 400 normal differences the bootstrap t test says what the t test says, within four of its errors."""
    weights = np.random.default_rng(1).integers(1, 4, 400) if weighted else None
    for shift in (0.0, 0.07, 0.1):
        d = np.random.default_rng(2).normal(shift, 1, 400)
        found = paired_test("bootstrap", d, weights, seed=1)
        assert abs(found.p - p("t", d, weights)) < 4 * found.error + 0.01


@pytest.mark.parametrize("name", ["bootstrap", "randomisation"])
def test_no_draw_proves_everything(name: str) -> None:
    """P by simulation is never 0: what no draw of 99 reaches has 1/100."""
    assert p(name, drawn(50) + 9, draws=99) == 1 / 100


@pytest.mark.parametrize("name", TESTS)
def test_identical_systems(name: str) -> None:
    """Without any difference p is 1, without a warning."""
    assert p(name, np.zeros(40)) == 1


@pytest.mark.parametrize("name", TESTS)
def test_one_query(name: str) -> None:
    """One query says nothing: p is 1, whatever the difference."""
    assert p(name, [0.3]) == 1


@pytest.mark.parametrize("name", TESTS)
def test_constant_differences(name: str) -> None:
    """Six differences of 0.1 have 2 of 64 flips on their side; t, without spread, is infinite."""
    found = paired_test(name, [0.1] * 6, seed=1)
    assert found.p == 2**-5
    assert math.isinf(found.statistic) == (name in ("t", "bootstrap"))


@pytest.mark.parametrize("name", TESTS)
def test_order_and_sign_do_not_matter(name: str) -> None:
    """The order of the queries changes nothing, nor does which system is called the first, nor earlier calls."""
    d, weights = drawn(60, 5), np.random.default_rng(6).integers(1, 9, 60)
    turned = np.random.default_rng(7).permutation(60)
    assert paired_test(name, d, weights, seed=1) == paired_test(name, d[turned], weights[turned], seed=1)
    if name != "bootstrap":
        assert p(name, d) == pytest.approx(p(name, -d), rel=1e-12)


@pytest.mark.parametrize("name", TESTS)
def test_equal_weights_are_none(name: str) -> None:
    """Weights that are all the same change neither p nor the statistic, and queries of weight 0 are left out."""
    d = drawn(40, 8)
    plain = paired_test(name, d, seed=1)
    equal = paired_test(name, [*d, 99.0], [2.0] * 40 + [0.0], seed=1)
    assert (equal.p, equal.statistic, equal.n) == pytest.approx((plain.p, plain.statistic, plain.n), rel=1e-9)


@pytest.mark.parametrize("name", ["sign", "wilcoxon"])
def test_ranks_and_signs_do_not_read_weights(name: str) -> None:
    """The sign test and Wilcoxon's read every query once, and say so where there are weights."""
    d, weights = drawn(40, 8), np.arange(1, 41)
    assert p(name, d, weights) == p(name, d)
    assert "regardless of its weight" in paired_test(name, d, weights, seed=1).method


@pytest.mark.parametrize(
    ("d", "weights", "said"),
    [
        ([], None, "at least one query"),
        ([0.1, math.nan], None, "nan at place 1"),
        ([0.1, math.inf], None, "inf at place 1"),
        ([[0.1]], None, "one number per query"),
        ([0.1, 0.2], [1], "one weight per query"),
        ([0.1, 0.2], [1, -2], "-2. A weight must be a number, 0 or more"),
        ([0.1, 0.2], [0, 0], "all are 0"),
    ],
)
def test_what_is_refused(d: list[float], weights: list[float] | None, said: str) -> None:
    """Numbers that are none, and weights that are none, are errors that say what to give."""
    with pytest.raises(IdealrankError, match=said):
        paired_test("t", d, weights, seed=1)


@pytest.mark.parametrize(
    ("call", "said"),
    [
        ({"name": "wilcoxn", "seed": 1}, "Did you mean wilcoxon"),
        ({"name": "randomisation", "seed": -1}, "seed=-1: it is a whole number from 0 up"),
        ({"name": "t", "seed": 1, "draws": 0}, "draws=0: it is a whole number from 1 up"),
    ],
)
def test_calls_that_are_refused(call: dict[str, object], said: str) -> None:
    """Unknown tests are named with the nearest, and seeds and draws are whole numbers."""
    with pytest.raises(IdealrankError, match=said):
        paired_test(d=DARWIN if call["name"] == "t" else drawn(50), **call)  # type: ignore[arg-type]


@pytest.mark.parametrize("name", TESTS)
@pytest.mark.parametrize("scale", [1e-200, 1e200, 1e308])
def test_weights_of_any_scale(name: str, scale: float) -> None:
    """Weights of 1e200 or 1e-200 neither overflow nor vanish: p is that of the same weights near 1."""
    d, weights = np.array([0.1, -0.2, 0.3, 0.25, 0.4, -0.1, 0.2]), np.array([1.0, 0.5, 1.5, 1.0, 0.25, 1.0, 0.75])
    p = paired_test(name, d, weights, seed=1).p
    assert paired_test(name, d, weights * scale, seed=1).p == pytest.approx(p, rel=1e-9)
