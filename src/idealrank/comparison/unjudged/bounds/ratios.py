"""Bounds of measures that divide by an ideal, nDCG and R: holes that add above add below, too."""

from __future__ import annotations

import functools
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from idealrank._core import max_ratios
from idealrank.arrays import Floats, Ints, Mask, offsets
from idealrank.comparison.unjudged.bounds.sums import unjudged_weights
from idealrank.comparison.unjudged.documents import FillingScale, SystemUnjudged
from idealrank.errors import unsaid
from idealrank.judged_lists.lists import JudgedLists
from idealrank.measures.gains import depth, discount, every_rank
from idealrank.measures.ideal import ideal_depth

EXACT = (
    "exact: the best list depends only on how many holes reach each grade, and for given counts the holes with the "
    "greatest weight (of a difference: of the difference of their weights) take the highest grades"
)
ENCLOSED = (
    "an enclosure: the two systems are divided by different ideals, and each end is the highest of the one less the "
    "lowest of the other, which the same grades may not give"
)

Sides = tuple[SystemUnjudged | None, SystemUnjudged | None]


def max_normalised_difference(
    filling: FillingScale, plus: SystemUnjudged | None, minus: SystemUnjudged | None
) -> tuple[Floats, Mask]:
    """(Q,) greatest value of one side less the other's (None: 0), and whether it is exact.

    Where both are divided by the same ideal, the difference is one ratio, and so is the value of one
    side: exact (`max_ratio`). Where they are not, nothing lies above the greatest of the one less the least of the
    other, but the same holes may be unable to make both.
    """
    sides = (plus, minus)
    ideals = [None if side is None else ideal_list_of(filling, side) for side in sides]
    one = _has_one_divisor(filling, sides, ideals)
    greatest = _max_with_one_divisor(filling, sides, ideals, one)
    if one.all():
        return greatest, one
    most = _max_with_one_divisor(filling, (plus, None), [ideals[0], None], ~one)
    least = _max_with_one_divisor(filling, (None, minus), [None, ideals[1]], ~one)
    return np.where(one, greatest, most + least), one


@dataclass(frozen=True, eq=False)
class IdealList:
    """The ideal list of one side, which its value is divided by.

    Attributes
    ----------
    member
        (N,) whether a hole may stand in it.
    unseen
        Documents nobody returned that may stand in it.
    depth
        (Q,) where it ends.
    judged
        The judged documents that may stand in it.
    """

    member: Mask
    unseen: int
    depth: Ints
    judged: JudgedWorths


@dataclass(frozen=True, eq=False)
class JudgedWorths:
    """Judged documents of Q queries: query and worth of each, and the greatest worth there is."""

    query: Ints
    worth: Floats
    top: float
    size: int

    def is_same(self, other: JudgedWorths) -> bool:
        """Whether the other has the same documents."""
        return np.array_equal(self.query, other.query) and np.array_equal(self.worth, other.worth)

    @functools.cached_property
    def levels(self) -> tuple[Floats, Ints]:
        """(Q, L) heights, and judged documents at or above; see `worth_levels`."""
        return worth_levels(self.query, self.worth, self.top, self.size)


def _max_with_one_divisor(filling: FillingScale, sides: Sides, ideals: list[IdealList | None], wanted: Mask) -> Floats:
    """(Q,) the greatest difference of the queries asked for, which have one divisor."""
    greatest, unseen = np.full(filling.size, np.nan), max(ideal.unseen for ideal in ideals if ideal is not None)
    queries = np.flatnonzero(wanted & (np.diff(filling.docs.start) + unseen > 0))
    greatest[queries] = _max_of_one_ratio(filling, sides, ideals, queries)
    return greatest


def _has_one_divisor(filling: FillingScale, sides: Sides, ideals: list[IdealList | None]) -> Mask:
    """(Q,) whether both sides have the same ideal whatever the holes hold, or one has no value of its own."""
    (plus, minus), (one, other) = sides, ideals
    if plus is None or minus is None or one is None or other is None:
        return np.ones(filling.size, np.bool_)
    differ, judged = np.zeros(filling.size, np.bool_), np.zeros(filling.size, np.bool_)
    if one.member is not other.member:
        differ[filling.docs.query[one.member != other.member]] = True
    ends = one.depth != other.depth
    if one.judged is not other.judged:
        levels = one.judged.levels, other.judged.levels
        judged = _rows_differ(levels[0][0], levels[1][0]) | _rows_differ(levels[0][1], levels[1][1])
    one_divisor: Mask = ~(differ | ends | judged) | plus.empty | minus.empty
    return one_divisor


def _rows_differ(one: Floats | Ints, other: Floats | Ints) -> Mask:
    """(Q,) whether rows differ, in which 0 fills what is missing."""
    wide, narrow = (one, other) if one.shape[1] > other.shape[1] else (other, one)
    rest = wide.shape[1] - narrow.shape[1]
    differ: Mask = (wide != np.pad(narrow, ((0, 0), (0, rest)))).any(axis=1)
    return differ


def _max_of_one_ratio(filling: FillingScale, sides: Sides, ideals: list[IdealList | None], queries: Ints) -> Floats:
    """(R,) the greatest difference of queries that have one divisor: that of a side that returned anything."""
    gone = [np.ones(len(queries), np.bool_) if side is None else side.empty[queries] for side in sides]
    certain, weight = (one - other for one, other in zip(*(_numerator(filling, s) for s in sides), strict=True))
    fill = np.where(gone[0], 0.0, filling.fill) - np.where(gone[1], 0.0, filling.fill)
    greatest = np.full(len(queries), np.nan)
    for ideal, rows in zip(ideals, (~gone[0], gone[0] & ~gone[1]), strict=True):
        if ideal is not None and rows.any():
            ratio = _ratio_of(filling, ideal, certain, weight, queries[rows])
            greatest[rows] = with_fill(ratio, fill[rows])
    return greatest


def _numerator(filling: FillingScale, side: SystemUnjudged | None) -> tuple[Floats, Floats]:
    """(Q,), (N,) what stands above without holes, and the weight of each hole; 0 where nothing was returned."""
    if side is None:
        return np.zeros(filling.size), np.zeros(filling.docs.size)
    return side.total, unjudged_weights(side)


class Ratio(NamedTuple):
    """R ratios, each with its holes and L levels of worth, the highest level first.

    Above stands what is certain plus, for each hole, its weight times its worth. Below stands the ideal: for
    each level its height times the sum of the first weights of ranks, one for each document at or above it.
    That a worth is the sum of the heights up to it makes both a sum over the levels.

    Attributes
    ----------
    certain
        (R,) what stands above when every hole is worth nothing.
    weight, start
        Weight of each hole; those of ratio r are ``start[r]:start[r + 1]``.
    height
        (R, L) how far each level lies above the next; 0 where there is none.
    above
        (R, L) judged documents at or above each level.
    ideal_sums
        (T,) the sum of the weights of the first t ranks of the ideal list; beyond T it grows no more.
    depth
        (R,) where the ideal list ends.
    """

    certain: Floats
    weight: Floats
    start: Ints
    height: Floats
    above: Ints
    ideal_sums: Floats
    depth: Ints

    def ideal(self, level: int, unjudged: Ints) -> Floats:
        """(R, …) what a level adds below with so many holes at or above it."""
        place = np.minimum(self.above[:, level, None] + unjudged, self.depth[:, None])
        share: Floats = self.height[:, level, None] * self.ideal_sums[np.minimum(place, len(self.ideal_sums) - 1)]
        return share

    def ideal_with(self, unjudged: Ints) -> Floats:
        """(R,) what stands below with so many holes (R, 1) at the top."""
        levels = range(self.height.shape[1])
        return sum((self.ideal(level, unjudged)[:, 0] for level in levels), np.zeros(len(self.certain)))


def _ratio_of(filling: FillingScale, ideal: IdealList, certain: Floats, weight: Floats, queries: Ints) -> Ratio:
    weight, start = _weights_of(filling, ideal, weight, queries)
    height, above = ideal.judged.levels[0][queries], ideal.judged.levels[1][queries]
    depth = ideal.depth[queries]
    most = int(above.max(initial=0)) + int(np.diff(start).max(initial=0))
    longest = int(np.minimum(most, depth).max(initial=0))
    return Ratio(certain[queries], weight, start, height, above, ideal_sums(filling, longest), depth)


def _weights_of(filling: FillingScale, ideal: IdealList, weight: Floats, queries: Ints) -> tuple[Floats, Ints]:
    """Return the weights of the holes of some queries that may stand in an ideal, and where those of each begin."""
    chosen = np.zeros(filling.size, np.bool_)
    chosen[queries] = True
    unjudged = np.flatnonzero(ideal.member & chosen[filling.docs.query])
    counts = np.bincount(filling.docs.query[unjudged], minlength=filling.size)[queries]
    start = offsets(counts + ideal.unseen)
    # Documents nobody returned follow those of their query, and have no weight.
    weights = np.zeros(int(start[-1]))
    weights[np.arange(len(unjudged)) + np.repeat(np.arange(len(queries)) * ideal.unseen, counts)] = weight[unjudged]
    return weights, start


NO_END = 1 << 40
"""Stands for an ideal list without an end."""


def ideal_list_of(filling: FillingScale, side: SystemUnjudged) -> IdealList:
    """Return the best list that a side is measured against; found once for all differences of the side."""
    return filling.kept.once(("ideal", side), lambda: _find_ideal_list(filling, side))


def _find_ideal_list(filling: FillingScale, side: SystemUnjudged) -> IdealList:
    lists = side.whole
    ends, top = _ideal_depths(filling, lists), float(filling.worth.max())
    if filling.measure.definition.name != "nDCG" or filling.measure.decisions.ideal == "global":
        every = filling.kept.once("every hole", lambda: np.ones(filling.docs.size, np.bool_))
        judged = JudgedWorths(lists.pool_query, filling.worth_of(lists.pool_grade), top, filling.size)
        # All sides have lists of their own, and nearly always the same judgments.
        first = filling.kept.once("judged", lambda: judged)
        judged = first if first.is_same(judged) else judged
        return IdealList(every, filling.unseen, ends, judged)
    query, grade, member = lists.query, lists.grade, side.hit >= 0
    if filling.measure.decisions.ideal == "local":
        limit = depth(filling.measure.cutoff, filling.measure.decisions)
        kept = slice(None) if limit is None else lists.rank <= limit
        query, grade, member = query[kept], grade[kept], side.rank > 0
    return IdealList(member, 0, ends, JudgedWorths(query, filling.worth_of(grade), top, filling.size))


def _ideal_depths(filling: FillingScale, lists: JudgedLists) -> Ints:
    under, k = filling.measure.decisions, filling.measure.cutoff
    limit: Floats | float | None
    if filling.measure.definition.name == "nDCG":
        limit = ideal_depth(lists, under, k)
    else:
        answer = under.recall_denominator
        if answer not in ("R", "min(R,k)", "min(R,k,n)"):  # with other divisors these bounds would not hold
            raise unsaid("recall_denominator", answer, __name__)
        limit = None if answer == "R" or k is None else float(k)
        if answer == "min(R,k,n)":
            limit = np.minimum(lists.returned, NO_END if limit is None else limit).astype(np.float64)
    return np.broadcast_to(np.asarray(NO_END if limit is None else limit), (filling.size,)).astype(np.int64)


def ideal_sums(filling: FillingScale, longest: int) -> Floats:
    """(longest + 1,) the sum of the weights of the first ranks of a best list."""
    weigh = discount(filling.measure.decisions) if filling.measure.definition.name == "nDCG" else every_rank
    return np.concatenate(([0.0], np.cumsum(weigh(np.arange(1.0, longest + 1)))))


def max_ratio(ratio: Ratio) -> Floats:
    """(R,) the greatest ratio over all choices of grades under which something stands below; NaN if there is none.

    With the holes sorted by weight, a choice is a count of holes at or above each level, which never
    falls from a level to the next below it. For a number v the best of "above minus v times below" is a
    sum over the levels, so the best counts are found level by level; while it is positive, the ratio there is
    a greater v (Dinkelbach, Management Science 13(7), 1967). The steps end at a choice that none surpasses.
    """
    whole = ratio.height.sum(axis=1)
    return max_ratios(
        ratio.certain, ratio.weight, ratio.start, ratio.height, ratio.above, whole, ratio.ideal_sums, ratio.depth
    )


def with_fill(ratio: Ratio, fill: Floats) -> Floats:
    """(R,) the greatest value, where a choice that leaves nothing below has the value `fill`."""
    nothing = ratio.ideal_with(np.zeros((len(ratio.certain), 1), np.int64)) <= 0
    greatest: Floats = np.fmax(max_ratio(ratio), np.where(nothing, fill, np.nan))
    return greatest


def worth_levels(query: Ints, worth: Floats, top: float, size: int) -> tuple[Floats, Ints]:
    """(Q, L) heights of the levels between the worths that occur in each query, and the documents at or above.

    Between two worths that occur as many judged documents stand above every worth, so the best counts are
    the same: a hole need only take a worth that occurs, 0, or the top.
    """
    query = np.concatenate((np.arange(size), query))
    worth = np.concatenate((np.full(size, top), worth))
    order = np.lexsort((-worth, query))
    query, worth = query[order], worth[order]
    first = np.searchsorted(query, np.arange(size))
    place = np.arange(len(query)) - first[query]
    following = np.append(worth[1:], 0.0)
    following[np.append(query[1:] != query[:-1], True)] = 0.0
    height = worth - following
    kept = np.flatnonzero(height > 0)
    counts = np.bincount(query[kept], minlength=size)
    column = np.arange(len(kept)) - np.concatenate(([0], np.cumsum(counts)))[query[kept]]
    shape = (size, max(1, int(counts.max(initial=0))))
    heights, above = np.zeros(shape), np.zeros(shape, np.int64)
    heights[query[kept], column], above[query[kept], column] = height[kept], place[kept]
    return heights, above
