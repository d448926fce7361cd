"""AverageGain: the mean gain per place."""

from idealrank.decisions import Decisions
from idealrank.judged_lists.lists import JudgedLists
from idealrank.measures.binary.precision import per_place
from idealrank.measures.gains import gains, taken
from idealrank.measures.steps import Steps


def steps(lists: JudgedLists, decisions: Decisions, cutoff: int | None) -> Steps:
    """Sum of the gains of the first k results, divided by k; without a cutoff, by the number returned.

    The decision `short_list` sets the divisor for a list shorter than k.

    Source: CatBoost 1.2 ``AverageGain``.

    Examples
    --------
    >>> import idealrank as ir
    >>> judgments, results = ir.from_grades([3, 0, 1])
    >>> ir.evaluate(judgments, results, ["AverageGain@2"])["AverageGain@2"]
    1.5
    """
    gain = gains(lists.grade, decisions)
    counts = taken(lists, cutoff, decisions)
    return Steps(lists, {"gain": gain, "counts": counts}, gain * counts, per_place(lists, decisions, cutoff))
