"""Intervals on an axis that ends where values can be: what goes on beyond it has the head of an arrow."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np
from matplotlib.axes import Axes

from idealrank.arrays import Floats
from idealrank.measures import Measure

FAR = 5.0
"""So many times the spread of the middles and a middling interval the axis goes on, where values have no ends."""

Ends = Sequence[tuple[float, float]]


def axis_limits(middles: Sequence[float], ends: Ends, measure: Measure, differs: bool) -> tuple[float, float]:
    """Return the ends of an axis: those of the intervals, but no further than values, or their differences, can be.

    Parameters
    ----------
    middles
        What is in the middle of each interval; NaN where there is nothing.
    differs
        Whether differences are shown; 0 is on their axis.

    Examples
    --------
    >>> import idealrank as ir
    >>> measure = ir.evaluate({"q": {"d": 1}}, {"q": {"d": 1.0}}, ["RR"]).measures[0]
    >>> low, high = axis_limits([0.1, 0.2], [(0.0, 0.2), (-9.0, 9.4)], measure, differs=True)
    >>> round(low, 2), round(high, 2)
    (-1.12, 1.12)
    """
    zero = [0.0] if differs else []
    dots, all_ends = _finite([*middles, *zero]), _finite([*middles, *zero, *np.ravel(ends)])
    if not len(dots):
        return 0.0, 1.0
    least, most = _possible(measure, differs) or _sensible(dots, ends)
    low, high = min(dots.min(), max(all_ends.min(), least)), max(dots.max(), min(all_ends.max(), most))
    room = 0.06 * ((high - low) or 1.0)
    return float(low - room), float(high + room)


def _finite(values: Sequence[float]) -> Floats:
    numbers = np.array(values, np.float64)
    return numbers[np.isfinite(numbers)]


def _possible(measure: Measure, differs: bool) -> tuple[float, float] | None:
    lowest, highest = measure.definition.properties.lowest, measure.definition.properties.highest
    wide = highest - lowest
    if not math.isfinite(wide):
        return None
    return (-wide, wide) if differs else (lowest, highest)


def _sensible(dots: Floats, ends: Ends) -> tuple[float, float]:
    halves = np.sort(_finite([(high - low) / 2 for low, high in ends]))
    middling = halves[(len(halves) - 1) // 2] if len(halves) else 0.0
    reach = FAR * (np.ptp(dots) + middling)
    return dots.min() - reach, dots.max() + reach


def mark_beyond(panel: Axes, ends: Ends, limit: tuple[float, float], **look: Any) -> None:
    """End the axis of a panel, and mark the intervals that go on beyond it; the n-th lies at the height n.

    The label of a mark begins with `_`: matplotlib then leaves it out of the legend.

    Parameters
    ----------
    look
        Of the marks: color.
    """
    panel.set_xlim(*limit)
    for place, (low, high) in enumerate(ends):
        for edge, marker, beyond in ((limit[0], "<", low < limit[0]), (limit[1], ">", high > limit[1])):
            if beyond:
                panel.plot([edge], [place], marker=marker, clip_on=False, linestyle="", label="_beyond", **look)
