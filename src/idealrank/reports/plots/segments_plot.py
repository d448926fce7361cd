"""Values, or differences, by segment of the queries, with their intervals."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from matplotlib.axes import Axes

from idealrank.arrays import Mask
from idealrank.comparison.comparison import Comparison
from idealrank.comparison.pairing import Key, Pair
from idealrank.comparison.segments.attributes import Attribute, answered, attributes
from idealrank.comparison.segments.segment import segment
from idealrank.errors import UsageError, either
from idealrank.evaluation.mean_intervals import LEVEL, in_mean, mean_of, over, spread
from idealrank.evaluation.scores import Scores
from idealrank.measures import Measure
from idealrank.reports.plots.choice import pairs_shown, systems_shown
from idealrank.reports.plots.limits import axis_limits, mark_beyond
from idealrank.reports.plots.pairs import pair_name
from idealrank.reports.plots.picture import FAINT, GRID, LINES, Picture, called, looks, picture, spans, titled
from idealrank.reports.subject import Subject, scores_of


class Row(NamedTuple):
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


class Sheet(NamedTuple):
    """What is drawn: rows by panel, what the axis shows, and whether differences are shown; then 0 matters."""

    title: str
    axis: str
    note: str
    measure: Measure
    panels: Mapping[str, Sequence[Row]]
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
        return _draw(_differences(subject, measure, by, system))
    return _draw(_means(scores_of(subject), measure, by, system))


def _means(subject: Scores, measure: str | None, by: str | None, system: str | None) -> Sheet:
    scores, (m,), systems, note = systems_shown(subject, measure, system)
    attribute, label = _attribute(scores, by), called(scores.labels[m])
    rows = {
        scores.systems[s]: [_mean(scores, s, m, name, mask) for name, mask in attribute.segments.items()]
        for s in systems
    }
    return Sheet(
        title=f"{label} by {called(attribute.name)}",
        axis=f"{over(scores, m)} {label}",
        note=_note(note, LEVEL),
        measure=scores.measures[m],
        panels=rows,
        differs=False,
    )


def _differences(comparison: Comparison, measure: str | None, by: str | None, system: str | None) -> Sheet:
    shown = pairs_shown(comparison, "segments", measure, system)
    scores, (m,) = comparison.scores, shown.measures
    name, label = by or _compared_by(comparison, shown.pairs[0]), called(scores.labels[m])
    return Sheet(
        title=f"{label} by {called(name)}: differences",
        axis=f"difference in {label}",
        note=_note(shown.note, comparison.methods.level),
        measure=scores.measures[m],
        panels={pair_name(comparison, key): _compared(comparison, key, name) for key in shown.keys},
        differs=True,
    )


def _note(note: str, level: float) -> str:
    return f"{note}. Behind a segment: its queries. {level:.0%} intervals, each on its own."


def _attribute(scores: Scores, by: str | None) -> Attribute:
    there = attributes(scores, () if by is None else (by,))
    if not there:
        raise _no_segments(by)
    return there[0]


def _compared_by(comparison: Comparison, pair: Pair) -> str:
    """Return the first attribute that the comparison was asked for, else the first there is."""
    scores = comparison.scores
    names = comparison.segment or [a.name for a in (*attributes(scores), *answered(scores, pair))]
    if not names:
        raise _no_segments(None)
    return names[0]


def _no_segments(by: str | None) -> UsageError:
    """Build the error for queries that nothing tells apart."""
    if by is not None:
        return UsageError(f"{by} tells the results of two systems apart: only comparisons have this segment.")
    way = either("queries=…", "--queries-table FILE")
    return UsageError(
        f"Nothing known about the queries tells them apart. Give {way}: their texts, segments or frequencies."
    )


def _mean(scores: Scores, s: int, m: int, name: str, mask: Mask) -> Row:
    keep = mask & in_mean(scores, s, m)
    if not keep.any():
        return Row(name, 0, math.nan, math.nan, math.nan)
    return Row(name, int(keep.sum()), mean_of(scores, s, m, keep), *spread(scores, s, m, keep))


def _compared(comparison: Comparison, key: Key, name: str) -> list[Row]:
    (attribute,) = attributes(comparison.scores, (name,)) + answered(comparison.scores, key[0], (name,))
    made = (
        segment(comparison.pairing, comparison.methods, key, name, each, mask)
        for each, mask in attribute.segments.items()
    )
    return [Row(row.name, row.queries, row.difference, *_ends(row.low, row.high)) for row in made]


def _ends(low: float, high: float) -> tuple[float, float]:
    return (low, high) if math.isfinite(low + high) else (math.nan, math.nan)


def _draw(drawn: Sheet) -> Picture:
    """Draw one panel per system or pair, one line per segment."""
    rows = [row for panel in drawn.panels.values() for row in panel]
    limits = axis_limits([row.mean for row in rows], [row.ends for row in rows], drawn.measure, drawn.differs)
    names = list(dict.fromkeys(row.name for row in rows))
    prints, height = [drawn.measure.fingerprint], 0.75 + 0.21 * len(names)
    with looks():
        sheet, panels = picture(drawn.title, drawn.note, prints, len(drawn.panels), 3, height, sharex=True, sharey=True)
        for panel, (title, shown) in zip(panels, drawn.panels.items(), strict=True):
            _panel(panel, names, shown, limits)
            titled(panel, called(title))
            if drawn.differs:
                panel.axvline(0.0, color=FAINT, linewidth=0.8)
        panels[0].set_yticks(range(len(names)), [f"{called(name)} ({_counts(name, rows)})" for name in names])
        panels[0].set_ylim(len(names) - 0.4, -0.6)
        panels[-1].set_xlabel(drawn.axis)
    return sheet


def _panel(panel: Axes, names: Sequence[str], rows: Sequence[Row], limits: tuple[float, float]) -> None:
    dots = [row.mean for row in rows]
    reach = spans(dots, [row.ends for row in rows])
    panel.errorbar(dots, [names.index(row.name) for row in rows], xerr=reach, fmt="o", color=LINES[0], capsize=2.5)
    panel.grid(axis="x", color=GRID)
    ends = {row.name: row.ends for row in rows}
    mark_beyond(panel, [ends.get(name, (math.nan, math.nan)) for name in names], limits, color=LINES[0])


def _counts(name: str, rows: Sequence[Row]) -> str:
    """Write the number of queries of a segment; where panels differ, that of each in their order."""
    counts = [row.queries for row in rows if row.name == name]
    return str(counts[0]) if len(set(counts)) == 1 else ", ".join(map(str, counts))
