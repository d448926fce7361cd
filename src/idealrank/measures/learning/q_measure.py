"""Q: Sakai's Q-measure."""

import numpy as np

from idealrank.decisions import Decisions
from idealrank.judged_lists.lists import JudgedLists
from idealrank.measures.gains import gains
from idealrank.measures.ideal import best_gains, up_to_rank
from idealrank.measures.relevance import relevance, total_relevant
from idealrank.measures.steps import Steps


def steps(lists: JudgedLists, decisions: Decisions, beta: float) -> Steps:
    """1/R x sum over the relevant results of (beta x gain + found) / (beta x ideal + rank).

    At each result, found is the number of relevant results and gain the sum of gains so far; ideal is the
    ideal list's sum of gains at this rank. Gains below zero count as 0. With beta 0 this is AP.

    Source: Sakai, NTCIR-4, 2004; NTCIREVAL ``Q-measure``.

    Examples
    --------
    >>> import idealrank as ir
    >>> judgments, results = ir.from_grades([1, 0, 2])
    >>> round(ir.evaluate(judgments, results, ["Q"])["Q"], 4)
    0.75
    """
    relevant = relevance(lists, decisions)
    gain = np.maximum(gains(lists.grade, decisions), 0.0)
    got, good = lists.running(gain), lists.before(relevant) + 1.0
    ideal = up_to_rank(lists, best_gains(lists, decisions))
    blended = relevant * (beta * got + good) / (beta * ideal + lists.rank)
    columns = {"relevant": relevant, "gain": gain, "got": got, "ideal": ideal}
    return Steps(lists, columns, blended, total_relevant(lists, decisions))
