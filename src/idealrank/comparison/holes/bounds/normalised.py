"""Shares: nDCG and R; the holes that add above add below, too."""

import numpy as np

from idealrank.arrays import Floats, Ints, Mask
from idealrank.comparison.holes.bounds.ideals import Best, best_of, sums
from idealrank.comparison.holes.bounds.ratio import Ratio, with_fill
from idealrank.comparison.holes.bounds.sums import weights
from idealrank.comparison.holes.bounds.two_ratios import TwoRatios, few, highest_pairs
from idealrank.comparison.holes.side import Side, World, padded
from idealrank.comparison.holes.unknown import groups

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
    greatest = _ratios(world, sides, bests, one)
    exact = np.ones(world.size, np.bool_)
    if plus is None or minus is None or bests[0] is None or bests[1] is None or one.all():
        return greatest, exact
    pairs = _pairs(world, plus, minus, (bests[0], bests[1]), np.flatnonzero(~one))
    tried = np.array(list(pairs), np.int64)
    greatest[tried] = highest_pairs(list(pairs.values()))
    exact[~one], exact[tried] = False, True
    most = _ratios(world, (plus, None), [bests[0], None], ~exact)
    least = _ratios(world, (None, minus), [None, bests[1]], ~exact)
    return np.where(exact, greatest, most + least), exact


def _ratios(world: World, sides: Sides, bests: list[Best | None], wanted: Mask) -> Floats:
    """(Q,) the greatest difference of the queries asked for, which have one divisor."""
    greatest = np.full(world.size, np.nan)
    for queries in groups(np.where(wanted, _counts(world, bests), 0)):
        greatest[queries] = _of_one(world, sides, bests, queries)
    return greatest


def _counts(world: World, bests: list[Best | None]) -> Ints:
    """(Q,) unknown documents of each query, unseen ones included."""
    unseen = max(best.unseen for best in bests if best is not None)
    counts: Ints = np.diff(world.unknown.start) + unseen
    return counts


def _one_divisor(world: World, sides: Sides, bests: list[Best | None]) -> Mask:
    """(Q,) whether both sides have the same ideal whatever the holes hold, or one has no value of its own."""
    (plus, minus), (one, other) = sides, bests
    if plus is None or minus is None or one is None or other is None:
        return np.ones(world.size, np.bool_)
    apart = np.bincount(world.unknown.query, weights=one.member != other.member, minlength=world.size) > 0
    ends = one.depth != other.depth
    judged = np.zeros(world.size, np.bool_)
    if one.worth is not other.worth:
        judged = _apart(one.levels[0], other.levels[0]) | _apart(one.levels[1], other.levels[1])
    one_divisor: Mask = ~(apart | ends | judged) | plus.empty | minus.empty
    return one_divisor


def _apart(one: Floats | Ints, other: Floats | Ints) -> Mask:
    """(Q,) whether rows differ, in which 0 fills what is missing."""
    wide, narrow = (one, other) if one.shape[1] > other.shape[1] else (other, one)
    rest = wide.shape[1] - narrow.shape[1]
    apart: Mask = (wide != np.pad(narrow, ((0, 0), (0, rest)))).any(axis=1)
    return apart


def _of_one(world: World, sides: Sides, bests: list[Best | None], queries: Ints) -> Floats:
    """(R,) the greatest difference of queries that have one divisor: that of a side that returned anything."""
    gone = [np.ones(len(queries), np.bool_) if side is None else side.empty[queries] for side in sides]
    certain, weight = (one - other for one, other in zip(*(_above(world, s, queries) for s in sides), strict=True))
    fill = np.where(gone[0], 0.0, world.fill) - np.where(gone[1], 0.0, world.fill)
    greatest = np.full(len(queries), np.nan)
    for best, rows in zip(bests, (~gone[0], gone[0] & ~gone[1]), strict=True):
        if best is not None and rows.any():
            ratio = _ratio(world, best, certain, weight, queries)
            greatest[rows] = with_fill(ratio.take(np.flatnonzero(rows)), fill[rows])
    return greatest


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


def _pairs(world: World, plus: Side, minus: Side, bests: tuple[Best, Best], queries: Ints) -> dict[int, TwoRatios]:
    """Put together what `two_ratios` reads, for those queries in which the shared holes can be tried."""
    worths = np.unique(world.worth[world.worth > 0])[::-1]
    shared = np.bincount(world.unknown.query, weights=bests[0].member & bests[1].member, minlength=world.size)
    unseen, start = bests[0].unseen, world.unknown.start
    queries = queries[[few(int(shared[q]) + unseen, len(worths), 0) for q in queries.tolist()]]
    if not len(queries):
        return {}
    height, above = worths - np.append(worths[1:], 0.0), [best.above(worths, queries) for best in bests]
    total = [side.steps.lists.per_query(side.steps.contribution) for side in (plus, minus)]
    weighed = list(zip((weights(plus), weights(minus)), bests, strict=True))
    table = sums(world, max(int(part.max(initial=0)) for part in above) + int(np.diff(start).max()) + unseen)
    by_query: dict[int, TwoRatios] = {}
    for row, q in enumerate(queries.tolist()):
        some = slice(int(start[q]), int(start[q + 1]))
        weight = [np.concatenate((each[some], np.zeros(unseen))) for each, _ in weighed]
        member = [np.concatenate((best.member[some], np.ones(unseen, np.bool_))) for _, best in weighed]
        pair = TwoRatios(
            weight=weight,
            member=member,
            above=[part[row] for part in above],
            depth=[int(best.depth[q]) for best in bests],
            certain=[float(part[q]) for part in total],
            height=height,
            sums=table,
            fill=world.fill,
        )
        if pair.few:
            by_query[q] = pair
    return by_query
