"""How much two result lists share: overlap, churn, rank moves and the order of what both hold."""

from __future__ import annotations

import math
from collections.abc import Set
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from idealrank.arrays import Ints
from idealrank.statistics.correlations import kendall_tau, tau_ap_b
from idealrank.statistics.rank_biased_overlap import RankOverlap, overlap_of
from idealrank.statistics.shared_depths import Side


class Ranked(NamedTuple):
    """One result list.

    Attributes
    ----------
    docs
        (n,) Documents, best first.
    rank
        (n,) Their ranks; there are gaps where ranks are left out.
    first, last
        (n,) First and last rank of the tie each stands in.
    """

    docs: list[str]
    rank: Ints
    first: Ints
    last: Ints

    def upto(self, k: int) -> Ranked:
        """Return the first k ranks; of a tie across rank k the documents that stand before it."""
        n = int(np.searchsorted(self.rank, k, side="right"))
        return Ranked(self.docs[:n], self.rank[:n], self.first[:n], np.minimum(self.last[:n], k))

    def side(self, shared: Ints) -> Side:
        """Return the ranks as a side of an agreement; a rank that is left out holds a document of its own."""
        first = np.arange(1, (int(self.rank[-1]) if len(self.rank) else 0) + 1)
        last = first.copy()
        first[self.rank - 1], last[self.rank - 1] = self.first, self.last
        return Side(first, last, self.rank[shared] - 1)


@dataclass(frozen=True)
class ListOverlap:
    """What two result lists share.

    Attributes
    ----------
    jaccard
        Documents of both / documents of either; 1 where both lists are empty.
    overlap
        Documents of both / documents of the longer list; 1 where both are empty.
    rbo
        Rank-biased overlap with its bounds.
    churn
        Documents of the second list that the first has not / documents of the second; NaN where that is empty.
    rank_move
        By how many ranks the documents of both differ, on average; NaN where there are none.
    tau
        Kendall's tau-b of the ranks of the documents of both; NaN below two.
    tau_ap
        Their AP correlation, neither list being the truth; NaN below two.
    """

    jaccard: float
    overlap: float
    rbo: RankOverlap
    churn: float
    rank_move: float
    tau: float
    tau_ap: float


def list_overlap(a: Ranked, b: Ranked, p: float, ties: str) -> ListOverlap:
    """Compare two result lists; p and `ties` as for `rbo`."""
    place = {doc: i for i, doc in enumerate(b.docs)}
    pairs = np.array([(i, place[doc]) for i, doc in enumerate(a.docs) if doc in place], np.int64).reshape(-1, 2)
    mine, theirs = pairs[:, 0], pairs[:, 1]
    both, longer = len(pairs), max(len(a.docs), len(b.docs))
    moves = np.abs(b.rank[theirs] - a.rank[mine])
    # The lower the rank number, the further up: the correlations take what is greatest as first.
    orders = -a.first[mine], -b.first[theirs]
    return ListOverlap(
        both / (len(a.docs) + len(b.docs) - both) if longer else 1.0,
        both / longer if longer else 1.0,
        overlap_of(a.side(mine), b.side(theirs), p, ties),
        (len(b.docs) - both) / len(b.docs) if b.docs else math.nan,
        float(moves.mean()) if both else math.nan,
        kendall_tau(*orders),
        tau_ap_b(*orders),
    )


def shared_part(a: Set[str], b: Set[str]) -> float:
    """Return the documents of both / documents of the longer list; 1 where both are empty."""
    longer = max(len(a), len(b))
    return len(a & b) / longer if longer else 1.0
