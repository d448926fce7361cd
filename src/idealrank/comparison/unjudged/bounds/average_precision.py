"""Bounds of AP under unjudged results: every choice of relevant holes is tried, or enclosed."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np

from idealrank.arrays import Floats, Ints, Mask
from idealrank.comparison.unjudged.documents import FillingScale, SystemHoles
from idealrank.errors import unsaid

EXACT = (
    "exact: for a given number of relevant holes the first of them in a list give the most and the last the least, "
    "and every number is tried with every choice of the holes in both lists"
)
ENCLOSED = (
    "an enclosure: the two lists have too many holes in common to try every choice of them, so for each number of "
    "relevant holes each list has its own extreme, and no pair of holes adds more to the difference than it can alone"
)

MOST_CHOICES = 1 << 18
"""Choices that are tried for one query; above it the bounds are an enclosure."""

MOST_PAIRED = 1000
"""Holes of two lists whose pairs are looked at: the table of pairs grows with their square."""


class PrecisionList(NamedTuple):
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

    def precision_sums(self, own: Ints) -> Floats:
        """(o + 1,) the sum of the precisions for each number of these holes, in the order they become relevant."""
        rank = self.rank[own]
        downwards = len(rank) < 2 or rank[0] < rank[-1]
        steps = self.single[own] + gains_with_earlier(rank, downwards=downwards)
        return self.certain + np.concatenate(([0.0], np.cumsum(steps)))

    @property
    def by_rank(self) -> Ints:
        """The holes that count, by rank."""
        return np.argsort(self.rank, kind="stable")[: int((~np.isinf(self.rank)).sum())]

    def inverse_later_ranks(self, holes: Ints) -> Floats:
        """(n, n) 1 / the later rank of each two of some holes."""
        rank = self.rank[holes]
        return 1.0 / np.maximum(rank[:, None], rank[None, :])


class APBoundProblem(NamedTuple):
    """One query: two lists, R without holes, documents nobody returned, and the value of 0/0."""

    one: PrecisionList
    other: PrecisionList
    relevant: float
    unseen: int

    def ceiling(self) -> float:
        """Return what the difference cannot exceed: for each number of relevant holes each list has its own extreme."""
        one, other = self.one.by_rank, self.other.by_rank
        most, least = self.one.precision_sums(one), self.other.precision_sums(other[::-1])
        every = len(self.one.rank) + self.unseen
        holes = np.arange(every + 1)
        relevant: Floats = self.relevant + holes.astype(np.float64)
        above = divide_sums(most[np.minimum(holes, len(one))], relevant, self.one.cap, self.one.fill)
        below = divide_sums(
            least[np.maximum(holes - (every - len(other)), 0)], relevant, self.other.cap, self.other.fill
        )
        ceiling: Floats = above - below
        inside = np.flatnonzero(np.isfinite(self.one.rank) | np.isfinite(self.other.rank))
        if self.one.cap == self.other.cap and len(inside) <= MOST_PAIRED:
            divisor = np.minimum(relevant, self.one.cap)
            together = np.where(
                divisor > 0, self._pairwise_ceiling(inside, every) / np.where(divisor > 0, divisor, 1.0), 0.0
            )
            ceiling = np.minimum(ceiling, together)
        return float(ceiling.max())

    def _pairwise_ceiling(self, inside: Ints, every: int) -> Floats:
        """(every + 1,) what the difference of the sums of precisions cannot exceed, by the number of relevant holes.

        The difference is a sum over holes and pairs of holes. To a hole goes half of what its pairs add, which
        is at most the sum of the pairs that add anything, and at most the greatest times the number of the others.
        """
        pairs = self.one.inverse_later_ranks(inside) - self.other.inverse_later_ranks(inside)
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


def max_ap_difference(
    filling: FillingScale, plus: SystemHoles | None, minus: SystemHoles | None
) -> tuple[Floats, Mask]:
    """(Q,) greatest value of one side less the other's (None: 0), and whether it is exact.

    The sum of the precisions is the sum of 1 / the later rank over all pairs of relevant results (a result
    with itself is one). For a given choice of the shared holes, and given numbers of relevant holes in the
    one list only and in the other only, the divisors are given, and moving a relevant result up never
    lowers the sum: so the first of the ones and the last of the others are best.
    """
    greatest, exact = np.full(filling.size, np.nan), np.ones(filling.size, np.bool_)
    some = next(side for side in (plus, minus) if side is not None)
    relevant = some.whole.judged_relevant(filling.measure.decisions.relevant_from)
    open_ = np.diff(filling.docs.start) + filling.unseen > 0
    one, other = (_precision_lists(filling, side) for side in (plus, minus))
    queries = np.flatnonzero(open_ & (float(filling.worth.max()) > 0))
    lists = PrecisionPair(one, other)
    exact[queries] = lists.choices[queries] <= MOST_CHOICES
    for alike in lists.group_alike(queries[exact[queries]]):
        greatest[alike] = max_over_choices(lists, relevant[alike], alike, filling.unseen)
    for query in queries[~exact[queries]].tolist():
        greatest[query] = APBoundProblem(
            one.list_of(query), other.list_of(query), float(relevant[query]), filling.unseen
        ).ceiling()
    return greatest, exact


@dataclass(frozen=True)
class PrecisionLists:
    """All queries in one list.

    Attributes
    ----------
    start
        (Q + 1,) where the holes of each query begin.
    rank, single
        (N,) rank of each hole, infinite where it does not count; what it adds if it alone is relevant.
    certain, cap, fill
        (Q,) as those of a `PrecisionList`.
    """

    start: Ints
    rank: Floats
    single: Floats
    certain: Floats
    cap: Floats
    fill: Floats

    def list_of(self, q: int) -> PrecisionList:
        """Return one query."""
        some = slice(self.start[q], self.start[q + 1])
        return PrecisionList(
            self.rank[some], self.single[some], *map(float, (self.certain[q], self.cap[q], self.fill[q]))
        )

    @cached_property
    def inside(self) -> Mask:
        """(N,) which holes count."""
        return np.isfinite(self.rank)

    @cached_property
    def query(self) -> Ints:
        """(N,) the query of each hole."""
        return np.repeat(np.arange(len(self.start) - 1), np.diff(self.start))

    def count_by_query(self, holes: Mask) -> Ints:
        """(Q,) how many of some holes each query has."""
        return np.bincount(self.query[holes], minlength=len(self.start) - 1)

    def precision_sums(self, queries: Ints, own: Ints, choices: Floats, shared: Ints, *, downwards: bool) -> Floats:
        """(G, K, o + 1) the sum of the precisions for each number of own holes and each choice of the shared.

        Parameters
        ----------
        queries
            (G,) places of queries.
        own
            (G, o) holes in the order in which they become relevant: by rank, or by rank from below.
        choices, shared
            (K, s) 1 where a shared hole is relevant, else 0; (G, s) the shared holes.
        """
        both, mine = self.rank[shared], self.rank[own]
        among = np.triu(1.0 / np.maximum(both[:, :, None], both[:, None, :]), 1)
        start = self.certain[queries, None] + self.single[shared] @ choices.T
        start += ((choices @ among) * choices).sum(axis=2)
        across = choices @ (1.0 / np.maximum(both[:, :, None], mine[:, None, :]))
        steps = (self.single[own] + gains_with_earlier(mine, downwards=downwards))[:, None, :] + across
        return np.concatenate((start[:, :, None], start[:, :, None] + np.cumsum(steps, axis=2)), axis=2)


class HolesByQuery(NamedTuple):
    """The holes of a kind: places of holes, those of each query together and in the order they become relevant.

    Those of query q are ``places[start[q] : start[q + 1]]``.
    """

    places: Ints
    start: Ints

    @property
    def counts(self) -> Ints:
        """(Q,) how many each query has."""
        return np.diff(self.start)

    def of_alike(self, queries: Ints) -> Ints:
        """(G, m) the holes of queries that have equally many."""
        many = int(self.start[queries[0] + 1] - self.start[queries[0]])
        return np.asarray(self.places[self.start[queries][:, None] + np.arange(many)])


@dataclass(frozen=True)
class PrecisionPair:
    """All queries in the two lists whose difference is sought."""

    one: PrecisionLists
    other: PrecisionLists

    # Sorted once for all queries: to sort them anew for each group of alike queries took most of the time of a
    # comparison.

    @cached_property
    def shared(self) -> HolesByQuery:
        """The holes in both lists."""
        return self._sorted(self.one.inside & self.other.inside, self.one.rank)

    @cached_property
    def own(self) -> HolesByQuery:
        """The holes in the first list only, from its top."""
        return self._sorted(self.one.inside & ~self.other.inside, self.one.rank)

    @cached_property
    def others(self) -> HolesByQuery:
        """The holes in the second list only, from its end."""
        return self._sorted(~self.one.inside & self.other.inside, -self.other.rank)

    def _sorted(self, kind: Mask, by: Floats) -> HolesByQuery:
        places = np.flatnonzero(kind)
        places = places[np.lexsort((by[places], self.one.query[places]))]
        return HolesByQuery(places, np.concatenate(([0], np.cumsum(self.one.count_by_query(kind)))))

    @cached_property
    def nowhere(self) -> Ints:
        """(Q,) how many holes are in neither list."""
        return self.one.count_by_query(~self.one.inside & ~self.other.inside)

    @cached_property
    def choices(self) -> Floats:
        """(Q,) ways to choose that are tried: which of the shared holes, how many of the own ones of each list."""
        shared, first, last = self.shared.counts, self.own.counts, self.others.counts
        return np.asarray(np.exp2(shared.astype(np.float64)) * (1 + first) * (1 + last))

    def group_alike(self, queries: Ints) -> Iterator[Ints]:
        """Yield the places of queries that have as many holes of each kind as each other, in batches of `AT_ONCE`."""
        if not len(queries):
            return
        shape = np.stack([holes.counts[queries] for holes in (self.shared, self.own, self.others)], axis=1)
        _, group = np.unique(shape, axis=0, return_inverse=True)
        order = np.argsort(group.ravel(), kind="stable")
        ends = np.flatnonzero(np.diff(group.ravel()[order], append=-1)) + 1
        for members in np.split(queries[order], ends[:-1]):
            many = max(1, int(AT_ONCE // self.choices[members[0]]))
            yield from (members[first : first + many] for first in range(0, len(members), many))


def _precision_lists(filling: FillingScale, side: SystemHoles | None) -> PrecisionLists:
    """Return all queries in the list of a side."""
    start, size = filling.docs.start, filling.size
    if side is None:
        nowhere, nothing = np.full(filling.docs.size, np.inf), np.zeros(filling.docs.size)
        return PrecisionLists(start, nowhere, nothing, np.zeros(size), np.full(size, np.inf), np.zeros(size))
    rank = np.where(side.rank > 0, side.rank, np.inf)
    certain = side.steps.lists.per_query(side.steps.contribution)
    fill = np.where(side.empty, 0.0, filling.fill)
    return PrecisionLists(start, rank, _gains_alone(side), certain, _caps(filling, side), fill)


def _gains_alone(side: SystemHoles) -> Floats:
    """(N,) what a hole adds if it alone is relevant: its precision, and 1 / rank of each relevant result below."""
    lists, relevant = side.steps.lists, side.steps.contribution > 0
    reciprocal = np.where(relevant, 1.0 / lists.rank, 0.0)
    behind = lists.per_query(reciprocal)[lists.query] - lists.running(reciprocal)
    return side.of_holes((lists.before(relevant.astype(np.float64)) + 1.0) / lists.rank + behind)


def _caps(filling: FillingScale, side: SystemHoles) -> Floats:
    """(Q,) the divisor is R, or this if it is less."""
    denominator, k = filling.measure.decisions.ap_denominator, filling.measure.cutoff
    if denominator not in ("R", "min(R,k)", "min(R,k,n)"):  # with other divisors these bounds would not hold
        raise unsaid("ap_denominator", denominator, __name__)
    cap = np.full(filling.size, np.inf if denominator == "R" or k is None else float(k))
    return np.minimum(cap, side.whole.returned) if denominator == "min(R,k,n)" else cap


AT_ONCE = 1 << 20
"""Numbers in memory at a time, at most, unless one query alone needs more."""


def gains_with_earlier(rank: Floats, *, downwards: bool) -> Floats:
    """(…, o) what each hole adds together with those before it, which are further up, or further down."""
    return np.arange(rank.shape[-1]) / rank if downwards else np.cumsum(1.0 / rank, axis=-1) - 1.0 / rank


def divide_sums(total: Floats, relevant: Floats, cap: Floats | float, fill: Floats | float) -> Floats:
    """Divide sums of precisions by R, or by the cap if that is less; where that is 0, the value is the fill."""
    divisor = np.minimum(relevant, cap)
    return np.where(divisor > 0, total / np.where(divisor > 0, divisor, 1.0), fill)


def max_over_choices(lists: PrecisionPair, relevant: Floats, queries: Ints, unseen: int) -> Floats:
    """(G,) the greatest difference of queries with as many holes of each kind as each other: every choice is tried.

    Parameters
    ----------
    relevant
        (G,) R without holes.
    unseen
        Relevant documents that nobody returned, at most, for each query.
    """
    shared, own, others = (holes.of_alike(queries) for holes in (lists.shared, lists.own, lists.others))
    bits = np.arange(shared.shape[1])
    choices = ((np.arange(1 << len(bits))[:, None] >> bits) & 1).astype(np.float64)
    above = lists.one.precision_sums(queries, own, choices, shared, downwards=True)[:, :, :, None]
    below = lists.other.precision_sums(queries, others, choices, shared, downwards=False)[:, :, None, :]
    holes = choices.sum(axis=1)[:, None, None] + np.arange(above.shape[2])[:, None] + np.arange(below.shape[3])
    nowhere = lists.nowhere[queries] + unseen
    return _max_over_unplaced(
        above, below, relevant[:, None, None, None] + holes, nowhere, (lists.one, lists.other), queries
    )


def _max_over_unplaced(
    above: Floats,
    below: Floats,
    relevant: Floats,
    more: Ints,
    lists: tuple[PrecisionLists, PrecisionLists],
    queries: Ints,
) -> Floats:
    """(G,) the greatest difference of the two shares, with up to so many relevant documents more.

    Between the caps the difference of two shares is monotone in R: its greatest value is at an end or a cap.
    """
    caps = [rows.cap[queries][:, None, None, None] for rows in lists]
    fills = [rows.fill[queries][:, None, None, None] for rows in lists]
    ends = [relevant]
    if more.any():
        most = relevant + more[:, None, None, None]
        ends += [most, *(np.clip(cap, relevant, most) for cap in caps if np.isfinite(cap).any())]
    sides = list(zip((above, below), caps, fills, strict=True))
    shares = ([divide_sums(total, end, cap, fill) for total, cap, fill in sides] for end in ends)
    greatest: Floats = np.max([(plus - minus).max(axis=(1, 2, 3)) for plus, minus in shares], axis=0)
    return greatest
