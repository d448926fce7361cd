"""Pairs of results, one better than the other: how many are in the right order."""

import numpy as np

from idealrank.arrays import Floats
from idealrank.judged_lists.lists import JudgedLists, span_ids
from idealrank.measures.steps import Steps


def in_order(lists: JudgedLists, value: Floats) -> Steps:
    """Share of the pairs of results of different value in which the higher value comes first.

    A result that is not a hit has value 0. A pair belongs to its hit with the higher value, or to its only
    hit. In a span of ties in average order, every pair counts half.
    """
    right, pairs = _against_missing(lists, value)
    for one in np.unique(value):
        mine, lower = value == one, (value < one).astype(np.float64)
        below = lists.per_query(lower)[lists.query]
        pairs += np.where(mine, below, 0.0)
        right += np.where(mine, below - _before(lists, lower), 0.0)
    return Steps(lists, {"value": value, "pairs": pairs, "in_order": right}, right, lists.per_query(pairs))


def _against_missing(lists: JudgedLists, value: Floats) -> tuple[Floats, Floats]:
    """(H,) pairs of each hit with results that are not hits: those in the right order, and all."""
    hits = np.ones(len(value))
    if lists.ranks == "averaged":
        above = (lists.tie_first + lists.tie_last) / 2.0 - 1.0 - _before(lists, hits) + 0.5
    else:
        above = lists.rank - 1.0 - _before(lists, hits)
    missing = (lists.returned - np.diff(lists.hit_start)).astype(np.float64)[lists.query]
    right = np.where(value > 0, missing - above, np.where(value < 0, above, 0.0))
    return right, np.where(value != 0, missing, 0.0)


def _before(lists: JudgedLists, chosen: Floats) -> Floats:
    """(H,) number of chosen hits before each; those in its span count half if the order is averaged."""
    if lists.ranks != "averaged" or not len(chosen):
        return lists.before(chosen)
    span = span_ids(lists)
    inside = np.bincount(span, weights=chosen)
    start = np.flatnonzero(np.concatenate(([True], np.diff(span) != 0)))
    before: Floats = lists.before(chosen)[start][span] + inside[span] / 2.0
    return before
