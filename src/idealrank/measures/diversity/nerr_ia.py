"""nERR-IA: intent-aware expected reciprocal rank, relative to the ideal list."""

from idealrank.decisions import Decisions
from idealrank.judged_lists.lists import JudgedLists
from idealrank.measures.diversity.greedy import against_greedy
from idealrank.measures.gains import RECIPROCAL
from idealrank.measures.steps import Steps


def steps(lists: JudgedLists, decisions: Decisions, cutoff: int | None) -> Steps:
    """Sum of gain / rank over the first k results, divided by the same sum for the greedy ideal list.

    The gain of a result is the sum of 0.5^(earlier results for the same subtopic) over the subtopics it
    is relevant to. The ideal is that of alpha_nDCG with alpha 0.5.

    Source: Chapelle et al., CIKM 2009; ndeval in pyndeval 0.0.8.

    Examples
    --------
    >>> import idealrank as ir
    >>> rows = {"query": ["q"] * 4, "subtopic": ["a", "b", "b", "c"], "doc": ["A", "B", "D", "C"], "grade": [1] * 4}
    >>> run = {"q": {"A": 4.0, "D": 3.0, "E": 2.0, "B": 1.0}}
    >>> round(ir.evaluate(rows, run, ["nERR_IA@5"])["nERR_IA@5"], 4)
    0.8298
    """
    return against_greedy(lists, decisions, cutoff, 0.5, RECIPROCAL)
