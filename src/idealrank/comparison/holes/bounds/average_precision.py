"""Precisions: AP, where every relevant result raises the precision at those below it."""

from typing import NamedTuple

import numpy as np

from idealrank.arrays import Floats, Ints, Mask
from idealrank.comparison.holes.bounds.precision_sums import Row, Rows, greatest_differences, share
from idealrank.comparison.holes.side import Side, World

EXACT = (
    "exact: for a given number of relevant holes the first of them in a list give the most and the last the least, "
    "and every number is tried with every choice of the holes in both lists"
)
ENCLOSED = (
    "an enclosure: the two lists have too many holes in common to try every choice of them, so for each number of "
    "relevant holes each list has its own extreme, and no pair of holes adds more to the difference than it can alone"
)

MOST = 1 << 18
"""Choices that are tried for one query."""

LONGEST = 1000
"""So many holes of two lists whose pairs are looked at."""


def _by_rank(row: Row) -> Ints:
    """Return the holes in a list, by rank."""
    return np.argsort(row.rank, kind="stable")[: int((~np.isinf(row.rank)).sum())]


def _later(one: Floats, other: Floats) -> Floats:
    """(n, m) 1 / the later rank of each pair."""
    return 1.0 / np.maximum(one[:, None], other[None, :])


class Case(NamedTuple):
    """One query: two lists, R without holes, documents nobody returned, and the value of 0/0."""

    one: Row
    other: Row
    relevant: float
    unseen: int

    def at_most(self) -> float:
        """Return what the difference cannot exceed: for each number of relevant holes each list has its own extreme."""
        one, other = _by_rank(self.one), _by_rank(self.other)
        most, least = self.one.sums(one), self.other.sums(other[::-1])
        every = len(self.one.rank) + self.unseen
        holes = np.arange(every + 1)
        relevant: Floats = self.relevant + holes.astype(np.float64)
        above = share(most[np.minimum(holes, len(one))], relevant, self.one.cap, self.one.fill)
        below = share(least[np.maximum(holes - (every - len(other)), 0)], relevant, self.other.cap, self.other.fill)
        ceiling: Floats = above - below
        inside = np.flatnonzero(np.isfinite(self.one.rank) | np.isfinite(self.other.rank))
        if self.one.cap == self.other.cap and len(inside) <= LONGEST:
            divisor = np.minimum(relevant, self.one.cap)
            together = np.where(divisor > 0, self._together(inside, every) / np.where(divisor > 0, divisor, 1.0), 0.0)
            ceiling = np.minimum(ceiling, together)
        return float(ceiling.max())

    def _together(self, inside: Ints, every: int) -> Floats:
        """(every + 1,) what the difference of the sums of precisions cannot exceed, by the number of relevant holes.

        The difference is a sum over holes and pairs of holes. To a hole goes half of what its pairs add, which
        is at most the sum of the pairs that add anything, and at most the greatest times the number of the others.
        """
        one, other = self.one.rank[inside], self.other.rank[inside]
        pairs = _later(one, one) - _later(other, other)
        np.fill_diagonal(pairs, 0.0)
        greatest = pairs.max(axis=1, initial=0.0)
        total = np.maximum(pairs, 0.0, out=pairs).sum(axis=1)
        single = (self.one.single - self.other.single)[inside]
        ceiling = np.full(every + 1, self.one.certain - self.other.certain)
        last = 1
        while last <= every:
            each = np.zeros(every)
            each[: len(inside)] = single + np.minimum(total, (2 * last - 2) * greatest) / 2
            ceiling[last : 2 * last] += np.cumsum(-np.sort(-each))[last - 1 : 2 * last - 1]
            last *= 2
        return ceiling


def highest(world: World, plus: Side | None, minus: Side | None) -> tuple[Floats, Mask]:
    """(Q,) greatest value of one side less the other's (None: 0), and whether it is exact.

    The sum of the precisions is the sum of 1 / the later rank over all pairs of relevant results (a result
    with itself is one). For a given choice of the shared holes, and given numbers of relevant holes in the
    one list only and in the other only, the divisors are given, and moving a relevant result up never
    lowers the sum: so the first of the ones and the last of the others are best.
    """
    greatest, exact = np.full(world.size, np.nan), np.ones(world.size, np.bool_)
    some = next(side for side in (plus, minus) if side is not None)
    relevant = some.whole.judged_relevant(world.measure.decisions.relevant_from)
    open_ = np.diff(world.unknown.start) + world.unseen > 0
    one, other = (_rows(world, side) for side in (plus, minus))
    queries = np.flatnonzero(open_ & (float(world.worth.max()) > 0))
    exact[queries] = one.choices(other)[queries] <= MOST
    for alike in one.alike(other, queries[exact[queries]]):
        greatest[alike] = greatest_differences(one, other, relevant[alike], alike, world.unseen)
    for query in queries[~exact[queries]].tolist():
        greatest[query] = Case(one.row(query), other.row(query), float(relevant[query]), world.unseen).at_most()
    return greatest, exact


def _rows(world: World, side: Side | None) -> Rows:
    """Return all queries in the list of a side."""
    start, size = world.unknown.start, world.size
    if side is None:
        nowhere, nothing = np.full(world.unknown.size, np.inf), np.zeros(world.unknown.size)
        return Rows(start, nowhere, nothing, np.zeros(size), np.full(size, np.inf), np.zeros(size))
    rank = np.where(side.rank > 0, side.rank, np.inf)
    certain = side.steps.lists.per_query(side.steps.contribution)
    fill = np.where(side.empty, 0.0, world.fill)
    return Rows(start, rank, _single(side), certain, _cap(world, side), fill)


def _single(side: Side) -> Floats:
    """(N,) what a hole adds if it alone is relevant: its precision, and 1 / rank of each relevant result below."""
    lists, relevant = side.steps.lists, side.steps.contribution > 0
    reciprocal = np.where(relevant, 1.0 / lists.rank, 0.0)
    behind = lists.per_query(reciprocal)[lists.query] - lists.running(reciprocal)
    return side.of_holes((lists.before(relevant.astype(np.float64)) + 1.0) / lists.rank + behind)


def _cap(world: World, side: Side) -> Floats:
    """(Q,) the divisor is R, or this if it is less."""
    denominator, k = world.measure.decisions.ap_denominator, world.measure.cutoff
    cap = np.full(world.size, np.inf if denominator == "R" or k is None else float(k))
    return np.minimum(cap, side.whole.returned) if denominator == "min(R,k,n)" else cap
