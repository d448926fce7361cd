"""What each result shown adds to its query's value, under every measure and for every system."""

from typing import Any

import numpy as np

from idealrank.arrays import SAME, Floats, Ints, Mask, offsets
from idealrank.display.numbers import numbers
from idealrank.evaluation.computation import steps_of
from idealrank.evaluation.scores import Scores
from idealrank.judged_lists.meeting import Meeting, Met
from idealrank.measures import Measure
from idealrank.measures.steps import Ideal, Steps, rounded
from idealrank.reports.parts.lists import Coder, RankedLists


def arithmetic(scores: Scores, lists: dict[str, RankedLists], shown: Mask, depth: int, coded: Coder) -> dict[str, Any]:
    """Return the arithmetic by measure: of each system, and of the ideal list.

    Parameters
    ----------
    shown
        (Q,) which queries the lists are of.

    Returns
    -------
    ``{label: {"unsplit", "systems": {system: {"columns", "contribution", "total", "normaliser", "rest"}}, "ideal"}}``

    Columns and contribution have a value for each result of `lists`, None where the measure does not count it;
    total, normaliser and rest one for each query. The value is total / normaliser; rest is what results add that
    are not shown. A measure that is no such sum says so in `unsplit`.
    """
    return {
        label: _under(scores, measure, lists, shown, depth, coded)
        for label, measure in zip(scores.labels, scores.measures, strict=True)
    }


def _under(
    scores: Scores, measure: Measure, lists: dict[str, RankedLists], shown: Mask, depth: int, coded: Coder
) -> dict[str, Any]:
    computed = {meeting.system: _steps(meeting, measure) for meeting in scores.meetings}
    steps = next(iter(computed.values()))[0]
    shared = measure.decisions.ideal == "global" and measure.decisions.ideal_depth != "returned"
    ideals = {
        "" if shared else system: _ideal(made.ideal(), met, measure, depth, shown, coded)
        for system, (made, met) in list(computed.items())[: 1 if shared else None]
        if made.ideal is not None
    }
    systems = {system: _of_system(made, measure, lists[system], shown) for system, (made, _) in computed.items()}
    return {"unsplit": steps.unsplit, "systems": systems, "ideal": ideals or None}


def _steps(meeting: Meeting, measure: Measure) -> tuple[Steps, Met]:
    met = meeting.met_for(measure.on_lists, "dense")
    return steps_of(met.lists, measure), met


def _of_system(steps: Steps, measure: Measure, lists: RankedLists, shown: Mask) -> dict[str, Any]:
    share = rounded(steps.contribution, measure.decisions.rounding, "term")
    place = _places(steps.lists.row, lists.row)
    there = place >= 0
    columns = {name: _at(values, place) for name, values in steps.columns.items()}
    query = np.repeat(np.arange(len(lists.returned)), np.diff(lists.start))
    total = steps.lists.per_query(share)[shown]
    seen = np.bincount(query[there], weights=share[place[there]], minlength=len(lists.returned))
    split = not steps.unsplit
    return {
        "columns": {name: numbers(values) for name, values in columns.items()},
        "contribution": numbers(_at(share, place)),
        "total": numbers(total) if split else None,
        "normaliser": numbers(steps.normaliser[shown]) if split else None,
        "rest": numbers(_rest(total, seen)) if split else None,
    }


def _places(rows: Ints, wanted: Ints) -> Ints:
    """Return where each wanted row is among the rows, -1 where it is not."""
    place_of = np.full(int(max(rows.max(initial=-1), wanted.max(initial=-1))) + 2, -1, np.int64)
    place_of[rows[rows >= 0]] = np.flatnonzero(rows >= 0)
    return place_of[wanted]


def _at(values: Any, place: Ints) -> Floats:
    if not len(values):
        return np.full(len(place), np.nan)
    return np.where(place >= 0, np.asarray(values, np.float64)[np.maximum(place, 0)], np.nan)


def _ideal(ideal: Ideal, met: Met, measure: Measure, depth: int, shown: Mask, coded: Coder) -> dict[str, Any]:
    ideal = _in_order(ideal, met, measure)
    share = rounded(ideal.contribution, measure.decisions.rounding, "term")
    keep = (ideal.rank <= depth) & shown[ideal.query]
    entry = ideal.entry[keep]
    codes = np.full(len(entry), -1, np.int64)
    codes[entry >= 0] = coded(met.pool.docs(entry[entry >= 0]))
    start = offsets(np.bincount(ideal.query[keep], minlength=met.size)[shown])
    total = np.bincount(ideal.query, weights=share, minlength=met.size)
    seen = np.bincount(ideal.query[keep], weights=share[keep], minlength=met.size)
    return {
        "start": start.tolist(),
        "document": [None if code < 0 else code for code in codes.tolist()],
        "grade": numbers(ideal.grade[keep]),
        "gain": numbers(ideal.gain[keep]),
        "discount": numbers(ideal.discount[keep]),
        "contribution": numbers(share[keep]),
        "rest": numbers(_rest(total[shown], seen[shown])),
    }


def _in_order(ideal: Ideal, met: Met, measure: Measure) -> Ideal:
    """Put the rows by query and rank; documents of equal gain are in the order of the judgments."""
    by_rank = np.lexsort((ideal.rank, ideal.query))
    ordered = ideal._replace(**{name: getattr(ideal, name)[by_rank] for name in ideal._fields})
    if measure.decisions.ideal != "global":
        return ordered
    by_gain = np.lexsort((met.pool.row[ordered.entry], -ordered.gain, ordered.query))
    return ordered._replace(grade=ordered.grade[by_gain], gain=ordered.gain[by_gain], entry=ordered.entry[by_gain])


def _rest(total: Floats | Ints, seen: Floats | Ints) -> Floats:
    """What a total has beyond the rows that are seen; what rounding leaves is nothing."""
    return np.where(np.abs(total - seen) <= SAME * np.abs(total), 0.0, total - seen)
