"""INSQ: a reader with a goal, who is more likely to continue the further he has come."""

import math

import numpy as np

from idealrank.arrays import Floats
from idealrank.decisions import Decisions
from idealrank.judged_lists.lists import JudgedLists
from idealrank.measures.gains import depth
from idealrank.measures.steps import Steps
from idealrank.measures.user_models.reader import Reading, shares, weighed
from idealrank.measures.user_models.zeta import squares


def steps(lists: JudgedLists, decisions: Decisions, cutoff: int | None, T: float) -> Steps:  # noqa: N803 (the paper's name)
    """Sum of worth / (rank + 2T - 1)^2, divided by the sum of 1 / (rank + 2T - 1)^2 over all ranks (up to k).

    T is how much the reader wants; he continues from rank i with probability ((i + 2T - 1) / (i + 2T))^2.
    Worth is the grade as a share of `max_grade`; it is 0 for a grade below zero, and if `max_grade` is not above 0.

    Source: Moffat, Scholer and Thomas, ADCS 2012; cwl_eval 1.0.12 ``INSQ`` is ``INSQ@1000``.

    Examples
    --------
    >>> import idealrank as ir
    >>> judgments, results = ir.from_ranking(["d1", "x", "d2"], {"d1": 1, "d2": 1})
    >>> round(ir.evaluate(judgments, results, ["INSQ(T=1)@3"])["INSQ@3"], 4)
    0.7377
    """
    own = reading(lists, decisions, cutoff, T)
    columns = {"worth": own.worth, "discount": own.reached}
    return Steps(lists, columns, own.worth * own.reached, own.depth)


def reading(lists: JudgedLists, decisions: Decisions, cutoff: int | None, T: float) -> Reading:  # noqa: N803 (the paper's name)
    """What this reader reads.

    If no rank counts (``@1`` under ``cutoff=below_k``), nothing is read: the score is then 0 and not 0/0, so
    the divisor may not be 0.
    """
    last = depth(cutoff, decisions)
    weights = lists.weights(lambda rank: rank_weight(rank, T), last)
    total = float(weight_sum(np.array(np.inf if last is None else last), T))
    return weighed(lists, shares(lists), weights, total or 1.0, total)


def double(goal: float) -> float:
    """Twice a goal; an OverflowError, not infinity, if that is too large for a number."""
    return math.ldexp(goal, 1)


def rank_weight(rank: Floats, goal: float) -> Floats:
    """How much each rank is read, 1 at the first."""
    weight: Floats = (double(goal) / (rank - 1.0 + double(goal))) ** 2
    return weight


def weight_sum(last: Floats, goal: float) -> Floats:
    """Sum of `rank_weight` over the ranks up to the last, which may be infinite."""
    return squares(np.array(double(goal)), last, double(goal))
