"""Shares: nDCG and R; the holes that add above add below, too."""

from __future__ import annotations

import numpy as np

from idealrank.comparison.holes.ideals import Best, best_of, sums
from idealrank.comparison.holes.ratio import Ratio, with_fill
from idealrank.comparison.holes.side import Side, World, padded
from idealrank.comparison.holes.sums import weights
from idealrank.comparison.holes.two_ratios import Pair, highest_pairs
from idealrank.comparison.holes.unknown import groups
from idealrank.lists import Floats, Ints, Mask

EXACT = (
    "exact: the best list depends only on how many holes reach each grade, and for given counts the holes with the "
    "greatest weight (of a difference: of the difference of their weights) take the highest grades"
)
ENCLOSED = "an enclosure: the two systems are divided by different ideals, and there are too many ways to fill both"


Sides = tuple[Side | None, Side | None]


def highest(world: World, plus: Side | None, minus: Side | None) -> tuple[Floats, Mask]:
    """(Q,) greatest value of one side less the other's (None: 0), and whether it is exact.

    Where both are divided by the same ideal, the difference is one ratio, and so is the value of one
    side: exact (`ratio.highest`). Where they are not, see `two_ratios`.
    """
    sides = (plus, minus)
    bests = [None if side is None else best_of(world, side) for side in sides]
    one = _one_divisor(world, sides, bests)
    found, exact = np.full(world.size, np.nan), np.ones(world.size, np.bool_)
    for queries in groups(np.where(one, _counts(world, bests), 0)):
        found[queries] = _of_one(world, sides, bests, queries)
    two = np.flatnonzero(~one)
    if plus is not None and minus is not None and bests[0] is not None and bests[1] is not None and len(two):
        pairs = _pairs(world, plus, minus, (bests[0], bests[1]), two)
        found[two], exact[two] = highest_pairs(pairs)
    return found, exact


def _counts(world: World, bests: list[Best | None]) -> Ints:
    """(Q,) unknown documents of each query, unseen ones included."""
    unseen = max(best.unseen for best in bests if best is not None)
    found: Ints = np.diff(world.unknown.start) + unseen
    return found


def _one_divisor(world: World, sides: Sides, bests: list[Best | None]) -> Mask:
    """(Q,) whether both sides have the same ideal whatever the holes hold, or one has no value of its own."""
    (plus, minus), (one, other) = sides, bests
    if plus is None or minus is None or one is None or other is None:
        return np.ones(world.size, np.bool_)
    apart = np.bincount(world.unknown.query, weights=one.member != other.member, minlength=world.size) > 0
    ends = one.depth != other.depth
    judged = np.zeros(world.size, np.bool_)
    if one.worth is not other.worth:
        worths = np.unique(world.worth[world.worth > 0])[::-1]
        judged = (one.above(worths) != other.above(worths)).any(axis=1)
    found: Mask = ~(apart | ends | judged) | plus.empty | minus.empty
    return found


def _of_one(world: World, sides: Sides, bests: list[Best | None], queries: Ints) -> Floats:
    """(R,) the greatest difference of queries that have one divisor: that of a side that returned anything."""
    gone = [np.ones(len(queries), np.bool_) if side is None else side.empty[queries] for side in sides]
    certain, weight = (one - other for one, other in zip(*(_above(world, s, queries) for s in sides), strict=True))
    fill = np.where(gone[0], 0.0, world.fill) - np.where(gone[1], 0.0, world.fill)
    found = np.full(len(queries), np.nan)
    for best, rows in zip(bests, (~gone[0], gone[0] & ~gone[1]), strict=True):
        if best is not None and rows.any():
            ratio = _ratio(world, best, certain, weight, queries)
            found[rows] = with_fill(ratio.take(np.flatnonzero(rows)), fill[rows])
    return found


def _above(world: World, side: Side | None, queries: Ints) -> tuple[Floats, Floats]:
    """(R,), (R, n) what stands above without holes, and the weight of each hole; 0 where nothing was returned."""
    start = world.unknown.start
    if side is None:
        return np.zeros(len(queries)), np.zeros((len(queries), int(np.diff(start)[queries].max())))
    total = side.steps.lists.per_query(side.steps.contribution)[queries]
    return total, padded(weights(side), start, queries, 0.0)


def _ratio(world: World, best: Best, certain: Floats, weight: Floats, queries: Ints) -> Ratio:
    member = padded(best.member.astype(np.float64), world.unknown.start, queries, 0.0) > 0
    weight = np.where(member, weight, np.nan)
    weight = np.concatenate((weight, np.zeros((len(queries), best.unseen))), axis=1)
    height, above = best.levels[0][queries], best.levels[1][queries]
    depth = best.depth[queries]
    longest = int(np.minimum(above.max(initial=0) + weight.shape[1], depth).max(initial=0))
    return Ratio(certain, weight, height, above, sums(world, longest), depth)


def _pairs(world: World, plus: Side, minus: Side, bests: tuple[Best, Best], queries: Ints) -> list[Pair]:
    """Put together what `two_ratios` reads, for queries in which the two sides are measured against two ideals."""
    worths = np.unique(world.worth[world.worth > 0])[::-1]
    height, above = worths - np.append(worths[1:], 0.0), [best.above(worths) for best in bests]
    total = [side.steps.lists.per_query(side.steps.contribution) for side in (plus, minus)]
    unseen, start = bests[0].unseen, world.unknown.start
    known = list(zip((weights(plus), weights(minus)), bests, strict=True))
    longest = max(int(part.max(initial=0)) for part in above) + int(np.diff(start).max()) + unseen
    table = sums(world, longest)
    found: list[Pair] = []
    for q in queries.tolist():
        some = slice(int(start[q]), int(start[q + 1]))
        weight = [np.concatenate((each[some], np.zeros(unseen))) for each, _ in known]
        member = [np.concatenate((best.member[some], np.ones(unseen, np.bool_))) for _, best in known]
        certain, depth = [float(part[q]) for part in total], [int(best.depth[q]) for best in bests]
        rest = height, table, world.fill
        found.append(Pair(weight, member, [part[q] for part in above], depth, certain, *rest))
    return found
