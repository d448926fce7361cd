"""The greatest difference of two ratios: nDCG against two ideals."""

import functools
import itertools
from collections.abc import Iterable, Iterator, Sequence
from math import comb
from typing import NamedTuple

import numpy as np

from idealrank.arrays import Floats, Ints, Mask
from idealrank.comparison.holes.bounds.ratio import Ratio, with_fill

EIGHT = 8
MOST, MOST_OF_EIGHT = 200_000, 13_000_000
"""Ways to fill the shared holes that are tried, times the grades above 0; and where there are at most eight holes."""

AT_ONCE = 100_000


def few(shared: int, levels: int, turns: int) -> bool:
    """Whether the ways to fill so many shared holes with so many grades above 0 can be tried, in `turns` + 1 orders.

    With eight holes they can on every scale of up to ten steps.
    """
    most = MOST_OF_EIGHT if shared <= EIGHT else MOST
    return levels <= most and comb(shared + levels, levels) * levels * (turns + 1) <= most


class TwoRatios(NamedTuple):
    """One query's two ratios, the second to be taken from the first; each field holds one entry per side.

    Attributes
    ----------
    weight, member
        (n,) weight of each hole above; whether it may stand in the ideal below.
    above, depth, certain
        (L,) judged documents at or above each worth, where the ideal ends, what stands above for certain.
    height
        (L,) how far each worth lies above the next, the highest first: every worth of the scale.
    sums
        See `ratio.Ratio`.
    fill
        The value of a side of which nothing stands below.
    """

    weight: Sequence[Floats]
    member: Sequence[Mask]
    above: Sequence[Ints]
    depth: Sequence[int]
    certain: Sequence[float]
    height: Floats
    sums: Floats
    fill: float

    @property
    def shared(self) -> Mask:
        """(n,) holes in both ideals."""
        return self.member[0] & self.member[1]

    @property
    def turns(self) -> Floats:
        """Every θ above 0 at which two shared holes change places in the order of `orders`."""
        one, other = (weight[self.shared] for weight in self.weight)
        rise, run = (values[:, None] - values[None, :] for values in (one, other))
        thetas = np.unique(rise[run != 0] / run[run != 0])
        return thetas[thetas > 0]

    @property
    def orders(self) -> list[Ints]:
        """Every order of the shared holes by "weight in the first less θ times in the second", for some θ above 0."""
        one, other = (weight[self.shared] for weight in self.weight)
        turns = self.turns
        between = [1.0] if not len(turns) else [turns[0] / 2, *((turns[1:] + turns[:-1]) / 2), turns[-1] * 2]
        orders = {tuple(np.argsort(-(one - theta * other), kind="stable").tolist()) for theta in between}
        return [np.array(order, np.int64) for order in sorted(orders)]

    @property
    def few(self) -> bool:
        """Whether the ways to fill the shared holes can be tried."""
        return few(int(self.shared.sum()), len(self.height), len(self.turns))


class Choice(NamedTuple):
    """K ways to fill the shared holes of one query.

    Attributes
    ----------
    place, pair
        Which query, and what is known of it.
    own
        Of each side the weights of the holes that stand in its ideal only.
    more
        (K,) of each side what the shared holes add above.
    counts
        (K, L) how many shared holes lie at or above each worth.
    """

    place: int
    pair: TwoRatios
    own: tuple[Floats, Floats]
    more: tuple[Floats, Floats]
    counts: Ints


def highest_pairs(pairs: Sequence[TwoRatios]) -> Floats:
    """(R,) the greatest differences.

    A hole in one ideal only moves one ratio only, which is made greatest (or least) by itself. The shared
    holes are tried: for the counts of the best choice both divisors are given, so it gives the higher
    grades to the holes with the greater "weight in the first less θ times weight in the second", θ the
    ratio of the divisors. Every order there is for some θ is tried with every count of holes at or above each
    grade.
    """
    greatest = np.full(len(pairs), -np.inf)
    for batch in _batches(choice for place, pair in enumerate(pairs) for choice in _choices(place, pair)):
        total = _sides(batch, 0) + _sides(batch, 1)
        place = np.repeat([choice.place for choice in batch], [len(choice.counts) for choice in batch])
        np.maximum.at(greatest, place, total)
    return greatest


def _choices(place: int, pair: TwoRatios) -> Iterator[Choice]:
    shared = np.flatnonzero(pair.shared)
    one, other = (weight[member & ~pair.shared] for weight, member in zip(pair.weight, pair.member, strict=True))
    every = _counts(len(shared), len(pair.height))
    for order in pair.orders:
        taken = [np.concatenate(([0.0], np.cumsum(weight[shared[order]]))) for weight in pair.weight]
        for first in range(0, len(every), AT_ONCE):
            counts = every[first : first + AT_ONCE]
            more = taken[0][counts] @ pair.height, taken[1][counts] @ pair.height
            yield Choice(place, pair, (one, other), more, counts)


def _batches(choices: Iterable[Choice]) -> Iterator[list[Choice]]:
    """Put choices together until they are many."""
    batch: list[Choice] = []
    rows = 0
    for choice in choices:
        batch.append(choice)
        rows += len(choice.counts)
        if rows >= AT_ONCE:
            yield batch
            batch, rows = [], 0
    if batch:
        yield batch


def _sides(batch: list[Choice], s: int) -> Floats:
    """(K,) the greatest value of the first side, or of minus the second, with the shared holes as given."""
    sign = 1.0 if s == 0 else -1.0
    rows = np.array([len(choice.counts) for choice in batch])
    weight = np.full((len(batch), max(len(choice.own[s]) for choice in batch)), np.nan)
    for row, choice in zip(weight, batch, strict=True):
        row[: len(choice.own[s])] = sign * choice.own[s]
    certain = np.concatenate([sign * (choice.pair.certain[s] + choice.more[s]) for choice in batch])
    above = np.concatenate([choice.pair.above[s] + choice.counts for choice in batch])
    depth = np.repeat([choice.pair.depth[s] for choice in batch], rows)
    one = batch[0].pair
    height = np.broadcast_to(one.height, above.shape)
    ratio = Ratio(certain, np.repeat(weight, rows, axis=0), height, above, one.sums, depth)
    return with_fill(ratio, np.full(len(certain), sign * one.fill))


@functools.lru_cache(maxsize=32)
def _counts(holes: int, levels: int) -> Ints:
    """(K, L) every count of holes at or above each level, the highest level first."""
    counts = list(itertools.combinations_with_replacement(range(holes + 1), levels))
    return np.array(counts, np.int64).reshape(len(counts), levels)
