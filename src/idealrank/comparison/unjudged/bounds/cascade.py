"""Bounds of measures that stop at a good result: ERR, RR and Success."""

import numpy as np

from idealrank.arrays import Floats, Ints, Mask
from idealrank.comparison.unjudged.documents import FillingScale, SystemHoles, with_grades

# Cascades: ERR, where a good result takes from those below it.


ERR_EXACT = (
    "exact: a better grade never lowers ERR, and for a difference the holes in both lists are tried at both ends "
    "of the scale, between which ERR has no turn"
)

ERR_ENCLOSED = (
    "an enclosure: more than 12 holes are in both lists; the first 12 are tried at both ends of the scale, "
    "the others may differ from list to list"
)

MOST_TRIED = 12
"""Shared holes that are tried."""


def max_err_difference(world: FillingScale, plus: SystemHoles | None, minus: SystemHoles | None) -> tuple[Floats, Mask]:
    """(Q,) greatest value of one side less the other's (None: 0), and whether it is exact.

    ERR is linear in each chance to stop while the others are held, so a difference is greatest with every
    hole at an end of the scale. Each rises with every chance: a hole in one list only is at the end that
    serves. Those in both are tried, 2^n choices for n of them, up to 12 (`MOST`).
    """
    greatest = (world.now(None) if plus is None else _at_top(world, plus)) - world.now(minus)
    exact = np.ones(world.size, np.bool_)
    if plus is None or minus is None:
        return greatest, exact
    shared = (plus.rank > 0) & (minus.rank > 0)
    some = np.bincount(world.unknown.query, weights=shared, minlength=world.size)
    for query in np.flatnonzero(some).tolist():
        here = np.arange(world.unknown.start[query], world.unknown.start[query + 1])
        here = here[shared[here]]
        tried = here[np.argsort(np.minimum(plus.rank, minus.rank)[here], kind="stable")][:MOST_TRIED]
        above, below = _tried(world, plus, query, tried, 1.0), _tried(world, minus, query, tried, 0.0)
        greatest[query], exact[query] = float((above - below).max()), len(here) <= MOST_TRIED
    return greatest, exact


def _at_top(world: FillingScale, side: SystemHoles) -> Floats:
    """(Q,) values with every hole of the side at the top of the scale."""
    measure = world.measure
    lists = with_grades(side.whole, side.hit[side.rank > 0], world.scale[-1])
    return np.where(side.empty, side.value, measure.steps(lists).scores(measure.decisions))


def _tried(world: FillingScale, side: SystemHoles, query: int, tried: Ints, others: float) -> Floats:
    """(2^n,) ERR for every choice of the holes tried; the side's other holes are at the top (1) or at 0."""
    lists = side.steps.lists
    hits = slice(int(lists.hit_start[query]), int(lists.hit_start[query + 1]))
    top = (2.0 ** max(float(world.scale[-1]), 0.0) - 1.0) / 2.0**lists.max_grade
    hole, stops = side.hole[hits], side.steps.columns["stops"][hits]
    stops = np.where(hole >= 0, others * top, stops)
    choices, place = np.arange(1 << len(tried)), {int(hole_tried): bit for bit, hole_tried in enumerate(tried)}
    total, reached = np.zeros(len(choices)), np.ones(len(choices))
    got, going = 0.0, 1.0  # of the results since the last one tried, for a reader who reached them
    for rank, stop, which in zip(lists.rank[hits].tolist(), stops.tolist(), hole.tolist(), strict=True):
        if side.limit is not None and rank > side.limit:
            break
        if which not in place:
            got, going = got + going * stop / rank, going * (1.0 - stop)
            continue
        total, reached = total + reached * got, reached * going
        chance = top * (choices >> place[which] & 1)
        total, reached = total + chance * reached / rank, reached * (1.0 - chance)
        got, going = 0.0, 1.0
    hole_tried: Floats = total + reached * got
    return hole_tried


# Firsts: RR and Success, which look at the first relevant result.


FIRST_RELEVANT_EXACT = (
    "exact: only the first relevant result counts, so one relevant hole, or none, does all that holes can do"
)


def max_first_relevant_difference(
    world: FillingScale, plus: SystemHoles | None, minus: SystemHoles | None
) -> tuple[Floats, Mask]:
    """(Q,) greatest value of one side less the other's (None: 0), and whether it is exact: it is.

    Of several relevant holes the first in the one list gives its value; without the rest the value of the other
    list is the same or lower. So each hole alone is tried, and none.
    """
    greatest = world.now(plus) - world.now(minus)
    each = _with(world, plus) - _with(world, minus)
    if float(world.worth.max()) > 0:
        np.fmax.at(greatest, world.unknown.query, each)
    return greatest, np.ones(world.size, np.bool_)


def _with(world: FillingScale, side: SystemHoles | None) -> Floats:
    """(N,) the value of the query of each hole, were this hole alone relevant."""
    now: Floats = world.now(side)[world.unknown.query]
    if side is None:
        return now
    rank = np.maximum(side.rank, 1)
    worth = 1.0 / rank if world.measure.definition.name == "RR" else np.ones(len(rank))
    return np.where(side.rank > 0, np.maximum(now, worth), now)
