"""history: a measure over dates, with intervals, and what made it change."""

from __future__ import annotations

import math
import os
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Annotated, Any, ClassVar, NamedTuple, Unpack

import numpy as np

from idealrank.data.judgments import Judgments
from idealrank.data.read import read_judgments
from idealrank.decisions.decisions import naming, refuse_unknown
from idealrank.display.blocks import Block, Grid, Heading, Lines, TextColumn
from idealrank.display.document import Described, Shown
from idealrank.display.numbers import number_text, span_text
from idealrank.display.schema import Named
from idealrank.display.table import Table
from idealrank.errors import DataError, StrangersError, UsageError, either, listed, plural
from idealrank.evaluation.evaluate import EvaluationOptions, evaluate
from idealrank.evaluation.scores import Scores
from idealrank.measures.definition import Measure
from idealrank.regression.baseline import Baseline, baseline_of, read_baseline
from idealrank.regression.baseline_diff import answers_changed, differences
from idealrank.regression.dates import DatedFiles, date_in, files_by_date, ordered, without_date
from idealrank.regression.types import HISTORY_ROW
from idealrank.statistics.intervals import interval
from idealrank.statistics.sample import UNBOUNDED

_OWN = ("judgments", "measures", "convention", "queries", "only", "exclude")


class DatedScores(NamedTuple):
    """What is known of one date: its name, its date, the scores if there are lists, a baseline per system."""

    name: str
    date: str
    scores: Scores | None
    baselines: Mapping[str, Baseline]
    judgments: Judgments | None = None
    results: Any = None


@naming(EvaluationOptions)
def history(
    results: Any,
    *,
    judgments: Any = None,
    measures: Sequence[str | Measure] | str | None = None,
    **options: Unpack[EvaluationOptions],
) -> History:
    """Follow measures over dates, and say what made them change: lists, labels or queries.

    Parameters
    ----------
    results
        A file or a folder per date, as a list of paths or as one folder that contains them; baselines that `bless`
        wrote are taken, too. The date is in the name (2026-11-23, 20261123, with a time or without, 2026-11,
        2026-W41), or in the record of a replay. Or ``{date: results}``, where results are whatever `evaluate` takes.
    judgments
        One table for all dates, or ``{date: judgments}``. None: those that lie beside the results, in the folder of
        the date or with the same date in their name; baselines need none.
    measures
        One name or several. None: nDCG@10; of baselines, every measure that all of them have.
    **options
        `convention`, `queries`, `only` and answers to decisions, as for `evaluate`.

    Returns
    -------
    History: one row per measure, system and date.

    Raises
    ------
    DataError
        If files cannot be read, or a date has no judgments.
    UsageError
        If a name is not known, or a baseline has no values of a measure.

    Examples
    --------
    >>> qrels = {"q1": {"a": 1}, "q2": {"a": 1}}
    >>> good, bad = {"a": 2.0, "b": 1.0}, {"b": 2.0, "a": 1.0}
    >>> results = {"2026-11-01": {"q1": good, "q2": bad}, "2026-11-02": {"q1": good, "q2": good}}
    >>> found = history(results, judgments=qrels, measures="RR")
    >>> [(row["date"], row["mean"], row["why"]) for row in found.table]
    [('2026-11-01', 0.75, ''), ('2026-11-02', 1.0, 'results changed in 1 query (q2)')]
    """
    refuse_unknown((name for name in options if name not in _OWN), _OWN)
    names = [measures] if isinstance(measures, (str, Measure)) else list(measures or ())
    if isinstance(results, Mapping):
        moments = [DatedFiles(str(name), date_in(str(name)), ()) for name in results]
        given = list(results.values())
    else:
        moments = files_by_date([os.fspath(results)] if isinstance(results, (str, os.PathLike)) else results)
        given = [_results_of(moment) for moment in moments]
    return history_of(moments, given, _judgments_by_date(judgments, moments), names, options)


def history_of(
    moments: Sequence[DatedFiles], results: Sequence[Any], judgments: Sequence[Any], names: Sequence[Any], options: Any
) -> History:
    """Follow measures over dates, of which results and judgments are given one by one; no names: those of baselines."""
    omitted: tuple[str, ...] = ()
    if not names:
        names, omitted = _shared_measures([each for each in results if isinstance(each, Baseline)])
    given = zip(moments, results, judgments, strict=True)
    found = _merge_lone_systems([_evaluate_date(*each, names, options) for each in given])
    order, note = ordered(moments, [each.date for each in found])
    unranked = dict.fromkeys(text for each in found if each.scores is not None for text in each.scores.ledger.row_order)
    return History(tuple(_points_of([found[i] for i in order], names, options)), note, omitted, tuple(unranked))


def _shared_measures(baselines: Sequence[Baseline]) -> tuple[list[str], tuple[str, ...]]:
    """Return the measures that all baselines have, and those that only some have; nDCG@10 where there is none."""
    if not baselines:
        return ["nDCG@10"], ()
    every = list(dict.fromkeys(name for each in baselines for name in each.measures))
    shared = [name for name in every if all(name in each.measures for each in baselines)]
    if not shared:
        raise UsageError(
            f"No measure is in all of these {len(baselines)} baselines, only {listed(every)} in some. "
            "Give baselines that were blessed under the same measures."
        )
    return shared, tuple(name for name in every if name not in shared)


def _results_of(moment: DatedFiles) -> Any:
    if moment.baseline:
        return read_baseline(moment.results[0])
    return moment.results[0] if len(moment.results) == 1 else list(moment.results)


def _judgments_by_date(judgments: Any, moments: Sequence[DatedFiles]) -> list[Any]:
    """Return the judgments of each date; one table for all is read once."""
    if isinstance(judgments, Mapping) and {m.name for m in moments} <= set(map(str, judgments)):
        by_name = {str(name): table for name, table in judgments.items()}
        return [by_name[moment.name] for moment in moments]
    if judgments is None:
        return [moment.judgments for moment in moments]
    table = judgments if isinstance(judgments, Judgments) else read_judgments(judgments)
    return [table] * len(moments)


def _evaluate_date(
    moment: DatedFiles, results: Any, judgments: Any, names: Sequence[Any], options: Mapping[str, Any]
) -> DatedScores:
    if isinstance(results, Baseline):
        return DatedScores(moment.name, moment.date or results.date, None, {without_date(results.system): results})
    if judgments is None:
        way = either("judgments=…", "--judgments FILE")
        raise DataError(
            f"{moment.name}: no judgments for it. Give {way}, or put a file called judgments beside the results."
        )
    table = judgments if isinstance(judgments, Judgments) else read_judgments(judgments)
    scores = evaluate(table, results, names, **options)
    baselines = {system: baseline_of(scores, system) for system in scores.systems}
    date = moment.date or next(iter(baselines.values())).date
    return DatedScores(moment.name, date, scores, _names_without_dates(baselines), table, results)


def _names_without_dates(baselines: Mapping[str, Baseline]) -> dict[str, Baseline]:
    """Call systems by their names without the date, where that leaves them apart."""
    plain = {without_date(name): baseline for name, baseline in baselines.items()}
    return plain if len(plain) == len(baselines) else dict(baselines)


def _merge_lone_systems(found: Sequence[DatedScores]) -> list[DatedScores]:
    """Take what each date has one of as one system, whatever it is called on each: its name becomes ""."""
    when = {dated.date or dated.name for dated in found}
    if len(when) < len(found) or any(len(dated.baselines) > 1 for dated in found):
        return list(found)
    return [dated._replace(baselines={"": next(iter(dated.baselines.values()))}) for dated in found]


def _points_of(found: Sequence[DatedScores], names: Sequence[Any], options: Mapping[str, Any]) -> list[Point]:
    """Return a point per measure, system and date, each with the change since the system's last date."""
    points: list[Point] = []
    last: dict[str, DatedScores] = {}
    for dated in found:
        again = {
            name: _old_lists_regraded(last[name], dated, name, names, options)
            for name in dated.baselines
            if name in last
        }
        for system, baseline in dated.baselines.items():
            for measure in _measures_shown(baseline, dated, names):
                before = last[system].baselines[system] if system in last else None
                change = None if before is None else _change_since(before, baseline, measure, again[system])
                points.append(Point(dated.name, dated.date, system, measure, baseline, change))
        last |= dict.fromkeys(dated.baselines, dated)
    return points


def _measures_shown(baseline: Baseline, dated: DatedScores, names: Sequence[Any]) -> list[str]:
    """Return the measures to show: those asked for, by their names in the baseline."""
    if dated.scores is not None:
        return list(dated.scores.labels)
    lost = [str(name) for name in names if str(name) not in baseline.measures]
    if lost:
        raise UsageError(
            f"{dated.name}: no values of {listed(lost)} in this baseline, only of {', '.join(baseline.measures)}."
        )
    return [str(name) for name in names]


def _change_since(
    before: Baseline, after: Baseline, measure: str, again: Mapping[str, Mapping[str, float]] | None
) -> MeanChange | None:
    if measure not in before.measures:
        return None
    return change_between(before, after, measure, None if again is None else again[measure])


def _old_lists_regraded(
    before: DatedScores, after: DatedScores, system: str, names: Sequence[Any], options: Mapping[str, Any]
) -> dict[str, dict[str, float]] | None:
    """Evaluate the old lists under the new labels, where both are known and judgments changed."""
    if before.scores is None or after.scores is None or before.judgments is after.judgments:
        return None
    old, new = before.baselines[system], after.baselines[system]
    same = all(row.judgments == new.queries[q].judgments for q, row in old.queries.items() if q in new.queries)
    if same and old.max_grade == new.max_grade:
        return None
    try:
        scores = evaluate(after.judgments, before.results, names, **options)
    except StrangersError:  # nothing of the old lists is judged any more
        return None
    s = scores.systems.index(old.system)
    return {label: _values_by_query(scores, s, m) for m, label in enumerate(scores.labels)}


def _values_by_query(scores: Scores, s: int, m: int) -> dict[str, float]:
    values = zip(scores.queries, np.asarray(scores.values[s, m]).tolist(), strict=True)
    return {query: value for query, value in values if not math.isnan(value)}


# History: a table over dates, and how it is shown.


BARS = "▁▂▃▄▅▆▇█"
"""Heights of a bar, the lowest first."""

LEVEL_OF_HISTORY = 0.95
"""Confidence of the intervals."""


@dataclass(frozen=True)
class Point:
    """One measure of one system on one date.

    Attributes
    ----------
    name, date
        The file, folder or key it is from, and its date; "" where there is none.
    system
        The system; "" where each date has one.
    measure
        The name of the measure.
    baseline
        The values by query, with hashes of lists and judgments.
    change
        What changed since the date before; None of the first.
    """

    name: str
    date: str
    system: str
    measure: str
    baseline: Baseline
    change: MeanChange | None

    @property
    def when(self) -> str:
        """The date, or the name where there is none."""
        return self.date or self.name

    @property
    def mean(self) -> float:
        """The mean of the measure."""
        return self.baseline.mean(self.measure)

    @property
    def ends(self) -> tuple[float, float]:
        """Student's interval of an arithmetic mean at 95 %; NaN where there is none."""
        meant = self.baseline.measure(self.measure)
        plain = meant.definition.total == "mean" and meant.decisions.average == "arithmetic"
        values = list(self.baseline.values(self.measure).values())
        if len(values) < 2 or not plain or self.baseline.weighted:
            return math.nan, math.nan
        promised = meant.definition.properties
        within = all(promised.lowest <= value <= promised.highest for value in values)
        bounds = (promised.lowest, promised.highest) if within else UNBOUNDED
        span = interval("student_t", values, None, LEVEL_OF_HISTORY, seed=0, bounds=bounds)
        return (span.low, span.high) if math.isfinite(span.low + span.high) else (math.nan, math.nan)


@dataclass(frozen=True, eq=False, repr=False)
class History(Shown, Described):
    """Measures over dates.

    Attributes
    ----------
    points
        One per measure, system and date, by date.
    note
        What is to be said of the order; "" where dates are known.
    omitted
        The measures that only some of the baselines have, if none was asked for: they are not followed.
    unranked
        What is to be said of results whose rows are ranked as they stand, without ranks and scores.
    """

    _instead: ClassVar[dict[str, str]] = {"to_pandas": "history.table.to_pandas()", "plot": "ir.plots.history(history)"}

    points: tuple[Point, ...]
    note: Annotated[str, "Why rows are in the order in which files were given; empty if all dates are known."] = ""
    omitted: Annotated[
        tuple[str, ...], "Measures that only some baselines have; they are not followed unless -m names them."
    ] = ()
    unranked: Annotated[
        tuple[str, ...], "What is to be said of results that have their order from the rows of their tables."
    ] = ()

    @property
    def notes(self) -> list[tuple[str, str]]:
        """What is to be said below it: of the order, and of measures that are not followed."""
        left = f"not in every baseline, so not shown: {', '.join(self.omitted)}"
        notes = [("order", text) for text in ([self.note] if self.note else []) + list(self.unranked)]
        return [*notes, *([("measures", left)] if self.omitted else [])]

    def lines(self) -> dict[tuple[str, str], list[Point]]:
        """Return the points of each measure and system, by date."""
        found: dict[tuple[str, str], list[Point]] = {}
        for point in self.points:
            found.setdefault((point.measure, point.system), []).append(point)
        return found

    @property
    def table(self) -> Annotated[Table, Named("history"), HISTORY_ROW, "A row per measure, system and date, by date."]:
        """One row per measure, system and date: mean, interval, change with its parts, and why."""
        points = [point for line in self.lines().values() for point in line]
        texts = {name: [getattr(point, name) for point in points] for name in ("measure", "system", "date", "name")}
        if not any(texts["system"]):
            del texts["system"]
        ends = np.array([point.ends for point in points]).reshape(-1, 2)
        numbers = {"mean": np.array([point.mean for point in points]), "low": ends[:, 0], "high": ends[:, 1]}
        parts = {name: np.array([_part(point, of) for point in points]) for name, of in PARTS.items()}
        counted = {name: np.array([_count(point, name) for point in points], np.int64) for name in COUNTS}
        queries = {"queries": np.array([len(point.baseline.values(point.measure)) for point in points], np.int64)}
        why = {"why": [point.change.why if point.change else "" for point in points]}
        stated = {"fingerprint": [point.baseline.measures[point.measure] for point in points]}
        return Table({**texts, **queries, **numbers, **parts, **counted, **why}, "history", stated, HISTORY_ROW)

    def shown(self) -> list[Block]:
        """Return a grid per measure and system, with a bar per date."""
        notes: list[Block] = (
            [Lines(self.notes, indent=max(len(name) for name, _ in self.notes) + 3)] if self.notes else []
        )
        several = len({system for _, system in self.lines()}) > 1
        blocks = (_shown(measure, system, line, several) for (measure, system), line in self.lines().items())
        return [*(block for pair in blocks for block in pair), *notes]


PARTS = {"change": "total", "by lists": "lists", "by labels": "labels", "by both": "both", "by queries": "queries"}
COUNTS = ("lists_changed", "labels_changed", "added", "removed")
"""The columns of a change: the parts it is taken apart into, and how many queries each is about."""


def _part(point: Point, name: str) -> float:
    return math.nan if point.change is None else float(getattr(point.change, name))


def _count(point: Point, name: str) -> int:
    return 0 if point.change is None else int(getattr(point.change, name))


def _shown(measure: str, system: str, line: Sequence[Point], several: bool) -> list[Block]:
    spans = [span_text(*point.ends, sign="") for point in line]
    changes = [point.change for point in line]
    columns = [
        TextColumn("date", [point.when for point in line], numeric=False, whole=True),
        TextColumn("", bars(point.mean for point in line), numeric=False, whole=True),
        TextColumn("mean", [number_text(point.mean, ".4f") for point in line], numeric=True),
        TextColumn("95% interval", spans, numeric=True, spare=True),
        TextColumn(
            "change", ["" if each is None else number_text(each.total, "+.4f") for each in changes], numeric=True
        ),
        TextColumn("why", ["" if each is None else each.why for each in changes], numeric=False),
    ]
    name = f"{measure}: {system}" if several and system else measure
    return [Heading("{}", (name,)), Grid(columns)]


def bars(values: Iterable[float]) -> list[str]:
    """Draw a bar for each value, from the lowest to the highest of them; nothing for one that is missing.

    Examples
    --------
    >>> bars([0.1, 0.2, 0.3]), bars([0.5, 0.5]), bars([float("nan"), 1.0])
    (['▁', '▅', '█'], ['▄', '▄'], ['', '▄'])
    """
    every = list(values)
    known = [value for value in every if math.isfinite(value)]
    low, high = min(known, default=0.0), max(known, default=0.0)
    middle = BARS[len(BARS) // 2 - 1]
    scale = (len(BARS) - 1) / (high - low) if high > low else 0.0
    heights = (BARS[math.floor((value - low) * scale + 0.5)] if scale else middle for value in known)
    return ["" if not math.isfinite(value) else next(heights) for value in every]


# Why a mean changed from one date to the next: exactly the parts of its lists, its labels and its queries.


Values = Mapping[str, float]

NAMED = 3
"""Queries that are named, at most."""


@dataclass(frozen=True)
class MeanChange:
    """What a mean changed by, and why.

    The change is taken apart by going one step at a time, and the parts sum to it exactly. With A the average of the
    measure, V00 the values of the old lists under the old labels, V01 of the old lists under the new labels, V11 of
    the new lists under the new labels, and C the queries that have all three:

    - queries: [A(V00 over C) - A(V00)] + [A(V11) - A(V11 over C)]
    - labels: A(V01 over C) - A(V00 over C)
    - lists: A(V11 over C) - A(V01 over C)

    Where only hashes are known, V01 is V00 for a query whose judgments are the same, and V11 for one whose list is
    the same. Queries in which both changed cannot be taken apart: they are `both`.

    Attributes
    ----------
    total, lists, labels, both, queries
        The change of the mean, and its parts; NaN where there is no value, or decisions changed.
    relisted, emptied
        The queries whose lists changed, and those of them that had results and return nothing now.
    labels_changed, added, removed
        How many queries the other parts are about.
    decisions
        The decisions that changed, in words; then there are no parts.
    """

    total: float
    lists: float
    labels: float
    both: float
    queries: float
    relisted: tuple[str, ...]
    emptied: tuple[str, ...]
    labels_changed: int
    added: int
    removed: int
    decisions: str = ""

    @property
    def lists_changed(self) -> int:
        """The number of queries whose lists changed."""
        return len(self.relisted)

    @property
    def why(self) -> str:
        """Say what changed; of several things, with the part of each in the change."""
        if self.decisions:
            return f"decisions changed: {self.decisions}"
        asked = [
            (self.labels_changed, f"labels changed in {plural(self.labels_changed, 'query')}", self.labels),
            (
                self.lists_changed,
                f"results changed in {plural(self.lists_changed, 'query')}{self._lists_named}",
                self.lists,
            ),
            (self.both, "both in the same queries", self.both),
            (self.added or self.removed, f"queries +{self.added} −{self.removed}", self.queries),
        ]
        parts = [(what, number_text(part, "+.4f")) for count, what, part in asked if count]
        if len(parts) == 1:
            return parts[0][0]
        return "; ".join(f"{what} {part}" for what, part in parts) or "nothing"

    @property
    def _lists_named(self) -> str:
        """Name the queries that return nothing now, or else the queries whose lists changed if they are few."""
        if self.emptied:
            return f" (no results: {listed(self.emptied, NAMED)})"
        return f" ({', '.join(self.relisted)})" if 0 < len(self.relisted) <= NAMED else ""


def change_between(before: Baseline, after: Baseline, measure: str, relabelled: Values | None = None) -> MeanChange:
    """Take the change of a mean apart.

    Parameters
    ----------
    relabelled
        The values of the old lists under the new labels, by query; None: as far as hashes tell.

    Examples
    --------
    >>> import idealrank as ir
    >>> from idealrank.regression.baseline import baseline_of
    >>> def made(labels, lists):
    ...     return baseline_of(ir.evaluate(labels, lists, ["RR"]))
    >>> lists = {"q1": {"a": 2.0, "b": 1.0}, "q2": {"a": 2.0, "b": 1.0}}
    >>> old = made({"q1": {"a": 1}, "q2": {"b": 1}}, lists)
    >>> new = made({"q1": {"a": 0, "b": 1}, "q2": {"b": 1}}, lists | {"q2": {"b": 2.0, "a": 1.0}})
    >>> change_between(old, new, "RR").why
    'labels changed in 1 query −0.2500; results changed in 1 query (q2) +0.2500'
    """
    # Of this measure alone: what a baseline has besides may be a measure that is not known here.
    found = differences(before, replace(after, measures={measure: after.measures[measure]}))
    total = after.mean(measure) - before.mean(measure)
    emptied, regraded = (tuple(query for query, _ in pairs) for pairs in (found.emptied, found.judgments))
    about = (found.lists, emptied, len(regraded), len(found.added), len(found.gone))
    if before.measures[measure] != after.measures[measure]:
        answers = answers_changed(before, after, measure)
        return MeanChange(total, math.nan, math.nan, math.nan, math.nan, *about, answers)
    lists, labels, both = _parts_of_change(before, after, measure, relabelled, set(found.lists), set(regraded))
    return MeanChange(total, lists, labels, both, total - lists - labels - both, *about)


def _parts_of_change(
    before: Baseline, after: Baseline, measure: str, relabelled: Values | None, relisted: set[str], regraded: set[str]
) -> tuple[float, float, float]:
    """Return the parts of lists, labels, and both, over the queries that both have values of."""
    old, new = before.values(measure), after.values(measure)
    common = [q for q in old if q in new and (relabelled is None or q in relabelled)]
    if not common:
        return math.nan, math.nan, math.nan
    first = {q: old[q] for q in common}
    if relabelled is None:
        # The second step takes the queries of which only labels changed, the third those of which only lists did.
        same_scale = before.max_grade == after.max_grade or not after.measure(measure).reads_top
        second = {q: new[q] if q not in relisted and (q in regraded or not same_scale) else old[q] for q in common}
        third = {q: new[q] if q in relisted and q not in regraded and same_scale else second[q] for q in common}
    else:
        second, third = {q: relabelled[q] for q in common}, {q: new[q] for q in common}
    steps = [after.mean(measure, values) for values in (first, second, third, {q: new[q] for q in common})]
    return steps[2] - steps[1], steps[1] - steps[0], steps[3] - steps[2]
