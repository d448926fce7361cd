"""Texts of a picture, cut where what they belong to ends."""

from __future__ import annotations

from typing import Any

from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.text import Text

_LEAST = 3
"""Letters that are left of a line."""
_SMALLEST = 6.0
"""Points of a letter of a title above all panels."""


def fit(sheet: Figure, renderer: Any) -> None:
    """Cut titles and labels of panels at their ends; the title above them is written smaller where it has no room."""
    engine = sheet.get_layout_engine()
    if engine is not None:
        engine.execute(sheet)
    for panel in sheet.axes:
        _fit(panel, renderer)
    above = sheet._suptitle  # type: ignore[attr-defined]  # there is no public way to it
    if above is not None:
        share = float(sheet.bbox.width) * 0.98 / float(above.get_window_extent(renderer).width)
        above.set_fontsize(max(_SMALLEST, above.get_fontsize() * min(1.0, share)))


def _fit(panel: Axes, renderer: Any) -> None:
    box, title = panel.get_window_extent(renderer), panel.set_title(panel.get_title(loc="left"))
    for text, room, upright in (
        (title, box.width, False),
        (panel.xaxis.label, box.width, False),
        (panel.yaxis.label, box.height, True),
    ):
        cut(text, room, upright, renderer)


def cut(text: Text, room: float, upright: bool, renderer: Any) -> None:
    """Cut the longest lines of a text until it fits.

    Parameters
    ----------
    room
        In dots of the renderer.
    upright
        Whether its lines go up: then its height has to fit.
    """
    whole = text.get_text().split("\n")
    most = max(map(len, whole))
    while most > _LEAST:
        box = text.get_window_extent(renderer)
        length = box.height if upright else box.width
        if length <= room:
            return
        most = max(_LEAST, min(most - 1, int(most * room / length)))
        text.set_text("\n".join(line if len(line) <= most else f"{line[: most - 1]}…" for line in whole))
