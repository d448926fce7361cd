"""How many queries, results and relevant documents there are; the line for all queries is the sum."""

import numpy as np

from idealrank.decisions import Decisions
from idealrank.judged_lists.lists import JudgedLists
from idealrank.measures.gains import taken
from idealrank.measures.relevance import irrelevance, relevance, total_relevant
from idealrank.measures.steps import Steps, ones, unsplit


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
    counts = taken(lists, cutoff, decisions)
    return Steps(lists, {"relevant": relevant, "counts": counts}, relevant * counts, ones(lists))


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
