"""R: recall."""

import numpy as np

from idealrank.arrays import Floats
from idealrank.decisions import Decisions
from idealrank.errors import UsageError, option, unsaid
from idealrank.judged_lists.lists import JudgedLists
from idealrank.measures.gains import taken
from idealrank.measures.relevance import relevance, total_relevant
from idealrank.measures.steps import Steps


def steps(lists: JudgedLists, decisions: Decisions, cutoff: int | None) -> Steps:
    """Relevant results among the first k, divided by the number R of relevant documents.

    The decision `recall_denominator` offers other divisors. 0/0 if no document is relevant, or, under ``hits``,
    if none is found; unjudged results that a number for `unjudged` makes relevant count as found.

    Source: trec_eval 9.0.8 ``recall``, ``set_recall``.

    Examples
    --------
    >>> import idealrank as ir
    >>> judgments, results = ir.from_ranking(["d4", "d2"], {"d1": 2, "d2": 1})
    >>> ir.evaluate(judgments, results, ["R@2"])["R@2"]
    0.5
    """
    relevant = relevance(lists, decisions)
    counts = taken(lists, cutoff, decisions)
    hits = relevant * counts
    divisor = relevant_divisor(lists, decisions, cutoff, "recall_denominator", hits)
    return Steps(lists, {"relevant": relevant, "counts": counts}, hits, divisor)


def relevant_divisor(
    lists: JudgedLists, decisions: Decisions, cutoff: int | None, decision: str, hits: Floats
) -> Floats:
    """(Q,) the divisor of AP or R: R, or R capped as the decision with this name says."""
    denominator = getattr(decisions, decision)
    if denominator == "hits":
        if lists.ranks == "averaged":
            raise UsageError(
                "ties=average with a denominator of hits: the divisor depends on the order, and the average over all "
                f"orders is not computed for this answer. Use {option('ties', 'docid_desc')}, or another denominator."
            )
        return lists.per_query(hits)
    if denominator not in ("R", "min(R,k)", "min(R,k,n)"):
        raise unsaid(decision, denominator, __name__)
    divisor = total_relevant(lists, decisions)
    if denominator != "R" and cutoff is not None:
        divisor = np.minimum(divisor, cutoff)
    return np.minimum(divisor, lists.returned) if denominator == "min(R,k,n)" else divisor
