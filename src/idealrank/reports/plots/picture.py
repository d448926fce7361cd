"""The sheet every plot is drawn on: its looks, its panels, its footnote, and the bytes of its file."""

from __future__ import annotations

import base64
import io
import math
import textwrap
import warnings
from collections.abc import Sequence
from contextlib import AbstractContextManager
from html import escape
from typing import Any

import numpy as np

from idealrank.arrays import Floats
from idealrank.display import palette
from idealrank.errors import UsageError
from idealrank.measures.definition import Measure

try:
    import matplotlib.style
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure
    from matplotlib.text import Text
except ImportError:
    raise UsageError("Plots need matplotlib, and it is not installed. pip install matplotlib") from None

INK, FAINT, GRID = "#222222", "#767676", "#dddddd"
GAIN, LOSS, EQUAL = (colour.light for colour in (palette.GAIN, palette.LOSS, palette.EQUAL))
LINES = tuple(colour.light for colour in palette.SERIES)
MARKERS = ("o", "s", "^", "D", "v", "P", "X", "<", ">", "p")
DASHES: tuple[Any, ...] = ("-", (0, (5, 1.5)), (0, (1.5, 1.2)), (0, (5, 1.5, 1, 1.5)))

WIDE = 6.5
"""Inches across: the text of a page."""
MANY = 2000
"""So many points are drawn as dots of an image, not one by one, in a file of lines."""
MOST_PANELS = 40
_SHOWN = 110
"""Pixels of an inch in a notebook."""
_LONGEST = 40
_LEGEND = 7.5
"""Points of a letter of the legend."""
_ROW = 0.165
"""Inches of a row of the legend."""
_LETTERS, _TITLE = 110, 80
"""Letters of a legend, and of titles, that fit across."""
_MARK = 11
"""Letters that the mark of a line in the legend takes up, with the space around it."""
_LINE = 0.13
"""Inches of a line of the footnote."""

_LOOKS: dict[str, Any] = {
    "font.family": "DejaVu Sans", "font.size": 9, "text.color": INK, "text.parse_math": False,
    "axes.titlesize": 9, "axes.titlelocation": "left", "axes.labelsize": 8, "axes.labelcolor": INK,
    "axes.edgecolor": FAINT, "axes.linewidth": 0.6, "axes.spines.top": False, "axes.spines.right": False,
    "axes.axisbelow": True, "axes.unicode_minus": False, "grid.color": GRID, "grid.linewidth": 0.6,
    "xtick.color": INK, "ytick.color": INK, "xtick.labelsize": 7.5, "ytick.labelsize": 7.5,
    "xtick.major.width": 0.6, "ytick.major.width": 0.6, "legend.fontsize": _LEGEND, "legend.frameon": False,
    "lines.linewidth": 1.3, "lines.markersize": 4.5, "hatch.linewidth": 0.6, "hatch.color": FAINT,
    "figure.dpi": 100, "savefig.dpi": 200, "svg.hashsalt": "idealrank", "svg.fonttype": "path",
}  # fmt: skip
FORMS: dict[str, dict[str, Any]] = {"svg": {"Date": None}, "png": {}, "pdf": {"CreationDate": None}}
"""The forms of a file, with what of their metadata would be another every day."""
_DESCRIBED = {"svg": "Description", "png": "Description", "pdf": "Subject"}


def looks() -> AbstractContextManager[None]:
    """Draw under these settings only, regardless of the user's; those are as before afterwards."""
    return matplotlib.style.context(_LOOKS, after_reset=True)


class Picture(Figure):
    """A matplotlib figure that is drawn under its own settings, and shown by notebooks without pyplot.

    Attributes
    ----------
    stated
        The fingerprints of the measures it shows; they are in the metadata of the file.
    footnote
        The measure, the convention, and how many queries are in it.
    """

    stated: tuple[str, ...] = ()
    footnote: Text

    @property
    def ground(self) -> float:
        """The height the footnote takes up, as a share of the whole."""
        lines = 1 + self.footnote.get_text().count("\n")
        return (_LINE * lines + 0.05) / float(self.get_figheight())

    def draw(self, renderer: Any) -> None:
        """Draw it; a letter its font has not is a box, without a warning for each."""
        with looks(), warnings.catch_warnings():
            warnings.filterwarnings("ignore", message="Glyph .* missing from|Matplotlib currently does not support")
            fit(self, renderer)
            super().draw(renderer)

    def _repr_mimebundle_(self, **_: object) -> dict[str, str]:
        """Return it as HTML, which fits the cell, and as an image, for what shows no HTML, as a notebook's PDF."""
        # Twice the dots it is shown in, so that it is sharp on a screen of many dots; drawn once for both forms.
        image = base64.b64encode(self.file("png", 2 * _SHOWN)).decode()
        words = escape(f"{self.get_suptitle()}. {self.footnote.get_text()}")
        return {
            "text/html": f'<img alt="{words}" style="width:100%;max-width:{WIDE * _SHOWN:.0f}px;height:auto" '
            f'src="data:image/png;base64,{image}">',
            "image/png": image,
        }

    def file(self, form: str, dpi: int = 200) -> bytes:
        """Return it as the bytes of a file, the same on every run.

        Parameters
        ----------
        form
            ``svg``, ``png`` or ``pdf``.
        dpi
            Dots an inch of what is drawn in dots.
        """
        out = io.BytesIO()
        metadata = {_DESCRIBED[form]: "; ".join(self.stated)} | FORMS[form]
        with looks():
            self.savefig(out, format=form, dpi=dpi, metadata=metadata)
        return out.getvalue()


def picture(
    title: str, note: str, stated: Sequence[str], panels: int, across: int, height: float, **shared: Any
) -> tuple[Picture, list[Axes]]:
    """Return a sheet with its title, its footnote and its panels, to be drawn on under `looks`.

    Parameters
    ----------
    panels, across
        How many there are, and at most in a row.
    height
        Of one row of panels, in inches.
    shared
        What `Figure.subplots` takes: sharex, sharey.

    Raises
    ------
    UsageError
        If there are more panels than anybody can read.
    """
    if panels > MOST_PANELS:
        raise UsageError(f"{panels} panels are more than can be read (at most {MOST_PANELS}). Name one system.")
    across = min(across, panels)
    rows = math.ceil(panels / across)
    lines = textwrap.wrap(" ".join(note.split()), 125)
    sheet = Picture(figsize=(WIDE, rows * height + 0.45 + _LINE * len(lines)), layout="constrained")
    sheet.stated = tuple(dict.fromkeys(stated))
    grid = sheet.subplots(rows, across, squeeze=False, **shared)
    for unused in grid.flat[panels:]:
        unused.remove()
    for panel in grid.flat[:panels]:
        panel.locator_params(nbins=4 if across > 2 else 6)
    sheet.suptitle(title, x=0.01, ha="left", fontsize=10)
    sheet.footnote = sheet.text(0.01, 0.01, "\n".join(lines), fontsize=6.5, color=FAINT, va="bottom")
    sheet.footnote.set_in_layout(False)
    _lay_out_above_footnote(sheet)
    return sheet, list(grid.flat[:panels])


def _lay_out_above_footnote(sheet: Picture) -> None:
    """Lay everything out above the footnote."""
    sheet.get_layout_engine().set(rect=(0, sheet.ground, 1, 1 - sheet.ground))  # type: ignore[union-attr, call-arg]


def safe_label(name: str) -> str:
    """Return a name as a label: on one line, without what cannot be printed, cut where it is long.

    Examples
    --------
    >>> safe_label("bm25   with stemming")
    'bm25 with stemming'
    """
    plain = " ".join("".join(sign if sign.isprintable() else " " for sign in name).split())
    plain = plain if len(plain) <= _LONGEST else f"{plain[: _LONGEST - 1]}…"
    return f" {plain}" if plain.startswith("_") else plain  # matplotlib leaves out labels that begin so


def set_title(panel: Axes, text: str) -> None:
    """Write the title of a panel, its lines cut where the next panel begins."""
    place = panel.get_subplotspec()
    most = _TITLE // (1 if place is None else place.get_gridspec().ncols)
    lines = (line if len(line) <= most else f"{line[: most - 1]}…" for line in text.split("\n"))
    panel.set_title("\n".join(lines))


def spans(means: Sequence[float], ends: Sequence[tuple[float, float]]) -> Floats:
    """(2, N) how far intervals reach below and above their means, as `errorbar` takes it; NaN where there is none.

    An interval without width may miss its mean by what rounding makes; it reaches no less than 0.
    """
    limits = np.array(ends, np.float64).reshape(-1, 2).T
    return np.maximum((np.array(means) - limits) * [[1.0], [-1.0]], 0.0)


def line_of(place: int) -> dict[str, Any]:
    """Return the look of one of several lines: no two of the first 140 have the same colour, marker and dash."""
    return {
        "color": LINES[place % len(LINES)],
        "marker": MARKERS[place % len(MARKERS)],
        "linestyle": DASHES[place // len(LINES) % len(DASHES)],
    }


def legend_below(sheet: Picture, handles: Sequence[Any], labels: Sequence[str]) -> None:
    """Write a legend between the panels and the footnote, in as many columns as there is room for.

    Each row but the first makes the sheet higher, so that the panels keep their height.
    """
    names = list(map(safe_label, labels))
    across = min(max(_LETTERS // (max(map(len, names)) + _MARK), 1), len(names))
    sheet.set_figheight(sheet.get_figheight() + _ROW * (math.ceil(len(names) / across) - 1))
    _lay_out_above_footnote(sheet)
    above = sheet.ground * sheet.get_figheight() * 72 / _LEGEND  # in letters of the legend, as matplotlib counts it
    sheet.legend(handles, names, loc="outside lower left", ncols=across, handlelength=3, borderaxespad=above)


# Texts that fit.


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
        _fit_panel(panel, renderer)
    above = sheet._suptitle  # type: ignore[attr-defined]  # there is no public way to it
    if above is not None:
        share = float(sheet.bbox.width) * 0.98 / float(above.get_window_extent(renderer).width)
        above.set_fontsize(max(_SMALLEST, above.get_fontsize() * min(1.0, share)))


def _fit_panel(panel: Axes, renderer: Any) -> None:
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


# Axes with ends.


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
    dots, all_ends = _finite_values([*middles, *zero]), _finite_values([*middles, *zero, *np.ravel(ends)])
    if not len(dots):
        return 0.0, 1.0
    least, most = _possible_range(measure, differs) or _sensible_range(dots, ends)
    low, high = min(dots.min(), max(all_ends.min(), least)), max(dots.max(), min(all_ends.max(), most))
    room = 0.06 * ((high - low) or 1.0)
    return float(low - room), float(high + room)


def _finite_values(values: Sequence[float]) -> Floats:
    numbers = np.array(values, np.float64)
    return numbers[np.isfinite(numbers)]


def _possible_range(measure: Measure, differs: bool) -> tuple[float, float] | None:
    lowest, highest = measure.definition.properties.lowest, measure.definition.properties.highest
    wide = highest - lowest
    if not math.isfinite(wide):
        return None
    return (-wide, wide) if differs else (lowest, highest)


def _sensible_range(dots: Floats, ends: Ends) -> tuple[float, float]:
    halves = np.sort(_finite_values([(high - low) / 2 for low, high in ends]))
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
