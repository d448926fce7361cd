"""RnDCG: nDCG averaged over the depths at which the ideal list has used up a grade."""

import numpy as np

from idealrank.arrays import Floats, Ints
from idealrank.decisions import Decisions
from idealrank.judged_lists.lists import JudgedLists
from idealrank.measures.gains import discount, gains
from idealrank.measures.relevance import total_relevant
from idealrank.measures.steps import Steps, unsplit
from idealrank.measures.trec.ideal_dcgs import IdealDCGs


def steps(lists: JudgedLists, decisions: Decisions) -> Steps:
    """Mean of DCG(b) / IDCG(b), where b is, for each gain above 0, the number of documents with at least that gain.

    If m documents have a gain and more than m + 1 results came back, the DCG of all results divided by that
    of the ideal counts once more. 0/0 if m = 0 or no document is relevant.

    Source: trec_eval 9.0.8 ``Rndcg``.

    Examples
    --------
    >>> import idealrank as ir
    >>> judgments, results = ir.from_grades([1, 3])
    >>> round(ir.evaluate(judgments, results, ["RnDCG"])["RnDCG"], 4)
    0.565
    """
    share = gains(lists.grade, decisions) * discount(decisions)(lists.rank.astype(np.float64))
    so_far, whole = lists.running(share), lists.per_query(share)
    ideal = IdealDCGs(lists, decisions)
    query, size = _sizes(ideal)
    at = _upto(lists, so_far, query, size) / ideal.upto(query, size)  # sizes end in a gain above 0
    longer = lists.returned > ideal.many + 1
    empty = (ideal.many == 0) | (total_relevant(lists, decisions) == 0)
    last = whole / np.where(empty, 1.0, ideal.total)
    levels = np.bincount(query, minlength=lists.size) + longer
    score = (np.bincount(query, at, lists.size) + np.where(longer, last, 0.0)) / np.maximum(levels, 1)
    return unsplit(lists, {"dcg": so_far}, np.where(empty, np.nan, score), "it is a mean of quotients")


def _sizes(ideal: IdealDCGs) -> tuple[Ints, Ints]:
    """Return the query and the size of each head of an ideal list that ends where the next gain is lower."""
    ends = np.ones(len(ideal.worth), np.bool_)
    ends[:-1] = (np.diff(ideal.worth) != 0) | (np.diff(ideal.query) != 0)
    (at,) = np.nonzero(ends)
    return ideal.query[at], at + 1 - ideal.start[ideal.query[at]]


def _upto(lists: JudgedLists, so_far: Floats, query: Ints, rank: Ints) -> Floats:
    """(N,) the running sum of a query's hits up to a rank; 0 before the first."""
    wide = int(lists.rank.max(initial=0)) + 1
    keys = lists.query * wide + np.minimum(lists.rank, wide - 1)
    last = np.searchsorted(keys, query * wide + np.minimum(rank, wide - 1), side="right")
    sums = np.concatenate(([0.0], so_far))
    return np.where(last > lists.hit_start[query], sums[last], 0.0)
