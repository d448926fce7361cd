"""The corrected intervals of the differences: one line a pair, one panel a measure, with zero and the margin."""

from __future__ import annotations

import math
from collections.abc import Sequence

from matplotlib.axes import Axes
from matplotlib.lines import Line2D

from idealrank.comparison.comparison import Comparison
from idealrank.comparison.contrasts import Contrast
from idealrank.comparison.pairing import Key, Pair
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
from idealrank.reports.plots.reach import cut, limits

_SIDES = {"gain": ("^", GAIN, "wholly a gain"), "loss": ("v", LOSS, "wholly a loss"), "": ("o", EQUAL, "holds 0")}


def draw(comparison: Comparison, measures: Sequence[int], pairs: Sequence[Pair], note: str) -> Picture:
    """Draw a forest; the marker says whether the interval lies wholly on one side of 0."""
    prints = [comparison.scores.measures[m].fingerprint for m in measures]
    title = _title(comparison)
    with looks():
        sheet, panels = picture(title, note, prints, len(measures), 3, 0.7 + 0.2 * len(pairs), sharey=True)
        for panel, m in zip(panels, measures, strict=True):
            _panel(panel, comparison, [Key(pair, m) for pair in pairs])
        panels[0].set_yticks(range(len(pairs)), [called(comparison.pairing.called(pair)) for pair in pairs])
        panels[0].set_ylim(len(pairs) - 0.4, -0.6)
        marks = {text: Line2D([], [], marker=m, color=c, linestyle="") for m, c, text in _SIDES.values()}
        if any(bar(comparison, m) for m in measures):
            marks["margin or tolerance"] = Line2D([], [], color=INK, linewidth=0.9, linestyle=(0, (4, 2)))
        legend_below(sheet, list(marks.values()), list(marks))
    return sheet


def _title(comparison: Comparison) -> str:
    """Say what the differences are from, and how their intervals were corrected."""
    origin = f" from {called(comparison.baseline)}" if comparison.baseline else ""
    fix = comparison.methods.correction
    how = "" if fix == "none" else f", corrected ({fix})"
    return f"Differences{origin} with {comparison.methods.level:.0%} intervals{how}"


def _panel(panel: Axes, comparison: Comparison, keys: Sequence[Key]) -> None:
    panel.axvline(0.0, color=FAINT, linewidth=0.8)
    for place, key in enumerate(keys):
        found = comparison.contrasts[key]
        marker, colour, _ = _SIDES[side(found)]
        low, high = found.corrected.low, found.corrected.high
        reach = spans([found.difference], [(low, high)]) if math.isfinite(low + high) else None
        panel.errorbar([found.difference], [place], xerr=reach, fmt=marker, color=colour, capsize=2.5)
    _cut(panel, comparison, keys)
    where = bar(comparison, keys[0][1])
    if where:
        panel.axvline(where, color=INK, linewidth=0.9, linestyle=(0, (4, 2)))
    titled(panel, called(comparison.scores.labels[keys[0][1]]))
    panel.grid(axis="x", color=GRID)


def _cut(panel: Axes, comparison: Comparison, keys: Sequence[Key]) -> None:
    found = [comparison.contrasts[key] for key in keys]
    ends = [(each.corrected.low, each.corrected.high) for each in found]
    middles = [*(each.difference for each in found), bar(comparison, keys[0][1])]
    cut(panel, ends, limits(middles, ends, comparison.scores.measures[keys[0][1]], differs=True), color=FAINT)


def side(found: Contrast) -> str:
    """Say on which side of 0 an interval lies wholly: gain, loss, or neither; a count is neither good nor bad."""
    if found.direction == "count":
        return ""
    return "gain" if found.gain.low > 0 else "loss" if found.gain.high < 0 else ""


def bar(comparison: Comparison, m: int) -> float:
    """Return what an interval must lie above, as a difference: the margin, or the tolerance taken as a loss."""
    rule, label = comparison.rule, comparison.scores.labels[m]
    found = rule.bar if m == 0 else -rule.tolerated(label)
    return -found if comparison.scores.measures[m].definition.properties.direction == "lower" else found
