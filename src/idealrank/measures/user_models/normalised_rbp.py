"""NormalisedRBP: graded RBP as a share of the ideal list's."""

import numpy as np

from idealrank.arrays import Floats
from idealrank.decisions import Decisions
from idealrank.judged_lists.lists import JudgedLists
from idealrank.measures.gains import depth
from idealrank.measures.steps import Steps


def steps(lists: JudgedLists, decisions: Decisions, cutoff: int | None, p: float) -> Steps:
    """Sum of p^(rank - 1) x grade, divided by the same sum for all judged documents, best first (up to k).

    Only grades above 0 count; 0/0 if no judged document has one.

    Source: graded RBP (Moffat and Zobel, TOIS 27(1), 2008) over that of the ideal list, as nDCG is DCG over its ideal.

    Examples
    --------
    >>> import idealrank as ir
    >>> judgments, results = ir.from_grades([1, 0, 2])
    >>> round(ir.evaluate(judgments, results, ["NormalisedRBP(p=0.5)"])["NormalisedRBP(p=0.5)"], 4)
    0.6
    """

    def weight(rank: Floats) -> Floats:
        counts: Floats = p ** (rank - 1.0)
        return counts

    worth = np.nan_to_num(np.maximum(lists.grade, 0.0), nan=0.0)
    counts = lists.weights(weight, depth(cutoff, decisions))
    place = lists.pool_place.astype(np.float64)
    best = np.maximum(lists.pool_grade, 0.0) * weight(place) * (place <= (cutoff or np.inf))
    ideal = np.bincount(lists.pool_query, best, lists.size).astype(np.float64)
    return Steps(lists, {"worth": worth, "discount": counts}, worth * counts, ideal)
