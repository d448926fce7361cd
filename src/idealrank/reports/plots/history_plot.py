"""A measure over dates: one panel per measure, one line per system, with intervals."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from datetime import timedelta
from typing import Any

from matplotlib.axes import Axes

from idealrank.comparison.baseline.dates import begin_of
from idealrank.comparison.history.timeline import LEVEL, History, Point
from idealrank.errors import UsageError
from idealrank.reports.plots.picture import (
    FAINT,
    GRID,
    Picture,
    called,
    legend_below,
    line_of,
    looks,
    picture,
    spans,
    titled,
)

_FEW = 8
"""Dates that are all written below the axis."""


def history(subject: History, measure: str | None = None, *, system: str | None = None) -> Picture:
    """Draw means over dates with their 95 % intervals: one panel per measure, one line per system.

    A dotted line marks a date since which judgments changed: the means before it and after it have other labels.

    Parameters
    ----------
    subject
        What `idealrank.history` returned.
    measure, system
        One of them; None: all.

    Examples
    --------
    >>> import idealrank as ir
    >>> found = ir.history({"2026-11-01": {"q": {"a": 1.0}}}, judgments={"q": {"a": 1}}, measures="RR")
    >>> [panel.get_title(loc="left") for panel in ir.plots.history(found).axes]
    ['RR']
    """
    if not isinstance(subject, History):
        raise UsageError(f"plots.history shows a history, not a {type(subject).__name__}: ir.history(results).")
    lines = {
        key: line for key, line in subject.lines().items() if measure in (None, key[0]) and system in (None, key[1])
    }
    if not lines:
        raise UsageError(f"No points of {measure or 'any measure'} and {system or 'any system'} in this history.")
    measures = list(dict.fromkeys(name for name, _ in lines))
    prints = [line[0].baseline.measures[name] for (name, _), line in lines.items()]
    systems = list(dict.fromkeys(name for _, name in lines))
    places = _places([point for line in lines.values() for point in line])
    with looks():
        sheet, panels = picture("Means over time (95% intervals)", _note(lines), prints, len(measures), 1, 2.6)
        for panel, name in zip(panels, measures, strict=True):
            here = {key[1]: line for key, line in lines.items() if key[0] == name}
            drawn = {each: _line(panel, line, places, systems.index(each)) for each, line in here.items()}
            _axis(panel, list(here.values()), places)
            titled(panel, called(name))
        if len(drawn) > 1:
            legend_below(sheet, list(drawn.values()), list(drawn))
    return sheet


def _places(points: Sequence[Point]) -> dict[str, float]:
    """Return where each date lies: in days, or one after the other where one has no date."""
    when = list(dict.fromkeys(point.when for point in points))
    if not all(point.date for point in points):
        return {name: float(place) for place, name in enumerate(when)}
    first = begin_of(when[0])
    return {name: (begin_of(name) - first) / timedelta(days=1) for name in when}


def _line(panel: Axes, line: Sequence[Point], places: dict[str, float], place: int) -> Any:
    x, means = [places[point.when] for point in line], [point.mean for point in line]
    ends = [point.ends for point in line]
    return panel.errorbar(x, means, yerr=spans(means, ends), capsize=2.0, elinewidth=0.8, **line_of(place))


def _axis(panel: Axes, lines: Sequence[Sequence[Point]], places: dict[str, float]) -> None:
    for when in sorted(_relabelled(lines)):
        panel.axvline(places[when], color=FAINT, linestyle=":", linewidth=1.0)
    names = list(places)
    step = math.ceil(len(names) / _FEW)
    panel.set_xticks([places[name] for name in names[::step]], [called(name) for name in names[::step]], rotation=20)
    panel.set_ylabel("mean")
    panel.grid(axis="y", color=GRID)


def _relabelled(lines: Iterable[Sequence[Point]]) -> set[str]:
    """Return the dates on which judgments changed."""
    return {point.when for line in lines for point in line if point.change and point.change.labels_changed}


def _note(lines: dict[tuple[str, str], list[Point]]) -> str:
    first, *_ = lines.values()
    many = max(len(line) for line in lines.values())
    note = f"{many} dates under {first[-1].baseline.convention}; intervals: Student's t at {LEVEL:.0%}"
    return f"{note}; dotted: judgments changed" if _relabelled(lines.values()) else note
