"""What the means would be under another answer, where the data makes the answer matter."""

import itertools
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import NamedTuple

import numpy as np

from idealrank.decisions.decisions import Decisions
from idealrank.decisions.fields import AS_RETURNED
from idealrank.decisions.question import answer_text
from idealrank.errors import DataError, plural
from idealrank.evaluation.ledger.counting import PRECISIONS, groups_of, reads_level, unjudged_within
from idealrank.evaluation.ledger.counts import JudgmentCounts, Nothing, ResultCounts
from idealrank.evaluation.ledger.ledger import MeanShift
from idealrank.evaluation.scoring import Outcome, QueryState, fills_empty
from idealrank.evaluation.values import QueryValues, Values
from idealrank.evaluation.variants import Variant, variants
from idealrank.judged_lists.units import may_keep_ranks
from idealrank.measures.definition import Measure


class AlternativeAnswer(NamedTuple):
    """A measure, another answer, and the measure under it."""

    measure: Measure
    answer: str
    changed: Measure


Trial = tuple[int, str, Sequence[AlternativeAnswer]]
"""A system, a decision, and measures with another answer to it."""

Under = Callable[[Sequence[Trial]], Iterable[Iterable[Outcome]]]
"""Returns, for each trial, the (Q,) values of its measures under their other answers, or why there are none."""

# Alternatives: other answers to decisions that matter for this data, and why.


NOTABLE = 0.0005
"""A mean that moves by more than this under another answer is mentioned."""


class AlternativeMeans(NamedTuple):
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


def mean_shifts(scores: Values, tried: Sequence[Sequence[AlternativeMeans]], under: Under) -> Iterator[MeanShift]:
    """Yield what the means of each system would be under the answers tried for it, if they move."""
    every = [(s, attempt, apply_alternative(attempt)) for s, attempts in enumerate(tried) for attempt in attempts]
    found = under([(s, attempt.decision, changed) for s, attempt, changed in every])
    for (s, attempt, changed), outcomes in zip(every, found, strict=True):
        yield from _mean_shifts(scores, s, attempt, zip(changed, outcomes, strict=True))


def _mean_shifts(
    scores: Values, s: int, attempt: AlternativeMeans, found: Iterable[tuple[AlternativeAnswer, Outcome]]
) -> Iterator[MeanShift]:
    moved_by: dict[str, list[tuple[str, float, float]]] = {}
    for other, values in found:
        mean, moved = scores.mean(other.measure, scores.systems[s]), _try_average(scores, s, other.changed, values)
        if moved is not None and abs(moved - mean) > attempt.least:
            moved_by.setdefault(other.answer, []).append((other.measure.name, mean, moved))
    for answer, means in moved_by.items():
        yield MeanShift(scores.systems[s], attempt.cause, attempt.decision, answer, tuple(means))


def unjudged_share(scores: Values, systems: Iterable[int], depth: int | None) -> float:
    """Return the share of the results of some systems, down to a depth, that nobody judged."""
    found = [unjudged_within(scores, s, depth) for s in systems]
    returned = sum(results for _, results in found)
    return sum(unjudged for unjudged, _ in found) / returned if returned else 0.0


def _try_average(scores: Values, s: int, changed: Measure, values: Outcome) -> float | None:
    """Return the mean of the values; None where they or the mean (a query may lack a weight) are refused."""
    if not isinstance(values, np.ndarray):
        return None
    try:
        return scores.average(s, changed, values)
    except DataError:
        return None


def values_under(scores: Values, trials: Sequence[Trial]) -> list[list[Outcome]]:
    """Return, for each trial, the (Q,) values of its measures under their other answers, or why there are none."""
    found = iter(variants(scores, [(s, other.changed) for s, _, others in trials for other in others]))
    outcomes = (one.values if isinstance(one, Variant) else one for one in found)
    return [list(itertools.islice(outcomes, len(others))) for _, _, others in trials]


PRINTED = 0.00005
"""A difference that shows in four decimals."""

_FLIPPED = {"0": "skip", "skip": "0", "skip_missing": "0", "1": "skip"}
_COUNTS = {"units": "returned", "returned": "units"}
_UNJUDGED = {"zero": "filter", "filter": "zero"}


def apply_alternative(attempt: AlternativeMeans) -> list[AlternativeAnswer]:
    """Return each measure that the decision concerns under its other answer."""
    found: list[AlternativeAnswer] = []
    decision, other = attempt.decision, attempt.other
    for measure in attempt.measures:
        answer = other if isinstance(other, str) else other.get(str(getattr(measure.decisions, decision)))
        # A sum has no mean that moves.
        if answer is None or decision not in measure.definition.decisions or measure.definition.total == "sum":
            continue
        if decision == "no_judgments" and measure.definition.if_empty == "computed":
            continue
        if decision in ("no_results", "failed") and not fills_empty(measure.definition):
            continue
        value = float(answer) if decision == "relevant_from" and answer != "positive" else answer
        found.append(
            AlternativeAnswer(measure, answer, replace(measure, decisions=measure.decisions.but(**{decision: value})))
        )
    return found


def alternatives_to_try(
    scores: QueryValues, s: int, counts: ResultCounts, judged: JudgmentCounts, reordered: str
) -> Iterator[AlternativeMeans]:
    """Yield the alternatives to try for one system.

    Parameters
    ----------
    s
        Its place among the systems of the scores.
    reordered
        Why the other order matters; "" if it does not.
    """
    every = scores.measures
    for cause, measures in low_grades(scores, judged).items():
        yield AlternativeMeans("relevant_from", "positive", cause, measures, PRINTED)
    if (level := _next_level(judged)) and (reading := [m for m in every if reads_level(m) is not None]):
        cause = f"the lowest of the grades {judged.lowest:g} to {judged.highest:g} counts as relevant"
        yield AlternativeMeans("relevant_from", level, cause, reading, PRINTED)
    if undefined := _without_relevant(scores, s):
        cause = f"{plural(undefined, 'query')} without relevant documents"
        yield AlternativeMeans("no_relevant", _FLIPPED, cause, every)
    if reordered:
        yield from _order_alternatives(scores, counts, reordered)
    if (gaps := counts.rows.get("queries with gaps in the ranks", 0)) and counts.searches is None:
        measures = [m for m in every if counts.orders[m.decisions.order_by] == "rank"]
        yield AlternativeMeans(
            "rank_gaps", {"close": "keep"}, f"{plural(gaps, 'query')} with gaps in the ranks", measures
        )
    why = np.bincount(counts.nothing, minlength=len(Nothing)).tolist()
    if empty := why[Nothing.EMPTY] + why[Nothing.NEVER_ASKED]:
        yield AlternativeMeans("no_results", _FLIPPED, f"{plural(empty, 'query')} without results", every)
    if failed := why[Nothing.FAILED]:
        yield AlternativeMeans("failed", _FLIPPED, f"{plural(failed, 'query')} whose search failed", every)
    if unjudged := len(counts.in_scope):
        yield AlternativeMeans("no_judgments", _FLIPPED, f"{plural(unjudged, 'query')} without judgments", every)
    for g, measures in enumerate(groups_of(every, counts.orders)):
        yield from _list_alternatives(counts, g, measures)


def _next_level(judged: JudgmentCounts) -> str:
    """Return the second of four or more whole grades above 0, of which the lowest may mean not relevant; else ""."""
    low, high = judged.lowest, judged.highest
    return f"{low + 1:g}" if 0 < low <= high - 3 < float("inf") and low.is_integer() else ""


def _without_relevant(scores: QueryValues, s: int) -> int:
    """Return for how many queries a measure has no computed value since none of their documents is relevant."""
    of_system = scores.states[s]
    undefined = (of_system == QueryState.FILLED_NO_RELEVANT) | (of_system == QueryState.SKIPPED_NO_RELEVANT)
    return int(undefined.sum(axis=-1).max(initial=0))


def why_reordered(counts: ResultCounts) -> str:
    """Say why another order of results matters: rank and score disagree, or one decides between equal others."""
    if counts.conflicting:
        return f"rank and score disagree in {plural(counts.conflicting, 'query')}"
    # Reversed, so that ties by score are named before ties by rank.
    tied = next(((order, many) for order, many in sorted(counts.tied_by.items(), reverse=True) if many), None)
    return "" if tied is None else f"{plural(tied[1], 'result')} tied by {tied[0]}"


def _order_alternatives(scores: QueryValues, counts: ResultCounts, cause: str) -> Iterator[AlternativeMeans]:
    least = PRINTED if counts.conflicting else NOTABLE
    for order, other in (("rank", "score"), ("score", "rank")):
        measures = [m for m in scores.measures if counts.orders[m.decisions.order_by] == order]
        if measures and not (other == "score" and counts.unscored):
            yield AlternativeMeans("order_by", other, cause, measures, least)


def _list_alternatives(counts: ResultCounts, g: int, measures: list[Measure]) -> Iterator[AlternativeMeans]:
    decisions, found = measures[0].decisions, {name: many for (name, of), many in counts.groups.items() if of == g}
    if (unjudged := found.get("holes", 0)) and not found.get("keeping", 0):
        yield AlternativeMeans("unjudged", _UNJUDGED, plural(unjudged, "unjudged result"), measures)
    if (merged := found.get("merged", 0)) and may_keep_ranks(decisions):
        yield AlternativeMeans("counts", _COUNTS, f"{plural(merged, 'result')} of units that stand before", measures)
    if many := abs(found.get("float64", 0) - found.get("float32", 0)):
        cause = f"{plural(many, 'result')} tied in float32, not in float64"
        yield AlternativeMeans("score_precision", PRECISIONS, cause, measures)
    if (tied := found.get("tied", 0)) and _order_of_units(counts, decisions) != "given" and not counts.chunks:
        for answer in ("worst", "best"):
            yield AlternativeMeans("ties", answer, plural(tied, "tied result"), measures)


def _order_of_units(counts: ResultCounts, decisions: Decisions) -> str:
    """Return what orders the results: of units with scores of their own, these."""
    own = decisions.unit != AS_RETURNED and decisions.roll_up != "first"
    return "score" if own else counts.orders[decisions.order_by]


def low_grades(scores: QueryValues, judged: JudgmentCounts) -> dict[str, list[Measure]]:
    """Return each count of grades above 0 that do not reach a level, in words, with the measures that read it."""
    found: dict[str, list[Measure]] = {}
    for label, measure in zip(scores.labels, scores.measures, strict=True):
        level = reads_level(measure)
        if level is not None and (count := judged.low.get((label, level))):
            found.setdefault(_low_grade_text(count, answer_text(measure.decisions.relevant_from)), []).append(measure)
    return found


def _low_grade_text(count: int, level: str) -> str:
    lie, are = ("lies", "counts") if count == 1 else ("lie", "count")
    return f"{plural(count, 'grade')} {lie} between 0 and {level} and {are} as not relevant (relevant_from={level})"
