"""evaluate: from judgments and results to scores, with every decision named and every query accounted for."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from idealrank.arrays import Floats, Mask
from idealrank.conventions import Setting, parse_convention
from idealrank.data.formats.messages import quoted
from idealrank.data.judgments import Judgments
from idealrank.data.queries import Queries, read_queries
from idealrank.data.read import read_judgments, read_results
from idealrank.data.selection import asked_for, chosen
from idealrank.data.systems import read_systems, system_name
from idealrank.decisions import Decisions
from idealrank.decisions.keywords import refuse_unknown
from idealrank.errors import DataError, UsageError, either, option, some, unsaid
from idealrank.evaluation.ledger.accounts import keep_account
from idealrank.evaluation.parallel import Task, computed
from idealrank.evaluation.scores import Scores
from idealrank.evaluation.scoring import State, refuse_unreached, settled
from idealrank.judged_lists.meeting import Meeting
from idealrank.judged_lists.near_ids import near, refuse_strangers
from idealrank.measures import DEFAULT_MEASURES, Measure, parse
from idealrank.measures.spellings import is_object, written


def evaluate(
    judgments: Any,
    results: Any = None,
    measures: Sequence[str | Measure] | str | None = None,
    *,
    convention: str = "idealrank-1",
    queries: Any = None,
    weights: Any = None,
    system: str | None = None,
    only: Any = None,
    **decisions: Any,
) -> Scores:
    """Score the results of one or several systems against judgments.

    Parameters
    ----------
    judgments
        What `read_judgments` takes.
    results
        What `read_results` takes; several systems as a list, a dict ``{name: results}``, a folder of
        files or a table with a system column. None: the judgments' table holds the results too.
    measures
        Names such as ``nDCG@10`` or ``P(rel=2)@5``, or ir_measures' own objects; None: nDCG@10, P@10, R@100,
        RR, AP.
    convention
        The decisions to start from, with overrides: ``"trec_eval-9.0.8, no_results=0"``.
    queries
        A table of query attributes (text, segment, frequency), by query id.
    weights
        How much each query counts: a column of `queries`, a dict, or a table.
    system
        Score this system only.
    only
        Score these queries only: a list of ids, ``"1..50"``, or a file of ids.
    **decisions
        Answers to single decisions, such as ``gain="exp2"``; they win over the convention.

    Returns
    -------
    Scores: means, values per query, ledger, steps.

    Raises
    ------
    DataError
        If the data cannot be used: where, what, and what to do.
    UsageError
        If a name or an answer is not known.

    Examples
    --------
    >>> import idealrank as ir
    >>> qrels = {"q1": {"d1": 3, "d2": 1}, "q2": {"d3": 2}}
    >>> run = {"q1": {"d1": 9.0, "x": 8.0, "d2": 7.0}, "q2": {"x": 2.0, "d3": 1.0}}
    >>> ir.evaluate(qrels, run, ["RR"])["RR"]
    0.75
    """
    refuse_unknown(decisions, _OWN)
    setting = parse_convention(convention, decisions)
    if isinstance(weights, str) and weights in ("equal", "given"):
        setting, weights = setting._replace(overrides={**setting.overrides, "weights": weights}), None
    elif weights is not None:
        setting = setting._replace(overrides={**setting.overrides, "weights": "given"})
    table = read_judgments(judgments)
    if results is None:
        results = table
    elif results is judgments and results is not table:  # read once, so that it is known to be the same
        results = read_results(table.source, name=system_name(judgments))
    meetings = _meetings(table, results, system, setting.decisions)
    asked = measures_under(setting, measures)
    for meeting in meetings:
        refuse_strangers(meeting, setting.decisions)
    return _scored(table, meetings, asked, setting, read_queries(queries, weights), only)


def refuse_blank(table: Judgments, ids: Sequence[str]) -> None:
    """Refuse a query id of blanks only, which nobody sees.

    Raises
    ------
    DataError
        With its line.
    """
    if any(map(str.isspace, ids)):
        row = next(i for i, key in enumerate(table.keys.query.to_list(None)) if str(key).isspace())
        raise table.source.bad_row("missing_id", row, "query", "", "", -1)


_OWN = ("measures", "convention", "queries", "weights", "system", "only")


def _scored(
    table: Judgments,
    meetings: list[Meeting],
    measures: tuple[Measure, ...],
    setting: Setting,
    queries: Queries,
    only: Any,
) -> Scores:
    ids = table.pool(setting.decisions.raters, setting.decisions.duplicates).queries
    refuse_blank(table, ids)
    only = asked_for(only)
    keep = chosen(only, ids)
    values = np.full((len(meetings), len(measures), len(ids)), np.nan)
    states = np.full(values.shape, State.LEFT_OUT, np.int8)
    for s, meeting in enumerate(meetings):
        for measure in measures:
            refuse_unreached(meeting, measure)
        for m, found in enumerate(computed(meeting, [Task(measure) for measure in measures])):
            values[s, m], states[s, m] = settled(meeting, measures[m], found)
    values[:, :, ~keep], states[:, :, ~keep] = np.nan, State.LEFT_OUT
    if setting.decisions.weights not in ("equal", "given"):
        raise unsaid("weights", setting.decisions.weights, __name__)
    weights = _weights(queries, ids, keep) if setting.decisions.weights == "given" else None
    scores = Scores(
        measures, tuple(m.system for m in meetings), ids, values, states, setting, queries, weights, meetings, only
    )
    return scores.with_ledger(keep_account(scores, keep))


def _weights(queries: Queries, ids: Sequence[str], keep: Mask) -> Floats:
    """Return the weight of each query; where one has none, say if an id is but spelt otherwise."""
    try:
        return queries.weights(ids, keep)
    except DataError as error:
        alike = near(queries.weight or (), ids)
        if alike is None:
            raise
        said = f"Ids differ by {alike.by}: {quoted(alike.theirs)} there, {quoted(alike.ours)} judged."
        raise DataError(f"{error} {said}") from None


def measures_under(setting: Setting, measures: Sequence[str | Measure] | str | None) -> tuple[Measure, ...]:
    """Read the measures asked for, each under the decisions the convention has for it.

    Raises
    ------
    UsageError
        If a name is not known, or the convention does not support the measure.
    """
    if measures is None:
        measures = [name for name in DEFAULT_MEASURES if _supported(setting, name)]
    single = isinstance(measures, (str, Measure)) or is_object(measures)
    asked: list[Any] = [measures] if single else list(measures)
    if not asked:
        raise UsageError("No measures asked for. Give at least one, as nDCG@10.")
    found = [m for item in asked for m in ([item] if isinstance(item, Measure) else _read(setting, written(item)))]
    first = {measure.fingerprint: measure for measure in reversed(found)}
    return tuple(first[key] for key in dict.fromkeys(measure.fingerprint for measure in found))


def _supported(setting: Setting, name: str) -> bool:
    known = setting.convention.measures
    return known is None or parse(setting.our_name(name))[0].definition.name in known


def _read(setting: Setting, text: str) -> list[Measure]:
    base = setting.decisions
    own = setting.our_name(text)
    found: list[Measure] = []
    for measure in parse(own, base):
        for_it = setting.convention.for_measure(measure.definition.name, base, setting.overrides)
        found += [replace(m, typed=text.strip()) for m in parse(own, for_it) if m.cutoff == measure.cutoff]
    return found


def _meetings(table: Judgments, results: Any, system: str | None, decisions: Decisions) -> list[Meeting]:
    if decisions.systems not in ("separate", "pooled"):
        raise unsaid("systems", decisions.systems, __name__)
    found: list[Meeting] = []
    sources = read_systems(results)
    if len(sources) > 1 and decisions.systems == "pooled":
        raise UsageError(
            f"{option('systems', 'pooled')} pools the systems of one table, and there are {len(sources)} sources. "
            "Put their rows into one table with a system column."
        )
    for source in sources:
        names = source.systems if decisions.systems == "separate" else (source.label or "pooled",)
        found += [Meeting(table, source, name) for name in names]
    known = [meeting.system for meeting in found]
    if system is not None:
        found = [meeting for meeting in found if meeting.system == system]
        if not found:
            raise UsageError(f"No system called {system!r}. Found: {', '.join(known)}.")
    refuse_namesakes(found)
    return found


def refuse_namesakes(meetings: list[Meeting]) -> None:
    """Refuse two systems of one name.

    Raises
    ------
    DataError
        With the name, where it stands, and the ways out.
    """
    names = [meeting.system for meeting in meetings]
    for name in names:
        if names.count(name) > 1:
            where = some(dict.fromkeys(m.results.name for m in meetings if m.system == name))
            way = either(
                "Pass {name: results, …}, or evaluate one at a time",
                "Rename a file, or evaluate one at a time",
            )
            raise DataError(f"{names.count(name)} systems are called {name!r} (in {where}). {way}.")
