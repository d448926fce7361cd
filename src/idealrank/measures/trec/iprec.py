"""IPrec: interpolated precision at a level of recall."""

import functools
from collections.abc import Sequence

import numpy as np

from idealrank.arrays import Floats
from idealrank.decisions import Decisions
from idealrank.errors import unsaid
from idealrank.judged_lists.lists import JudgedLists
from idealrank.measures.relevance import relevance, total_relevant
from idealrank.measures.steps import Steps, unsplit


def steps(lists: JudgedLists, decisions: Decisions, recall: float) -> Steps:
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
    return interpolated(lists, decisions, (recall,), "it is the highest precision from a level of recall on")


def interpolated(lists: JudgedLists, decisions: Decisions, levels: Sequence[float], why: str) -> Steps:
    """The steps of the mean of interpolated precisions at levels of recall, and why they do not add up to the score."""
    relevant = relevance(lists, decisions)
    so_far = lists.before(relevant) + 1.0
    precision = relevant * so_far / lists.rank
    scores = [_highest(lists, decisions, precision, so_far, recall) for recall in levels]
    return unsplit(
        lists, {"relevant": relevant, "precision": precision}, functools.reduce(np.add, scores) / len(scores), why
    )


def _highest(lists: JudgedLists, decisions: Decisions, precision: Floats, so_far: Floats, recall: float) -> Floats:
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
        return np.trunc(share + 0.9)
    raise unsaid("recall_points", decisions.recall_points, __name__)
