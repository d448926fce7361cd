"""Rprec: R-precision."""

from idealrank.decisions import Decisions
from idealrank.judged_lists.lists import JudgedLists
from idealrank.measures.gains import every_rank
from idealrank.measures.relevance import relevance, total_relevant
from idealrank.measures.steps import Steps


def steps(lists: JudgedLists, decisions: Decisions) -> Steps:
    """Relevant results among the first R, divided by R, the number of relevant documents.

    0/0 if no document is relevant.

    Source: trec_eval 9.0.8 ``Rprec``.

    Examples
    --------
    >>> import idealrank as ir
    >>> judgments, results = ir.from_ranking(["d1", "x", "d2"], {"d1": 1, "d2": 1})
    >>> ir.evaluate(judgments, results, ["Rprec"])["Rprec"]
    0.5
    """
    relevant = relevance(lists, decisions)
    total = total_relevant(lists, decisions)
    counts = lists.weights(every_rank, total)
    return Steps(lists, {"relevant": relevant, "counts": counts}, relevant * counts, total)
