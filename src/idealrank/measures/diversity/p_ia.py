"""P-IA: intent-aware precision."""

from idealrank.decisions import Decisions
from idealrank.judged_lists.lists import JudgedLists
from idealrank.measures.diversity.novelty import precision_of_each, wanted
from idealrank.measures.steps import Steps


def steps(lists: JudgedLists, decisions: Decisions, cutoff: int | None) -> Steps:
    """Mean over the subtopics of the precision for each: served subtopics among the first k, / (k x subtopics).

    Without a cutoff, k is the number of results. Only subtopics with a relevant document count; 0/0
    if there are none.

    Source: Agrawal et al., WSDM 2009; ndeval ``P-IA`` in pyndeval 0.0.8.

    Examples
    --------
    >>> import idealrank as ir
    >>> rows = {"query": ["q"] * 4, "subtopic": ["a", "b", "b", "c"], "doc": ["A", "B", "D", "C"], "grade": [1] * 4}
    >>> run = {"q": {"A": 4.0, "D": 3.0, "E": 2.0, "B": 1.0}}
    >>> round(ir.evaluate(rows, run, ["P_IA@5"])["P_IA@5"], 4)
    0.2
    """
    return precision_of_each(lists, decisions, cutoff, "subtopics", wanted(lists, decisions).subtopics)
