"""AP-IA: intent-aware average precision."""

from idealrank.decisions import Decisions
from idealrank.judged_lists.lists import JudgedLists
from idealrank.measures.diversity.novelty import novelty, precision_at_each, wanted
from idealrank.measures.steps import Steps


def steps(lists: JudgedLists, decisions: Decisions) -> Steps:
    """Mean over the subtopics of the average precision for each.

    A document counts for the subtopics it is relevant to. Only subtopics with a relevant document
    count; 0/0 if there are none.

    Source: Agrawal et al., WSDM 2009; ndeval ``MAP-IA`` in pyndeval 0.0.8.

    Examples
    --------
    >>> import idealrank as ir
    >>> rows = {"query": ["q"] * 4, "subtopic": ["a", "b", "b", "c"], "doc": ["A", "B", "D", "C"], "grade": [1] * 4}
    >>> run = {"q": {"A": 4.0, "D": 3.0, "E": 2.0, "B": 1.0}}
    >>> round(ir.evaluate(rows, run, ["AP_IA"])["AP_IA"], 4)
    0.5
    """
    columns = {"subtopics": novelty(lists, decisions, 0.0)}
    return Steps(lists, columns, precision_at_each(lists, decisions), wanted(lists, decisions).subtopics)
