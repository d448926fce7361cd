"""How many queries, results and relevant documents there are; the line for all queries is the sum."""

from __future__ import annotations

import numpy as np

from idealrank.decisions import Decisions
from idealrank.judged_lists.lists import JudgedLists
from idealrank.measures.gains import taken
from idealrank.measures.steps import Steps, ones


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
    nothing = np.zeros(len(lists.rank))
    return Steps(lists, {}, nothing, ones(lists), score=ones(lists), unsplit="it counts queries, not results")


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
    return Steps(
        lists,
        {},
        np.zeros(len(lists.rank)),
        ones(lists),
        score=lists.returned.astype(np.float64),
        unsplit="it counts every result, judged or not",
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
    return Steps(
        lists,
        {},
        np.zeros(len(lists.rank)),
        ones(lists),
        score=lists.judged_relevant(decisions.relevant_from),
        unsplit="it counts judgments, not results",
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
    relevant = lists.relevant(decisions.relevant_from).astype(np.float64)
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
    wrong = (~np.isnan(lists.grade) & ~lists.relevant(decisions.relevant_from)).astype(np.float64)
    return Steps(lists, {"nonrelevant": wrong}, wrong, ones(lists))
