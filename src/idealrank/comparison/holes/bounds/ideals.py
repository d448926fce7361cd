"""What stands below in nDCG and R: the best list, as a count of documents at each level."""

import functools
from dataclasses import dataclass

import numpy as np

from idealrank.arrays import Floats, Ints, Mask
from idealrank.comparison.holes.bounds.ratio import levels
from idealrank.comparison.holes.side import Side, World
from idealrank.judged_lists.lists import JudgedLists
from idealrank.measures.gains import depth, discount, every_rank
from idealrank.measures.ideal import ideal_depth

ALL = 1 << 40
"""Stands for an ideal list without an end."""


@dataclass(frozen=True, eq=False)
class Best:
    """The best list of one side.

    Attributes
    ----------
    member
        (N,) whether a hole may stand in it.
    unseen
        Documents nobody returned that may stand in it.
    depth
        (Q,) where it ends.
    query, worth
        The judged documents that may stand in it: query and worth.
    """

    member: Mask
    unseen: int
    depth: Ints
    query: Ints
    worth: Floats
    top: float
    size: int

    @functools.cached_property
    def levels(self) -> tuple[Floats, Ints]:
        """(Q, L) heights, and judged documents at or above; see `ratio.levels`."""
        return levels(self.query, self.worth, self.top, self.size)

    def above(self, worths: Floats, queries: Ints) -> Ints:
        """(R, L) judged documents of at least each worth, of some queries; the worths fall."""
        row = np.full(self.size, -1)
        row[queries] = np.arange(len(queries))
        place = np.searchsorted(-worths, -self.worth)
        kept = (place < len(worths)) & (row[self.query] >= 0)
        cells = row[self.query[kept]] * len(worths) + place[kept]
        shape = (len(queries), len(worths))
        counts: Ints = np.cumsum(np.bincount(cells, minlength=shape[0] * shape[1]).reshape(shape), axis=1)
        return counts


def best_of(world: World, side: Side) -> Best:
    """Return the best list that a side is measured against."""
    lists, member, unseen = side.whole, np.ones(world.unknown.size, np.bool_), world.unseen
    query, grade = lists.pool_query, lists.pool_grade
    if world.measure.definition.name == "nDCG" and world.measure.decisions.ideal != "global":
        query, grade, unseen = lists.query, lists.grade, 0
        member = side.hit >= 0
        if world.measure.decisions.ideal == "local":
            limit = depth(world.measure.cutoff, world.measure.decisions)
            kept = slice(None) if limit is None else lists.rank <= limit
            query, grade, member = query[kept], grade[kept], side.rank > 0
    return Best(
        member=member,
        unseen=unseen,
        depth=_depth(world, lists),
        query=query,
        worth=world.worth_of(grade),
        top=float(world.worth.max()),
        size=world.size,
    )


def _depth(world: World, lists: JudgedLists) -> Ints:
    under, k = world.measure.decisions, world.measure.cutoff
    limit: Floats | float | None
    if world.measure.definition.name == "nDCG":
        limit = ideal_depth(lists, under, k)
    else:
        capped = k is not None and under.recall_denominator != "R"
        limit = float(k) if capped and k is not None else None
        if under.recall_denominator == "min(R,k,n)":
            limit = np.minimum(lists.returned, ALL if limit is None else limit).astype(np.float64)
    return np.broadcast_to(np.asarray(ALL if limit is None else limit), (world.size,)).astype(np.int64)


def sums(world: World, longest: int) -> Floats:
    """(longest + 1,) the sum of the weights of the first ranks of a best list."""
    weigh = discount(world.measure.decisions) if world.measure.definition.name == "nDCG" else every_rank
    return np.concatenate(([0.0], np.cumsum(weigh(np.arange(1.0, longest + 1)))))
