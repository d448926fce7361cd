"""A cheap judge calibrated on people: the mean difference of all queries, from people on some and a judge on all.

Prediction-powered inference for a mean: Angelopoulos, Bates, Fannjiang, Jordan and Zrnic (2023), Science 382, 669–674;
with a tuned weight: Angelopoulos, Duchi and Zrnic (2023), PPI++. The unit is the query: nDCG of a query with some of
its documents judged by people is biased whatever is done about it. Student's t with n − 2 degrees of freedom is used
in place of the normal distribution, which covers 92 % at 20 queries; with strata, degrees by Satterthwaite.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from idealrank.arrays import Floats, Ints, Mask
from idealrank.errors import DataError


class SampledDifferences(NamedTuple):
    """Differences of a measure between two systems, a query each.

    Attributes
    ----------
    judge
        (N,) under the judge's grades, for all queries; each measure with the ideal of these grades.
    people
        (N,) under people's grades; NaN outside the sample.
    sampled
        (N,) which queries were drawn.
    stratum
        (N,) the number of the stratum each was drawn from, from 0 up.
    unchanged
        (N,) queries in which both systems return the same top of the list: they differ by exactly 0, and need nobody.
    """

    judge: Floats
    people: Floats
    sampled: Mask
    stratum: Ints
    unchanged: Mask


class CalibratedMean(NamedTuple):
    """An estimate of the mean difference.

    Attributes
    ----------
    mean
        The estimate.
    error
        Its standard error.
    degrees
        Degrees of freedom of Student's t.
    low, high
        The interval.
    """

    mean: float
    error: float
    degrees: float
    low: float
    high: float


class Calibration(NamedTuple):
    """People alone, the judge alone, and the judge calibrated on people.

    Attributes
    ----------
    people, judge, calibrated
        The three estimates. That of the judge is its mean over all queries and has no claim to the people's.
    weight
        How much of the judge's difference is taken: cov / var in the sample, from 0 to 1.
    correlation
        Of the two differences of a query, over sampled queries that changed.
    n, queries
        Number of sampled queries, and of all.
    changed
        Number of queries in which the top of the lists differs.
    differing
        Number of sampled queries whose difference under people is not 0.
    saved
        Share of the people's queries that the judge saves: 1 − (width calibrated / people alone)², at least 0.
    skewness
        Of y − λ f within the strata: of what the calibrated mean is uncertain by.
    """

    people: CalibratedMean
    judge: CalibratedMean
    calibrated: CalibratedMean
    weight: float
    correlation: float
    n: int
    queries: int
    changed: int
    differing: int
    saved: float
    skewness: float


TARGETS = ("these", "alike")
"""Whether the mean is that of these queries alone, or of queries like these, of which these are a sample."""


def calibrate(found: SampledDifferences, target: str = "alike", level: float = 0.95) -> Calibration:
    """Estimate the mean difference of all queries.

    In stratum h of W_h N queries, n_h of them sampled, with y the people's difference and f the judge's:
    estimate Σ W_h (ȳ_h − λ (f̄_h sampled − f̄_h all)); variance Σ W_h² s²_h (1/n_h − 1/N_h), s² of y − λ f; for queries
    like these also s²_y / N. λ = cov(y, f) / var(f), one for all strata, clipped to 0 … 1. Unchanged queries are a
    stratum of their own, known to be 0.

    Raises
    ------
    DataError
        If a stratum with several queries has fewer than two sampled ones.
    """
    strata = _strata(found)
    weight = _tuned_weight(strata)
    calibrated = _estimate(strata, weight, target, level, len(found.judge))
    people = _estimate(strata, 0.0, target, level, len(found.judge))
    drawn = found.sampled & ~found.unchanged
    y, f = found.people[drawn], found.judge[drawn]
    spread = float(np.std(y) * np.std(f))
    correlation = float(np.mean((y - y.mean()) * (f - f.mean())) / spread) if spread else math.nan
    saved = 1 - (calibrated.error / people.error) ** 2 if people.error else 0.0
    return Calibration(
        people,
        _judge_alone(np.where(found.unchanged, 0.0, found.judge), level),
        calibrated,
        weight,
        correlation,
        int(drawn.sum()),
        len(found.judge),
        int((~found.unchanged).sum()),
        int((y != 0).sum()),
        max(saved, 0.0),
        _skewness(np.concatenate([left - left.mean() for left in (one.y - weight * one.f for one in strata)])),
    )


def _skewness(values: Floats) -> float:
    deviation = float(values.std())
    return float(np.mean(values**3)) / deviation**3 if deviation > 0 else 0.0


class _Stratum(NamedTuple):
    size: int
    y: Floats
    f: Floats
    all_f: Floats


def _strata(found: SampledDifferences) -> list[_Stratum]:
    """Return the strata of changed queries."""
    strata = []
    for place in np.unique(found.stratum[~found.unchanged]):
        inside = (found.stratum == place) & ~found.unchanged
        drawn = inside & found.sampled
        n, size = int(drawn.sum()), int(inside.sum())
        if n < min(2, size):
            raise DataError(
                f"A stratum of {size} queries that changed has {n} sampled: 2 are needed to know its spread. Sample "
                "more, or join strata."
            )
        strata.append(_Stratum(size, found.people[drawn], found.judge[drawn], found.judge[inside]))
    return strata


def _tuned_weight(strata: list[_Stratum]) -> float:
    """Return the weight of least variance, from 0 to 1."""
    above = below = 0.0
    for one in strata:
        n = len(one.y)
        if n > 1:
            share = one.size**2 * (1 / n - 1 / one.size) / (n - 1)
            away = one.f - one.f.mean()
            above += share * float(np.sum((one.y - one.y.mean()) * away))
            below += share * float(np.sum(away**2))
    return min(max(above / below, 0.0), 1.0) if below > 0 else 0.0


def _estimate(strata: list[_Stratum], weight: float, target: str, level: float, queries: int) -> CalibratedMean:
    n = sum(len(one.y) for one in strata)
    total = second = 0.0
    parts: list[tuple[float, int]] = []
    for one in strata:
        share, sampled = one.size / queries, len(one.y)
        total += share * (one.y.mean() - weight * (one.f.mean() - one.all_f.mean()))
        left = one.y - weight * one.f
        spread = float(np.sum((left - left.mean()) ** 2)) / (sampled - 1) if sampled > 1 else 0.0
        parts.append((share**2 * spread * (1 / sampled - 1 / one.size), sampled))
        second += share * float(np.mean(one.y**2))
    variance = sum(part for part, _ in parts)
    degrees = _degrees(parts, weight)
    pooled = n - len(strata)
    variance *= pooled / (pooled - bool(weight)) if pooled > 1 else 1.0
    if target == "alike":
        variance += max(second - total**2, 0.0) / (queries - 1)
    return _student(total, math.sqrt(variance), degrees, level)


def _degrees(parts: list[tuple[float, int]], weight: float) -> float:
    """Return the degrees of freedom of a sum of variances, each of a stratum of so many sampled queries.

    Satterthwaite (1946), Biometrics Bulletin 2, 110–114: a stratum of two queries that varies most leaves hardly more
    than one, however many there are in the others. A weight that was estimated costs one more, as a slope does.
    """
    below = sum(part**2 / (sampled - 1) for part, sampled in parts if sampled > 1)
    whole = sum(part for part, _ in parts) ** 2 / below if below else sum(sampled - 1 for _, sampled in parts)
    return max(whole - bool(weight), 1.0) if whole >= 1 else whole


def _judge_alone(f: Floats, level: float) -> CalibratedMean:
    return _student(float(f.mean()), float(f.std(ddof=1)) / math.sqrt(len(f)), len(f) - 1, level)


def _student(mean: float, error: float, degrees: float, level: float) -> CalibratedMean:
    if not error:
        return CalibratedMean(mean, 0.0, degrees, mean, mean)
    if degrees < 1:
        return CalibratedMean(mean, error, degrees, -math.inf, math.inf)
    from scipy.special import stdtrit

    half = float(stdtrit(degrees, (1 + level) / 2)) * error
    return CalibratedMean(mean, error, degrees, mean - half, mean + half)


def queries_for(found: SampledDifferences, half: float, target: str = "alike", level: float = 0.95) -> int | None:
    """Return how many changed queries people must judge for an interval of ± half; None if all are not enough.

    The spread is that of the sample, and every stratum grows alike.
    """
    from scipy.special import stdtrit

    strata, queries = _strata(found), len(found.judge)
    weight = _tuned_weight(strata)
    changed = sum(one.size for one in strata)
    sampled = sum(len(one.y) for one in strata)
    total = sum(one.size / queries * (one.y.mean() - weight * (one.f.mean() - one.all_f.mean())) for one in strata)
    second = sum(one.size / queries * float(np.mean(one.y**2)) for one in strata)
    beyond = max(second - total**2, 0.0) / (queries - 1) if target == "alike" else 0.0
    spreads = [float(np.var(one.y - weight * one.f, ddof=1)) if len(one.y) > 1 else 0.0 for one in strata]

    def reached(n: int) -> bool:
        if n - len(strata) - 1 < 1:
            return False
        parts = []
        for one, spread in zip(strata, spreads, strict=True):
            many = min(max(n * len(one.y) / sampled, 1.0), float(one.size))
            parts.append(((one.size / queries) ** 2 * spread * (1 / many - 1 / one.size), max(round(many), 2)))
        degrees = _degrees(parts, weight)
        variance = beyond + sum(part for part, _ in parts)
        return float(stdtrit(degrees, (1 + level) / 2)) * math.sqrt(variance) <= half

    if not reached(changed):
        return None
    low, high = len(strata) + 1, changed
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if reached(middle) else (middle, high)
    return high
