"""Bounds: the lowest and highest value that holes allow, and how close that is."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal, NamedTuple

import numpy as np

from idealrank.arrays import Floats, Mask
from idealrank.comparison.unjudged.bounds import average_precision, cascade, ratios, sums
from idealrank.comparison.unjudged.documents import FillingScale, SystemUnjudged
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

    max_difference: Callable[[FillingScale, SystemUnjudged | None, SystemUnjudged | None], tuple[Floats, Mask]]
    exact: str
    enclosed: str = ""


_SUMS = _Family(sums.max_difference, sums.EXACT)

_RATIOS = _Family(ratios.max_normalised_difference, ratios.EXACT, ratios.ENCLOSED)

_FIRST_RELEVANT = _Family(cascade.max_first_relevant_difference, cascade.FIRST_RELEVANT_EXACT)

_FAMILIES = {
    "CG": _SUMS,
    "DCG": _SUMS,
    "P": _SUMS,
    "RBP": _SUMS,
    "nDCG": _RATIOS,
    "R": _RATIOS,
    "RR": _FIRST_RELEVANT,
    "Success": _FIRST_RELEVANT,
    "AP": _Family(average_precision.max_ap_difference, average_precision.EXACT, average_precision.ENCLOSED),
    "ERR": _Family(cascade.max_err_difference, cascade.ERR_EXACT, cascade.ERR_ENCLOSED),
}


def find_bounds(filling: FillingScale, plus: SystemUnjudged, minus: SystemUnjudged | None = None) -> Bounds:
    """Return the lowest and the highest of one side's value less the other's (None: 0), for each query."""
    now = filling.now(plus) - filling.now(minus)
    refused = _why_unknown(filling)
    if refused:
        none = np.full(filling.size, np.nan)
        return Bounds(none, none, np.zeros(filling.size, np.bool_), "unknown", refused)
    family = _family(filling)
    high, of_high = family.max_difference(filling, plus, minus)
    low, of_low = family.max_difference(filling, minus, plus)
    moved = _can_move(filling, plus, minus)
    # A query without a hole that counts has no end of its own (NaN): its value stays.
    low, high = (np.where(moved, np.where(np.isnan(end), now, end), now) for end in (-low, high))
    # The value as it is lies between the ends, however they are rounded; a query that is left out has none.
    low, high = (np.where(np.isnan(now), np.nan, end) for end in (np.minimum(low, now), np.maximum(high, now)))
    exact = (of_high & of_low) | ~moved
    whole = bool(exact.all())
    return Bounds(low, high, exact, "exact" if whole else "enclosure", family.exact if whole else family.enclosed)


def _family(filling: FillingScale) -> _Family:
    name, under = filling.measure.definition.name, filling.measure.decisions
    return _SUMS if name == "nDCG" and under.ideal == "max" else _FAMILIES[name]


def _can_move(filling: FillingScale, plus: SystemUnjudged, minus: SystemUnjudged | None) -> Mask:
    """(Q,) whether anything is unknown, and the two lists are not the same document for document."""
    open_ = np.diff(filling.docs.start) + filling.unseen > 0
    if minus is None:
        return open_
    moved: Mask = open_ & ~_have_same_lists(plus, minus, filling.measure.decisions.ideal == "returned")
    return moved


def _have_same_lists(one: SystemUnjudged, other: SystemUnjudged, to_the_end: bool) -> Mask:
    """(Q,) whether both sides hold the same judged documents and holes at the same ranks."""
    if to_the_end:
        lists, unjudged = (one.whole, other.whole), (one.unjudged_of_whole, other.unjudged_of_whole)
    else:
        lists, unjudged = (one.steps.lists, other.steps.lists), (one.unjudged, other.unjudged)
    alike: Mask = (lists[0].returned == lists[1].returned) & (
        np.diff(lists[0].hit_start) == np.diff(lists[1].hit_start)
    )
    hits = [np.flatnonzero(alike[each.query]) for each in lists]
    differ = np.zeros(len(hits[0]), np.bool_)
    for name in ("rank", "entry", "tie_first", "tie_last"):
        differ |= getattr(lists[0], name)[hits[0]] != getattr(lists[1], name)[hits[1]]
    differ |= unjudged[0][hits[0]] != unjudged[1][hits[1]]
    alike[lists[0].query[hits[0]][differ]] = False
    return alike


def _why_unknown(filling: FillingScale) -> str:
    """Say why no bounds are known; empty if they are."""
    measure = filling.measure
    name, under = measure.definition.name, measure.decisions
    if name not in _FAMILIES:
        return f"no bounds known: none are worked out for {name}; they are for {', '.join(_FAMILIES)}"
    return _why_answers(name, under, filling) or _why_ties(under, filling)


def _why_answers(name: str, under: Decisions, filling: FillingScale) -> str:
    reads = filling.measure.definition.reads
    level = under.relevant_from
    refused = {
        "unit=spans: with labels one chunk may turn out to show several spans": under.unit == "spans",
        f"unjudged={under.text('unjudged')}: with a label the document would come back, or count otherwise than now": (
            under.unjudged not in ("zero", "complete")
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
            name == "nDCG" and float(filling.worth.min()) < 0
        ),
    }
    return next((f"no bounds known for {filling.measure}: {why}" for why, so in refused.items() if so), "")


def _why_ties(under: Decisions, filling: FillingScale) -> str:
    if not filling.tied:
        return ""
    if under.ties in ("best", "worst"):
        return f"no bounds known for {filling.measure}: ties={under.ties}, so a label changes the order of tied results"
    whole = _family(filling) is _SUMS or (_family(filling) is _RATIOS and under.ideal != "local")
    if under.ties == "average" and not whole:
        return f"no bounds known for {filling.measure}: the average over the orders of tied results is no single list"
    return ""
