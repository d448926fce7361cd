"""Fallout: how many of the non-relevant documents came back."""

from idealrank.decisions import Decisions
from idealrank.judged_lists.lists import JudgedLists
from idealrank.measures.gains import taken
from idealrank.measures.relevance import irrelevance, total_irrelevant
from idealrank.measures.steps import Steps


def steps(lists: JudgedLists, decisions: Decisions, cutoff: int | None) -> Steps:
    """Results judged non-relevant among the first k, divided by all documents judged non-relevant.

    Source: torchmetrics ``RetrievalFallOut``, where every document is judged and in the list.

    Examples
    --------
    >>> import idealrank as ir
    >>> judgments, results = ir.from_ranking(["d1", "n", "x"], {"d1": 1, "n": 0, "m": 0})
    >>> ir.evaluate(judgments, results, ["Fallout@2"])["Fallout@2"]
    0.5
    """
    others = irrelevance(lists, decisions)
    counts = taken(lists, cutoff, decisions)
    columns = {"nonrelevant": others, "counts": counts}
    return Steps(lists, columns, others * counts, total_irrelevant(lists, decisions))
