"""What a verdict assumes: that the queries have shown the rare large changes; and where that cannot be believed."""

import math
from typing import NamedTuple

from idealrank.comparison.contrasts import Contrast
from idealrank.comparison.rule import DONT, SAME, SHIP, Rule
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


class _Words(NamedTuple):
    """The doubts of a gain, or of a loss."""

    tail: str
    nothing: str
    beside: str
    unseen: str


_WORDS = {
    1: _Words(
        tail="but a few queries lose much more than the others gain, and corrected for that it may {nothing}",
        nothing="be no gain",
        beside="not clear the margin",
        unseen="but no query lost much, two that lost everything would undo so small a gain, and {queries} are too few "
        "to rule those out",
    ),
    -1: _Words(
        tail="but a few queries gain much more than the others lose, and corrected for that it may {nothing}",
        nothing="be no loss",
        beside="clear the margin",
        unseen="but no query gained much, two that gained everything would undo so small a loss, and {queries} are too "
        "few to rule those out",
    ),
}


def doubt(outcome: str, first: Contrast, rule: Rule) -> str:
    """Say why an outcome of the deciding measure is not to be believed; "" where it is."""
    if outcome == SHIP:
        return _doubt_of_side(first, rule, 1)
    if outcome == DONT and first.gain.high < rule.bar:
        return _doubt_of_side(first, rule, -1)
    return _doubt_of_none(first, rule) if outcome == SAME and not first.same else ""


def _doubt_of_none(first: Contrast, rule: Rule) -> str:
    """Say why it is not to be believed that there is no difference to speak of."""
    free, differing = first.unassuming, first.wins + first.losses
    if free is not None and max(-free.low, free.high) <= rule.equivalence:
        return ""
    if differing < CHANGED:
        return f"but only {plural(differing, 'query')} changed, too few to say how much others would"
    if first.effective < MANY:
        return f"but {_queries(first)} are too few to rule out that a few others change a lot"
    return ""


def _doubt_of_side(first: Contrast, rule: Rule, side: int) -> str:
    """Say why it is not to be believed that a gain is above the bar (side 1), or below it (-1).

    Two signs, chosen by simulation (docs/statistics.md): the gain is on neither side of the bar once t is corrected
    for the skewness of the gains (Hall 1992); or few queries have shown no large change to the other side, and two that
    changed as much as they can would undo the gain or the loss.
    """
    free, words = first.unassuming, _WORDS[side]
    if free is not None and (free.low > rule.bar if side > 0 else free.high < rule.bar):
        return ""
    gap = side * (first.improvement - rule.bar)
    error = first.deviation / math.sqrt(first.queries)
    if error > 0 and unskewed_t(gap / error, side * first.skewness, first.effective) <= first.wide:
        return words.tail.format(nothing=words.nothing if rule.bar == 0 else words.beside)
    if first.effective < FEW and _could_be_undone(first, rule, side):
        return words.unseen.format(queries=_queries(first))
    return ""


def _could_be_undone(first: Contrast, rule: Rule, side: int = 1) -> bool:
    """Whether no query has changed much to the other side, and two that changed all they can would undo the gain."""
    gap, shown = side * (first.improvement - rule.bar), -first.worst if side > 0 else first.best
    undone = gap * first.effective <= UNSEEN * first.largest < math.inf
    return undone and shown < TINY * first.largest


def _queries(first: Contrast) -> str:
    """Say how many queries there are, and how many that is where weights differ."""
    text = plural(first.queries, "query")
    return (
        f"{text}, which by their weights count as {first.effective:.0f},"
        if first.effective < first.queries - 0.5
        else text
    )


def assumption(first: Contrast, rule: Rule) -> str:
    """Say what a SHIP rests on, and what can be said without that.

    "" where there are many queries and no long tail, and where it can be said without any assumption.
    """
    free = first.unassuming
    shown = first.effective >= FEW and first.skewness > -SKEWED and not _could_be_undone(first, rule)
    if shown or (free is not None and free.low > rule.bar):
        return ""
    why = "skewed differences" if first.effective >= FEW and first.skewness <= -SKEWED else _queries(first)
    text = f"This rests on {why} having shown how much a query can lose"
    if free is None or not math.isfinite(free.high - free.low):
        return f"{text}; without that assumption nothing can be said"
    bar = "0" if rule.bar == 0 else amount(rule.bar, 3)
    ends = span(free.low, free.high, sign=True)
    return f"{text}; without that assumption the {percent(free.level)} interval is {ends}, which includes {bar}"
