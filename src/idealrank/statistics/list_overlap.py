"""How much two result lists share: overlap, churn, rank moves and the order of shared documents."""

import functools
import math
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from idealrank.arrays import Ints
from idealrank.statistics.correlations import kendall_tau, tau_ap_b
from idealrank.statistics.rank_biased_overlap import PERSISTENCE, RankOverlap, overlap_of
from idealrank.statistics.shared_depths import Side


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

    def side(self, shared: Ints) -> Side:
        """Return the ranks as one side of an agreement; a missing rank counts as a separate document."""
        first = np.arange(1, (int(self.rank[-1]) if len(self.rank) else 0) + 1)
        last = first.copy()
        first[self.rank - 1], last[self.rank - 1] = self.first, self.last
        return Side(first, last, self.rank[shared] - 1)


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
