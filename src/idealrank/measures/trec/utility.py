"""Utility: the value of relevant and non-relevant documents, returned and not."""

from idealrank.decisions import Decisions
from idealrank.judged_lists.lists import JudgedLists
from idealrank.measures.relevance import relevance, total_relevant
from idealrank.measures.steps import Steps, unsplit


def steps(lists: JudgedLists, decisions: Decisions, a: float, b: float, c: float, d: float, docs: float) -> Steps:
    """A x relevant returned + b x others returned + c x relevant missed + d x others not returned.

    The number of others not returned follows from `docs`, the number of all documents.

    Source: trec_eval 9.0.8 ``utility`` (there -N gives the number of documents).

    Examples
    --------
    >>> import idealrank as ir
    >>> judgments, results = ir.from_ranking(["d1", "x", "y"], {"d1": 1, "d2": 1})
    >>> ir.evaluate(judgments, results, ["Utility"])["Utility"]
    -1.0
    """
    relevant = relevance(lists, decisions)
    returned, total = lists.per_query(relevant), total_relevant(lists, decisions)
    missed, others = total - returned, lists.returned - returned
    score = a * returned + b * others + c * missed + d * (docs - total - others)
    return unsplit(lists, {"relevant": relevant}, score, "it also counts documents that were not returned")
