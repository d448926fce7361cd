"""What the means would be under another answer, where the data makes the answer matter."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from idealrank.errors import DataError, UsageError
from idealrank.ledger import Move, plural
from idealrank.lists import Floats, Mask
from idealrank.measures import Measure
from idealrank.scoring import State, scored, without_results

if TYPE_CHECKING:
    from idealrank.judge import Meeting
    from idealrank.scores import Scores

NOTABLE = 0.0005
"""A mean that moves by more than this under another answer is mentioned."""

_FLIPPED = {"0": "skip", "skip": "0"}
_UNJUDGED = {"zero": "filter", "filter": "zero"}


def moves(scores: Scores, s: int, keep: Mask) -> Iterator[Move]:
    """Yield what one system's means would be: missing queries, holes, ties, the other order."""
    met = scores.meetings[s].met(scores.setting.decisions)
    empty, unjudged = int(((met.judged.returned == 0) & keep).sum()), len(scores.unjudged_queries(s))
    if empty:
        yield from flipped(scores, s, "no_results", _FLIPPED, f"{plural(empty, 'query')} without results")
    if unjudged:
        yield from flipped(scores, s, "no_judgments", _FLIPPED, f"{plural(unjudged, 'query')} without judgments")
    if holes := unjudged_results(scores, s, keep):
        yield from flipped(scores, s, "unjudged", _UNJUDGED, plural(holes, "unjudged result"))
    if (tied := int(met.judged.tied[keep].sum())) and met.order != "given":
        for answer in ("worst", "best"):
            yield from flipped(scores, s, "ties", answer, plural(tied, "tied result"))


def unjudged_results(scores: Scores, s: int, keep: Mask, depth: int | None = None) -> int:
    """Count results of judged queries that have no judgment, or one below zero that does not count."""
    decisions = scores.setting.decisions
    met = scores.meetings[s].met(decisions)
    deep = met.judged.returned if depth is None else np.minimum(met.judged.returned, depth)
    hits = np.ones(len(met.lists.rank), np.bool_) if depth is None else met.lists.rank <= depth
    if decisions.negative == "unjudged":
        hits = hits & ~(met.lists.grade < 0)
    return int(deep[keep].sum()) - int((hits & keep[met.lists.query]).sum())


def flipped(
    scores: Scores,
    s: int,
    decision: str,
    other: str | dict[str, str],
    cause: str,
    measures: Iterable[Measure] | None = None,
    least: float = NOTABLE,
) -> Iterator[Move]:
    """Yield the moves of one decision's other answer, which may differ from measure to measure.

    Parameters
    ----------
    other
        The other answer, or the other answer to each.
    least
        A mean that moves by no more than this is left out.
    """
    found: dict[str, list[tuple[str, float, float]]] = {}
    for measure in scores.measures if measures is None else measures:
        answer = other if isinstance(other, str) else other.get(str(getattr(measure.decisions, decision)))
        if answer is None or decision not in measure.definition.decisions or measure.definition.total == "sum":
            continue
        mean, moved = scores.mean(measure, scores.systems[s]), mean_under(scores, s, measure, decision, answer)
        if moved is not None and abs(moved - mean) > least:
            found.setdefault(answer, []).append((measure.name, mean, moved))
    for answer, means in found.items():
        yield Move(scores.systems[s], cause, decision, answer, tuple(means))


def mean_under(scores: Scores, s: int, measure: Measure, decision: str, answer: str) -> float | None:
    """Return the mean a measure would have under another answer; None where that is refused."""
    other = replace(measure, decisions=measure.decisions.but(**{decision: answer}))
    try:
        return scores.average(s, other, _values(scores, s, measure, other, decision))
    except (DataError, UsageError):
        return None


def _values(scores: Scores, s: int, measure: Measure, other: Measure, decision: str) -> Floats:
    m = scores.measures.index(measure)
    known: Floats = scores.values[s, m]
    states: Any = scores.states[s, m]
    if decision == "no_judgments":
        return known
    if decision == "no_results":
        empty = (states == State.FILLED_NO_RESULTS) | (states == State.SKIPPED_NO_RESULTS)
        return np.where(empty, without_results(scores.meetings[s], other.decisions), known)
    if decision == "ties" and not _divisor_moves(other):
        return _reordered(scores.meetings[s], other, known)
    values, _ = scored(scores.meetings[s], other)
    return np.where(states == State.LEFT_OUT, np.nan, values)


def _divisor_moves(measure: Measure) -> bool:
    """Whether the order of tied results can change what the sum is divided by."""
    under, reads = measure.decisions, measure.definition.reads
    moving = {"ideal": "local", "ap_denominator": "hits", "recall_denominator": "hits", "short_list": "judged"}
    return any(name in reads and getattr(under, name) == answer for name, answer in moving.items())


def _reordered(meeting: Meeting, other: Measure, known: Floats) -> Floats:
    """(Q,) values under another order of the tied results: only queries with a tied hit are computed anew."""
    lists, queries = meeting.tied(other)
    values = other.steps(lists.arranged(other.on_lists)).scores(other.decisions)
    changed = known.copy()
    changed[queries] = np.where(np.isnan(values) | np.isnan(known[queries]), known[queries], values)
    return changed
