"""RR: reciprocal rank."""

import numpy as np

from idealrank.arrays import Floats
from idealrank.decisions import Decisions
from idealrank.judged_lists.lists import JudgedLists
from idealrank.measures.gains import depth
from idealrank.measures.relevance import relevance
from idealrank.measures.steps import Steps, ones
from idealrank.measures.tie_spans import first_relevant


def steps(lists: JudgedLists, decisions: Decisions, cutoff: int | None) -> Steps:
    """1 / rank of the first relevant result, 0 if none is among the first k.

    Under ``ties=average``: if r of the n results of the first span with a relevant result are relevant, the
    first of them is at place j of the span with probability C(n-j, r-1) / C(n, r). The r relevant results
    share the sum of these probabilities divided by their ranks.

    Source: trec_eval 9.0.8 ``recip_rank``; ties: McSherry and Najork, ECIR 2008.

    Examples
    --------
    >>> import idealrank as ir
    >>> judgments, results = ir.from_ranking(["d4", "d2"], {"d2": 1})
    >>> ir.evaluate(judgments, results, ["RR"])["RR"]
    0.5
    """
    relevant = relevance(lists, decisions)
    share = first_relevant(lists, relevant, _reciprocal, depth(cutoff, decisions))
    return Steps(lists, {"relevant": relevant, "first": (share > 0).astype(np.float64)}, share, ones(lists))


def _reciprocal(rank: Floats) -> Floats:
    return 1.0 / rank
