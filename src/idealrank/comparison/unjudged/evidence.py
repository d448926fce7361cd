"""What unjudged documents may change of a difference, as plain numbers."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated, Literal

from idealrank.comparison.verdict.rule import Outcome
from idealrank.display.document import Described
from idealrank.display.schema import OrNull
from idealrank.statistics.intervals import Interval


@dataclass(frozen=True)
class UnjudgedRange:
    """What unjudged documents allow the difference to be, under one measure.

    Attributes
    ----------
    count
        Holes of all compared systems, each document once a query, and the unseen ones that are allowed for.
    low, high, exact
        Lowest and highest mean difference, and whether both are reached; NaN where no bounds are known.
    why
        What the bounds are, or why there are none.
    """

    count: Annotated[int, "Unjudged documents of both systems."] = 0
    low: Annotated[float, OrNull(), "Lowest mean difference; null if no bounds are known."] = math.nan
    high: Annotated[float, OrNull(), "Highest mean difference; null if no bounds are known."] = math.nan
    exact: Annotated[bool, "Whether both are reached."] = True
    why: Annotated[str, "What the bounds are, or why there are none."] = ""

    @property
    def kind(self) -> Literal["exact", "enclosure", "unknown"]:
        """``exact``, ``enclosure`` or ``unknown``."""
        return "unknown" if not self.known else "exact" if self.exact else "enclosure"

    @property
    def known(self) -> bool:
        """Whether there are bounds."""
        return not math.isnan(self.low)


@dataclass(frozen=True)
class UnjudgedEvidence(Described):
    """What the unjudged documents of two systems may change.

    Attributes
    ----------
    ranges
        What the holes allow under each measure, the deciding one first.
    measure
        The deciding measure.
    estimated
        Corrected intervals of the gains with hole grades drawn from the rates seen, deciding measure first.
    stands
        Whether the rule says the same regardless of the grades of the holes.
    turning, turned
        So many holes, if relevant, turn the verdict, and into what; None where none do.
    worst_queries
        Queries whose holes move the difference most.
    bearable, returned_by
        What the deciding measure says as things are, a SHIP or a DON'T, holds as long as the holes that only one system
        returned are relevant less than so many times as often as the judged results at their ranks; which system. None
        where no such number is known.
    """

    ranges: Annotated[Sequence[UnjudgedRange], "Under each measure, the deciding one first."]
    measure: Annotated[str, "The deciding measure."]
    estimated: Annotated[
        tuple[Annotated[Interval, "An interval of a gain."], ...],
        "Corrected intervals of the gains with estimated grades, deciding measure first.",
    ]
    stands: Annotated[bool, "Whether the rule says the same for all grades of the unjudged documents."] = False
    turning: Annotated[int | None, "So many of them, if relevant, turn the verdict; null if none do."] = None
    turned: Annotated[Outcome | Literal[""], "The outcome it turns into; empty if it does not turn."] = ""
    worst_queries: Annotated[tuple[str, ...], "Queries whose unjudged documents move the difference most."] = ()
    bearable: Annotated[float | None, "So many times as often relevant as judged ones those of one system may be."] = (
        None
    )
    returned_by: Annotated[str, "The system that alone returned those documents."] = ""

    @property
    def first(self) -> UnjudgedRange:
        """What the holes allow under the deciding measure."""
        return self.ranges[0]

    @property
    def fixed(self) -> bool:
        """Whether no grade of a hole could make any difference, as where both returned the same lists."""
        return all(not each.count or (each.known and each.low == each.high == 0) for each in self.ranges)

    @property
    def none(self) -> bool:
        """Whether no measure has holes."""
        return not any(each.count for each in self.ranges)
