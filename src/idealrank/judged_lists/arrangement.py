"""Judged lists under the decisions that change hits and ranks: `negative`, `unjudged` and `ties`."""

from dataclasses import replace
from typing import Any

import numpy as np

from idealrank.arrays import Ints, offsets, places, segment_counts
from idealrank.decisions.decisions import Decisions
from idealrank.errors import DataError, option, unsaid
from idealrank.judged_lists.lists import HIT_ARRAYS, JudgedLists, PoolCache, only_hits, span_ids


def arrange(lists: JudgedLists, decisions: Decisions) -> JudgedLists:
    """Return the lists under the decisions `negative`, `unjudged` and `ties`; derived once and kept."""
    settled = lists.derive_once(decisions.negative, lambda lists: _apply_negative(lists, decisions.negative))
    return settled.derive_once(
        (decisions.unjudged, decisions.ties), lambda lists: _apply_unjudged_and_ties(lists, decisions)
    )


def _apply_unjudged_and_ties(lists: JudgedLists, decisions: Decisions) -> JudgedLists:
    if decisions.unjudged == "filter":
        lists = _drop_unjudged(lists)
    elif isinstance(decisions.unjudged, str) and decisions.unjudged not in ("zero", "complete"):
        raise unsaid("unjudged", decisions.unjudged, __name__)
    elif not isinstance(decisions.unjudged, str):
        lists = _fill_gaps(lists)
        lists = replace(lists, grade=np.where(np.isnan(lists.grade), decisions.unjudged, lists.grade))
    if decisions.ties in ("best", "worst"):
        return _order_ties_by_grade(lists, decisions.ties)
    if decisions.ties == "average" and _has_graded_ties(lists):
        return replace(lists, ranks="averaged")
    return lists


def _has_graded_ties(lists: JudgedLists) -> bool:
    """Whether a result with a grade is tied; the order among unjudged ones, absent from sparse lists, is irrelevant."""
    return bool((lists.tie_first != lists.tie_last)[~np.isnan(lists.grade)].any())


def _drop_unjudged(lists: JudgedLists) -> JudgedLists:
    """Remove unjudged results: a hit's rank is its place among the hits, and so are its tie span's ends."""
    if lists.form == "dense":
        lists = only_hits(lists, ~np.isnan(lists.grade))
    rank = places(lists.hit_start)
    span = span_ids(lists)
    first = np.full(len(rank), 0, np.int64) if len(rank) == 0 else _first_ranks(span, rank)
    size = np.bincount(span)[span] if len(rank) else first
    return replace(lists, returned=np.diff(lists.hit_start), rank=rank, tie_first=first, tie_last=first + size - 1)


def _first_ranks(span: Ints, rank: Ints) -> Ints:
    starts = np.flatnonzero(np.concatenate(([True], np.diff(span) != 0)))
    return rank[starts][span]


def _order_ties_by_grade(lists: JudgedLists, ties: str) -> JudgedLists:
    """Order tied results by grade: best puts the highest first.

    An unjudged result counts as grade 0, and comes after judged ones of grade 0 in the best order, before
    them in the worst.
    """
    tied = np.flatnonzero(lists.tie_first != lists.tie_last)
    if not len(tied):
        return lists
    span = span_ids(lists)[tied]
    grade = (-1.0 if ties == "best" else 1.0) * np.nan_to_num(lists.grade[tied], nan=0.0)
    unjudged = np.isnan(lists.grade[tied])
    order = np.lexsort((lists.rank[tied], unjudged if ties == "best" else ~unjudged, grade, span))
    span = np.concatenate(([0], np.cumsum(np.diff(span) != 0)))
    hits = np.bincount(span)
    place = np.arange(len(span)) - (np.cumsum(hits) - hits)[span]
    chosen = {name: getattr(lists, name).copy() for name in HIT_ARRAYS}
    for name, values in chosen.items():
        values[tied] = getattr(lists, name)[tied[order]]
    first, size = chosen["tie_first"][tied], (chosen["tie_last"] - chosen["tie_first"] + 1)[tied]
    behind = grade[order] > 0 if ties == "best" else grade[order] >= 0  # the unjudged that the sparse form omits
    chosen["rank"][tied] = first + place + np.where(behind, size - hits[span], 0)
    return replace(lists, **(chosen | {"tie_first": chosen["rank"], "tie_last": chosen["rank"]}))


MOST_GAPS = 10_000_000
"""Most missing ranks that may count as results with a grade: six numbers each, 480 MB in all."""


def _fill_gaps(lists: JudgedLists) -> JudgedLists:
    """Put an unjudged hit at each missing rank that stays empty (``rank_gaps=keep``), in the dense form."""
    missing = lists.returned - np.diff(lists.hit_start)
    if not missing.any():
        return lists
    if missing.sum() > MOST_GAPS:
        raise DataError(
            f"{int(missing.sum())} ranks are missing, and each would count as a result; at most {MOST_GAPS} may. "
            f"Use {option('rank_gaps', 'close')}, or {option('unjudged', 'zero')}."
        )
    start = offsets(lists.returned)
    filled = np.zeros(int(start[-1]), np.bool_)
    place = start[lists.query] + lists.rank - 1
    filled[place] = True
    rank = places(start)
    whole: dict[str, Any] = {"rank": rank, "tie_first": rank.copy(), "tie_last": rank.copy()}
    whole |= {name: np.full(len(rank), -1) for name in ("entry", "row")} | {"grade": np.full(len(rank), np.nan)}
    for name, values in whole.items():
        values[place] = getattr(lists, name)
    return replace(lists, hit_start=start, **whole)


def _apply_negative(lists: JudgedLists, negative: str) -> JudgedLists:
    if negative not in ("keep", "zero", "unjudged"):
        raise unsaid("negative", negative, __name__)
    if negative == "keep" or not (lists.pool_grade < 0).any():
        return lists
    if negative == "zero":
        return replace(
            lists,
            grade=np.where(lists.grade < 0, 0.0, lists.grade),
            pool_grade=np.maximum(lists.pool_grade, 0.0),
            of_pool=PoolCache(),
        )
    kept_pool = lists.pool_grade >= 0
    pool: dict[str, Any] = {
        "pool_start": offsets(segment_counts(kept_pool, lists.pool_start)),
        "pool_grade": lists.pool_grade[kept_pool],
        "pool_entry": lists.pool_entry[kept_pool],
        "every_judgment": (lists.pool_entry, lists.pool_query),
        "of_pool": PoolCache(),
    }
    if lists.form == "dense":
        grade = np.where(lists.grade < 0, np.nan, lists.grade)
        return replace(lists, grade=grade, **pool)
    return replace(only_hits(lists, lists.grade >= 0), **pool)
