"""One system's values against another's, query by query, with the diagonal."""

from __future__ import annotations

from collections.abc import Sequence

from matplotlib.axes import Axes

from idealrank.comparison.comparison import Comparison
from idealrank.comparison.pairing import Key
from idealrank.reports.plots.differences import inks, ordered, tally
from idealrank.reports.plots.picture import EQUAL, FAINT, MANY, Picture, called, looks, picture, titled


def draw(comparison: Comparison, keys: Sequence[Key], note: str) -> Picture:
    """Draw a point a paired query: ▲ better, ▼ worse, a dot where both are equal."""
    label = comparison.scores.labels[keys[0][1]]
    one, prints = len(keys) == 1, [comparison.scores.measures[keys[0][1]].fingerprint]
    with looks():
        title = f"{called(label)} of every query"
        sheet, panels = picture(
            title, note, prints, len(keys), 1 if one else 4, 4.6 if one else 2.0, sharex=True, sharey=True
        )
        for panel, key in zip(panels, keys, strict=True):
            _panel(panel, comparison, key, one)
        _diagonal(panels)
    return sheet


def _panel(panel: Axes, comparison: Comparison, key: Key, one: bool) -> None:
    places, found = ordered(comparison, key), comparison.contrasts[key]
    before, after = (comparison.scores.values[s, key[1], places] for s in key[0])
    d = comparison.pairing.difference(*key)[places]
    better, many = -d if found.direction == "lower" else d, len(places) > MANY
    gain, loss = inks(found)
    for part, marker, colour in ((better == 0, ".", EQUAL), (better > 0, "^", gain), (better < 0, "v", loss)):
        panel.plot(
            before[part], after[part], linestyle="", marker=marker, color=colour, markeredgewidth=0,
            markersize=2.0 if many else 4.5, alpha=0.4 if many else 0.7, rasterized=many,
        )  # fmt: skip
    panel.set_xlabel(called(comparison.systems[key[0][0]]))
    panel.set_ylabel(called(comparison.systems[key[0][1]]))
    titled(panel, tally(found, in_full=one))


def _diagonal(panels: Sequence[Axes]) -> None:
    """Draw the line of equal values; both axes have the same limits in every panel."""
    low = min(min(panel.get_xlim()[0], panel.get_ylim()[0]) for panel in panels)
    high = max(max(panel.get_xlim()[1], panel.get_ylim()[1]) for panel in panels)
    for panel in panels:
        panel.plot((low, high), (low, high), color=FAINT, linewidth=0.8, zorder=0)
        panel.set(xlim=(low, high), ylim=(low, high), aspect="equal")
