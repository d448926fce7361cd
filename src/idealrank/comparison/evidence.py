"""What unjudged documents may change of a difference, as plain numbers."""

from __future__ import annotations

import math
from dataclasses import dataclass

from idealrank.comparison.intervals import Interval


@dataclass(frozen=True)
class HoleEvidence:
    """What the unjudged documents of two systems may change.

    Attributes
    ----------
    count
        Holes of all compared systems under the deciding measure, each document once a query.
    low, high, exact
        Lowest and highest mean difference under the deciding measure, and whether both are reached.
    why
        What the bounds are, or why there are none.
    lowest, highest, estimated
        Corrected intervals of the gains, deciding measure first: with every query at its worst, at its
        best, and with hole grades drawn from the rates seen; empty where not known.
    turning
        So many relevant holes, at most, turn the verdict; None where none do.
    worst_queries
        Queries whose holes move the difference most.
    """

    count: int = 0
    low: float = math.nan
    high: float = math.nan
    exact: bool = True
    why: str = ""
    lowest: tuple[Interval, ...] = ()
    highest: tuple[Interval, ...] = ()
    estimated: tuple[Interval, ...] = ()
    turning: int | None = None
    worst_queries: tuple[str, ...] = ()

    @property
    def none(self) -> bool:
        """Whether there are no holes."""
        return self.count == 0

    @property
    def known(self) -> bool:
        """Whether there are bounds."""
        return not math.isnan(self.low)
