"""Paired tests: how likely the differences of the queries are if the systems do not differ."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from idealrank.errors import plural, refuse_count, unknown
from idealrank.statistics.bootstrap import bootstrap_p
from idealrank.statistics.catalogue import TESTS
from idealrank.statistics.draws import DRAWS, stream
from idealrank.statistics.randomisation import randomisation_p
from idealrank.statistics.sample import Sample, sampled, student
from idealrank.statistics.wilcoxon import rank_sums, wilcoxon_p

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
    test: Test = TESTS[name](sampled(d, weights), seed, draws)
    return test


def t_test(sample: Sample, seed: int, draws: int) -> Test:
    """Mean difference over its standard error, against Student's t with n − 1 degrees of freedom (`Sample.degrees`).

    Assumes that the mean of the differences is about normal; skewed differences need more queries.
    With weights, the standard error is that of a ratio (see `Sample.error`). Source: Student (1908).
    """
    from scipy.special import stdtr

    if sample.is_shift:
        return Test("t", sample.t, sample.flips_p, 0.0, sample.n, "all the same: sign flips, exact")
    p = 2 * float(stdtr(sample.degrees, -abs(sample.t))) if sample.n > 1 else 1.0
    return Test("t", sample.t, p, 0.0, sample.n, student(sample))


def wilcoxon(sample: Sample, seed: int, draws: int) -> Test:
    """Signed ranks of the differences (Wilcoxon 1945): queries that do not differ are left out.

    Assumes that differences are symmetric around 0 if the systems are equal: it tests the middle, not the mean.
    Equal sizes share their mean rank. Exact, including ties, up to 200 queries that differ; beyond that, the normal
    approximation with the variance of the actual ranks.
    """
    above, below, doubled = rank_sums(sample.levelled)
    p, method = wilcoxon_p(min(above, below), doubled)
    return Test("wilcoxon", min(above, below), p, 0.0, len(doubled), method + (ONCE if sample.weighted else ""))


def sign(sample: Sample, seed: int, draws: int) -> Test:
    """Wins against losses, exact by the binomial distribution; queries that do not differ are left out.

    Assumes nothing about the sizes, and ignores them. Source: Dixon & Mood (1946).
    """
    from scipy.special import bdtr

    wins, losses = int(np.sum(sample.levelled > 0)), int(np.sum(sample.levelled < 0))
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
