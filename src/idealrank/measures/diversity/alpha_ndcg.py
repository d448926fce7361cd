"""alpha-nDCG: discounted cumulative gain of novelty, relative to the ideal list."""

from idealrank.decisions import Decisions
from idealrank.judged_lists.lists import JudgedLists
from idealrank.measures.diversity.greedy import against_greedy
from idealrank.measures.gains import LOG2
from idealrank.measures.steps import Steps


def steps(lists: JudgedLists, decisions: Decisions, cutoff: int | None, alpha: float) -> Steps:
    """Sum of gain / log2(rank + 1) over the first k results, divided by the same sum for the greedy ideal list.

    The gain of a result is the sum of (1 - alpha)^(earlier results for the same subtopic) over the
    subtopics it is relevant to. At each rank the ideal takes the judged document that adds most, and among
    equals the one with the greatest id. It may fall short of the best list, so values above 1 are possible.

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
