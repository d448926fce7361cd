"""NumNonRelRet: how many documents judged not relevant came back."""

from __future__ import annotations

import numpy as np

from idealrank.decisions import Decisions
from idealrank.judged_lists.lists import JudgedLists
from idealrank.measures.steps import Steps, ones


def steps(lists: JudgedLists, decisions: Decisions, cutoff: int | None) -> Steps:
    """Number of results judged not relevant; the line for all queries is the sum.

    Source: trec_eval 9.0.8 ``num_nonrel_judged_ret``.

    Examples
    --------
    >>> import idealrank as ir
    >>> judgments, results = ir.from_ranking(["d1", "d2", "x"], {"d1": 2, "d2": 0})
    >>> ir.evaluate(judgments, results, ["NumNonRelRet"])["NumNonRelRet"]
    1.0
    """
    del cutoff
    wrong = (~np.isnan(lists.grade) & ~lists.relevant(decisions.relevant_from)).astype(np.float64)
    return Steps(lists, {"nonrelevant": wrong}, wrong, ones(lists))
