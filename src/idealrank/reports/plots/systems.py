"""Plots of systems: means, leaderboard, curve over cutoffs, latency, thresholds, history."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from datetime import timedelta
from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.lines import Line2D
from matplotlib.ticker import MaxNLocator

from idealrank.arrays import Floats
from idealrank.comparison.compare import leaderboard as ranked
from idealrank.comparison.comparison import Comparison
from idealrank.comparison.leaderboard import Leaderboard
from idealrank.data.latency_columns import PREFIX
from idealrank.display.numbers import percent
from idealrank.errors import NoColumnError, UsageError
from idealrank.evaluation.latency import known_clocks, latency_table
from idealrank.evaluation.mean_tables import LEVEL, average_name, footnote, means as mean_intervals
from idealrank.evaluation.scores import Scores
from idealrank.evaluation.thresholds import RULES, SHARES, choose_rule, means_at_shares
from idealrank.regression.dates import begin_of
from idealrank.regression.history import LEVEL_OF_HISTORY, History, Point
from idealrank.reports.plots.picture import (
    FAINT,
    GRID,
    LINES,
    Picture,
    legend_below,
    line_of,
    looks,
    picture,
    safe_label,
    set_title,
    spans,
)
from idealrank.reports.plots.selection import select_systems
from idealrank.reports.sections.charts import DEPTH, means_at
from idealrank.reports.subject import Subject, scores_of

# History.


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
    places = _date_places([point for line in lines.values() for point in line])
    with looks():
        sheet, panels = picture("Means over time (95% intervals)", _history_note(lines), prints, len(measures), 1, 2.6)
        for panel, name in zip(panels, measures, strict=True):
            here = {key[1]: line for key, line in lines.items() if key[0] == name}
            drawn = {each: _draw_line(panel, line, places, systems.index(each)) for each, line in here.items()}
            _draw_axis(panel, list(here.values()), places)
            set_title(panel, safe_label(name))
        if len(drawn) > 1:
            legend_below(sheet, list(drawn.values()), list(drawn))
    return sheet


def _date_places(points: Sequence[Point]) -> dict[str, float]:
    """Return where each date lies: in days, or one after the other where one has no date."""
    when = list(dict.fromkeys(point.when for point in points))
    if not all(point.date for point in points):
        return {name: float(place) for place, name in enumerate(when)}
    first = begin_of(when[0])
    return {name: (begin_of(name) - first) / timedelta(days=1) for name in when}


def _draw_line(panel: Axes, line: Sequence[Point], places: dict[str, float], place: int) -> Any:
    x, means = [places[point.when] for point in line], [point.mean for point in line]
    ends = [point.ends for point in line]
    return panel.errorbar(x, means, yerr=spans(means, ends), capsize=2.0, elinewidth=0.8, **line_of(place))


def _draw_axis(panel: Axes, lines: Sequence[Sequence[Point]], places: dict[str, float]) -> None:
    for when in sorted(_relabelled_dates(lines)):
        panel.axvline(places[when], color=FAINT, linestyle=":", linewidth=1.0)
    names = list(places)
    step = math.ceil(len(names) / _FEW)
    panel.set_xticks(
        [places[name] for name in names[::step]], [safe_label(name) for name in names[::step]], rotation=20
    )
    panel.set_ylabel("mean")
    panel.grid(axis="y", color=GRID)


def _relabelled_dates(lines: Iterable[Sequence[Point]]) -> set[str]:
    """Return the dates on which judgments changed."""
    return {point.when for line in lines for point in line if point.change and point.change.labels_changed}


def _history_note(lines: dict[tuple[str, str], list[Point]]) -> str:
    first, *_ = lines.values()
    many = max(len(line) for line in lines.values())
    note = f"{many} dates under {first[-1].baseline.convention}; intervals: Student's t at {LEVEL_OF_HISTORY:.0%}"
    return f"{note}; dotted: judgments changed" if _relabelled_dates(lines.values()) else note


# Curve.


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
    scores, (m,), systems, note = select_systems(subject, measure, system)
    means, uncut = means_at(scores, m, depth), replace(scores.measures[m], cutoff=None)
    title = f"{uncut} at every cutoff"
    with looks():
        sheet, (panel,) = picture(title, note, [uncut.fingerprint], 1, 1, 3.2)
        _draw_systems(sheet, scores, np.arange(1, depth + 1), {s: means[s] for s in systems})
        panel.set_xlabel("k")
        panel.set_ylabel(f"{average_name(scores, m)} {safe_label(uncut.name)}@k")
        panel.xaxis.set_major_locator(MaxNLocator(integer=True, min_n_ticks=1))
    return sheet


def _draw_systems(sheet: Picture, scores: Scores, x: Any, means: Mapping[int, Floats]) -> None:
    """Draw a line for each system, and name them in the order of their ends, or the one above its panel."""
    (panel,) = sheet.axes
    lines = {s: panel.plot(x, line, **line_of(place))[0] for place, (s, line) in enumerate(means.items())}
    panel.grid(axis="y", color=GRID)
    order = sorted(lines, key=lambda s: -np.nan_to_num(means[s][-1]))
    if len(order) > 1:
        legend_below(sheet, [lines[s] for s in order], [scores.systems[s] for s in order])
    else:
        set_title(panel, safe_label(scores.systems[order[0]]))


# Latency.


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
    shown = select_systems(subject, measure, system)
    scores, (m,) = shown.scores, shown.measures
    clocks = known_clocks(scores)
    if not clocks:
        raise NoColumnError(
            "plots.latency: the results do not say how long their searches took. Add a column such as latency_ms."
        )
    times, p95 = {row["system"]: row for row in latency_table(scores)}, f"{PREFIX[clocks[0]]}p95"
    level, rows = mean_rows(subject)
    points = [(_time_ends(times[name], p95), _mean_ends(rows[scores.labels[m], name])) for name in shown.names]
    with looks():
        title = f"{safe_label(scores.labels[m])} against latency ({level:.0%} intervals)"
        sheet, (panel,) = picture(title, shown.note, [scores.measures[m].fingerprint], 1, 1, 3.4)
        edges = _axis_edges([time for time, _ in points])
        panel.set_xlim(*edges)
        drawn = [_draw_point(panel, *point, edges, place) for place, point in enumerate(points)]
        panel.set_xlabel(f"p95 {'latency' if clocks[0] == 'latency' else 'engine time'} (ms)")
        panel.set_ylabel(f"{average_name(scores, m)} {safe_label(scores.labels[m])}")
        panel.grid(color=GRID)
        if len(shown.names) > 1:
            legend_below(sheet, drawn, shown.names)
        else:
            set_title(panel, safe_label(shown.names[0]))
    return sheet


def _time_ends(row: dict[str, Any], name: str) -> Ends:
    return row[name], row[f"{name} low"], row[f"{name} high"]


def _mean_ends(row: dict[str, Any]) -> Ends:
    return row["mean"], row["low"], row["high"]


def _axis_edges(times: Sequence[Ends]) -> tuple[float, float]:
    """Return the ends of the axis: around all times that are known, not below 0."""
    known = [end for time in times for end in time if math.isfinite(end)]
    low, high = min(known), max(known)
    room = 0.08 * (high - low or high or 1.0)
    return max(0.0, low - room), high + room


def _draw_point(panel: Axes, time: Ends, mean: Ends, edges: tuple[float, float], place: int) -> Any:
    """Draw a system; an interval without a bound runs to the edge."""
    ends = (max(time[1], edges[0]), min(time[2], edges[1]))
    across, up = spans([time[0]], [ends]), spans([mean[0]], [mean[1:]])
    look = {name: value for name, value in line_of(place).items() if name != "linestyle"}
    return panel.errorbar([time[0]], [mean[0]], xerr=across, yerr=up, linestyle="", elinewidth=1.0, **look)


# Means.


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
    shown = select_systems(subject, measure, system, unnamed=None)
    scores, names = shown.scores, shown.names
    level, rows = mean_rows(subject)
    prints = [scores.measures[m].fingerprint for m in shown.measures]
    title, height = f"Means with {level:.0%} intervals", 0.55 + 0.21 * len(names)
    with looks():
        sheet, panels = picture(title, shown.note, prints, len(shown.measures), 3, height, sharey=True)
        for panel, m in zip(panels, shown.measures, strict=True):
            _draw_panel(panel, names, [rows[scores.labels[m], name] for name in names])
            set_title(panel, safe_label(scores.labels[m]))
    return sheet


def _draw_panel(panel: Axes, names: Sequence[str], rows: Sequence[dict[str, Any]]) -> None:
    dots = [row["mean"] for row in rows]
    reach = spans(dots, [(row["low"], row["high"]) for row in rows])
    panel.errorbar(dots, range(len(names)), xerr=reach, fmt="o", color=LINES[0], capsize=2.5)
    panel.set_yticks(range(len(names)), [safe_label(name) for name in names])
    panel.set_ylim(len(names) - 0.4, -0.6)
    panel.grid(axis="x", color=GRID)


def mean_rows(subject: Subject) -> tuple[float, dict[tuple[str, str], dict[str, Any]]]:
    """Return the level of the intervals, and the rows of means by measure and system."""
    if isinstance(subject, Comparison):
        level, table = subject.methods.level, subject.means
    else:
        level, table = LEVEL, mean_intervals(scores_of(subject))
    return level, {(row["measure"], row["system"]): row for row in table}


# Leaderboard.


BEST, OTHERS = LINES[0], "0.45"


def leaderboard(subject: Subject) -> Picture:
    """Draw many systems, best first: the mean of the first measure with its interval, and the ranks each can have.

    Parameters
    ----------
    subject
        Scores of two systems or more, a comparison without a baseline, or a leaderboard.

    Examples
    --------
    >>> import idealrank as ir
    >>> qrels = {f"q{i}": {"d": 1} for i in range(20)}
    >>> good, poor = {q: {"d": 1.0} for q in qrels}, {q: {"x": 2.0, "d": 1.0} for q in qrels}
    >>> figure = ir.plots.leaderboard(ir.evaluate(qrels, {"a": poor, "b": good}, ["RR"]))
    >>> [panel.get_title(loc="left") for panel in figure.axes]
    ['RR', 'ranks']
    """
    board = _leaderboard_of(subject)
    prints, note = [board.scores.measures[0].fingerprint], footnote(board.scores, [0])
    title = f"Means and ranks with {percent(board.methods.level)} confidence, all ranks together"
    with looks():
        sheet, panels = picture(title, note, prints, 2, 2, 0.55 + 0.21 * len(board.systems), sharey=True)
        _draw_intervals(panels[0], board, ("mean", "low", "high"))
        _draw_intervals(panels[1], board, ("rank", "best rank", "worst rank"))
        set_title(panels[0], safe_label(board.measure))
        set_title(panels[1], "ranks")
        panels[0].set_yticks(range(len(board.systems)), [safe_label(name) for name in board.systems])
        panels[0].set_ylim(len(board.systems) - 0.4, -0.6)
        _draw_legend(sheet)
    return sheet


def _leaderboard_of(subject: Subject) -> Leaderboard:
    if isinstance(subject, Leaderboard):
        return subject
    alone = isinstance(subject, Comparison) and not subject.baseline
    return subject.leaderboard if isinstance(subject, Comparison) and alone else ranked(scores_of(subject))


def _draw_intervals(panel: Axes, board: Leaderboard, names: tuple[str, str, str]) -> None:
    """Draw one column with its ends, a line per system."""
    middle, low, high = (np.asarray(board.table.array(name), np.float64) for name in names)
    best = np.asarray(board.table.array("best rank")) == 1
    for colour, places in ((BEST, np.flatnonzero(best)), (OTHERS, np.flatnonzero(~best))):
        if len(places):
            reach = spans(middle[places].tolist(), list(zip(low[places], high[places], strict=True)))
            panel.errorbar(middle[places], places, xerr=reach, fmt="o", color=colour, capsize=2.5)
    panel.grid(axis="x", color=GRID)


def _draw_legend(sheet: Picture) -> None:
    marks = {"no system is surely better": BEST, "another is surely better": OTHERS}
    handles = [Line2D([], [], marker="o", color=colour, linestyle="-") for colour in marks.values()]
    legend_below(sheet, handles, list(marks))


# Thresholds.


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
    scores, (m,), systems, note = select_systems(subject, measure, system)
    chosen = choose_rule(scores.measures[m], rule)
    means, shown = means_at_shares(scores, m, chosen), scores.measures[m]
    title = f"{shown} at every threshold of overlap"
    with looks():
        sheet, (panel,) = picture(title, note, [shown.fingerprint], 1, 1, 3.2)
        _draw_systems(sheet, scores, SHARES, {s: means[s] for s in systems})
        panel.set_xlabel(f"{RULES[chosen]} (0: any overlap)")
        panel.set_ylabel(f"{average_name(scores, m)} {safe_label(shown.name)}")
    return sheet
