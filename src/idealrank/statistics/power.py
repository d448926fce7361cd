"""What a comparison can detect: the smallest difference for a number of queries, and the queries a difference needs."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from idealrank.errors import UsageError, refuse_count
from idealrank.statistics.draws import refuse_share
from idealrank.statistics.sample import make_sample

if TYPE_CHECKING:
    from numpy.typing import ArrayLike

HALVINGS = 60
"""Halvings of the range of differences: more than float64 has binary digits."""

BILLION = 1_000_000_000
"""Nobody judges so many queries: beyond it the number needed is said to be infinite."""


def detectable(sd: float, n: int, alpha: float = 0.05, power: float = 0.8) -> float:
    """Return the smallest true difference that the paired t test finds with the given probability.

    Assumes that differences are about normal with this standard deviation.

    Parameters
    ----------
    sd
        Standard deviation of the differences of queries.
    n
        Number of queries.
    alpha
        Level of the two-sided test; with several comparisons the corrected one.
    power
        Probability of finding the difference.

    Returns
    -------
    The difference, in the unit of `sd`; infinite for one query, 0 if differences have no spread.

    Raises
    ------
    UsageError
        If sd is negative or not a number, n below 1, or alpha or power not between 0 and 1.

    References
    ----------
    Cohen (1988), chapter 2; Sakai (2016), Topic set size design. The power is that of the noncentral t.

    Examples
    --------
    >>> round(detectable(0.2, 50), 4)
    0.0808
    """
    _refuse_arguments(sd, alpha, power)
    refuse_count("n", n, "a number of queries")
    if n < 2:
        return math.inf
    low, high = 0.0, 1.0
    while power_of_t(high, n, alpha) < power:
        high *= 2
    for _ in range(HALVINGS):
        middle = (low + high) / 2
        low, high = (middle, high) if power_of_t(middle, n, alpha) < power else (low, middle)
    return high * sd


def queries_needed(difference: float, sd: float, alpha: float = 0.05, power: float = 0.8) -> float:
    """Return how many queries the paired t test needs to find a true difference with the given probability.

    Assumes that further queries differ like the ones so far.

    Parameters
    ----------
    difference
        The true difference, of either sign, in the unit of `sd`.
    sd
        Standard deviation of the differences of queries.
    alpha
        Level of the two-sided test; with several comparisons the corrected one.
    power
        Probability of finding the difference.

    Returns
    -------
    The smallest whole number from 2 up, infinite for a difference of 0.

    Raises
    ------
    UsageError
        If sd is negative or not a number, or alpha or power not between 0 and 1.

    References
    ----------
    As `detectable`.

    Examples
    --------
    >>> queries_needed(0.02, sd=0.2)
    787
    """
    _refuse_arguments(sd, alpha, power)
    if difference == 0:
        return math.inf
    if sd == 0:
        return 2
    from scipy.special import ndtri

    size = abs(difference) / sd
    # The normal test needs fewer queries than the t test, by one or two at a small alpha: a start just below.
    n = max(2, math.floor(((ndtri(1 - alpha / 2) + ndtri(power)) / size) ** 2) - 1)
    while power_of_t(size, n, alpha) < power:
        n += 1
    return int(n)


def queries_to_settle(
    difference: float,
    sd: float,
    n: int,
    alpha: float = 0.05,
    power: float = 0.8,
    *,
    true: float,
    same: tuple[float, float] = (0.0, 0.0),
    same_from: float = 0,
) -> float:
    """Return how many queries in total settle a comparison of n queries with probability `power`, at a true difference.

    The n queries are among them, with the difference they have shown, so the mean of all N queries is about normal
    around (n · difference + (N − n) · true) / N, with the standard deviation sd · √(N − n) / N. The comparison is
    settled, either way, if that mean is at least t · sd / √N from 0; and as about the same, if it is at least as far
    inside `same`.

    Parameters
    ----------
    difference
        Observed so far, minus the bar it is compared with.
    sd
        Standard deviation of the differences of queries.
    n
        Queries so far.
    alpha, power
        As for `detectable`.
    true
        The true difference, minus the bar.
    same
        The lowest and the highest difference that count as the same, minus the bar.
    same_from
        Queries in total below which nothing is called the same.

    Returns
    -------
    A whole number above n, infinite if a billion would not be enough.

    References
    ----------
    Conditional power: Lachin (2005), A review of methods for futility stopping based on conditional power, Statistics
    in Medicine 24.

    Examples
    --------
    >>> queries_to_settle(0.0411, 0.26, 41, true=0.0411), queries_needed(0.0411, 0.26)
    (303, 317)
    >>> queries_to_settle(0.002, 0.26, 200, true=0.0, same=(-0.02, 0.02))
    1594
    """
    _refuse_arguments(sd, alpha, power)
    refuse_count("n", n, "a number of queries")
    if sd == 0:
        return n + 1

    def is_settled(total: int) -> bool:
        ends = (same[0] / sd, same[1] / sd) if total >= same_from else (0.0, 0.0)
        centre = (n * difference + (total - n) * true) / total / sd
        return _settle_probability(total, centre, math.sqrt(total - n) / total, alpha, ends) >= power

    low, high = n, 2 * n + 1
    while not is_settled(high):
        low, high = high, 2 * high
        if high > BILLION:
            return math.inf
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if is_settled(middle) else (middle, high)
    return high


def _settle_probability(total: int, centre: float, spread: float, alpha: float, same: tuple[float, float]) -> float:
    """Return how likely the mean of all queries is far enough from 0, or inside `same`, in standard deviations."""
    from scipy.special import stdtrit

    bound = float(stdtrit(total - 1, 1 - alpha / 2)) / math.sqrt(total)
    inside = max(same[0] + bound, -bound), min(same[1] - bound, bound)
    return 1 - _normal_probability(-bound, bound, centre, spread) + _normal_probability(*inside, centre, spread)


def _normal_probability(low: float, high: float, centre: float, spread: float) -> float:
    """Return how likely a normal number is between two others; 0 if the first is not below the second."""
    from scipy.special import ndtr

    if not spread or low >= high:
        return float(low < centre < high)
    return float(ndtr((high - centre) / spread) - ndtr((low - centre) / spread))


def power_of_t(size: float, n: int, alpha: float) -> float:
    """Return the probability that the two-sided paired t test finds a difference of `size` standard deviations."""
    from scipy.special import nctdtr, stdtrit

    bound, centre = float(stdtrit(n - 1, 1 - alpha / 2)), size * math.sqrt(n)
    wrong_side = float(nctdtr(n - 1, centre, -bound))  # NaN in scipy if it is below 1e-14
    return float(1 - nctdtr(n - 1, centre, bound)) + (0.0 if math.isnan(wrong_side) else wrong_side)


def _refuse_arguments(sd: float, alpha: float, power: float) -> None:
    refuse_share("alpha", alpha)
    refuse_share("power", power)
    if not 0 <= sd < math.inf:
        raise UsageError(f"sd={sd!r}: a standard deviation must be a number, 0 or more.")


# The size of an effect.


def effect_size(d: ArrayLike, weights: ArrayLike | None = None) -> float:
    """Return the mean difference in standard deviations of the differences, Cohen's d of paired values.

    It does not grow with the number of queries: t is √n times as large. Cohen calls 0.2 small, 0.5 medium and
    0.8 large. With weights, mean and standard deviation are weighted (see `Sample.deviation`).

    Parameters
    ----------
    d
        (n,) Difference of each query, no NaN.
    weights
        (n,) Weight of each query, 0 or more; None: all count the same.

    Returns
    -------
    A number of standard deviations: 0 for identical systems, ±∞ if all differences are the same and not 0, NaN for
    one query.

    Raises
    ------
    DataError
        If there is no query, a NaN, or a negative weight.

    References
    ----------
    Cohen (1988), Statistical Power Analysis, section 2.3.5 (d_z); Sakai (2018), Laboratory Experiments in
    Information Retrieval.

    Examples
    --------
    >>> round(effect_size([0.1, 0.3, 0.2, -0.1]), 4)
    0.7319
    """
    sample = make_sample(d, weights)
    if sample.n < 2:
        return math.nan
    if sample.deviation == 0:
        return 0.0 if sample.mean == 0 else math.copysign(math.inf, sample.mean)
    return sample.mean / sample.deviation
