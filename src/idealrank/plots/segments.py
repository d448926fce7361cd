"""Values, or differences, by segment of the queries, with their intervals."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from idealrank.plots.picture import FAINT, GRID, LINES, Picture, called, looks, picture, spans, titled


class Row(NamedTuple):
    """One segment: its name, how many queries it has, and where its mean lies; low and high NaN where unknown."""

    name: str
    queries: int
    mean: float
    low: float
    high: float


def draw(
    title: str, said: str, systems: Mapping[str, Sequence[Row]], note: str, prints: Sequence[str], zero: bool
) -> Picture:
    """Draw one panel a system, one line a segment.

    Parameters
    ----------
    said
        What the axis shows.
    systems
        The rows of each panel by its name.
    zero
        Whether the line at 0 matters: where differences are shown.
    """
    names = list(dict.fromkeys(row.name for rows in systems.values() for row in rows))
    with looks():
        height = 0.75 + 0.21 * len(names)
        sheet, panels = picture(title, note, prints, len(systems), 3, height, sharex=True, sharey=True)
        for panel, (system, rows) in zip(panels, systems.items(), strict=True):
            place = [names.index(row.name) for row in rows]
            dots = [row.mean for row in rows]
            reach = spans(dots, [(row.low, row.high) for row in rows])
            panel.errorbar(dots, place, xerr=reach, fmt="o", color=LINES[0], capsize=2.5)
            titled(panel, called(system))
            panel.grid(axis="x", color=GRID)
            if zero:
                panel.axvline(0.0, color=FAINT, linewidth=0.8)
        counts = {row.name: row.queries for rows in systems.values() for row in rows}
        panels[0].set_yticks(range(len(names)), [f"{called(name)} ({counts[name]})" for name in names])
        panels[0].set_ylim(len(names) - 0.4, -0.6)
        panels[-1].set_xlabel(said)
    return sheet
