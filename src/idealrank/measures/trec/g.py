"""G: gains divided by the logarithm of the ideal gain missed."""

import numpy as np

from idealrank.decisions import Decisions
from idealrank.judged_lists.lists import JudgedLists
from idealrank.measures.gains import gains
from idealrank.measures.ideal import best_gains, up_to_rank
from idealrank.measures.steps import Steps


def steps(lists: JudgedLists, decisions: Decisions) -> Steps:
    """Sum of gain / log2(2 + cost - got), divided by the sum of all positive gains judged.

    The cost of rank i is the sum of the i highest gains, each at least 1 (1 beyond them); got is the
    sum of the gains up to and including this result. 0/0 if no judged document has a gain.

    Source: trec_eval 9.0.8 ``G``.

    Examples
    --------
    >>> import idealrank as ir
    >>> judgments, results = ir.from_grades([3, 0, 1])
    >>> round(ir.evaluate(judgments, results, ["G"])["G"], 4)
    0.9077
    """
    gain = np.maximum(gains(lists.grade, decisions), 0.0)
    got, best = lists.running(gain), best_gains(lists, decisions)
    beyond = np.maximum(lists.rank - np.diff(lists.pool_start)[lists.query], 0)
    cost = up_to_rank(lists, np.maximum(best, 1.0)) + beyond
    share = gain / np.log2(2.0 + np.maximum(cost - got, 0.0))
    worth = np.maximum(gains(lists.pool_grade, decisions), 0.0)
    total = np.bincount(lists.pool_query, worth, lists.size).astype(np.float64)
    return Steps(lists, {"gain": gain, "cost": cost, "got": got}, share, total)
