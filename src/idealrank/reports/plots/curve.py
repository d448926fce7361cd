"""The mean of a measure at k = 1, 2 …: one line a system, told apart by marker and dash too."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
from matplotlib.ticker import MaxNLocator

from idealrank.evaluation.scores import Scores
from idealrank.reports.parts.curves import means_at
from idealrank.reports.plots.picture import GRID, Picture, called, legend_below, line_of, looks, picture, titled


def draw(scores: Scores, m: int, systems: Sequence[int], depth: int, note: str, over: str) -> Picture:
    """Draw the means at k = 1 to `depth`; the legend has the order of the lines' ends, the highest first."""
    found, uncut = means_at(scores, m, depth), replace(scores.measures[m], cutoff=None)
    k = np.arange(1, depth + 1)
    with looks():
        sheet, (panel,) = picture(
            f"{uncut} at every cutoff", note, [uncut.fingerprint], 1, 1, 3.2 + 0.18 * (len(systems) // 4)
        )
        lines = {s: panel.plot(k, found[s], **line_of(place))[0] for place, s in enumerate(systems)}
        panel.set_xlabel("k")
        panel.set_ylabel(f"{over} {called(uncut.name)}@k")
        panel.xaxis.set_major_locator(MaxNLocator(integer=True, min_n_ticks=1))
        panel.grid(axis="y", color=GRID)
        order = sorted(lines, key=lambda s: -np.nan_to_num(found[s, -1]))
        if len(order) > 1:
            legend_below(sheet, [lines[s] for s in order], [scores.systems[s] for s in order])
        else:
            titled(panel, called(scores.systems[order[0]]))
    return sheet
