"""Precisions: AP, where every relevant result raises the precision at those below it."""

from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from idealrank.arrays import Floats, Ints, Mask
from idealrank.comparison.holes.side import Side, World

EXACT = (
    "exact: for a given number of relevant holes the first of them in a list give the most and the last the least, "
    "and every number is tried with every choice of the holes both lists hold"
)
ENCLOSED = (
    "an enclosure: the two lists hold too many holes in common to try every choice of them, so for each number of "
    "relevant holes each list has its own extreme, and no pair of holes adds more to the difference than it can alone"
)

MOST = 1 << 18
"""Choices that are tried for one query."""

LONGEST = 1000
"""So many holes of two lists whose pairs are looked at."""


class Row(NamedTuple):
    """One query in one list.

    Attributes
    ----------
    rank, single
        (n,) rank of each hole, infinite where it does not count; what it adds if it alone is relevant.
    certain
        The sum of the precisions without holes.
    cap
        The divisor is R, or this if it is less.
    fill
        The value where the divisor is 0.
    """

    rank: Floats
    single: Floats
    certain: float
    cap: float
    fill: float

    def sums(self, own: Ints, choices: Mask, shared: Ints) -> Floats:
        """(K, o + 1) the sum of the precisions for each number of its own holes and each choice of the shared.

        Parameters
        ----------
        own
            (o,) holes in the order in which they become relevant: by rank, or by rank from below.
        given, shared
            (K, s), (s,) which shared holes are relevant; the shared holes.
        """
        chosen, rank = choices.astype(np.float64), self.rank[own]
        among = np.triu(_later(self.rank[shared], self.rank[shared]), 1)
        start = self.certain + chosen @ self.single[shared] + ((chosen @ among) * chosen).sum(axis=1)
        downwards = len(rank) < 2 or rank[0] < rank[-1]
        earlier = np.arange(len(rank)) / rank if downwards else np.cumsum(1.0 / rank) - 1.0 / rank
        steps = self.single[own] + earlier + chosen @ _later(self.rank[shared], rank)
        return np.concatenate((start[:, None], start[:, None] + np.cumsum(steps, axis=1)), axis=1)


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

    @property
    def _in(self) -> tuple[Mask, Mask]:
        return ~np.isinf(self.one.rank), ~np.isinf(self.other.rank)

    @property
    def choices(self) -> float:
        """Ways to choose that `highest` tries."""
        one, other = self._in
        return 2.0 ** int((one & other).sum()) * (1 + int((one & ~other).sum())) * (1 + int((other & ~one).sum()))

    def highest(self) -> float:
        """Return the greatest difference: every choice is tried."""
        one, other = self._in
        shared = np.flatnonzero(one & other)
        choices = (np.arange(1 << len(shared))[:, None] >> np.arange(len(shared))) & 1 > 0
        first = np.flatnonzero(one & ~other)
        last = np.flatnonzero(other & ~one)
        above = self.one.sums(first[np.argsort(self.one.rank[first])], choices, shared)[:, :, None]
        below = self.other.sums(last[np.argsort(-self.other.rank[last])], choices, shared)[:, None, :]
        holes = choices.sum(axis=1)[:, None, None] + np.arange(len(first) + 1)[:, None] + np.arange(len(last) + 1)
        nowhere = int((~one & ~other).sum()) + self.unseen
        return self._greatest(above, below, holes, nowhere)

    def at_most(self) -> float:
        """Return what the difference cannot exceed: for each number of relevant holes each list has its own extreme."""
        one, other = _by_rank(self.one), _by_rank(self.other)
        nothing = np.zeros((1, 0), np.bool_), np.zeros(0, np.int64)
        most = self.one.sums(one, *nothing)[0]
        least = self.other.sums(other[::-1], *nothing)[0]
        every = len(self.one.rank) + self.unseen
        holes = np.arange(every + 1)
        relevant: Floats = self.relevant + holes.astype(np.float64)
        above = self._share(self.one, most[np.minimum(holes, len(one))], relevant)
        below = self._share(self.other, least[np.maximum(holes - (every - len(other)), 0)], relevant)
        ceiling: Floats = above - below
        inside = np.flatnonzero(self._in[0] | self._in[1])
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

    def _greatest(self, above: Floats, below: Floats, holes: Ints, more: int) -> float:
        """Return the greatest difference of the two shares, with up to so many relevant documents more.

        Between the caps the difference of two shares is monotone in R: its greatest value is at an end or a cap.
        """
        relevant: Floats = self.relevant + holes.astype(np.float64)
        ends = [relevant, relevant + more]
        ends += [np.clip(row.cap, *ends[:2]) for row in (self.one, self.other) if more and np.isfinite(row.cap)]
        shares = (self._share(self.one, above, end) - self._share(self.other, below, end) for end in ends)
        return max(float(share.max()) for share in shares)

    @staticmethod
    def _share(row: Row, total: Floats, relevant: Floats) -> Floats:
        divisor = np.minimum(relevant, row.cap)
        return np.where(divisor > 0, total / np.where(divisor > 0, divisor, 1.0), row.fill)


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
    for query in np.flatnonzero(open_ & (float(world.worth.max()) > 0)).tolist():
        case = Case(one(query), other(query), float(relevant[query]), world.unseen)
        exact[query] = case.choices <= MOST
        greatest[query] = case.highest() if exact[query] else case.at_most()
    return greatest, exact


def _rows(world: World, side: Side | None) -> Callable[[int], Row]:
    """Return what gives a side's row of a query."""
    start = world.unknown.start
    if side is None:
        nowhere, nothing = np.full(world.unknown.size, np.inf), np.zeros(world.unknown.size)
        return lambda q: Row(nowhere[start[q] : start[q + 1]], nothing[start[q] : start[q + 1]], 0.0, np.inf, 0.0)
    rank, single = np.where(side.rank > 0, side.rank, np.inf), _single(side)
    certain = side.steps.lists.per_query(side.steps.contribution)
    cap = _cap(world, side)
    fill = np.where(side.empty, 0.0, world.fill)

    def row(q: int) -> Row:
        some = slice(start[q], start[q + 1])
        return Row(rank[some], single[some], float(certain[q]), float(cap[q]), float(fill[q]))

    return row


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
