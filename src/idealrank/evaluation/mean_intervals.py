"""Means with their intervals, of scores alone, and what the holes allow them to be."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import numpy as np

from idealrank.display.table import Table
from idealrank.evaluation.means import averaged
from idealrank.statistics.intervals import interval

if TYPE_CHECKING:
    from idealrank.arrays import Mask
    from idealrank.comparison.holes.holes import Holes
    from idealrank.evaluation.scores import Scores

LEVEL = 0.95
"""Confidence of the intervals where nothing else was asked for."""

NONE = (math.nan, math.nan)


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
    return _table(scores, [_row(scores, s, m) for m, s in _places(scores)])


def means_with_holes(scores: Scores) -> Table:
    """Return the same with the lowest and the highest mean that the holes allow; NaN where that is not known."""
    from idealrank.comparison.holes.holes import holes

    unjudged = [holes(scores.meetings, measure, 0) for measure in scores.measures]
    return _table(scores, [_row(scores, s, m) | _by_holes(scores, s, m, unjudged[m]) for m, s in _places(scores)])


def _places(scores: Scores) -> list[tuple[int, int]]:
    return [(m, s) for m in range(len(scores.labels)) for s in range(len(scores.systems))]


def _table(scores: Scores, rows: list[dict[str, Any]]) -> Table:
    columns: dict[str, Any] = {name: [row[name] for row in rows] for name in rows[0]}
    return Table(columns, "means", {"fingerprint": [scores.fingerprints[row["measure"]] for row in rows]})


def _row(scores: Scores, s: int, m: int) -> dict[str, Any]:
    low, high = spread(scores, s, m, kept(scores, s, m))
    key = {"measure": scores.labels[m], "system": scores.systems[s], "queries": in_mean(scores, s, m)}
    return key | {"mean": scores.all_means[s][m], "low": low, "high": high}


def spread(scores: Scores, s: int, m: int, keep: Mask) -> tuple[float, float]:
    """Return the ends of Student's interval for the mean of some of a system's queries; NaN where there is none."""
    if not _is_plain(scores, s, m) or keep.sum() < 2:
        return NONE
    weights = None if scores.weights is None else scores.weights[keep]
    found = interval("student_t", scores.values[s, m, keep], weights, LEVEL, seed=0)
    ends = (found.low, found.high)
    return ends if all(map(math.isfinite, ends)) else NONE


def mean_of(scores: Scores, s: int, m: int, keep: Mask) -> float:
    """Average the values of some of a system's queries as the measure does, in their weights."""
    measure = scores.measures[m]
    weights = None if scores.weights is None else scores.weights[keep]
    return averaged(scores.values[s, m, keep], measure.decisions, measure.definition.total, weights)


def over(scores: Scores, m: int) -> str:
    """Say what is taken of the values of a measure: mean, weighted mean, geometric mean, median or sum."""
    measure, weighted = scores.measures[m], scores.weights is not None
    if measure.definition.total == "sum":
        return "sum"
    average = {"arithmetic": "mean", "geometric": "geometric mean"}.get(measure.decisions.average, "median")
    return f"{'weighted ' * weighted}{average}"


def _by_holes(scores: Scores, s: int, m: int, unjudged: Holes) -> dict[str, float]:
    found, keep = unjudged.bounds(s), kept(scores, s, m)
    if found.kind == "unknown" or not _is_plain(scores, s, m) or not keep.any():
        return {"lowest": math.nan, "highest": math.nan}
    low, high = (scores.average(s, scores.measures[m], np.where(keep, end, np.nan)) for end in (found.low, found.high))
    return {"lowest": low, "highest": high}


def _is_plain(scores: Scores, s: int, m: int) -> bool:
    """Whether a mean is the arithmetic mean of the values of judged queries."""
    measure = scores.measures[m]
    alone = not added(scores, s, m)
    return measure.definition.total == "mean" and measure.decisions.average == "arithmetic" and alone


def in_mean(scores: Scores, s: int, m: int) -> int:
    """Count the judged queries that are in a mean: they have a value, and a weight above 0."""
    return int(kept(scores, s, m).sum())


def added(scores: Scores, s: int, m: int) -> int:
    """Count the queries nobody judged that are in a mean as 0."""
    return len(scores.unjudged_queries(s)) if scores.measures[m].decisions.no_judgments == "0" else 0


def kept(scores: Scores, s: int, m: int) -> Mask:
    """(Q,) which queries are in a mean: they have a value, and a weight above 0."""
    there: Mask = ~np.isnan(scores.values[s, m])
    return there if scores.weights is None else there & (scores.weights > 0)
