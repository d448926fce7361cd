"""Tables of the values of single queries, with other columns for each."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Annotated, Any, NamedTuple, NotRequired

import numpy as np

from idealrank.arrays import Floats, Ints, Mask, offsets, places, segment_counts
from idealrank.data.filters import parse_range
from idealrank.data.queries import Queries
from idealrank.display.columns import Mean, MeasureName, SystemName
from idealrank.display.schema import RowType
from idealrank.display.table import Table, fingerprint_columns
from idealrank.errors import UsageError
from idealrank.evaluation.buckets import compute_per_query
from idealrank.evaluation.mean_tables import measure_table
from idealrank.evaluation.scoring import fill_of_no_relevant
from idealrank.evaluation.values import Values
from idealrank.judged_lists.arrangement import arrange
from idealrank.judged_lists.join import Join, SystemLists
from idealrank.judged_lists.lists import JudgedLists, reaches
from idealrank.measures import DEFINITIONS
from idealrank.measures.definition import Measure
from idealrank.measures.gains import gains


class PerQuery(NamedTuple):
    """What a table says of one system: its place, the places of the queries in order, and (Q,) columns of numbers."""

    system: int
    order: Ints
    columns: dict[str, Floats]


def sort_places(values: Floats) -> Ints:
    """Return the places of the values that are not NaN, the lowest value first, equal ones in order."""
    there = np.flatnonzero(~np.isnan(values))
    return there[np.argsort(values[there], kind="stable")]


def query_table(scores: Values, m: int, rows: list[PerQuery], title: str) -> Table:
    """Return one row per query (and system): its id and text first, then the columns."""
    queries = [scores.queries[q] for one in rows for q in one.order]
    columns: dict[str, Any] = {"query": queries}
    if scores.texts:
        columns["text"] = [scores.texts.get(query) for query in queries]
    if len(scores.systems) > 1:
        columns["system"] = [scores.systems[one.system] for one in rows for _ in one.order]
    for name in rows[0].columns:
        columns[name] = np.concatenate([one.columns[name][one.order] for one in rows])
    label = scores.labels[m]
    return Table(columns, title, fingerprint_columns({label: scores.fingerprints[label]}))


def query_columns(scores: Values, m: int, systems: list[int], columns: list[dict[str, Floats]], title: str) -> Table:
    """Return the queries that have a value, with their value and further columns for each system."""
    rows = [
        PerQuery(s, np.flatnonzero(~np.isnan(scores.values[s, m])), {scores.labels[m]: scores.values[s, m]} | each)
        for s, each in zip(systems, columns, strict=True)
    ]
    return query_table(scores, m, rows, title)


def table_with_means(scores: Values, columns: dict[tuple[int, int], dict[str, float]], title: str) -> Table:
    """Return one row per measure (and system): its mean, and the columns of the place of the system and the measure."""
    rows: list[dict[str, Any]] = []
    for (s, m), each in columns.items():
        row: dict[str, Any] = {"measure": scores.labels[m]}
        row |= {"system": scores.systems[s]} if len(scores.systems) > 1 else {}
        rows.append(row | {"mean": scores.all_means[s][m]} | each)
    return measure_table(scores, rows, title)


# Groups of queries, and statistics of their values.


By = str | Mapping[str, str] | Sequence[str] | None
NO_VALUE, OTHERS = "(none)", "(others)"
"""Groups of the queries without the attribute, and of those outside every range."""


def query_groups(by: By, ids: Sequence[str], table: Queries) -> dict[str, Mask]:
    """Return (Q,) masks of the queries of each group; every query is in at least one.

    Parameters
    ----------
    by
        None (all), a query attribute, a range of ids such as ``"1..50"``, several, joined by commas or
        in a list, or ``{label: range}``.

    Raises
    ------
    UsageError
        If the attribute or the range is not known.
    """
    if by is None:
        return {"all": np.ones(len(ids), np.bool_)}
    if isinstance(by, str):
        parts = [part.strip() for part in by.split(",")]
        if not any(map(parse_range, parts)):
            return _group_by_label([_label(value) for value in table.values(by, ids)])
        by = parts
    ranges = by if isinstance(by, Mapping) else {text: text for text in by}
    masks = {label: _in_range(ids, text) for label, text in ranges.items()}
    outside = ~np.logical_or.reduce([*masks.values(), np.zeros(len(ids), np.bool_)])
    return masks | ({OTHERS: outside} if outside.any() else {})


def _group_by_label(labels: list[str]) -> dict[str, Mask]:
    names = sorted(set(labels), key=label_order)
    codes = {name: code for code, name in enumerate(names)}
    coded = np.array([codes[label] for label in labels], np.int64)
    return {name: coded == code for name, code in codes.items()}


def _label(value: Any) -> str:
    if value is None or (isinstance(value, float) and math.isnan(value)) or value == "":
        return NO_VALUE
    return str(int(value)) if isinstance(value, float) and value.is_integer() else str(value)


def label_order(label: str) -> tuple[int, float, str]:
    """Return a key that sorts numbers by size, then words, then the group without a value."""
    if label == NO_VALUE:
        return (2, 0.0, label)
    try:
        return (0, float(label), label)
    except ValueError:
        return (1, 0.0, label)


def _in_range(ids: Sequence[str], text: str) -> Mask:
    span = parse_range(text)
    if span is None:
        raise UsageError(f"{text!r} is no range of query ids. Write 1..50.")
    return np.array([key.lstrip("-").isdigit() and span[0] <= int(key) <= span[1] for key in ids], np.bool_)


def describe_values(values: Floats) -> dict[str, float]:
    """Return count, mean, sd (n - 1), min, quartiles (interpolated) and max of the values that are not NaN."""
    kept = values[~np.isnan(values)]
    names = ("min", "25%", "50%", "75%", "max")
    if not len(kept):
        return {"count": 0, **dict.fromkeys(("mean", "sd", *names), math.nan)}
    quartiles = np.percentile(kept, [0, 25, 50, 75, 100])
    sd = float(np.std(kept, ddof=1)) if len(kept) > 1 else math.nan
    mean = math.fsum(kept.tolist()) / len(kept)
    return {"count": len(kept), "mean": mean, "sd": sd, **dict(zip(names, quartiles.tolist(), strict=True))}


# Lost value: how far the value of each query is below the best possible, times how often it is asked.


def headroom_table(scores: Values, m: int, systems: list[int], n: int | None) -> Table:
    """Rank queries by lost value = frequency x (ideal - actual), the greatest first: see `Scores.lost_value`.

    Raises
    ------
    UsageError
        If there are no frequencies, or more is not better under the measure.
    """
    measure = scores.measures[m]
    if not measure.definition.properties.has_best_list or not measure.definition.is_plain:
        raise UsageError(f"{measure} has no ideal value, so nothing can be lost. Use nDCG@10 or DCG@10.")
    frequency = scores.table.frequencies(scores.queries, scores.in_scope)
    unknown = np.flatnonzero(np.isnan(frequency) & scores.in_scope)
    ideals = compute_per_query(scores, partial(_ideal_values_in_bucket, measure=measure))
    rows: list[PerQuery] = []
    for s in systems:
        ideal, actual = ideals[s], scores.values[s, m]
        lost = frequency * (ideal - actual)
        columns = {"frequency": frequency, scores.labels[m]: actual, "ideal": ideal, "lost": lost}
        rows.append(PerQuery(s, np.concatenate([sort_places(-lost), unknown])[:n], columns))
    return query_table(scores, m, rows, "lost value")


def _ideal_values_in_bucket(joins: list[Join], measure: Measure) -> Floats:
    return np.array([ideal_values(join.lists_for(measure.on_lists), measure) for join in joins])


def ideal_values(joined: SystemLists, measure: Measure) -> Floats:
    """Return (Q,) the value of a measure when just the good documents are returned, best first.

    Good are the relevant ones, for graded measures those of a gain above 0. A query for which the
    measure is 0/0 then has the value `no_relevant` gives it, NaN if it is left out.
    """
    decisions = measure.decisions
    values = measure.steps(ideal_lists(joined, measure)).scores(decisions)
    return np.where(np.isnan(values), fill_of_no_relevant(decisions), values)


def ideal_lists(joined: SystemLists, measure: Measure) -> JudgedLists:
    """Return lists of just the good documents, best first."""
    # An ideal list has no unjudged results and no ties, so the decisions on both must not change it.
    lists = arrange(joined.lists, measure.decisions.but(unjudged="zero", ties="given"))
    grade = lists.pool_grade
    order = np.lexsort((-grade, -gain_of_user(grade, measure), lists.pool_query))
    good = is_good(grade, measure)
    start, chosen = offsets(segment_counts(good, lists.pool_start)), order[good[order]]
    rank = places(start)
    return replace(
        lists, returned=np.diff(start), hit_start=start, rank=rank, grade=grade[chosen], entry=lists.pool_entry[chosen],
        row=np.full(len(rank), -1), tie_first=rank, tie_last=rank, form="sparse", ranks="exact",
    )  # fmt: skip


def gain_of_user(grade: Floats, measure: Measure) -> Floats:
    """Return what orders documents of these grades in the ideal list: their gain, or their grade."""
    return gains(grade, measure.decisions) if "gain" in measure.definition.reads else grade


def is_good(grade: Floats, measure: Measure) -> Mask:
    """Whether documents of these grades are relevant; for graded measures, whether they have a gain above 0."""
    if "relevant_from" in measure.definition.reads:
        return reaches(grade, measure.decisions.relevant_from)
    return gain_of_user(grade, measure) > 0


# C/W/L measures model a user who reads down the list: what this user reads and gets.


READ_COLUMNS = {
    "total": Annotated[float | None, "Expected total utility. Null without a reader."],
    "cost": Annotated[float | None, "Expected total cost, where every result read costs 1. Null without a reader."],
    "depth": Annotated[float | None, "Expected number of results read. Null without a reader."],
    "residual": Annotated[
        float | None,
        "How much higher the value is if all that nobody judged is of the highest worth. Null without a reader.",
    ],
}
"""What is reported beside the expected utility, which is the value of the measure."""

READINGS_ROW = RowType({"measure": MeasureName, "mean": Mean, **READ_COLUMNS, "system": NotRequired[SystemName]})


def readings_table(scores: Values) -> Table:
    """Return one row per measure (and system): its mean, and what its reader reads and gets: see `Scores.readings`."""
    columns = {(s, m): row for m in range(len(scores.measures)) for s, row in enumerate(_mean_readings(scores, m))}
    return table_with_means(scores, columns, "readings")


def reading_table(scores: Values, m: int, systems: list[int]) -> Table:
    """Return one row per query (and system): its value, and what its reader reads and gets: see `Scores.reading`."""
    found = compute_per_query(scores, partial(_readings_in_bucket, measure=scores.measures[m]))
    columns = [dict(zip(READ_COLUMNS, found[s], strict=True)) for s in systems]
    return query_columns(scores, m, systems, columns, "reading")


def _mean_readings(scores: Values, m: int) -> list[dict[str, float]]:
    """Average over the queries that count, each alike, for each system; NaN without a reader."""
    none = dict.fromkeys(READ_COLUMNS, math.nan)
    if scores.measures[m].definition.reading is None:
        return [none] * len(scores.systems)
    found = compute_per_query(scores, partial(_readings_in_bucket, measure=scores.measures[m]))
    there = ~np.isnan(scores.values[:, m])
    return [
        {name: float(each[counted].mean()) for name, each in zip(READ_COLUMNS, of, strict=True)}
        if counted.any()
        else none
        for of, counted in zip(found, there, strict=True)
    ]


def _readings_in_bucket(joins: list[Join], measure: Measure) -> Floats:
    """(S, 4, Q) what the reader of a measure reads and gets."""
    found = (read_as_user(join.lists_for(measure.on_lists), measure) for join in joins)
    return np.array([list(each.values()) for each in found])


def read_as_user(joined: SystemLists, measure: Measure) -> dict[str, Floats]:
    """(Q,) total utility, cost and depth of the reading, and its residual, query by query.

    Raises
    ------
    UsageError
        If the measure has no reader.
    """
    function = measure.definition.reading
    if function is None:
        readers = ", ".join(definition.name for definition in DEFINITIONS if definition.reading)
        raise UsageError(f"{measure} does not model a reader. Use a measure that does: {readers}.")
    read = measure.computed(arrange(joined.lists, measure.on_lists), function)
    return {name: getattr(read, name) for name in READ_COLUMNS}
