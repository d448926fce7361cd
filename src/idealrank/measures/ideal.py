"""The ideal list, as the decisions `ideal`, `ideal_depth` and `max_grade` define it."""

from typing import NamedTuple

import numpy as np

from idealrank.arrays import Floats, Ints, offsets, places, running_sums, segment_counts
from idealrank.decisions.decisions import Decisions
from idealrank.decisions.question import Rounding
from idealrank.errors import unsaid
from idealrank.judged_lists.lists import JudgedLists, rank_weights
from idealrank.measures.gains import depth, discount, gain_rises, gains
from idealrank.measures.steps import Ideal, apply_rounding


def ideal_list(lists: JudgedLists, decisions: Decisions, cutoff: int | None) -> Ideal:
    """Return the ideal list of every query, best gain first, cut to its depth."""
    lists = lists.whole if decisions.ideal == "returned" else lists
    limit = ideal_depth(lists, decisions, cutoff)
    if decisions.ideal == "max":
        return _list_of_top_grade(lists, decisions, limit)
    (query, grade, entry, rank, _), gain = _rank_candidates(lists, decisions, cutoff)
    if limit is not None:
        keep = np.flatnonzero(rank <= (limit[query] if isinstance(limit, np.ndarray) else limit))
        query, grade, entry, rank, gain = query[keep], grade[keep], entry[keep], rank[keep], gain[keep]
    counts = rank_weights(discount(decisions), rank)
    return Ideal(
        query=query, rank=rank, grade=grade, gain=gain, discount=counts, contribution=gain * counts, entry=entry
    )


def _list_of_top_grade(lists: JudgedLists, decisions: Decisions, limit: Floats | float | None) -> Ideal:
    deep = _depth_per_query(lists, limit)
    query = np.repeat(np.arange(lists.size), deep)
    rank = places(offsets(deep))
    grade = np.full(len(query), lists.max_grade)
    gain, counts = gains(grade, decisions), rank_weights(discount(decisions), rank)
    nobody = np.full(len(query), -1)
    return Ideal(
        query=query, rank=rank, grade=grade, gain=gain, discount=counts, contribution=gain * counts, entry=nobody
    )


def _depth_per_query(lists: JudgedLists, limit: Floats | float | None) -> Ints:
    return np.broadcast_to(np.asarray(limit, np.float64), (lists.size,)).astype(np.int64)


def ideal_sums(lists: JudgedLists, decisions: Decisions, cutoff: int | None) -> Floats:
    """(Q,) ideal DCG; kept with the judgments if it depends on nothing else."""
    lists = lists.whole if decisions.ideal == "returned" else lists
    if decisions.ideal != "global" or decisions.ideal_depth == "returned":
        return _compute_sums(lists, decisions, cutoff)
    key = ("ideal", decisions.gain, decisions.discount, _term_roundings(decisions), _length_limit(decisions, cutoff))
    return lists.of_pool.by_query.once(key, lambda: _compute_sums(lists, decisions, cutoff))


def _term_roundings(decisions: Decisions) -> tuple[Rounding, ...]:
    return tuple(step for step in decisions.rounding if step.stage == "term")


def _length_limit(decisions: Decisions, cutoff: int | None) -> int | None:
    """The longest ideal list the judgments can give; None if there is no limit."""
    return None if decisions.ideal_depth == "all" else cutoff


def _compute_sums(lists: JudgedLists, decisions: Decisions, cutoff: int | None) -> Floats:
    limit = ideal_depth(lists, decisions, cutoff)
    if decisions.ideal == "max":
        return _sums_of_top_grade(lists, decisions, limit)
    start, rank, sums = _sums_to_each_rank(lists, decisions, cutoff)
    if not len(sums):
        return np.zeros(lists.size)
    counts = np.diff(start)
    if limit is not None and rank is not None:
        counts = segment_counts(rank <= np.repeat(np.broadcast_to(limit, counts.shape), counts), start)
    elif limit is not None:
        counts = np.minimum(counts, limit).astype(np.int64)
    return np.where(counts > 0, sums[start[:-1] + counts - 1], 0.0)


def _sums_of_top_grade(lists: JudgedLists, decisions: Decisions, limit: Floats | float | None) -> Floats:
    """The highest grade at every rank gives the same sum for all queries of one depth."""
    deep = _depth_per_query(lists, limit)
    ranks = np.arange(1.0, deep.max(initial=0) + 1)
    shares = gains(np.full(len(ranks), lists.max_grade), decisions) * discount(decisions)(ranks)
    return np.append(0.0, np.cumsum(apply_rounding(shares, decisions.rounding, "term")))[deep]


_RankSums = tuple[Ints, Ints | None, Floats]
"""Where each query begins, the ranks if some are left out, and the sum of the ideal list from rank 1 to each."""


def _sums_to_each_rank(lists: JudgedLists, decisions: Decisions, cutoff: int | None) -> _RankSums:
    """The sums down to each rank, as deep as any answer to `ideal_depth` may read; kept for the latest gain."""

    def build() -> _RankSums:
        candidates, gain = _rank_candidates(lists, decisions, cutoff)
        shares = apply_rounding(gain * rank_weights(discount(decisions), candidates.rank), decisions.rounding, "term")
        closed = not (gain < 0).any()
        return candidates.start, None if closed else candidates.rank, running_sums(shares, candidates.start)

    worth = (decisions.gain, decisions.discount)
    if decisions.ideal == "global":
        name = ("running", _length_limit(decisions, cutoff), _term_roundings(decisions))
        return lists.of_pool.by_judgment.latest(name, worth, build)
    limit = depth(cutoff, decisions) if decisions.ideal == "local" else None
    return lists.kept.latest(("running", decisions.ideal, limit, _term_roundings(decisions)), worth, build)


class _Candidates(NamedTuple):
    """The candidates for the ideal list, by query, best gain first; and where each query begins."""

    query: Ints
    grade: Floats
    entry: Ints
    rank: Ints
    start: Ints


def _rank_candidates(lists: JudgedLists, decisions: Decisions, cutoff: int | None) -> tuple[_Candidates, Floats]:
    """Return the candidates, and the gain of each."""
    if decisions.ideal not in ("global", "returned", "local"):
        raise unsaid("ideal", decisions.ideal, __name__)
    if decisions.ideal == "global":
        candidates = (
            _judged_candidates(lists, _length_limit(decisions, cutoff))
            if gain_rises(decisions)
            else _sort_candidates(lists, decisions, lists.pool_query, lists.pool_grade, lists.pool_entry)
        )
        return candidates, gains(candidates.grade, decisions)
    limit = depth(cutoff, decisions) if decisions.ideal == "local" else None

    def rank_results() -> _Candidates:
        keep = slice(None) if limit is None else lists.rank <= limit
        # If gains rise with grades, only equal grades have equal gains; whole gains may be equal for more.
        under = decisions.but(gain="linear") if gain_rises(decisions) else decisions
        return _sort_candidates(lists, under, lists.query[keep], lists.grade[keep], lists.entry[keep])

    candidates = lists.kept.once(("best_first", limit), rank_results) if gain_rises(decisions) else rank_results()
    gain = gains(candidates.grade, decisions)
    return candidates._replace(rank=_move_below_unjudged(lists, candidates, gain, limit)), gain


def _judged_candidates(lists: JudgedLists, longest: int | None) -> _Candidates:
    """The judgments as they are, highest grade first: gains rise with grades."""
    if longest is None:
        return _Candidates(lists.pool_query, lists.pool_grade, lists.pool_entry, lists.pool_place, lists.pool_start)
    counts = np.minimum(np.diff(lists.pool_start), longest)
    start = offsets(counts)
    rank = places(start)
    chosen = rank - 1 + np.repeat(lists.pool_start[:-1], counts)
    query = np.repeat(np.arange(lists.size), counts)
    return _Candidates(query, lists.pool_grade[chosen], lists.pool_entry[chosen], rank, start)


def _sort_candidates(lists: JudgedLists, decisions: Decisions, query: Ints, grade: Floats, entry: Ints) -> _Candidates:
    order = np.lexsort((-gains(grade, decisions), query))  # within each query: `query` does not change
    start = offsets(np.bincount(query, minlength=lists.size))
    return _Candidates(query, grade[order], entry[order], places(start), start)


def _move_below_unjudged(lists: JudgedLists, candidates: _Candidates, gain: Floats, limit: float | None) -> Ints:
    """Move candidates with a gain below zero after the unjudged results that a sparse list omits."""
    below = gain < 0
    if not below.any():
        return candidates.rank
    returned = lists.returned if limit is None else np.minimum(lists.returned, int(limit))
    omitted = np.maximum(returned - np.diff(candidates.start), 0)
    return candidates.rank + np.where(below, omitted[candidates.query], 0)


def ideal_depth(lists: JudgedLists, decisions: Decisions, cutoff: int | None) -> Floats | float | None:
    """Return the last rank of the ideal list: a number, or (Q,) one for each query; None for all."""
    returned = lists.returned.astype(np.float64)
    if decisions.ideal_depth == "all":
        return None
    if decisions.ideal_depth == "returned":
        return returned if cutoff is None else np.minimum(returned, cutoff)
    if decisions.ideal_depth != "cutoff":
        raise unsaid("ideal_depth", decisions.ideal_depth, __name__)
    if cutoff is not None:
        return float(cutoff)
    return None if decisions.ideal == "global" else returned


def best_gains(lists: JudgedLists, decisions: Decisions) -> Floats:
    """(J,) gains of the judged documents, by query, highest first; those below zero count as 0."""
    worth = np.maximum(gains(lists.pool_grade, decisions), 0.0)
    return worth[np.lexsort((-worth, lists.pool_query))]


def up_to_rank(lists: JudgedLists, values: Floats) -> Floats:
    """(H,) sum of the query's first r of the (J,) values, where r is the rank of the hit."""
    sums = np.concatenate(([0.0], running_sums(values, lists.pool_start)))
    within = np.minimum(lists.rank, np.diff(lists.pool_start)[lists.query])
    total: Floats = np.where(within > 0, sums[lists.pool_start[lists.query] + within], 0.0)
    return total
