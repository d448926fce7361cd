"""Diversity measures: how many subtopics of a query the results serve, and how soon; averages over judgment groups."""

import math

import numpy as np

from idealrank.decisions.decisions import Decisions
from idealrank.judged_lists.lists import JudgedLists
from idealrank.measures.definition import BINARY, SHARE, WHOLE_LIST, Family, Parameter
from idealrank.measures.gains import LOG2, RECIPROCAL, within_cutoff
from idealrank.measures.novelty import (
    group_counts,
    novelty,
    per_hit,
    precision_at_each,
    precision_of_each,
    relevant_subtopics,
    share_of_bound,
    share_of_greedy,
    subtopic_hits,
)
from idealrank.measures.steps import Steps

FAMILY = Family(__doc__, by_subtopic=True, holes=("serves no subtopic", "serve no subtopic"))
measure = FAMILY.measure

_READS = (*BINARY, "no_relevant")

_ALPHA = Parameter("alpha", default=0.5, low=0.0, high=1.0, ends="closed")

_BETA = Parameter("beta", default=0.5, low=0.0, high=1.0)

# The grade of a document does not say how many subtopics it serves, so nothing is promised for an order by grades.
_UPTO_K = SHARE._replace(at_ideal="none", monotone="no", average="none")

_ALL = _UPTO_K._replace(depth="all")

_GREEDY = math.e / (math.e - 1.0)
"""The best list is worth at most this many times the greedy ideal (Nemhauser, Wolsey and Fisher, 1978)."""


@measure(
    "alpha_DCG",
    title="alpha-DCG: discounted cumulative gain of novelty by subtopic",
    reads=_READS,
    properties=_UPTO_K,
    parameters=(_ALPHA,),
    aliases=("alpha-DCG", "α-DCG", "α_DCG"),
)
def alpha_dcg(lists: JudgedLists, decisions: Decisions, cutoff: int | None, alpha: float) -> Steps:
    """Sum of gain / log2(rank + 1) over the first k results, divided by that sum if all k served every subtopic.

    The gain of a result is the sum of (1 - alpha)^(earlier results for the same subtopic) over the
    subtopics it is relevant to. Only subtopics with a relevant document count; 0/0 if there are none.
    Without a cutoff, k is the number of judged documents.

    Source: Clarke et al., SIGIR 2008; ndeval in pyndeval 0.0.8, which leaves out the division at k = 1.

    Examples
    --------
    >>> import idealrank as ir
    >>> rows = {"query": ["q"] * 4, "subtopic": ["a", "b", "b", "c"], "doc": ["A", "B", "D", "C"], "grade": [1] * 4}
    >>> run = {"q": {"A": 4.0, "D": 3.0, "E": 2.0, "B": 1.0}}
    >>> round(ir.evaluate(rows, run, ["alpha_DCG@5"])["alpha_DCG@5"], 4)
    0.4053
    """
    return share_of_bound(lists, decisions, cutoff, alpha, LOG2)


@measure(
    "alpha_nDCG",
    title="alpha-nDCG: discounted cumulative gain of novelty by subtopic, relative to the ideal list",
    reads=_READS,
    properties=_UPTO_K._replace(highest=_GREEDY),
    parameters=(_ALPHA,),
    aliases=("alpha-nDCG", "α-nDCG", "α_nDCG"),
)
def alpha_ndcg(lists: JudgedLists, decisions: Decisions, cutoff: int | None, alpha: float) -> Steps:
    """Sum of gain / log2(rank + 1) over the first k results, divided by the same sum for the greedy ideal list.

    The gain of a result is the sum of (1 - alpha)^(earlier results for the same subtopic) over the
    subtopics it is relevant to. At each rank the ideal takes the judged document that adds most, and among
    equals the one with the greatest id. It may fall short of the best list, so values above 1 are possible.

    Source: Clarke et al., SIGIR 2008; ndeval in pyndeval 0.0.8.

    Examples
    --------
    >>> import idealrank as ir
    >>> rows = {"query": ["q"] * 4, "subtopic": ["a", "b", "b", "c"], "doc": ["A", "B", "D", "C"], "grade": [1] * 4}
    >>> run = {"q": {"A": 4.0, "D": 3.0, "E": 2.0, "B": 1.0}}
    >>> round(ir.evaluate(rows, run, ["alpha_nDCG@5"])["alpha_nDCG@5"], 4)
    0.7869
    """
    return share_of_greedy(lists, decisions, cutoff, alpha, LOG2)


@measure(
    "ERR_IA",
    title="ERR-IA: expected reciprocal rank over the subtopics",
    reads=_READS,
    properties=_UPTO_K,
    aliases=("ERR-IA",),
)
def err_ia(lists: JudgedLists, decisions: Decisions, cutoff: int | None) -> Steps:
    """Sum of gain / rank over the first k results, divided by that sum if all k served every subtopic.

    The gain of a result is the sum of 0.5^(earlier results for the same subtopic) over the subtopics it
    is relevant to: a relevant result satisfies with probability 1/2. Only subtopics with a relevant
    document count; 0/0 if there are none. Without a cutoff, k is the number of judged documents.

    Source: Chapelle et al., CIKM 2009; ndeval in pyndeval 0.0.8, which leaves out the division at k = 1.

    Examples
    --------
    >>> import idealrank as ir
    >>> rows = {"query": ["q"] * 4, "subtopic": ["a", "b", "b", "c"], "doc": ["A", "B", "D", "C"], "grade": [1] * 4}
    >>> run = {"q": {"A": 4.0, "D": 3.0, "E": 2.0, "B": 1.0}}
    >>> round(ir.evaluate(rows, run, ["ERR_IA@5"])["ERR_IA@5"], 4)
    0.3933
    """
    return share_of_bound(lists, decisions, cutoff, 0.5, RECIPROCAL)


@measure(
    "nERR_IA",
    title="nERR-IA: expected reciprocal rank over the subtopics, relative to the ideal list",
    reads=_READS,
    properties=_UPTO_K._replace(highest=_GREEDY),
    aliases=("nERR-IA",),
)
def nerr_ia(lists: JudgedLists, decisions: Decisions, cutoff: int | None) -> Steps:
    """Sum of gain / rank over the first k results, divided by the same sum for the greedy ideal list.

    The gain of a result is the sum of 0.5^(earlier results for the same subtopic) over the subtopics it
    is relevant to. The ideal is that of alpha_nDCG with alpha 0.5.

    Source: Chapelle et al., CIKM 2009; ndeval in pyndeval 0.0.8.

    Examples
    --------
    >>> import idealrank as ir
    >>> rows = {"query": ["q"] * 4, "subtopic": ["a", "b", "b", "c"], "doc": ["A", "B", "D", "C"], "grade": [1] * 4}
    >>> run = {"q": {"A": 4.0, "D": 3.0, "E": 2.0, "B": 1.0}}
    >>> round(ir.evaluate(rows, run, ["nERR_IA@5"])["nERR_IA@5"], 4)
    0.8298
    """
    return share_of_greedy(lists, decisions, cutoff, 0.5, RECIPROCAL)


@measure(
    "NRBP", title="Novelty- and rank-biased precision", reads=WHOLE_LIST, properties=_ALL, parameters=(_ALPHA, _BETA)
)
def nrbp(lists: JudgedLists, decisions: Decisions, alpha: float, beta: float) -> Steps:
    """Sum of gain x beta^(rank - 1), times (1 - (1 - alpha) beta), divided by the number of subtopics.

    The gain of a result is the sum of (1 - alpha)^(earlier results for the same subtopic) over the
    subtopics it is relevant to. Only subtopics with a relevant document count; 0/0 if there are none.

    Source: Clarke, Kolla and Vechtomova, ICTIR 2009; ndeval in pyndeval 0.0.8.

    Examples
    --------
    >>> import idealrank as ir
    >>> rows = {"query": ["q"] * 4, "subtopic": ["a", "b", "b", "c"], "doc": ["A", "B", "D", "C"], "grade": [1] * 4}
    >>> run = {"q": {"A": 4.0, "D": 3.0, "E": 2.0, "B": 1.0}}
    >>> round(ir.evaluate(rows, run, ["NRBP"])["NRBP"], 4)
    0.3906
    """
    gain = novelty(lists, decisions, alpha)
    counts = lists.weights(lambda rank: beta ** (rank - 1.0))
    divisor = relevant_subtopics(lists, decisions).subtopics / (1.0 - (1.0 - alpha) * beta)
    return Steps(lists, {"gain": gain, "discount": counts}, gain * counts, divisor)


@measure(
    "nNRBP",
    title="Novelty- and rank-biased precision, relative to the ideal list",
    reads=WHOLE_LIST,
    properties=_ALL._replace(highest=_GREEDY),
    parameters=(_ALPHA, _BETA),
)
def nnrbp(lists: JudgedLists, decisions: Decisions, alpha: float, beta: float) -> Steps:
    """Sum of gain x beta^(rank - 1), divided by the same sum for the greedy ideal list.

    The gain of a result is the sum of (1 - alpha)^(earlier results for the same subtopic) over the
    subtopics it is relevant to. The ideal is that of alpha_nDCG.

    Source: Clarke, Kolla and Vechtomova, ICTIR 2009; ndeval in pyndeval 0.0.8.

    Examples
    --------
    >>> import idealrank as ir
    >>> rows = {"query": ["q"] * 4, "subtopic": ["a", "b", "b", "c"], "doc": ["A", "B", "D", "C"], "grade": [1] * 4}
    >>> run = {"q": {"A": 4.0, "D": 3.0, "E": 2.0, "B": 1.0}}
    >>> round(ir.evaluate(rows, run, ["nNRBP"])["nNRBP"], 4)
    0.8621
    """
    return share_of_greedy(lists, decisions, None, alpha, lambda rank: np.power(beta, rank - 1.0))


@measure(
    "AP_IA",
    title="AP-IA: average precision, averaged over the subtopics",
    reads=WHOLE_LIST,
    properties=_ALL,
    aliases=("AP-IA", "MAP-IA", "MAP_IA"),
)
def ap_ia(lists: JudgedLists, decisions: Decisions) -> Steps:
    """Mean over the subtopics of the average precision for each.

    A document counts for the subtopics it is relevant to. Only subtopics with a relevant document
    count; 0/0 if there are none.

    Source: Agrawal et al., WSDM 2009; ndeval ``MAP-IA`` in pyndeval 0.0.8.

    Examples
    --------
    >>> import idealrank as ir
    >>> rows = {"query": ["q"] * 4, "subtopic": ["a", "b", "b", "c"], "doc": ["A", "B", "D", "C"], "grade": [1] * 4}
    >>> run = {"q": {"A": 4.0, "D": 3.0, "E": 2.0, "B": 1.0}}
    >>> round(ir.evaluate(rows, run, ["AP_IA"])["AP_IA"], 4)
    0.5
    """
    columns = {"subtopics": novelty(lists, decisions, 0.0)}
    return Steps(lists, columns, precision_at_each(lists, decisions), relevant_subtopics(lists, decisions).subtopics)


@measure(
    "P_IA",
    title="P-IA: precision, averaged over the subtopics",
    reads=_READS,
    properties=_UPTO_K._replace(average="exact"),
    aliases=("P-IA",),
)
def p_ia(lists: JudgedLists, decisions: Decisions, cutoff: int | None) -> Steps:
    """Mean over the subtopics of the precision for each: served subtopics among the first k, / (k x subtopics).

    Without a cutoff, k is the number of results. Only subtopics with a relevant document count; 0/0
    if there are none.

    Source: Agrawal et al., WSDM 2009; ndeval ``P-IA`` in pyndeval 0.0.8.

    Examples
    --------
    >>> import idealrank as ir
    >>> rows = {"query": ["q"] * 4, "subtopic": ["a", "b", "b", "c"], "doc": ["A", "B", "D", "C"], "grade": [1] * 4}
    >>> run = {"q": {"A": 4.0, "D": 3.0, "E": 2.0, "B": 1.0}}
    >>> round(ir.evaluate(rows, run, ["P_IA@5"])["P_IA@5"], 4)
    0.2
    """
    return precision_of_each(lists, decisions, cutoff, "subtopics", relevant_subtopics(lists, decisions).subtopics)


@measure(
    "StRecall",
    title="Subtopic recall: the share of the subtopics that the first k results serve",
    reads=_READS,
    properties=_UPTO_K,
    aliases=("strec", "subtopic_recall"),
)
def subtopic_recall(lists: JudgedLists, decisions: Decisions, cutoff: int | None) -> Steps:
    """Share of the subtopics for which one of the first k results is relevant.

    Only subtopics with a relevant document count; 0/0 if there are none.

    Source: Zhai, Cohen and Lafferty, SIGIR 2003; ndeval ``strec`` in pyndeval 0.0.8.

    Examples
    --------
    >>> import idealrank as ir
    >>> rows = {"query": ["q"] * 4, "subtopic": ["a", "b", "b", "c"], "doc": ["A", "B", "D", "C"], "grade": [1] * 4}
    >>> run = {"q": {"A": 4.0, "D": 3.0, "E": 2.0, "B": 1.0}}
    >>> round(ir.evaluate(rows, run, ["StRecall@5"])["StRecall@5"], 4)
    0.6667
    """
    new = novelty(lists, decisions, 1.0)
    share = new * within_cutoff(lists, cutoff, decisions)
    return Steps(lists, {"new subtopics": new}, share, relevant_subtopics(lists, decisions).subtopics)


@measure(
    "AP_avgjg",
    title="Average precision, averaged over the judgment groups",
    reads=WHOLE_LIST,
    properties=_ALL,
    aliases=("map_avgjg",),
)
def ap_avgjg(lists: JudgedLists, decisions: Decisions) -> Steps:
    """Mean over the judgment groups of the average precision under the judgments of each.

    A group is a subtopic or a user. Groups without a relevant document count 0; the query is 0/0 if no
    group has one.

    Source: trec_eval 10.0 ``-R qrels_jg``, ``map_avgjg``.

    Examples
    --------
    >>> import idealrank as ir
    >>> rows = {"query": ["q"] * 3, "subtopic": ["ann", "bo", "bo"], "doc": ["A", "A", "B"], "grade": [1, 0, 1]}
    >>> run = {"q": {"A": 2.0, "B": 1.0}}
    >>> ir.evaluate(rows, run, ["AP_avgjg"])["AP_avgjg"]
    0.75
    """
    columns = {"groups": novelty(lists, decisions, 0.0)}
    return Steps(lists, columns, precision_at_each(lists, decisions), group_counts(lists, decisions))


@measure(
    "P_avgjg",
    title="Precision, averaged over the judgment groups",
    reads=_READS,
    properties=_UPTO_K._replace(average="exact"),
)
def p_avgjg(lists: JudgedLists, decisions: Decisions, cutoff: int | None) -> Steps:
    """Mean over the judgment groups of the precision under the judgments of each: relevant ones / (k x groups).

    Without a cutoff, k is the number of results. A group is a subtopic or a user. Groups without a
    relevant document count 0; the query is 0/0 if no group has one.

    Source: trec_eval 10.0 ``-R qrels_jg``, ``P_avgjg``.

    Examples
    --------
    >>> import idealrank as ir
    >>> rows = {"query": ["q"] * 3, "subtopic": ["ann", "bo", "bo"], "doc": ["A", "A", "B"], "grade": [1, 0, 1]}
    >>> run = {"q": {"A": 2.0, "B": 1.0}}
    >>> ir.evaluate(rows, run, ["P_avgjg@2"])["P_avgjg@2"]
    0.5
    """
    return precision_of_each(lists, decisions, cutoff, "groups", group_counts(lists, decisions))


@measure(
    "RprecMult_avgjg",
    title="R-precision at a multiple of R, averaged over the judgment groups",
    reads=WHOLE_LIST,
    properties=_ALL,
    parameters=(Parameter("x", default=1.0, low=0.0, high=math.inf, written="behind"),),
    aliases=("Rprec_mult_avgjg",),
)
def rprec_mult_avgjg(lists: JudgedLists, decisions: Decisions, x: float) -> Steps:
    """Mean over the judgment groups of the precision at c = trunc(x R + 0.9), at least 1, each with its own R.

    A group is a subtopic or a user. Groups without a relevant document count 0; the query is 0/0 if no
    group has one.

    Source: trec_eval 10.0 ``-R qrels_jg``, ``Rprec_mult_avgjg``.

    Examples
    --------
    >>> import idealrank as ir
    >>> rows = {"query": ["q"] * 3, "subtopic": ["ann", "bo", "bo"], "doc": ["A", "A", "B"], "grade": [1, 0, 1]}
    >>> run = {"q": {"A": 2.0, "B": 1.0}}
    >>> ir.evaluate(rows, run, ["RprecMult_avgjg@1"])["RprecMult_avgjg@1"]
    0.5
    """
    hits = subtopic_hits(lists, decisions)
    deep = np.maximum(np.trunc(x * relevant_subtopics(lists, decisions).relevant[hits.pair] + 0.9), 1.0)
    share = per_hit(lists, hits, (lists.rank[hits.hit] <= deep) / deep)
    return Steps(lists, {"groups": novelty(lists, decisions, 0.0)}, share, group_counts(lists, decisions))
