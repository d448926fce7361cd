"""NRBP: novelty- and rank-biased precision."""

from idealrank.decisions import Decisions
from idealrank.judged_lists.lists import JudgedLists
from idealrank.measures.diversity.novelty import novelty, wanted
from idealrank.measures.steps import Steps


def steps(lists: JudgedLists, decisions: Decisions, alpha: float, beta: float) -> Steps:
    """Sum of gain x beta^(rank - 1), times (1 - (1 - alpha) beta), divided by the number of subtopics.

    The gain of a result is the sum of (1 - alpha)^(earlier results for the same subtopic) over the
    subtopics it is relevant to. Only subtopics with a relevant document count; 0/0 if there are none.

    Source: Clarke, Kolla and Vechtomova, ICTIR 2009; ndeval in pyndeval 0.0.8.

    Examples
    --------
    >>> import idealrank as ir
    >>> rows = {"query": ["q"] * 4, "subtopic": ["a", "b", "b", "c"], "doc": ["A", "B", "D", "C"], "grade": [1] * 4}
    >>> run = {"q": {"A": 4.0, "D": 3.0, "E": 2.0, "B": 1.0}}
    >>> round(ir.evaluate(rows, run, ["NRBP"])["NRBP"], 4)
    0.3906
    """
    gain = novelty(lists, decisions, alpha)
    counts = lists.weights(lambda rank: beta ** (rank - 1.0))
    divisor = wanted(lists, decisions).subtopics / (1.0 - (1.0 - alpha) * beta)
    return Steps(lists, {"gain": gain, "discount": counts}, gain * counts, divisor)
