"""The values of measures under another answer to one decision."""

from collections.abc import Sequence

import numpy as np

from idealrank.arrays import Floats
from idealrank.errors import DataError
from idealrank.evaluation.computation import Outcome, Task, computed
from idealrank.evaluation.ledger.attempts import Other
from idealrank.evaluation.scoring import State, States, settled, without_answer, without_results
from idealrank.evaluation.values import Values
from idealrank.measures import Measure


def values_under(scores: Values, s: int, decision: str, others: Sequence[Other]) -> list[Outcome]:
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
