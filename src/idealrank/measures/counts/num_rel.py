"""NumRel: how many relevant documents the judgments hold."""

from __future__ import annotations

import numpy as np

from idealrank.decisions import Decisions
from idealrank.judged_lists.lists import JudgedLists
from idealrank.measures.steps import Steps, ones


def steps(lists: JudgedLists, decisions: Decisions, cutoff: int | None) -> Steps:
    """Number R of relevant documents in the judgments; the line for all queries is the sum.

    Source: trec_eval 9.0.8 ``num_rel``.

    Examples
    --------
    >>> import idealrank as ir
    >>> judgments, results = ir.from_ranking(["d4", "d2"], {"d1": 2, "d2": 1})
    >>> ir.evaluate(judgments, results, ["NumRel"])["NumRel"]
    2.0
    """
    del cutoff
    return Steps(
        lists,
        {},
        np.zeros(len(lists.rank)),
        ones(lists),
        score=lists.judged_relevant(decisions.relevant_from),
        unsplit="it counts judgments, not results",
    )
