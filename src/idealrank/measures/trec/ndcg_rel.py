"""nDCGRel: nDCG averaged over the ranks at which something is found."""

import numpy as np

from idealrank.decisions import Decisions
from idealrank.judged_lists.lists import JudgedLists
from idealrank.measures.gains import discount, gains
from idealrank.measures.steps import Steps, unsplit
from idealrank.measures.trec.ideal_dcgs import IdealDCGs


def steps(lists: JudgedLists, decisions: Decisions) -> Steps:
    """Mean over the m judged documents with a gain of DCG(i) / IDCG(i), where i is the rank of each.

    A document that was not returned counts the DCG of all results / the IDCG of all judged. 0/0 if m = 0.
    Under a number for `unjudged`, unjudged results with a gain count as returned ones of the m.

    Source: trec_eval 9.0.8 ``ndcg_rel``.

    Examples
    --------
    >>> import idealrank as ir
    >>> judgments, results = ir.from_grades([0, 1])
    >>> round(ir.evaluate(judgments, results, ["nDCGRel"])["nDCGRel"], 4)
    0.6309
    """
    gain = gains(lists.grade, decisions)
    share = gain * discount(decisions)(lists.rank.astype(np.float64))
    so_far, good = lists.running(share), gain > 0
    ideal = IdealDCGs(lists, decisions)
    best = ideal.upto(lists.query, lists.rank)
    at = so_far / np.where(best > 0, best, 1.0)
    returned, whole = lists.per_query(np.where(good, at, 0.0)), lists.per_query(share)
    missed = ideal.many - lists.per_query(good)
    empty = ideal.many == 0
    last = whole / np.where(empty, 1.0, ideal.total)
    score = np.where(empty, np.nan, (returned + np.maximum(missed, 0.0) * last) / np.where(empty, 1.0, ideal.many))
    return unsplit(lists, {"gain": gain, "dcg": so_far}, score, "it is a mean of quotients")
