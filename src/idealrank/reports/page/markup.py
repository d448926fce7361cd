"""How names, numbers and drawings are written in HTML: the filters of the templates, and where drawings have parts."""

import math
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from markupsafe import Markup, escape

from idealrank.arrays import EQUAL
from idealrank.comparison.types import DifferenceRow, MeanRow
from idealrank.display.numbers import amount, change_text, decimal, p_text, signed as signed_text, span_text
from idealrank.errors import listed, visible
from idealrank.reports.types import Estimate, MeasureEntry, PairRow

_SIGN = re.compile(r"(?<![\w-])-(?=\d)")
_WORDS = {1: "gain", 0: "same", -1: "loss"}

MARKS = {
    "SHIP": ("ship", "✓"), "DON'T": ("dont", "✕"), "CAN'T TELL": ("cant-tell", "?"), "ABOUT THE SAME": ("same", "="),
}  # fmt: skip
"""The class and the mark of each."""


def name(text: str) -> Markup:
    """Write a name from the data; its direction of writing stays within it.

    Examples
    --------
    >>> print(name("<b>"))
    <bdi>&lt;b&gt;</bdi>
    """
    return Markup("<bdi>%s</bdi>") % visible(text)


NAMED = 20
"""Queries that are named; the others are counted."""


def names(texts: Iterable[str]) -> Markup:
    """Write some names, and count the others."""
    return Markup(listed(map(name, texts), NAMED))


KEPT = (8, 22)
"""So many letters of the end of a long name stay where there is no room for the whole: at least, and at most."""


def system_name(system: str, systems: Iterable[str]) -> Markup:
    """Write the name of one of several systems; where there is no room for it, its middle is left out.

    The end that stays begins where the names begin to differ, as far as `KEPT` allows. `splitAt` of the page's scripts
    does the same.

    Examples
    --------
    >>> print(system_name("our_ranker_at_night_01_of_20", ["our_ranker_at_night_01_of_20", "our_ranker_at_night_02"]))
    <bdi class="cut" title="our_ranker_at_night_01_of_20"><span>our_ranker_at_night_</span><span>01_of_20</span></bdi>
    """
    text, (least, most) = visible(system), KEPT
    if len(text) <= most or not text.isascii():
        return name(system)
    first, last = min(map(visible, systems)), max(map(visible, systems))  # what these share, all share
    same = next((at for at, (a, b) in enumerate(zip(first, last, strict=False)) if a != b), len(first))
    same = len(text[:same].rstrip("0123456789"))  # a number stays whole
    at = min(max(same, len(text) - most), len(text) - least)
    whole = Markup('<bdi class="cut" title="%s"><span>%s</span><span>%s</span></bdi>')
    return whole % (text, text[:at], text[at:])


def breakable(text: str) -> Markup:
    """Write a sentence with names in it, which may break after their underscores, hyphens and slashes."""
    return Markup(_JOINT.sub(r"\g<0><wbr>", str(escape(visible(text)))))


_JOINT = re.compile(r"(?<=\w)[_/-](?=\w)")


def minus(text: str) -> str:
    """Write the sign of each number below 0 as a minus sign; a hyphen within a word stays."""
    return _SIGN.sub("−", text)


def fixed(value: float | None) -> str:
    """Write a number with four decimals, as tables have them; a dash where there is none."""
    return "–" if value is None or value != value else minus(decimal(value))


def short(value: float | None, sign: str = "") -> str:
    """Write a number with three decimals, as the front has them; a dash where there is none.

    Examples
    --------
    >>> short(0.73003), short(-0.05021, "+"), short(None)
    ('0.730', '−0.050', '–')
    """
    return "–" if value is None or value != value else amount(value, 3, sign=bool(sign))


def span(low: float | None, high: float | None, sign: str = "") -> str:
    """Write an interval; a dash where there is none."""
    return minus(span_text(_or_nan(low), _or_nan(high), sign))


def aside(text: str) -> Markup:
    """Mark what a narrow screen leaves out of a table."""
    return Markup('<span class="aside">%s</span>') % text


def short_span(low: float | None, high: float | None, sign: str = "+") -> str:
    """Write an interval with three decimals; in words where there is none."""
    return "too few queries" if low is None or high is None else f"{short(low, sign)} to {short(high, sign)}"


def chance(p: float | None) -> str:
    """Write a p-value."""
    return p_text(_or_nan(p))


def _or_nan(value: float | None) -> float:
    return math.nan if value is None else value


def signed(value: float) -> str:
    """Write a number with its sign."""
    return minus(signed_text(value))


def gain_sign(difference: float, direction: str) -> int:
    """Say whether a difference is a gain (1), a loss (-1) or none (0), where more is better or less is.

    Examples
    --------
    >>> gain_sign(0.2, "higher"), gain_sign(0.2, "lower"), gain_sign(1e-13, "higher")
    (1, -1, 0)
    """
    if abs(difference) <= EQUAL:
        return 0
    return 1 if (difference > 0) == (direction != "lower") else -1


def difference(value: float | None, direction: str = "higher") -> Markup:
    """Write a difference with glyph and sign, and four decimals."""
    return _difference(value, direction, "" if value is None else minus(change_text(value, direction)))


def change(value: float | None, direction: str = "higher") -> Markup:
    """Write a difference with glyph and sign, and three decimals."""
    if value is None or value != value:
        return _difference(None, direction, "")
    glyph = {1: "▲", 0: "=", -1: "▼"}[gain_sign(value, direction)]
    return _difference(value, direction, f"{glyph} {short(value, '+') if glyph != '=' else short(0.0)}")


def _difference(value: float | None, direction: str, text: str) -> Markup:
    """Write a difference as gain, loss or same; that of a count is neither."""
    if value is None:
        return Markup('<span class="difference">–</span>')
    mood = "neither" if direction == "count" else _WORDS[gain_sign(value, direction)]
    return Markup(f'<span class="difference {mood}">{text}</span>')


def count(number: int) -> str:
    """Write a count with its thousands apart."""
    return f"{number:,}"


# Small drawings of the front.


WIDE = 320
"""Of the large strip, in pixels."""
DIGIT = 8.0
"""Room for a letter of a label, in pixels: a digit of the page's small type takes 7."""
_REACH = 0.46
"""The farthest end is at this share of the width from the middle."""

Axis = tuple[float, float]
Ends = tuple[float, float, float]
"""Difference, low and high, turned so that better is on the right."""


def ends_of(found: Estimate, direction: str) -> Ends | None:
    """Return a difference with its interval, better on the right; None where there is none."""
    middle, low, high = found
    if middle is None or low is None or high is None:
        return None
    return (-middle, -high, -low) if direction == "lower" else (middle, low, high)


def estimate(row: Mapping[str, Any]) -> Estimate:
    """Return the difference of a row with its interval."""
    return row["difference"], row["low"], row["high"]


def farthest(found: Iterable[Estimate]) -> float:
    """Return how far the intervals of differences reach from zero."""
    known = (ends for each in found if (ends := ends_of(each, "higher")) is not None)
    return max((abs(end) for ends in known for end in ends), default=0.0)


class Strip(NamedTuple):
    """Where the large drawing of a difference has its parts.

    Attributes
    ----------
    labels, below
        Places and texts above the ends of the interval, and below the axis.
    across
        Whether the interval has 0 in it: neither a gain nor a loss, whatever the outcome.
    alike
        Begin and width of what counts as the same; None where that is not shaded.
    margin
        What a gain must be above; None where that is 0.
    """

    dot: float
    left: float
    right: float
    labels: list[tuple[float, str]]
    below: list[tuple[float, str]]
    across: bool
    alike: tuple[float, float] | None
    margin: float | None
    spoken: str


def strip(found: Estimate, direction: str, alike: float = 0.0, bar: float = 0.0) -> Strip | None:
    """Return the drawing of the interval of a difference; None where there is none.

    Parameters
    ----------
    alike
        Up to what difference systems are alike, which is shaded.
    bar
        What a gain must be above, which is marked unless it is 0.
    """
    ends = ends_of(found, direction)
    if ends is None:
        return None
    most = max(*map(abs, ends), alike, abs(bar))
    dot, left, right = (_place_at(end, most, WIDE) for end in ends)
    sign = -1 if direction == "lower" else 1
    below, margin, spoken = [(WIDE / 2, "0")], None, short_span(*found[1:])
    if bar:
        margin, margin_text = _place_at(bar, most, WIDE), short(sign * bar, "+")
        below, spoken = (
            _labels(sorted([*below, (margin, f"margin {margin_text}")])),
            f"{spoken}; the margin is {margin_text}",
        )
    begin, end = _place_at(-alike, most, WIDE), _place_at(alike, most, WIDE)
    return Strip(
        dot, left, right, below=below, margin=margin, spoken=spoken,
        labels=_labels([(left, short(sign * ends[1], "+")), (right, short(sign * ends[2], "+"))]),
        across=ends[1] <= 0 <= ends[2], alike=(begin, end - begin) if alike else None,
    )  # fmt: skip


def _labels(two: Sequence[tuple[float, str]]) -> list[tuple[float, str]]:
    """Place the labels of two ends: at their ends, but neither over the other nor over the edge."""
    (at, text), (other_at, other) = two
    first, second = len(text) * DIGIT / 2, len(other) * DIGIT / 2
    low, high = max(at, first), min(other_at, WIDE - second)
    lacking = first + second + DIGIT - (high - low)
    if lacking > 0:
        low = min(max(low - lacking / 2, first), WIDE - first - 2 * second - DIGIT)
        high = low + first + second + DIGIT
    return [(low, text), (high, other)]


def _place_at(value: float, most: float, wide: int) -> float:
    return wide / 2 + _REACH * wide * value / (most or 1.0)


class ForestLine(NamedTuple):
    """Where a line of a forest plot, 200 pixels wide, has its parts: around zero, or on an axis."""

    dot: float
    left: float
    right: float
    spoken: str
    zero: bool


def difference_line(found: Estimate, direction: str, most: float) -> ForestLine | None:
    """Return a difference on a scale that reaches so far to either side; None where it has no interval."""
    ends = ends_of(found, direction)
    if ends is None:
        return None
    dot, left, right = (_place_at(end, most, 200) for end in ends)
    return ForestLine(dot, left, right, short_span(*found[1:]), zero=True)


def mean_line(row: MeanRow, axis: Axis) -> ForestLine | None:
    """Return a mean on an axis; None where it has no interval."""
    low, mean, high = row["low"], row["mean"], row["high"]
    if mean is None or low is None or high is None:
        return None
    wide = (axis[1] - axis[0]) or 1.0
    dot, left, right = (4 + 192 * (min(max(x, axis[0]), axis[1]) - axis[0]) / wide for x in (mean, low, high))
    return ForestLine(dot, left, right, short_span(low, high, ""), zero=False)


def range_of(measure: MeasureEntry, rows: Sequence[MeanRow]) -> Axis:
    """Return the ends of the axis of some means: those of the measure, else of the intervals and 0."""
    if measure["lowest"] is not None and measure["highest"] is not None:
        return measure["lowest"], measure["highest"]
    low, high = hull_of(rows)
    return min(0.0, low), max(0.0, high)


def hull_of(rows: Sequence[MeanRow]) -> Axis:
    """Return the lowest and the highest end of the intervals of some means."""
    known = [end for row in rows for end in (row["low"], row["mean"], row["high"]) if end is not None] or [0.0, 1.0]
    return min(known), max(known)


class Bar(NamedTuple):
    """How many queries got worse, stayed the same or got better, and where that is in a bar 100 wide."""

    kind: str
    glyph: str
    queries: int
    word: str
    left: float
    width: float


def tally(row: DifferenceRow | PairRow, direction: str) -> Iterator[Bar]:
    """Yield the parts of a bar of all queries."""
    counted = direction == "count"
    kinds = ("neither", "same", "neither") if counted else ("loss", "same", "gain")
    words = ("lower", "same", "higher") if counted else ("worse", "same", "better")
    counts, left = (row["losses"], row["ties"], row["wins"]), 0.0
    for kind, glyph, number, word in zip(kinds, "▼=▲", counts, words, strict=True):
        width = 100 * number / (sum(counts) or 1)
        yield Bar(kind, glyph, number, word, left, width)
        left += width
