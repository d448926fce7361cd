"""Means with their intervals, of scores alone."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from idealrank.arrays import Mask
from idealrank.display.blocks import Grid, TextColumn
from idealrank.display.numbers import span_text
from idealrank.display.table import Table, cell
from idealrank.errors import plural
from idealrank.evaluation.means import average, counts_unjudged
from idealrank.evaluation.values import Values, value_bounds

# The footnote of every picture and notebook table: the convention, and how many queries are in the means.


NAMED = 4
"""Up to this many different counts are listed; of more, the lowest and the highest."""


def footnote(scores: Values, measures: Sequence[int] | None = None, systems: Sequence[int] | None = None) -> str:
    """Say the measures, the convention, and how many of the judged queries are in their means.

    Parameters
    ----------
    measures, systems
        Places of those that are shown; None: all.

    Examples
    --------
    >>> import idealrank as ir
    >>> scores = ir.evaluate({"q": {"a": 1}, "r": {"a": 1}}, {"q": {"a": 1.0}}, ["RR"], no_results="skip")
    >>> footnote(scores)
    'RR under idealrank-1, no_results=skip; 1 of 2 queries'
    """
    places = range(len(scores.labels)) if measures is None else measures
    labels = ", ".join(scores.labels[m] for m in places)
    return f"{labels} under {scores.setting.text}; {count_text(scores, places, systems)}"


def count_text(scores: Values, measures: Sequence[int], systems: Sequence[int] | None = None) -> str:
    """Say how many of the judged queries are in the means; where they differ, by measure or system."""
    which = range(len(scores.systems)) if systems is None else systems
    counts = {(m, s): int(in_mean(scores, s, m).sum()) for m in measures for s in which}
    text = counts_of_queries(_name_counts(scores, counts), len(scores.queries))
    more = max((unjudged_in_mean(scores, s, m) for m, s in counts), default=0)
    return f"{text}, and {plural(more, 'query')} nobody judged as 0" if more else text


def counts_of_queries(counts: Mapping[str, int], judged: int) -> str:
    """Say N of M queries; where N differs, for each name.

    Examples
    --------
    >>> counts_of_queries({"RR": 3, "AP": 3}, 4), counts_of_queries({"RR": 3, "AP": 4}, 4)
    ('3 of 4 queries', 'RR 3, AP 4 of 4 queries')
    """
    different, many = sorted(set(counts.values())), plural(judged, "query")
    if len(different) == 1:
        return f"{different[0]:,} of {many}"
    if len(counts) <= NAMED:
        return f"{', '.join(f'{name} {count}' for name, count in counts.items())} of {many}"
    return f"{different[0]:,} to {different[-1]:,} of {many}, differing by system or measure"


def _name_counts(scores: Values, counts: Mapping[tuple[int, int], int]) -> dict[str, int]:
    """Name the counts by measure if systems do not differ, by system if measures do not, else by both."""
    measures, systems = {scores.labels[m]: m for m, _ in counts}, {scores.systems[s]: s for _, s in counts}
    if all(counts[m, s] == counts[m, t] for m in measures.values() for s in systems.values() for t in systems.values()):
        return {label: next(counts[key] for key in counts if key[0] == m) for label, m in measures.items()}
    first_m, first_s = next(iter(counts))
    if all(count == counts[m, first_s] for (m, _), count in counts.items()):
        return {label: counts[m, first_s] for label, m in measures.items()}
    if all(count == counts[first_m, s] for (_, s), count in counts.items()):
        return {name: counts[first_m, s] for name, s in systems.items()}
    return {f"{scores.labels[m]} of {scores.systems[s]}": count for (m, s), count in counts.items()}


LEVEL = 0.95
"""Confidence of the intervals where nothing else was asked for."""

NO_INTERVAL = (math.nan, math.nan)


def means(scores: Values) -> Table:
    """Return one row per measure and system: queries, mean, and Student's interval of it at 95 %.

    `queries` are those in the mean: they have a value and a weight above 0. What is no arithmetic mean of values of
    queries (a sum, a median, a mean with queries nobody judged) has no interval, and one query neither.

    Examples
    --------
    >>> import idealrank as ir
    >>> qrels, run = {q: {"d": 1} for q in "abcdef"}, {q: {"d": 1.0} for q in "abcd"}
    >>> (row,) = means(ir.evaluate(qrels, run, ["RR"]))
    >>> row["queries"], round(row["mean"], 4), round(row["low"], 4), round(row["high"], 4)
    (6, 0.6667, 0.1247, 1.0)
    """
    return measure_table(scores, means_rows(scores), "means")


def means_grid(scores: Values) -> Grid:
    """Return the mean of each measure and system with its interval; of systems and measures, the more are the rows."""
    systems, labels = list(scores.systems), list(scores.labels)
    cells = {(row["measure"], row["system"]): _cell(row) for row in means(scores)}
    if len(systems) > len(labels):
        first = TextColumn("system", systems, numeric=False)
        others = [TextColumn(label, [cells[label, name] for name in systems], numeric=True) for label in labels]
    else:
        first = TextColumn("measure", labels, numeric=False)
        others = [TextColumn(name, [cells[label, name] for label in labels], numeric=True) for name in systems]
    stated = {"fingerprint": list(scores.fingerprints.values())}
    if len(systems) == 1:
        (only,) = others
        return Grid([first, replace(only, name="mean (95% interval)")], stated=stated)
    return Grid([first, *others], "means (95% intervals)", stated=stated)


def _cell(row: dict[str, Any]) -> str:
    mean, span = cell(row["mean"]), span_text(row["low"], row["high"], sign="")
    return mean if span == "–" else f"{mean} ({span})"


def measure_table(scores: Values, rows: list[dict[str, Any]], title: str) -> Table:
    """Return rows that each belong to a measure."""
    prints = [scores.fingerprints[row["measure"]] for row in rows]
    return Table({name: [row[name] for row in rows] for name in rows[0]}, title, {"fingerprint": prints})


def means_rows(scores: Values) -> list[dict[str, Any]]:
    """Return the rows of `means`, measure by measure."""
    return [_row(scores, s, m) for m in range(len(scores.labels)) for s in range(len(scores.systems))]


def _row(scores: Values, s: int, m: int) -> dict[str, Any]:
    low, high = mean_interval(scores, s, m, in_mean(scores, s, m))
    count = int(in_mean(scores, s, m).sum())
    key = {"measure": scores.labels[m], "system": scores.systems[s], "queries": count}
    return key | {"mean": scores.all_means[s][m], "low": low, "high": high}


def mean_interval(scores: Values, s: int, m: int, keep: Mask) -> tuple[float, float]:
    """Return the ends of Student's interval for the mean of some of a system's queries; NaN where there is none."""
    if not is_arithmetic_mean(scores, s, m) or keep.sum() < 2:
        return NO_INTERVAL
    from idealrank.statistics.intervals import interval

    values, weights = scores.values[s, m, keep], None if scores.weights is None else scores.weights[keep]
    student = interval("student_t", values, weights, LEVEL, seed=0, bounds=value_bounds(scores, m))
    ends = (student.low, student.high)
    return ends if all(map(math.isfinite, ends)) else NO_INTERVAL


def mean_over(scores: Values, s: int, m: int, keep: Mask) -> float:
    """Average the values of some of a system's queries as the measure does, with their weights."""
    measure = scores.measures[m]
    weights = None if scores.weights is None else scores.weights[keep]
    return average(scores.values[s, m, keep], measure.decisions, measure.definition.total, weights)


def average_name(scores: Values, m: int) -> str:
    """Name how the values of a measure are averaged: mean, weighted mean, geometric mean, median or sum."""
    measure, weighted = scores.measures[m], scores.weights is not None
    if measure.definition.total == "sum":
        return "sum"
    average = {"arithmetic": "mean", "geometric": "geometric mean"}.get(measure.decisions.average, "median")
    return f"{'weighted ' * weighted}{average}"


def is_arithmetic_mean(scores: Values, s: int, m: int) -> bool:
    """Whether a mean is the arithmetic mean of the values of judged queries."""
    measure = scores.measures[m]
    alone = not unjudged_in_mean(scores, s, m)
    return measure.definition.total == "mean" and measure.decisions.average == "arithmetic" and alone


def unjudged_in_mean(scores: Values, s: int, m: int) -> int:
    """Count the queries nobody judged that are in a mean as 0."""
    return len(scores.unjudged_queries(s)) if counts_unjudged(scores.measures[m].decisions) else 0


def in_mean(scores: Values, s: int, m: int) -> Mask:
    """(Q,) which judged queries are in a mean: they have a value, and a weight above 0."""
    there: Mask = ~np.isnan(scores.values[s, m])
    return there if scores.weights is None else there & (scores.weights > 0)
