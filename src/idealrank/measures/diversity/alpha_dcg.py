"""alpha-DCG: discounted cumulative gain of novelty."""

from idealrank.decisions import Decisions
from idealrank.judged_lists.lists import JudgedLists
from idealrank.measures.diversity.novelty import against_bound
from idealrank.measures.gains import LOG2
from idealrank.measures.steps import Steps


def steps(lists: JudgedLists, decisions: Decisions, cutoff: int | None, alpha: float) -> Steps:
    """Sum of gain / log2(rank + 1) over the first k results, divided by that sum if all k served every subtopic.

    The gain of a result is the sum of (1 - alpha)^(earlier results for the same subtopic) over the
    subtopics it is relevant to. Only subtopics with a relevant document count; 0/0 if there are none.
    Without a cutoff, k is the number of judged documents.

    Source: Clarke et al., SIGIR 2008; ndeval in pyndeval 0.0.8, which leaves out the division at k = 1.

    Examples
    --------
    >>> import idealrank as ir
    >>> rows = {"query": ["q"] * 4, "subtopic": ["a", "b", "b", "c"], "doc": ["A", "B", "D", "C"], "grade": [1] * 4}
    >>> run = {"q": {"A": 4.0, "D": 3.0, "E": 2.0, "B": 1.0}}
    >>> round(ir.evaluate(rows, run, ["alpha_DCG@5"])["alpha_DCG@5"], 4)
    0.4053
    """
    return against_bound(lists, decisions, cutoff, alpha, LOG2)
