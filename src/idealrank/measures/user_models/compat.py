"""Compat: compatibility with the ideal list."""

import math

import numpy as np

from idealrank.arrays import Floats, Ints, offsets, places, segment_counts
from idealrank.decisions import Decisions
from idealrank.judged_lists.lists import JudgedLists
from idealrank.measures.steps import Steps

NEGLIGIBLE = 45.0
"""Powers of p beyond e^-45 change no digit of a sum that begins with 1."""


def steps(lists: JudgedLists, decisions: Decisions, p: float) -> Steps:
    """Rank-biased overlap of the results with the ideal list, divided by that of the ideal list with itself.

    Overlap is the sum over depths i of p^(i - 1) x the share of the first i that the lists have in common. The
    ideal list contains the documents with grades above 0, best first, in the order returned if grades are
    equal; this includes unjudged results given such a grade (``unjudged=1``). Depths go to the end of the
    longer list. 0/0 if no document has a grade above 0.

    Source: Clarke, Vtyurina and Smucker, TOIS 39(4), 2021; ir_measures 0.4 ``Compat``.

    Examples
    --------
    >>> import idealrank as ir
    >>> judgments, results = ir.from_ranking(["x", "d1"], {"d1": 1})
    >>> round(ir.evaluate(judgments, results, ["Compat(p=0.5)"])["Compat(p=0.5)"], 4)
    0.2
    """
    del decisions
    columns, shares, best = overlaps(lists, p)
    return Steps(lists, columns, shares, best)


def overlaps(lists: JudgedLists, p: float) -> tuple[dict[str, Floats], Floats, Floats]:
    """Columns to show, (H,) what each hit adds to the overlap, (Q,) the overlap of the ideal list with itself."""
    wanted = ideal_lengths(lists)
    deepest = np.maximum(lists.returned, wanted)
    sums = depth_sums(p, int(deepest.max(initial=0)))
    end = _at(sums, deepest)
    place = ideal_places(lists)
    good = (lists.grade > 0).astype(np.float64)
    shared = np.maximum(place, lists.rank)
    shares = good * np.maximum(end[lists.query] - _at(sums, shared - 1), 0.0)
    owner = np.repeat(np.arange(lists.size), wanted)
    best = np.bincount(owner, np.maximum(end[owner] - _at(sums, places(offsets(wanted)) - 1), 0.0), lists.size)
    return {"ideal_rank": place * good}, shares, best.astype(np.float64)


def depth_sums(p: float, deepest: int) -> Floats:
    """Sums of p^(i - 1) / i over i = 1 … d, for d from 0 on, as far as they still grow."""
    enough = min(deepest, int(NEGLIGIBLE / -math.log(p)) + 2)
    depths = np.arange(1.0, enough + 1)
    return np.cumsum(np.append(0.0, p ** (depths - 1.0) / depths))


def ideal_lengths(lists: JudgedLists) -> Ints:
    """(Q,) documents in the ideal list: those with a grade above 0."""
    return _above(lists, 0.0).astype(np.int64)


def _above(lists: JudgedLists, grade: float) -> Floats:
    """(Q,) documents with a grade above another: judged ones, and unjudged results given a grade."""
    assumed = (lists.grade > grade) & ~np.isin(lists.entry, lists.pool_entry)
    return segment_counts(lists.pool_grade > grade, lists.pool_start) + lists.per_query(assumed)


def ideal_places(lists: JudgedLists) -> Floats:
    """(H,) place of each hit in the ideal list; 0 if its grade is not above 0."""
    place = np.zeros(len(lists.grade))
    for grade in np.unique(lists.grade[lists.grade > 0]):
        same = lists.grade == grade
        better = _above(lists, grade)[lists.query]
        place += np.where(same, better + lists.before(same.astype(np.float64)) + 1.0, 0.0)
    return place


def _at(sums: Floats, depth: Ints | Floats) -> Floats:
    """Read the sums at each depth; beyond the last they stay the same."""
    values: Floats = sums[np.minimum(depth, len(sums) - 1).astype(np.int64)]
    return values
