"""Corrections for multiple testing: of p-values from any tests, and of everything compared."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from idealrank.arrays import Floats
from idealrank.errors import DataError
from idealrank.statistics.all_pairs import randomised_tukey
from idealrank.statistics.catalogue import StatisticalMethod
from idealrank.statistics.draws import Progress
from idealrank.statistics.intervals import Interval, interval
from idealrank.statistics.max_t import max_t
from idealrank.statistics.paired_tests import paired_test
from idealrank.statistics.sample import make_sample, student_title

if TYPE_CHECKING:
    from numpy.typing import ArrayLike


def holm(p: ArrayLike) -> Floats:
    """Adjust p-values so that the probability of any false rejection stays below the level (Holm 1979).

    The smallest is multiplied by the number of tests, the next by one less, and so on; none becomes smaller than the
    one before it. Valid for any dependence between the tests.

    Parameters
    ----------
    p
        p-values, an array of any shape; NaN is not counted as a test and stays NaN.

    Returns
    -------
    Adjusted p-values, same shape.

    Raises
    ------
    DataError
        If a p-value is outside 0 to 1.

    Examples
    --------
    >>> holm([0.01, 0.04, 0.03]).tolist()
    [0.03, 0.06, 0.06]
    """
    values, order, ranks = _sort_p_values(p)
    adjusted = np.maximum.accumulate(values[order] * (len(order) - ranks + 1))
    return _restore_order(p, order, adjusted)


def benjamini_hochberg(p: ArrayLike) -> Floats:
    """Adjust p-values so that the expected share of false rejections among all rejections stays below the level.

    Valid for independent or positively dependent tests (Benjamini & Hochberg 1995; Benjamini & Yekutieli 2001).

    Arguments, return value and errors are those of `holm`.

    Examples
    --------
    >>> benjamini_hochberg([0.01, 0.04, 0.03]).tolist()
    [0.03, 0.04, 0.04]
    """
    values, order, ranks = _sort_p_values(p)
    adjusted = np.minimum.accumulate((values[order] * (len(order) / ranks))[::-1])[::-1]
    return _restore_order(p, order, adjusted)


def _sort_p_values(p: ArrayLike) -> tuple[Floats, np.ndarray, np.ndarray]:
    """Return all p-values as one row, the places of the tests from the smallest p up, and their ranks from 1 up."""
    values = np.asarray(p, dtype=np.float64).ravel()
    tests = np.flatnonzero(~np.isnan(values))
    if np.any((values[tests] < 0) | (values[tests] > 1)):
        raise DataError("p-values: one is outside 0 to 1. Give p-values as tests return them.")
    order = tests[np.argsort(values[tests], kind="stable")]
    return values, order, np.arange(1, len(order) + 1)


def _restore_order(p: ArrayLike, order: np.ndarray, adjusted: Floats) -> Floats:
    whole = np.full(np.size(p), np.nan)
    whole[order] = np.minimum(adjusted, 1.0)
    return whole.reshape(np.shape(p))


@dataclass(frozen=True, eq=False)
class Hypotheses:
    """H mean differences, each of two systems under one measure, that are corrected together.

    Attributes
    ----------
    keys
        (H,) the places of both systems, and of the measure.
    means
        (H,) the mean differences.
    p
        (H,) uncorrected p of each; NaN if it was not tested.
    intervals
        Returns the uncorrected interval of each, at a level.
    differences
        Returns (H, Q) differences of the queries, NaN if a query is not paired, and (Q,) their weights.
    complete
        Returns (S, n) values of a measure for the queries that every system has a value for, and (n,) their weights.
    """

    keys: Sequence[tuple[tuple[int, int], int]]
    means: Sequence[float]
    p: Floats
    intervals: Callable[[float], list[Interval]]
    differences: Callable[[], tuple[Floats, Floats | None]]
    complete: Callable[[int], tuple[Floats, Floats | None]]


class Corrected(NamedTuple):
    """The corrected p of a hypothesis, and its interval."""

    p: float
    interval: Interval


def by_max_t(hypotheses: Hypotheses, level: float, draws: int, seed: int, progress: Progress | None) -> list[Corrected]:
    """Correct by the largest |t| of all hypotheses: see `max_t`. One alone needs no correction: Student's t.

    Flips of the signs of few or tied differences give few values of t, and their 95 % point can be far above Student's
    without making a wrong rejection rarer. Where no flips of so few queries could reach the level, one alone says
    nothing, either.
    """
    if len(hypotheses.means) == 1:
        return [_correct_single(*hypotheses.differences(), level)]
    together = max_t(*hypotheses.differences(), draws=draws, seed=seed, level=level, progress=progress)
    ends = zip(together.low.tolist(), together.high.tolist(), strict=True)
    return _join_corrected(together.p, [Interval(low, high, level, together.method) for low, high in ends])


def _correct_single(differences: Floats, weights: Floats | None, level: float) -> Corrected:
    """Return p and interval of Student's t of a single hypothesis."""
    paired = ~np.isnan(differences[0])
    d, each = differences[0][paired], None if weights is None else weights[paired]
    sample, unknown = make_sample(d, each), Interval(-math.inf, math.inf, level, "too few queries: any mean")
    if sample.is_constant and sample.mean == 0:
        return Corrected(1.0, Interval(0.0, 0.0, level, student_title(sample)))
    p = paired_test("t", d, each, seed=0).p
    # All the same: no spread to estimate, so only the number of queries says anything (`Sample.flips_p`).
    if sample.flips_p > 1 - level:
        return Corrected(max(p, sample.flips_p), unknown)
    return Corrected(p, interval("student_t", d, each, level, seed=0))


def by_tukey(hypotheses: Hypotheses, level: float, draws: int, seed: int, progress: Progress | None) -> list[Corrected]:
    """Correct by the largest difference of all systems, separately for each measure: see `randomised_tukey`."""
    by_measure = {
        m: randomised_tukey(*hypotheses.complete(m), draws=draws, seed=seed, level=level, progress=progress)
        for m in dict.fromkeys(m for _, m in hypotheses.keys)
    }
    corrected = []
    for (pair, m), mean in zip(hypotheses.keys, hypotheses.means, strict=True):
        tukey, half = by_measure[m], by_measure[m].half_width
        corrected.append(Corrected(float(tukey.p[pair]), Interval(mean - half, mean + half, level, tukey.method)))
    return corrected


def by_holm(hypotheses: Hypotheses, level: float, draws: int, seed: int, progress: Progress | None) -> list[Corrected]:
    """Correct p by `holm`, and intervals by Bonferroni."""
    alpha = (1 - level) / max(_count_tests(hypotheses), 1)
    return _join_corrected(holm(hypotheses.p), hypotheses.intervals(1 - alpha))


def by_false_discovery(
    hypotheses: Hypotheses, level: float, draws: int, seed: int, progress: Progress | None
) -> list[Corrected]:
    """Correct p by `benjamini_hochberg`; intervals of rejected hypotheses miss at the false discovery rate.

    Source of the intervals: Benjamini and Yekutieli (2005).
    """
    adjusted = benjamini_hochberg(hypotheses.p)
    rejected = int((adjusted <= 1 - level).sum())
    alpha = (1 - level) * max(rejected, 1) / max(_count_tests(hypotheses), 1)
    return _join_corrected(adjusted, hypotheses.intervals(1 - alpha))


def uncorrected(
    hypotheses: Hypotheses, level: float, draws: int, seed: int, progress: Progress | None
) -> list[Corrected]:
    """Return the uncorrected p and interval of each."""
    return _join_corrected(hypotheses.p, hypotheses.intervals(level))


def _count_tests(hypotheses: Hypotheses) -> int:
    return int((~np.isnan(hypotheses.p)).sum())


def _join_corrected(p: Floats, intervals: Sequence[Interval]) -> list[Corrected]:
    return [Corrected(*each) for each in zip(p.tolist(), intervals, strict=True)]


CORRECTIONS: dict[str, StatisticalMethod[list[Corrected]]] = {
    "max_t": StatisticalMethod(
        by_max_t,
        "step-down max-|t| over sign flips (Westfall and Young 1993), over all systems; one pair by Student's t",
        "test of the t statistic by sign flips, of one pair by Student's distribution",
        of_p="max-|t|, step-down",
        of_intervals="max-|t|, single-step",
    ),
    "tukey": StatisticalMethod(
        by_tukey,
        "randomised Tukey HSD over all pairs of systems (Carterette 2012)",
        "permutation test of the largest difference",
        of_p="randomised Tukey HSD",
        of_intervals="randomised Tukey HSD",
    ),
    "holm": StatisticalMethod(
        by_holm,
        "Holm 1979 over all systems; intervals by Bonferroni",
        of_p="Holm, step-down",
        of_intervals="Bonferroni",
    ),
    "bh": StatisticalMethod(
        by_false_discovery,
        "false discovery rate over all systems (Benjamini and Hochberg 1995); intervals at that rate",
        of_p="Benjamini and Hochberg",
        of_intervals="false coverage rate of Benjamini and Yekutieli",
    ),
    "none": StatisticalMethod(uncorrected, "none", of_p="none", of_intervals="none"),
}
"""Corrections: each takes `Hypotheses`, a level, draws, a seed and a progress, and returns a `Corrected` for each."""
