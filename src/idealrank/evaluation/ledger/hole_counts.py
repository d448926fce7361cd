"""Counts of holes: results that nobody judged."""

from __future__ import annotations

import numpy as np

from idealrank.arrays import Mask
from idealrank.evaluation.counts.in_parts import depth_unknown
from idealrank.evaluation.counts.result_counts import Holes, ResultCounts
from idealrank.evaluation.values import Values
from idealrank.judged_lists.meeting import Met

ASKED = 10
"""Depth to which holes are counted where the first measure has no cutoff."""


def hole_counts(scores: Values, s: int) -> Holes:
    """Count the holes of one system, by depth."""
    first = scores.measures[0].cutoff or ASKED
    return {depth: holes_within(scores, s, depth) for depth in (None, *sorted({*depths(scores), first}))}


def depths(scores: Values) -> list[int]:
    """Return the cutoffs of the measures for which it matters whether a result is judged."""
    return sorted({m.cutoff for m in scores.measures if m.cutoff and "unjudged" in m.definition.reads})


def holes_within(scores: Values, s: int, depth: int | None) -> tuple[int, int]:
    """Count a system's results within a depth that nobody judged, and all results there."""
    if scores.parts:
        return _counted(scores.parts.returned[s], depth)
    met, negative = scores.met[s], scores.setting.decisions.negative
    deep = met.judged.returned[scores.in_scope]
    deep = deep if depth is None else np.minimum(deep, depth)
    results = int((deep - met.repeated_within(depth)[scores.in_scope]).sum())
    return unjudged_results(met, scores.in_scope, negative, depth), results


def unjudged_results(met: Met, in_scope: Mask, negative: str, depth: int | None = None) -> int:
    """Count results of judged queries that have no judgment, or one below zero that does not count."""
    deep = met.judged.returned if depth is None else np.minimum(met.judged.returned, depth)
    judged = met.judged.judged_within(depth, negative != "unjudged")
    repeated = met.repeated_within(depth)
    return int((deep - judged - repeated)[in_scope].sum())


def _counted(counts: ResultCounts, depth: int | None) -> tuple[int, int]:
    if depth not in counts.holes:
        raise depth_unknown(depth, tuple(counts.holes))
    return counts.holes[depth]
