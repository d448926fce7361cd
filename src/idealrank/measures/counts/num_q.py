"""NumQ: how many queries were scored."""

from __future__ import annotations

import numpy as np

from idealrank.decisions import Decisions
from idealrank.judged_lists.lists import JudgedLists
from idealrank.measures.steps import Steps, ones


def steps(lists: JudgedLists, decisions: Decisions, cutoff: int | None) -> Steps:
    """1 for each query scored; the line for all queries is the sum.

    Source: trec_eval 9.0.8 ``num_q``.

    Examples
    --------
    >>> import idealrank as ir
    >>> judgments, results = ir.from_ranking(["d4", "d2"], {"d1": 2, "d2": 1})
    >>> ir.evaluate(judgments, results, ["NumQ"])["NumQ"]
    1.0
    """
    del decisions, cutoff
    nothing = np.zeros(len(lists.rank))
    return Steps(lists, {}, nothing, ones(lists), score=ones(lists), unsplit="it counts queries, not results")
