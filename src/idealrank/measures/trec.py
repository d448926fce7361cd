"""Measures of trec_eval besides the common ones."""

import functools
import math
from collections.abc import Sequence

import numpy as np

from idealrank.arrays import Floats, Ints, places, running_sums
from idealrank.decisions.decisions import Decisions
from idealrank.errors import UsageError, option, unsaid
from idealrank.judged_lists.lists import JudgedLists
from idealrank.measures.definition import (
    BINARY,
    COUNT,
    GAINED,
    GRADED,
    IDEAL,
    PATIENCE,
    SHARE,
    WHOLE_LIST,
    Family,
    Parameter,
)
from idealrank.measures.gains import (
    depth,
    discount,
    every_rank,
    gains,
    irrelevance,
    judgedness,
    relevance,
    total_relevant,
    within_cutoff,
)
from idealrank.measures.ideal import best_gains, ideal_sums, up_to_rank
from idealrank.measures.steps import Steps, ones, unsplit

FAMILY = Family(__doc__)
measure = FAMILY.measure

_WHOLE = SHARE._replace(depth="all")

_UNAVERAGED = _WHOLE._replace(average="none")


@measure(
    "F",
    title="F: weighted harmonic mean of precision and recall",
    reads=(*BINARY, "no_relevant"),
    properties=SHARE._replace(undefined="nothing returned, no relevant"),
    parameters=(Parameter("beta", default=1.0, low=0.0, high=math.inf),),
    aliases=("SetF", "f_measure"),
)
def f_measure(lists: JudgedLists, decisions: Decisions, cutoff: int | None, beta: float) -> Steps:
    """(1 + beta^2) x relevant results among the first k, divided by k + beta^2 R; without k, by returned + beta^2 R.

    This is (1 + b^2) P R / (b^2 P + R) of precision and recall at k: beta is how much more recall counts.
    trec_eval's ``set_F.x`` has beta = sqrt(x), and so has ir_measures' ``SetF(beta=x)`` under its convention.

    Source: van Rijsbergen 1979; trec_eval 9.0.8 ``set_F``.

    Examples
    --------
    >>> import idealrank as ir
    >>> judgments, results = ir.from_ranking(["d1", "x"], {"d1": 1, "d2": 1, "d3": 1})
    >>> round(ir.evaluate(judgments, results, ["F(beta=2)"])["F(beta=2)"], 4)
    0.3571
    """
    relevant = relevance(lists, decisions)
    counts = within_cutoff(lists, cutoff, decisions)
    places = lists.returned.astype(np.float64) if cutoff is None else float(cutoff)
    divisor = places + beta**2 * total_relevant(lists, decisions)
    return Steps(lists, {"relevant": relevant, "counts": counts}, (1.0 + beta**2) * relevant * counts, divisor)


@measure(
    "SetAP",
    title="SetAP: precision times recall of everything returned",
    reads=WHOLE_LIST,
    properties=_WHOLE,
    aliases=("set_map",),
)
def set_ap(lists: JudgedLists, decisions: Decisions) -> Steps:
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


@measure(
    "RprecMult",
    title="R-precision at a multiple of R: precision after x times as many results as relevant documents",
    reads=WHOLE_LIST,
    properties=_WHOLE,
    parameters=(Parameter("x", default=1.0, low=0.0, high=math.inf, written="behind"),),
    aliases=("Rprec_mult",),
)
def rprec_mult(lists: JudgedLists, decisions: Decisions, x: float) -> Steps:
    """Relevant results among the first c, divided by c, where c = trunc(x R + 0.9), at least 1.

    R is the number of relevant documents; 0/0 if there are none. With x = 1 this is R-precision.

    Source: trec_eval 9.0.8 ``Rprec_mult``.

    Examples
    --------
    >>> import idealrank as ir
    >>> judgments, results = ir.from_ranking(["d1", "x", "d2", "y"], {"d1": 1, "d2": 1})
    >>> ir.evaluate(judgments, results, ["RprecMult@2"])["RprecMult@2"]
    0.5
    """
    relevant = relevance(lists, decisions)
    total = total_relevant(lists, decisions)
    deep = np.trunc(x * total + 0.9)
    counts = lists.weights(every_rank, deep)
    divisor = np.where(total > 0, np.maximum(deep, 1.0), 0.0)
    return Steps(lists, {"relevant": relevant, "counts": counts}, relevant * counts, divisor)


@measure(
    "IPrec",
    title="Interpolated precision: the highest precision from a level of recall on",
    reads=(*WHOLE_LIST, "recall_points"),
    properties=_UNAVERAGED._replace(at_ideal="1"),
    parameters=(Parameter("recall", default=0.0, low=0.0, high=1.0, ends="closed", written="behind"),),
    aliases=("iprec_at_recall",),
)
def iprec(lists: JudgedLists, decisions: Decisions, recall: float) -> Steps:
    """The highest precision at or after the c-th relevant result; 0 if there are fewer than c.

    c is the share `recall` of the R relevant documents, rounded as `recall_points` says; 0/0 if R = 0.

    Source: trec_eval 9.0.8 and 10.0 ``iprec_at_recall``.

    Examples
    --------
    >>> import idealrank as ir
    >>> judgments, results = ir.from_ranking(["x", "d1", "d2"], {"d1": 1, "d2": 1})
    >>> round(ir.evaluate(judgments, results, ["IPrec@0.5"])["IPrec@0.5"], 4)
    0.6667
    """
    return _interpolation_steps(lists, decisions, (recall,), "it is the highest precision from a level of recall on")


def _interpolation_steps(lists: JudgedLists, decisions: Decisions, levels: Sequence[float], why: str) -> Steps:
    """The steps of the mean of interpolated precisions at levels of recall, and why they do not add up to the score."""
    relevant = relevance(lists, decisions)
    so_far = lists.before(relevant) + 1.0
    precision = relevant * so_far / lists.rank
    scores = [_highest_precision(lists, decisions, precision, so_far, recall) for recall in levels]
    return unsplit(
        lists, {"relevant": relevant, "precision": precision}, functools.reduce(np.add, scores) / len(scores), why
    )


def _highest_precision(
    lists: JudgedLists, decisions: Decisions, precision: Floats, so_far: Floats, recall: float
) -> Floats:
    """(Q,) interpolated precision at one level of recall; NaN if no document is relevant."""
    total = total_relevant(lists, decisions)
    wanted = relevant_at(total, recall, decisions)
    best = np.zeros(lists.size)
    np.maximum.at(best, lists.query, np.where(so_far >= wanted[lists.query], precision, 0.0))
    return np.where(total > 0, best, np.nan)


def relevant_at(total: Floats, recall: float, decisions: Decisions) -> Floats:
    """(Q,) number of relevant documents that make up a level of recall, rounded as `recall_points` says."""
    share = recall * total
    if decisions.recall_points == "nearest":
        return np.floor(share + 0.5)
    if decisions.recall_points == "up":
        # As trec_eval rounds up: a share a little above a whole number, such as 3.0000000000000004, stays that number.
        return np.trunc(share + 0.9)
    raise unsaid("recall_points", decisions.recall_points, __name__)


_ELEVEN_LEVELS = (0.0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1.0)


@measure(
    "IAP11",
    title="Interpolated precision averaged over recall 0, 0.1, … 1",
    reads=(*WHOLE_LIST, "recall_points"),
    properties=_UNAVERAGED._replace(at_ideal="1"),
    aliases=("11pt_avg", "11pt"),
)
def iap11(lists: JudgedLists, decisions: Decisions) -> Steps:
    """Mean of the interpolated precisions at recall 0, 0.1, … 1; 0/0 if no document is relevant.

    Source: trec_eval 9.0.8 and 10.0 ``11pt_avg``.

    Examples
    --------
    >>> import idealrank as ir
    >>> judgments, results = ir.from_ranking(["d1", "d2"], {"d1": 1, "d2": 1})
    >>> ir.evaluate(judgments, results, ["IAP11"])["IAP11"]
    1.0
    """
    return _interpolation_steps(lists, decisions, _ELEVEN_LEVELS, "it is a mean of highest precisions")


_SMOOTHING = 0.00001
"""Added to the counts of a share, so that it is defined if nothing is judged (trec_eval's INFAP_EPSILON)."""


@measure(
    "infAP",
    title="Inferred average precision: estimated from a sample of judgments",
    reads=WHOLE_LIST,
    below_zero="kept",
    properties=_UNAVERAGED._replace(monotone="no"),
    aliases=("infap",),
    holes=("counts as not relevant", "count as not relevant"),
)
def inf_ap(lists: JudgedLists, decisions: Decisions) -> Steps:
    """1/R x sum over relevant results of 1/r + (r-1)/r x (pooled before / (r-1)) x share of those judged relevant.

    A grade below zero means in the pool but not judged (``negative=unjudged``); a result without a
    judgment was not in the pool. Under ``unjudged=filter`` both are removed, and under a number for `unjudged`
    both count as pooled and judged with that grade. The share is (relevant + e) / (judged + 2e) of the
    results before, with e = 0.00001.

    Source: Yilmaz and Aslam, CIKM 2006; trec_eval 9.0.8 ``infAP``.

    Examples
    --------
    >>> import idealrank as ir
    >>> judgments, results = ir.from_ranking(["d1", "n", "s", "d2"], {"d1": 1, "n": 0, "s": -1, "d2": 1})
    >>> round(ir.evaluate(judgments, results, ["infAP"])["infAP"], 4)
    0.8125
    """
    relevant = relevance(lists, decisions)
    pooled = judgedness(lists)
    skips = decisions.negative == "unjudged" and decisions.unjudged in ("zero", "complete")
    sampled = pooled * (lists.grade >= 0 if skips else 1.0)
    good, judged, before = lists.before(relevant), lists.before(sampled), lists.before(pooled)
    share = (good + _SMOOTHING) / (judged + 2.0 * _SMOOTHING)
    expected = np.where(lists.rank == 1, 1.0, (1.0 + before * share) / lists.rank)
    columns = {"relevant": relevant, "pooled_before": before, "judged_before": judged, "precision": expected}
    return Steps(lists, columns, relevant * expected, total_relevant(lists, decisions))


@measure(
    "yaap",
    title="yaap: the log odds of average precision",
    reads=("relevant_from", "unjudged", "negative"),
    properties=_UNAVERAGED._replace(lowest=-math.inf, highest=math.inf, undefined="never"),
)
def yaap(lists: JudgedLists, decisions: Decisions) -> Steps:
    """ln((1 + s) / (1 + R - s)), where s is the sum of the precisions at the relevant results.

    Under a number for `unjudged`, more than R results may be relevant; s is then R at most.

    Source: Robertson, SIGIR 2006 workshop; trec_eval 9.0.8 ``yaap``.

    Examples
    --------
    >>> import idealrank as ir
    >>> judgments, results = ir.from_ranking(["d1"], {"d1": 1})
    >>> round(ir.evaluate(judgments, results, ["yaap"])["yaap"], 4)
    0.6931
    """
    relevant = relevance(lists, decisions)
    precision = relevant * (lists.before(relevant) + 1.0) / lists.rank
    total = total_relevant(lists, decisions)
    precisions = np.minimum(lists.per_query(precision), total)
    score = np.log((1.0 + precisions) / (1.0 + total - precisions))
    columns = {"relevant": relevant, "precision": precision}
    return unsplit(lists, columns, score, "it is the logarithm of a quotient of sums")


@measure(
    "binG",
    title="binG: relevant results, each divided by the logarithm of the number of non-relevant results before it",
    reads=WHOLE_LIST,
    properties=_UNAVERAGED._replace(at_ideal="1"),
)
def bin_g(lists: JudgedLists, decisions: Decisions) -> Steps:
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


@measure(
    "G",
    title="G: gains, each divided by the logarithm of the ideal gain missed by its rank",
    reads=GAINED,
    properties=_UNAVERAGED._replace(at_ideal="none", undefined="nothing of worth", monotone="no"),
)
def g(lists: JudgedLists, decisions: Decisions) -> Steps:
    """Sum of gain / log2(2 + cost - got), divided by the sum of all positive gains judged.

    The cost of rank i is the sum of the i highest gains, each at least 1 (1 beyond them); got is the
    sum of the gains up to and including this result. 0/0 if no judged document has a gain.

    Source: trec_eval 9.0.8 ``G``.

    Examples
    --------
    >>> import idealrank as ir
    >>> judgments, results = ir.from_grades([3, 0, 1])
    >>> round(ir.evaluate(judgments, results, ["G"])["G"], 4)
    0.9077
    """
    gain = np.maximum(gains(lists.grade, decisions), 0.0)
    got, best = lists.running(gain), best_gains(lists, decisions)
    beyond = np.maximum(lists.rank - np.diff(lists.pool_start)[lists.query], 0)
    cost = up_to_rank(lists, np.maximum(best, 1.0)) + beyond
    share = gain / np.log2(2.0 + np.maximum(cost - got, 0.0))
    worth = np.maximum(gains(lists.pool_grade, decisions), 0.0)
    total = np.bincount(lists.pool_query, worth, lists.size).astype(np.float64)
    return Steps(lists, {"gain": gain, "cost": cost, "got": got}, share, total)


class IdealDCGs:
    """The DCG of the ideal list of Q queries at every depth: all judged documents with a gain, best first.

    Attributes
    ----------
    many, total
        (Q,) the number of documents in the list, and its DCG.
    start, worth
        (Q + 1,), (I,) where each list starts, and the gains, highest first.
    """

    def __init__(self, lists: JudgedLists, decisions: Decisions) -> None:
        worth = gains(lists.pool_grade, decisions)
        order = np.lexsort((-worth, lists.pool_query))
        order = order[worth[order] > 0]
        self.query, self.worth = lists.pool_query[order], worth[order]
        self.many = np.bincount(self.query, minlength=lists.size)
        self.start = np.concatenate((np.zeros(1, np.int64), np.cumsum(self.many)))
        terms = self.worth * discount(decisions)(places(self.start).astype(np.float64))
        self._sums = np.concatenate(([0.0], running_sums(terms, self.start)))
        self.total = np.where(self.many > 0, self._sums[self.start[1:]], 0.0)

    def upto(self, query: Ints, rank: Ints) -> Floats:
        """(N,) the DCG of the first `rank` places of the list of each query given."""
        within = np.minimum(rank, self.many[query])
        sums: Floats = np.where(within > 0, self._sums[self.start[query] + within], 0.0)
        return sums


@measure(
    "nDCGRel",
    title="nDCG averaged over the ranks at which documents with a gain came back",
    reads=(*GAINED, "discount"),
    properties=_UNAVERAGED._replace(at_ideal="1", undefined="nothing of worth", tie_range="none"),
    aliases=("ndcg_rel",),
)
def ndcg_rel(lists: JudgedLists, decisions: Decisions) -> Steps:
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


@measure(
    "RnDCG",
    title="nDCG averaged over the depths at which the ideal list has used up a grade",
    reads=(*GAINED, "discount", "relevant_from"),
    properties=_UNAVERAGED._replace(at_ideal="1", undefined="nothing of worth or no relevant"),
    aliases=("Rndcg",),
)
def rndcg(lists: JudgedLists, decisions: Decisions) -> Steps:
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
    query, size = _head_sizes(ideal)
    at = _sum_up_to(lists, so_far, query, size) / ideal.upto(query, size)  # sizes end in a gain above 0
    longer = lists.returned > ideal.many + 1
    empty = (ideal.many == 0) | (total_relevant(lists, decisions) == 0)
    last = whole / np.where(empty, 1.0, ideal.total)
    levels = np.bincount(query, minlength=lists.size) + longer
    score = (np.bincount(query, at, lists.size) + np.where(longer, last, 0.0)) / np.maximum(levels, 1)
    return unsplit(lists, {"dcg": so_far}, np.where(empty, np.nan, score), "it is a mean of quotients")


def _head_sizes(ideal: IdealDCGs) -> tuple[Ints, Ints]:
    """Return the query and the size of each head of an ideal list that ends where the next gain is lower."""
    ends = np.ones(len(ideal.worth), np.bool_)
    ends[:-1] = (np.diff(ideal.worth) != 0) | (np.diff(ideal.query) != 0)
    (at,) = np.nonzero(ends)
    return ideal.query[at], at + 1 - ideal.start[ideal.query[at]]


def _sum_up_to(lists: JudgedLists, so_far: Floats, query: Ints, rank: Ints) -> Floats:
    """(N,) the running sum of a query's hits up to a rank; 0 before the first."""
    wide = int(lists.rank.max(initial=0)) + 1
    keys = lists.query * wide + np.minimum(lists.rank, wide - 1)
    last = np.searchsorted(keys, query * wide + np.minimum(rank, wide - 1), side="right")
    sums = np.concatenate(([0.0], so_far))
    return np.where(last > lists.hit_start[query], sums[last], 0.0)


@measure(
    "IDCG",
    title="The DCG of the ideal list, which is nDCG's divisor",
    reads=(*GRADED, *(name for name in IDEAL if name != "no_relevant")),
    properties=COUNT._replace(depth="nothing", not_averaged=("ideal=local",)),
    aliases=("ideal_dcg",),
)
def idcg(lists: JudgedLists, decisions: Decisions, cutoff: int | None) -> Steps:
    """The DCG of the list that nDCG compares with, which `ideal` and `ideal_depth` define.

    Source: trec_eval 10.0 ``ideal_dcg``.

    Examples
    --------
    >>> import idealrank as ir
    >>> judgments, results = ir.from_grades([0, 3], also_judged=[1])
    >>> round(ir.evaluate(judgments, results, ["IDCG@2"])["IDCG@2"], 4)
    3.6309
    """
    if lists.ranks == "averaged" and decisions.ideal == "local":
        raise UsageError(
            "ties=average with ideal=local: the ideal depends on the order, and its average over all orders is not "
            f"computed. Use {option('ties', 'docid_desc')}, or another ideal."
        )
    return unsplit(lists, {}, ideal_sums(lists, decisions, cutoff), "it is a sum over the ideal list")


@measure(
    "Utility",
    title="Utility: the value of relevant and other documents, returned or not",
    reads=("relevant_from", "unjudged", "negative"),
    properties=_WHOLE._replace(lowest=-math.inf, highest=math.inf, undefined="never"),
    parameters=(
        Parameter("a", default=1.0, low=0.0, high=math.inf),
        Parameter("b", default=-1.0, low=-math.inf, high=0.0),
        Parameter("c", default=0.0, low=-math.inf, high=0.0, ends="closed"),
        Parameter("d", default=0.0, low=0.0, high=math.inf, ends="closed"),
        Parameter("docs", default=0.0, low=0.0, high=math.inf, ends="closed"),
    ),
    aliases=("utility",),
)
def utility(lists: JudgedLists, decisions: Decisions, a: float, b: float, c: float, d: float, docs: float) -> Steps:
    """A x relevant returned + b x others returned + c x relevant missed + d x others not returned.

    The number of others not returned follows from `docs`, the number of all documents.

    Source: trec_eval 9.0.8 ``utility`` (there -N gives the number of documents).

    Examples
    --------
    >>> import idealrank as ir
    >>> judgments, results = ir.from_ranking(["d1", "x", "y"], {"d1": 1, "d2": 1})
    >>> ir.evaluate(judgments, results, ["Utility"])["Utility"]
    -1.0
    """
    relevant = relevance(lists, decisions)
    returned, total = lists.per_query(relevant), total_relevant(lists, decisions)
    missed, others = total - returned, lists.returned - returned
    score = a * returned + b * others + c * missed + d * (docs - total - others)
    return unsplit(lists, {"relevant": relevant}, score, "it also counts documents that were not returned")


@measure(
    "Unjudged",
    title="Unjudged: the share of the first k results without a judgment",
    reads=("unjudged", "negative", "cutoff", "no_relevant"),
    properties=SHARE._replace(at_ideal="none", undefined="nothing returned", monotone="no", direction="count"),
    aliases=("unj",),
    holes=("counts as a result without a judgment", "count as results without a judgment"),
)
def unjudged(lists: JudgedLists, decisions: Decisions, cutoff: int | None) -> Steps:
    """Results without a judgment among the first k, divided by k; without a cutoff, by the number returned.

    Source: trec_eval 10.0 ``unj``.

    Examples
    --------
    >>> import idealrank as ir
    >>> judgments, results = ir.from_ranking(["d1", "x", "y"], {"d1": 0})
    >>> ir.evaluate(judgments, results, ["Unjudged@4"])["Unjudged@4"]
    0.5
    """
    judged = judgedness(lists)
    counts = within_cutoff(lists, cutoff, decisions)
    limit, returned = depth(cutoff, decisions), lists.returned.astype(np.float64)
    within = returned if limit is None else np.minimum(returned, limit)
    divisor = returned if cutoff is None else np.full(lists.size, float(cutoff))
    missing = within - lists.per_query(judged * counts)
    score = np.where(divisor > 0, missing / np.maximum(divisor, 1.0), np.nan)
    return unsplit(lists, {"judged": judged, "counts": counts}, score, "it counts results without a judgment")


@measure(
    "RBPResidual",
    title="RBP's residual: how much unjudged results, and ranks not returned, could add to RBP",
    reads=("unjudged", "negative"),
    properties=COUNT._replace(highest=1, monotone="no"),
    parameters=(PATIENCE,),
    aliases=("rbp_resid",),
    holes=("adds what it could be worth", "add what they could be worth"),
)
def rbp_residual(lists: JudgedLists, decisions: Decisions, p: float) -> Steps:
    """p^n + (1 - p) x sum of p^(rank - 1) over the unjudged among n results.

    Once everything is judged, RBP is between its value now and that value plus this.

    Source: Moffat and Zobel, TOIS 27(1), 2008; trec_eval 10.0 ``rbp_resid`` (0 there where all results are judged).

    Examples
    --------
    >>> import idealrank as ir
    >>> judgments, results = ir.from_ranking(["d1", "x"], {"d1": 1})
    >>> ir.evaluate(judgments, results, ["RBPResidual(p=0.5)"])["RBPResidual(p=0.5)"]
    0.5
    """
    del decisions
    judged = judgedness(lists)
    counts = lists.weights(lambda rank: (1.0 - p) * p ** (rank - 1.0))
    score = 1.0 - lists.per_query(judged * counts)
    return unsplit(lists, {"judged": judged, "discount": counts}, score, "it is 1 minus the judged results' weight")


@measure(
    "NumNonRelRet",
    title="Number of returned documents judged not relevant",
    reads=("relevant_from", "unjudged", "negative"),
    properties=COUNT._replace(direction="lower"),
    total="sum",
    aliases=("num_nonrel_judged_ret",),
    holes=("does not count", "do not count"),
)
def num_nonrel_ret(lists: JudgedLists, decisions: Decisions) -> Steps:
    """Number of results judged not relevant; the line for all queries is the sum.

    Source: trec_eval 9.0.8 ``num_nonrel_judged_ret``.

    Examples
    --------
    >>> import idealrank as ir
    >>> judgments, results = ir.from_ranking(["d1", "d2", "x"], {"d1": 2, "d2": 0})
    >>> ir.evaluate(judgments, results, ["NumNonRelRet"])["NumNonRelRet"]
    1.0
    """
    wrong = irrelevance(lists, decisions)
    return Steps(lists, {"nonrelevant": wrong}, wrong, ones(lists))
