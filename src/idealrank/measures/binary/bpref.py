"""Bpref: binary preference."""

import numpy as np

from idealrank.arrays import Floats
from idealrank.decisions import Decisions
from idealrank.judged_lists.lists import JudgedLists
from idealrank.measures.relevance import irrelevance, relevance, total_irrelevant, total_relevant
from idealrank.measures.steps import Steps
from idealrank.measures.tie_spans import spans


def steps(lists: JudgedLists, decisions: Decisions) -> Steps:
    """1/R x sum over relevant results of 1 - min(n, R) / min(N, R).

    n is the number of judged non-relevant results before it, and N the number of all judged non-relevant
    documents; a result counts 1 if n = 0 or N = 0. Unjudged results do not count. Under a number for
    `unjudged` they are in n or among the relevant, but not in N: with ``unjudged=0`` and N = 0, a relevant
    result after others counts 1. 0/0 if R = 0.
    Under ``ties=average``, 0 to b non-relevant results of the span come before a relevant one, each number
    being equally likely.

    Source: Buckley and Voorhees, SIGIR 2004, as trec_eval 9.0.8 ``bpref`` computes it.

    Examples
    --------
    >>> import idealrank as ir
    >>> judgments, results = ir.from_ranking(["n", "d"], {"d": 1, "n": 0})
    >>> ir.evaluate(judgments, results, ["Bpref"])["Bpref"]
    0.0
    """
    relevant, wrong = relevance(lists, decisions), irrelevance(lists, decisions)
    total = total_relevant(lists, decisions)
    bound = np.minimum(total_irrelevant(lists, decisions), total)[lists.query]
    many = total[lists.query]
    before = lists.before(wrong)
    contribution = relevant * _credit(before, bound, many)
    if lists.ranks == "averaged":
        for span in spans(lists, relevant):
            start = span.hits.start
            ahead = before[start] + np.arange(wrong[span.hits].sum() + 1)
            credit = _credit(ahead, np.full(len(ahead), bound[start]), np.full(len(ahead), many[start])).mean()
            contribution[span.hits] = relevant[span.hits] * credit
    columns = {"relevant": relevant, "nonrelevant_before": before}
    return Steps(lists, columns, contribution, total)


def _credit(before: Floats, bound: Floats, many: Floats) -> Floats:
    clear = (before == 0) | (bound == 0)
    return np.where(clear, 1.0, 1.0 - np.minimum(before, many) / np.where(clear, 1.0, bound))
