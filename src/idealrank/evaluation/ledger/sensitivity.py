"""What the means would be under another answer, where the data makes the answer matter."""

from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import NamedTuple

import numpy as np

from idealrank._core import Column
from idealrank.arrays import Floats, Mask
from idealrank.errors import DataError, plural
from idealrank.evaluation.computation import Outcome, Task, computed
from idealrank.evaluation.ledger.entries import Move
from idealrank.evaluation.scoring import State, States, fills_empty, settled, without_answer, without_results
from idealrank.evaluation.values import Values
from idealrank.judged_lists.meeting import Met
from idealrank.judged_lists.units import may_keep_ranks
from idealrank.measures import Measure

NOTABLE = 0.0005
"""A mean that moves by more than this under another answer is mentioned."""

_FLIPPED = {"0": "skip", "skip": "0", "skip_missing": "0"}
_COUNTS = {"units": "returned", "returned": "units"}
_UNJUDGED = {"zero": "filter", "filter": "zero"}


def moves(scores: Values, s: int) -> Iterator[Move]:
    """Yield what one system's means would be: missing queries, holes, ties, the other order."""
    met = scores.met[s]
    empty = int(((met.judged.returned == 0) & ~met.failed & scores.in_scope).sum())
    failed = int((met.failed & scores.in_scope).sum())
    unjudged = len(scores.unjudged_queries(s))
    if empty:
        yield from flipped(scores, s, "no_results", _FLIPPED, f"{plural(empty, 'query')} without results")
    if failed:
        yield from flipped(scores, s, "failed", _FLIPPED, f"{plural(failed, 'query')} whose search failed")
    if unjudged:
        yield from flipped(scores, s, "no_judgments", _FLIPPED, f"{plural(unjudged, 'query')} without judgments")
    for measures in _by_lists(scores, s):
        yield from _list_moves(scores, s, measures)


def _by_lists(scores: Values, s: int) -> Iterable[list[Measure]]:
    """Group the measures by the lists they read: those of one convention may be ordered by different columns."""
    by_lists: dict[tuple[Met, str], list[Measure]] = {}
    for measure in scores.measures:
        key = (scores.meetings[s].met(measure.decisions), measure.decisions.negative)
        by_lists.setdefault(key, []).append(measure)
    return by_lists.values()


def _list_moves(scores: Values, s: int, measures: list[Measure]) -> Iterator[Move]:
    decisions = measures[0].decisions
    met = scores.meetings[s].met(decisions)
    holes = unjudged_results(met, scores.in_scope, decisions.negative)
    if holes and not met.run.keeping_ranks:
        yield from flipped(scores, s, "unjudged", _UNJUDGED, plural(holes, "unjudged result"), measures)
    if (merged := met.run.merged) and may_keep_ranks(decisions):
        cause = f"{plural(merged, 'result')} of units that stand before"
        yield from flipped(scores, s, "counts", _COUNTS, cause, measures)
    yield from _precision_moves(scores, s, measures, met)
    if (tied := int(met.judged.tied[scores.in_scope].sum())) and met.order != "given" and met.spans is None:
        for answer in ("worst", "best"):
            yield from flipped(scores, s, "ties", answer, plural(tied, "tied result"), measures)


_PRECISIONS = {"float64": "float32", "float32": "float64"}


def _precision_moves(scores: Values, s: int, measures: list[Measure], met: Met) -> Iterator[Move]:
    """Yield the means under the other precision of scores, where it ties or unties results."""
    decisions, column = measures[0].decisions, met.results.score
    if met.order != "score" or column is None or _ties_nothing_in_float32(column.floats(), met.results.keys.query):
        return
    other = decisions.but(score_precision=_PRECISIONS[decisions.score_precision])
    tied = [scores.meetings[s].met(under).judged.tied[scores.in_scope].sum() for under in (decisions, other)]
    if many := abs(int(tied[0] - tied[1])):
        cause = f"{plural(many, 'result')} tied in float32, not in float64"
        yield from flipped(scores, s, "score_precision", _PRECISIONS, cause, measures)


def _ties_nothing_in_float32(values: Floats, query: Column) -> bool:
    """Whether single precision ties nothing, as far as that is seen without joining again.

    It is seen where the values are the same, and where they fall within each query from row to row.
    """
    with np.errstate(over="ignore"):
        single = values.astype(np.float32)
    if (values == single).all():
        return True
    code, queries = query.codes()
    within = code[1:] == code[:-1]
    begun = len(code) - int(within.sum())
    falls = single[1:] < single[:-1]
    equal = values[1:] == values[:-1]
    return begun == len(queries) and bool((falls | equal)[within].all())


def unjudged_results(met: Met, in_scope: Mask, negative: str, depth: int | None = None) -> int:
    """Count results of judged queries that have no judgment, or one below zero that does not count."""
    deep = met.judged.returned if depth is None else np.minimum(met.judged.returned, depth)
    judged = met.judged.judged_within(depth, negative != "unjudged")
    repeated = met.repeated_within(depth)
    return int((deep - judged - repeated)[in_scope].sum())


def unjudged_share(scores: Values, systems: Iterable[int], depth: int | None) -> float:
    """Return the share of what some systems returned, down to a depth, that nobody judged."""
    negative = scores.setting.decisions.negative
    unjudged = returned = 0
    for s in systems:
        deep, met = scores.met[s].judged.returned[scores.in_scope], scores.met[s]
        unjudged += unjudged_results(met, scores.in_scope, negative, depth)
        deep = deep if depth is None else np.minimum(deep, depth)
        returned += int((deep - met.repeated_within(depth)[scores.in_scope]).sum())
    return unjudged / returned if returned else 0.0


def flipped(
    scores: Values,
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
    others: list[_Other] = []
    for measure in scores.measures if measures is None else measures:
        answer = other if isinstance(other, str) else other.get(str(getattr(measure.decisions, decision)))
        if answer is None or decision not in measure.definition.decisions or measure.definition.total == "sum":
            continue
        if decision == "no_judgments" and measure.definition.if_empty == "computed":
            continue
        if decision in ("no_results", "failed") and not fills_empty(measure.definition):
            continue
        others.append(_Other(measure, answer, replace(measure, decisions=measure.decisions.but(**{decision: answer}))))
    moved_by: dict[str, list[tuple[str, float, float]]] = {}
    for (measure, answer, changed), values in zip(others, _values(scores, s, decision, others), strict=True):
        mean, moved = scores.mean(measure, scores.systems[s]), _average(scores, s, changed, values)
        if moved is not None and abs(moved - mean) > least:
            moved_by.setdefault(answer, []).append((measure.name, mean, moved))
    for answer, means in moved_by.items():
        yield Move(scores.systems[s], cause, decision, answer, tuple(means))


def _average(scores: Values, s: int, changed: Measure, values: Outcome) -> float | None:
    """Return the mean of the values; None where they or the mean (a query may lack a weight) are refused."""
    if not isinstance(values, np.ndarray):
        return None
    try:
        return scores.average(s, changed, values)
    except DataError:
        return None


class _Other(NamedTuple):
    """A measure, another answer, and the measure under it."""

    measure: Measure
    answer: str
    changed: Measure


def _values(scores: Values, s: int, decision: str, others: list[_Other]) -> list[Outcome]:
    """Return the (Q,) values of each measure under its other answer, or why it has none."""
    places = [scores.measures.index(other.measure) for other in others]
    before, states = [scores.values[s, m] for m in places], [scores.states[s, m] for m in places]
    if decision == "no_judgments":
        return list(before)
    if decision == "no_results":
        empty = [(state == State.FILLED_NO_RESULTS) | (state == State.SKIPPED_NO_RESULTS) for state in states]
        fill = [without_results(scores.met[s], other.changed.decisions) for other in others]
        return [np.where(*one) for one in zip(empty, fill, before, strict=True)]
    if decision == "failed":
        failed = [(state == State.FILLED_FAILED) | (state == State.SKIPPED_FAILED) for state in states]
        answers = [without_answer(other.changed.decisions) for other in others]
        return [np.where(*one) for one in zip(failed, answers, before, strict=True)]
    tasks = [
        Task.on(scores.meetings[s], other.changed, decision == "ties" and not _divisor_moves(other.changed))
        for other in others
    ]
    return [_merged(*one) for one in zip(tasks, computed(tasks), before, states, strict=True)]


def _merged(task: Task, values: Outcome, before: Floats, states: States) -> Outcome:
    """(Q,) new values where they were asked for and computed anew, those before elsewhere."""
    if not isinstance(values, np.ndarray):
        return values
    if task.tied_only:
        return np.where(np.isnan(values) | np.isnan(before), before, values)
    try:
        return np.where(states == State.LEFT_OUT, np.nan, settled(task.met, task.measure, values)[0])
    except DataError as refusal:
        return refusal


def _divisor_moves(measure: Measure) -> bool:
    """Whether the order of tied results can change what the sum is divided by."""
    under, refused = measure.decisions, measure.definition.properties.not_averaged
    local = "ideal" in measure.definition.reads and under.ideal == "local"
    return local or any(under.text(name) == answer for name, _, answer in (row.partition("=") for row in refused))
