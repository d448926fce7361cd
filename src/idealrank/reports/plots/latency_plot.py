"""Quality against latency: a point per system, with both intervals."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

from matplotlib.axes import Axes

from idealrank.errors import NoColumnError
from idealrank.evaluation.latency import PREFIX, clocks_of, latency_table
from idealrank.evaluation.mean_intervals import over
from idealrank.reports.plots.choice import systems_shown
from idealrank.reports.plots.means_plot import mean_rows
from idealrank.reports.plots.picture import GRID, Picture, called, legend_below, line_of, looks, picture, spans, titled
from idealrank.reports.subject import Subject

Ends = tuple[float, float, float]
"""A value and the ends of its interval."""


def latency(subject: Subject, measure: str | None = None, *, system: str | None = None) -> Picture:
    """Draw the mean of a measure against the 95th percentile of the latency: a point per system, with both intervals.

    The latency is the wall time, or the engine's own where the results say only that. A line that runs to the edge has
    no bound there: so few queries do not bound the 95th percentile.

    Parameters
    ----------
    subject
        Scores or a comparison, of results that say how long their searches took.
    measure
        One of the measures; None: the first.
    system
        One of the systems; None: all.

    Raises
    ------
    NoColumnError
        If the results do not say how long their searches took.

    Examples
    --------
    >>> import idealrank as ir
    >>> run = {"query": ["q", "r"], "doc": ["d", "d"], "rank": [1, 1], "latency_ms": [12, 20]}
    >>> scores = ir.evaluate({"q": {"d": 1}, "r": {"d": 1}}, run, ["RR"])
    >>> ir.plots.latency(scores).axes[0].get_xlabel()
    'p95 latency (ms)'
    """
    shown = systems_shown(subject, measure, system)
    scores, (m,) = shown.scores, shown.measures
    clocks = clocks_of(scores)
    if not clocks:
        raise NoColumnError(
            "plots.latency: the results do not say how long their searches took. Add a column such as latency_ms."
        )
    times, p95 = {row["system"]: row for row in latency_table(scores)}, f"{PREFIX[clocks[0]]}p95"
    level, rows = mean_rows(subject)
    points = [(_ends(times[name], p95), _mean(rows[scores.labels[m], name])) for name in shown.names]
    with looks():
        title = f"{called(scores.labels[m])} against latency ({level:.0%} intervals)"
        sheet, (panel,) = picture(title, shown.note, [scores.measures[m].fingerprint], 1, 1, 3.4)
        edges = _edges([time for time, _ in points])
        panel.set_xlim(*edges)
        drawn = [_point(panel, *point, edges, place) for place, point in enumerate(points)]
        panel.set_xlabel(f"p95 {'latency' if clocks[0] == 'latency' else 'engine time'} (ms)")
        panel.set_ylabel(f"{over(scores, m)} {called(scores.labels[m])}")
        panel.grid(color=GRID)
        if len(shown.names) > 1:
            legend_below(sheet, drawn, shown.names)
        else:
            titled(panel, called(shown.names[0]))
    return sheet


def _ends(row: dict[str, Any], name: str) -> Ends:
    return row[name], row[f"{name} low"], row[f"{name} high"]


def _mean(row: dict[str, Any]) -> Ends:
    return row["mean"], row["low"], row["high"]


def _edges(times: Sequence[Ends]) -> tuple[float, float]:
    """Return the ends of the axis: around all times that are known, not below 0."""
    known = [end for time in times for end in time if math.isfinite(end)]
    low, high = min(known), max(known)
    room = 0.08 * (high - low or high or 1.0)
    return max(0.0, low - room), high + room


def _point(panel: Axes, time: Ends, mean: Ends, edges: tuple[float, float], place: int) -> Any:
    """Draw a system; an interval without a bound runs to the edge."""
    ends = (max(time[1], edges[0]), min(time[2], edges[1]))
    across, up = spans([time[0]], [ends]), spans([mean[0]], [mean[1:]])
    look = {name: value for name, value in line_of(place).items() if name != "linestyle"}
    return panel.errorbar([time[0]], [mean[0]], xerr=across, yerr=up, linestyle="", elinewidth=1.0, **look)
