"""Values or differences of queries with their weights, and the numbers that every method needs."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from idealrank.arrays import EQUAL, Floats, exact_sum, scaled
from idealrank.errors import DataError, plural

if TYPE_CHECKING:
    from numpy.typing import ArrayLike

Bounds = tuple[float, float]
"""The lowest and the highest possible value."""

UNBOUNDED: Bounds = (-math.inf, math.inf)

LEAST_DEGREES = 0.1
"""Fewest degrees of freedom: if weights leave fewer, almost all weight is on one query."""


@dataclass(frozen=True, eq=False)
class Sample:
    """One number per query; what follows from them does not depend on their order.

    Attributes
    ----------
    given
        (n,) The number of each query with a weight above 0, in the order in which they were given.
    given_weights
        (n,) Its weight; None: every query counts the same.
    bounds
        The lowest and the highest possible value; no value is beyond them.
    """

    given: Floats
    given_weights: Floats | None = None
    bounds: Bounds = UNBOUNDED

    @property
    def weighted(self) -> bool:
        """Whether weights were given."""
        return self.given_weights is not None

    @property
    def n(self) -> int:
        """The number of queries."""
        return len(self.given)

    @property
    def values(self) -> Floats:
        """(n,) The numbers in an order that depends only on them and their weights."""
        return self._in_order[0]

    @property
    def weights(self) -> Floats:
        """(n,) The weight of each of `values`."""
        return self._in_order[1]

    @cached_property
    def _in_order(self) -> tuple[Floats, Floats]:
        # Only when asked for: sums are exact in any order, and most samples are only summed up.
        if self.given_weights is None:
            return np.sort(self.given), np.ones(self.n)
        order = np.lexsort((self.given_weights, self.given))
        return self.given[order], self.given_weights[order]

    def _weigh(self, numbers: Floats) -> Floats:
        return numbers if self.given_weights is None else self.given_weights * numbers

    @cached_property
    def mass(self) -> float:
        """The sum of the weights."""
        return float(self.n) if self.given_weights is None else exact_sum(self.given_weights)

    @cached_property
    def mean(self) -> float:
        """The (weighted) mean."""
        return exact_sum(self._weigh(self.given)) / self.mass

    @cached_property
    def is_constant(self) -> bool:
        """Whether all values are equal, apart from rounding."""
        return float(np.ptp(self.given)) <= EQUAL * float(np.abs(self.given).max())

    @cached_property
    def relative_values(self) -> Floats:
        """(n,) The values divided by the largest size, to 12 digits, so that equal values are exactly equal."""
        largest = float(np.abs(self.values).max())
        return np.round(self.values / largest, 12) if largest else np.zeros(self.n)

    @cached_property
    def error(self) -> float:
        """The standard error of the mean, or of a ratio if there are weights; NaN for one query.

        √(n / (n − 1) · Σ w² (x − mean)²) / Σ w; without weights s / √n. Source: Cochran (1977), Sampling
        Techniques, 3rd edition, chapter 6, with w x over w as the ratio and queries drawn from a large population.
        """
        if self.n < 2:
            return math.nan
        if self.is_constant:
            return 0.0
        residuals = exact_sum(self._weigh(self.given - self.mean) ** 2)
        return math.sqrt(residuals * self.n / (self.n - 1)) / self.mass

    @cached_property
    def deviation(self) -> float:
        """The standard deviation; NaN for one query.

        √(n / (n − 1) · Σ w (x − mean)² / Σ w), without weights the usual one.
        """
        if self.n < 2:
            return math.nan
        if self.is_constant:
            return 0.0
        spread = exact_sum(self._weigh((self.given - self.mean) ** 2)) / self.mass
        return math.sqrt(spread * self.n / (self.n - 1))

    @property
    def flips_p(self) -> float:
        """The p of differences that are all the same and not 0: two of all 2ⁿ sign flips are as far from 0."""
        return min(1.0, 2.0 ** (1 - self.n))

    @property
    def is_shift(self) -> bool:
        """Whether all values are the same and not 0: only their number says anything, not their spread."""
        return self.n > 1 and self.is_constant and self.mean != 0

    @property
    def degrees(self) -> float:
        """Degrees of freedom: n − 1; with weights those of the effective number of queries, (Σ w)² / Σ w² − 1.

        If one query has most of the weight, it counts as one query, regardless of how many others there are. Source:
        Kish (1965), Survey Sampling, section 11.7, for the effective number.
        """
        return max(self.effective - 1, LEAST_DEGREES)

    @property
    def effective(self) -> float:
        """The effective number of queries: n, or fewer if weights differ."""
        return float(self.n) if self.given_weights is None else self.mass**2 / exact_sum(self.given_weights**2)

    @property
    def t(self) -> float:
        """The mean / its standard error: 0 if both are 0 or there is one query, infinite if only the error is 0."""
        if self.n < 2 or self.mean == 0:
            return 0.0
        return self.mean / self.error if self.error else math.copysign(math.inf, self.mean)


def make_sample(values: ArrayLike, weights: ArrayLike | None = None, bounds: Bounds = UNBOUNDED) -> Sample:
    """Check values and weights; queries of weight 0 are left out.

    Parameters
    ----------
    values
        (n,) One number per query.
    weights
        (n,) Its weight, 0 or more; None: every query counts the same.
    bounds
        The lowest and the highest possible value; values beyond them widen them.

    Raises
    ------
    DataError
        If there is no query, a number that is NaN or infinite, a negative weight, or none above 0.

    Examples
    --------
    >>> make_sample([0.25, 0.5], weights=[1, 3]).mean
    0.4375
    """
    numbers = _check_numbers(values, "values")
    bounds = min(bounds[0], float(numbers.min())), max(bounds[1], float(numbers.max()))
    if weights is None:
        return Sample(numbers, bounds=bounds)
    parts = _check_numbers(weights, "weights")
    parts = usable_weights(parts, len(numbers))
    kept = parts > 0
    return Sample(numbers[kept], parts[kept], bounds)


def _check_numbers(values: ArrayLike, what: str) -> Floats:
    numbers = np.asarray(values, dtype=np.float64)
    if numbers.ndim != 1 or not len(numbers):
        raise DataError(f"{what}: numbers of shape {numbers.shape}. Give one number per query, for at least one query.")
    if not np.isfinite(numbers).all():
        place = int(np.flatnonzero(~np.isfinite(numbers))[0])
        raise DataError(
            f"{what}: {numbers[place]} at place {place}. Leave out queries that were not computed for both systems."
        )
    return numbers


def student_title(sample: Sample) -> str:
    """Name the t distribution of a sample."""
    if sample.weighted:
        return f"Student t of a ratio, {sample.degrees:.3g} degrees of freedom"
    return f"Student t, {plural(sample.n - 1, 'degree')} of freedom"


def usable_weights(weights: Floats, queries: int) -> Floats:
    """Return weights scaled; refuse those that are too few or too many, NaN, negative, or all 0.

    Raises
    ------
    DataError
        The message says what is wrong and what a weight is.
    """
    if weights.shape != (queries,):
        raise DataError(f"weights: {len(weights)} for {plural(queries, 'query')}. Give one weight per query.")
    bad = weights[~(np.isfinite(weights) & (weights >= 0))]
    if len(bad):
        raise DataError(f"weights: {bad[0]:g}. A weight must be a number, 0 or more.")
    if not weights.any():
        raise DataError("weights: all are 0. Give at least one query a weight above 0.")
    return scaled(weights)


def complete_rows(values: ArrayLike) -> Floats:
    """(S, Q) The values of systems; refuse fewer than two systems, no query, and what is not computed.

    Raises
    ------
    DataError
        With the shape, or the place of the first value that is no number.
    """
    rows = np.asarray(values, dtype=np.float64)
    if rows.ndim != 2 or len(rows) < 2 or not rows.shape[1]:
        raise DataError(
            f"values: numbers of shape {rows.shape}. Give at least two rows, one per system, and one column per query."
        )
    if not np.isfinite(rows).all():
        row, column = np.argwhere(~np.isfinite(rows))[0]
        raise DataError(
            f"values: {rows[row, column]} in row {row}, column {column}. Give the queries that all systems have a "
            "value for."
        )
    return rows


# Skewness.


def skewness(sample: Sample) -> float:
    """Return the third central moment / the cubed standard deviation; 0 without spread.

    With weights both are of the weighted residuals, for the effective number of queries: those of next to no weight
    change nothing.
    """
    if sample.n < 2 or sample.is_constant:
        return 0.0
    residuals = sample.weights * (sample.values - sample.mean)
    spread = float((residuals**2).mean())
    each = math.sqrt(sample.effective / sample.n)
    return each * float((residuals**3).mean()) / spread**1.5 if spread else 0.0


def skewed_end(critical: float, skew: float, n: float) -> float:
    """Return how many standard errors below the mean the interval ends, if the values have a tail.

    w / (1 + a w)² with w = c − a and a = γ / (6 √n), the acceleration: the ABC interval of a mean, with Student's c in
    place of the normal one. Without skewness it is c. A few large losses among many small gains (γ < 0) make it larger;
    where 1 + a w is not above 0, no distance is enough. Nothing is drawn. Source: DiCiccio and Efron (1996), Bootstrap
    confidence intervals, Statistical Science 11, section 4.

    Parameters
    ----------
    critical
        Half the symmetric interval, in standard errors.
    skew
        Skewness γ of the values.
    n
        Number of values.

    Examples
    --------
    >>> skewed_end(2.0, 0.0, 50), round(skewed_end(2.0, -2.0, 50), 4)
    (2.0, 2.5078)
    """
    a = skew / (6 * math.sqrt(n))
    w = critical - a
    return w / (1 + a * w) ** 2 if 1 + a * w > 0 else math.inf


def share_unseen(n: float, alpha: float) -> float:
    """Return the share of values that n values can all have missed, with a probability of alpha.

    1 − alpha^(1/n): with alpha 0.025 about 3.7 / n. Source: Hanley and Lippman-Hand (1983), If nothing goes wrong, is
    everything all right?, Journal of the American Medical Association 249.

    Examples
    --------
    >>> round(share_unseen(50, 0.025), 4)
    0.0711
    """
    # With all digits where alpha^(1/n) is close to 1.
    return -math.expm1(math.log(alpha) / n)
