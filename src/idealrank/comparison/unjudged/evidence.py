"""What unjudged documents may change of a difference, as plain numbers."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal

from idealrank.display.numbers import plain_value
from idealrank.statistics.intervals import Interval


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
    def kind(self) -> Literal["exact", "enclosure", "unknown"]:
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

    ranges: Sequence[HoleRange]
    measure: str
    estimated: tuple[Interval, ...]
    stands: bool = False
    turning: int | None = None
    turned: str = ""
    worst_queries: tuple[str, ...] = ()
    bearable: float | None = None
    returned_by: str = ""

    @property
    def first(self) -> HoleRange:
        """What the holes allow under the deciding measure."""
        return self.ranges[0]

    def to_dict(self) -> dict[str, Any]:
        """Return the evidence as plain values."""
        from dataclasses import asdict, replace

        evidence: dict[str, Any] = plain_value(asdict(replace(self, ranges=tuple(self.ranges))))
        return evidence

    @property
    def fixed(self) -> bool:
        """Whether no grade of a hole could make any difference, as where both returned the same lists."""
        return all(not each.count or (each.known and each.low == each.high == 0) for each in self.ranges)

    @property
    def none(self) -> bool:
        """Whether no measure has holes."""
        return not any(each.count for each in self.ranges)
