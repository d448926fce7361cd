"""One setting as a line: the mean of every value with its interval."""

from html import escape
from typing import Any

from idealrank.comparison.grid import BEST
from idealrank.reports.page.markup import short
from idealrank.reports.parts.kinds import GridPart

WIDE, HIGH = 340, 200
"""Of the drawing, in pixels."""

_LEFT, _RIGHT, _TOP, _FLOOR = 62, 322, 14, 168
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
    places = [_across(place, len(points)) for place in range(len(points))]
    means = [_up(point[grid["measure"]], low, high) for point in points]
    line = " ".join(f"{x:.1f},{y:.1f}" for x, y in zip(places, means, strict=True))
    drawn = "".join(_point(x, y, point, (low, high)) for x, y, point in zip(places, means, points, strict=True))
    label = escape(f"{grid['measure']} by {setting}, with intervals")
    return (
        f'<svg class="setting-line" viewBox="0 0 {WIDE} {HIGH}" width="{WIDE}" height="{HIGH}" role="img" '
        f'aria-label="{label}"><line class="axis" x1="{_LEFT - 12}" x2="{_RIGHT + 12}" y1="{_FLOOR + 8}" '
        f'y2="{_FLOOR + 8}"/><polyline points="{line}"/>{drawn}{_scale(low, high)}{_values(values, places)}'
        f'<text x="{(_LEFT + _RIGHT) / 2}" y="{HIGH - 2}" text-anchor="middle">{escape(setting)}</text></svg>'
    )


def _across(place: int, many: int) -> float:
    return _LEFT + (_RIGHT - _LEFT) * place / max(1, many - 1)


def _up(value: float, low: float, high: float) -> float:
    return _FLOOR - (_FLOOR - _TOP) * (value - low) / ((high - low) or 1.0)


def _point(x: float, y: float, point: dict[str, Any], ends: tuple[float, float]) -> str:
    """Draw an interval with its mean; that of the best is filled, and those that can be told from it are small."""
    top, floor = _up(point["high"], *ends), _up(point["low"], *ends)
    kind, size = ("best", 6) if point["standing"] == BEST else ("", 5 if point["standing"] else 3)
    return (
        f'<line class="range" x1="{x:.1f}" x2="{x:.1f}" y1="{top:.1f}" y2="{floor:.1f}"/>'
        f'<circle class="{kind}" cx="{x:.1f}" cy="{y:.1f}" r="{size}"/>'
    )


def _scale(low: float, high: float) -> str:
    return "".join(
        f'<text x="{_LEFT - 18}" y="{_up(end, low, high) + 4:.1f}" text-anchor="end">{short(end)}</text>'
        for end in dict.fromkeys((low, high))
    )


def _values(values: list[Any], places: list[float]) -> str:
    """Write the values below the axis, so many of them as there is room for."""
    every = -(-len(values) // _LABELS)
    return "".join(
        f'<text x="{x:.1f}" y="{_FLOOR + 20}" text-anchor="middle">{escape(str(value))}</text>'
        for x, value in list(zip(places, values, strict=True))[::every]
    )
