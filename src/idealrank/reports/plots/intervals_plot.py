"""The corrected intervals of the differences: one line per pair, one panel per measure, with zero and the margin."""

from __future__ import annotations

import math
from collections.abc import Sequence

from matplotlib.axes import Axes
from matplotlib.lines import Line2D

from idealrank.comparison.comparison import Comparison
from idealrank.comparison.contrasts import Contrast
from idealrank.comparison.pairing import Key
from idealrank.reports.plots.choice import pairs_shown
from idealrank.reports.plots.limits import axis_limits, mark_beyond
from idealrank.reports.plots.picture import (
    EQUAL,
    FAINT,
    GAIN,
    GRID,
    INK,
    LOSS,
    Picture,
    called,
    legend_below,
    looks,
    picture,
    spans,
    titled,
)

_SIDES = {"gain": ("^", GAIN, "wholly a gain"), "loss": ("v", LOSS, "wholly a loss"), "": ("o", EQUAL, "includes 0")}


def intervals(comparison: Comparison, measure: str | None = None, *, system: str | None = None) -> Picture:
    """Draw the corrected intervals of the differences: one line per pair, one panel per measure, with zero and margin.

    The marker says whether the interval is wholly on one side of 0.

    Parameters
    ----------
    comparison
        A comparison.
    measure
        One of the measures; None: all.
    system
        One of those compared, as the verdicts name it; None: all.

    Examples
    --------
    >>> import idealrank as ir
    >>> qrels, run = {"q": {"a": 1}, "r": {"a": 1}}, {"q": {"a": 2.0, "x": 1.0}, "r": {"a": 1.0}}
    >>> comparison = ir.compare(qrels, {"old": run, "new": run}, ["RR"])
    >>> [label.get_text() for label in ir.plots.intervals(comparison).axes[0].get_yticklabels()]
    ['new']
    """
    measures, pairs, note = pairs_shown(comparison, "intervals", measure, system, unnamed=None)
    prints = [comparison.scores.measures[m].fingerprint for m in measures]
    title, height = _title(comparison), 0.7 + 0.2 * len(pairs)
    with looks():
        sheet, panels = picture(title, note, prints, len(measures), 3, height, sharey=True)
        for panel, m in zip(panels, measures, strict=True):
            _panel(panel, comparison, [Key(pair, m) for pair in pairs])
        panels[0].set_yticks(range(len(pairs)), [called(comparison.pairing.called(pair)) for pair in pairs])
        panels[0].set_ylim(len(pairs) - 0.4, -0.6)
        _legend(sheet, any(bar(comparison, m) for m in measures))
    return sheet


def _legend(sheet: Picture, barred: bool) -> None:
    marks = {text: Line2D([], [], marker=m, color=c, linestyle="") for m, c, text in _SIDES.values()}
    if barred:
        marks["margin or tolerance"] = Line2D([], [], color=INK, linewidth=0.9, linestyle=(0, (4, 2)))
    legend_below(sheet, list(marks.values()), list(marks))


def _title(comparison: Comparison) -> str:
    """Say what the differences are from, and how their intervals were corrected."""
    origin = f" from {called(comparison.baseline)}" if comparison.baseline else ""
    fix = comparison.methods.correction
    how = "" if fix == "none" else f", corrected ({fix})"
    return f"Differences{origin} with {comparison.methods.level:.0%} intervals{how}"


def _panel(panel: Axes, comparison: Comparison, keys: Sequence[Key]) -> None:
    contrasts, m = [comparison.contrasts[key] for key in keys], keys[0][1]
    panel.axvline(0.0, color=FAINT, linewidth=0.8)
    for place, contrast in enumerate(contrasts):
        _interval(panel, place, contrast)
    margin = bar(comparison, m)
    ends = [(contrast.corrected.low, contrast.corrected.high) for contrast in contrasts]
    middles = [*(contrast.difference for contrast in contrasts), margin]
    mark_beyond(panel, ends, axis_limits(middles, ends, comparison.scores.measures[m], differs=True), color=FAINT)
    if margin:
        panel.axvline(margin, color=INK, linewidth=0.9, linestyle=(0, (4, 2)))
    titled(panel, called(comparison.scores.labels[m]))
    panel.grid(axis="x", color=GRID)


def _interval(panel: Axes, place: int, contrast: Contrast) -> None:
    marker, colour, _ = _SIDES[side(contrast)]
    low, high = contrast.corrected.low, contrast.corrected.high
    reach = spans([contrast.difference], [(low, high)]) if math.isfinite(low + high) else None
    panel.errorbar([contrast.difference], [place], xerr=reach, fmt=marker, color=colour, capsize=2.5)


def side(contrast: Contrast) -> str:
    """Say on which side of 0 an interval is wholly: gain, loss, or neither; a count is neither good nor bad."""
    if contrast.direction == "count":
        return ""
    return "gain" if contrast.gain.low > 0 else "loss" if contrast.gain.high < 0 else ""


def bar(comparison: Comparison, m: int) -> float:
    """Return what an interval must be above, as a difference: the margin, or the tolerance taken as a loss."""
    rule, label = comparison.rule, comparison.scores.labels[m]
    gain = rule.bar if m == 0 else -rule.tolerated(label)
    return -gain if comparison.scores.measures[m].definition.properties.direction == "lower" else gain
