"""binG: relevance divided by the logarithm of the number of non-relevant results before it."""

import numpy as np

from idealrank.decisions import Decisions
from idealrank.judged_lists.lists import JudgedLists
from idealrank.measures.relevance import relevance, total_relevant
from idealrank.measures.steps import Steps


def steps(lists: JudgedLists, decisions: Decisions) -> Steps:
    """Sum over relevant results of 1 / log2(2 + number of non-relevant results before it), divided by R.

    0/0 if no document is relevant.

    Source: trec_eval 9.0.8 ``binG``.

    Examples
    --------
    >>> import idealrank as ir
    >>> judgments, results = ir.from_ranking(["x", "y", "d1"], {"d1": 1})
    >>> ir.evaluate(judgments, results, ["binG"])["binG"]
    0.5
    """
    relevant = relevance(lists, decisions)
    wrong = lists.rank - 1.0 - lists.before(relevant)
    columns = {"relevant": relevant, "nonrelevant_before": wrong}
    return Steps(lists, columns, relevant / np.log2(2.0 + wrong), total_relevant(lists, decisions))
