"""Attempts: other answers to decisions that the data makes matter, and why."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import NamedTuple

from idealrank.data.units import AS_RETURNED
from idealrank.decisions import Decisions, answer_text
from idealrank.errors import plural
from idealrank.evaluation.counts.judgment_counts import JudgmentCounts
from idealrank.evaluation.counts.result_counts import ResultCounts
from idealrank.evaluation.ledger.counted_judgments import reads_level
from idealrank.evaluation.ledger.group_counts import PRECISIONS, groups_of
from idealrank.evaluation.scoring import fills_empty
from idealrank.evaluation.values import Values
from idealrank.judged_lists.units import may_keep_ranks
from idealrank.measures import Measure

NOTABLE = 0.0005
"""A mean that moves by more than this under another answer is mentioned."""

PRINTED = 0.00005
"""A difference that shows in four decimals."""

_FLIPPED = {"0": "skip", "skip": "0", "skip_missing": "0"}
_COUNTS = {"units": "returned", "returned": "units"}
_UNJUDGED = {"zero": "filter", "filter": "zero"}


class Attempt(NamedTuple):
    """Another answer to a decision, or another to each answer; why it matters; for which measures.

    Attributes
    ----------
    least
        A mean that moves by no more than this is left out.
    """

    decision: str
    other: str | Mapping[str, str]
    cause: str
    measures: Sequence[Measure]
    least: float = NOTABLE


class Other(NamedTuple):
    """A measure, another answer, and the measure under it."""

    measure: Measure
    answer: str
    changed: Measure


def others(attempt: Attempt) -> list[Other]:
    """Return the measures under their other answer: those that the decision concerns."""
    found: list[Other] = []
    decision, other = attempt.decision, attempt.other
    for measure in attempt.measures:
        answer = other if isinstance(other, str) else other.get(str(getattr(measure.decisions, decision)))
        if answer is None or decision not in measure.definition.decisions or measure.definition.total == "sum":
            continue
        if decision == "no_judgments" and measure.definition.if_empty == "computed":
            continue
        if decision in ("no_results", "failed") and not fills_empty(measure.definition):
            continue
        found.append(Other(measure, answer, replace(measure, decisions=measure.decisions.but(**{decision: answer}))))
    return found


def attempts(scores: Values, counts: ResultCounts, judged: JudgmentCounts, reordered: str) -> Iterator[Attempt]:
    """Yield the answers to try for one system.

    Parameters
    ----------
    reordered
        Why the other order matters; "" if it does not.
    """
    every = scores.measures
    for cause, measures in low_grades(scores, judged).items():
        yield Attempt("relevant_from", "positive", cause, measures, PRINTED)
    if reordered:
        yield from _orders(scores, counts, reordered)
    if empty := len(counts.empty) + len(counts.never_asked):
        yield Attempt("no_results", _FLIPPED, f"{plural(empty, 'query')} without results", every)
    if failed := len(counts.failed):
        yield Attempt("failed", _FLIPPED, f"{plural(failed, 'query')} whose search failed", every)
    if unjudged := len(counts.in_scope):
        yield Attempt("no_judgments", _FLIPPED, f"{plural(unjudged, 'query')} without judgments", every)
    for g, measures in enumerate(groups_of(every, counts.orders)):
        yield from _of_lists(counts, g, measures)


def why_reordered(counts: ResultCounts) -> str:
    """Say why another order of results matters: rank and score disagree, or one decides between equal others."""
    if counts.conflicting:
        return f"rank and score disagree in {plural(counts.conflicting, 'query')}"
    tied = next(((order, many) for order, many in sorted(counts.tied_by.items(), reverse=True) if many), None)
    return "" if tied is None else f"{plural(tied[1], 'result')} tied by {tied[0]}"


def _orders(scores: Values, counts: ResultCounts, cause: str) -> Iterator[Attempt]:
    least = PRINTED if counts.conflicting else NOTABLE
    for order, other in (("rank", "score"), ("score", "rank")):
        measures = [m for m in scores.measures if counts.orders[m.decisions.order_by] == order]
        if measures and not (other == "score" and counts.unscored):
            yield Attempt("order_by", other, cause, measures, least)


def _of_lists(counts: ResultCounts, g: int, measures: list[Measure]) -> Iterator[Attempt]:
    decisions, found = measures[0].decisions, {name: many for (name, of), many in counts.groups.items() if of == g}
    if (holes := found.get("holes", 0)) and not found.get("keeping", 0):
        yield Attempt("unjudged", _UNJUDGED, plural(holes, "unjudged result"), measures)
    if (merged := found.get("merged", 0)) and may_keep_ranks(decisions):
        yield Attempt("counts", _COUNTS, f"{plural(merged, 'result')} of units that stand before", measures)
    if many := abs(found.get("float64", 0) - found.get("float32", 0)):
        cause = f"{plural(many, 'result')} tied in float32, not in float64"
        yield Attempt("score_precision", PRECISIONS, cause, measures)
    if (tied := found.get("tied", 0)) and _order(counts, decisions) != "given" and not counts.chunks:
        for answer in ("worst", "best"):
            yield Attempt("ties", answer, plural(tied, "tied result"), measures)


def _order(counts: ResultCounts, decisions: Decisions) -> str:
    """Return what orders the results: units that are rolled up by their scores, these."""
    own = decisions.unit != AS_RETURNED and decisions.roll_up != "first"
    return "score" if own else counts.orders[decisions.order_by]


def low_grades(scores: Values, judged: JudgmentCounts) -> dict[str, list[Measure]]:
    """Return each count of grades above 0 that do not reach a level, in words, with the measures that read it."""
    found: dict[str, list[Measure]] = {}
    for label, measure in zip(scores.labels, scores.measures, strict=True):
        level = reads_level(measure)
        if level is not None and (count := judged.low.get((label, level))):
            found.setdefault(_low_text(count, answer_text(measure.decisions.relevant_from)), []).append(measure)
    return found


def _low_text(count: int, level: str) -> str:
    lie, are = ("lies", "counts") if count == 1 else ("lie", "count")
    return f"{plural(count, 'grade')} {lie} between 0 and {level} and {are} as not relevant (relevant_from={level})"
