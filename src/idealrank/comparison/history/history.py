"""history: a measure over dates, with intervals, and what made it change."""

from __future__ import annotations

import math
import os
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple, Unpack

import numpy as np

from idealrank.comparison.baseline.baseline import Baseline
from idealrank.comparison.baseline.dates import date_in, undated
from idealrank.comparison.baseline.making import baseline_of
from idealrank.comparison.baseline.reading import read_baseline
from idealrank.comparison.history.change import MeanChange, change_between
from idealrank.comparison.history.files import Moment, moments_of, ordered
from idealrank.comparison.history.timeline import History, Point
from idealrank.data.judgments import Judgments
from idealrank.data.read import read_judgments
from idealrank.decisions.keywords import naming, refuse_unknown
from idealrank.errors import DataError, StrangersError, UsageError, either, listed
from idealrank.evaluation.evaluate import evaluate
from idealrank.evaluation.options import EvaluationOptions
from idealrank.evaluation.scores import Scores
from idealrank.measures import Measure

_OWN = ("judgments", "measures", "convention", "queries", "only", "exclude")


class Dated(NamedTuple):
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
        moments = [Moment(str(name), date_in(str(name)), ()) for name in results]
        given = list(results.values())
    else:
        moments = moments_of([os.fspath(results)] if isinstance(results, (str, os.PathLike)) else results)
        given = [_source(moment) for moment in moments]
    return history_of(moments, given, _judgments(judgments, moments), names, options)


def history_of(
    moments: Sequence[Moment], results: Sequence[Any], judgments: Sequence[Any], names: Sequence[Any], options: Any
) -> History:
    """Follow measures over dates, of which results and judgments are given one by one; no names: those of baselines."""
    names, omitted = (names, ()) if names else _shared([each for each in results if isinstance(each, Baseline)])
    found = _as_one([_dated(m, r, j, names, options) for m, r, j in zip(moments, results, judgments, strict=True)])
    order, note = ordered(moments, [each.date for each in found])
    said = dict.fromkeys(text for each in found if each.scores is not None for text in each.scores.ledger.row_order)
    return History(tuple(_points([found[i] for i in order], names, options)), note, omitted, tuple(said))


def _shared(baselines: Sequence[Baseline]) -> tuple[list[str], tuple[str, ...]]:
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


def _source(moment: Moment) -> Any:
    if moment.baseline:
        return read_baseline(moment.results[0])
    return moment.results[0] if len(moment.results) == 1 else list(moment.results)


def _judgments(judgments: Any, moments: Sequence[Moment]) -> list[Any]:
    """Return the judgments of each date; one table for all is read once."""
    if isinstance(judgments, Mapping) and {m.name for m in moments} <= set(map(str, judgments)):
        by_name = {str(name): table for name, table in judgments.items()}
        return [by_name[moment.name] for moment in moments]
    if judgments is None:
        return [moment.judgments for moment in moments]
    table = judgments if isinstance(judgments, Judgments) else read_judgments(judgments)
    return [table] * len(moments)


def _dated(moment: Moment, results: Any, judgments: Any, names: Sequence[Any], options: Mapping[str, Any]) -> Dated:
    if isinstance(results, Baseline):
        return Dated(moment.name, moment.date or results.date, None, {undated(results.system): results})
    if judgments is None:
        way = either("judgments=…", "--judgments FILE")
        raise DataError(
            f"{moment.name}: no judgments for it. Give {way}, or put a file called judgments beside the results."
        )
    table = judgments if isinstance(judgments, Judgments) else read_judgments(judgments)
    scores = evaluate(table, results, names, **options)
    baselines = {system: baseline_of(scores, system) for system in scores.systems}
    date = moment.date or next(iter(baselines.values())).date
    return Dated(moment.name, date, scores, _named(baselines), table, results)


def _named(baselines: Mapping[str, Baseline]) -> dict[str, Baseline]:
    """Call systems by their names without the date, where that leaves them apart."""
    plain = {undated(name): baseline for name, baseline in baselines.items()}
    return plain if len(plain) == len(baselines) else dict(baselines)


def _as_one(found: Sequence[Dated]) -> list[Dated]:
    """Take what each date has one of as one system, whatever it is called on each: its name becomes ""."""
    when = {dated.date or dated.name for dated in found}
    if len(when) < len(found) or any(len(dated.baselines) > 1 for dated in found):
        return list(found)
    return [dated._replace(baselines={"": next(iter(dated.baselines.values()))}) for dated in found]


def _points(found: Sequence[Dated], names: Sequence[Any], options: Mapping[str, Any]) -> list[Point]:
    """Return a point per measure, system and date, each with the change since the system's last date."""
    points: list[Point] = []
    last: dict[str, Dated] = {}
    for dated in found:
        again = {name: _relabelled(last[name], dated, name, names, options) for name in dated.baselines if name in last}
        for system, baseline in dated.baselines.items():
            for measure in _measures(baseline, dated, names):
                before = last[system].baselines[system] if system in last else None
                change = None if before is None else _change(before, baseline, measure, again[system])
                points.append(Point(dated.name, dated.date, system, measure, baseline, change))
        last |= dict.fromkeys(dated.baselines, dated)
    return points


def _measures(baseline: Baseline, dated: Dated, names: Sequence[Any]) -> list[str]:
    """Return the measures to show: those asked for, by their names in the baseline."""
    if dated.scores is not None:
        return list(dated.scores.labels)
    lost = [str(name) for name in names if str(name) not in baseline.measures]
    if lost:
        raise UsageError(
            f"{dated.name}: no values of {listed(lost)} in this baseline, only of {', '.join(baseline.measures)}."
        )
    return [str(name) for name in names]


def _change(
    before: Baseline, after: Baseline, measure: str, again: Mapping[str, Mapping[str, float]] | None
) -> MeanChange | None:
    if measure not in before.measures:
        return None
    return change_between(before, after, measure, None if again is None else again[measure])


def _relabelled(
    before: Dated, after: Dated, system: str, names: Sequence[Any], options: Mapping[str, Any]
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
    return {label: _by_query(scores, s, m) for m, label in enumerate(scores.labels)}


def _by_query(scores: Scores, s: int, m: int) -> dict[str, float]:
    values = zip(scores.queries, np.asarray(scores.values[s, m]).tolist(), strict=True)
    return {query: value for query, value in values if not math.isnan(value)}
