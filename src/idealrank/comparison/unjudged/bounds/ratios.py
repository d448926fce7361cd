"""Bounds of measures that divide by an ideal, nDCG and R: holes that add above add below, too."""

from __future__ import annotations

import functools
import itertools
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from math import comb
from typing import NamedTuple

import numpy as np

from idealrank._core import max_ratios
from idealrank.arrays import Floats, Ints, Mask, offsets
from idealrank.comparison.unjudged.bounds.sums import hole_weights
from idealrank.comparison.unjudged.documents import FillingScale, SystemHoles
from idealrank.errors import unsaid
from idealrank.judged_lists.lists import JudgedLists
from idealrank.measures.gains import depth, discount, every_rank
from idealrank.measures.ideal import ideal_depth

EXACT = (
    "exact: the best list depends only on how many holes reach each grade, and for given counts the holes with the "
    "greatest weight (of a difference: of the difference of their weights) take the highest grades"
)
ENCLOSED = "an enclosure: the two systems are divided by different ideals, and there are too many ways to fill both"

Sides = tuple[SystemHoles | None, SystemHoles | None]


def max_normalised_difference(
    filling: FillingScale, plus: SystemHoles | None, minus: SystemHoles | None
) -> tuple[Floats, Mask]:
    """(Q,) greatest value of one side less the other's (None: 0), and whether it is exact.

    Where both are divided by the same ideal, the difference is one ratio, and so is the value of one
    side: exact (`max_ratio`). Where they are not, see `max_ratio_difference`.
    """
    sides = (plus, minus)
    ideals = [None if side is None else ideal_list_of(filling, side) for side in sides]
    one = _has_one_divisor(filling, sides, ideals)
    greatest = _max_with_one_divisor(filling, sides, ideals, one)
    exact = np.ones(filling.size, np.bool_)
    if plus is None or minus is None or ideals[0] is None or ideals[1] is None or one.all():
        return greatest, exact
    pairs = _enumerable_pairs(filling, plus, minus, (ideals[0], ideals[1]), np.flatnonzero(~one))
    tried = np.array(list(pairs), np.int64)
    greatest[tried] = max_ratio_difference(list(pairs.values()))
    exact[~one], exact[tried] = False, True
    most = _max_with_one_divisor(filling, (plus, None), [ideals[0], None], ~exact)
    least = _max_with_one_divisor(filling, (None, minus), [None, ideals[1]], ~exact)
    return np.where(exact, greatest, most + least), exact


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

    def above(self, worths: Floats, queries: Ints) -> Ints:
        """(R, L) judged documents of at least each worth, of some queries; the worths fall."""
        row = np.full(self.size, -1)
        row[queries] = np.arange(len(queries))
        place = np.searchsorted(-worths, -self.worth)
        kept = (place < len(worths)) & (row[self.query] >= 0)
        cells = row[self.query[kept]] * len(worths) + place[kept]
        shape = (len(queries), len(worths))
        counts: Ints = np.cumsum(np.bincount(cells, minlength=shape[0] * shape[1]).reshape(shape), axis=1)
        return counts


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
    apart, judged = np.zeros(filling.size, np.bool_), np.zeros(filling.size, np.bool_)
    if one.member is not other.member:
        apart[filling.docs.query[one.member != other.member]] = True
    ends = one.depth != other.depth
    if one.judged is not other.judged:
        levels = one.judged.levels, other.judged.levels
        judged = _rows_differ(levels[0][0], levels[1][0]) | _rows_differ(levels[0][1], levels[1][1])
    one_divisor: Mask = ~(apart | ends | judged) | plus.empty | minus.empty
    return one_divisor


def _rows_differ(one: Floats | Ints, other: Floats | Ints) -> Mask:
    """(Q,) whether rows differ, in which 0 fills what is missing."""
    wide, narrow = (one, other) if one.shape[1] > other.shape[1] else (other, one)
    rest = wide.shape[1] - narrow.shape[1]
    apart: Mask = (wide != np.pad(narrow, ((0, 0), (0, rest)))).any(axis=1)
    return apart


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


def _numerator(filling: FillingScale, side: SystemHoles | None) -> tuple[Floats, Floats]:
    """(Q,), (N,) what stands above without holes, and the weight of each hole; 0 where nothing was returned."""
    if side is None:
        return np.zeros(filling.size), np.zeros(filling.docs.size)
    return side.total, hole_weights(side)


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

    def ideal(self, level: int, holes: Ints) -> Floats:
        """(R, …) what a level adds below with so many holes at or above it."""
        place = np.minimum(self.above[:, level, None] + holes, self.depth[:, None])
        share: Floats = self.height[:, level, None] * self.ideal_sums[np.minimum(place, len(self.ideal_sums) - 1)]
        return share

    def ideal_with(self, holes: Ints) -> Floats:
        """(R,) what stands below with so many holes (R, 1) at the top."""
        levels = range(self.height.shape[1])
        return sum((self.ideal(level, holes)[:, 0] for level in levels), np.zeros(len(self.certain)))


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
    holes = np.flatnonzero(ideal.member & chosen[filling.docs.query])
    counts = np.bincount(filling.docs.query[holes], minlength=filling.size)[queries]
    start = offsets(counts + ideal.unseen)
    # Documents nobody returned follow those of their query, and have no weight.
    weights = np.zeros(int(start[-1]))
    weights[np.arange(len(holes)) + np.repeat(np.arange(len(queries)) * ideal.unseen, counts)] = weight[holes]
    return weights, start


class TwoRatios(NamedTuple):
    """One query's two ratios, the second to be taken from the first; each field holds one entry per side.

    Attributes
    ----------
    weight, member
        (n,) weight of each hole above; whether it may stand in the ideal below.
    above, depth, certain
        (L,) judged documents at or above each worth, where the ideal ends, what stands above for certain.
    height
        (L,) how far each worth lies above the next, the highest first: every worth of the scale.
    ideal_sums
        See `Ratio`.
    fill
        The value of a side of which nothing stands below.
    """

    weight: Sequence[Floats]
    member: Sequence[Mask]
    above: Sequence[Ints]
    depth: Sequence[int]
    certain: Sequence[float]
    height: Floats
    ideal_sums: Floats
    fill: float

    @property
    def shared(self) -> Mask:
        """(n,) holes in both ideals."""
        return self.member[0] & self.member[1]

    @property
    def breakpoints(self) -> Floats:
        """Every θ above 0 at which two shared holes change places in the order of `orders`."""
        one, other = (weight[self.shared] for weight in self.weight)
        rise, run = (values[:, None] - values[None, :] for values in (one, other))
        thetas = np.unique(rise[run != 0] / run[run != 0])
        return thetas[thetas > 0]

    @property
    def orders(self) -> list[Ints]:
        """Every order of the shared holes by "weight in the first less θ times in the second", for some θ above 0."""
        one, other = (weight[self.shared] for weight in self.weight)
        breakpoints = self.breakpoints
        # At a breakpoint itself two holes are equal: either order gives the same value.
        between = (
            [1.0]
            if not len(breakpoints)
            else [breakpoints[0] / 2, *((breakpoints[1:] + breakpoints[:-1]) / 2), breakpoints[-1] * 2]
        )
        orders = {tuple(np.argsort(-(one - theta * other), kind="stable").tolist()) for theta in between}
        return [np.array(order, np.int64) for order in sorted(orders)]

    @property
    def is_enumerable(self) -> bool:
        """Whether the ways to fill the shared holes can be tried."""
        return is_enumerable(int(self.shared.sum()), len(self.height), len(self.breakpoints))


def _enumerable_pairs(
    filling: FillingScale, plus: SystemHoles, minus: SystemHoles, ideals: tuple[IdealList, IdealList], queries: Ints
) -> dict[int, TwoRatios]:
    """Return the ratios of those queries in which every way to fill the shared holes can be tried, by query."""
    worths = np.unique(filling.worth[filling.worth > 0])[::-1]
    shared = np.bincount(filling.docs.query, weights=ideals[0].member & ideals[1].member, minlength=filling.size)
    unseen, start = ideals[0].unseen, filling.docs.start
    queries = queries[[is_enumerable(int(shared[q]) + unseen, len(worths), 0) for q in queries.tolist()]]
    if not len(queries):
        return {}
    height, above = worths - np.append(worths[1:], 0.0), [ideal.judged.above(worths, queries) for ideal in ideals]
    total = [side.total for side in (plus, minus)]
    weighed = list(zip((hole_weights(plus), hole_weights(minus)), ideals, strict=True))
    table = ideal_sums(filling, max(int(part.max(initial=0)) for part in above) + int(np.diff(start).max()) + unseen)
    by_query: dict[int, TwoRatios] = {}
    for row, q in enumerate(queries.tolist()):
        some = slice(int(start[q]), int(start[q + 1]))
        weight = [np.concatenate((each[some], np.zeros(unseen))) for each, _ in weighed]
        member = [np.concatenate((ideal.member[some], np.ones(unseen, np.bool_))) for _, ideal in weighed]
        pair = TwoRatios(
            weight=weight,
            member=member,
            above=[part[row] for part in above],
            depth=[int(ideal.depth[q]) for ideal in ideals],
            certain=[float(part[q]) for part in total],
            height=height,
            ideal_sums=table,
            fill=filling.fill,
        )
        if pair.is_enumerable:
            by_query[q] = pair
    return by_query


NO_END = 1 << 40
"""Stands for an ideal list without an end."""


def ideal_list_of(filling: FillingScale, side: SystemHoles) -> IdealList:
    """Return the best list that a side is measured against; found once for all differences of the side."""
    return filling.kept.once(("ideal", side), lambda: _find_ideal_list(filling, side))


def _find_ideal_list(filling: FillingScale, side: SystemHoles) -> IdealList:
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


FEW_HOLES = 8
MOST_FILLS, MOST_FILLS_OF_FEW = 200_000, 13_000_000
"""Ways to fill the shared holes that are tried, times grades above 0 and orders; more where there are few holes."""

BATCH_ROWS = 100_000


def is_enumerable(shared: int, levels: int, breakpoints: int) -> bool:
    """Whether the ways to fill so many shared holes with so many grades above 0 can be tried, in `turns` + 1 orders.

    With eight holes they can on every scale of up to ten steps.
    """
    most = MOST_FILLS_OF_FEW if shared <= FEW_HOLES else MOST_FILLS
    return levels <= most and comb(shared + levels, levels) * levels * (breakpoints + 1) <= most


class SharedFills(NamedTuple):
    """K ways to fill the shared holes of one query.

    Attributes
    ----------
    place, pair
        The place of the query, and its ratios.
    own
        Of each side the weights of the holes that stand in its ideal only.
    more
        (K,) of each side what the shared holes add above.
    counts
        (K, L) how many shared holes lie at or above each worth.
    """

    place: int
    pair: TwoRatios
    own: tuple[Floats, Floats]
    more: tuple[Floats, Floats]
    counts: Ints


def max_ratio_difference(pairs: Sequence[TwoRatios]) -> Floats:
    """(R,) the greatest differences.

    A hole in one ideal only moves one ratio only, which is made greatest (or least) by itself. The shared holes are
    tried, and to try orders is enough. Given how many of them are at or above each grade, both divisors D1 and D2 are
    constant, and the difference is linear in the worths g of the holes: Σ g (w1 / D1 − w2 / D2). By the rearrangement
    inequality it is greatest where the higher worths go to the holes with the greater w1 − θ w2, θ = D1 / D2. Two
    holes change places only at one θ, so one θ between any two such breakpoints gives every order there is.
    """
    greatest = np.full(len(pairs), -np.inf)
    for batch in _batches(choice for place, pair in enumerate(pairs) for choice in _fills_of(place, pair)):
        total = _max_of_side(batch, 0) + _max_of_side(batch, 1)
        place = np.repeat([choice.place for choice in batch], [len(choice.counts) for choice in batch])
        np.maximum.at(greatest, place, total)
    return greatest


def _fills_of(place: int, pair: TwoRatios) -> Iterator[SharedFills]:
    shared = np.flatnonzero(pair.shared)
    one, other = (weight[member & ~pair.shared] for weight, member in zip(pair.weight, pair.member, strict=True))
    every = _fill_counts(len(shared), len(pair.height))
    for order in pair.orders:
        taken = [np.concatenate(([0.0], np.cumsum(weight[shared[order]]))) for weight in pair.weight]
        for first in range(0, len(every), BATCH_ROWS):
            counts = every[first : first + BATCH_ROWS]
            more = taken[0][counts] @ pair.height, taken[1][counts] @ pair.height
            yield SharedFills(place, pair, (one, other), more, counts)


def _batches(choices: Iterable[SharedFills]) -> Iterator[list[SharedFills]]:
    """Put the ways to fill together, across queries: NumPy works on many short queries as fast as on a long one."""
    batch: list[SharedFills] = []
    rows = 0
    for choice in choices:
        batch.append(choice)
        rows += len(choice.counts)
        if rows >= BATCH_ROWS:
            yield batch
            batch, rows = [], 0
    if batch:
        yield batch


def _max_of_side(batch: list[SharedFills], s: int) -> Floats:
    """(K,) the greatest value of the first side, or of minus the second, with the shared holes as given."""
    sign = 1.0 if s == 0 else -1.0
    rows = np.array([len(choice.counts) for choice in batch])
    weight = np.concatenate([np.tile(sign * choice.own[s], len(choice.counts)) for choice in batch])
    start = offsets(np.repeat([len(choice.own[s]) for choice in batch], rows))
    certain = np.concatenate([sign * (choice.pair.certain[s] + choice.more[s]) for choice in batch])
    above = np.concatenate([choice.pair.above[s] + choice.counts for choice in batch])
    depth = np.repeat([choice.pair.depth[s] for choice in batch], rows)
    one = batch[0].pair
    height = np.broadcast_to(one.height, above.shape)
    ratio = Ratio(certain, weight, start, height, above, one.ideal_sums, depth)
    return with_fill(ratio, np.full(len(certain), sign * one.fill))


@functools.lru_cache(maxsize=32)
def _fill_counts(holes: int, levels: int) -> Ints:
    """(K, L) every count of holes at or above each level, the highest level first."""
    counts = list(itertools.combinations_with_replacement(range(holes + 1), levels))
    return np.array(counts, np.int64).reshape(len(counts), levels)


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
