"""Firsts: RR and Success, which look at the first relevant result."""

import numpy as np

from idealrank.arrays import Floats, Mask
from idealrank.comparison.holes.side import Side, World

EXACT = "exact: only the first relevant result counts, so one relevant hole, or none, does all that holes can do"


def highest(world: World, plus: Side | None, minus: Side | None) -> tuple[Floats, Mask]:
    """(Q,) greatest value of one side less the other's (None: 0), and whether it is exact: it is.

    Of several relevant holes the first in the one list gives its value; without the rest the value of the other
    list is the same or lower. So each hole alone is tried, and none.
    """
    greatest = world.now(plus) - world.now(minus)
    each = _with(world, plus) - _with(world, minus)
    if float(world.worth.max()) > 0:
        np.fmax.at(greatest, world.unknown.query, each)
    return greatest, np.ones(world.size, np.bool_)


def _with(world: World, side: Side | None) -> Floats:
    """(N,) the value of the query of each hole, were this hole alone relevant."""
    now: Floats = world.now(side)[world.unknown.query]
    if side is None:
        return now
    rank = np.maximum(side.rank, 1)
    worth = 1.0 / rank if world.measure.definition.name == "RR" else np.ones(len(rank))
    return np.where(side.rank > 0, np.maximum(now, worth), now)
