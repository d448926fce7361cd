"""How much the lists of two systems share: Jaccard and RBO of every query, each in order."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from matplotlib.axes import Axes

from idealrank.arrays import Floats
from idealrank.comparison.comparison import Comparison
from idealrank.comparison.overlap_at import overlap_table
from idealrank.comparison.pairing import Pair
from idealrank.reports.parts.curves import refuse_depth
from idealrank.reports.plots.picture import GRID, LINES, Picture, called, legend_below, looks, picture, titled


def draw(comparison: Comparison, pairs: Sequence[Pair], depth: int, note: str) -> Picture:
    """Draw both as falling steps over the queries asked for, each sorted for itself."""
    refuse_depth(depth)
    asked, one = comparison.pairing.chosen, len(pairs) == 1
    with looks():
        title = f"What the first {depth} results share, query by query"
        sheet, panels = picture(
            title, note, [], len(pairs), 1 if one else 3, 2.9 if one else 1.7, sharex=True, sharey=True
        )
        for panel, pair in zip(panels, pairs, strict=True):
            found = overlap_table(comparison.scores, pair, depth)
            lines = [
                _falling(panel, found.array(name)[asked], colour, dash)
                for name, colour, dash in (("jaccard", LINES[0], "-"), ("rbo", LINES[1], (0, (4, 1.5))))
            ]
            titled(panel, " and ".join(called(comparison.systems[s]) for s in pair))
            panel.set_ylim(-0.03, 1.03)
            panel.grid(axis="y", color=GRID)
        panels[-1].set_xlabel("queries")
        legend_below(sheet, lines, ["Jaccard (documents of both / of either)", "RBO (p = 0.9)"])
    return sheet


def _falling(panel: Axes, values: Floats, colour: str, dash: object) -> object:
    """Draw values as steps, the highest first: the edge of a query lies on either side of its number."""
    falling = np.sort(values)[::-1]
    (line,) = panel.plot(
        np.arange(1, len(values) + 1), falling, drawstyle="steps-mid", color=colour, linestyle=dash, label="_"
    )
    return line
