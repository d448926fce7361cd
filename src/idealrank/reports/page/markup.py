"""Numbers, names and tables as HTML: every text is escaped, and names are kept apart from the text around them."""

import math
import re
from collections.abc import Iterable, Sequence
from html import escape

from idealrank.arrays import EQUAL
from idealrank.comparison.types import DifferenceRow, MeanRow
from idealrank.display.numbers import amount, change_text, decimal, p_text, span_text
from idealrank.errors import visible
from idealrank.reports.types import Estimate, MeasureEntry, PairRow, decided

_SIGN = re.compile(r"(?<![\w-])-(?=\d)")
_WORDS = {1: "gain", 0: "same", -1: "loss"}

MARKS = {
    "SHIP": ("ship", "✓"), "DON'T": ("dont", "✕"), "CAN'T TELL": ("cant-tell", "?"), "ABOUT THE SAME": ("same", "="),
}  # fmt: skip
"""The class and the mark of each."""


def name(text: str) -> str:
    """Write a name from the data; its direction of writing stays within it.

    Examples
    --------
    >>> name("<b>")
    '<bdi>&lt;b&gt;</bdi>'
    """
    return f"<bdi>{escape(visible(text))}</bdi>"


KEPT = (8, 22)
"""So many letters of the end of a long name stay where there is no room for the whole: at least, and at most."""


def system_name(system: str, systems: Iterable[str]) -> str:
    """Write the name of one of several systems; where there is no room for it, its middle is left out.

    The end that stays begins where the names begin to differ, as far as `KEPT` allows. `splitAt` of the page's scripts
    does the same.

    Examples
    --------
    >>> system_name("our_ranker_at_night_01_of_20", ["our_ranker_at_night_01_of_20", "our_ranker_at_night_02_of_20"])
    '<bdi class="cut" title="our_ranker_at_night_01_of_20"><span>our_ranker_at_night_</span><span>01_of_20</span></bdi>'
    """
    text, (least, most) = visible(system), KEPT
    if len(text) <= most or not text.isascii():
        return name(system)
    first, last = min(map(visible, systems)), max(map(visible, systems))  # what these share, all share
    same = next((at for at, (a, b) in enumerate(zip(first, last, strict=False)) if a != b), len(first))
    same = len(text[:same].rstrip("0123456789"))  # a number stays whole
    at = min(max(same, len(text) - most), len(text) - least)
    start, end = escape(text[:at]), escape(text[at:])
    return f'<bdi class="cut" title="{escape(text)}"><span>{start}</span><span>{end}</span></bdi>'


def breakable(text: str) -> str:
    """Write a sentence with names in it, which may break after their underscores, hyphens and slashes."""
    return _JOINT.sub(r"\g<0><wbr>", escape(visible(text)))


_JOINT = re.compile(r"(?<=\w)[_/-](?=\w)")


def minus(text: str) -> str:
    """Write the sign of each number below 0 as a minus sign; a hyphen within a word stays."""
    return _SIGN.sub("−", text)


def fixed(value: float | None) -> str:
    """Write a number with four decimals, as tables have them; a dash where there is none."""
    return "–" if value is None else minus(decimal(value))


def short(value: float | None, sign: str = "") -> str:
    """Write a number with three decimals, as the front has them; a dash where there is none.

    Examples
    --------
    >>> short(0.73003), short(-0.05021, "+"), short(None)
    ('0.730', '−0.050', '–')
    """
    return "–" if value is None else amount(value, 3, sign=bool(sign))


def span(low: float | None, high: float | None, sign: str = "") -> str:
    """Write an interval; a dash where there is none."""
    return minus(span_text(_or_nan(low), _or_nan(high), sign))


def aside(text: str) -> str:
    """Mark what a narrow screen leaves out of a table."""
    return f'<span class="aside">{text}</span>'


def short_span(low: float | None, high: float | None, sign: str = "+") -> str:
    """Write an interval with three decimals; in words where there is none."""
    return "too few queries" if low is None or high is None else f"{short(low, sign)} to {short(high, sign)}"


def chance(p: float | None) -> str:
    """Write a p-value."""
    return p_text(_or_nan(p))


def _or_nan(value: float | None) -> float:
    return math.nan if value is None else value


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


def mood_class(value: float, direction: str) -> str:
    """Return the class of a difference: gain, loss or same; that of a count is neither."""
    return "neither" if direction == "count" else _WORDS[gain_sign(value, direction)]


def difference(value: float | None, direction: str) -> str:
    """Write a difference with glyph and sign, and four decimals."""
    if value is None:
        return '<span class="difference">–</span>'
    return f'<span class="difference {mood_class(value, direction)}">{minus(change_text(value, direction))}</span>'


def change(value: float | None, direction: str) -> str:
    """Write a difference with glyph and sign, and three decimals."""
    if value is None:
        return '<span class="difference">–</span>'
    glyph = {1: "▲", 0: "=", -1: "▼"}[gain_sign(value, direction)]
    said = short(value, "+") if glyph != "=" else short(0.0)
    return f'<span class="difference {mood_class(value, direction)}">{glyph} {said}</span>'


def count(number: int) -> str:
    """Write a count with its thousands apart."""
    return f"{number:,}"


def table(head: Sequence[str], rows: Iterable[Sequence[str]], label: str, numeric: int = 1) -> str:
    """Write cells of HTML as a table that scrolls in a box of its own; the first cell of a row is its heading.

    Parameters
    ----------
    numeric
        The first column that contains numbers.
    """
    styles = [' class="number"' if place >= numeric else "" for place in range(len(head))]
    top = "".join(f'<th scope="col"{style}>{cell}</th>' for cell, style in zip(head, styles, strict=True))
    body = "".join(_row_html(row, styles) for row in rows)
    box = f'<div class="wide" role="region" tabindex="0" aria-label="{escape(label)}">'
    return f"{box}<table><thead><tr>{top}</tr></thead><tbody>{body}</tbody></table></div>"


def _row_html(cells: Sequence[str], styles: list[str]) -> str:
    first, *others = cells
    rest = "".join(f"<td{style}>{cell}</td>" for cell, style in zip(others, styles[1:], strict=True))
    return f'<tr><th scope="row">{first}</th>{rest}</tr>'


def bullets(texts: Iterable[str]) -> str:
    """Write texts as a list."""
    items = "".join(f"<li>{escape(text)}</li>" for text in texts)
    return f"<ul>{items}</ul>" if items else ""


def outcome_class(outcome: str) -> str:
    """Return the class of an outcome; "" where there is none."""
    return MARKS[outcome][0] if outcome else ""


def outcome_mark(outcome: str) -> str:
    """Write the mark of an outcome."""
    word, glyph = MARKS[outcome]
    return f'<span class="mark" data-outcome="{word}" aria-hidden="true">{glyph}</span>'


def outcome_text(outcome: str) -> str:
    """Write an outcome with its mark."""
    return f'<span class="outcome">{outcome_mark(outcome)} {escape(outcome)}</span>'


# Small drawings of the front.


WIDE, HIGH = 320, 52
"""Of the large strip, in pixels."""
SCALE = '<span class="scale"><span>← worse</span><span> interval </span><span>better →</span></span>'
"""The heading of a forest plot."""
DIGIT = 8.0
"""Room for a letter of a label, in pixels: a digit of the page's small type takes 7."""
_REACH = 0.46
"""The farthest end is at this share of the width from the middle."""

_FOREST = '<svg class="forest" viewBox="0 0 200 20" width="200" height="20" aria-hidden="true">'

Axis = tuple[float, float]
Ends = tuple[float, float, float]
"""Difference, low and high, turned so that better is on the right."""


def ends_of(found: Estimate, direction: str) -> Ends | None:
    """Return a difference with its interval, better on the right; None where there is none."""
    middle, low, high = found
    if middle is None or low is None or high is None:
        return None
    return (-middle, -high, -low) if direction == "lower" else (middle, low, high)


def farthest(ends: Ends | None) -> float:
    """Return how far an interval reaches from zero."""
    return 0.0 if ends is None else max(map(abs, ends))


def draw_strip(row: DifferenceRow | PairRow, direction: str, alike: float = 0.0, bar: float = 0.0) -> str:
    """Draw the interval of a difference with its ends, zero, and what either side means.

    Parameters
    ----------
    alike
        Up to what difference systems are alike, which is shaded.
    bar
        What a gain must be above, which is marked unless it is 0.
    """
    ends = ends_of(decided(row), direction)
    if ends is None:
        return f'<p class="note">There are too few queries for an interval.</p>{_sides(row, direction)}'
    most = max(farthest(ends), alike, abs(bar))
    dot, left, right = (_place_at(end, most, WIDE) for end in ends)
    sign = -1 if direction == "lower" else 1
    texts = [short(sign * end, "+") for end in ends[1:]]
    labels = "".join(
        f'<text x="{x:.1f}" y="12" text-anchor="middle">{text}</text>'
        for x, text in zip(_label_places((left, right), texts), texts, strict=True)
    )
    across = " across" if ends[1] <= 0 <= ends[2] else ""  # neither a gain nor a loss, whatever the outcome
    spoken = short_span(*decided(row)[1:])
    spoken += f"; the margin is {short(sign * bar, '+')}" if bar else ""
    return (
        f'<svg class="interval{across}" viewBox="0 0 {WIDE} {HIGH}" width="{WIDE}" height="{HIGH}" role="img" '
        f'aria-label="the difference and its interval, {spoken}, around zero">{labels}'
        f'{_band(alike, most)}<line class="axis" x1="4" x2="{WIDE - 4}" y1="26" y2="26"/>'
        f'<line class="zero" x1="{WIDE // 2}" x2="{WIDE // 2}" y1="18" y2="36"/>'
        f"{_zero_or_margin(bar, most, sign)}"
        f'<line class="range" x1="{left:.1f}" x2="{right:.1f}" y1="26" y2="26"/>'
        f'<circle cx="{dot:.1f}" cy="26" r="6"/></svg>{_sides(row, direction)}'
    )


def _zero_or_margin(bar: float, most: float, sign: int) -> str:
    """Write the 0 below the axis; mark what a gain must be above, where that is something else."""
    if not bar:
        return f'<text x="{WIDE // 2}" y="50" text-anchor="middle">0</text>'
    at = _place_at(bar, most, WIDE)
    marks = sorted([(WIDE / 2, "0"), (at, f"margin {short(sign * bar, '+')}")])
    places = _label_places((marks[0][0], marks[1][0]), [text for _, text in marks])
    texts = "".join(
        f'<text x="{x:.1f}" y="50" text-anchor="middle">{text}</text>'
        for x, (_, text) in zip(places, marks, strict=True)
    )
    return f'<line class="margin" x1="{at:.1f}" x2="{at:.1f}" y1="18" y2="36"/>{texts}'


def _band(alike: float, most: float) -> str:
    """Shade what counts as the same."""
    if not alike:
        return ""
    left, right = _place_at(-alike, most, WIDE), _place_at(alike, most, WIDE)
    return f'<rect class="alike" x="{left:.1f}" y="16" width="{right - left:.1f}" height="22" rx="3"/>'


def _label_places(at: tuple[float, float], texts: Sequence[str]) -> tuple[float, float]:
    """Return where the labels of two ends stand: at their ends, but neither over the other nor over the edge."""
    first, second = (len(text) * DIGIT / 2 for text in texts)
    low, high = max(at[0], first), min(at[1], WIDE - second)
    lacking = first + second + DIGIT - (high - low)
    if lacking <= 0:
        return low, high
    low = min(max(low - lacking / 2, first), WIDE - first - 2 * second - DIGIT)
    return low, low + first + second + DIGIT


def _place_at(value: float, most: float, wide: int) -> float:
    return wide / 2 + _REACH * wide * value / (most or 1.0)


def _sides(row: DifferenceRow | PairRow, direction: str) -> str:
    """Name what is on either side of zero."""
    if direction == "count":
        return '<p class="sides"><span>← lower</span><span>higher →</span></p>'
    pair = (row["baseline"], row["system"])
    left, right = (system_name(system, pair) for system in pair)
    return f'<p class="sides"><span>← {left} better</span><span>{right} better →</span></p>'


def draw_forest(found: Estimate, direction: str, most: float) -> str:
    """Draw a difference as one line of a forest plot, on a scale that reaches so far to either side."""
    ends = ends_of(found, direction)
    if ends is None:
        return '<span class="soft">too few queries</span>'
    dot, left, right = (_place_at(end, most, 200) for end in ends)
    said = short_span(*found[1:])
    return (
        f'<span class="drawn" title="{said}">{_FOREST}<line class="zero" x1="100" x2="100" y1="0" y2="20"/>'
        f"{_dot_on_line(dot, left, right)}</svg>{_hidden_text(said)}</span>"
    )


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


def draw_mean(row: MeanRow, axis: Axis) -> str:
    """Draw the interval of a mean on an axis; nothing where there is none."""
    low, mean, high = row["low"], row["mean"], row["high"]
    if mean is None or low is None or high is None:
        return ""
    wide = (axis[1] - axis[0]) or 1.0
    dot, left, right = (4 + 192 * (min(max(x, axis[0]), axis[1]) - axis[0]) / wide for x in (mean, low, high))
    said = short_span(low, high, "")
    return (
        f'<span class="drawn" title="{said}">{_FOREST}<line class="axis" x1="4" x2="196" y1="10" y2="10"/>'
        f"{_dot_on_line(dot, left, right)}</svg>{_hidden_text(said)}</span>"
    )


def _dot_on_line(dot: float, left: float, right: float) -> str:
    line = f'<line class="range" x1="{left:.1f}" x2="{right:.1f}" y1="10" y2="10"/>'
    return f'{line}<circle cx="{dot:.1f}" cy="10" r="4"/>'


def _hidden_text(text: str) -> str:
    return f'<span class="hidden">{text}</span>'


def draw_tally(row: DifferenceRow | PairRow, direction: str) -> str:
    """Draw how many queries got worse, stayed the same and got better, as one bar with its counts."""
    better, worse = ("higher", "lower") if direction == "count" else ("better", "worse")
    mood = ("neither", "same", "neither") if direction == "count" else ("loss", "same", "gain")
    counts = (row["losses"], row["ties"], row["wins"])
    whole, left, bars = sum(counts) or 1, 0.0, []
    for number, kind in zip(counts, mood, strict=True):
        bars.append(f'<rect class="{kind}" x="{left:.2f}" y="0" width="{100 * number / whole:.2f}" height="8"/>')
        left += 100 * number / whole
    said = zip(counts, mood, ("▼", "=", "▲"), (worse, "same", better), strict=True)
    words = "".join(f'<span class="{kind}">{glyph} {count(number)} {word}</span>' for number, kind, glyph, word in said)
    return (
        '<svg class="tally" viewBox="0 0 100 8" preserveAspectRatio="none" aria-hidden="true">'
        f'{"".join(bars)}</svg><p class="counts">{words}</p>'
    )
