"""OPA: ordered pair accuracy."""

import numpy as np

from idealrank.decisions import Decisions
from idealrank.judged_lists.lists import JudgedLists
from idealrank.measures.learning.pairs import in_order
from idealrank.measures.steps import Steps


def steps(lists: JudgedLists, decisions: Decisions) -> Steps:
    """Pairs of results in which the higher grade comes first, divided by all pairs of different grades.

    An unjudged result counts as grade 0; documents that were not returned are in no pair.

    Source: TensorFlow Ranking ``OPAMetric`` (weights 1); CatBoost 1.2 ``QueryAUC:type=Ranking`` with ``ties=average``.

    Examples
    --------
    >>> import idealrank as ir
    >>> judgments, results = ir.from_grades([3, 0, 1, 2])
    >>> round(ir.evaluate(judgments, results, ["OPA"])["OPA"], 4)
    0.5
    """
    del decisions
    return in_order(lists, np.nan_to_num(lists.grade, nan=0.0))
