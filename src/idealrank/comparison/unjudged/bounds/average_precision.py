"""Bounds of AP under unjudged results: every choice of relevant holes is tried, or enclosed."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from idealrank._core import max_ap_differences
from idealrank.arrays import Floats, Ints, Mask
from idealrank.comparison.unjudged.documents import FillingScale, SystemUnjudged
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

    def inverse_later_ranks(self, unjudged: Ints) -> Floats:
        """(n, n) 1 / the later rank of each two of some holes."""
        rank = self.rank[unjudged]
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
        added = np.arange(every + 1)
        relevant: Floats = self.relevant + added.astype(np.float64)
        above = divide_sums(most[np.minimum(added, len(one))], relevant, self.one.cap, self.one.fill)
        below = divide_sums(
            least[np.maximum(added - (every - len(other)), 0)], relevant, self.other.cap, self.other.fill
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
    filling: FillingScale, plus: SystemUnjudged | None, minus: SystemUnjudged | None
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
    greatest[queries], exact[queries] = max_ap_differences(
        one, other, filling.docs.start, queries, relevant[queries], filling.unseen, MOST_CHOICES
    )
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


def _precision_lists(filling: FillingScale, side: SystemUnjudged | None) -> PrecisionLists:
    """Return all queries in the list of a side."""
    start, size = filling.docs.start, filling.size
    if side is None:
        nowhere, nothing = np.full(filling.docs.size, np.inf), np.zeros(filling.docs.size)
        return PrecisionLists(start, nowhere, nothing, np.zeros(size), np.full(size, np.inf), np.zeros(size))
    return side.kept.once("precision", lambda: _lists_of_side(filling, side))


def _lists_of_side(filling: FillingScale, side: SystemUnjudged) -> PrecisionLists:
    rank = np.where(side.rank > 0, side.rank, np.inf)
    fill = np.where(side.empty, 0.0, filling.fill)
    return PrecisionLists(filling.docs.start, rank, _gains_alone(side), side.total, _caps(filling, side), fill)


def _gains_alone(side: SystemUnjudged) -> Floats:
    """(N,) what a hole adds if it alone is relevant: its precision, and 1 / rank of each relevant result below."""
    lists, relevant = side.steps.lists, side.steps.contribution > 0
    reciprocal = np.where(relevant, 1.0 / lists.rank, 0.0)
    behind = lists.per_query(reciprocal)[lists.query] - lists.running(reciprocal)
    return side.of_unjudged((lists.before(relevant.astype(np.float64)) + 1.0) / lists.rank + behind)


def _caps(filling: FillingScale, side: SystemUnjudged) -> Floats:
    """(Q,) the divisor is R, or this if it is less."""
    denominator, k = filling.measure.decisions.ap_denominator, filling.measure.cutoff
    if denominator not in ("R", "min(R,k)", "min(R,k,n)"):  # with other divisors these bounds would not hold
        raise unsaid("ap_denominator", denominator, __name__)
    cap = np.full(filling.size, np.inf if denominator == "R" or k is None else float(k))
    return np.minimum(cap, side.whole.returned) if denominator == "min(R,k,n)" else cap


def gains_with_earlier(rank: Floats, *, downwards: bool) -> Floats:
    """(…, o) what each hole adds together with those before it, which are further up, or further down."""
    return np.arange(rank.shape[-1]) / rank if downwards else np.cumsum(1.0 / rank, axis=-1) - 1.0 / rank


def divide_sums(total: Floats, relevant: Floats, cap: Floats | float, fill: Floats | float) -> Floats:
    """Divide sums of precisions by R, or by the cap if that is less; where that is 0, the value is the fill."""
    divisor = np.minimum(relevant, cap)
    return np.where(divisor > 0, total / np.where(divisor > 0, divisor, 1.0), fill)
