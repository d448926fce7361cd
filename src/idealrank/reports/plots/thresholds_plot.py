"""The mean of a measure at every threshold of `overlap`: one line per system, told apart by marker and dash too."""

from __future__ import annotations

import numpy as np

from idealrank.evaluation.mean_intervals import over
from idealrank.evaluation.thresholds import RULES, SHARES, means_at_shares, rule_of
from idealrank.reports.plots.choice import systems_shown
from idealrank.reports.plots.picture import GRID, Picture, called, legend_below, line_of, looks, picture, titled
from idealrank.reports.subject import Subject


def thresholds(
    subject: Subject, measure: str | None = None, *, system: str | None = None, rule: str | None = None
) -> Picture:
    """Draw the mean of a measure by the share from which a chunk hits a judged span: one line per system.

    Share 0 is ``overlap=any``. The legend has the order of the lines' ends, the highest first.

    Parameters
    ----------
    subject
        Scores or a comparison under ``unit=spans``.
    measure
        One of the measures that read `overlap`; None: the first.
    system
        One of the systems; None: all.
    rule
        What the share is of: ``span``, ``chunk`` or ``iou``; None: as in the measure's `overlap`, or ``span``.

    Examples
    --------
    >>> import idealrank as ir
    >>> spans = {"query": ["q"], "doc": ["d"], "begin": [10], "end": [20], "grade": [1]}
    >>> chunks = {"query": ["q"], "doc": ["d"], "begin": [0], "end": [15], "rank": [1]}
    >>> ir.plots.thresholds(ir.evaluate(spans, chunks, ["R@1"], unit="spans")).get_suptitle()
    'R@1 at every threshold of overlap'
    """
    scores, (m,), systems, note = systems_shown(subject, measure, system)
    chosen = rule_of(scores.measures[m], rule)
    means, shown = means_at_shares(scores, m, chosen), scores.measures[m]
    title = f"{shown} at every threshold of overlap"
    with looks():
        sheet, (panel,) = picture(title, note, [shown.fingerprint], 1, 1, 3.2)
        lines = {s: panel.plot(SHARES, means[s], **line_of(place))[0] for place, s in enumerate(systems)}
        panel.set_xlabel(f"{RULES[chosen]} (0: any overlap)")
        panel.set_ylabel(f"{over(scores, m)} {called(shown.name)}")
        panel.grid(axis="y", color=GRID)
        order = sorted(lines, key=lambda s: -np.nan_to_num(means[s, -1]))
        if len(order) > 1:
            legend_below(sheet, [lines[s] for s in order], [scores.systems[s] for s in order])
        else:
            titled(panel, called(scores.systems[order[0]]))
    return sheet
