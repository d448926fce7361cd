"""The settings in the page: the mean of every point of a grid, and what the best of many systems was chosen by."""

from html import escape
from typing import Any

from idealrank.comparison.grid import BEST, MAY_BE
from idealrank.errors import plural
from idealrank.reports.page.drawings import hull_of, mean_drawn
from idealrank.reports.page.markup import aside, chance, change, name, short, table
from idealrank.reports.page.setting_line import setting_line
from idealrank.reports.parts.kinds import GridPart, Parts

STARS = {BEST: "★", MAY_BE: "☆"}
"""The mark of a point that is the best, and of one that cannot be told from the best."""

SHADES = 6
"""The darkest shade of a cell."""

_NOTE = "★ is the best mean; ☆ cannot be told from the best (Tukey's randomised test of all pairs of points)."


def settings(parts: Parts) -> str:
    """Write the grid, and the systems that one was chosen from; nothing where there is neither."""
    found, tuning = parts["grid"], parts["tuning"]
    written = [_grid(found, parts) if found else "", _tuning(tuning, parts) if tuning else ""]
    if not any(written):
        return ""
    title = "Tuning" if tuning else "Settings"
    return f'<section id="settings" aria-label="{title}"><h2>{title}</h2>{"".join(written)}</section>'


def _grid(grid: GridPart, parts: Parts) -> str:
    """Draw the means: of one setting a line, of two a matrix, of more a table; the points in a table besides."""
    names = list(grid["settings"])
    tuning = parts["tuning"]
    where = f" on the {plural(len(tuning['queries']), 'tuning query')}" if tuning else ""
    points = _points(grid, parts)
    title = f"<h3>{escape(grid['measure'])} by setting{where}</h3>"
    if len(names) == 2:
        folded = f"<details><summary>All {plural(len(grid['points']), 'point')}</summary>{points}</details>"
        return f'{title}{_matrix(grid, parts)}<p class="note">{_NOTE}</p>{folded}'
    numeric = len(names) == 1 and not any(isinstance(value, str) for value in grid["settings"][names[0]])
    return f'{title}{setting_line(grid) if numeric else ""}{points}<p class="note">{_NOTE}</p>'


def _matrix(grid: GridPart, parts: Parts) -> str:
    """Write the means, the first setting down and the second across, better ones darker."""
    (down, rows), (across, columns) = grid["settings"].items()
    means = [point[grid["measure"]] for point in grid["points"]]
    ends = (max(means), min(means)) if _lower(parts) else (min(means), max(means))
    cells = {(point[down], point[across]): _cell(point, grid["measure"], ends) for point in grid["points"]}
    head = [name(down), *(f"{name(across)} = {name(str(value))}" for value in columns)]
    lines = [[name(str(row)), *(cells.get((row, column), "") for column in columns)] for row in rows]
    return f'<div class="matrix">{table(head, lines, "Means by setting")}</div>'


def _lower(parts: Parts) -> bool:
    return parts["measures"][0]["direction"] == "lower"


def _cell(point: dict[str, Any], measure: str, ends: tuple[float, float]) -> str:
    worst, best = ends
    shade = round(SHADES * (point[measure] - worst) / (best - worst)) if best != worst else 0
    return f'<span class="shade-{shade}">{_star(point)}{short(point[measure])}</span>'


def _star(point: dict[str, Any]) -> str:
    """Write the mark of a point; a screen reader says it in words."""
    if not point["standing"]:
        return ""
    star = STARS[point["standing"]]
    return f'<span aria-hidden="true">{star}</span><span class="hidden">{point["standing"]}:</span> '


def _points(grid: GridPart, parts: Parts) -> str:
    """Write a line per point: settings, mean with its interval, difference from the baseline; of many settings sorted.

    The best comes first where there are three settings or more.
    """
    names, measure, points = list(grid["settings"]), grid["measure"], list(grid["points"])
    if len(names) > 2:
        points.sort(key=lambda point: point[measure] * (1 if _lower(parts) else -1))
    drawn: list[Any] = [{"low": each["low"], "mean": each[measure], "high": each["high"]} for each in points]
    axis, against = hull_of(drawn), "difference" in points[0]
    rows = [
        [
            *(name(str(point[key])) for key in names),
            f"{_star(point)}{short(point[measure])}",
            aside(mean_drawn(row, axis)),
            *(_against(point, parts) if against else []),
        ]
        for point, row in zip(points, drawn, strict=True)
    ]
    scale = f'<span class="scale"><span>{short(axis[0])}</span> interval <span>{short(axis[1])}</span></span>'
    head = [*map(name, names), escape(measure), aside(scale), *(["change", "corrected p"] if against else [])]
    return table(head, rows, "Points of the grid", len(names))


def _against(point: dict[str, Any], parts: Parts) -> list[str]:
    """Write the difference of a point from the baseline."""
    if point["difference"] is None:
        return ['<small class="base">baseline</small>', ""]
    return [change(point["difference"], parts["measures"][0]["direction"]), chance(point["corrected p"])]


def _tuning(tuning: dict[str, Any], parts: Parts) -> str:
    """Say how the queries were split; name the systems where they are not all on the grid."""
    said = f"{tuning['text'][0].upper()}{tuning['text'][1:]}. The verdict is about the held-out queries alone."
    on_grid = parts["grid"] is not None and len(parts["grid"]["points"]) == len(tuning["means"])
    return f'{"" if on_grid else _systems(tuning, parts)}<p class="note">{escape(said)}</p>'


def _systems(tuning: dict[str, Any], parts: Parts) -> str:
    """Write the means of all systems on the tuning queries."""
    label = parts["measures"][0]["label"]
    rows = [
        [name(row["system"]), f"{'★ ' if row['chosen'] else ''}{short(row[label])}", *_against(row, parts)]
        for row in tuning["means"]
    ]
    title = f"<h3>All systems on the {plural(len(tuning['queries']), 'tuning query')}</h3>"
    return title + table(["system", escape(label), "change", "corrected p"], rows, "Systems on the tuning queries")
