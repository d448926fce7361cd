"""The sections of a report that are tables: inputs, measures, means, comparisons, queries, settings."""

from __future__ import annotations

import hashlib
import math
from collections.abc import Iterator
from typing import Any, cast

import numpy as np

from idealrank.comparison.comparison import Comparison
from idealrank.comparison.findings import MOST_VERDICTS
from idealrank.comparison.segments.attributes import Attribute, attributes
from idealrank.comparison.settings_grid import setting_columns
from idealrank.comparison.types import DifferenceRow
from idealrank.comparison.unjudged.bounds import Bounds
from idealrank.comparison.unjudged.buckets import UnjudgedResults
from idealrank.data.documents import Documents
from idealrank.data.formats.source import Origin, Source
from idealrank.data.judgments import Judgments
from idealrank.data.latency_columns import PREFIX, WHOSE
from idealrank.data.results import Results
from idealrank.display.numbers import number, numbers
from idealrank.display.table import Table
from idealrank.engines.replay_record import describe_record
from idealrank.errors import plural
from idealrank.evaluation.latency import known_clocks
from idealrank.evaluation.mean_tables import (
    average_name,
    in_mean,
    is_arithmetic_mean,
    mean_interval,
    mean_over,
    means_rows,
    measure_table,
)
from idealrank.evaluation.scores import Scores
from idealrank.evaluation.values import Values
from idealrank.reports.sections.shown_queries import ShownQueries
from idealrank.reports.types import Compared, DocumentsPart, GridPart, InputEntry, MeasureEntry

# Inputs.


def inputs(
    queries: ShownQueries, titles: Documents | None, shown: DocumentsPart, comparison: Comparison | None = None
) -> list[InputEntry]:
    """Return one entry per table: role, name, rows, what it was read as, SHA-256 of its content, what was asked.

    Parameters
    ----------
    queries
        Some queries with their lists.
    titles, shown
        The table of documents, and the documents of the report: it is said how many of them have no title.
    comparison
        Whose judge and sample were read, too; None for none.
    """
    scores, counts = queries.lists, queries.scores.counts
    tables: dict[str, list[Judgments | Results]] = {
        "judgments": [scores.joins[0].judgments],
        "results": [join.results for join in scores.joins],
    }
    texts = {columns.table: columns.text for columns in scores.ledger.tables}
    entries: dict[tuple[str, int], InputEntry] = {}
    for role, each in tables.items():
        for place, table in enumerate(each):
            counted = counts.returned[place] if role == "results" else counts.judged
            entries[role, id(table)] = {
                "role": role,
                "name": table.name,
                "rows": counted.table_rows,
                "read_as": texts.get(table.name, table.form),
                "sha256": table.source.sha256() or (None if table.whole else _source_hash(table.source)),
            }
            if role == "results" and (record := counts.returned[place].record) is not None:
                entries[role, id(table)]["asked"] = describe_record(record)
    return [*entries.values(), *_inputs_of_judge(comparison), *_other_inputs(scores, titles, shown)]


def _inputs_of_judge(comparison: Comparison | None) -> Iterator[InputEntry]:
    """Yield the grades of a cheap judge and the sample of queries, where there are any."""
    if comparison is None or not comparison.calibration:
        return
    by = next(iter(comparison.calibration.values())).by  # all pairs have one judge and one sample
    grades, sample = by.scores.joins[0].judgments, by.sample
    text = f"the judge's grades, {grades.form}" if grades.form else "the judge's grades"
    entry = _other_input("judgments", grades.name, text, grades.source.origin)
    yield {**entry, "rows": grades.source.frame.rows, "sha256": entry["sha256"] or _source_hash(grades.source)}
    drawn = f"the sample: {len(sample.drawn):,} drawn of {plural(len(sample.queries), 'query')}"
    yield {**_other_input("queries", sample.name, drawn, None), "rows": len(sample.queries)}


def _other_inputs(scores: Scores, titles: Documents | None, shown: DocumentsPart) -> Iterator[InputEntry]:
    """Yield the table of queries and that of documents, where they were given."""
    for table in dict.fromkeys(scores.table.tables):
        yield _other_input("queries", table.name, f"columns {', '.join(table.columns)}", table.origin)
    if titles is not None:
        untitled, many = (shown["title"] or []).count(None), plural(len(shown["id"]), "document")
        yield _other_input("documents", titles.name, f"{untitled} of {many} shown have no title", titles.origin)


def _other_input(role: str, name: str, read_as: str, origin: Origin | None) -> InputEntry:
    return {"role": role, "name": name, "rows": None, "read_as": read_as, "sha256": _file_hash(origin)}


def _file_hash(origin: Origin | None) -> str | None:
    """Return the hash of the file a table was read from; None where it was none, or has changed since."""
    return None if origin is None else origin.sha256()


def _source_hash(source: Source) -> str:
    """Hash the columns of a table whose file is not at hand: name and values as text."""
    whole = hashlib.sha256()
    for place, name in enumerate(source.frame.names):
        values = "\x1f".join(map(str, source.frame.column(place).to_list(None)))
        whole.update(f"{name}\x1e{values}\x1d".encode("utf-8", "surrogatepass"))
    return whole.hexdigest()


# The comparison.


def comparison_section(comparison: Comparison) -> Compared:
    """Return the verdicts, the differences, the rule, the methods, and which queries only one system answered."""
    verdicts = list(comparison.verdict.values())
    return {
        "verdicts": [verdict.to_dict() for verdict in verdicts],
        "differences": cast("list[DifferenceRow]", comparison.differences.rows()),
        "ahead": [list(pair) for pair in comparison.ahead],
        "rule": verdicts[0].rule,
        "methods": comparison.methods.text,
        "together": comparison.methods.together,
        "level": comparison.methods.level,
        "equivalence": comparison.rule.equivalence,
        "bar": comparison.rule.bar,
        "one_sided": comparison.one_sided,
        "weight_0": list(comparison.pairing.weightless),
        "unchanged": _count_unchanged(comparison),
    }


def _count_unchanged(comparison: Comparison) -> dict[str, int]:
    """Count the queries in which nothing changed, by pair; of many pairs nobody asks."""
    if len(comparison.pairing.pairs) > MOST_VERDICTS:
        return {}
    return {comparison.pairing.pair_label(pair): len(queries) for pair, queries in comparison.unchanged.items()}


# Settings.


def grid(comparison: Comparison | None) -> GridPart | None:
    """Return the settings with their values in order, and a row per point; None where systems are on no grid.

    Examples
    --------
    >>> import idealrank as ir
    >>> runs = {f"q boost={boost}": {"a": {"d": 1.0}, "b": {"d": 1.0}} for boost in (10, 9)}
    >>> found = grid(ir.compare({"a": {"d": 1}, "b": {"d": 1}}, runs, ["RR"]))
    >>> found["settings"], found["points"][0]["system"], found["points"][0]["RR"]
    ({'boost': [9, 10]}, 'q boost=9', 1.0)
    """
    found = None if comparison is None else comparison.grid
    if found is None or comparison is None:
        return None
    names = setting_columns(found)
    values = {name: list(dict.fromkeys(found[name])) for name in names}
    settings = {name: sorted(each) if found.numeric(name) else each for name, each in values.items()}
    about = comparison.tuning.pairing if comparison.tuning else comparison.pairing
    return {"settings": settings, "measure": about.scores.labels[0], "points": found.rows()}


def tuning(comparison: Comparison | None) -> dict[str, Any] | None:
    """Return how a system was chosen on other queries; None where nothing was held out."""
    found = None if comparison is None else comparison.tuning
    return None if found is None else {"text": found.text, **found.to_dict()}


# Latency.


def latency(scores: Scores, comparison: Comparison | None) -> dict[str, Any] | None:
    """Return the quantiles of each system and their changes; None where the results do not say how long they took.

    Returns
    -------
    clock: ``latency`` or ``took``, which of them is shown first, and its meaning; p95: the name of its 95th percentile
    in the rows; systems: the rows of `Scores.latency`; differences: those of `Comparison.latency`. An end that has no
    bound is None.

    Examples
    --------
    >>> import idealrank as ir
    >>> latency(ir.evaluate({"q": {"d": 1}}, {"q": {"d": 1.0}}, ["RR"]), None) is None
    True
    """
    clocks = known_clocks(scores)
    if not clocks:
        return None
    first = clocks[0]
    changes = [] if comparison is None else comparison.latency.rows()
    return {
        "clock": first, "meaning": WHOSE[first], "p95": f"{PREFIX[first]}p95", "systems": scores.latency.rows(),
        "differences": changes,
    }  # fmt: skip


# Means.


def means_if_judged(scores: Values) -> Table:
    """Return the means with their intervals, and the lowest and the highest mean that the holes allow.

    These are NaN where they are not known.
    """
    bounds = UnjudgedResults(scores).bounds
    rows = [row | _range_of_mean(scores, row["system"], row["measure"], bounds) for row in means_rows(scores)]
    return measure_table(scores, rows, "means")


def _range_of_mean(scores: Values, system: str, label: str, every: list[dict[int, Bounds]]) -> dict[str, float]:
    s, m = scores.systems.index(system), scores.labels.index(label)
    bounds, keep = every[m][s], in_mean(scores, s, m)
    if bounds.kind == "unknown" or not is_arithmetic_mean(scores, s, m) or not keep.any():
        return {"lowest": math.nan, "highest": math.nan}
    low, high = (np.where(keep, end, np.nan) for end in (bounds.low, bounds.high))
    measure = scores.measures[m]
    return {"lowest": scores.average(s, measure, low), "highest": scores.average(s, measure, high)}


# Measures.


def measure_entries(scores: Scores, m: int) -> MeasureEntry:
    """Describe the measure at a place among those of the scores.

    Examples
    --------
    >>> import idealrank as ir
    >>> entry = measure_entries(ir.evaluate({"q": {"a": 1}}, {"q": {"a": 1.0}}, ["RR"]), 0)
    >>> entry["label"], entry["direction"], entry["lowest"], entry["highest"]
    ('RR', 'higher', 0.0, 1.0)
    """
    measure = scores.measures[m]
    promised = measure.definition.properties
    return {
        "label": scores.labels[m],
        "fingerprint": measure.fingerprint,
        "direction": promised.direction,
        "cutoff": measure.cutoff,
        "over": average_name(scores, m),
        "lowest": number(promised.lowest),
        "highest": number(promised.highest),
        "meaning": measure.definition.title,
    }


# Queries.


def queries(shown: ShownQueries) -> dict[str, Any]:
    """(Q,) ids, texts and weights, and every column of the queries table; None where there are none.

    `all` is the number of all queries, and `note` says which of them are shown.
    """
    scores = shown.scores
    ids = shown.of(scores.queries)
    others = [name for name in scores.table.attributes if name != scores.table.text]
    return {
        "all": len(scores.queries),
        "note": shown.note,
        "id": ids,
        "text": [scores.texts.get(key) for key in ids] if scores.texts else None,
        "weight": None if scores.weights is None else numbers(scores.weights[shown.places]),
        "attributes": {name: list(scores.table.values(name, ids)) for name in others},
    }


def values(shown: ShownQueries) -> dict[str, Any]:
    """(Q,) values by measure and system; None where the query is left out.

    Examples
    --------
    >>> import idealrank as ir
    >>> from idealrank.reports.sections.shown_queries import shown_queries
    >>> values(shown_queries(ir.evaluate({"q": {"d": 1}}, {"q": {"d": 1.0}}, ["RR"]), None))
    {'RR': {'results': [1]}}
    """
    scores = shown.scores
    return {
        label: {system: numbers(scores.values[s, m, shown.places]) for s, system in enumerate(scores.systems)}
        for m, label in enumerate(scores.labels)
    }


def states(shown: ShownQueries) -> list[dict[str, Any]]:
    """One row per system and query with special handling; where not all queries are shown, of those that are."""
    ledger = shown.scores.ledger
    return (ledger if shown.all else ledger.at(shown.places)).exceptions.rows()


# Segments.


def segments(shown: ShownQueries, comparison: Comparison | None) -> dict[str, Any]:
    """Return how the segments are made, the segment of each query, means by segment, and the differences.

    Returns
    -------
    By attribute ``made`` and ``titles`` (words) and ``labels`` (Q,); ``means`` and ``differences`` are rows; all are
    empty where nothing tells queries apart.
    """
    scores = shown.scores
    names = comparison.segment if comparison is not None else ()
    shared = attributes(scores, names)
    return {
        "made": {attribute.name: attribute.made for attribute in shared},
        "titles": {attribute.name: _attribute_title(attribute) for attribute in shared},
        "labels": {a.name: [a.label(q) for q in shown.places.tolist()] for a in shared},
        "means": [row for attribute in shared for row in _segment_means(scores, attribute)],
        "differences": [] if comparison is None else _segment_differences(comparison),
    }


_TITLES = {"length": "words in the query", "digit": "contains a number", "results": "results from"}
"""What built-in attributes are called where a reader chooses one."""


def _attribute_title(attribute: Attribute) -> str:
    """Return what an attribute is called; a column of the table keeps its name."""
    return attribute.name if attribute.made.startswith("column ") else _TITLES.get(attribute.name, attribute.name)


def _segment_differences(comparison: Comparison) -> list[dict[str, Any]]:
    """Return the rows of the segments that contain a paired query."""
    return [row for row in comparison.segments.table.rows() if row["queries"]] if comparison.segments.rows else []


def _segment_means(scores: Scores, attribute: Attribute) -> list[dict[str, Any]]:
    made = []
    for name, mask in attribute.segments.items():
        for m, label in enumerate(scores.labels):
            for s, system in enumerate(scores.systems):
                keep = mask & in_mean(scores, s, m)
                if keep.any():
                    row = {"attribute": attribute.name, "segment": name, "measure": label, "system": system}
                    low, high = map(number, mean_interval(scores, s, m, keep))
                    mean = number(mean_over(scores, s, m, keep))
                    made.append(row | {"queries": int(keep.sum()), "mean": mean, "low": low, "high": high})
    return made
