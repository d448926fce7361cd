"""nDCG: normalised discounted cumulative gain."""

import functools

import numpy as np

from idealrank.decisions import Decisions
from idealrank.judged_lists.lists import JudgedLists
from idealrank.measures.gains import depth, discounted
from idealrank.measures.graded.local_average import average_local
from idealrank.measures.ideal import ideal_list, ideal_sums
from idealrank.measures.steps import Steps


def steps(lists: JudgedLists, decisions: Decisions, cutoff: int | None) -> Steps:
    """DCG of the first k results divided by the DCG of the ideal list.

    `ideal` and `ideal_depth` define that list; 0/0 if the ideal is worth nothing.
    Under ``ties=average``, the mean DCG is divided by the ideal, which does not depend on the order; only
    ``ideal=local`` has to enumerate every way to fill the cutoff.

    Source: Järvelin and Kekäläinen, TOIS 20(4), 2002; trec_eval 9.0.8 ``ndcg``, ``ndcg_cut``;
    ties: McSherry and Najork, ECIR 2008.

    Examples
    --------
    >>> import idealrank as ir
    >>> judgments, results = ir.from_grades([3, 2, 3, 0, 1, 2], also_judged=[3, 2])
    >>> round(ir.evaluate(judgments, results, ["nDCG@6"])["nDCG@6"], 3)
    0.785
    """
    limit = depth(cutoff, decisions)
    dcg = discounted(lists, decisions, limit)
    columns = {"gain": dcg.gain, "discount": dcg.counts}
    divisor = ideal_sums(lists, decisions, cutoff)
    ideal = functools.partial(ideal_list, lists, decisions, cutoff)
    if lists.ranks == "exact" or decisions.ideal != "local" or limit is None:
        return Steps(lists, columns, dcg.share, divisor, ideal, totals=dcg.totals)
    average = functools.partial(average_local, lists, decisions, dcg.gain, dcg.share, limit)
    worth = (decisions.gain, decisions.discount)
    share, own = lists.kept.latest(("average_local", limit, decisions.no_relevant), worth, average)
    return Steps(lists, columns, share, np.where(np.isnan(own), divisor, own), ideal)
