"""The unjudged results among those shown, and which to judge first."""

from typing import cast

import numpy as np

from idealrank.arrays import Ints
from idealrank.comparison.comparison import Comparison
from idealrank.display.numbers import numbers
from idealrank.evaluation.counts.result_counts import ResultCounts
from idealrank.reports.parts.kinds import HolesPart, ToJudge
from idealrank.reports.parts.lists import RankedLists
from idealrank.reports.parts.shown_queries import ShownQueries

MOST = 10
"""So many documents to judge are named for each system."""


def unjudged(
    lists: dict[str, RankedLists], queries: ShownQueries, comparison: Comparison | None, depth: int
) -> HolesPart:
    """Return how many results shown are unjudged, (Q,) by system, None for queries not asked for; what to judge."""
    scores = queries.scores
    asked = scores.in_scope[queries.places]
    counts = {system: numbers(np.where(asked, _counts(each), np.nan)) for system, each in lists.items()}
    shown = {system: int(np.diff(each.start)[asked].sum()) for system, each in lists.items()}
    every = {system: int(_counts(each)[asked].sum()) for system, each in lists.items()}
    if not queries.all:
        found = {system: _of_all(of, depth) for system, of in zip(scores.systems, scores.ledger.found, strict=True)}
        every, shown = ({system: pair[n] for system, pair in found.items() if pair} for n in (0, 1))
    return {
        "depth": depth,
        "shown": shown,
        "unjudged": every,
        "counts": counts,
        "to_judge": [] if comparison is None or scores.parts else _to_judge(comparison),
    }


def _of_all(counts: ResultCounts, depth: int) -> tuple[int, int] | None:
    """Return how many results of all queries nobody judged, and how many there are; None if not to this depth."""
    return counts.holes.get(None if depth >= counts.longest else depth)


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
