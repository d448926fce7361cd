<<<<<<< HEAD
"""The means of an evaluation with their intervals, and what the holes allow them to be."""
=======
"""Means with their intervals, of scores alone."""
>>>>>>> s6-h3

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import numpy as np

<<<<<<< HEAD
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
=======
from idealrank.comparison.statistics.intervals import interval
from idealrank.table import Table

if TYPE_CHECKING:
    from idealrank.scores import Scores

LEVEL = 0.95


def means(scores: Scores) -> Table:
    """Return one row a measure and system: queries, mean, and Student's interval of it at 95 %.

    `queries` are those in the mean: they have a value and a weight above 0. What is no arithmetic mean of values of
    queries (a sum, a median, a mean with queries nobody judged) has no interval, and one query neither.

    Examples
    --------
    >>> import idealrank as ir
    >>> qrels, run = {q: {"d": 1} for q in "abc"}, {q: {"d": 1.0} for q in "ab"}
    >>> (row,) = means(ir.evaluate(qrels, run, ["RR"]))
    >>> row["queries"], round(row["mean"], 4), round(row["low"], 4), round(row["high"], 4)
    (3, 0.6667, -0.7676, 2.1009)
    """
    rows = [_row(scores, s, m) for m in range(len(scores.labels)) for s in range(len(scores.systems))]
    columns: dict[str, Any] = {name: [row[name] for row in rows] for name in rows[0]}
    return Table(columns, "means", {"fingerprint": [scores.fingerprints[row["measure"]] for row in rows]})


def _row(scores: Scores, s: int, m: int) -> dict[str, Any]:
    low, high = _interval(scores, s, m)
    key = {"measure": scores.labels[m], "system": scores.systems[s], "queries": in_mean(scores, s, m)}
    return key | {"mean": scores.all_means[s][m], "low": low, "high": high}


def _interval(scores: Scores, s: int, m: int) -> tuple[float, float]:
    measure, keep = scores.measures[m], _kept(scores, s, m)
    if measure.definition.total == "sum" or measure.decisions.average != "arithmetic" or added(scores, s, m):
        return math.nan, math.nan
    if keep.sum() < 2:
        return math.nan, math.nan
    weights = None if scores.weights is None else scores.weights[keep]
    found = interval("student_t", scores.values[s, m, keep], weights, LEVEL, seed=0)
    ends = (found.low, found.high)
    return ends if all(map(math.isfinite, ends)) else (math.nan, math.nan)


def in_mean(scores: Scores, s: int, m: int) -> int:
    """Count the judged queries that are in a mean: they have a value, and a weight above 0."""
    return int(_kept(scores, s, m).sum())


def added(scores: Scores, s: int, m: int) -> int:
    """Count the queries nobody judged that are in a mean as 0."""
    return len(scores.unjudged_queries(s)) if scores.measures[m].decisions.no_judgments == "0" else 0


def _kept(scores: Scores, s: int, m: int) -> Any:
    there = ~np.isnan(scores.values[s, m])
    return there if scores.weights is None else there & (scores.weights > 0)
>>>>>>> s6-h3
