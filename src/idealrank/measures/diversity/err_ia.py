"""ERR-IA: intent-aware expected reciprocal rank."""

from idealrank.decisions import Decisions
from idealrank.judged_lists.lists import JudgedLists
from idealrank.measures.diversity.novelty import against_bound
from idealrank.measures.gains import RECIPROCAL
from idealrank.measures.steps import Steps


def steps(lists: JudgedLists, decisions: Decisions, cutoff: int | None) -> Steps:
    """Sum of gain / rank over the first k results, divided by that sum if all k served every subtopic.

    The gain of a result is the sum of 0.5^(earlier results for the same subtopic) over the subtopics it
    is relevant to: a relevant result satisfies with probability 1/2. Only subtopics with a relevant
    document count; 0/0 if there are none. Without a cutoff, k is the number of judged documents.

    Source: Chapelle et al., CIKM 2009; ndeval in pyndeval 0.0.8, which leaves out the division at k = 1.

    Examples
    --------
    >>> import idealrank as ir
    >>> rows = {"query": ["q"] * 4, "subtopic": ["a", "b", "b", "c"], "doc": ["A", "B", "D", "C"], "grade": [1] * 4}
    >>> run = {"q": {"A": 4.0, "D": 3.0, "E": 2.0, "B": 1.0}}
    >>> round(ir.evaluate(rows, run, ["ERR_IA@5"])["ERR_IA@5"], 4)
    0.3933
    """
    return against_bound(lists, decisions, cutoff, 0.5, RECIPROCAL)
