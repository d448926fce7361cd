"""Counts; only that of relevant results is good or bad."""

import numpy as np

from idealrank.decisions.decisions import Decisions
from idealrank.judged_lists.lists import JudgedLists
from idealrank.measures.binary import precision_divisor
from idealrank.measures.definition import BINARY, COUNT, UNBOUNDED, Family
from idealrank.measures.gains import judgedness, relevance, total_relevant, within_cutoff
from idealrank.measures.steps import Steps, ones, unsplit

FAMILY = Family(__doc__)
measure = FAMILY.measure


@measure(
    "Judged",
    title="Judged: the share of the first k results that have a judgment",
    reads=("unjudged", "negative", "cutoff", "short_list", "no_relevant"),
    properties=COUNT._replace(
        highest=1, undefined="nothing returned", depth="k", not_averaged=("short_list=judged",), tie_range="none"
    ),
    aliases=("judged", "coverage"),
    holes=("counts as a result without a judgment", "count as results without a judgment"),
)
def judged(lists: JudgedLists, decisions: Decisions, cutoff: int | None) -> Steps:
    """Judged results among the first k, divided like P@k; without a cutoff, by the number returned.

    The rest are holes: results nobody judged.

    ir_measures counts a grade below zero as judged, and divides by min(k, number returned).

    Source: ir_measures 0.4 ``Judged``; OpenSearch's ``Coverage``.

    Examples
    --------
    >>> import idealrank as ir
    >>> judgments, results = ir.from_ranking(["d1", "x"], {"d1": 0})
    >>> ir.evaluate(judgments, results, ["Judged@2"])["Judged@2"]
    0.5
    """
    known = judgedness(lists)
    counts = within_cutoff(lists, cutoff, decisions)
    return Steps(
        lists, {"judged": known, "counts": counts}, known * counts, precision_divisor(lists, decisions, cutoff)
    )


@measure(
    "NumRet",
    title="Number of results returned",
    reads=("unjudged", "negative"),
    shared_ranks=True,
    properties=COUNT,
    total="sum",
    aliases=("num_ret",),
    holes=("counts like any other result", "count like any other result"),
)
def num_ret(lists: JudgedLists, decisions: Decisions) -> Steps:
    """Number of results returned; the line for all queries is the sum.

    Source: trec_eval 9.0.8 ``num_ret``.

    Examples
    --------
    >>> import idealrank as ir
    >>> judgments, results = ir.from_ranking(["d4", "d2"], {"d2": 2})
    >>> ir.evaluate(judgments, results, ["NumRet"])["NumRet"]
    2.0
    """
    del decisions
    return unsplit(lists, {}, lists.returned.astype(np.float64), "it counts every result, judged or not")


@measure(
    "NumRel",
    title="Number of relevant documents judged",
    reads=("relevant_from", "negative"),
    shared_ranks=True,
    properties=COUNT._replace(depth="nothing"),
    total="sum",
    aliases=("num_rel",),
)
def num_rel(lists: JudgedLists, decisions: Decisions) -> Steps:
    """Number R of relevant documents in the judgments; the line for all queries is the sum.

    Source: trec_eval 9.0.8 ``num_rel``.

    Examples
    --------
    >>> import idealrank as ir
    >>> judgments, results = ir.from_ranking(["d4", "d2"], {"d1": 2, "d2": 1})
    >>> ir.evaluate(judgments, results, ["NumRel"])["NumRel"]
    2.0
    """
    return unsplit(lists, {}, total_relevant(lists, decisions), "it counts judgments, not results")


@measure(
    "NumRelRet",
    title="Number of relevant documents returned",
    reads=BINARY,
    shared_ranks=True,
    properties=UNBOUNDED,
    total="sum",
    aliases=("num_rel_ret",),
)
def num_rel_ret(lists: JudgedLists, decisions: Decisions, cutoff: int | None) -> Steps:
    """Number of relevant results among the first k; the line for all queries is the sum.

    Source: trec_eval 9.0.8 ``num_rel_ret``.

    Examples
    --------
    >>> import idealrank as ir
    >>> judgments, results = ir.from_ranking(["d4", "d2"], {"d1": 2, "d2": 1})
    >>> ir.evaluate(judgments, results, ["NumRelRet"])["NumRelRet"]
    1.0
    """
    relevant = relevance(lists, decisions)
    counts = within_cutoff(lists, cutoff, decisions)
    return Steps(lists, {"relevant": relevant, "counts": counts}, relevant * counts, ones(lists))


@measure(
    "NumQ",
    title="Number of queries scored",
    reads=(),
    shared_ranks=True,
    properties=COUNT._replace(lowest=1, highest=1, at_ideal="1", depth="nothing"),
    total="sum",
    aliases=("num_q",),
)
def num_q(lists: JudgedLists, decisions: Decisions) -> Steps:
    """1 for each query scored; the line for all queries is the sum.

    Source: trec_eval 9.0.8 ``num_q``.

    Examples
    --------
    >>> import idealrank as ir
    >>> judgments, results = ir.from_ranking(["d4", "d2"], {"d1": 2, "d2": 1})
    >>> ir.evaluate(judgments, results, ["NumQ"])["NumQ"]
    1.0
    """
    del decisions
    return unsplit(lists, {}, ones(lists), "it counts queries, not results")
