"""The means of an evaluation with their intervals, and what the holes allow them to be."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import numpy as np

from idealrank.comparison.holes import holes
from idealrank.comparison.statistics.intervals import interval
from idealrank.comparison.statistics.sample import sampled
from idealrank.reporting.plain import number

if TYPE_CHECKING:
    from idealrank.comparison.holes import Holes
    from idealrank.lists import Floats, Mask
    from idealrank.scores import Scores

LEVEL = 0.95
"""Confidence of the intervals where nothing else was asked for."""


def means(scores: Scores) -> list[dict[str, Any]]:
    """Return one row a measure and system: queries, mean, Student's 95 % interval, lowest and highest by the holes.

    There is no interval, and nothing is known of the holes, where the mean is no arithmetic mean over judged queries.
    """
    unjudged = [holes(scores.meetings, measure, 0) for measure in scores.measures]
    return [_mean(scores, s, m, unjudged[m]) for m in range(len(scores.measures)) for s in range(len(scores.systems))]


def _mean(scores: Scores, s: int, m: int, unjudged: Holes) -> dict[str, Any]:
    keep = counted(scores, s, m)
    row = {
        "measure": scores.labels[m],
        "system": scores.systems[s],
        "queries": int(keep.sum()),
        "mean": number(scores.all_means[s][m]),
    }
    low, high = spread(scores, m, scores.values[s, m], keep)
    return row | {"low": low, "high": high} | _by_holes(scores, s, m, keep, unjudged)


def counted(scores: Scores, s: int, m: int) -> Mask:
    """(Q,) which queries have a value and a weight above 0."""
    there: Mask = ~np.isnan(scores.values[s, m])
    return there if scores.weights is None else there & (scores.weights > 0)


def is_plain(scores: Scores, m: int) -> bool:
    """Whether a mean is the arithmetic mean over the judged queries."""
    measure = scores.measures[m]
    under = measure.decisions
    return measure.definition.total == "mean" and under.average == "arithmetic" and under.no_judgments == "skip"


def spread(scores: Scores, m: int, values: Floats, keep: Mask) -> tuple[float | None, float | None]:
    """Return the ends of Student's interval for the mean of some queries' values; None where there is none."""
    if not is_plain(scores, m) or not keep.any():
        return None, None
    weights = None if scores.weights is None else scores.weights[keep]
    found = interval("student_t", values[keep], weights, LEVEL, seed=0)
    return number(found.low), number(found.high)


def _by_holes(scores: Scores, s: int, m: int, keep: Mask, unjudged: Holes) -> dict[str, Any]:
    bounds = unjudged.bounds(s)
    if bounds.kind == "unknown" or not is_plain(scores, m) or not keep.any():
        return {"lowest": None, "highest": None}
    weights = None if scores.weights is None else scores.weights[keep]
    low, high = (sampled(end[keep], weights).mean for end in (bounds.low, bounds.high))
    return {"lowest": number(low), "highest": number(high)} if math.isfinite(low + high) else _unknown()


def _unknown() -> dict[str, Any]:
    return {"lowest": None, "highest": None}
