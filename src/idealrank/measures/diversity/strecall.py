"""StRecall: subtopic recall."""

from idealrank.decisions import Decisions
from idealrank.judged_lists.lists import JudgedLists
from idealrank.measures.diversity.novelty import novelty, wanted
from idealrank.measures.gains import taken
from idealrank.measures.steps import Steps


def steps(lists: JudgedLists, decisions: Decisions, cutoff: int | None) -> Steps:
    """Share of the subtopics for which one of the first k results is relevant.

    Only subtopics with a relevant document count; 0/0 if there are none.

    Source: Zhai, Cohen and Lafferty, SIGIR 2003; ndeval ``strec`` in pyndeval 0.0.8.

    Examples
    --------
    >>> import idealrank as ir
    >>> rows = {"query": ["q"] * 4, "subtopic": ["a", "b", "b", "c"], "doc": ["A", "B", "D", "C"], "grade": [1] * 4}
    >>> run = {"q": {"A": 4.0, "D": 3.0, "E": 2.0, "B": 1.0}}
    >>> round(ir.evaluate(rows, run, ["StRecall@5"])["StRecall@5"], 4)
    0.6667
    """
    new = novelty(lists, decisions, 1.0)
    share = new * taken(lists, cutoff, decisions)
    return Steps(lists, {"new subtopics": new}, share, wanted(lists, decisions).subtopics)
