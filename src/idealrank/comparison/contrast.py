"""A contrast: one system against another under one measure, with its evidence."""

from __future__ import annotations

import math
from dataclasses import dataclass

from idealrank.statistics.intervals import Interval
from idealrank.statistics.paired_tests import Test

LEAST_ALPHA = 1e-12
"""Error rates are no smaller: their critical values are beyond what a number tells apart."""


@dataclass(frozen=True)
class Contrast:
    """What a system changes against another under one measure.

    Attributes
    ----------
    system, baseline, measure
        What is compared with what; `measure` as the scores label it.
    queries
        Number of paired queries: those with a value in both.
    unpaired
        Queries asked for that one or both have no value for.
    mean, baseline_mean, difference
        (Weighted) means over the paired queries, and of their differences.
    interval, test
        Of the difference, before any correction.
    p, corrected
        Corrected p and simultaneous interval; those of the test and the interval where nothing is corrected.
    effect
        Mean difference over the standard deviation of the differences.
    wins, ties, losses
        Paired queries in which the system is better, equal (within 1e-12) and worse.
    detectable
        The difference that this number of queries detects with power 0.8 at the level of the corrected interval.
    deviation
        Standard error of the difference times the root of the number of queries.
    direction
        Whether more is better: a word of `idealrank.measures.properties.DIRECTION`.
    """

    system: str
    baseline: str
    measure: str
    queries: int
    unpaired: tuple[str, ...]
    mean: float
    baseline_mean: float
    difference: float
    interval: Interval
    test: Test
    p: float
    corrected: Interval
    effect: float
    wins: int
    ties: int
    losses: int
    detectable: float
    deviation: float
    direction: str = "higher"

    @property
    def gain(self) -> Interval:
        """The corrected interval, turned where less is better, so that more is better."""
        if self.direction != "lower":
            return self.corrected
        low, high = -self.corrected.high, -self.corrected.low
        return Interval(low, high, self.corrected.level, self.corrected.method)

    @property
    def improvement(self) -> float:
        """The difference, turned where less is better."""
        return -self.difference if self.direction == "lower" else self.difference

    @property
    def alpha(self) -> float:
        """The error rate of the corrected interval, as one interval for itself."""
        from scipy.special import stdtr

        wide = self.wide
        if self.queries < 2 or not math.isfinite(wide):
            return math.nan
        return min(max(float(2 * stdtr(self.queries - 1, -wide)), LEAST_ALPHA), 1 - LEAST_ALPHA)

    @property
    def wide(self) -> float:
        """Half the corrected interval, in standard errors of the difference; Student's t where these are 0."""
        if self.queries < 2:
            return math.inf
        error = self.deviation / math.sqrt(self.queries)
        if error > 0:
            return (self.corrected.high - self.corrected.low) / 2 / error
        from scipy.special import stdtrit

        return float(stdtrit(self.queries - 1, (1 + self.corrected.level) / 2))

    @property
    def same(self) -> bool:
        """Whether every paired query has the same value in both."""
        return self.wins == self.losses == 0
