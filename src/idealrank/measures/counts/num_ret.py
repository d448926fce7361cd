"""NumRet: how many results came back."""

from __future__ import annotations

import numpy as np

from idealrank.decisions import Decisions
from idealrank.judged_lists.lists import JudgedLists
from idealrank.measures.steps import Steps, ones


def steps(lists: JudgedLists, decisions: Decisions, cutoff: int | None) -> Steps:
    """Number of results returned; the line for all queries is the sum.

    Source: trec_eval 9.0.8 ``num_ret``.

    Examples
    --------
    >>> import idealrank as ir
    >>> judgments, results = ir.from_ranking(["d4", "d2"], {"d2": 2})
    >>> ir.evaluate(judgments, results, ["NumRet"])["NumRet"]
    2.0
    """
    del decisions, cutoff
    return Steps(
        lists,
        {},
        np.zeros(len(lists.rank)),
        ones(lists),
        score=lists.returned.astype(np.float64),
        unsplit="it counts every result, judged or not",
    )
