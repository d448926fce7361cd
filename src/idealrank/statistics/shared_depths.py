"""The agreement of two rankings depth by depth: how many of their first d documents are shared, including ties."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from idealrank.arrays import Floats, Ints


class Side(NamedTuple):
    """One of two rankings.

    Attributes
    ----------
    first, last
        (n,) first and last rank of each document's tie, by rank; the same if it is not tied.
    shared
        (x,) places of the documents that the other side also contains, in the same order on both sides.
    """

    first: Ints
    last: Ints
    shared: Ints

    @property
    def size(self) -> int:
        """Number of documents."""
        return len(self.first)

    @property
    def at_one_rank(self) -> Side:
        """The same with all documents of a tie at its first rank."""
        return self._replace(last=self.first)

    def counted(self, depth: int) -> Floats:
        """(depth,) number of documents among the first d, which is d after the ranking has ended.

        Documents at one rank all count from that rank on, so the first d may contain more than d.
        """
        whole = np.arange(1.0, depth + 1)
        whole[: self.size] = np.searchsorted(self.first, whole[: self.size], side="right")
        return whole

    def squares(self, depth: int) -> Floats:
        """(depth,) sum of the squared shares that documents have in the first d, or d after the ranking has ended."""
        whole = np.arange(1.0, depth + 1)
        whole[: self.size] = self.first - 1 + (whole[: self.size] - self.first + 1) ** 2 / self.spans
        return whole

    @property
    def spans(self) -> Ints:
        """(n,) number of documents in each document's tie."""
        return self.last - self.first + 1

    def shares(self, places: Ints, depth: Ints) -> Floats:
        """Return the share of a tie's orders that put a document among the first d, for d within its tie."""
        shares: Floats = np.clip((depth - self.first[places] + 1) / self.spans[places], 0.0, 1.0)
        return shares


def shared_at(a: Side, b: Side, depth: int) -> Floats:
    """(depth,) number of documents among the first d of both, averaged over the orders of ties."""
    start = np.maximum(a.first[a.shared], b.first[b.shared])
    end = np.maximum(a.last[a.shared], b.last[b.shared])
    shared: Floats = np.cumsum(np.bincount(end, minlength=depth + 1), dtype=np.float64)[1:]
    counts = end - start
    if not counts.any():
        return shared
    item = np.repeat(np.arange(len(start)), counts)
    at = np.arange(len(item)) - np.repeat(np.cumsum(counts) - counts, counts) + start[item]
    both = a.shares(a.shared[item], at) * b.shares(b.shared[item], at)
    shared += np.bincount(at, both, depth + 1)[1:]
    return shared


class Rest(NamedTuple):
    """The documents of the longer ranking that are not shared, at depths the shorter one does not reach.

    Attributes
    ----------
    before, within
        (l − s,) documents not shared before the tie at that rank, and in it.
    share
        (l − s,) share of that tie's orders that put a given document of it among the first d.
    depth
        (l − s,) ranks beyond the end of the shorter ranking.
    """

    before: Ints
    within: Ints
    share: Floats
    depth: Ints

    @property
    def mean(self) -> Floats:
        """(l − s,) mean share of the documents not shared that may be among the first d."""
        mean: Floats = (self.before + self.within * self.share) / (self.before + self.within)
        return mean

    def most(self, reached: int) -> Floats:
        """(l − s,) the most the shorter ranking can share, if it continues with the documents not shared, in order."""
        more = self.depth - reached
        whole = np.minimum(self.before, more)
        most: Floats = whole + (np.minimum(self.before + self.within, more) - whole) * self.share
        return most


def rest_of(long: Side, reached: int) -> Rest:
    """Return the documents of the longer ranking beyond a rank."""
    alone = np.ones(long.size + 1, np.int64)
    alone[0] = 0
    alone[long.shared + 1] = 0
    total = np.cumsum(alone)
    depth = np.arange(reached + 1, long.size + 1)
    place = depth - 1
    before = total[long.first[place] - 1]
    return Rest(before, total[_end(long)[place]] - before, long.shares(place, depth), depth)


def _end(side: Side) -> Ints:
    """(n,) last place of the documents that begin at the same rank, either as a tie or at one rank."""
    return np.searchsorted(side.first, side.first, side="right")
