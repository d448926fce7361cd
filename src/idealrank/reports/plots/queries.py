"""Plots of the values of queries: their distribution, segments, and the grades of their results."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np
from matplotlib.axes import Axes
from matplotlib.colors import Colormap, LinearSegmentedColormap, Normalize
from matplotlib.image import AxesImage
from matplotlib.patches import Patch, Rectangle
from matplotlib.ticker import MaxNLocator

from idealrank.arrays import Floats, Ints, Mask
from idealrank.comparison.comparison import Comparison
from idealrank.comparison.pairing import Key, Pair
from idealrank.comparison.segments.attributes import Attribute, attributes, results_attribute
from idealrank.comparison.segments.segments import measure_segment
from idealrank.display.palette import GRADES
from idealrank.errors import UsageError, either, refuse_count
from idealrank.evaluation.mean_tables import LEVEL, average_name, in_mean, mean_interval, mean_over
from idealrank.evaluation.scores import Scores
from idealrank.measures.definition import Measure
from idealrank.reports.plots.picture import (
    FAINT,
    GRID,
    INK,
    LINES,
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
from idealrank.reports.plots.selection import pair_name, select_pairs, select_systems
from idealrank.reports.sections.charts import DEPTH, histogram
from idealrank.reports.sections.lists import RankedLists, ranked_lists
from idealrank.reports.subject import Subject, scores_of

# Segments.


class SegmentBar(NamedTuple):
    """One segment: its name, how many queries it has, and where its mean is; low and high NaN where unknown."""

    name: str
    queries: int
    mean: float
    low: float
    high: float

    @property
    def ends(self) -> tuple[float, float]:
        """The ends of the interval."""
        return self.low, self.high


class SegmentPanel(NamedTuple):
    """What is drawn: rows by panel, what the axis shows, and whether differences are shown; then 0 matters."""

    title: str
    axis: str
    note: str
    measure: Measure
    panels: Mapping[str, Sequence[SegmentBar]]
    differs: bool


def segments(
    subject: Subject, measure: str | None = None, *, by: str | None = None, system: str | None = None
) -> Picture:
    """Draw the mean of each segment of the queries with its 95 % interval: one panel per system.

    Of a comparison the mean differences with their intervals: one panel per pair.

    Parameters
    ----------
    subject
        Scores or a comparison.
    measure
        One of the measures; None: the first.
    by
        What segments go by: a column of the queries table, length, digit or traffic, of a comparison results too;
        None: what the comparison was asked for, else the first there is.
    system
        One of the systems, or of those compared as the verdicts name it; None: all.

    Examples
    --------
    >>> import idealrank as ir
    >>> kinds = {"query_id": ["q", "r"], "kind": ["brand", "other"]}
    >>> scores = ir.evaluate({"q": {"a": 1}, "r": {"a": 1}}, {"q": {"a": 1.0}}, ["RR"], queries=kinds)
    >>> [label.get_text() for label in ir.plots.segments(scores).axes[0].get_yticklabels()]
    ['brand (1)', 'other (1)']
    """
    if isinstance(subject, Comparison):
        return _draw(_difference_panel(subject, measure, by, system))
    return _draw(_mean_panel(scores_of(subject), measure, by, system))


def _mean_panel(subject: Scores, measure: str | None, by: str | None, system: str | None) -> SegmentPanel:
    scores, (m,), systems, note = select_systems(subject, measure, system)
    attribute, label = _find_attribute(scores, by), safe_label(scores.labels[m])
    rows = {
        scores.systems[s]: [_mean_bar(scores, s, m, name, mask) for name, mask in attribute.segments.items()]
        for s in systems
    }
    return SegmentPanel(
        title=f"{label} by {safe_label(attribute.name)}",
        axis=f"{average_name(scores, m)} {label}",
        note=_segments_note(note, LEVEL),
        measure=scores.measures[m],
        panels=rows,
        differs=False,
    )


def _mean_bar(scores: Scores, s: int, m: int, name: str, mask: Mask) -> SegmentBar:
    keep = mask & in_mean(scores, s, m)
    if not keep.any():
        return SegmentBar(name, 0, math.nan, math.nan, math.nan)
    return SegmentBar(name, int(keep.sum()), mean_over(scores, s, m, keep), *mean_interval(scores, s, m, keep))


def _find_attribute(scores: Scores, by: str | None) -> Attribute:
    there = attributes(scores, () if by is None else (by,))
    if not there:
        raise _no_segments_error(by)
    return there[0]


def _difference_panel(comparison: Comparison, measure: str | None, by: str | None, system: str | None) -> SegmentPanel:
    shown = select_pairs(comparison, "segments", measure, system)
    scores, (m,) = comparison.scores, shown.measures
    name, label = by or _compared_attribute(comparison, shown.pairs[0]), safe_label(scores.labels[m])
    return SegmentPanel(
        title=f"{label} by {safe_label(name)}: differences",
        axis=f"difference in {label}",
        note=_segments_note(shown.note, comparison.methods.level),
        measure=scores.measures[m],
        panels={pair_name(comparison, key): _difference_bars(comparison, key, name) for key in shown.keys},
        differs=True,
    )


def _difference_bars(comparison: Comparison, key: Key, name: str) -> list[SegmentBar]:
    (attribute,) = attributes(comparison.scores, (name,)) + results_attribute(comparison.scores, key[0], (name,))
    made = (
        measure_segment(comparison.pairing, comparison.methods, key, name, each, mask)
        for each, mask in attribute.segments.items()
    )
    return [SegmentBar(row.name, row.queries, row.difference, *_known_ends(row.low, row.high)) for row in made]


def _known_ends(low: float, high: float) -> tuple[float, float]:
    return (low, high) if math.isfinite(low + high) else (math.nan, math.nan)


def _compared_attribute(comparison: Comparison, pair: Pair) -> str:
    """Return the first attribute that the comparison was asked for, else the first there is."""
    scores = comparison.scores
    names = comparison.segment or [a.name for a in (*attributes(scores), *results_attribute(scores, pair))]
    if not names:
        raise _no_segments_error(None)
    return names[0]


def _segments_note(note: str, level: float) -> str:
    return f"{note}. Behind a segment: its queries. {level:.0%} intervals, each on its own."


def _no_segments_error(by: str | None) -> UsageError:
    """Build the error for queries that nothing tells apart."""
    if by is not None:
        return UsageError(f"{by} tells the results of two systems apart: only comparisons have this segment.")
    way = either("queries=…", "--queries-table FILE")
    return UsageError(
        f"Nothing known about the queries tells them apart. Give {way}: their texts, segments or frequencies."
    )


def _draw(drawn: SegmentPanel) -> Picture:
    """Draw one panel per system or pair, one line per segment."""
    rows = [row for panel in drawn.panels.values() for row in panel]
    limits = axis_limits([row.mean for row in rows], [row.ends for row in rows], drawn.measure, drawn.differs)
    names = list(dict.fromkeys(row.name for row in rows))
    prints, height = [drawn.measure.fingerprint], 0.75 + 0.21 * len(names)
    with looks():
        sheet, panels = picture(drawn.title, drawn.note, prints, len(drawn.panels), 3, height, sharex=True, sharey=True)
        for panel, (title, shown) in zip(panels, drawn.panels.items(), strict=True):
            _draw_segment_panel(panel, names, shown, limits)
            set_title(panel, safe_label(title))
            if drawn.differs:
                panel.axvline(0.0, color=FAINT, linewidth=0.8)
        panels[0].set_yticks(range(len(names)), [f"{safe_label(name)} ({_counts_text(name, rows)})" for name in names])
        panels[0].set_ylim(len(names) - 0.4, -0.6)
        panels[-1].set_xlabel(drawn.axis)
    return sheet


def _draw_segment_panel(
    panel: Axes, names: Sequence[str], rows: Sequence[SegmentBar], limits: tuple[float, float]
) -> None:
    dots = [row.mean for row in rows]
    reach = spans(dots, [row.ends for row in rows])
    panel.errorbar(dots, [names.index(row.name) for row in rows], xerr=reach, fmt="o", color=LINES[0], capsize=2.5)
    panel.grid(axis="x", color=GRID)
    ends = {row.name: row.ends for row in rows}
    mark_beyond(panel, [ends.get(name, (math.nan, math.nan)) for name in names], limits, color=LINES[0])


def _counts_text(name: str, rows: Sequence[SegmentBar]) -> str:
    """Write the number of queries of a segment; where panels differ, that of each in their order."""
    counts = [row.queries for row in rows if row.name == name]
    return str(counts[0]) if len(set(counts)) == 1 else ", ".join(map(str, counts))


# Distribution.


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
    scores, (m,), systems, note = select_systems(subject, measure, system)
    edges, counts = histogram(scores, m)
    title, few = f"{safe_label(scores.labels[m])}: values of queries", len(systems) <= 5
    across, height = (1, 1.0) if few else (2, 0.62)
    note = f"{note}. Line: median; dot: {average_name(scores, m).replace('sum', 'mean')}."
    with looks():
        prints = [scores.measures[m].fingerprint]
        sheet, panels = picture(title, note, prints, len(systems), across, height, sharex=True, sharey=True)
        for panel, s in zip(panels, systems, strict=True):
            _draw_steps(panel, edges, counts[s], int(counts.max()))
            _draw_middles(panel, scores, s, m)
            set_title(panel, safe_label(scores.systems[s]))
        panels[0].set_ylabel("queries")
    return sheet


def _draw_steps(panel: Axes, edges: Floats, counts: Ints, highest: int) -> None:
    panel.stairs(counts, edges, fill=True, color=LINES[0], alpha=0.55)
    panel.locator_params(axis="y", nbins=3, integer=True)
    panel.set_ylim(0, max(highest * 1.15, 1))


def _draw_middles(panel: Axes, scores: Scores, s: int, m: int) -> None:
    """Draw the median as a line, and as a dot the mean that is printed; where that is a sum, the mean of its parts."""
    values = scores.values[s, m]
    if np.isnan(values).all():
        return
    summed = scores.measures[m].definition.total == "sum"
    panel.axvline(float(np.nanmedian(values)), color=INK, linewidth=1.2)
    mean = float(np.nanmean(values)) if summed else scores.all_means[s][m]
    panel.plot([mean], [0], "o", color=INK, clip_on=False, zorder=5)


# Grades.


NAMED = 40
"""So many queries are named beside their rows, where there are three systems at most."""
_HATCH = "//////"
CHIPS = 7
"""So many different grades have a colour each in the legend; of more there is a scale."""


def grades(subject: Subject, measure: str | None = None, *, system: str | None = None, depth: int = DEPTH) -> Picture:
    """Draw the grades of the first results: one row per query, one column per rank, one panel per system.

    An unjudged result is hatched, no result is white.

    Parameters
    ----------
    subject
        Scores or a comparison.
    measure
        Queries are sorted by its value, the best mean over the systems first; None: the first measure.
    system
        One of the systems; None: all.
    depth
        The last rank.

    Examples
    --------
    >>> import idealrank as ir
    >>> scores = ir.evaluate({"q": {"a": 1}}, {"q": {"a": 1.0}}, ["P@5"])
    >>> ir.plots.grades(scores, depth=3).get_suptitle()
    'Grades of the first 3 results; queries by P@5, best first'
    """
    scores, (m,), systems, note = select_systems(subject, measure, system)
    refuse_count("depth", depth, "how deep")
    rows = sort_queries(scores, m)
    lists = ranked_lists(scores, depth)
    cells = {s: grade_strip(lists[scores.systems[s]], depth)[rows] for s in systems}
    graded = np.unique(np.concatenate([strips[np.isfinite(strips)] for strips in cells.values()]))
    scale = Normalize(min(graded.min(initial=0.0), 0.0), max(graded.max(initial=0.0), 1.0))
    across = min(len(systems), 5)
    height = min(max(0.5 + 0.13 * len(rows), 1.4), 6.0 if across == len(systems) else 2.2)
    title = f"Grades of the first {depth} results; queries by {safe_label(scores.labels[m])}, best first"
    prints = [scores.measures[m].fingerprint]
    with looks():
        sheet, panels = picture(title, note, prints, len(systems), across, height, sharex=True, sharey=True)
        for panel, s in zip(panels, systems, strict=True):
            image = _draw_grade_panel(panel, cells[s], scale)
            set_title(panel, safe_label(scores.systems[s]))
        _name_rows(panels[0], [scores.queries[q] for q in rows], len(systems))
        panels[-1].set_xlabel("rank")
        _draw_legend(sheet, panels, image, graded)
    return sheet


def _draw_grade_panel(panel: Axes, cells: Floats, scale: Normalize) -> AxesImage:
    """Draw the strip of a system; what is transparent in the image shows the hatched ground below it."""
    count, depth = cells.shape
    panel.add_patch(
        Rectangle((0.5, -0.5), depth, count, facecolor="white", edgecolor=FAINT, hatch=_HATCH, linewidth=0, zorder=0)
    )
    panel.xaxis.set_major_locator(MaxNLocator(5, integer=True, min_n_ticks=1))
    shown = np.ma.masked_invalid(np.where(np.isneginf(cells), scale.vmin - 1.0, cells))  # type: ignore[operator]
    return panel.imshow(
        shown, cmap=_grade_colours(), norm=scale, aspect="auto", interpolation="nearest", zorder=1,
        extent=(0.5, depth + 0.5, count - 0.5, -0.5),
    )  # fmt: skip


def _grade_colours() -> Colormap:
    """One hue from light to dark; no result is white, an unjudged one lets the ground through."""
    ends = [colour.light for colour in GRADES]
    return LinearSegmentedColormap.from_list("grades", ends).with_extremes(bad=(0, 0, 0, 0), under="white")


def _name_rows(panel: Axes, queries: Sequence[str], systems: int) -> None:
    """Name the queries beside their rows, or count them where they are many."""
    named = len(queries) <= NAMED and systems <= 3
    panel.set_yticks(range(len(queries)) if named else [], [safe_label(query) for query in queries] if named else [])
    panel.set_ylabel("" if named else f"{len(queries)} queries")


def _draw_legend(sheet: Picture, panels: Sequence[Axes], image: AxesImage, graded: Floats) -> None:
    """Write the colours of the grades, or the scale where there are many, and what is hatched."""
    chips = {f"{grade:g}": Patch(facecolor=tuple(image.to_rgba(grade)), edgecolor=FAINT) for grade in graded}
    if len(graded) > CHIPS:
        sheet.colorbar(image, ax=panels, label="grade")
        chips = {}
    chips["not judged"] = Patch(facecolor="white", edgecolor=FAINT, hatch=_HATCH)
    chips["no result"] = Patch(facecolor="white", edgecolor=FAINT)
    legend_below(sheet, list(chips.values()), list(chips))


def grade_strip(lists: RankedLists, depth: int) -> Floats:
    """(Q, K) grade of each result within the depth; NaN where nobody judged it, −∞ where there is no result."""
    counts = np.diff(lists.start)
    cells = np.full((len(counts), depth), -np.inf)
    cells[np.repeat(np.arange(len(counts)), counts), lists.rank - 1] = lists.grade
    return cells


def sort_queries(scores: Scores, m: int) -> Ints:
    """Return the places of the queries that have a value, the best mean over the systems first; equal ones by id."""
    valued = np.flatnonzero(~np.isnan(scores.values[:, m]).all(axis=0))
    values = np.nanmean(scores.values[:, m, valued], axis=0)
    turn = 1 if scores.measures[m].definition.properties.direction == "lower" else -1
    ids = [scores.queries[q] for q in valued]
    order = sorted(range(len(valued)), key=lambda i: (turn * values[i], ids[i]))
    return valued[np.array(order, np.int64)]
