"""The values of queries: how many lie in each bin, one panel a system."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from idealrank.evaluation.scores import Scores
from idealrank.reports.parts.distribution import histogram
from idealrank.reports.plots.picture import INK, LINES, Picture, called, looks, picture, titled


def draw(scores: Scores, m: int, systems: Sequence[int], note: str) -> Picture:
    """Draw the counts as steps, with the median as a line and the mean as a dot."""
    edges, counts = histogram(scores, m)
    title, prints = f"{called(scores.labels[m])}: values of queries", [scores.measures[m].fingerprint]
    few = len(systems) <= 5
    with looks():
        sheet, panels = picture(
            title, note, prints, len(systems), 1 if few else 2, 1.0 if few else 0.62,
            sharex=True, sharey=True,
        )  # fmt: skip
        for panel, s in zip(panels, systems, strict=True):
            values = scores.values[s, m]
            panel.stairs(counts[s], edges, fill=True, color=LINES[0], alpha=0.55)
            titled(panel, called(scores.systems[s]))
            panel.locator_params(axis="y", nbins=3, integer=True)
            panel.set_ylim(0, max(counts.max() * 1.15, 1))
            if not np.isnan(values).all():
                panel.axvline(float(np.nanmedian(values)), color=INK, linewidth=1.2)
                panel.plot([_mean(scores, s, m)], [0], "o", color=INK, clip_on=False, zorder=5)
        panels[0].set_ylabel("queries")
    return sheet


def _mean(scores: Scores, s: int, m: int) -> float:
    """Return the mean that is printed; where that is a sum, the mean of its parts."""
    summed = scores.measures[m].definition.total == "sum"
    return float(np.nanmean(scores.values[s, m])) if summed else scores.all_means[s][m]
