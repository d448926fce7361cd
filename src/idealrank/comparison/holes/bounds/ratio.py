"""The greatest ratio a choice of grades can reach, where what stands below counts the documents at each level."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from idealrank.arrays import Floats, Ints, Mask


class Ratio(NamedTuple):
    """R ratios, each with up to n holes and L levels of worth, the highest level first.

    Above stands what is certain plus, for each hole, its weight times its worth. Below stands the ideal: for
    each level its height times the sum of the first weights of ranks, one for each document at or above it.
    That a worth is the sum of the heights up to it makes both a sum over the levels.

    Attributes
    ----------
    certain
        (R,) what stands above when every hole is worth nothing.
    weight
        (R, n) weight of each hole, NaN where there is none.
    height
        (R, L) how far each level lies above the next; 0 where there is none.
    above
        (R, L) judged documents at or above each level.
    sums
        (T,) the sum of the weights of the first t ranks of the ideal list; beyond T it grows no more.
    depth
        (R,) where the ideal list ends.
    """

    certain: Floats
    weight: Floats
    height: Floats
    above: Ints
    sums: Floats
    depth: Ints

    def take(self, rows: Ints) -> Ratio:
        """Return some of the ratios."""
        height, above, depth = self.height[rows], self.above[rows], self.depth[rows]
        return Ratio(self.certain[rows], self.weight[rows], height, above, self.sums, depth)

    def ideal(self, level: int, holes: Ints) -> Floats:
        """(R, …) what a level adds below with so many holes at or above it."""
        place = np.minimum(self.above[:, level, None] + holes, self.depth[:, None])
        share: Floats = self.height[:, level, None] * self.sums[np.minimum(place, len(self.sums) - 1)]
        return share

    def ideal_with(self, holes: Ints) -> Floats:
        """(R,) what stands below with so many holes (R, 1) at the top."""
        levels = range(self.height.shape[1])
        return sum((self.ideal(level, holes)[:, 0] for level in levels), np.zeros(len(self.certain)))


def highest(ratio: Ratio) -> Floats:
    """(R,) the greatest ratio over all choices of grades under which something stands below; NaN if there is none.

    With the holes sorted by weight, a choice is a count of holes at or above each level, which never
    falls from a level to the next below it. For a number v the best of "above minus v times below" is a
    sum over the levels, so the best counts are found level by level; while it is positive, the ratio there is
    a greater v (Dinkelbach, Management Science 13(7), 1967). The steps end at a choice that none surpasses.
    """
    real = ~np.isnan(ratio.weight)
    best_first = -np.sort(-np.where(real, ratio.weight, -np.inf), axis=1)
    taken = np.cumsum(np.where(np.isneginf(best_first), 0.0, best_first), axis=1)
    taken = np.concatenate((np.zeros((len(taken), 1)), taken), axis=1)
    counts = real.sum(axis=1)
    allowed = np.arange(taken.shape[1]) <= counts[:, None]
    below = ratio.ideal_with(counts[:, None])
    above = ratio.certain + ratio.height.sum(axis=1) * np.take_along_axis(taken, counts[:, None], axis=1)[:, 0]
    value = np.where(below > 0, above / np.where(below > 0, below, 1.0), np.nan)
    going = np.flatnonzero(below > 0)
    while len(going):
        above, below = _best(ratio.take(going), taken[going], allowed[going], value[going])
        next_value = np.where(below > 0, above / np.where(below > 0, below, 1.0), -np.inf)
        better = next_value > value[going]
        value[going[better]] = next_value[better]
        going = going[better]
    return value


def with_fill(ratio: Ratio, fill: Floats) -> Floats:
    """(R,) the greatest value, where a choice that leaves nothing below has the value `fill`."""
    nothing = ratio.ideal_with(np.zeros((len(ratio.certain), 1), np.int64)) <= 0
    greatest: Floats = np.fmax(highest(ratio), np.where(nothing, fill, np.nan))
    return greatest


def _best(ratio: Ratio, taken: Floats, allowed: Mask, value: Floats) -> tuple[Floats, Floats]:
    """(R,) above and below for the counts that make "above minus value times below" greatest."""
    holes = np.arange(taken.shape[1])
    below = np.zeros(taken.shape)
    above = below + ratio.certain[:, None]
    for level in range(ratio.height.shape[1]):
        if level:
            at = _last_best(above - value[:, None] * below, allowed)
            above, below = (np.take_along_axis(part, at, axis=1) for part in (above, below))
        above = above + ratio.height[:, level, None] * taken
        below = below + ratio.ideal(level, holes)
    at = np.argmax(np.where(allowed, above - value[:, None] * below, -np.inf), axis=1)[:, None]
    return tuple(np.take_along_axis(part, at, axis=1)[:, 0] for part in (above, below))  # type: ignore[return-value]


def _last_best(total: Floats, allowed: Mask) -> Ints:
    """(R, n + 1) the count up to each count that is best."""
    total = np.where(allowed, total, -np.inf)
    rises = total == np.maximum.accumulate(total, axis=1)
    place: Ints = np.maximum.accumulate(np.where(rises, np.arange(total.shape[1]), 0), axis=1)
    return place


def levels(query: Ints, worth: Floats, top: float, size: int) -> tuple[Floats, Ints]:
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
