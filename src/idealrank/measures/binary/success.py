"""Success: whether any result is relevant."""

import numpy as np

from idealrank.decisions import Decisions
from idealrank.judged_lists.lists import JudgedLists
from idealrank.measures.gains import depth, every_rank
from idealrank.measures.relevance import relevance
from idealrank.measures.steps import Steps, ones
from idealrank.measures.tie_spans import first_relevant


def steps(lists: JudgedLists, decisions: Decisions, cutoff: int | None) -> Steps:
    """1 if a relevant document is among the first k results, else 0 (hit rate).

    Under ``ties=average``, the probability of that, which is hypergeometric in the span that contains the cutoff.

    Source: trec_eval 9.0.8 ``success``; ties: McSherry and Najork, ECIR 2008.

    Examples
    --------
    >>> import idealrank as ir
    >>> judgments, results = ir.from_ranking(["d4", "d2"], {"d2": 1})
    >>> ir.evaluate(judgments, results, ["Success@1,2"]).values[0, :, 0].tolist()
    [0.0, 1.0]
    """
    relevant = relevance(lists, decisions)
    share = first_relevant(lists, relevant, every_rank, depth(cutoff, decisions))
    return Steps(lists, {"relevant": relevant, "first": (share > 0).astype(np.float64)}, share, ones(lists))
