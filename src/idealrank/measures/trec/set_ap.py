"""SetAP: precision times recall of all that was returned."""

import numpy as np

from idealrank.decisions import Decisions
from idealrank.judged_lists.lists import JudgedLists
from idealrank.measures.relevance import relevance, total_relevant
from idealrank.measures.steps import Steps


def steps(lists: JudgedLists, decisions: Decisions) -> Steps:
    """Precision x recall of all results; 0/0 if no document is relevant.

    Source: trec_eval 9.0.8 ``set_map``; ir_measures 0.4 ``SetAP``.

    Examples
    --------
    >>> import idealrank as ir
    >>> judgments, results = ir.from_ranking(["d1", "x"], {"d1": 1, "d2": 1})
    >>> ir.evaluate(judgments, results, ["SetAP"])["SetAP"]
    0.25
    """
    relevant = relevance(lists, decisions)
    precision = lists.per_query(relevant) / np.maximum(lists.returned, 1)
    share = relevant * precision[lists.query]
    return Steps(lists, {"relevant": relevant}, share, total_relevant(lists, decisions))
