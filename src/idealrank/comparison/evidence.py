"""What unjudged documents may change of a difference, as plain numbers."""

from __future__ import annotations

import math
from dataclasses import dataclass

from idealrank.comparison.statistics.intervals import Interval


@dataclass(frozen=True)
class HoleRange:
    """What holes allow a mean difference to be, under one measure.

    Attributes
    ----------
    count
        Holes of all compared systems, each document once a query, and the unseen ones that are allowed for.
    low, high, exact
        Lowest and highest mean difference, and whether both are reached; NaN where no bounds are known.
    why
        What the bounds are, or why there are none.
    """

    count: int = 0
    low: float = math.nan
    high: float = math.nan
    exact: bool = True
    why: str = ""

    @property
    def kind(self) -> str:
        """``exact``, ``enclosure`` or ``unknown``."""
        return "unknown" if not self.known else "exact" if self.exact else "enclosure"

    @property
    def known(self) -> bool:
        """Whether there are bounds."""
        return not math.isnan(self.low)


@dataclass(frozen=True)
class HoleEvidence:
    """What the unjudged documents of two systems may change.

    Attributes
    ----------
    ranges
        What the holes allow under each measure, the deciding one first.
    lowest, highest, estimated
        Corrected intervals of the gains, deciding measure first: with every query at its worst, at its
        best, and with hole grades drawn from the rates seen; empty where not known.
    turning
        So many relevant holes, at most, turn the verdict; None where none do.
    worst_queries
        Queries whose holes move the difference most.
    """

    ranges: tuple[HoleRange, ...]
    lowest: tuple[Interval, ...] = ()
    highest: tuple[Interval, ...] = ()
    estimated: tuple[Interval, ...] = ()
    turning: int | None = None
    worst_queries: tuple[str, ...] = ()

    @property
    def first(self) -> HoleRange:
        """What the holes allow under the deciding measure."""
        return self.ranges[0]

    @property
    def none(self) -> bool:
        """Whether no measure has holes."""
        return not any(found.count for found in self.ranges)
