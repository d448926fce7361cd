"""Small drawings of the front: an interval around zero, and how many queries got better and worse."""

from collections.abc import Sequence

from idealrank.reports.page.markup import count, name, short, short_span
from idealrank.reports.parts.kinds import DifferenceRow, MeanRow, MeasureEntry

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


def ends_of(row: DifferenceRow, direction: str) -> Ends | None:
    """Return the difference with its corrected interval, better on the right; None where there is none."""
    middle, low, high = row["difference"], row["corrected low"], row["corrected high"]
    if middle is None or low is None or high is None:
        return None
    return (-middle, -high, -low) if direction == "lower" else (middle, low, high)


def farthest(ends: Ends | None) -> float:
    """Return how far an interval reaches from zero."""
    return 0.0 if ends is None else max(map(abs, ends))


def strip(row: DifferenceRow, direction: str, alike: float = 0.0, bar: float = 0.0) -> str:
    """Draw the interval of a difference with its ends, zero, and what either side means.

    Parameters
    ----------
    alike
        Up to what difference systems are alike, which is shaded.
    bar
        What a gain must be above, which is marked unless it is 0.
    """
    ends = ends_of(row, direction)
    if ends is None:
        return f'<p class="note">There are too few queries for an interval.</p>{_sides(row, direction)}'
    most = max(farthest(ends), alike, abs(bar))
    dot, left, right = (_at(end, most, WIDE) for end in ends)
    sign = -1 if direction == "lower" else 1
    texts = [short(sign * end, "+") for end in ends[1:]]
    labels = "".join(
        f'<text x="{x:.1f}" y="12" text-anchor="middle">{text}</text>'
        for x, text in zip(_apart((left, right), texts), texts, strict=True)
    )
    across = " across" if ends[1] <= 0 <= ends[2] else ""  # neither a gain nor a loss, whatever the outcome
    spoken = short_span(row["corrected low"], row["corrected high"])
    spoken += f"; the margin is {short(sign * bar, '+')}" if bar else ""
    return (
        f'<svg class="interval{across}" viewBox="0 0 {WIDE} {HIGH}" width="{WIDE}" height="{HIGH}" role="img" '
        f'aria-label="the difference and its interval, {spoken}, around zero">{labels}'
        f'{_band(alike, most)}<line class="axis" x1="4" x2="{WIDE - 4}" y1="26" y2="26"/>'
        f'<line class="zero" x1="{WIDE // 2}" x2="{WIDE // 2}" y1="18" y2="36"/>'
        f"{_marked(bar, most, sign)}"
        f'<line class="range" x1="{left:.1f}" x2="{right:.1f}" y1="26" y2="26"/>'
        f'<circle cx="{dot:.1f}" cy="26" r="6"/></svg>{_sides(row, direction)}'
    )


def _marked(bar: float, most: float, sign: int) -> str:
    """Write the 0 below the axis; mark what a gain must be above, where that is something else."""
    if not bar:
        return f'<text x="{WIDE // 2}" y="50" text-anchor="middle">0</text>'
    at = _at(bar, most, WIDE)
    marks = sorted([(WIDE / 2, "0"), (at, f"margin {short(sign * bar, '+')}")])
    places = _apart((marks[0][0], marks[1][0]), [text for _, text in marks])
    texts = "".join(
        f'<text x="{x:.1f}" y="50" text-anchor="middle">{text}</text>'
        for x, (_, text) in zip(places, marks, strict=True)
    )
    return f'<line class="margin" x1="{at:.1f}" x2="{at:.1f}" y1="18" y2="36"/>{texts}'


def _band(alike: float, most: float) -> str:
    """Shade what counts as the same."""
    if not alike:
        return ""
    left, right = _at(-alike, most, WIDE), _at(alike, most, WIDE)
    return f'<rect class="alike" x="{left:.1f}" y="16" width="{right - left:.1f}" height="22" rx="3"/>'


def _apart(at: tuple[float, float], texts: Sequence[str]) -> tuple[float, float]:
    """Return where the labels of two ends stand: at their ends, but neither over the other nor over the edge."""
    first, second = (len(text) * DIGIT / 2 for text in texts)
    low, high = max(at[0], first), min(at[1], WIDE - second)
    lacking = first + second + DIGIT - (high - low)
    if lacking <= 0:
        return low, high
    low = min(max(low - lacking / 2, first), WIDE - first - 2 * second - DIGIT)
    return low, low + first + second + DIGIT


def _at(value: float, most: float, wide: int) -> float:
    return wide / 2 + _REACH * wide * value / (most or 1.0)


def _sides(row: DifferenceRow, direction: str) -> str:
    """Name what is on either side of zero."""
    if direction == "count":
        return '<p class="sides"><span>← lower</span><span>higher →</span></p>'
    left, right = name(row["baseline"]), name(row["system"])
    return f'<p class="sides"><span>← {left} better</span><span>{right} better →</span></p>'


def forest(row: DifferenceRow, ends: Ends | None, most: float) -> str:
    """Draw one line of a forest plot on a scale that reaches so far to either side."""
    if ends is None:
        return '<span class="soft">too few queries</span>'
    dot, left, right = (_at(end, most, 200) for end in ends)
    said = short_span(row["corrected low"], row["corrected high"])
    return (
        f'<span class="drawn" title="{said}">{_FOREST}<line class="zero" x1="100" x2="100" y1="0" y2="20"/>'
        f"{_on_line(dot, left, right)}</svg>{_spoken(said)}</span>"
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


def mean_drawn(row: MeanRow, axis: Axis) -> str:
    """Draw the interval of a mean on an axis; nothing where there is none."""
    low, mean, high = row["low"], row["mean"], row["high"]
    if mean is None or low is None or high is None:
        return ""
    wide = (axis[1] - axis[0]) or 1.0
    dot, left, right = (4 + 192 * (min(max(x, axis[0]), axis[1]) - axis[0]) / wide for x in (mean, low, high))
    said = short_span(low, high, "")
    return (
        f'<span class="drawn" title="{said}">{_FOREST}<line class="axis" x1="4" x2="196" y1="10" y2="10"/>'
        f"{_on_line(dot, left, right)}</svg>{_spoken(said)}</span>"
    )


def _on_line(dot: float, left: float, right: float) -> str:
    line = f'<line class="range" x1="{left:.1f}" x2="{right:.1f}" y1="10" y2="10"/>'
    return f'{line}<circle cx="{dot:.1f}" cy="10" r="4"/>'


def _spoken(text: str) -> str:
    return f'<span class="hidden">{text}</span>'


def tally(row: DifferenceRow, direction: str) -> str:
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
