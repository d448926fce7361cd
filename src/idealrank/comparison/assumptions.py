"""What SHIP assumes of the queries: that they have shown the rare large losses; and where that cannot be believed."""

import math

from idealrank.comparison.contrasts import Contrast
from idealrank.comparison.rule import SAME, SHIP, Rule
from idealrank.display.amounts import amount, percent, span
from idealrank.errors import plural
from idealrank.statistics.skewness import unskewed_t

FEW = 50
"""Queries below which an interval rests on the shape of the differences, and a rare loss may not have been seen."""

SKEWED = 1.0
"""Skewness to the side of losses that is worth a word."""

UNSEEN = 2
"""So many queries that lose everything must not undo a gain, where few queries have shown no loss at all."""


CHANGED, MANY = 10, 100
"""Queries that must differ, and that there must be, before a small difference is called none."""

TINY = 0.05
"""A loss of less than this share of the largest possible one has shown nothing of how much a query can lose."""


def doubt(outcome: str, first: Contrast, rule: Rule) -> str:
    """Say why an outcome of the deciding measure is not to be believed; "" where it is."""
    if outcome == SHIP:
        return _doubt_of_gain(first, rule)
    return _doubt_of_none(first, rule) if outcome == SAME and not first.same else ""


def _doubt_of_none(first: Contrast, rule: Rule) -> str:
    """Say why it is not to be believed that there is no difference to speak of."""
    free, differing = first.unassuming, first.wins + first.losses
    if free is not None and max(-free.low, free.high) <= rule.equivalence:
        return ""
    if differing < CHANGED:
        return f"but only {plural(differing, 'query')} changed, too few to say how much others would"
    if first.queries < MANY:
        return f"but {plural(first.queries, 'query')} are too few to rule out that a few others change a lot"
    return ""


def _doubt_of_gain(first: Contrast, rule: Rule) -> str:
    """Say why a SHIP is not to be believed.

    Two signs, chosen by simulation (docs/statistics.md): the gain is not above the bar once t is corrected for the
    skewness of the gains (Hall 1992); or few queries have shown no large loss, and two that lost everything would undo
    the gain.
    """
    if first.unassuming is not None and first.unassuming.low > rule.bar:
        return ""
    gap = first.improvement - rule.bar
    error = first.deviation / math.sqrt(first.queries)
    if error > 0 and unskewed_t(gap / error, first.skewness, first.queries) <= first.wide:
        return "but a few queries lose much more than the others gain, and corrected for that it may be no gain"
    if first.queries < FEW and _could_be_undone(first, rule):
        return (
            f"but no query lost much, two that lost everything would undo so small a gain, and "
            f"{plural(first.queries, 'query')} are too few to rule those out"
        )
    return ""


def _could_be_undone(first: Contrast, rule: Rule) -> bool:
    """Whether no query has shown a large loss, and two that lost everything would undo the gain."""
    gap = first.improvement - rule.bar
    undone = gap * first.queries <= UNSEEN * first.largest < math.inf
    return undone and -first.worst < TINY * first.largest


def assumption(first: Contrast, rule: Rule) -> str:
    """Say what a SHIP rests on, and what can be said without that.

    "" where there are many queries and no long tail, and where it can be said without any assumption.
    """
    free = first.unassuming
    shown = first.queries >= FEW and first.skewness > -SKEWED and not _could_be_undone(first, rule)
    if shown or (free is not None and free.low > rule.bar):
        return ""
    why = "skewed differences" if first.queries >= FEW and first.skewness <= -SKEWED else plural(first.queries, "query")
    text = f"This rests on {why} having shown how much a query can lose"
    if free is None or not math.isfinite(free.high - free.low):
        return f"{text}; without that assumption nothing can be said"
    bar = "0" if rule.bar == 0 else amount(rule.bar, 3)
    ends = span(free.low, free.high, sign=True)
    return f"{text}; without that assumption the {percent(free.level)} interval is {ends}, which includes {bar}"
