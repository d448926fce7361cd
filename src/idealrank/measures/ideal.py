"""The ideal list: the best there is, as the decisions `ideal`, `ideal_depth` and `max_grade` define it."""

from __future__ import annotations

import numpy as np

from idealrank.decisions import Decisions
from idealrank.errors import unsaid
from idealrank.lists import Floats, Ints, JudgedLists, offsets, places, weighed
from idealrank.measures.gains import depth, discount, gains, rising
from idealrank.measures.steps import Ideal, rounded


def ideal_list(lists: JudgedLists, decisions: Decisions, cutoff: int | None) -> Ideal:
    """Return the ideal list of every query, best gain first, cut to its depth."""
    if decisions.ideal == "max":
        return _top_everywhere(lists, decisions, cutoff)
    lists = lists.whole if decisions.ideal == "returned" else lists
    limit = ideal_depth(lists, decisions, cutoff)
    if decisions.ideal == "global" and rising(decisions):
        return _judged_ideal(lists, decisions, limit)
    query, grade, entry, rank = _best_first(lists, decisions, cutoff)
    if limit is not None:
        keep = np.flatnonzero(rank <= (limit[query] if isinstance(limit, np.ndarray) else limit))
        query, grade, entry, rank = query[keep], grade[keep], entry[keep], rank[keep]
    return _rows(query, rank, grade, gains(grade, decisions), entry, decisions)


def ideal_sums(lists: JudgedLists, decisions: Decisions, cutoff: int | None) -> Floats:
    """(Q,) ideal DCG; kept for the next measure, with the judgments where it follows from them alone."""
    answers = (decisions.gain, decisions.discount, decisions.ideal, decisions.ideal_depth, decisions.rounding)
    key = ("ideal", *answers, decisions.cutoff if decisions.ideal == "local" else "", cutoff)
    if decisions.ideal != "global" or decisions.ideal_depth == "returned":
        return lists.once(key, lambda: _sums(lists, decisions, cutoff))  # type: ignore[no-any-return]
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
    counts = weighed(discount(decisions), rank)
    return Ideal(query, rank, grade, gain, counts, gain * counts, entry)


Ranked = tuple[Ints, Floats, Ints, Ints]
"""Query, grade, entry and rank of the candidates for the ideal list, by query, best gain first."""


def _best_first(lists: JudgedLists, decisions: Decisions, cutoff: int | None) -> Ranked:
    """Rank the candidates; kept for the next measure where gains rise with grades."""
    if decisions.ideal not in ("global", "returned", "local"):
        raise unsaid("ideal", decisions.ideal, "measures/ideal.py")
    if decisions.ideal == "global":
        return _ranked(lists, decisions, lists.pool_query, lists.pool_grade, lists.pool_entry)
    limit = depth(cutoff, decisions) if decisions.ideal == "local" else None

    def ranked() -> Ranked:
        keep = slice(None) if limit is None else lists.rank <= limit
        query, grade, entry, rank = _ranked(lists, decisions, lists.query[keep], lists.grade[keep], lists.entry[keep])
        return query, grade, entry, _behind_omitted(lists, decisions, query, grade, rank, limit)

    return lists.once(("best_first", limit), ranked) if rising(decisions) else ranked()


def _ranked(lists: JudgedLists, decisions: Decisions, query: Ints, grade: Floats, entry: Ints) -> Ranked:
    order = np.lexsort((-gains(grade, decisions), query))
    query, grade, entry = query[order], grade[order], entry[order]
    return query, grade, entry, places(offsets(np.bincount(query, minlength=lists.size)))


def _behind_omitted(
    lists: JudgedLists, decisions: Decisions, query: Ints, grade: Floats, rank: Ints, limit: float | None
) -> Ints:
    """Move candidates of a gain below zero behind the unjudged results a sparse list omits."""
    below = gains(grade, decisions) < 0
    if not below.any():
        return rank
    returned = lists.returned if limit is None else np.minimum(lists.returned, int(limit))
    omitted = np.maximum(returned - np.bincount(query, minlength=lists.size), 0)
    return rank + np.where(below, omitted[query], 0)


def ideal_depth(lists: JudgedLists, decisions: Decisions, cutoff: int | None) -> Floats | float | None:
    """Return the last rank of the ideal list: a number, or (Q,) one for each query; None for all."""
    returned = lists.returned.astype(np.float64)
    if decisions.ideal_depth == "all":
        return None
    if decisions.ideal_depth == "returned":
        return returned if cutoff is None else np.minimum(returned, cutoff)
    if decisions.ideal_depth != "cutoff":
        raise unsaid("ideal_depth", decisions.ideal_depth, "measures/ideal.py")
    if cutoff is not None:
        return float(cutoff)
    return None if decisions.ideal == "global" else returned


def _top_everywhere(lists: JudgedLists, decisions: Decisions, cutoff: int | None) -> Ideal:
    limit = ideal_depth(lists, decisions, cutoff)
    deep = np.broadcast_to(np.asarray(limit, np.float64), (lists.size,)).astype(np.int64)
    query = np.repeat(np.arange(lists.size), deep)
    rank = places(np.concatenate(([0], np.cumsum(deep))))
    grade = np.full(len(query), lists.max_grade)
    return _rows(query, rank, grade, gains(grade, decisions), np.full(len(query), -1), decisions)
