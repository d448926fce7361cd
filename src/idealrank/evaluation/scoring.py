"""One measure over one meeting: values and states of every judged query."""

from __future__ import annotations

import enum
import math
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from idealrank.arrays import Floats, Ints, Mask, offsets, places, segment_counts
from idealrank.decisions import Decisions, answer_text
from idealrank.errors import DataError, option, plural, some, unsaid
from idealrank.evaluation.parallel import Task, Values, computed
from idealrank.judged_lists.arrangement import arranged
from idealrank.judged_lists.lists import JudgedLists, reaches
from idealrank.measures import Measure
from idealrank.measures.gains import gains

if TYPE_CHECKING:
    from idealrank.judged_lists.meeting import Meeting


class State(enum.IntEnum):
    """What became of a query under a measure."""

    COMPUTED = 0
    FILLED_NO_RESULTS = 1
    SKIPPED_NO_RESULTS = 2
    FILLED_NO_RELEVANT = 3
    SKIPPED_NO_RELEVANT = 4
    LEFT_OUT = 5


def scored(meeting: Meeting, measure: Measure) -> tuple[Floats, Ints]:
    """Return (Q,) values and states of one measure; a value left out is NaN.

    Raises
    ------
    DataError
        If a query has no results and ``no_results=error``.
    """
    (values,) = computed(meeting, [Task(measure)])
    return settled(meeting, measure, values)


def settled(meeting: Meeting, measure: Measure, values: Values) -> tuple[Floats, Ints]:
    """Let `no_relevant` and `no_results` answer where a measure has no value: (Q,) values and states.

    Raises
    ------
    DataError
        If a query has no results and ``no_results=error``; what `values` was refused with.
    """
    if not isinstance(values, np.ndarray):
        raise values
    decisions = measure.decisions
    empty = meeting.met(decisions).judged.returned == 0
    undefined = np.isnan(values) & ~empty
    states = np.where(undefined, State.FILLED_NO_RELEVANT, State.COMPUTED).astype(np.int8)
    if decisions.no_relevant == "skip":
        states[undefined] = State.SKIPPED_NO_RELEVANT
    else:
        values = np.where(undefined, without_relevant(decisions), values)
    return _settle_empty(meeting, measure, values, states, empty)


def _settle_empty(meeting: Meeting, measure: Measure, values: Floats, states: Any, empty: Any) -> tuple[Floats, Ints]:
    decisions, met = measure.decisions, meeting.met(measure.decisions)
    if decisions.no_results == "error" and empty.any():
        names = [q for q, none in zip(met.pool.queries, empty, strict=True) if none]
        raise DataError(
            f"{meeting.results.name}: {plural(len(names), 'judged query')} without results ({some(names)}), and "
            f"no_results=error. Use {option('no_results', '0')} or {option('no_results', 'skip')}, or add them."
        )
    fill = without_results(meeting, decisions)
    skipped = empty & np.isnan(fill)
    states[empty] = State.FILLED_NO_RESULTS
    states[skipped] = State.SKIPPED_NO_RESULTS
    # A count, such as the number of relevant documents, is what it is without results, too.
    filled = empty if measure.definition.total == "mean" else skipped
    return np.where(filled, fill, values), states


def without_relevant(decisions: Decisions) -> float:
    """What `no_relevant` makes of 0/0: a number, or NaN where that leaves the query out."""
    if decisions.no_relevant not in _FILLS:
        raise unsaid("no_relevant", decisions.no_relevant, __name__)
    return _FILLS[decisions.no_relevant]


_FILLS = {"0": 0.0, "1": 1.0, "skip": math.nan}


def without_results(meeting: Meeting, decisions: Decisions) -> Floats:
    """(Q,) what `no_results` makes of a query without results: 0, or NaN where that leaves it out."""
    if decisions.no_results == "skip":
        return np.where(listed(meeting, decisions), 0.0, np.nan)
    if decisions.no_results not in ("0", "error"):
        raise unsaid("no_results", decisions.no_results, __name__)
    return np.zeros(meeting.met(decisions).size)


def listed(meeting: Meeting, decisions: Decisions) -> Mask:
    """(Q,) whether the run has the judged query, be it only by a row without a document.

    Such a row says "no results": the query is one of the run's, and so ``no_results=skip`` counts it
    0, as trectools does.
    """
    return meeting.met(decisions).judged.listed


def at_ideal(meeting: Meeting, measure: Measure) -> Floats:
    """Return (Q,) the value of a measure when just the good documents are returned, best first.

    Good are the relevant ones, for graded measures those of a gain above 0. A query for which the
    measure is 0/0 then has the value `no_relevant` gives it, NaN if it is left out.
    """
    decisions = measure.decisions
    values = measure.steps(_ideal_lists(meeting, measure)).scores(decisions)
    return np.where(np.isnan(values), without_relevant(decisions), values)


def _ideal_lists(meeting: Meeting, measure: Measure) -> JudgedLists:
    decisions, reads = measure.decisions, measure.definition.reads
    # Nothing is unjudged in an ideal list.
    lists = arranged(meeting.met(decisions).lists, decisions.but(unjudged="zero", ties="given"))
    grade = lists.pool_grade
    worth = gains(grade, decisions) if "gain" in reads else grade
    order = np.lexsort((-grade, -worth, lists.pool_query))
    good = reaches(grade, decisions.relevant_from) if "relevant_from" in reads else worth > 0
    start, kept = offsets(segment_counts(good, lists.pool_start)), order[good[order]]
    rank = places(start)
    return replace(
        lists, returned=np.diff(start), hit_start=start, rank=rank, grade=grade[kept], entry=lists.pool_entry[kept],
        row=np.full(len(rank), -1), tie_first=rank, tie_last=rank, form="sparse", ranks="exact", cache={},
    )  # fmt: skip


def refuse_unreached(meeting: Meeting, measure: Measure) -> None:
    """Refuse a binary measure no grade reaches, and an assumed grade above the top of the scale.

    Raises
    ------
    DataError
        With the highest grade and what to set.
    """
    met = meeting.met(measure.decisions)
    assumed, top = measure.decisions.unjudged, met.max_grade
    if "max_grade" in measure.definition.reads and isinstance(assumed, float) and assumed > top:
        raise DataError(
            f"unjudged={answer_text(assumed)} lies above the top of the scale, {answer_text(top)}. "
            f"Give a grade of the scale, or declare its top: {option('max_grade', '…')}."
        )
    level = measure.decisions.relevant_from
    if "relevant_from" not in measure.definition.reads or level == "positive":
        return
    counted = [met.highest, *([assumed] if isinstance(assumed, float) else [])]
    if met.highest > 0 and measure.decisions.no_relevant == "0" and not reaches(np.array(counted), level).any():
        raise DataError(
            f"{meeting.judgments.name}: no grade reaches relevant_from={answer_text(level)} (the highest is "
            f"{answer_text(met.highest)}), so {measure} would be 0 everywhere. "
            f"Set {option('relevant_from', 'positive')}, or the grade from which a document is relevant."
        )
