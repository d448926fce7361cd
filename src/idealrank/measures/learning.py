"""Measures of learning to rank and of other libraries: pairs, positions, probabilities."""

import math

import numpy as np

from idealrank.arrays import Floats
from idealrank.decisions.decisions import Decisions
from idealrank.judged_lists.lists import JudgedLists, span_ids
from idealrank.measures.binary import precision_divisor
from idealrank.measures.definition import (
    BINARY,
    COUNT,
    DEFINED,
    GAINED,
    SCALED,
    SHARE,
    SUMMED,
    UNBOUNDED,
    Family,
    Parameter,
)
from idealrank.measures.gains import (
    depth,
    gains,
    irrelevance,
    relevance,
    total_irrelevant,
    total_relevant,
    within_cutoff,
)
from idealrank.measures.ideal import best_gains, up_to_rank
from idealrank.measures.reader import cascade, grade_shares
from idealrank.measures.steps import Steps, constant

FAMILY = Family(__doc__)
measure = FAMILY.measure

_PAIRS = SHARE._replace(at_ideal="1", undefined="no pair", depth="all")


@measure(
    "PFound",
    title="PFound: the probability that a reader who may lose patience finds what he is looking for",
    reads=SCALED,
    properties=DEFINED,
    parameters=(Parameter("decay", default=0.85, low=0.0, high=1.0),),
)
def pfound(lists: JudgedLists, decisions: Decisions, cutoff: int | None, decay: float) -> Steps:
    """Sum over ranks of decay^(rank - 1) x the probability that all results before fail to satisfy and this one does.

    A result satisfies with a probability equal to its grade as a share of `max_grade`; the reader continues
    after any other with probability `decay`. A grade below zero never satisfies, and no grade does if the
    highest grade is not above 0.

    Source: Yandex, ROMIP 2009; CatBoost 1.2 ``PFound``, where the targets are the probabilities.

    Examples
    --------
    >>> import idealrank as ir
    >>> judgments, results = ir.from_grades([1, 0, 2])
    >>> round(ir.evaluate(judgments, results, ["PFound"])["PFound"], 5)
    0.86125
    """
    return cascade(lists, grade_shares(lists), lambda rank: decay ** (rank - 1.0), depth(cutoff, decisions))


@measure(
    "Q",
    title="Q-measure: average precision blended with cumulative gain relative to the ideal list",
    reads=("relevant_from", *GAINED),
    properties=_PAIRS._replace(undefined="no relevant", monotone="no", average="none"),
    parameters=(Parameter("beta", default=1.0, low=0.0, high=math.inf),),
    aliases=("Q-measure",),
)
def q_measure(lists: JudgedLists, decisions: Decisions, beta: float) -> Steps:
    """1/R x sum over the relevant results of (beta x gain + found) / (beta x ideal + rank).

    At each result, found is the number of relevant results and gain the sum of gains so far; ideal is the
    ideal list's sum of gains at this rank. Gains below zero count as 0. With beta 0 this is AP.

    Source: Sakai, NTCIR-4, 2004; NTCIREVAL ``Q-measure``.

    Examples
    --------
    >>> import idealrank as ir
    >>> judgments, results = ir.from_grades([1, 0, 2])
    >>> round(ir.evaluate(judgments, results, ["Q"])["Q"], 4)
    0.75
    """
    relevant = relevance(lists, decisions)
    gain = np.maximum(gains(lists.grade, decisions), 0.0)
    got, good = lists.running(gain), lists.before(relevant) + 1.0
    ideal = up_to_rank(lists, best_gains(lists, decisions))
    blended = relevant * (beta * got + good) / (beta * ideal + lists.rank)
    columns = {"relevant": relevant, "gain": gain, "got": got, "ideal": ideal}
    return Steps(lists, columns, blended, total_relevant(lists, decisions))


@measure(
    "OPA",
    title="Ordered pair accuracy: the share of pairs of results that are in the order of their grades",
    reads=("unjudged", "negative", "no_relevant"),
    properties=_PAIRS._replace(in_pairs=True),
    aliases=("pair_accuracy", "PairAccuracy"),
)
def opa(lists: JudgedLists, decisions: Decisions) -> Steps:
    """Pairs of results in which the higher grade comes first, divided by all pairs of different grades.

    An unjudged result counts as grade 0; documents that were not returned are in no pair.

    Source: TensorFlow Ranking ``OPAMetric`` (weights 1); CatBoost 1.2 ``QueryAUC:type=Ranking`` with ``ties=average``.

    Examples
    --------
    >>> import idealrank as ir
    >>> judgments, results = ir.from_grades([3, 0, 1, 2])
    >>> round(ir.evaluate(judgments, results, ["OPA"])["OPA"], 4)
    0.5
    """
    del decisions
    return _pair_steps(lists, np.nan_to_num(lists.grade, nan=0.0))


@measure(
    "AUC",
    title="Area under the ROC curve: the probability that a relevant result comes before another result",
    reads=("relevant_from", "unjudged", "negative", "no_relevant"),
    properties=_PAIRS._replace(undefined="no pair of relevant and other", in_pairs=True),
    aliases=("AUROC", "QueryAUC", "roc_auc"),
)
def auc(lists: JudgedLists, decisions: Decisions) -> Steps:
    """Pairs of a relevant and another result in which the relevant one comes first, divided by all these pairs.

    Documents that were not returned are in no pair.

    Source: scikit-learn 1.9 ``roc_auc_score`` per query and CatBoost 1.2 ``QueryAUC`` with ``ties=average``;
    ir_measures 0.4 ``Accuracy``.

    Examples
    --------
    >>> import idealrank as ir
    >>> judgments, results = ir.from_ranking(["d1", "x", "d2", "y"], {"d1": 1, "d2": 1})
    >>> ir.evaluate(judgments, results, ["AUC"])["AUC"]
    0.75
    """
    return _pair_steps(lists, relevance(lists, decisions))


def _pair_steps(lists: JudgedLists, value: Floats) -> Steps:
    """Share of the pairs of results of different value in which the higher value comes first.

    A result that is not a hit has value 0. A pair belongs to its hit with the higher value, or to its only
    hit. In a span of ties in average order, every pair counts half.
    """
    right, pairs = _pairs_with_missing(lists, value)
    for one in np.unique(value):
        mine, lower = value == one, (value < one).astype(np.float64)
        below = lists.per_query(lower)[lists.query]
        pairs += np.where(mine, below, 0.0)
        right += np.where(mine, below - _count_before(lists, lower), 0.0)
    return Steps(lists, {"value": value, "pairs": pairs, "in_order": right}, right, lists.per_query(pairs))


def _pairs_with_missing(lists: JudgedLists, value: Floats) -> tuple[Floats, Floats]:
    """(H,) pairs of each hit with results that are not hits: those in the right order, and all."""
    hits = np.ones(len(value))
    if lists.ranks == "averaged":
        above = (lists.tie_first + lists.tie_last) / 2.0 - 1.0 - _count_before(lists, hits) + 0.5
    else:
        above = lists.rank - 1.0 - _count_before(lists, hits)
    missing = (lists.returned - np.diff(lists.hit_start)).astype(np.float64)[lists.query]
    right = np.where(value > 0, missing - above, np.where(value < 0, above, 0.0))
    return right, np.where(value != 0, missing, 0.0)


def _count_before(lists: JudgedLists, chosen: Floats) -> Floats:
    """(H,) number of chosen hits before each; those in its span count half if the order is averaged."""
    if lists.ranks != "averaged" or not len(chosen):
        return lists.before(chosen)
    span = span_ids(lists)
    inside = np.bincount(span, weights=chosen)
    start = np.flatnonzero(np.concatenate(([True], np.diff(span) != 0)))
    before: Floats = lists.before(chosen)[start][span] + inside[span] / 2.0
    return before


@measure(
    "ARP",
    title="Average relevance position: the mean rank of the results, weighted by gain",
    reads=GAINED,
    properties=COUNT._replace(undefined="nothing of worth returned", monotone="no", direction="lower"),
)
def arp(lists: JudgedLists, decisions: Decisions) -> Steps:
    """Mean rank of the results, weighted by gain: sum of gain x rank / sum of gain.

    Gains below zero count as 0. Documents that were not returned have no rank and do not count.

    Source: TensorFlow Ranking ``ARPMetric``; Wang, Li, Golbandi, Bendersky and Najork, CIKM 2018.

    Examples
    --------
    >>> import idealrank as ir
    >>> judgments, results = ir.from_grades([3, 0, 1])
    >>> ir.evaluate(judgments, results, ["ARP"])["ARP"]
    1.5
    """
    gain = np.maximum(gains(lists.grade, decisions), 0.0)
    place = lists.weights(lambda rank: rank)
    return Steps(lists, {"gain": gain, "place": place}, gain * place, lists.per_query(gain))


@measure(
    "Fallout",
    title="Fall-out: the share of the documents judged non-relevant that are among the first k results",
    reads=(*BINARY, "no_relevant"),
    properties=SHARE._replace(at_ideal="none", undefined="none judged non-relevant", monotone="no", direction="lower"),
    aliases=("fall_out", "fall-out"),
    holes=("does not count", "do not count"),
)
def fallout(lists: JudgedLists, decisions: Decisions, cutoff: int | None) -> Steps:
    """Results judged non-relevant among the first k, divided by all documents judged non-relevant.

    Source: torchmetrics ``RetrievalFallOut``, where every document is judged and in the list.

    Examples
    --------
    >>> import idealrank as ir
    >>> judgments, results = ir.from_ranking(["d1", "n", "x"], {"d1": 1, "n": 0, "m": 0})
    >>> ir.evaluate(judgments, results, ["Fallout@2"])["Fallout@2"]
    0.5
    """
    others = irrelevance(lists, decisions)
    counts = within_cutoff(lists, cutoff, decisions)
    columns = {"nonrelevant": others, "counts": counts}
    return Steps(lists, columns, others * counts, total_irrelevant(lists, decisions))


@measure(
    "AverageGain",
    title="Average gain: the mean gain of the first k results",
    reads=(*SUMMED, "short_list", "no_relevant"),
    properties=SHARE._replace(highest=math.inf, undefined="nothing returned", not_averaged=("short_list=judged",)),
)
def average_gain(lists: JudgedLists, decisions: Decisions, cutoff: int | None) -> Steps:
    """Sum of the gains of the first k results, divided by k; without a cutoff, by the number returned.

    The decision `short_list` sets the divisor for a list shorter than k.

    Source: CatBoost 1.2 ``AverageGain``.

    Examples
    --------
    >>> import idealrank as ir
    >>> judgments, results = ir.from_grades([3, 0, 1])
    >>> ir.evaluate(judgments, results, ["AverageGain@2"])["AverageGain@2"]
    1.5
    """
    gain = gains(lists.grade, decisions)
    counts = within_cutoff(lists, cutoff, decisions)
    return Steps(lists, {"gain": gain, "counts": counts}, gain * counts, precision_divisor(lists, decisions, cutoff))


@measure(
    "RankBiasedGain",
    title="Rank-biased gain: the weighted mean gain of the results, with later ranks counting exponentially less",
    reads=SUMMED,
    properties=UNBOUNDED,
    parameters=(Parameter("p", default=0.6, low=0.0, high=1.0),),
    aliases=("XDCG",),
)
def rank_biased_gain(lists: JudgedLists, decisions: Decisions, cutoff: int | None, p: float) -> Steps:
    """Sum of p^(rank - 1) x gain(grade) over the first k results, divided by the sum of p^(rank - 1) over all k places.

    Without a cutoff there are infinitely many places, which gives (1 - p) x the sum: RBP with gains instead of
    relevance.

    Source: Azure AI Evaluation 1.18 ``xdcg@3``, with gains of 25 per grade; ranx 0.3.21 ``rbp``.

    Examples
    --------
    >>> import idealrank as ir
    >>> judgments, results = ir.from_grades([1, 0, 2])
    >>> ir.evaluate(judgments, results, ["RankBiasedGain(p=0.5)"])["RankBiasedGain(p=0.5)"]
    0.75
    """
    gain = gains(lists.grade, decisions)
    counts = lists.weights(lambda rank: p ** (rank - 1.0), depth(cutoff, decisions))
    # 1 - p^k, with all digits for p close to 1.
    places = 1.0 if cutoff is None else -math.expm1(cutoff * math.log(p))
    return Steps(lists, {"gain": gain, "discount": counts}, gain * counts, constant(lists, places / (1.0 - p)))
