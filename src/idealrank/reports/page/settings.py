"""What the page shows of a grid of settings: its points in order, their shades, the means of one setting as a line."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

from idealrank.comparison.settings_grid import BEST, MAY_BE
from idealrank.reports.page.markup import short
from idealrank.reports.types import GridPart

STARS = {BEST: "★", MAY_BE: "☆"}
"""The mark of a point that is the best, and of one that cannot be told from the best."""

SHADES = 6
"""The darkest shade of a cell."""


def shade_of(point: Mapping[str, Any], grid: GridPart, direction: str) -> int:
    """Return the shade of a mean among those of all points: better ones are darker."""
    means = [each[grid["measure"]] for each in grid["points"]]
    worst, best = (max(means), min(means)) if direction == "lower" else (min(means), max(means))
    return round(SHADES * (point[grid["measure"]] - worst) / (best - worst)) if best != worst else 0


def sorted_points(grid: GridPart, direction: str) -> list[dict[str, Any]]:
    """Return the points; the best comes first where there are three settings or more."""
    sign = 1 if direction == "lower" else -1
    if len(grid["settings"]) <= 2:
        return list(grid["points"])
    return sorted(grid["points"], key=lambda point: sign * point[grid["measure"]])


def interval_of(point: Mapping[str, Any], measure: str) -> dict[str, float | None]:
    """Return the mean of a point with the ends of its interval."""
    return {"low": point["low"], "mean": point[measure], "high": point["high"]}


# One setting as a line.


_LEFT, _RIGHT, _TOP, _FLOOR = 62, 322, 14, 168
"""The ends of the axes: where the first value, the last, the highest end and the lowest are drawn."""

_LABELS = 8
"""Values that are written below the axis, at most."""


class PlacedPoint(NamedTuple):
    """Where a mean and its interval are drawn; that of the best is filled, and those that can be told from it small."""

    x: float
    mean: float
    low: float
    high: float
    kind: str
    size: int


class SettingLine(NamedTuple):
    """Where the means of one setting are drawn, with the labels of the ends and of so many values as there is room."""

    points: list[PlacedPoint]
    ends: list[tuple[float, str]]
    labels: list[tuple[float, str]]


def setting_line(grid: GridPart) -> SettingLine | None:
    """Return the means in the order of the values, which are evenly spaced.

    None for words, for several settings, and where a mean has no interval.
    """
    points = grid["points"]
    if len(grid["settings"]) > 1 or any(point[end] is None for point in points for end in ("low", "high")):
        return None
    [values] = grid["settings"].values()
    if any(isinstance(value, str) for value in values):
        return None
    low, high = min(point["low"] for point in points), max(point["high"] for point in points)

    def y_of(value: float) -> float:
        share: float = (value - low) / ((high - low) or 1.0)
        return _FLOOR - (_FLOOR - _TOP) * share

    places = [_LEFT + (_RIGHT - _LEFT) * place / max(1, len(points) - 1) for place in range(len(points))]
    placed = [
        PlacedPoint(
            x, y_of(point[grid["measure"]]), y_of(point["low"]), y_of(point["high"]),
            kind="best" if point["standing"] == BEST else "", size=_size(point["standing"]),
        )
        for x, point in zip(places, points, strict=True)
    ]  # fmt: skip
    every = -(-len(values) // _LABELS)
    labels = [(x, str(value)) for value, x in zip(values, places, strict=True)][::every]
    return SettingLine(placed, [(y_of(end) + 4, short(end)) for end in dict.fromkeys((low, high))], labels)


def _size(standing: str) -> int:
    if standing == BEST:
        return 6
    return 5 if standing else 3
