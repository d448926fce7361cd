"""Unjudged: how many of the first k results nobody judged."""

import numpy as np

from idealrank.decisions import Decisions
from idealrank.judged_lists.lists import JudgedLists
from idealrank.measures.gains import depth, taken
from idealrank.measures.relevance import judgedness
from idealrank.measures.steps import Steps, unsplit


def steps(lists: JudgedLists, decisions: Decisions, cutoff: int | None) -> Steps:
    """Results without a judgment among the first k, divided by k; without a cutoff, by the number returned.

    Source: trec_eval 10.0 ``unj``.

    Examples
    --------
    >>> import idealrank as ir
    >>> judgments, results = ir.from_ranking(["d1", "x", "y"], {"d1": 0})
    >>> ir.evaluate(judgments, results, ["Unjudged@4"])["Unjudged@4"]
    0.5
    """
    judged = judgedness(lists)
    counts = taken(lists, cutoff, decisions)
    limit, returned = depth(cutoff, decisions), lists.returned.astype(np.float64)
    within = returned if limit is None else np.minimum(returned, limit)
    divisor = returned if cutoff is None else np.full(lists.size, float(cutoff))
    missing = within - lists.per_query(judged * counts)
    score = np.where(divisor > 0, missing / np.maximum(divisor, 1.0), np.nan)
    return unsplit(lists, {"judged": judged, "counts": counts}, score, "it counts results without a judgment")
