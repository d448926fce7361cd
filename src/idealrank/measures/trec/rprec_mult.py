"""RprecMult: precision after a multiple of R results."""

import numpy as np

from idealrank.decisions import Decisions
from idealrank.judged_lists.lists import JudgedLists
from idealrank.measures.gains import every_rank
from idealrank.measures.relevance import relevance, total_relevant
from idealrank.measures.steps import Steps


def steps(lists: JudgedLists, decisions: Decisions, x: float) -> Steps:
    """Relevant results among the first c, divided by c, where c = trunc(x R + 0.9), at least 1.

    R is the number of relevant documents; 0/0 if there are none. With x = 1 this is R-precision.

    Source: trec_eval 9.0.8 ``Rprec_mult``.

    Examples
    --------
    >>> import idealrank as ir
    >>> judgments, results = ir.from_ranking(["d1", "x", "d2", "y"], {"d1": 1, "d2": 1})
    >>> ir.evaluate(judgments, results, ["RprecMult@2"])["RprecMult@2"]
    0.5
    """
    relevant = relevance(lists, decisions)
    total = total_relevant(lists, decisions)
    deep = np.trunc(x * total + 0.9)
    counts = lists.weights(every_rank, deep)
    divisor = np.where(total > 0, np.maximum(deep, 1.0), 0.0)
    return Steps(lists, {"relevant": relevant, "counts": counts}, relevant * counts, divisor)
