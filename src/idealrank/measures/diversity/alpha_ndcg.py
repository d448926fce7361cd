"""alpha-nDCG: discounted cumulative gain of what is new, against the best list."""

from idealrank.decisions import Decisions
from idealrank.judged_lists.lists import JudgedLists
from idealrank.measures.diversity.greedy import against_greedy
from idealrank.measures.gains import LOG2
from idealrank.measures.steps import Steps


def steps(lists: JudgedLists, decisions: Decisions, cutoff: int | None, alpha: float) -> Steps:
    """Sum of gain / log2(rank + 1) over the first k results, divided by that of the greedy ideal list.

    The gain of a result is the sum of (1 - alpha)^(earlier results for the same subtopic) over the
    subtopics it is relevant to. The ideal takes at each rank the judged document that adds most, of
    equals the one with the greatest id; it may fall short of the best list, so above 1 is possible.

    Source: Clarke et al., SIGIR 2008; ndeval in pyndeval 0.0.8.

    Examples
    --------
    >>> import idealrank as ir
    >>> rows = {"query": ["q"] * 4, "subtopic": ["a", "b", "b", "c"], "doc": ["A", "B", "D", "C"], "grade": [1] * 4}
    >>> run = {"q": {"A": 4.0, "D": 3.0, "E": 2.0, "B": 1.0}}
    >>> round(ir.evaluate(rows, run, ["alpha_nDCG@5"])["alpha_nDCG@5"], 4)
    0.7869
    """
    return against_greedy(lists, decisions, cutoff, alpha, LOG2)
