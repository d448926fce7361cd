"""The ideal list: the best there is, as the decisions `ideal`, `ideal_depth` and `max_grade` define it."""

from __future__ import annotations

import numpy as np

from idealrank.decisions import Decisions
from idealrank.lists import Floats, Ints, JudgedLists, offsets, places
from idealrank.measures.gains import depth, discount, gains, rising
from idealrank.measures.steps import Ideal, rounded


def ideal_list(lists: JudgedLists, decisions: Decisions, cutoff: int | None) -> Ideal:
    """Return the ideal list of every query, best gain first, cut to its depth."""
    if decisions.ideal == "max":
        return _top_everywhere(lists, decisions, cutoff)
    limit = _depth(lists, decisions, cutoff)
    if decisions.ideal == "global" and rising(decisions):
        return _judged_ideal(lists, decisions, limit)
    query, grade, entry = _candidates(lists, decisions, cutoff)
    gain = gains(grade, decisions)
    order = np.lexsort((-gain, query))
    query, grade, entry, gain = query[order], grade[order], entry[order], gain[order]
    rank = _ranks(lists, query, gain, decisions, cutoff)
    if limit is not None:
        keep = rank <= (limit[query] if isinstance(limit, np.ndarray) else limit)
        query, grade, entry, gain, rank = query[keep], grade[keep], entry[keep], gain[keep], rank[keep]
    return _rows(query, rank, grade, gain, entry, decisions)


def ideal_sums(lists: JudgedLists, decisions: Decisions, cutoff: int | None) -> Floats:
    """(Q,) ideal DCG; kept where it follows from the judgments alone."""
    if decisions.ideal != "global" or decisions.ideal_depth == "returned":
        return _sums(lists, decisions, cutoff)
    key = ("ideal", decisions.gain, decisions.discount, decisions.ideal_depth, decisions.rounding, cutoff)
    if key not in lists.pool_cache:
        lists.pool_cache[key] = _sums(lists, decisions, cutoff)
    found: Floats = lists.pool_cache[key]
    return found


def _sums(lists: JudgedLists, decisions: Decisions, cutoff: int | None) -> Floats:
    ideal = ideal_list(lists, decisions, cutoff)
    shares = rounded(ideal.contribution, decisions.rounding, "term")
    return np.bincount(ideal.query, weights=shares, minlength=lists.size).astype(np.float64, copy=False)


def _judged_ideal(lists: JudgedLists, decisions: Decisions, limit: Floats | float | None) -> Ideal:
    """The judgments as they stand, highest grade first: gains rise with grades."""
    start, counts = lists.pool_start[:-1], np.diff(lists.pool_start)
    counts = counts if limit is None else np.minimum(counts, limit).astype(np.int64)
    query, begin = np.repeat(np.arange(lists.size), counts), offsets(counts)
    rank = places(begin)
    chosen = rank - 1 + np.repeat(start, counts)
    grade, entry = lists.pool_grade[chosen], lists.pool_entry[chosen]
    return _rows(query, rank, grade, gains(grade, decisions), entry, decisions)


def _rows(query: Ints, rank: Ints, grade: Floats, gain: Floats, entry: Ints, decisions: Decisions) -> Ideal:
    counts = discount(decisions)(rank.astype(np.float64))
    return Ideal(query, rank, grade, gain, counts, gain * counts, entry)


def _candidates(lists: JudgedLists, decisions: Decisions, cutoff: int | None) -> tuple[Ints, Floats, Ints]:
    if decisions.ideal == "global":
        return lists.pool_query, lists.pool_grade, lists.pool_entry
    limit = depth(cutoff, decisions) if decisions.ideal == "local" else None
    keep = slice(None) if limit is None else lists.rank <= limit
    return lists.query[keep], lists.grade[keep], lists.entry[keep]


def _ranks(lists: JudgedLists, query: Ints, gain: Floats, decisions: Decisions, cutoff: int | None) -> Ints:
    """Place of each candidate; below-zero gains come last, after the unjudged results a sparse list omits."""
    counts = np.bincount(query, minlength=lists.size)
    place = places(np.concatenate(([0], np.cumsum(counts))))
    if decisions.ideal == "global" or not (gain < 0).any():
        return place
    limit = depth(cutoff, decisions) if decisions.ideal == "local" else None
    omitted = (lists.returned if limit is None else np.minimum(lists.returned, int(limit))) - counts
    return place + np.where(gain < 0, np.maximum(omitted, 0)[query], 0)


def _depth(lists: JudgedLists, decisions: Decisions, cutoff: int | None) -> Floats | float | None:
    returned = lists.returned.astype(np.float64)
    if decisions.ideal_depth == "all":
        return None
    if decisions.ideal_depth == "returned":
        return returned if cutoff is None else np.minimum(returned, cutoff)
    if cutoff is not None:
        return float(cutoff)
    return None if decisions.ideal == "global" else returned


def _top_everywhere(lists: JudgedLists, decisions: Decisions, cutoff: int | None) -> Ideal:
    limit = _depth(lists, decisions, cutoff)
    deep = np.broadcast_to(np.asarray(limit, np.float64), (lists.size,)).astype(np.int64)
    query = np.repeat(np.arange(lists.size), deep)
    rank = places(np.concatenate(([0], np.cumsum(deep))))
    grade = np.full(len(query), lists.max_grade)
    return _rows(query, rank, grade, gains(grade, decisions), np.full(len(query), -1), decisions)
