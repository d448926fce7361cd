"""Judged: how many of the results have a judgment."""

from idealrank.decisions import Decisions
from idealrank.judged_lists.lists import JudgedLists
from idealrank.measures.binary.precision import per_place
from idealrank.measures.gains import taken
from idealrank.measures.relevance import judgedness
from idealrank.measures.steps import Steps


def steps(lists: JudgedLists, decisions: Decisions, cutoff: int | None) -> Steps:
    """Judged results among the first k, divided like P@k; without a cutoff, by the number returned.

    The rest are holes: results nobody judged.

    ir_measures counts a grade below zero as judged, and divides by min(k, number returned).

    Source: ir_measures 0.4 ``Judged``; OpenSearch's ``Coverage``.

    Examples
    --------
    >>> import idealrank as ir
    >>> judgments, results = ir.from_ranking(["d1", "x"], {"d1": 0})
    >>> ir.evaluate(judgments, results, ["Judged@2"])["Judged@2"]
    0.5
    """
    judged = judgedness(lists)
    counts = taken(lists, cutoff, decisions)
    return Steps(lists, {"judged": judged, "counts": counts}, judged * counts, per_place(lists, decisions, cutoff))
