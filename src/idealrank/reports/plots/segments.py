"""Values, or differences, by segment of the queries, with their intervals."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from idealrank.measures import Measure
from idealrank.reports.plots.picture import FAINT, GRID, LINES, Picture, called, looks, picture, spans, titled
from idealrank.reports.plots.reach import cut, limits


class Row(NamedTuple):
    """One segment: its name, how many queries it has, and where its mean lies; low and high NaN where unknown."""

    name: str
    queries: int
    mean: float
    low: float
    high: float


def draw(
    title: str, said: str, systems: Mapping[str, Sequence[Row]], note: str, measure: Measure, differs: bool
) -> Picture:
    """Draw one panel a system, one line a segment.

    Parameters
    ----------
    said
        What the axis shows.
    systems
        The rows of each panel by its name.
    differs
        Whether differences are shown: then the line at 0 matters.
    """
    every = [row for rows in systems.values() for row in rows]
    limit = limits([row.mean for row in every], [(row.low, row.high) for row in every], measure, differs)
    names = list(dict.fromkeys(row.name for row in every))
    with looks():
        height = 0.75 + 0.21 * len(names)
        sheet, panels = picture(title, note, [measure.fingerprint], len(systems), 3, height, sharex=True, sharey=True)
        for panel, (system, rows) in zip(panels, systems.items(), strict=True):
            place = [names.index(row.name) for row in rows]
            dots = [row.mean for row in rows]
            reach = spans(dots, [(row.low, row.high) for row in rows])
            panel.errorbar(dots, place, xerr=reach, fmt="o", color=LINES[0], capsize=2.5)
            titled(panel, called(system))
            panel.grid(axis="x", color=GRID)
            found = {row.name: (row.low, row.high) for row in rows}
            cut(panel, [found.get(name, (math.nan, math.nan)) for name in names], limit, color=LINES[0])
            if differs:
                panel.axvline(0.0, color=FAINT, linewidth=0.8)
        panels[0].set_yticks(range(len(names)), [f"{called(name)} ({_counts(name, every)})" for name in names])
        panels[0].set_ylim(len(names) - 0.4, -0.6)
        panels[-1].set_xlabel(said)
    return sheet


def _counts(name: str, rows: Sequence[Row]) -> str:
    """Write the number of queries of a segment; where panels differ, that of each in their order."""
    found = [row.queries for row in rows if row.name == name]
    return str(found[0]) if len(set(found)) == 1 else ", ".join(map(str, found))
