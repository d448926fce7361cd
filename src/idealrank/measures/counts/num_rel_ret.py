"""NumRelRet: how many relevant documents came back."""

from __future__ import annotations

import numpy as np

from idealrank.decisions import Decisions
from idealrank.judged_lists.lists import JudgedLists
from idealrank.measures.gains import taken
from idealrank.measures.steps import Steps, ones


def steps(lists: JudgedLists, decisions: Decisions, cutoff: int | None) -> Steps:
    """Number of relevant results among the first k; the line for all queries is the sum.

    Source: trec_eval 9.0.8 ``num_rel_ret``.

    Examples
    --------
    >>> import idealrank as ir
    >>> judgments, results = ir.from_ranking(["d4", "d2"], {"d1": 2, "d2": 1})
    >>> ir.evaluate(judgments, results, ["NumRelRet"])["NumRelRet"]
    1.0
    """
    relevant = lists.relevant(decisions.relevant_from).astype(np.float64)
    counts = taken(lists, cutoff, decisions)
    return Steps(lists, {"relevant": relevant, "counts": counts}, relevant * counts, ones(lists))
