"""Paired tests: how likely the differences of the queries are if the systems do not differ."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from idealrank._core import signed_sums
from idealrank.arrays import Floats, Ints
from idealrank.errors import plural, refuse_count, unknown
from idealrank.statistics.catalogue import StatisticalMethod
from idealrank.statistics.draws import CLOSE, DRAWS, bootstrap_p, chunks, draw_signs, simulation_error, stream
from idealrank.statistics.sample import Sample, make_sample, student_title

if TYPE_CHECKING:
    from numpy.typing import ArrayLike

ONCE = "; every query counts once, regardless of its weight"


@dataclass(frozen=True)
class Test:
    """The result of a paired test.

    Attributes
    ----------
    name
        A key of `TESTS`.
    statistic
        t (``t``, ``bootstrap``), the mean difference (``randomisation``), the smaller sum of ranks
        (``wilcoxon``) or the number of positive differences (``sign``).
    p
        Two-sided p-value, 0 to 1.
    error
        Its standard error by simulation; 0 if it was computed exactly.
    n
        Queries the test used; ``sign`` and ``wilcoxon`` leave out those that did not differ.
    method
        How p was computed, in words.
    """

    __test__: ClassVar[bool] = False  # not a test case for pytest

    name: str
    statistic: float
    p: float
    error: float
    n: int
    method: str


def paired_test(name: str, d: ArrayLike, weights: ArrayLike | None = None, *, seed: int, draws: int = DRAWS) -> Test:
    """Test whether differences of queries could be chance between two systems that do not differ.

    All tests are two-sided. Identical systems have p = 1, and so does a single query with ``t`` and ``bootstrap``,
    because one value has no spread. Differences that are all the same, but not 0, have no spread either: ``t`` and
    ``bootstrap`` then use the p of sign flips, 2 / 2ⁿ. The order of the queries does not matter.

    Parameters
    ----------
    name
        ``t``, ``wilcoxon``, ``sign``, ``randomisation`` or ``bootstrap``; see `TESTS`.
    d
        (n,) Difference of each query, no NaN.
    weights
        (n,) Weight of each query, 0 or more; None: all count the same.
    seed
        Random seed of ``randomisation`` and ``bootstrap``.
    draws
        Number of resamples.

    Raises
    ------
    UsageError
        If there is no such test, or seed or draws are not whole numbers.
    DataError
        If there is no query, a NaN, or a negative weight.

    Examples
    --------
    >>> found = paired_test("t", [0.1, 0.3, 0.2, -0.1], seed=7)
    >>> round(found.statistic, 4), round(found.p, 4), found.method
    (1.4639, 0.2394, 'Student t, 3 degrees of freedom')
    >>> paired_test("randomisation", [0.1, 0.3, 0.2, -0.1], seed=7).p
    0.375
    """
    if name not in TESTS:
        raise unknown("test", name, TESTS)
    refuse_count("draws", draws)
    return TESTS[name](make_sample(d, weights), seed, draws)


def t_test(sample: Sample, seed: int, draws: int) -> Test:
    """Mean difference over its standard error, against Student's t with n − 1 degrees of freedom (`Sample.degrees`).

    Assumes that the mean of the differences is about normal; skewed differences need more queries.
    With weights, the standard error is that of a ratio (see `Sample.error`). Source: Student (1908).
    """
    from scipy.special import stdtr

    if sample.is_shift:
        return Test("t", sample.t, sample.flips_p, 0.0, sample.n, "all the same: sign flips, exact")
    p = 2 * float(stdtr(sample.degrees, -abs(sample.t))) if sample.n > 1 else 1.0
    return Test("t", sample.t, p, 0.0, sample.n, student_title(sample))


def wilcoxon(sample: Sample, seed: int, draws: int) -> Test:
    """Signed ranks of the differences (Wilcoxon 1945): queries that do not differ are left out.

    Assumes that differences are symmetric around 0 if the systems are equal: it tests the middle, not the mean.
    Equal sizes share their mean rank. Exact, including ties, up to 200 queries that differ; beyond that, the normal
    approximation with the variance of the actual ranks.
    """
    above, below, doubled = rank_sums(sample.relative_values)
    p, method = wilcoxon_p(min(above, below), doubled)
    return Test("wilcoxon", min(above, below), p, 0.0, len(doubled), method + (ONCE if sample.weighted else ""))


def sign(sample: Sample, seed: int, draws: int) -> Test:
    """Wins against losses, exact by the binomial distribution; queries that do not differ are left out.

    Assumes nothing about the sizes, and ignores them. Source: Dixon & Mood (1946).
    """
    from scipy.special import bdtr

    wins, losses = int(np.sum(sample.relative_values > 0)), int(np.sum(sample.relative_values < 0))
    p = min(1.0, 2 * float(bdtr(min(wins, losses), wins + losses, 0.5))) if wins + losses else 1.0
    method = f"binomial, exact, over {plural(wins + losses, 'query')} that differ" + (ONCE if sample.weighted else "")
    return Test("sign", wins, p, 0.0, wins + losses, method)


def randomisation(sample: Sample, seed: int, draws: int) -> Test:
    """How often the mean is as far from 0 if the signs of the differences are flipped at random.

    Assumes that if the systems are equal, their labels could be exchanged query by query. Exact over all flips up to
    32 queries that differ, else (b + 1) / (draws + 1). With weights, the weighted differences are flipped.
    Sources: Fisher (1935); Smucker, Allan & Carterette (2007); Phipson & Smyth (2010) for the + 1.
    """
    p, error, method = randomisation_p(sample, stream(seed, "randomisation"), draws)
    return Test("randomisation", sample.mean, p, error, sample.n, method)


def bootstrap(sample: Sample, seed: int, draws: int) -> Test:
    """How often t is as large if queries are drawn with replacement from the differences shifted to mean 0.

    Assumes that the queries are a fair sample and large enough to represent all. Queries are drawn with their
    weights. Sources: Efron & Tibshirani (1993), section 16.4; Sakai (2006).
    """
    if sample.n < 2 or sample.t == 0 or math.isinf(sample.t):
        p, error, method = (sample.flips_p if sample.is_shift else 1.0), 0.0, "bootstrap: nothing to draw from"
    else:
        p, error, method = bootstrap_p(sample, stream(seed, "bootstrap"), draws)
    return Test("bootstrap", sample.t, p, error, sample.n, method)


# The randomisation test.


MOST_FLIPPED = 32
"""Most queries that differ for which all flips are counted: 2³², by two halves of 2¹⁶ sums."""


def randomisation_p(sample: Sample, rng: np.random.Generator, draws: int) -> tuple[float, float, str]:
    """Return p, its error by simulation, and how it was computed."""
    sizes = np.sort(np.abs(sample.values * sample.weights))
    sizes = sizes[sizes > 0]
    least = abs(sample.mean) * sample.mass - CLOSE * float(sizes.sum())
    if least <= 0:
        return 1.0, 0.0, "randomisation, exact: no mean is nearer to 0"
    if len(sizes) <= MOST_FLIPPED:
        return _exact_flip_share(sizes, least), 0.0, f"randomisation, exact over 2^{len(sizes)} flips"
    flipped = (signed_sums(draw_signs(rng, rows, len(sizes)), sizes[:, None]) for rows in chunks(draws, len(sizes)))
    beyond = sum(int(np.sum(np.abs(sums) >= least)) for sums in flipped)
    p = (beyond + 1) / (draws + 1)
    return p, simulation_error(p, draws), f"randomisation, {draws} flips"


def _exact_flip_share(sizes: Floats, least: float) -> float:
    """Share of all signs for which the sum is at least this far from 0; as many are below as above."""
    # A sum over all queries is one of the left half plus one of the right: 2 × 2^16 sums in the place of 2^32.
    left, right = _signed_sums(sizes[::2]), np.sort(_signed_sums(sizes[1::2]))
    above = int(np.sum(len(right) - np.searchsorted(right, least - left)))
    return above / 2.0 ** (len(sizes) - 1)


def _signed_sums(sizes: Floats) -> Floats:
    sums = np.zeros(1)
    for size in sizes:
        sums = np.concatenate([sums - size, sums + size])
    return sums


# Wilcoxon's signed ranks.


MOST_RANKED = 200
"""Most queries that differ for which the distribution is computed exactly: 200 passes over 40,200 sums of ranks."""


def rank_sums(values: Floats) -> tuple[float, float, Ints]:
    """Return the sums of the ranks of positive and of negative values, and twice each rank.

    Values are ranked by size; equal sizes share their mean rank, and zeros have none.
    """
    moved = values != 0
    _, place, count = np.unique(np.abs(values[moved]), return_inverse=True, return_counts=True)
    last = np.cumsum(count)
    # Twice the mean of the ranks last − count + 1 to last, which is a whole number where the mean may be a half.
    doubled = (2 * last - count + 1)[place]
    above = int(doubled[values[moved] > 0].sum())
    return above / 2, (int(doubled.sum()) - above) / 2, doubled.astype(np.int64)


def wilcoxon_p(smaller: float, doubled: Ints) -> tuple[float, str]:
    """Return the two-sided p-value of the smaller sum of ranks, and how it was computed."""
    over = f"over {plural(len(doubled), 'query')} that differ"
    if not len(doubled):
        return 1.0, f"signed ranks, {over}"
    if len(doubled) <= MOST_RANKED:
        return min(1.0, 2 * _rank_sum_share(round(2 * smaller), doubled)), f"signed ranks, exact, {over}"
    from scipy.special import ndtr

    middle, deviation = float(doubled.sum()) / 4, math.sqrt(float(np.sum(doubled.astype(float) ** 2))) / 4
    return min(1.0, 2 * float(ndtr((smaller - middle) / deviation))), f"signed ranks, normal approximation, {over}"


def _rank_sum_share(bound: int, doubled: Ints) -> float:
    """Share of all sign assignments for which twice the sum of positive ranks is at most the bound."""
    # `share[s]` is the share with a sum of s, one query after the other. Shares, not counts: 2^200 is inexact.
    share = np.zeros(int(doubled.sum()) + 1)
    share[0] = 1.0
    for rank in doubled:
        share *= 0.5
        share[rank:] += share[:-rank].copy()
    return float(share[: bound + 1].sum())


TESTS: dict[str, StatisticalMethod[Test]] = {
    "t": StatisticalMethod(t_test, "paired t test"),
    "wilcoxon": StatisticalMethod(wilcoxon, "Wilcoxon signed-rank test"),
    "sign": StatisticalMethod(sign, "sign test"),
    "randomisation": StatisticalMethod(randomisation, "paired randomisation test"),
    "bootstrap": StatisticalMethod(bootstrap, "paired bootstrap test"),
}
"""Paired tests: each takes a sample, a seed and a number of draws, and returns a `Test`."""
