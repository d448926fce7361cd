"""Bounds of measures that stop at a good result: ERR, RR and Success."""

import numpy as np

from idealrank.arrays import Floats, Ints, Mask
from idealrank.comparison.unjudged.documents import FillingScale, SystemUnjudged, with_grades

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


def max_err_difference(
    filling: FillingScale, plus: SystemUnjudged | None, minus: SystemUnjudged | None
) -> tuple[Floats, Mask]:
    """(Q,) greatest value of one side less the other's (None: 0), and whether it is exact.

    ERR is linear in each chance to stop while the others are held, so a difference is greatest with every
    hole at an end of the scale. Each rises with every chance: a hole in one list only is at the end that
    serves. Those in both are tried, 2^n choices for n of them, up to 12 (`MOST_TRIED`).
    """
    greatest = (filling.now(None) if plus is None else _at_top(filling, plus)) - filling.now(minus)
    exact = np.ones(filling.size, np.bool_)
    if plus is None or minus is None:
        return greatest, exact
    shared = (plus.rank > 0) & (minus.rank > 0)
    some = np.bincount(filling.docs.query, weights=shared, minlength=filling.size)
    for query in np.flatnonzero(some).tolist():
        here = np.arange(filling.docs.start[query], filling.docs.start[query + 1])
        here = here[shared[here]]
        tried = here[np.argsort(np.minimum(plus.rank, minus.rank)[here], kind="stable")][:MOST_TRIED]
        above, below = (
            _values_of_choices(filling, plus, query, tried, 1.0),
            _values_of_choices(filling, minus, query, tried, 0.0),
        )
        greatest[query], exact[query] = float((above - below).max()), len(here) <= MOST_TRIED
    return greatest, exact


def _at_top(filling: FillingScale, side: SystemUnjudged) -> Floats:
    """(Q,) values with every hole of the side at the top of the scale."""
    measure = filling.measure
    lists = with_grades(side.whole, side.hit[side.rank > 0], filling.scale[-1])
    return np.where(side.empty, side.value, measure.steps(lists).scores(measure.decisions))


def _values_of_choices(filling: FillingScale, side: SystemUnjudged, query: int, tried: Ints, others: float) -> Floats:
    """(2^n,) ERR for every choice of the holes tried; the side's other holes are at the top (1) or at 0."""
    lists = side.steps.lists
    hits = slice(int(lists.hit_start[query]), int(lists.hit_start[query + 1]))
    top = (2.0 ** max(float(filling.scale[-1]), 0.0) - 1.0) / 2.0**lists.max_grade
    unjudged, stops = side.unjudged[hits], side.steps.columns["stops"][hits]
    stops = np.where(unjudged >= 0, others * top, stops)
    choices, place = np.arange(1 << len(tried)), {number: bit for bit, number in enumerate(tried.tolist())}
    total, reached = np.zeros(len(choices)), np.ones(len(choices))
    got, going = 0.0, 1.0  # of the results since the last one tried, for a reader who reached them
    for rank, stop, which in zip(lists.rank[hits].tolist(), stops.tolist(), unjudged.tolist(), strict=True):
        if side.limit is not None and rank > side.limit:
            break
        if which not in place:
            got, going = got + going * stop / rank, going * (1.0 - stop)
            continue
        total, reached = total + reached * got, reached * going
        chance = top * (choices >> place[which] & 1)
        total, reached = total + chance * reached / rank, reached * (1.0 - chance)
        got, going = 0.0, 1.0
    values: Floats = total + reached * got
    return values


FIRST_RELEVANT_EXACT = (
    "exact: only the first relevant result counts, so one relevant hole, or none, does all that holes can do"
)


def max_first_relevant_difference(
    filling: FillingScale, plus: SystemUnjudged | None, minus: SystemUnjudged | None
) -> tuple[Floats, Mask]:
    """(Q,) greatest value of one side less the other's (None: 0), and whether it is exact: it is.

    Of several relevant holes the first in the one list gives its value; without the rest the value of the other
    list is the same or lower. So each hole alone is tried, and none.
    """
    greatest = filling.now(plus) - filling.now(minus)
    each = _with_one_relevant(filling, plus) - _with_one_relevant(filling, minus)
    if float(filling.worth.max()) > 0:
        np.fmax.at(greatest, filling.docs.query, each)
    return greatest, np.ones(filling.size, np.bool_)


def _with_one_relevant(filling: FillingScale, side: SystemUnjudged | None) -> Floats:
    """(N,) the value of the query of each hole, were this hole alone relevant."""
    now: Floats = filling.now(side)[filling.docs.query]
    if side is None:
        return now
    rank = np.maximum(side.rank, 1)
    worth = 1.0 / rank if filling.measure.definition.name == "RR" else np.ones(len(rank))
    return np.where(side.rank > 0, np.maximum(now, worth), now)
