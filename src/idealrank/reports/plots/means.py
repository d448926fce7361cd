"""Means with their intervals: one panel a measure, one line a system."""

from __future__ import annotations

from collections.abc import Sequence

from idealrank.display.table import Table
from idealrank.evaluation.scores import Scores
from idealrank.reports.plots.picture import GRID, LINES, Picture, called, looks, picture, spans, titled


def draw(
    scores: Scores, table: Table, level: float, measures: Sequence[int], systems: Sequence[int], note: str
) -> Picture:
    """Draw the rows of a table with the columns measure, system, mean, low and high.

    Parameters
    ----------
    level
        Of the intervals.
    measures, systems
        Places of those that are shown.
    """
    names = [scores.systems[s] for s in systems]
    rows = {(row["measure"], row["system"]): row for row in table}
    prints = [scores.measures[m].fingerprint for m in measures]
    with looks():
        height = 0.55 + 0.21 * len(names)
        sheet, panels = picture(
            f"Means with {level:.0%} intervals", note, prints, len(measures), 3, height, sharey=True
        )
        for panel, m in zip(panels, measures, strict=True):
            label = scores.labels[m]
            found = [rows[label, name] for name in names]
            dots = [row["mean"] for row in found]
            reach = spans(dots, [(row["low"], row["high"]) for row in found])
            panel.errorbar(dots, range(len(names)), xerr=reach, fmt="o", color=LINES[0], capsize=2.5)
            titled(panel, called(label))
            panel.set_yticks(range(len(names)), [called(name) for name in names])
            panel.set_ylim(len(names) - 0.4, -0.6)
            panel.grid(axis="x", color=GRID)
    return sheet
