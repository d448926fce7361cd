"""Segments as text and HTML: the table, how the segments are made, and what explains the change."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING

from idealrank.display.grid import Column, draw, labelled
from idealrank.display.html import grid_html, more_html, prints_html, text_html
from idealrank.display.numbers import change_text, number_text, p_text, span_text
from idealrank.display.text import SHOWN_ROWS, screen_width
from idealrank.errors import plural

EXPLAINED = 10
"""Pairs of systems explained in text: each takes seconds where queries are many."""

NO_SEGMENTS = (
    "none: nothing known of the queries tells them apart. Give a table of queries with their texts, frequencies or "
    "other columns."
)

if TYPE_CHECKING:
    from idealrank.comparison.segments.segment import Segment
    from idealrank.comparison.segments.segments import Segments


def render_segments(segments: Segments) -> str:
    """Draw the table, then what explains the change."""
    width = screen_width()
    blocks = (segment_lines(segments, width), explaining_lines(segments, width))
    return "\n\n".join("\n".join(block) for block in blocks if block)


def segment_lines(segments: Segments, width: int) -> list[str]:
    """Draw one row a pair of systems, measure and segment."""
    if not segments.rows:
        return []
    shown = segments.rows[:SHOWN_ROWS]
    more = len(segments.rows) - len(shown)
    return [*draw(_columns(segments, shown), width), *([plural(more, "more row")] if more else [])]


def _columns(segments: Segments, rows: Sequence[Segment]) -> list[Column]:
    """Write the rows as columns of text; which system and measure only where there are several."""
    several, scores = not segments.pairing.baseline, segments.pairing.scores
    keys = [
        Column("measure", [row.measure for row in rows], numeric=False) if len(scores.measures) > 1 else None,
        Column("system", [row.system for row in rows], numeric=False) if len(segments.pairing.pairs) > 1 else None,
        Column("less", [row.baseline for row in rows], numeric=False) if several else None,
    ]
    return [
        *(key for key in keys if key is not None),
        Column("segment", [f"{row.attribute}={row.name}" for row in rows], numeric=False),
        Column("queries", [str(row.queries) for row in rows], numeric=True),
        Column("share", [f"{row.share:.1%}" for row in rows], numeric=True),
        Column("difference", [number_text(row.difference, "+.4f") for row in rows], numeric=True),
        Column("interval", [span_text(row.low, row.high) for row in rows], numeric=True),
        Column("p", [p_text(row.p) for row in rows], numeric=True),
        Column("corrected p", [p_text(row.corrected) for row in rows], numeric=True),
        Column("contribution", [number_text(row.contribution, "+.4f") for row in rows], numeric=True),
        Column("wins", [str(row.wins) for row in rows], numeric=True),
        Column("ties", [str(row.ties) for row in rows], numeric=True),
        Column("losses", [str(row.losses) for row in rows], numeric=True),
    ]


def explaining_lines(segments: Segments, width: int) -> list[str]:
    """Write what explains the change in the deciding measure, how the segments are made, and what is missing."""
    if not segments.rows:
        return labelled("segments", NO_SEGMENTS, width)
    lines = [line for label, text in explaining(segments) for line in labelled(label, text, width)]
    for i, (name, made) in enumerate(segments.made.items()):
        lines += labelled("" if i else "segments", f"{name}: {made}", width)
    noted: dict[str, list[str]] = {}
    for row in segments.rows:
        if row.note:
            noted.setdefault(row.note, []).append(f"{row.attribute}={row.name}")
    for note, names in noted.items():
        lines += labelled("", f"{', '.join(dict.fromkeys(names))}: {note}", width)
    return [*lines, *labelled("", _tested(segments), width)]


def explaining(segments: Segments) -> list[tuple[str, str]]:
    """Return the sentence of each pair with its label; of many pairs those of the first."""
    pairs = [segments.pairing.called(pair) for pair in segments.pairing.pairs]
    found = [(called, segments.explains(system=called).sentence) for called in pairs[:EXPLAINED]]
    lines = [("explained", sentence if len(pairs) == 1 else f"{called}: {sentence}") for called, sentence in found]
    more = len(pairs) - len(found)
    way = f"as segments.explains(system={pairs[-1]!r})"
    return [*lines, *([("", f"{plural(more, 'more system')}: ask for each, {way}")] if more else [])]


def _tested(segments: Segments) -> str:
    tests = sum(not math.isnan(row.p) for row in segments.rows)
    return (
        f"{segments.methods.test} test in each; corrected p: false discovery over all {tests} (Benjamini and Hochberg "
        "1995); intervals are for each alone; contributions add up to the difference of all within one attribute"
    )


def segments_html(segments: Segments) -> str:
    """Write the table, differences with their glyph, and what explains the change for a notebook."""
    from idealrank.comparison.shown_html import with_changes

    foot = "".join(
        f'<p style="font-size:85%;margin:.2em 0">{text_html(line)}</p>' for line in explaining_lines(segments, 10_000)
    )
    shown, scores = segments.rows[:SHOWN_ROWS], segments.pairing.scores
    directions = {label: scores.measures[m].definition.properties.direction for m, label in enumerate(scores.labels)}
    changes = [change_text(row.difference, directions[row.measure]) for row in shown]
    grid = grid_html(with_changes(_columns(segments, shown), changes))
    return f"{grid}{more_html(len(segments.rows) - len(shown))}{prints_html(segments.table, len(shown))}{foot}"
