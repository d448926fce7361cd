"""RBOToIdeal: rank-biased overlap with the ideal list."""

import numpy as np

from idealrank.decisions import Decisions
from idealrank.judged_lists.lists import JudgedLists
from idealrank.measures.steps import Steps
from idealrank.measures.user_models.compat import ideal_lengths, overlaps


def steps(lists: JudgedLists, decisions: Decisions, p: float) -> Steps:
    """Sum over depths i of p^(i - 1) x the share of the first i common to results and ideal list / sum of p^(i - 1).

    The ideal list and the depths are those of Compat.

    Source: Webber, Moffat and Zobel, TOIS 28(4), 2010; ir_measures 0.4 ``Compat(normalize=False)``.

    Examples
    --------
    >>> import idealrank as ir
    >>> judgments, results = ir.from_ranking(["x", "d1"], {"d1": 1})
    >>> round(ir.evaluate(judgments, results, ["RBOToIdeal(p=0.5)"])["RBOToIdeal(p=0.5)"], 4)
    0.1667
    """
    del decisions
    columns, shares, _ = overlaps(lists, p)
    deepest = np.maximum(lists.returned, ideal_lengths(lists))
    whole = (1.0 - p ** deepest.astype(np.float64)) / (1.0 - p)
    return Steps(lists, columns, shares, np.where(deepest > 0, whole, 1.0))
