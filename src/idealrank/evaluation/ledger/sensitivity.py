"""What the means would be under another answer, where the data makes the answer matter."""

from collections.abc import Callable, Iterable, Iterator, Sequence

import numpy as np

from idealrank.errors import DataError
from idealrank.evaluation.computation import Outcome
from idealrank.evaluation.ledger.attempts import Attempt, Other, others
from idealrank.evaluation.ledger.entries import Move
from idealrank.evaluation.ledger.hole_counts import holes_within
from idealrank.evaluation.values import Values
from idealrank.measures import Measure

Under = Callable[[str, Sequence[Other]], Sequence[Outcome]]
"""Returns the (Q,) values of measures under another answer to a decision, or why there are none."""


def moves(scores: Values, s: int, tried: Iterable[Attempt], under: Under) -> Iterator[Move]:
    """Yield what one system's means would be under the answers tried, where they move."""
    for attempt in tried:
        yield from _moves(scores, s, attempt, under)


def _moves(scores: Values, s: int, attempt: Attempt, under: Under) -> Iterator[Move]:
    changed = others(attempt)
    moved_by: dict[str, list[tuple[str, float, float]]] = {}
    for other, values in zip(changed, under(attempt.decision, changed), strict=True):
        mean, moved = scores.mean(other.measure, scores.systems[s]), _average(scores, s, other.changed, values)
        if moved is not None and abs(moved - mean) > attempt.least:
            moved_by.setdefault(other.answer, []).append((other.measure.name, mean, moved))
    for answer, means in moved_by.items():
        yield Move(scores.systems[s], attempt.cause, attempt.decision, answer, tuple(means))


def unjudged_share(scores: Values, systems: Iterable[int], depth: int | None) -> float:
    """Return the share of what some systems returned, down to a depth, that nobody judged."""
    found = [holes_within(scores, s, depth) for s in systems]
    returned = sum(results for _, results in found)
    return sum(unjudged for unjudged, _ in found) / returned if returned else 0.0


def _average(scores: Values, s: int, changed: Measure, values: Outcome) -> float | None:
    """Return the mean of the values; None where they or the mean (a query may lack a weight) are refused."""
    if not isinstance(values, np.ndarray):
        return None
    try:
        return scores.average(s, changed, values)
    except DataError:
        return None
