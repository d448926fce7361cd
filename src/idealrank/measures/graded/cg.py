"""CG: cumulative gain."""

from idealrank.decisions import Decisions
from idealrank.judged_lists.lists import JudgedLists
from idealrank.measures.gains import gains, taken
from idealrank.measures.steps import Steps, ones


def steps(lists: JudgedLists, decisions: Decisions, cutoff: int | None) -> Steps:
    """Sum of gain(grade) over the first k results, regardless of their order.

    Source: Järvelin and Kekäläinen, SIGIR 2000.

    Examples
    --------
    >>> import idealrank as ir
    >>> judgments, results = ir.from_grades([3, 2, 3, 0, 1, 2])
    >>> ir.evaluate(judgments, results, ["CG"])["CG"]
    11.0
    """
    gain = gains(lists.grade, decisions)
    counts = taken(lists, cutoff, decisions)
    return Steps(lists, {"gain": gain, "counts": counts}, gain * counts, ones(lists))
