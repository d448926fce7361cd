"""F: weighted harmonic mean of precision and recall."""

import numpy as np

from idealrank.decisions import Decisions
from idealrank.judged_lists.lists import JudgedLists
from idealrank.measures.gains import taken
from idealrank.measures.relevance import relevance, total_relevant
from idealrank.measures.steps import Steps


def steps(lists: JudgedLists, decisions: Decisions, cutoff: int | None, beta: float) -> Steps:
    """(1 + beta^2) x relevant results among the first k, divided by k + beta^2 R; without k, by returned + beta^2 R.

    This is (1 + b^2) P R / (b^2 P + R) of precision and recall at k: beta is how much more recall counts.
    trec_eval's ``set_F.x`` has beta = sqrt(x), and so has ir_measures' ``SetF(beta=x)`` under its convention.

    Source: van Rijsbergen 1979; trec_eval 9.0.8 ``set_F``.

    Examples
    --------
    >>> import idealrank as ir
    >>> judgments, results = ir.from_ranking(["d1", "x"], {"d1": 1, "d2": 1, "d3": 1})
    >>> round(ir.evaluate(judgments, results, ["F(beta=2)"])["F(beta=2)"], 4)
    0.3571
    """
    relevant = relevance(lists, decisions)
    counts = taken(lists, cutoff, decisions)
    places = lists.returned.astype(np.float64) if cutoff is None else float(cutoff)
    divisor = places + beta**2 * total_relevant(lists, decisions)
    return Steps(lists, {"relevant": relevant, "counts": counts}, (1.0 + beta**2) * relevant * counts, divisor)
