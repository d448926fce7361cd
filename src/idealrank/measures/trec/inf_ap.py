"""infAP: average precision estimated from a sample of judgments."""

import numpy as np

from idealrank.decisions import Decisions
from idealrank.judged_lists.lists import JudgedLists
from idealrank.measures.relevance import judgedness, relevance, total_relevant
from idealrank.measures.steps import Steps

SMOOTHED = 0.00001
"""Added to the counts of a share, so that it is defined if nothing is judged (trec_eval's INFAP_EPSILON)."""


def steps(lists: JudgedLists, decisions: Decisions) -> Steps:
    """1/R x sum over relevant results of 1/r + (r-1)/r x (pooled before / (r-1)) x share of those judged relevant.

    A grade below zero means in the pool but not judged (``negative=unjudged``); a result without a
    judgment was not in the pool. Under ``unjudged=filter`` both are removed, and under a number for `unjudged`
    both count as pooled and judged with that grade. The share is (relevant + e) / (judged + 2e) of the
    results before, with e = 0.00001.

    Source: Yilmaz and Aslam, CIKM 2006; trec_eval 9.0.8 ``infAP``.

    Examples
    --------
    >>> import idealrank as ir
    >>> judgments, results = ir.from_ranking(["d1", "n", "s", "d2"], {"d1": 1, "n": 0, "s": -1, "d2": 1})
    >>> round(ir.evaluate(judgments, results, ["infAP"])["infAP"], 4)
    0.8125
    """
    relevant = relevance(lists, decisions)
    pooled = judgedness(lists)
    sampled = pooled * (lists.grade >= 0 if (decisions.negative, decisions.unjudged) == ("unjudged", "zero") else 1.0)
    good, judged, before = lists.before(relevant), lists.before(sampled), lists.before(pooled)
    share = (good + SMOOTHED) / (judged + 2.0 * SMOOTHED)
    expected = np.where(lists.rank == 1, 1.0, (1.0 + before * share) / lists.rank)
    columns = {"relevant": relevant, "pooled_before": before, "judged_before": judged, "precision": expected}
    return Steps(lists, columns, relevant * expected, total_relevant(lists, decisions))
