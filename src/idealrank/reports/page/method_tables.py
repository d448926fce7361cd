"""Tables and drawings of the method: settings, thresholds, segments of documents, unjudged results, latency."""

from __future__ import annotations

import math
from html import escape
from typing import Any

from idealrank.comparison.settings_grid import BEST, MAY_BE
from idealrank.comparison.types import MeanRow
from idealrank.display.numbers import milliseconds, signed, span_amount
from idealrank.errors import plural
from idealrank.evaluation.latency import coverage_text
from idealrank.reports.page.markup import (
    aside,
    bullets,
    chance,
    change,
    count,
    draw_mean,
    fixed,
    hull_of,
    minus,
    name,
    short,
    span,
    table,
)
from idealrank.reports.types import DocumentsPart, GridPart, LatencyPart, ReportSections, ThresholdsPart, TuningPart
from idealrank.statistics.quantiles import QUANTILES

# Settings.


STARS = {BEST: "★", MAY_BE: "☆"}
"""The mark of a point that is the best, and of one that cannot be told from the best."""

SHADES = 6
"""The darkest shade of a cell."""

_NOTE = "★ is the best mean; ☆ cannot be told from the best (Tukey's randomised test of all pairs of points)."


def settings(parts: ReportSections) -> str:
    """Write the grid, and the systems that one was chosen from; nothing where there is neither."""
    found, tuning = parts["grid"], parts["tuning"]
    written = [_grid(found, parts) if found else "", _tuning(tuning, parts) if tuning else ""]
    if not any(written):
        return ""
    title = "Tuning" if tuning else "Settings"
    return f'<section id="settings" aria-label="{title}"><h2>{title}</h2>{"".join(written)}</section>'


def _grid(grid: GridPart, parts: ReportSections) -> str:
    """Draw the means: of one setting a line, of two a matrix, of more a table; the points in a table besides."""
    names = list(grid["settings"])
    tuning = parts["tuning"]
    where = f" on the {plural(len(tuning['queries']), 'tuning query')}" if tuning else ""
    points = _settings_line(grid, parts)
    title = f"<h3>{escape(grid['measure'])} by setting{where}</h3>"
    if len(names) == 2:
        folded = f"<details><summary>All {plural(len(grid['points']), 'point')}</summary>{points}</details>"
        return f'{title}{_matrix(grid, parts)}<p class="note">{_NOTE}</p>{folded}'
    numeric = len(names) == 1 and not any(isinstance(value, str) for value in grid["settings"][names[0]])
    return f'{title}{setting_line(grid) if numeric else ""}{points}<p class="note">{_NOTE}</p>'


def _matrix(grid: GridPart, parts: ReportSections) -> str:
    """Write the means, the first setting down and the second across, better ones darker."""
    (down, rows), (across, columns) = grid["settings"].items()
    means = [point[grid["measure"]] for point in grid["points"]]
    ends = (max(means), min(means)) if _lower_is_better(parts) else (min(means), max(means))
    cells = {(point[down], point[across]): _setting_cell(point, grid["measure"], ends) for point in grid["points"]}
    head = [name(down), *(f"{name(across)} = {name(str(value))}" for value in columns)]
    lines = [[name(str(row)), *(cells.get((row, column), "") for column in columns)] for row in rows]
    return f'<div class="matrix">{table(head, lines, "Means by setting")}</div>'


def _lower_is_better(parts: ReportSections) -> bool:
    return parts["measures"][0]["direction"] == "lower"


def _setting_cell(point: dict[str, Any], measure: str, ends: tuple[float, float]) -> str:
    worst, best = ends
    shade = round(SHADES * (point[measure] - worst) / (best - worst)) if best != worst else 0
    return f'<span class="shade-{shade}">{_star(point)}{short(point[measure])}</span>'


def _star(point: dict[str, Any]) -> str:
    """Write the mark of a point; a screen reader says it in words."""
    if not point["standing"]:
        return ""
    star = STARS[point["standing"]]
    return f'<span aria-hidden="true">{star}</span><span class="hidden">{point["standing"]}:</span> '


def _settings_line(grid: GridPart, parts: ReportSections) -> str:
    """Write a line per point: settings, mean with its interval, difference from the baseline; of many settings sorted.

    The best comes first where there are three settings or more.
    """
    names, measure, points = list(grid["settings"]), grid["measure"], list(grid["points"])
    if len(names) > 2:
        points.sort(key=lambda point: point[measure] * (1 if _lower_is_better(parts) else -1))
    drawn: list[Any] = [{"low": each["low"], "mean": each[measure], "high": each["high"]} for each in points]
    axis, against = hull_of(drawn), "difference" in points[0]
    rows = [
        [
            *(name(str(point[key])) for key in names),
            f"{_star(point)}{short(point[measure])}",
            aside(draw_mean(row, axis)),
            *(_difference_cells(point, parts) if against else []),
        ]
        for point, row in zip(points, drawn, strict=True)
    ]
    scale = f'<span class="scale"><span>{short(axis[0])}</span> interval <span>{short(axis[1])}</span></span>'
    head = [*map(name, names), escape(measure), aside(scale), *(["change", "corrected p"] if against else [])]
    return table(head, rows, "Points of the grid", len(names))


def _difference_cells(point: dict[str, Any], parts: ReportSections) -> list[str]:
    """Write the difference of a point from the baseline."""
    if point["difference"] is None:
        return ['<small class="base">baseline</small>', ""]
    return [change(point["difference"], parts["measures"][0]["direction"]), chance(point["corrected p"])]


def _tuning(tuning: TuningPart, parts: ReportSections) -> str:
    """Say how the queries were split; name the systems where they are not all on the grid."""
    said = f"{tuning['text'][0].upper()}{tuning['text'][1:]}. The verdict is about the held-out queries alone."
    on_grid = parts["grid"] is not None and len(parts["grid"]["points"]) == len(tuning["means"])
    return f'{"" if on_grid else _tuning_systems(tuning, parts)}<p class="note">{escape(said)}</p>'


def _tuning_systems(tuning: TuningPart, parts: ReportSections) -> str:
    """Write the means of all systems on the tuning queries."""
    label = parts["measures"][0]["label"]
    rows = [
        [name(row["system"]), f"{'★ ' if row['chosen'] else ''}{short(row[label])}", *_difference_cells(row, parts)]
        for row in tuning["means"]
    ]
    title = f"<h3>All systems on the {plural(len(tuning['queries']), 'tuning query')}</h3>"
    return title + table(["system", escape(label), "change", "corrected p"], rows, "Systems on the tuning queries")


# One setting as a line.


_SETTINGS_WIDE, _SETTINGS_HIGH = 340, 200
"""Of the drawing, in pixels."""

_LEFT, _RIGHT, _SETTINGS_TOP, _SETTINGS_FLOOR = 62, 322, 14, 168
"""The ends of the axes: where the first value, the last, the highest end and the lowest are drawn."""

_LABELS = 8
"""Values that are written below the axis, at most."""


def setting_line(grid: GridPart) -> str:
    """Draw the means in the order of the values, which are evenly spaced; nothing where one has no interval."""
    ((setting, values),) = grid["settings"].items()
    points = grid["points"]
    if any(point[end] is None for point in points for end in ("low", "high")):
        return ""
    low, high = min(point["low"] for point in points), max(point["high"] for point in points)
    places = [_x_of(place, len(points)) for place in range(len(points))]
    means = [_y_of(point[grid["measure"]], low, high) for point in points]
    line = " ".join(f"{x:.1f},{y:.1f}" for x, y in zip(places, means, strict=True))
    drawn = "".join(_draw_point(x, y, point, (low, high)) for x, y, point in zip(places, means, points, strict=True))
    label = escape(f"{grid['measure']} by {setting}, with intervals")
    return (
        f'<svg class="setting-line" viewBox="0 0 {_SETTINGS_WIDE} {_SETTINGS_HIGH}" '
        f'width="{_SETTINGS_WIDE}" height="{_SETTINGS_HIGH}" role="img" '
        f'aria-label="{label}"><line class="axis" x1="{_LEFT - 12}" x2="{_RIGHT + 12}" y1="{_SETTINGS_FLOOR + 8}" '
        f'y2="{_SETTINGS_FLOOR + 8}"/><polyline points="{line}"/>{drawn}'
        f"{_end_labels(low, high)}{_value_labels(values, places)}"
        f'<text x="{(_LEFT + _RIGHT) / 2}" y="{_SETTINGS_HIGH - 2}" text-anchor="middle">{escape(setting)}</text></svg>'
    )


def _x_of(place: int, many: int) -> float:
    return _LEFT + (_RIGHT - _LEFT) * place / max(1, many - 1)


def _y_of(value: float, low: float, high: float) -> float:
    return _SETTINGS_FLOOR - (_SETTINGS_FLOOR - _SETTINGS_TOP) * (value - low) / ((high - low) or 1.0)


def _draw_point(x: float, y: float, point: dict[str, Any], ends: tuple[float, float]) -> str:
    """Draw an interval with its mean; that of the best is filled, and those that can be told from it are small."""
    top, floor = _y_of(point["high"], *ends), _y_of(point["low"], *ends)
    kind, size = ("best", 6) if point["standing"] == BEST else ("", 5 if point["standing"] else 3)
    return (
        f'<line class="range" x1="{x:.1f}" x2="{x:.1f}" y1="{top:.1f}" y2="{floor:.1f}"/>'
        f'<circle class="{kind}" cx="{x:.1f}" cy="{y:.1f}" r="{size}"/>'
    )


def _end_labels(low: float, high: float) -> str:
    return "".join(
        f'<text x="{_LEFT - 18}" y="{_y_of(end, low, high) + 4:.1f}" text-anchor="end">{short(end)}</text>'
        for end in dict.fromkeys((low, high))
    )


def _value_labels(values: list[Any], places: list[float]) -> str:
    """Write the values below the axis, so many of them as there is room for."""
    every = -(-len(values) // _LABELS)
    return "".join(
        f'<text x="{x:.1f}" y="{_SETTINGS_FLOOR + 20}" text-anchor="middle">{escape(str(value))}</text>'
        for x, value in list(zip(places, values, strict=True))[::every]
    )


# Segments of documents.


def document_segments(segments: dict[str, Any] | None) -> str:
    """Write the segments; nothing where none were asked for."""
    if segments is None:
        return ""
    by_measure: dict[str, list[dict[str, Any]]] = {}
    for row in segments["rows"]:
        by_measure.setdefault(row["measure"], []).append(row)
    tables = "".join(f"<h4>{escape(label)}</h4>{_segments_table(label, rows)}" for label, rows in by_measure.items())
    return f"<p>Results by {name(segments['column'])} of the documents.</p>{tables}{bullets(segments['notes'])}"


SHOWN = 200
"""Rows of a measure that are written; the others are counted."""


def _segments_table(label: str, rows: list[dict[str, Any]]) -> str:
    names = [key for key in rows[0] if key != "measure"]
    cells = [[_segment_cell(row[key]) for key in names] for row in rows[:SHOWN]]
    texts = names.index("segment") + 1
    more = f"<p>{plural(len(rows) - SHOWN, 'more row')}</p>" if len(rows) > SHOWN else ""
    return table(list(map(escape, names)), cells, f"Segments of documents: {label}", texts) + more


def _segment_cell(value: str | float | None) -> str:
    if isinstance(value, str):
        return name(value)
    return count(value) if isinstance(value, int) else fixed(value)


# Unjudged results.


def holes(parts: ReportSections) -> str:
    """Write the holes."""
    depth = parts["holes"]["depth"]
    rows = [[name(system), count(number)] for system, number in parts["holes"]["unjudged"].items()]
    many = (
        table(["system", f"in the top {depth}"], rows, "Unjudged results by system") if rows else "<p>Not counted.</p>"
    )
    return f"<p>Results that nobody judged.</p><h4>How many</h4>{many}{_bounds(parts['means'])}{_to_judge_table(parts)}"


def _bounds(means: list[MeanRow]) -> str:
    rows = [
        [escape(row["measure"]), name(row["system"]), fixed(row["mean"]), span(row["lowest"], row["highest"])]
        for row in means
        if row["lowest"] is not None
    ]
    if not rows:
        return ""
    head = ["measure", "system", "mean", "lowest to highest"]
    return f"<h4>Range once everything is judged</h4>{table(head, rows, 'Means once everything is judged', 2)}"


def _to_judge_table(parts: ReportSections) -> str:
    titles = _titles_by_id(parts["documents"])
    rows = [
        [
            _text_and_key(row["query"], row.get("text")),
            _text_and_key(row["document"], titles.get(row["document"])),
            name(row["system"]),
            _rank(row["baseline rank"]),
            _rank(row["rank"]),
            minus(signed(row["move"])),
        ]
        for row in parts["holes"]["to_judge"]
    ]
    if not rows:
        return ""
    head = ["query", "document", "system", "rank in the baseline", "rank", "could move the difference by"]
    return f"<h4>Judge these first</h4>{table(head, rows, 'What to judge first', 3)}"


def _text_and_key(key: str, text: str | None) -> str:
    return f"{name(text)}<small>{name(key)}</small>" if text else name(key)


def _rank(rank: float | None) -> str:
    return "–" if rank is None else f"{rank:.0f}"


def _titles_by_id(documents: DocumentsPart) -> dict[str, str | None]:
    return dict(zip(documents["id"], documents["title"] or [], strict=False))


# Latency.


CLOCKS = {"latency": ("", "latency"), "took": ("took ", "engine time")}
"""What stands before the quantiles of a clock, and what it is called."""


def latency(found: LatencyPart | None) -> str:
    """Write the quantiles with their intervals, and the changes; nothing where the results do not say."""
    if found is None:
        return ""
    systems = found["systems"]
    clocks = [clock for clock, (before, _) in CLOCKS.items() if f"{before}p50" in systems[0]]
    lacking = [kind for kind in ("failed", "untimed") if any(row[kind] for row in systems)]
    head = ["system", "queries", *lacking]
    head += [f"{q} {CLOCKS[clock][1]}" for clock in clocks for q in QUANTILES]
    rows = [
        [
            name(row["system"]),
            count(row["queries"]),
            *(count(row[kind]) for kind in lacking),
            *_latency_cells(row, clocks),
        ]
        for row in systems
    ]
    return (
        f"<p>Milliseconds per search, with 95% intervals; a dash where {_too_few_text(systems)} too few. "
        "Latency is the wall time as the client saw it, engine time the engine's own; failed searches are not counted."
        f"{_untimed_note(systems)}</p>"
        f"{table(head, rows, 'Latency of the systems')}{_latency_changes(found['differences'])}"
    )


def _too_few_text(systems: list[dict[str, Any]]) -> str:
    counts = {row["queries"] for row in systems}
    most = max(counts)
    return f"{plural(most, 'query')} {'is' if most == 1 else 'are'}"


def _untimed_note(systems: list[dict[str, Any]]) -> str:
    """Say which systems lack times of queries that they answered."""
    few = [row for row in systems if row["untimed"]]
    said = (f" {name(row['system'])}: {coverage_text(row['queries'], row['queries'] + row['untimed'])}." for row in few)
    return "".join(said)


def _latency_cells(row: dict[str, Any], clocks: list[str]) -> list[str]:
    names = [f"{CLOCKS[clock][0]}{q}" for clock in clocks for q in QUANTILES]
    return [_latency_cell(row[each], row[f"{each} low"], row[f"{each} high"]) for each in names]


def _latency_cell(value: float | None, low: float | None, high: float | None) -> str:
    ends = [milliseconds(math.nan if end is None else end) for end in (low, high)]
    held = f'<small class="held">{ends[0]} to {ends[1]}</small>' if ends != ["–", "–"] else ""
    return f"<b>{milliseconds(math.nan if value is None else value)}</b>{held}"


def _latency_changes(rows: list[dict[str, Any]]) -> str:
    """Write how much each quantile changes."""
    if not rows:
        return ""
    head = ["system", "against", "what", "queries", "before", "after", "change", "interval", "change in %"]
    cells = [
        [
            name(row["system"]),
            name(row["baseline"]),
            escape(f"{row['quantile']} {CLOCKS[row['clock']][1]}"),
            count(row["queries"]) if row["queries"] == row["asked"] else f"{row['queries']:,} of {row['asked']:,}",
            milliseconds(row["baseline ms"]),
            milliseconds(row["ms"]),
            milliseconds(row["difference"], sign=True),
            "–" if row["low"] is None or row["high"] is None else span_amount(row["low"], row["high"], sign=True),
            "–" if row["percent"] is None else f"{row['percent']:+.1f}%".replace("-", "−"),
        ]
        for row in rows
    ]
    return f"<h4>Changes</h4>{table(head, cells, 'Changes of latency', 3)}"


# Thresholds of `overlap`.


_THRESHOLDS_WIDE, _THRESHOLDS_HIGH = 320, 150
"""Of the drawing, in pixels."""

_THRESHOLDS_TOP, _THRESHOLDS_FLOOR = 18, 130
"""Where the highest mean and 0 are drawn."""

_DASHES = ("none", "7 3", "2 3", "9 3 2 3", "1 4")
"""How the lines of systems differ; with more systems the table tells them apart."""


def thresholds(found: ThresholdsPart | None) -> str:
    """Write the means at every threshold; nothing where no spans were judged."""
    if found is None:
        return ""
    systems, shares = found["systems"], found["share"]
    rows = [[f"{share:.2f}", *(fixed(each[n]) for each in systems.values())] for n, share in enumerate(shares)]
    head = ["share", *(f"{name(system)}{_line_sample(place)}" for place, system in enumerate(systems))]
    label = f"{found['measure']} at every threshold of overlap"
    return (
        f"<p>{escape(found['measure'])} by the {escape(found['meaning'])}; 0 is any overlap.</p>"
        f"{_draw_thresholds(label, list(systems.values()))}{table(head, rows, label)}"
    )


def _draw_thresholds(label: str, lines: list[list[float | None]]) -> str:
    """Draw a line per system, from share 0 on the left to 1 on the right, and from 0 to the highest mean."""
    top = max((value for line in lines for value in line if value is not None), default=0.0) or 1.0
    drawn = "".join(
        f'<polyline fill="none" stroke="currentColor" stroke-width="2" stroke-dasharray="{_dash(place)}" '
        f'points="{_threshold_points(line, top)}"/>'
        for place, line in enumerate(lines[: len(_DASHES)])
    )
    axis = f'<line class="axis" x1="4" x2="{_THRESHOLDS_WIDE - 4}" y1="{_THRESHOLDS_FLOOR}" y2="{_THRESHOLDS_FLOOR}"/>'
    low = _THRESHOLDS_HIGH - 4
    ends = f"{_svg_text(4, 12, f'{top:.3f}')}{_svg_text(4, low, '0')}{_svg_text(_THRESHOLDS_WIDE - 12, low, '1')}"
    return (
        f'<svg viewBox="0 0 {_THRESHOLDS_WIDE} {_THRESHOLDS_HIGH}" width="{_THRESHOLDS_WIDE}" '
        f'height="{_THRESHOLDS_HIGH}" role="img" aria-label="{escape(label)}">'
        f"{drawn}{axis}{ends}</svg>"
    )


def _svg_text(x: int, y: int, text: str) -> str:
    return f'<text x="{x}" y="{y}" fill="currentColor">{text}</text>'


def _threshold_points(line: list[float | None], top: float) -> str:
    step = (_THRESHOLDS_WIDE - 8) / max(1, len(line) - 1)
    return " ".join(
        f"{4 + step * n:.1f},{_THRESHOLDS_FLOOR - (_THRESHOLDS_FLOOR - _THRESHOLDS_TOP) * max(0.0, value) / top:.1f}"
        for n, value in enumerate(line)
        if value is not None
    )


def _dash(place: int) -> str:
    return _DASHES[place % len(_DASHES)]


def _line_sample(place: int) -> str:
    """Draw how the line of a system looks."""
    if place >= len(_DASHES):
        return ""
    return (
        '<br><svg viewBox="0 0 40 4" width="40" height="4" aria-hidden="true"><line x1="0" x2="40" y1="2" y2="2" '
        f'stroke="currentColor" stroke-width="2" stroke-dasharray="{_dash(place)}"/></svg>'
    )
