"""Bounds: the lowest and highest value that holes allow, and how close that is."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal, NamedTuple

import numpy as np

from idealrank.arrays import Floats, Mask
from idealrank.comparison.unjudged.bounds import average_precision, cascade, ratios, sums
from idealrank.comparison.unjudged.documents import FillingScale, SystemHoles
from idealrank.decisions.decisions import Decisions
from idealrank.measures.gains import worth_of_zero


@dataclass(frozen=True, eq=False)
class Bounds:
    """The lowest and the highest value of Q queries over all grades the holes may have.

    Attributes
    ----------
    low, high
        (Q,) NaN where the query is left out, everywhere if no bounds are known.
    exact
        (Q,) whether both ends are reached by some grades of the holes.
    kind
        ``exact`` if all are; ``enclosure``: nothing lies outside, but the ends may not be reached; ``unknown``.
    why
        Why it is so, in words.
    """

    low: Floats
    high: Floats
    exact: Mask
    kind: Literal["exact", "enclosure", "unknown"]
    why: str


class _Family(NamedTuple):
    """Measures whose bounds are found in one way."""

    highest: Callable[[FillingScale, SystemHoles | None, SystemHoles | None], tuple[Floats, Mask]]
    exact: str
    enclosed: str = ""


_SUMS = _Family(sums.max_difference, sums.EXACT)

_SHARES = _Family(ratios.max_normalised_difference, ratios.EXACT, ratios.ENCLOSED)

_FIRSTS = _Family(cascade.max_first_relevant_difference, cascade.FIRST_RELEVANT_EXACT)

_FAMILIES = {
    "CG": _SUMS,
    "DCG": _SUMS,
    "P": _SUMS,
    "RBP": _SUMS,
    "nDCG": _SHARES,
    "R": _SHARES,
    "RR": _FIRSTS,
    "Success": _FIRSTS,
    "AP": _Family(average_precision.max_ap_difference, average_precision.EXACT, average_precision.ENCLOSED),
    "ERR": _Family(cascade.max_err_difference, cascade.ERR_EXACT, cascade.ERR_ENCLOSED),
}


def bounds(world: FillingScale, plus: SystemHoles, minus: SystemHoles | None = None) -> Bounds:
    """Return the lowest and the highest of one side's value less the other's (None: 0), for each query."""
    now = world.now(plus) - world.now(minus)
    refused = _unknown(world)
    if refused:
        none = np.full(world.size, np.nan)
        return Bounds(none, none, np.zeros(world.size, np.bool_), "unknown", refused)
    family = _family(world)
    high, of_high = family.highest(world, plus, minus)
    low, of_low = family.highest(world, minus, plus)
    moved = _moved(world, plus, minus)
    low, high = (np.where(moved, np.where(np.isnan(end), now, end), now) for end in (-low, high))
    low, high = (np.where(np.isnan(now), np.nan, end) for end in (np.minimum(low, now), np.maximum(high, now)))
    exact = (of_high & of_low) | ~moved
    whole = bool(exact.all())
    return Bounds(low, high, exact, "exact" if whole else "enclosure", family.exact if whole else family.enclosed)


def _family(world: FillingScale) -> _Family:
    name, under = world.measure.definition.name, world.measure.decisions
    return _SUMS if name == "nDCG" and under.ideal == "max" else _FAMILIES[name]


def _moved(world: FillingScale, plus: SystemHoles, minus: SystemHoles | None) -> Mask:
    """(Q,) whether anything is unknown, and the two lists are not the same document for document."""
    open_ = np.diff(world.unknown.start) + world.unseen > 0
    if minus is None:
        return open_
    moved: Mask = open_ & ~_alike(plus, minus, world.measure.decisions.ideal == "returned")
    return moved


def _alike(one: SystemHoles, other: SystemHoles, to_the_end: bool) -> Mask:
    """(Q,) whether both sides hold the same judged documents and holes at the same ranks."""
    if to_the_end:
        lists, holes = (one.whole, other.whole), (one.hole_of_whole, other.hole_of_whole)
    else:
        lists, holes = (one.steps.lists, other.steps.lists), (one.hole, other.hole)
    alike: Mask = (lists[0].returned == lists[1].returned) & (
        np.diff(lists[0].hit_start) == np.diff(lists[1].hit_start)
    )
    hits = [np.flatnonzero(alike[each.query]) for each in lists]
    differ = np.zeros(len(hits[0]), np.bool_)
    for name in ("rank", "entry", "tie_first", "tie_last"):
        differ |= getattr(lists[0], name)[hits[0]] != getattr(lists[1], name)[hits[1]]
    differ |= holes[0][hits[0]] != holes[1][hits[1]]
    alike[np.unique(lists[0].query[hits[0]][differ])] = False
    return alike


def _unknown(world: FillingScale) -> str:
    """Say why no bounds are known; empty if they are."""
    measure = world.measure
    name, under = measure.definition.name, measure.decisions
    if name not in _FAMILIES:
        return f"no bounds known: none are worked out for {name}; they are for {', '.join(_FAMILIES)}"
    return _answers(name, under, world) or _ties(under, world)


def _answers(name: str, under: Decisions, world: FillingScale) -> str:
    reads = world.measure.definition.reads
    level = under.relevant_from
    refused = {
        "unit=spans: with labels one chunk may turn out to show several spans": under.unit == "spans",
        f"unjudged={under.text('unjudged')}: with a label the document would come back, or count otherwise than now": (
            under.unjudged != "zero"
        ),
        "grade 0 has a gain, so a label of 0 changes the ideal": "gain" in reads and worth_of_zero(under) != 0,
        "a label of 0 is relevant, no label is not": (
            "relevant_from" in reads and not isinstance(level, str) and level <= 0
        ),
        "short_list=judged: a label of 0 changes the divisor": "short_list" in reads and under.short_list == "judged",
        "the divisor counts the relevant results found": (
            ("ap_denominator" in reads and under.ap_denominator == "hits")
            or ("recall_denominator" in reads and under.recall_denominator == "hits")
        ),
        "its terms or values are rounded": any(step.stage != "mean" for step in under.rounding),
        "gains below zero, so that an ideal may be worth less than nothing": (
            name == "nDCG" and float(world.worth.min()) < 0
        ),
    }
    return next((f"no bounds known for {world.measure}: {why}" for why, so in refused.items() if so), "")


def _ties(under: Decisions, world: FillingScale) -> str:
    if not world.tied:
        return ""
    if under.ties in ("best", "worst"):
        return f"no bounds known for {world.measure}: ties={under.ties}, so a label changes the order of tied results"
    whole = _family(world) is _SUMS or (_family(world) is _SHARES and under.ideal != "local")
    if under.ties == "average" and not whole:
        return f"no bounds known for {world.measure}: the average over the orders of tied results is no single list"
    return ""
