"""The values of queries: how many are in each bin, one panel per system."""

from __future__ import annotations

import numpy as np
from matplotlib.axes import Axes

from idealrank.arrays import Floats, Ints
from idealrank.evaluation.mean_intervals import over
from idealrank.evaluation.scores import Scores
from idealrank.reports.parts.distribution import histogram
from idealrank.reports.plots.choice import systems_shown
from idealrank.reports.plots.picture import INK, LINES, Picture, called, looks, picture, titled
from idealrank.reports.subject import Subject


def distribution(subject: Subject, measure: str | None = None, *, system: str | None = None) -> Picture:
    """Draw how the values of queries are distributed: one panel per system, with median and mean.

    Parameters
    ----------
    subject
        Scores or a comparison.
    measure
        One of the measures; None: the first.
    system
        One of the systems; None: all.

    Examples
    --------
    >>> import idealrank as ir
    >>> scores = ir.evaluate({"q": {"a": 1}}, {"q": {"a": 1.0}}, ["P@5"])
    >>> ir.plots.distribution(scores).get_suptitle()
    'P@5: values of queries'
    """
    scores, (m,), systems, note = systems_shown(subject, measure, system)
    edges, counts = histogram(scores, m)
    title, few = f"{called(scores.labels[m])}: values of queries", len(systems) <= 5
    across, height = (1, 1.0) if few else (2, 0.62)
    note = f"{note}. Line: median; dot: {over(scores, m).replace('sum', 'mean')}."
    with looks():
        prints = [scores.measures[m].fingerprint]
        sheet, panels = picture(title, note, prints, len(systems), across, height, sharex=True, sharey=True)
        for panel, s in zip(panels, systems, strict=True):
            _steps(panel, edges, counts[s], int(counts.max()))
            _middles(panel, scores, s, m)
            titled(panel, called(scores.systems[s]))
        panels[0].set_ylabel("queries")
    return sheet


def _steps(panel: Axes, edges: Floats, counts: Ints, highest: int) -> None:
    panel.stairs(counts, edges, fill=True, color=LINES[0], alpha=0.55)
    panel.locator_params(axis="y", nbins=3, integer=True)
    panel.set_ylim(0, max(highest * 1.15, 1))


def _middles(panel: Axes, scores: Scores, s: int, m: int) -> None:
    """Draw the median as a line, and as a dot the mean that is printed; where that is a sum, the mean of its parts."""
    values = scores.values[s, m]
    if np.isnan(values).all():
        return
    summed = scores.measures[m].definition.total == "sum"
    panel.axvline(float(np.nanmedian(values)), color=INK, linewidth=1.2)
    mean = float(np.nanmean(values)) if summed else scores.all_means[s][m]
    panel.plot([mean], [0], "o", color=INK, clip_on=False, zorder=5)
