"""Sums of precisions: every choice of relevant holes, of many queries at a time."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np

from idealrank.arrays import Floats, Ints, Mask

AT_ONCE = 1 << 20
"""Numbers that are made at a time, at most, but for one query."""


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

    def sums(self, own: Ints) -> Floats:
        """(o + 1,) the sum of the precisions for each number of these holes, in the order they become relevant."""
        rank = self.rank[own]
        downwards = len(rank) < 2 or rank[0] < rank[-1]
        steps = self.single[own] + pairs_before(rank, downwards=downwards)
        return self.certain + np.concatenate(([0.0], np.cumsum(steps)))


def pairs_before(rank: Floats, *, downwards: bool) -> Floats:
    """(…, o) what each hole adds together with those before it, which are further up, or further down."""
    return np.arange(rank.shape[-1]) / rank if downwards else np.cumsum(1.0 / rank, axis=-1) - 1.0 / rank


def share(total: Floats, relevant: Floats, cap: Floats | float, fill: Floats | float) -> Floats:
    """Divide sums of precisions by R, or by the cap if that is less; where that is 0, the value is the fill."""
    divisor = np.minimum(relevant, cap)
    return np.where(divisor > 0, total / np.where(divisor > 0, divisor, 1.0), fill)


@dataclass(frozen=True)
class Rows:
    """All queries in one list.

    Attributes
    ----------
    start
        (Q + 1,) where the holes of each query begin.
    rank, single
        (N,) rank of each hole, infinite where it does not count; what it adds if it alone is relevant.
    certain, cap, fill
        (Q,) as those of a `Row`.
    """

    start: Ints
    rank: Floats
    single: Floats
    certain: Floats
    cap: Floats
    fill: Floats

    def row(self, q: int) -> Row:
        """Return one query."""
        some = slice(self.start[q], self.start[q + 1])
        return Row(self.rank[some], self.single[some], *map(float, (self.certain[q], self.cap[q], self.fill[q])))

    @cached_property
    def inside(self) -> Mask:
        """(N,) which holes count."""
        return np.isfinite(self.rank)

    @cached_property
    def query(self) -> Ints:
        """(N,) the query of each hole."""
        return np.repeat(np.arange(len(self.start) - 1), np.diff(self.start))

    def counts(self, holes: Mask) -> Ints:
        """(Q,) how many of some holes each query has."""
        return np.bincount(self.query[holes], minlength=len(self.start) - 1)

    def kinds(self, other: Rows) -> tuple[Mask, Mask, Mask]:
        """(N,) each: which holes both lists hold, only this one, only the other."""
        return self.inside & other.inside, self.inside & ~other.inside, ~self.inside & other.inside

    def choices(self, other: Rows) -> Floats:
        """(Q,) ways to choose that are tried: which of the shared holes, how many of the own ones of each list."""
        shared, first, last = (self.counts(kind) for kind in self.kinds(other))
        return np.asarray(np.exp2(shared.astype(np.float64)) * (1 + first) * (1 + last))

    def alike(self, other: Rows, queries: Ints) -> Iterator[Ints]:
        """Yield the places of queries that have as many holes of each kind as each other, a lot at a time."""
        if not len(queries):
            return
        shape = np.stack([self.counts(kind)[queries] for kind in self.kinds(other)], axis=1)
        _, group = np.unique(shape, axis=0, return_inverse=True)
        each = self.choices(other)[queries]
        for one in range(int(group.max()) + 1):
            members = queries[group.ravel() == one]
            many = max(1, int(AT_ONCE // each[group.ravel() == one][0]))
            yield from (members[first : first + many] for first in range(0, len(members), many))

    def sums(self, queries: Ints, own: Ints, choices: Floats, shared: Ints, *, downwards: bool) -> Floats:
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
        steps = (self.single[own] + pairs_before(mine, downwards=downwards))[:, None, :] + across
        return np.concatenate((start[:, :, None], start[:, :, None] + np.cumsum(steps, axis=2)), axis=2)


def greatest_differences(one: Rows, other: Rows, relevant: Floats, queries: Ints, unseen: int) -> Floats:
    """(G,) the greatest difference of queries with as many holes of each kind as each other: every choice is tried.

    Parameters
    ----------
    relevant
        (G,) R without holes.
    unseen
        Relevant documents that nobody returned, at most, for each query.
    """
    shared, first, last = one.kinds(other)
    together = _places(one, queries, shared, one.rank)
    own, others = _places(one, queries, first, one.rank), _places(one, queries, last, -other.rank)
    bits = np.arange(together.shape[1])
    choices = ((np.arange(1 << len(bits))[:, None] >> bits) & 1).astype(np.float64)
    above = one.sums(queries, own, choices, together, downwards=True)[:, :, :, None]
    below = other.sums(queries, others, choices, together, downwards=False)[:, :, None, :]
    holes = choices.sum(axis=1)[:, None, None] + np.arange(above.shape[2])[:, None] + np.arange(below.shape[3])
    nowhere = one.counts(~one.inside & ~other.inside)[queries] + unseen
    return _greatest(above, below, relevant[:, None, None, None] + holes, nowhere, (one, other), queries)


def _places(rows: Rows, queries: Ints, kind: Mask, by: Floats) -> Ints:
    """(G, m) places of the holes of a kind, those of each query by a number."""
    places = np.flatnonzero(kind)
    places = places[np.lexsort((by[places], rows.query[places]))]
    start = np.concatenate(([0], np.cumsum(rows.counts(kind))))
    many = int(start[queries[0] + 1] - start[queries[0]])
    return np.asarray(places[start[queries][:, None] + np.arange(many)])


def _greatest(
    above: Floats, below: Floats, relevant: Floats, more: Ints, lists: tuple[Rows, Rows], queries: Ints
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
    shares = ([share(total, end, cap, fill) for total, cap, fill in sides] for end in ends)
    greatest: Floats = np.max([(plus - minus).max(axis=(1, 2, 3)) for plus, minus in shares], axis=0)
    return greatest
