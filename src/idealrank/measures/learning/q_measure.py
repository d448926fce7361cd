"""Q: Sakai's Q-measure."""

from __future__ import annotations

import numpy as np

from idealrank.arrays import Floats, running_sums
from idealrank.decisions import Decisions
from idealrank.judged_lists.lists import JudgedLists
from idealrank.measures.gains import gains
from idealrank.measures.steps import Steps


def steps(lists: JudgedLists, decisions: Decisions, beta: float) -> Steps:
    """1/R x sum over the relevant results of (beta x got + found) / (beta x ideal + rank).

    Found are the relevant results and got the gains up to and with this one, ideal is what the best
    list has got by this rank. Gains below zero count as 0. It is AP where beta is 0.

    Source: Sakai, NTCIR-4, 2004; NTCIREVAL ``Q-measure``.

    Examples
    --------
    >>> import idealrank as ir
    >>> judgments, results = ir.from_grades([1, 0, 2])
    >>> round(ir.evaluate(judgments, results, ["Q"])["Q"], 4)
    0.75
    """
    relevant = lists.relevant(decisions.relevant_from).astype(np.float64)
    gain = np.maximum(gains(lists.grade, decisions), 0.0)
    got, found, ideal = lists.running(gain), lists.before(relevant) + 1.0, ideal_got(lists, decisions)
    blended = relevant * (beta * got + found) / (beta * ideal + lists.rank)
    columns = {"relevant": relevant, "gain": gain, "got": got, "ideal": ideal}
    return Steps(lists, columns, blended, lists.judged_relevant(decisions.relevant_from))


def ideal_got(lists: JudgedLists, decisions: Decisions) -> Floats:
    """(H,) sum of the highest gains judged, as many as the rank of each hit."""
    worth = np.maximum(gains(lists.pool_grade, decisions), 0.0)
    worth = worth[np.lexsort((-worth, lists.pool_query))]
    sums = np.concatenate(([0.0], running_sums(worth, lists.pool_start)))
    within = np.minimum(lists.rank, np.diff(lists.pool_start)[lists.query])
    total: Floats = np.where(within > 0, sums[lists.pool_start[lists.query] + within], 0.0)
    return total
