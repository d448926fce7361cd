"""BinaryNDCG: nDCG that only distinguishes relevant from not relevant."""

import numpy as np

from idealrank.arrays import Floats
from idealrank.decisions import Decisions
from idealrank.judged_lists.lists import JudgedLists
from idealrank.measures.gains import depth, discount
from idealrank.measures.ideal import ideal_depth
from idealrank.measures.relevance import relevance, total_relevant
from idealrank.measures.steps import Steps, rounded


def steps(lists: JudgedLists, decisions: Decisions, cutoff: int | None) -> Steps:
    """Sum of discount(rank) over the relevant results among the first k, divided by that of ranks 1 to min(R, k).

    This is nDCG with a gain of 1 for every relevant document, regardless of its grade; 0/0 if there is none.
    `ideal_depth` says how many of the R relevant documents the divisor counts: at most k by default.

    Source: RecBole 1.2 ``ndcg``; recommenders 1.2 ``ndcg_at_k`` with score_type="binary", its default.

    Examples
    --------
    >>> import idealrank as ir
    >>> judgments, results = ir.from_ranking(["x", "d1", "d2"], {"d1": 3, "d2": 1})
    >>> round(ir.evaluate(judgments, results, ["BinaryNDCG@3"])["BinaryNDCG@3"], 4)
    0.6934
    """
    relevant = relevance(lists, decisions)
    counts = lists.weights(discount(decisions), depth(cutoff, decisions))
    return Steps(lists, {"relevant": relevant, "discount": counts}, relevant * counts, _best(lists, decisions, cutoff))


def _best(lists: JudgedLists, decisions: Decisions, cutoff: int | None) -> Floats:
    """(Q,) the sum when the relevant documents come first."""
    total = total_relevant(lists, decisions)
    limit = ideal_depth(lists, decisions.but(ideal="global"), cutoff)
    first = (total if limit is None else np.minimum(total, limit)).astype(np.int64)
    ranks = np.arange(1.0, first.max(initial=0) + 1)
    terms = rounded(discount(decisions)(ranks), decisions.rounding, "term")
    return np.concatenate(([0.0], np.cumsum(terms)))[first]
