"""Rank-biased overlap: how alike two rankings are, the top counting most."""

from __future__ import annotations

import math
from collections.abc import Hashable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from idealrank.arrays import Floats
from idealrank.errors import DataError, UsageError, either, not_allowed
from idealrank.statistics.shared_depths import Side, rest_of, shared_at

TIES = {
    "a": "which of them comes first is not known: the average over all their orders",
    "b": "as a, corrected for what the ties leave open: a ranking agrees with itself",
    "w": "they stand at one rank, as in sports (Webber, Moffat and Zobel)",
}
"""How tied documents are read, by the letters of Corsi and Urbano."""

PERSISTENCE = 0.9
"""The reader goes on from one rank to the next with this probability: the first ten have 86 % of the weight."""


@dataclass(frozen=True)
class RankOverlap:
    """The rank-biased overlap of two rankings of which the first documents are known.

    Attributes
    ----------
    extrapolated
        RBO_ext: documents not seen are taken to agree as those seen do.
    low
        RBO_min: nothing not seen is shared.
    residual
        RBO_res: how much higher it is where as much as can be is shared.
    seen
        The mean agreement at the depths seen, weighted by p to the power of the depth.
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
        """RBO_max: the overlap where as much as can be of what is not seen is shared."""
        return self.low + self.residual


Ranking = Sequence[Hashable | Iterable[Hashable]]
"""Documents, best first; documents that are tied stand together in a set, a list or a tuple."""


def rbo(a: Ranking, b: Ranking, p: float = PERSISTENCE, ties: str = "a") -> RankOverlap:
    """Compare two rankings by rank-biased overlap.

    RBO = (1 − p) Σ p^(d − 1) A_d over all depths d, where A_d is the agreement of the first d of both: the
    share of them that both hold. Rankings end sooner, and not together; what lies beyond their ends is
    bounded, and extrapolated.

    Parameters
    ----------
    a, b
        Documents, best first; those that are tied stand together in a set, a list or a tuple.
    p
        Persistence, between 0 and 1: how likely the reader is to go on from a rank to the next.
    ties
        ``a`` averages agreements over the orders of tied documents, ``b`` corrects that for what the ties leave open,
        ``w`` puts them at one rank. All three are the same without ties.

    Returns
    -------
    RankOverlap: extrapolated, the lowest and what may be above it. Of two empty rankings the extrapolated one
    is 1; of one empty ranking and another it is 0.

    Raises
    ------
    UsageError
        If p or `ties` is not allowed.
    DataError
        If a document occurs twice in one ranking.

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
    first, second = _spans(a, "first"), _spans(b, "second")
    place = {doc: i for i, doc in enumerate(second)}
    pairs = np.array([(i, place[doc]) for i, doc in enumerate(first) if doc in place], np.int64).reshape(-1, 2)
    return overlap_of(_side(first, pairs[:, 0]), _side(second, pairs[:, 1]), p, ties)


Spans = dict[Hashable, tuple[int, int]]
"""The first and the last rank of the tie each document stands in."""


def _spans(ranking: Ranking, which: str) -> Spans:
    if isinstance(ranking, str) or not isinstance(ranking, Iterable):
        way = "Give its documents in order, as ['d1', 'd2']; two files or tables are compared by ir.overlap."
        raise UsageError(f"The {which} ranking is {ranking!r}. {way}")
    spans: Spans = {}
    for group in ranking:
        docs: list[Any] = list(group) if isinstance(group, (set, frozenset, list, tuple)) else [group]
        span = (len(spans) + 1, len(spans) + len(docs))
        for doc in docs:
            if doc in spans:
                raise DataError(f"The {which} ranking holds {doc!r} twice. Leave one of them out.")
            spans[doc] = span
    return spans


def _side(spans: Spans, shared: Any) -> Side:
    ranks = np.array(list(spans.values()), np.int64).reshape(-1, 2)
    return Side(ranks[:, 0], ranks[:, 1], shared)


def refuse_persistence(p: float) -> None:
    """Refuse a persistence that does not lie between 0 and 1.

    Raises
    ------
    UsageError
        With what it is.
    """
    if not isinstance(p, (int, float)) or not 0 < p < 1:
        option = either(f"p={p!r}", f"-p {p}")
        raise UsageError(f"{option}: the persistence of rank-biased overlap lies between 0 and 1, such as 0.9.")


def refuse_ties(name: str, ties: str) -> None:
    """Refuse a reading of ties nobody knows.

    Raises
    ------
    UsageError
        With those there are.
    """
    if ties not in TIES:
        raise not_allowed(name, ties, TIES)


def overlap_of(a: Side, b: Side, p: float, ties: str) -> RankOverlap:
    """Return the rank-biased overlap of two rankings given by the ranks of their documents."""
    if ties == "w":
        a, b = a.at_one_rank, b.at_one_rank
    short, long = sorted((a, b), key=lambda side: side.size)
    if not long.size:
        return RankOverlap(1.0, 0.0, 1.0, 1.0, p)
    s, depth = short.size, np.arange(1.0, long.size + 1)
    weight, size = p**depth, _sizes(short, long, ties)
    seen = shared_at(short, long, long.size)
    agreed, rest = float(seen[s - 1] / size[s - 1]) if s else 0.0, rest_of(long, s)
    likely, most = seen.copy(), seen.copy()
    likely[s:] += (rest.depth - s) * agreed * rest.mean
    most[s:] += rest.most(s)
    scale, shared = (1 - p) / p, float(seen[-1])
    low = scale * (float(weight @ (seen / size)) + shared * _tail(p, weight / depth))
    high = scale * (float(weight @ (most / size)) + _most_beyond(p, s, long.size, shared))
    beyond = (shared + (long.size - s) * agreed) / long.size * p**long.size
    extrapolated = scale * float(weight @ (likely / size)) + beyond
    return RankOverlap(extrapolated, low, max(high - low, 0.0), float(weight @ (seen / size) / weight.sum()), p)


def _sizes(short: Side, long: Side, ties: str) -> Floats:
    """(l,) what the shared part of the first d is divided by."""
    if ties == "b":
        return np.sqrt(short.squares(long.size) * long.squares(long.size))
    if ties == "w":
        return (short.counted(long.size) + long.counted(long.size)) / 2
    return np.arange(1.0, long.size + 1)


def _tail(p: float, seen: Floats) -> float:
    """Sum of p^d / d over all depths beyond those seen."""
    return max(-math.log1p(-p) - float(seen.sum()), 0.0)


def _most_beyond(p: float, s: int, size: int, shared: float) -> float:
    """Sum of p^d times the highest agreement over all depths beyond the end of the longer ranking.

    Each rank brings two shared documents until all are shared, from depth l + s − X_l on.
    """
    end = round(size + s - shared)
    depth = np.arange(size + 1.0, end + 1)
    return float((p**depth) @ ((2 * depth - end) / depth)) + p ** (end + 1) / (1 - p)
