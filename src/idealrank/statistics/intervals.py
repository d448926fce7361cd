"""Intervals for a mean, or for a mean difference."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Annotated, ClassVar

import numpy as np

from idealrank.arrays import Floats
from idealrank.display.document import Meant
from idealrank.display.schema import OrNull, Share
from idealrank.errors import UsageError, option, refuse_count, unknown
from idealrank.statistics.catalogue import StatisticalMethod
from idealrank.statistics.draws import DRAWS, bootstrap_means, refuse_share, stream
from idealrank.statistics.sample import LEAST_DEGREES, UNBOUNDED, Bounds, Sample, make_sample, student_title

if TYPE_CHECKING:
    from numpy.typing import ArrayLike


@dataclass(frozen=True)
class Interval(Meant):
    """The range of a mean, at a stated level; ``low, high = interval`` unpacks its ends.

    Attributes
    ----------
    low, high
        Its ends, in the unit of the values; −∞ and ∞ if there are too few queries to say anything.
    level
        How often such intervals contain the mean, 0 to 1.
    method
        How it was computed, in words.
    """

    low: Annotated[float, OrNull(), "Lower end; null if too few queries bound it."]
    high: Annotated[float, OrNull(), "Upper end; null if too few queries bound it."]
    level: Annotated[Share, OrNull(), "Its confidence; null if there is no interval."]
    method: Annotated[str, "How it was computed."]

    _instead: ClassVar[dict[str, str]] = {
        **dict.fromkeys(("lower", "lo", "min", "left", "start"), "interval.low"),
        **dict.fromkeys(("upper", "hi", "max", "right", "end"), "interval.high"),
        **dict.fromkeys(("width", "size", "length"), "interval.high - interval.low"),
        **dict.fromkeys(("confidence", "alpha"), "interval.level"),
    }

    def __iter__(self) -> Iterator[float]:
        return iter((self.low, self.high))

    @property
    def negated(self) -> Interval:
        """The interval of the same mean with the other sign."""
        return replace(self, low=-self.high, high=-self.low)

    def within(self, bounds: Bounds) -> Interval:
        """Cut the ends to the possible means; an interval that rules none out says nothing and becomes −∞ to ∞."""
        low, high = bounds
        if self.low <= low and self.high >= high:
            return replace(self, low=-math.inf, high=math.inf)
        return replace(self, low=max(self.low, float(low)), high=min(self.high, float(high)))


def interval(
    name: str,
    x: ArrayLike,
    weights: ArrayLike | None = None,
    level: float = 0.95,
    *,
    seed: int,
    draws: int = DRAWS,
    bounds: Bounds = UNBOUNDED,
) -> Interval:
    """Return an interval for the mean of values, or of differences, of queries.

    One query has the interval from −∞ to ∞, because nothing is known about the spread. So do values that are all the
    same and not 0, if sign flips of so few cannot reach the level; with more of them, the interval has no width. An
    interval ends at the bounds; one that reaches both says nothing and is also −∞ to ∞. ``docs/statistics.md`` shows
    how often each method contains the mean.

    Parameters
    ----------
    name
        ``student_t``, ``percentile``, ``bca`` or ``betting``; see `INTERVALS`.
    x
        (n,) Value, or difference, of each query, no NaN.
    weights
        (n,) Weight of each query, 0 or more; None: all count the same.
    level
        Level of the interval, 0 to 1.
    seed
        Random seed of ``percentile`` and ``bca``.
    draws
        Number of resamples.
    bounds
        The lowest and the highest possible value: 0 and 1 for nDCG, −1 and 1 for its differences.

    Raises
    ------
    UsageError
        If there is no such interval, betting has no bounds, the level is not between 0 and 1, or seed or draws are not
        whole numbers.
    DataError
        If there is no query, a NaN, or a negative weight.

    Examples
    --------
    >>> found = interval("student_t", [0.1, 0.3, 0.2, -0.1], seed=7)
    >>> round(found.low, 4), round(found.high, 4), found.method
    (-0.1468, 0.3968, 'Student t, 3 degrees of freedom')
    """
    if name not in INTERVALS:
        raise unknown("interval", name, INTERVALS)
    refuse_share("level", level)
    refuse_count("draws", draws)
    sample = make_sample(x, weights, bounds)
    if sample.n < 2:
        return Interval(-math.inf, math.inf, level, "one query: any mean")
    if sample.effective - 1 <= LEAST_DEGREES:
        return Interval(-math.inf, math.inf, level, "nearly all weight on one query: any mean")
    if sample.is_shift and sample.flips_p > 1 - level:
        return Interval(-math.inf, math.inf, level, "too few queries, all the same: any mean")
    return INTERVALS[name](sample, level, seed, draws).within(sample.bounds)


def student_t(sample: Sample, level: float, seed: int, draws: int) -> Interval:
    """Mean ± t · standard error, t with n − 1 degrees of freedom (`Sample.degrees`).

    Assumes that the mean is about normal. With weights, the standard error is that of a ratio (see
    `Sample.error`). Source: Student (1908).
    """
    from scipy.special import stdtrit

    half = float(stdtrit(sample.degrees, (1 + level) / 2)) * sample.error if sample.error else 0.0
    return Interval(sample.mean - half, sample.mean + half, level, student_title(sample))


def percentile(sample: Sample, level: float, seed: int, draws: int) -> Interval:
    """Quantiles of the means of queries drawn with replacement.

    Assumes that these means vary around the mean as it varies around the true one. With few queries it is too short.
    Source: Efron (1979); Efron & Tibshirani (1993), chapter 13.
    """
    means = bootstrap_means(sample, draws, stream(seed, "bootstrap means"))
    low, high = np.quantile(means, [(1 - level) / 2, (1 + level) / 2])
    return Interval(float(low), float(high), level, f"percentile bootstrap, {draws} draws")


def bca(sample: Sample, level: float, seed: int, draws: int) -> Interval:
    """Quantiles of the same means, adjusted for bias and for a spread that changes with the mean.

    Second-order correct, but with few queries as short as the percentile interval. The acceleration is that of the
    jackknife. Source: Efron (1987); Efron & Tibshirani (1993), formulas 14.9 to 14.15.
    """
    from scipy.special import ndtr, ndtri

    means = bootstrap_means(sample, draws, stream(seed, "bootstrap means"))
    # Means equal to that of the sample count half: differences of rank measures are often equal.
    below = (np.mean(means < sample.mean) + np.mean(means <= sample.mean)) / 2
    bias, by = float(ndtri(np.clip(below, 0.5 / draws, 1 - 0.5 / draws))), _acceleration(sample)
    ends = bias + ndtri(np.array([(1 - level) / 2, (1 + level) / 2]))
    low, high = np.quantile(means, ndtr(bias + ends / (1 - by * ends)))
    return Interval(float(low), float(high), level, f"BCa bootstrap, {draws} draws")


def _acceleration(sample: Sample) -> float:
    """A sixth of the skewness of the leave-one-out means."""
    w, total = sample.weights, sample.mean * sample.mass
    without: Floats = (total - w * sample.values) / (sample.mass - w)
    deviations = without.mean() - without
    spread = float(np.sum(deviations**2))
    return 0.0 if sample.is_constant or not spread else float(np.sum(deviations**3)) / (6 * spread**1.5)


def betting(sample: Sample, level: float, seed: int, draws: int) -> Interval:
    """The means that bets against them do not refute: valid for any number of queries and any distribution.

    Needs bounds of the values, and is wider than Student's t: about 1.6 times at 100 queries, 3 times at 25. Two dozen
    bettors stake constant shares of what they own (a mixture, so the order of the queries does not matter); each end
    has half of the error rate. With weights, the largest weight seen counts as the largest possible. Sources:
    Waudby-Smith and Ramdas (2023), Estimating means of bounded random variables by betting, Journal of the Royal
    Statistical Society B 86; Orabona and Jun (2023) for the mixture of constant bets.
    """
    if not all(math.isfinite(end) for end in sample.bounds):
        way = f"Choose another {option('interval')}, such as student_t."
        raise UsageError(f"{option('interval', 'betting')}: betting needs bounds, and these values have none. {way}")
    low, high = betting_ends(sample, *sample.bounds, level)
    return Interval(low, high, level, "betting, assuming only the bounds")


# Betting.


STAKES: Floats = np.geomspace(0.01, 0.99, 24)
"""Shares of the largest bet that cannot lose everything; each bettor always bets one of them."""

HALVINGS = 50
"""Halvings of the range of possible means: float64 has 52 binary digits."""


def lowest_mean(values: Floats, weights: Floats, least: float, alpha: float) -> float:
    """Return the smallest mean that the bets against it do not refute.

    A bettor stakes the same share on every value being above m. If the mean is m, the expected total that the bettors
    own is 1, so it exceeds 1 / alpha with a probability of at most alpha, for every distribution.

    Parameters
    ----------
    values, weights
        (n,) values from `least` up, and their weights.
    alpha
        How often the true mean may be below the returned value.
    """
    low, high = least, float(np.average(values, weights=weights))
    share = weights / weights.max()
    for _ in range(HALVINGS):
        middle = (low + high) / 2
        low, high = (low, middle) if _capital(values, share, least, middle) < 1 / alpha else (middle, high)
    return low


def _capital(values: Floats, share: Floats, least: float, mean: float) -> float:
    """Return how much the bettors own on average after all values, if each began with 1."""
    if mean <= least:
        return np.inf
    moves = share * (values - mean) / (mean - least)
    with np.errstate(over="ignore"):
        # The product of 1 + stake × move over all values, by logarithms: thousands of factors may leave float64.
        return float(np.exp(np.log1p(np.multiply.outer(STAKES, moves)).sum(axis=1)).mean())


def betting_ends(sample: Sample, lowest: float, highest: float, level: float) -> tuple[float, float]:
    """Return both ends of the interval of a mean, for values between two bounds."""
    alpha = (1 - level) / 2
    low = lowest_mean(sample.values, sample.weights, lowest, alpha)
    return low, -lowest_mean(-sample.values, sample.weights, -highest, alpha)


INTERVALS: dict[str, StatisticalMethod[Interval]] = {
    "student_t": StatisticalMethod(student_t, "Student's t"),
    "percentile": StatisticalMethod(percentile, "percentile bootstrap"),
    "bca": StatisticalMethod(bca, "BCa bootstrap"),
    "betting": StatisticalMethod(betting, "betting (Waudby-Smith and Ramdas 2023)"),
}
"""Intervals: each takes a sample, a level, a seed and a number of draws, and returns an `Interval`."""
