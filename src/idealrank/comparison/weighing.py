"""What holes may change: the bounds of a difference, its estimate, and how few relevant holes would turn it."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from idealrank.comparison.chance import stream
from idealrank.comparison.contrast import Contrast
from idealrank.comparison.holes import Holes, holes
from idealrank.comparison.intervals import Interval
from idealrank.comparison.pairing import Pairing
from idealrank.comparison.rule import Rule, gains_of
from idealrank.comparison.sample import Sample, sampled
from idealrank.lists import Floats, Mask

DRAWS = 50
"""Draws of all hole grades for the estimate."""


@dataclass(frozen=True)
class HoleEvidence:
    """What the unjudged documents of two systems may change.

    Attributes
    ----------
    count
        Holes of the compared systems under the deciding measure, each document once a query.
    low, high, exact
        Lowest and highest mean difference under the deciding measure, and whether both are reached.
    why
        Why there are no bounds, or why they are no more than an enclosure; "" where they are exact.
    lowest, highest, estimated
        Corrected intervals of the gains, deciding measure first: with every query at its worst, at its
        best, and with hole grades drawn from the rates seen.
    turning
        So many relevant holes are enough to turn the verdict; None where none are.
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
