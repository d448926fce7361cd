"""F1: harmonic mean of precision and recall."""

import numpy as np

from idealrank.decisions import Decisions
from idealrank.judged_lists.lists import JudgedLists
from idealrank.measures.gains import taken
from idealrank.measures.relevance import relevance, total_relevant
from idealrank.measures.steps import Steps


def steps(lists: JudgedLists, decisions: Decisions, cutoff: int | None) -> Steps:
    """2 x relevant results among the first k, divided by k + R; without a cutoff, by returned + R.

    This is the harmonic mean of P@k and R@k, written so that it splits into steps.

    Source: van Rijsbergen 1979; trec_eval 9.0.8 ``set_F``.

    Examples
    --------
    >>> import idealrank as ir
    >>> judgments, results = ir.from_ranking(["d1", "x"], {"d1": 1, "d2": 1})
    >>> ir.evaluate(judgments, results, ["F1@2"])["F1@2"]
    0.5
    """
    relevant = relevance(lists, decisions)
    counts = taken(lists, cutoff, decisions)
    places = lists.returned.astype(np.float64) if cutoff is None else float(cutoff)
    divisor = places + total_relevant(lists, decisions)
    return Steps(lists, {"relevant": relevant, "counts": counts}, 2.0 * relevant * counts, divisor)
