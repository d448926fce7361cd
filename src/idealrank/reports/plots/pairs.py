"""Plots of pairs of systems: differences by query, scatter, overlap of lists, intervals of the differences."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
from matplotlib.axes import Axes
from matplotlib.lines import Line2D

from idealrank.arrays import Floats
from idealrank.comparison.comparison import Comparison
from idealrank.comparison.contrasts import Contrast
from idealrank.comparison.overlap import overlap_table
from idealrank.comparison.pairing import Key
from idealrank.display.numbers import signed
from idealrank.errors import refuse_count
from idealrank.evaluation.mean_tables import counts_of_queries
from idealrank.reports.plots.picture import (
    EQUAL,
    FAINT,
    GAIN,
    GRID,
    INK,
    LINES,
    LOSS,
    MANY,
    Picture,
    axis_limits,
    legend_below,
    looks,
    mark_beyond,
    picture,
    safe_label,
    set_title,
    spans,
)
from idealrank.reports.plots.selection import (
    PairedDifferences,
    colours,
    differences_of,
    pair_name,
    pairs_of,
    select_pairs,
    tally,
)
from idealrank.reports.sections.charts import DEPTH
from idealrank.reports.subject import need_comparison

# Intervals.


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
    measures, pairs, note = select_pairs(comparison, "intervals", measure, system, unnamed=None)
    prints = [comparison.scores.measures[m].fingerprint for m in measures]
    title, height = _title(comparison), 0.7 + 0.2 * len(pairs)
    with looks():
        sheet, panels = picture(title, note, prints, len(measures), 3, height, sharey=True)
        for panel, m in zip(panels, measures, strict=True):
            _draw_panel(panel, comparison, [Key(pair, m) for pair in pairs])
        panels[0].set_yticks(range(len(pairs)), [safe_label(comparison.pairing.pair_label(pair)) for pair in pairs])
        panels[0].set_ylim(len(pairs) - 0.4, -0.6)
        _draw_legend(sheet, any(bar(comparison, m) for m in measures))
    return sheet


def _draw_legend(sheet: Picture, barred: bool) -> None:
    marks = {text: Line2D([], [], marker=m, color=c, linestyle="") for m, c, text in _SIDES.values()}
    if barred:
        marks["margin or tolerance"] = Line2D([], [], color=INK, linewidth=0.9, linestyle=(0, (4, 2)))
    legend_below(sheet, list(marks.values()), list(marks))


def _title(comparison: Comparison) -> str:
    """Say what the differences are from, and how their intervals were corrected."""
    origin = f" from {safe_label(comparison.baseline)}" if comparison.baseline else ""
    fix = comparison.methods.correction
    how = "" if fix == "none" else f", corrected ({fix})"
    return f"Differences{origin} with {comparison.methods.level:.0%} intervals{how}"


def _draw_panel(panel: Axes, comparison: Comparison, keys: Sequence[Key]) -> None:
    contrasts, m = [comparison.contrasts[key] for key in keys], keys[0][1]
    panel.axvline(0.0, color=FAINT, linewidth=0.8)
    for place, contrast in enumerate(contrasts):
        _draw_interval(panel, place, contrast)
    margin = bar(comparison, m)
    ends = [(contrast.corrected.low, contrast.corrected.high) for contrast in contrasts]
    middles = [*(contrast.difference for contrast in contrasts), margin]
    mark_beyond(panel, ends, axis_limits(middles, ends, comparison.scores.measures[m], differs=True), color=FAINT)
    if margin:
        panel.axvline(margin, color=INK, linewidth=0.9, linestyle=(0, (4, 2)))
    set_title(panel, safe_label(comparison.scores.labels[m]))
    panel.grid(axis="x", color=GRID)


def _draw_interval(panel: Axes, place: int, contrast: Contrast) -> None:
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


# Differences.


NAMED = 40
"""So many queries have a bar with a name each; more are steps."""
_SHORT, _LETTER = 9, 0.055
"""Letters of a name there is room for, and inches of a letter more."""


def differences(comparison: Comparison, measure: str | None = None, *, system: str | None = None) -> Picture:
    """Draw the difference of every query as a bar, the greatest gain first, with wins, ties and losses.

    Gains are blue, losses orange; each is above or below 0.

    Parameters
    ----------
    comparison
        A comparison.
    measure
        One of the measures; None: the first.
    system
        One of those compared, as the verdicts name it; None: a panel for each pair.

    Examples
    --------
    >>> import idealrank as ir
    >>> qrels, run = {"q": {"a": 1}, "r": {"a": 1}}, {"q": {"a": 2.0, "x": 1.0}, "r": {"a": 1.0}}
    >>> comparison = ir.compare(qrels, {"old": run, "new": run}, ["RR"])
    >>> print(ir.plots.differences(comparison).axes[0].get_title(loc="left"))
    new vs old
    ▲ 0 better  = 2 equal  ▼ 0 worse, mean +0.0000
    """
    shown = select_pairs(comparison, "differences", measure, system)
    (m,), keys, one = shown.measures, shown.keys, len(shown.keys) == 1
    title = f"{safe_label(comparison.scores.labels[m])}: difference of every query"
    rows = {key: differences_of(comparison, key) for key in keys}
    height = 2.9 + _name_room(_bar_names(comparison, rows[keys[0]])) if one else 1.5
    with looks():
        prints = [comparison.scores.measures[m].fingerprint]
        sheet, panels = picture(title, shown.note, prints, len(keys), 1 if one else 2, height, sharey=True)
        for panel, key in zip(panels, keys, strict=True):
            _draw_bars(panel, comparison, key, rows[key], _bar_names(comparison, rows[key]) if one else [])
            _draw_mean(panel, comparison, key, one)
        panels[-1].set_xlabel("queries")
        panels[0].set_ylabel("difference")
        if not any(comparison.contrasts[key].wins + comparison.contrasts[key].losses for key in keys):
            panels[0].set_ylim(-0.1, 0.1)
    return sheet


def _bar_names(comparison: Comparison, rows: PairedDifferences) -> list[str]:
    """Return the names of the queries; none where they are many."""
    return [safe_label(comparison.scores.queries[q]) for q in rows.places] if len(rows.places) <= NAMED else []


def _name_room(names: Sequence[str]) -> float:
    """Return the inches that long names below the bars take up, more than short ones do."""
    return _LETTER * max(max(map(len, names), default=0) - _SHORT, 0)


def _draw_bars(panel: Axes, comparison: Comparison, key: Key, rows: PairedDifferences, names: Sequence[str]) -> None:
    """Draw a bar per query where they are named, else steps."""
    gain, loss = colours(comparison.contrasts[key])
    d, gains = rows.values, rows.gains
    if names:
        panel.bar(range(len(d)), d, color=[loss if value < 0 else gain for value in gains], width=0.82)
        panel.set_xticks(range(len(d)), names, rotation=90, fontsize=6.5)
        return
    edges = np.arange(len(d) + 1) - 0.5
    for part, colour in ((gains > 0, gain), (gains < 0, loss)):
        panel.stairs(np.where(part, d, 0.0), edges, fill=True, color=colour, linewidth=0, rasterized=len(d) > MANY)


def _draw_mean(panel: Axes, comparison: Comparison, key: Key, one: bool) -> None:
    contrast = comparison.contrasts[key]
    panel.axhline(0.0, color=FAINT, linewidth=0.8)
    panel.axhline(contrast.difference, color=INK, linewidth=0.9, linestyle=(0, (4, 2)), label="mean")
    text = f"{tally(contrast, in_full=one)}, mean {signed(contrast.difference)}"
    set_title(panel, f"{pair_name(comparison, key)}\n{text}")
    panel.grid(axis="y", color=GRID)


# Overlap.


_LOOKS: dict[str, tuple[str, object]] = {"jaccard": (LINES[0], "-"), "rbo": (LINES[1], (0, (4, 1.5)))}


def overlap(comparison: Comparison, *, system: str | None = None, depth: int = DEPTH) -> Picture:
    """Draw how much the lists of two systems share: Jaccard and RBO of every query, each in falling order.

    Parameters
    ----------
    comparison
        A comparison.
    system
        One of those compared, as the verdicts name it; None: a panel for each pair.
    depth
        Compare only this many first results of each.

    Examples
    --------
    >>> import idealrank as ir
    >>> qrels, run = {"q": {"a": 1}, "r": {"a": 1}}, {"q": {"a": 2.0, "x": 1.0}, "r": {"a": 1.0}}
    >>> comparison = ir.compare(qrels, {"old": run, "new": run}, ["RR"])
    >>> ir.plots.overlap(comparison, depth=3).axes[0].get_title(loc="left")
    'old and new'
    """
    pairs = pairs_of(need_comparison(comparison, "overlap"), system)
    refuse_count("depth", depth, "how deep")
    scores, chosen = comparison.scores, comparison.pairing.chosen
    counted = counts_of_queries({"": int(chosen.sum())}, len(scores.queries))
    note = f"Lists under {scores.setting.text}, judged or not; {counted}"
    across, height = (1, 2.9) if len(pairs) == 1 else (3, 1.7)
    with looks():
        title = f"What the first {depth} results share, query by query"
        sheet, panels = picture(title, note, [], len(pairs), across, height, sharex=True, sharey=True)
        for panel, pair in zip(panels, pairs, strict=True):
            shared = overlap_table(scores, pair, depth)
            lines = [_draw_falling(panel, shared.array(name)[chosen], *look) for name, look in _LOOKS.items()]
            set_title(panel, " and ".join(safe_label(comparison.systems[s]) for s in pair))
            panel.set_ylim(-0.03, 1.03)
            panel.grid(axis="y", color=GRID)
        panels[-1].set_xlabel("queries")
        legend_below(sheet, lines, ["Jaccard (documents of both / of either)", "RBO (p = 0.9)"])
    return sheet


def _draw_falling(panel: Axes, values: Floats, colour: str, dash: object) -> object:
    """Draw values as steps, the highest first: the edge of a query lies on either side of its number."""
    falling = np.sort(values)[::-1]
    (line,) = panel.plot(
        np.arange(1, len(values) + 1), falling, drawstyle="steps-mid", color=colour, linestyle=dash, label="_"
    )
    return line


# Scatter.


def scatter(comparison: Comparison, measure: str | None = None, *, system: str | None = None) -> Picture:
    """Draw the values of the baseline against those of the system, query by query, with the diagonal.

    A point is ▲ where the query gets better, ▼ where it gets worse, a dot where both values are equal.

    Parameters
    ----------
    comparison
        A comparison.
    measure
        One of the measures; None: the first.
    system
        One of those compared, as the verdicts name it; None: a panel for each pair.

    Examples
    --------
    >>> import idealrank as ir
    >>> qrels, run = {"q": {"a": 1}, "r": {"a": 1}}, {"q": {"a": 2.0, "x": 1.0}, "r": {"a": 1.0}}
    >>> comparison = ir.compare(qrels, {"old": run, "new": run}, ["RR"])
    >>> ir.plots.scatter(comparison).axes[0].get_xlabel()
    'old'
    """
    shown = select_pairs(comparison, "scatter", measure, system)
    scores, (m,) = comparison.scores, shown.measures
    across, height = (1, 4.6) if len(shown.pairs) == 1 else (4, 2.0)
    with looks():
        title, prints = f"{safe_label(scores.labels[m])} of every query", [scores.measures[m].fingerprint]
        sheet, panels = picture(title, shown.note, prints, len(shown.pairs), across, height, sharex=True, sharey=True)
        for panel, key in zip(panels, shown.keys, strict=True):
            _draw_points(panel, comparison, key)
            set_title(panel, tally(comparison.contrasts[key], in_full=len(shown.pairs) == 1))
        _draw_diagonal(panels)
    return sheet


def _draw_points(panel: Axes, comparison: Comparison, key: Key) -> None:
    places, _, gains = differences_of(comparison, key)
    before, after = (comparison.scores.values[s, key[1], places] for s in key[0])
    gain, loss = colours(comparison.contrasts[key])
    many = len(places) > MANY
    for part, marker, colour in ((gains == 0, ".", EQUAL), (gains > 0, "^", gain), (gains < 0, "v", loss)):
        panel.plot(
            before[part], after[part], linestyle="", marker=marker, color=colour, markeredgewidth=0,
            markersize=2.0 if many else 4.5, alpha=0.4 if many else 0.7, rasterized=many,
        )  # fmt: skip
    panel.set_xlabel(safe_label(comparison.systems[key[0][0]]))
    panel.set_ylabel(safe_label(comparison.systems[key[0][1]]))


def _draw_diagonal(panels: Sequence[Axes]) -> None:
    """Draw the line of equal values; both axes have the same limits in every panel."""
    low = min(min(panel.get_xlim()[0], panel.get_ylim()[0]) for panel in panels)
    high = max(max(panel.get_xlim()[1], panel.get_ylim()[1]) for panel in panels)
    for panel in panels:
        panel.plot((low, high), (low, high), color=FAINT, linewidth=0.8, zorder=0)
        panel.set(xlim=(low, high), ylim=(low, high), aspect="equal")
