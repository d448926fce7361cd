"""The unjudged results among those shown, and which to judge first."""

from typing import cast

import numpy as np

from idealrank.arrays import Ints, Mask
from idealrank.comparison.comparison import Comparison
from idealrank.display.numbers import numbers
from idealrank.reports.parts.kinds import HolesPart, ToJudge
from idealrank.reports.parts.lists import RankedLists

MOST = 10
"""So many documents to judge are named for each system."""


def unjudged(lists: dict[str, RankedLists], chosen: Mask, comparison: Comparison | None, depth: int) -> HolesPart:
    """Return how many results shown are unjudged, (Q,) by system, None for queries not asked for; what to judge."""
    counts = {system: numbers(np.where(chosen, _counts(each), np.nan)) for system, each in lists.items()}
    shown = {system: int(np.diff(each.start)[chosen].sum()) for system, each in lists.items()}
    return {
        "depth": depth,
        "shown": shown,
        "counts": counts,
        "to_judge": [] if comparison is None else _to_judge(comparison),
    }


def _counts(lists: RankedLists) -> Ints:
    before = np.concatenate(([0], np.cumsum(np.isnan(lists.grade))))
    return np.diff(before[lists.start])


def _to_judge(comparison: Comparison) -> list[ToJudge]:
    """Name the documents whose label would move the first measure most, where that is known."""
    measure = comparison.scores.measures[0]
    if measure.on_lists.unjudged != "zero" or not measure.definition.is_plain:
        return []
    named = [comparison.to_judge(MOST, system=name).rows() for name in comparison.verdict]
    return cast("list[ToJudge]", [row for each in named for row in each])
