"""How similar two rankings are: rank-biased overlap, with the top counting most, and the overlap of lists."""

from __future__ import annotations

import functools
import math
from collections.abc import Hashable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from idealrank.arrays import Floats, Ints
from idealrank.errors import DataError, UsageError, either, not_allowed
from idealrank.statistics.correlations import kendall_tau, tau_ap_b


class RankingSide(NamedTuple):
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
    def at_one_rank(self) -> RankingSide:
        """The same with all documents of a tie at its first rank."""
        return self._replace(last=self.first)

    def count_to_depth(self, depth: int) -> Floats:
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


class Ranked(NamedTuple):
    """One result list.

    Attributes
    ----------
    docs
        (n,) Documents, best first.
    rank
        (n,) Their ranks; missing ranks leave gaps.
    first, last
        (n,) First and last rank of each document's tie.
    """

    docs: list[str]
    rank: Ints
    first: Ints
    last: Ints

    def side(self, shared: Ints) -> RankingSide:
        """Return the ranks as one side of an agreement; a missing rank counts as a separate document."""
        first = np.arange(1, (int(self.rank[-1]) if len(self.rank) else 0) + 1)
        last = first.copy()
        first[self.rank - 1], last[self.rank - 1] = self.first, self.last
        return RankingSide(first, last, self.rank[shared] - 1)


# Rank-biased overlap.


PERSISTENCE = 0.9
"""The reader continues from one rank to the next with this probability: the first ten have 86% of the weight."""


@dataclass(frozen=True)
class RankOverlap:
    """The rank-biased overlap of two rankings whose first documents are known.

    Attributes
    ----------
    extrapolated
        RBO_ext: unseen documents are assumed to agree as much as seen ones.
    low
        RBO_min: no unseen document is shared.
    residual
        RBO_res: how much higher it is if as many unseen documents as possible are shared.
    seen
        The mean agreement at the seen depths, weighted by p to the power of the depth.
    p
        The persistence.
    """

    extrapolated: float
    low: float
    residual: float
    seen: float
    p: float

    @property
    def high(self) -> float:
        """RBO_max: the overlap if as many unseen documents as possible are shared."""
        return self.low + self.residual


# The overlap of two result lists.


@dataclass(frozen=True, eq=False)
class ListOverlap:
    """What two result lists share; `p` and `ties` as for `rbo`. Each number is computed on first use."""

    a: Ranked
    b: Ranked
    p: float = PERSISTENCE
    ties: str = "a"

    @functools.cached_property
    def _shared(self) -> Ints:
        """(2, x) places of the shared documents in the first list and in the second."""
        place = {doc: i for i, doc in enumerate(self.b.docs)}
        pairs = [(i, place[doc]) for i, doc in enumerate(self.a.docs) if doc in place]
        return np.array(pairs, np.int64).reshape(-1, 2).T

    @property
    def both(self) -> int:
        """Number of shared documents."""
        return len(self._shared[0])

    @property
    def jaccard(self) -> float:
        """Shared documents / documents of either list; 1 if both lists are empty."""
        either = len(self.a.docs) + len(self.b.docs) - self.both
        return self.both / either if either else 1.0

    @property
    def overlap(self) -> float:
        """Shared documents / documents of the longer list; 1 if both are empty."""
        return part_of_longer(self.both, len(self.a.docs), len(self.b.docs))

    @functools.cached_property
    def rbo(self) -> RankOverlap:
        """Rank-biased overlap with its bounds."""
        mine, theirs = self._shared
        return overlap_of(self.a.side(mine), self.b.side(theirs), self.p, self.ties)

    @property
    def churn(self) -> float:
        """Documents only in the second list / documents of the second list; NaN if it is empty."""
        return (len(self.b.docs) - self.both) / len(self.b.docs) if self.b.docs else math.nan

    @property
    def rank_move(self) -> float:
        """Mean difference in rank of the shared documents; NaN if there are none."""
        mine, theirs = self._shared
        return float(np.abs(self.b.rank[theirs] - self.a.rank[mine]).mean()) if self.both else math.nan

    @property
    def _orders(self) -> tuple[Ints, Ints]:
        """Negated ranks, since the correlations take the greatest number as first."""
        mine, theirs = self._shared
        return -self.a.first[mine], -self.b.first[theirs]

    @property
    def tau(self) -> float:
        """Kendall's tau-b of the ranks of the shared documents; NaN below two."""
        return kendall_tau(*self._orders)

    @property
    def tau_ap(self) -> float:
        """Their AP correlation, neither list being the truth; NaN below two."""
        return tau_ap_b(*self._orders)


def part_of_longer(both: int, a: int, b: int) -> float:
    """Return the number of shared documents / the length of the longer list; 1 if both are empty."""
    longer = max(a, b)
    return both / longer if longer else 1.0


TIES = {
    "a": "their order is unknown: the average over all orders",
    "b": "like a, corrected for the unknown orders, so that a ranking agrees with itself",
    "w": "they share one rank, as in sports (Webber, Moffat and Zobel)",
}
"""How tied documents are treated, by the letters of Corsi and Urbano."""

Ranking = Sequence[Hashable | Iterable[Hashable]]
"""Documents, best first; tied documents are grouped in a set, a list or a tuple."""


def rbo(a: Ranking, b: Ranking, p: float = PERSISTENCE, ties: str = "a") -> RankOverlap:
    """Compare two rankings by rank-biased overlap.

    RBO = (1 − p) Σ p^(d − 1) A_d over all depths d, where A_d is the agreement of the first d of both: the
    share of them that both contain. Rankings end, often at different depths; the agreement beyond their ends is
    bounded and extrapolated.

    Parameters
    ----------
    a, b
        Documents, best first; tied documents are grouped in a set, a list or a tuple.
    p
        Persistence, between 0 and 1: how likely the reader is to continue from one rank to the next.
    ties
        ``a`` averages agreements over the orders of tied documents, ``b`` corrects that for the unknown orders,
        ``w`` puts them at one rank. Without ties, all three are the same.

    Returns
    -------
    RankOverlap: the extrapolated overlap, the lowest, and how much higher it may be. The extrapolated overlap of two
    empty rankings is 1; that of an empty and a non-empty ranking is 0.

    Raises
    ------
    UsageError
        If p or `ties` is not allowed.
    DataError
        If a document appears twice in one ranking.

    Notes
    -----
    Source: Webber, Moffat and Zobel, "A similarity measure for indefinite rankings", TOIS 28(4), 2010,
    equations 11, 30 and 32; ties and bounds with ties: Corsi and Urbano, "The treatment of ties in rank-biased
    overlap", SIGIR 2024.

    Examples
    --------
    >>> found = rbo(["d1", "d2", "d3"], ["d1", "d3", "d4"], p=0.9)
    >>> round(found.extrapolated, 4), round(found.low, 4), round(found.high, 4)
    (0.685, 0.3667, 0.928)
    >>> round(rbo(["d1", {"d2", "d3"}], ["d1", "d3", "d2"]).extrapolated, 4)
    0.9775
    """
    refuse_persistence(p)
    refuse_ties("ties", ties)
    first, second = _read_ranking(a, "first"), _read_ranking(b, "second")
    place = {doc: i for i, doc in enumerate(second)}
    pairs = np.array([(i, place[doc]) for i, doc in enumerate(first) if doc in place], np.int64).reshape(-1, 2)
    return overlap_of(_make_side(first, pairs[:, 0]), _make_side(second, pairs[:, 1]), p, ties)


Spans = dict[Hashable, tuple[int, int]]
"""The first and the last rank of each document's tie."""


def _read_ranking(ranking: Ranking, which: str) -> Spans:
    if isinstance(ranking, str) or not isinstance(ranking, Iterable):
        way = "Give its documents in order, as in ['d1', 'd2']. To compare two files or tables, use ir.overlap."
        raise UsageError(f"The {which} ranking is {ranking!r}. {way}")
    spans: Spans = {}
    for group in ranking:
        docs: list[Any] = list(group) if isinstance(group, (set, frozenset, list, tuple)) else [group]
        span = (len(spans) + 1, len(spans) + len(docs))
        for doc in docs:
            if doc in spans:
                raise DataError(f"The {which} ranking contains {doc!r} twice. Leave one of them out.")
            spans[doc] = span
    return spans


def _make_side(spans: Spans, shared: Any) -> RankingSide:
    ranks = np.array(list(spans.values()), np.int64).reshape(-1, 2)
    return RankingSide(ranks[:, 0], ranks[:, 1], shared)


def refuse_persistence(p: float) -> None:
    """Refuse a persistence that is not between 0 and 1.

    Raises
    ------
    UsageError
        The message gives the range.
    """
    if not isinstance(p, (int, float)) or not 0 < p < 1:
        option = either(f"p={p!r}", f"-p {p}")
        raise UsageError(f"{option}: the persistence of rank-biased overlap must be between 0 and 1, such as 0.9.")


def refuse_ties(name: str, ties: str) -> None:
    """Refuse an unknown treatment of ties.

    Raises
    ------
    UsageError
        The message lists the known ones.
    """
    if ties not in TIES:
        raise not_allowed(name, ties, TIES)


def overlap_of(a: RankingSide, b: RankingSide, p: float, ties: str) -> RankOverlap:
    """Return the rank-biased overlap of two rankings given by the ranks of their documents."""
    if ties == "w":
        a, b = a.at_one_rank, b.at_one_rank
    short, long = sorted((a, b), key=lambda side: side.size)
    if not long.size:
        return RankOverlap(1.0, 0.0, 1.0, 1.0, p)
    s, depth = short.size, np.arange(1.0, long.size + 1)
    weight, size = p**depth, _divisors(short, long, ties)
    seen = shared_by_depth(short, long, long.size)
    agreed, rest = float(seen[s - 1] / size[s - 1]) if s else 0.0, tail_beyond(long, s)
    likely, most = seen.copy(), seen.copy()
    likely[s:] += (rest.depth - s) * agreed * rest.mean
    most[s:] += rest.most(s)
    scale, shared = (1 - p) / p, float(seen[-1])
    low = scale * (float(weight @ (seen / size)) + shared * _weight_tail(p, weight / depth))
    high = scale * (float(weight @ (most / size)) + _most_beyond(p, s, long.size, shared))
    beyond = (shared + (long.size - s) * agreed) / long.size * p**long.size
    extrapolated = scale * float(weight @ (likely / size)) + beyond
    return RankOverlap(extrapolated, low, max(high - low, 0.0), float(weight @ (seen / size) / weight.sum()), p)


def extrapolate_untied(shared: Ints, short: int, p: float) -> Floats:
    """(n,) the extrapolated overlap of n pairs of rankings without ties, each pair as long as the others.

    To the last bit what `overlap_of` says of each, in a thirtieth of the time.

    Parameters
    ----------
    shared
        (n, l) documents that are shared from each rank of the longer ranking on.
    short
        The size of the shorter one.
    """
    long = shared.shape[1]
    if not long:
        return np.ones(len(shared))
    seen, depth = np.cumsum(shared, axis=1, dtype=np.float64), np.arange(1.0, long + 1)
    agreed = seen[:, short - 1] / short if short else np.zeros(len(seen))
    likely = seen.copy()
    likely[:, short:] += (depth[short:] - short) * agreed[:, None]
    # One product a row, and not one of the whole table: sums of products depend on which routine adds them up.
    weighed = ((likely / depth)[:, None, :] @ (p**depth)[:, None])[:, 0, 0]
    beyond = (seen[:, -1] + (long - short) * agreed) / long * p**long
    extrapolated: Floats = (1 - p) / p * weighed + beyond
    return extrapolated


def _divisors(short: RankingSide, long: RankingSide, ties: str) -> Floats:
    """(l,) the divisor of the shared part of the first d."""
    if ties == "b":
        return np.sqrt(short.squares(long.size) * long.squares(long.size))
    if ties == "w":
        return (short.count_to_depth(long.size) + long.count_to_depth(long.size)) / 2
    return np.arange(1.0, long.size + 1)


def _weight_tail(p: float, seen: Floats) -> float:
    """Sum of p^d / d over all depths beyond those seen; over all depths it is -ln(1 - p)."""
    return max(-math.log1p(-p) - float(seen.sum()), 0.0)


def _most_beyond(p: float, s: int, size: int, shared: float) -> float:
    """Sum of p^d times the highest agreement over all depths beyond the end of the longer ranking.

    Each rank brings two shared documents until all are shared, from depth l + s − X_l on.
    """
    end = round(size + s - shared)
    depth = np.arange(size + 1.0, end + 1)
    return float((p**depth) @ ((2 * depth - end) / depth)) + p ** (end + 1) / (1 - p)


# Agreement depth by depth.


def shared_by_depth(a: RankingSide, b: RankingSide, depth: int) -> Floats:
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


def tail_beyond(long: RankingSide, reached: int) -> Rest:
    """Return the documents of the longer ranking beyond a rank."""
    alone = np.ones(long.size + 1, np.int64)
    alone[0] = 0
    alone[long.shared + 1] = 0
    total = np.cumsum(alone)
    depth = np.arange(reached + 1, long.size + 1)
    place = depth - 1
    before = total[long.first[place] - 1]
    return Rest(before, total[_last_places(long)[place]] - before, long.shares(place, depth), depth)


def _last_places(side: RankingSide) -> Ints:
    """(n,) last place of the documents that begin at the same rank, either as a tie or at one rank."""
    return np.searchsorted(side.first, side.first, side="right")
