"""The mean of a measure at k = 1, 2 …: one line per system, told apart by marker and dash too."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from matplotlib.ticker import MaxNLocator

from idealrank.evaluation.mean_intervals import over
from idealrank.reports.parts.curves import DEPTH, means_at
from idealrank.reports.plots.choice import systems_shown
from idealrank.reports.plots.picture import GRID, Picture, called, legend_below, line_of, looks, picture, titled
from idealrank.reports.subject import Subject


def curve(subject: Subject, measure: str | None = None, *, system: str | None = None, depth: int = DEPTH) -> Picture:
    """Draw the mean of a measure at k = 1 to `depth`: one line per system.

    The legend has the order of the lines' ends, the highest first.

    Parameters
    ----------
    subject
        Scores or a comparison.
    measure
        One of the measures that take a cutoff; None: the first.
    system
        One of the systems; None: all.
    depth
        The last k.

    Examples
    --------
    >>> import idealrank as ir
    >>> scores = ir.evaluate({"q": {"a": 1}}, {"q": {"a": 1.0}}, ["P@5"])
    >>> ir.plots.curve(scores, depth=3).get_suptitle()
    'P at every cutoff'
    """
    scores, (m,), systems, note = systems_shown(subject, measure, system)
    means, uncut = means_at(scores, m, depth), replace(scores.measures[m], cutoff=None)
    title = f"{uncut} at every cutoff"
    with looks():
        sheet, (panel,) = picture(title, note, [uncut.fingerprint], 1, 1, 3.2)
        k = np.arange(1, depth + 1)
        lines = {s: panel.plot(k, means[s], **line_of(place))[0] for place, s in enumerate(systems)}
        panel.set_xlabel("k")
        panel.set_ylabel(f"{over(scores, m)} {called(uncut.name)}@k")
        panel.xaxis.set_major_locator(MaxNLocator(integer=True, min_n_ticks=1))
        panel.grid(axis="y", color=GRID)
        order = sorted(lines, key=lambda s: -np.nan_to_num(means[s, -1]))
        if len(order) > 1:
            legend_below(sheet, [lines[s] for s in order], [scores.systems[s] for s in order])
        else:
            titled(panel, called(scores.systems[order[0]]))
    return sheet
