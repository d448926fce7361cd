"""Means with their intervals: one panel per measure, one line per system."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from matplotlib.axes import Axes

from idealrank.comparison.comparison import Comparison
from idealrank.evaluation.mean_intervals import LEVEL, means as mean_intervals
from idealrank.reports.plots.choice import systems_shown
from idealrank.reports.plots.picture import GRID, LINES, Picture, called, looks, picture, spans, titled
from idealrank.reports.subject import Subject, scores_of


def means(subject: Subject, measure: str | None = None, *, system: str | None = None) -> Picture:
    """Draw means with their 95 % intervals, or a comparison's: one panel per measure, one line per system.

    Parameters
    ----------
    subject
        Scores or a comparison.
    measure, system
        One of them; None: all.

    Examples
    --------
    >>> import idealrank as ir
    >>> scores = ir.evaluate({"q": {"a": 1}}, {"q": {"a": 1.0}}, ["RR"])
    >>> [panel.get_title(loc="left") for panel in ir.plots.means(scores).axes]
    ['RR']
    """
    shown = systems_shown(subject, measure, system, unnamed=None)
    scores, names = shown.scores, shown.names
    level, rows = mean_rows(subject)
    prints = [scores.measures[m].fingerprint for m in shown.measures]
    title, height = f"Means with {level:.0%} intervals", 0.55 + 0.21 * len(names)
    with looks():
        sheet, panels = picture(title, shown.note, prints, len(shown.measures), 3, height, sharey=True)
        for panel, m in zip(panels, shown.measures, strict=True):
            _panel(panel, names, [rows[scores.labels[m], name] for name in names])
            titled(panel, called(scores.labels[m]))
    return sheet


def mean_rows(subject: Subject) -> tuple[float, dict[tuple[str, str], dict[str, Any]]]:
    """Return the level of the intervals, and the rows of means by measure and system."""
    if isinstance(subject, Comparison):
        level, table = subject.methods.level, subject.means
    else:
        level, table = LEVEL, mean_intervals(scores_of(subject))
    return level, {(row["measure"], row["system"]): row for row in table}


def _panel(panel: Axes, names: Sequence[str], rows: Sequence[dict[str, Any]]) -> None:
    dots = [row["mean"] for row in rows]
    reach = spans(dots, [(row["low"], row["high"]) for row in rows])
    panel.errorbar(dots, range(len(names)), xerr=reach, fmt="o", color=LINES[0], capsize=2.5)
    panel.set_yticks(range(len(names)), [called(name) for name in names])
    panel.set_ylim(len(names) - 0.4, -0.6)
    panel.grid(axis="x", color=GRID)
