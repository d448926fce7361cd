"""Means with their intervals, of scores alone."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import numpy as np

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
