"""nNRBP: novelty- and rank-biased precision, relative to the ideal list."""

import numpy as np

from idealrank.decisions import Decisions
from idealrank.judged_lists.lists import JudgedLists
from idealrank.measures.diversity.greedy import against_greedy
from idealrank.measures.steps import Steps


def steps(lists: JudgedLists, decisions: Decisions, alpha: float, beta: float) -> Steps:
    """Sum of gain x beta^(rank - 1), divided by the same sum for the greedy ideal list.

    The gain of a result is the sum of (1 - alpha)^(earlier results for the same subtopic) over the
    subtopics it is relevant to. The ideal is that of alpha_nDCG.

    Source: Clarke, Kolla and Vechtomova, ICTIR 2009; ndeval in pyndeval 0.0.8.

    Examples
    --------
    >>> import idealrank as ir
    >>> rows = {"query": ["q"] * 4, "subtopic": ["a", "b", "b", "c"], "doc": ["A", "B", "D", "C"], "grade": [1] * 4}
    >>> run = {"q": {"A": 4.0, "D": 3.0, "E": 2.0, "B": 1.0}}
    >>> round(ir.evaluate(rows, run, ["nNRBP"])["nNRBP"], 4)
    0.8621
    """
    return against_greedy(lists, decisions, None, alpha, lambda rank: np.power(beta, rank - 1.0))
