"""Binary measures: which results are relevant, and where."""

import math

import numpy as np

from idealrank.arrays import Floats, Mask
from idealrank.decisions.decisions import Decisions
from idealrank.errors import UsageError, option, unsaid
from idealrank.judged_lists.lists import JudgedLists
from idealrank.measures.definition import BINARY, COUNT, DEFINED, PATIENCE, SHARE, WHOLE_LIST, Family, Parameter
from idealrank.measures.gains import (
    RECIPROCAL,
    depth,
    discount,
    every_rank,
    irrelevance,
    judgedness,
    relevance,
    total_irrelevant,
    total_relevant,
    within_cutoff,
)
from idealrank.measures.ideal import ideal_depth
from idealrank.measures.reader import Reading, patient_reading
from idealrank.measures.steps import Steps, apply_rounding, constant, ones, unsplit
from idealrank.measures.tie_spans import Span, first_relevant, spans

FAMILY = Family(__doc__)
measure = FAMILY.measure


@measure(
    "P",
    title="Precision: the share of the first k results that are relevant",
    reads=(*BINARY, "short_list", "no_relevant"),
    properties=SHARE._replace(undefined="nothing returned", not_averaged=("short_list=judged",)),
    aliases=("precision", "p", "set_P", "SetP", "prec"),
)
def precision(lists: JudgedLists, decisions: Decisions, cutoff: int | None) -> Steps:
    """Relevant results among the first k, divided by k; without a cutoff, by the number returned.

    The decision `short_list` sets the divisor for a list shorter than k.

    Source: trec_eval 9.0.8 ``P``, ``set_P``.

    Examples
    --------
    >>> import idealrank as ir
    >>> judgments, results = ir.from_grades([3, 2, 3, 0, 1, 2])
    >>> ir.evaluate(judgments, results, ["P@5"])["P@5"]
    0.8
    """
    relevant = relevance(lists, decisions)
    counts = within_cutoff(lists, cutoff, decisions)
    divisor = precision_divisor(lists, decisions, cutoff)
    return Steps(lists, {"relevant": relevant, "counts": counts}, relevant * counts, divisor)


def precision_divisor(lists: JudgedLists, decisions: Decisions, cutoff: int | None) -> Floats:
    """(Q,) the divisor of a share of the first k results, as `short_list` says."""
    returned = lists.returned.astype(np.float64)
    if decisions.short_list == "judged":
        if lists.ranks == "averaged":
            raise UsageError(
                "ties=average with short_list=judged: the divisor depends on the order, and the average over all "
                f"orders is not computed for this answer. Use {option('ties', 'docid_desc')}, or another short_list."
            )
        judged = judgedness(lists)
        return lists.per_query(judged * within_cutoff(lists, cutoff, decisions))
    if decisions.short_list not in ("k", "returned"):
        raise unsaid("short_list", decisions.short_list, __name__)
    if cutoff is None:
        return returned
    return constant(lists, cutoff) if decisions.short_list == "k" else np.minimum(returned, cutoff)


@measure(
    "R",
    title="Recall: the share of the relevant documents that are among the first k results",
    reads=(*BINARY, "recall_denominator", "no_relevant"),
    shared_ranks=True,
    properties=SHARE._replace(not_averaged=("recall_denominator=hits",)),
    aliases=("recall", "r", "set_recall", "SetR"),
    carried={
        "relative_P": {"recall_denominator": "min(R,k)"},
        "set_relative_P": {"recall_denominator": "min(R,k,n)"},
        "SetRelP": {"recall_denominator": "min(R,k,n)"},
        "capped_recall": {"recall_denominator": "min(R,k)"},
        "R_cap": {"recall_denominator": "min(R,k)"},
    },
)
def recall(lists: JudgedLists, decisions: Decisions, cutoff: int | None) -> Steps:
    """Relevant results among the first k, divided by the number R of relevant documents.

    The decision `recall_denominator` offers other divisors. 0/0 if no document is relevant, or, under ``hits``,
    if none is found; unjudged results that a number for `unjudged` makes relevant count as found.

    Source: trec_eval 9.0.8 ``recall``, ``set_recall``.

    Examples
    --------
    >>> import idealrank as ir
    >>> judgments, results = ir.from_ranking(["d4", "d2"], {"d1": 2, "d2": 1})
    >>> ir.evaluate(judgments, results, ["R@2"])["R@2"]
    0.5
    """
    relevant = relevance(lists, decisions)
    counts = within_cutoff(lists, cutoff, decisions)
    hits = relevant * counts
    divisor = relevant_divisor(lists, decisions, cutoff, "recall_denominator", hits)
    return Steps(lists, {"relevant": relevant, "counts": counts}, hits, divisor)


def relevant_divisor(
    lists: JudgedLists, decisions: Decisions, cutoff: int | None, decision: str, hits: Floats
) -> Floats:
    """(Q,) the divisor of AP or R: R, or R capped as the decision with this name says."""
    denominator = getattr(decisions, decision)
    if denominator == "hits":
        if lists.ranks == "averaged":
            raise UsageError(
                "ties=average with a denominator of hits: the divisor depends on the order, and the average over all "
                f"orders is not computed for this answer. Use {option('ties', 'docid_desc')}, or another denominator."
            )
        return lists.per_query(hits)
    if denominator not in ("R", "min(R,k)", "min(R,k,n)"):
        raise unsaid(decision, denominator, __name__)
    divisor = total_relevant(lists, decisions)
    if denominator != "R" and cutoff is not None:
        divisor = np.minimum(divisor, cutoff)
    return np.minimum(divisor, lists.returned) if denominator == "min(R,k,n)" else divisor


@measure(
    "F1",
    title="F1: harmonic mean of precision and recall, 2 hits / (k + R)",
    reads=(*BINARY, "no_relevant"),
    properties=SHARE._replace(undefined="nothing returned, no relevant"),
    aliases=("f1", "f1_score", "set_F"),
)
def f1(lists: JudgedLists, decisions: Decisions, cutoff: int | None) -> Steps:
    """2 x relevant results among the first k, divided by k + R; without a cutoff, by returned + R.

    This is the harmonic mean of P@k and R@k, written so that it splits into steps.

    Source: van Rijsbergen 1979; trec_eval 9.0.8 ``set_F``.

    Examples
    --------
    >>> import idealrank as ir
    >>> judgments, results = ir.from_ranking(["d1", "x"], {"d1": 1, "d2": 1})
    >>> ir.evaluate(judgments, results, ["F1@2"])["F1@2"]
    0.5
    """
    relevant = relevance(lists, decisions)
    counts = within_cutoff(lists, cutoff, decisions)
    places = lists.returned.astype(np.float64) if cutoff is None else float(cutoff)
    divisor = places + total_relevant(lists, decisions)
    return Steps(lists, {"relevant": relevant, "counts": counts}, 2.0 * relevant * counts, divisor)


@measure(
    "RR",
    title="Reciprocal rank of the first relevant result",
    reads=BINARY,
    shared_ranks=True,
    properties=DEFINED,
    aliases=("mrr", "recip_rank", "rr", "reciprocal_rank", "MRR"),
)
def rr(lists: JudgedLists, decisions: Decisions, cutoff: int | None) -> Steps:
    """1 / rank of the first relevant result, 0 if none is among the first k.

    Under ``ties=average``: if r of the n results of the first span with a relevant result are relevant, the
    first of them is at place j of the span with probability C(n-j, r-1) / C(n, r). The r relevant results
    share the sum of these probabilities divided by their ranks.

    Source: trec_eval 9.0.8 ``recip_rank``; ties: McSherry and Najork, ECIR 2008.

    Examples
    --------
    >>> import idealrank as ir
    >>> judgments, results = ir.from_ranking(["d4", "d2"], {"d2": 1})
    >>> ir.evaluate(judgments, results, ["RR"])["RR"]
    0.5
    """
    relevant = relevance(lists, decisions)
    share = first_relevant(lists, relevant, RECIPROCAL, depth(cutoff, decisions))
    return Steps(lists, {"relevant": relevant, "first": (share > 0).astype(np.float64)}, share, ones(lists))


@measure(
    "AP",
    title="Average precision: the mean of the precisions at the relevant documents",
    reads=(*BINARY, "ap_denominator", "no_relevant"),
    properties=SHARE._replace(not_averaged=("ap_denominator=hits",)),
    aliases=("map", "map_cut", "ap", "average_precision", "MAP"),
    carried={"gm_map": {"average": "geometric"}},
)
def ap(lists: JudgedLists, decisions: Decisions, cutoff: int | None) -> Steps:
    """Sum of the precision at each relevant result within the first k, divided by R.

    The decision `ap_denominator` offers other divisors. 0/0 if no document is relevant, or, under ``hits``, if
    none is found; unjudged results that a number for `unjudged` makes relevant count as found.
    Under ``ties=average``: in a span of n results, r of them relevant, with s relevant results before it,
    place j is relevant with probability r/n; on average (j-1)(r-1)/(n-1) others then come before it.

    Source: trec_eval 9.0.8 ``map``, ``map_cut``; ties: McSherry and Najork, ECIR 2008.

    Examples
    --------
    >>> import idealrank as ir
    >>> judgments, results = ir.from_ranking(["d1", "x", "d2"], {"d1": 1, "d2": 1})
    >>> round(ir.evaluate(judgments, results, ["AP"])["AP"], 6)
    0.833333
    """
    relevant = relevance(lists, decisions)
    limit = depth(cutoff, decisions)
    counts = within_cutoff(lists, cutoff, decisions)
    before = lists.before(relevant)
    precision = (before + 1.0) / lists.rank
    contribution = relevant * counts * precision
    if lists.ranks == "averaged":
        for span in spans(lists, relevant):
            contribution[span.hits] = relevant[span.hits] * _expected_precision(span, relevant, before, limit)
    divisor = relevant_divisor(lists, decisions, cutoff, "ap_denominator", relevant * counts)
    return Steps(lists, {"relevant": relevant, "precision": precision * relevant}, contribution, divisor)


def _expected_precision(span: Span, relevant: Floats, before: Floats, limit: float | None) -> float:
    """Expected precision a relevant result of the span contributes."""
    count = relevant[span.hits].sum()
    places = np.arange(1.0, span.size + 1)
    ranks = span.first - 1 + places
    # Given a relevant result at the j-th of n tied places, each of the j - 1 places before it has one of the other c -
    # 1 relevant results with probability (c - 1) / (n - 1). `spans` gives no span of one result, so n > 1.
    others = (places - 1) * (count - 1) / (span.size - 1)
    precision = (before[span.hits.start] + 1 + others) / ranks
    return float((precision if limit is None else precision * (ranks <= limit)).mean())


@measure(
    "Bpref",
    title="Binary preference: how rarely judged non-relevant results come before relevant ones",
    reads=WHOLE_LIST,
    properties=SHARE._replace(at_ideal="1", depth="all"),
    aliases=("bpref",),
    carried={"gm_bpref": {"average": "geometric"}},
    holes=("does not count", "do not count"),
)
def bpref(lists: JudgedLists, decisions: Decisions) -> Steps:
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
    contribution = relevant * _bpref_credit(before, bound, many)
    if lists.ranks == "averaged":
        for span in spans(lists, relevant):
            start = span.hits.start
            # Among itself and the span's w non-relevant results a relevant one is equally likely at each of w + 1
            # places, so 0, 1, … w of them come before it equally often. Unjudged results do not count and may be
            # anywhere.
            ahead = before[start] + np.arange(wrong[span.hits].sum() + 1)
            credit = _bpref_credit(ahead, np.full(len(ahead), bound[start]), np.full(len(ahead), many[start])).mean()
            contribution[span.hits] = relevant[span.hits] * credit
    columns = {"relevant": relevant, "nonrelevant_before": before}
    return Steps(lists, columns, contribution, total)


def _bpref_credit(before: Floats, bound: Floats, many: Floats) -> Floats:
    """1 - min(n, R) / min(N, R) for the n, min(N, R) and R given; 1 if nothing comes before, even where that is 0/0."""
    clear = (before == 0) | (bound == 0)
    return np.where(clear, 1.0, 1.0 - np.minimum(before, many) / np.where(clear, 1.0, bound))


@measure(
    "Rprec",
    title="R-precision: precision after as many results as there are relevant documents",
    reads=WHOLE_LIST,
    properties=SHARE._replace(at_ideal="1", depth="R"),
    aliases=("rprec", "r-precision", "r_precision", "rprecision"),
)
def rprec(lists: JudgedLists, decisions: Decisions) -> Steps:
    """Relevant results among the first R, divided by R, the number of relevant documents.

    0/0 if no document is relevant.

    Source: trec_eval 9.0.8 ``Rprec``.

    Examples
    --------
    >>> import idealrank as ir
    >>> judgments, results = ir.from_ranking(["d1", "x", "d2"], {"d1": 1, "d2": 1})
    >>> ir.evaluate(judgments, results, ["Rprec"])["Rprec"]
    0.5
    """
    relevant = relevance(lists, decisions)
    total = total_relevant(lists, decisions)
    counts = lists.weights(every_rank, total)
    return Steps(lists, {"relevant": relevant, "counts": counts}, relevant * counts, total)


@measure(
    "Success",
    title="Success: 1 if any of the first k results is relevant",
    reads=BINARY,
    shared_ranks=True,
    properties=DEFINED,
    aliases=("success", "hit", "hits", "hit_rate", "hitrate", "hit_ratio", "accuracy"),
)
def success(lists: JudgedLists, decisions: Decisions, cutoff: int | None) -> Steps:
    """1 if a relevant document is among the first k results, else 0 (hit rate).

    Under ``ties=average``, the probability of that, which is hypergeometric in the span that contains the cutoff.

    Source: trec_eval 9.0.8 ``success``; ties: McSherry and Najork, ECIR 2008.

    Examples
    --------
    >>> import idealrank as ir
    >>> judgments, results = ir.from_ranking(["d4", "d2"], {"d2": 1})
    >>> ir.evaluate(judgments, results, ["Success@1,2"]).values[0, :, 0].tolist()
    [0.0, 1.0]
    """
    relevant = relevance(lists, decisions)
    share = first_relevant(lists, relevant, every_rank, depth(cutoff, decisions))
    return Steps(lists, {"relevant": relevant, "first": (share > 0).astype(np.float64)}, share, ones(lists))


@measure(
    "AllRecall",
    title="All-recall: 1 if all relevant documents are among the first k results",
    reads=(*BINARY, "no_relevant"),
    properties=SHARE._replace(average="none"),
    aliases=("all_recall", "full_recall"),
)
def all_recall(lists: JudgedLists, decisions: Decisions, cutoff: int | None) -> Steps:
    """1 if all R relevant documents are among the first k results, else 0; the relevant results share the 1.

    It is 1 exactly where R@k is 1, as for questions that need every one of several documents. 0/0 if no document is
    relevant; unjudged results that a number for `unjudged` makes relevant count as found.

    Source: all-recall, AR@k, of Gutiérrez, Shu, Gu, Yasunaga and Su (HippoRAG), NeurIPS 2024.

    Examples
    --------
    >>> import idealrank as ir
    >>> judgments, results = ir.from_ranking(["d1", "d4", "d2"], {"d1": 2, "d2": 1})
    >>> ir.evaluate(judgments, results, ["AllRecall@2,3"]).values[0, :, 0].tolist()
    [0.0, 1.0]
    """
    relevant = relevance(lists, decisions)
    hits = relevant * within_cutoff(lists, cutoff, decisions)
    needed, found = total_relevant(lists, decisions), lists.per_query(hits)
    complete = np.where(found >= needed, 1.0, 0.0)[lists.query]
    divisor = np.where(needed > 0, np.maximum(found, needed), 0.0)
    return Steps(lists, {"relevant": relevant, "complete": complete}, hits * complete, divisor)


_SEARCHES = COUNT._replace(lowest=1, direction="lower")
"""What a number of searches promises."""


_MOST = Parameter("most", default=10.0, low=1.0, high=math.inf, ends="closed")
"""The most searches that count: what none of them found counts one more."""

_ONE_SEARCH = (
    "A query that has one list took one search. Ranks do not count, only which search returned a document first."
)


@measure(
    "StepsToFirst",
    title="Searches until the first relevant document",
    reads=("relevant_from", "unjudged", "negative"),
    properties=_SEARCHES,
    parameters=(_MOST,),
    aliases=("steps_to_first",),
    if_empty="computed",
    shared=_ONE_SEARCH,
)
def steps_to_first(lists: JudgedLists, decisions: Decisions, most: float) -> Steps:
    """Number of searches until the first relevant document; most + 1 if none of the first `most` returned one.

    Lower is better. A query without results counts most + 1, too, and so does one for which nothing is relevant.

    Source: defined here, for agents whose second search finds what the first did not (elastic/kibana#290921).

    Examples
    --------
    >>> import idealrank as ir
    >>> results = {"query": ["t", "t"], "step": [1, 2], "doc": ["d4", "d1"], "rank": [1, 1]}
    >>> ir.evaluate({"t": {"d1": 1}}, results, ["StepsToFirst"], steps="union")["StepsToFirst"]
    2.0
    """
    relevant = relevance(lists, decisions)
    return _steps_until(lists, relevant, relevant > 0, most)


@measure(
    "StepsToAll",
    title="Searches until all relevant documents",
    reads=("relevant_from", "unjudged", "negative"),
    properties=_SEARCHES,
    parameters=(_MOST,),
    aliases=("steps_to_all",),
    if_empty="computed",
    shared=_ONE_SEARCH,
)
def steps_to_all(lists: JudgedLists, decisions: Decisions, most: float) -> Steps:
    """Number of searches until all relevant documents; most + 1 if one is missing after the first `most`.

    Lower is better. A query without results counts most + 1, too, and so does one for which nothing is relevant.

    Source: defined here, for agents whose second search finds what the first did not (elastic/kibana#290921).

    Examples
    --------
    >>> import idealrank as ir
    >>> results = {"query": ["t", "t"], "step": [1, 2], "doc": ["d2", "d1"], "rank": [1, 1]}
    >>> ir.evaluate({"t": {"d1": 1, "d2": 1}}, results, ["StepsToAll"], steps="union")["StepsToAll"]
    2.0
    """
    relevant = relevance(lists, decisions)
    needed = total_relevant(lists, decisions)
    complete = (lists.running(relevant) >= needed[lists.query]) & (needed > 0)[lists.query]
    return _steps_until(lists, relevant, complete, most)


def _steps_until(lists: JudgedLists, relevant: Floats, reached: Mask, most: float) -> Steps:
    """The steps of a measure that counts the searches up to the first hit at which something is reached."""
    searches = np.full(lists.size, np.inf)
    np.minimum.at(searches, lists.query[reached], lists.search[reached])
    score = np.where(searches <= most, searches, most + 1)
    columns = {"relevant": relevant, "search": lists.search.astype(np.float64)}
    return unsplit(lists, columns, score, "it is the number of a search, or one more than the most that count")


def _rbp_reading(lists: JudgedLists, decisions: Decisions, cutoff: int | None, p: float) -> Reading:
    return patient_reading(lists, relevance(lists, decisions), p, depth(cutoff, decisions))


@measure(
    "RBP",
    title="Rank-biased precision: relevance seen by a reader who continues with probability p",
    reads=BINARY,
    properties=DEFINED,
    parameters=(PATIENCE,),
    aliases=("rbp",),
    reading=_rbp_reading,
)
def rbp(lists: JudgedLists, decisions: Decisions, cutoff: int | None, p: float) -> Steps:
    """(1 - p) x sum of p^(rank - 1) over the relevant results; p is the probability of reading on.

    Source: Moffat and Zobel, TOIS 27(1), 2008; ir_measures 0.4 ``RBP(p=0.8)``.

    Examples
    --------
    >>> import idealrank as ir
    >>> judgments, results = ir.from_ranking(["d1", "x", "d2"], {"d1": 1, "d2": 1})
    >>> round(ir.evaluate(judgments, results, ["RBP(p=0.5)"])["RBP(p=0.5)"], 6)
    0.625
    """
    relevant = relevance(lists, decisions)
    counts = lists.weights(lambda rank: (1.0 - p) * p ** (rank - 1.0), depth(cutoff, decisions))
    return Steps(lists, {"relevant": relevant, "discount": counts}, relevant * counts, ones(lists))


@measure(
    "BinaryNDCG",
    title="nDCG of relevance: how early the relevant results come, regardless of their grades",
    reads=(*BINARY, "discount", "ideal_depth", "no_relevant"),
    properties=SHARE._replace(at_ideal="1"),
    aliases=("binary_ndcg",),
)
def binary_ndcg(lists: JudgedLists, decisions: Decisions, cutoff: int | None) -> Steps:
    """Sum of discount(rank) over the relevant results among the first k, divided by that of ranks 1 to min(R, k).

    This is nDCG with a gain of 1 for every relevant document, regardless of its grade; 0/0 if there is none.
    `ideal_depth` says how many of the R relevant documents the divisor counts: at most k by default.

    Source: RecBole 1.2 ``ndcg``; recommenders 1.2 ``ndcg_at_k`` with score_type="binary", its default.

    Examples
    --------
    >>> import idealrank as ir
    >>> judgments, results = ir.from_ranking(["x", "d1", "d2"], {"d1": 3, "d2": 1})
    >>> round(ir.evaluate(judgments, results, ["BinaryNDCG@3"])["BinaryNDCG@3"], 4)
    0.6934
    """
    relevant = relevance(lists, decisions)
    counts = lists.weights(discount(decisions), depth(cutoff, decisions))
    return Steps(
        lists,
        {"relevant": relevant, "discount": counts},
        relevant * counts,
        _best_discount_sum(lists, decisions, cutoff),
    )


def _best_discount_sum(lists: JudgedLists, decisions: Decisions, cutoff: int | None) -> Floats:
    """(Q,) the sum when the relevant documents come first."""
    total = total_relevant(lists, decisions)
    limit = ideal_depth(lists, decisions.but(ideal="global"), cutoff)
    first = (total if limit is None else np.minimum(total, limit)).astype(np.int64)
    ranks = np.arange(1.0, first.max(initial=0) + 1)
    terms = apply_rounding(discount(decisions)(ranks), decisions.rounding, "term")
    return np.concatenate(([0.0], np.cumsum(terms)))[first]
