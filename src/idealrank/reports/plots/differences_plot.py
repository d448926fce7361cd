"""The difference of every query as a bar, the greatest gain first."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from matplotlib.axes import Axes

from idealrank.comparison.comparison import Comparison
from idealrank.comparison.pairing import Key
from idealrank.display.numbers import signed
from idealrank.reports.plots.choice import pairs_shown
from idealrank.reports.plots.pairs import PairedDifferences, colours, differences_of, pair_name, tally
from idealrank.reports.plots.picture import FAINT, GRID, INK, MANY, Picture, called, looks, picture, titled

NAMED = 40
"""So many queries have a bar with a name each; more are steps."""
_SHORT, _LETTER = 9, 0.055
"""Letters of a name there is room for, and inches of a letter more."""


def differences(comparison: Comparison, measure: str | None = None, *, system: str | None = None) -> Picture:
    """Draw the difference of every query as a bar, the greatest gain first, with wins, ties and losses.

    Gains are blue, losses orange; each is above or below 0.

    Parameters
    ----------
    comparison
        A comparison.
    measure
        One of the measures; None: the first.
    system
        One of those compared, as the verdicts name it; None: a panel for each pair.

    Examples
    --------
    >>> import idealrank as ir
    >>> qrels, run = {"q": {"a": 1}, "r": {"a": 1}}, {"q": {"a": 2.0, "x": 1.0}, "r": {"a": 1.0}}
    >>> comparison = ir.compare(qrels, {"old": run, "new": run}, ["RR"])
    >>> print(ir.plots.differences(comparison).axes[0].get_title(loc="left"))
    new vs old
    ▲ 0 better  = 2 equal  ▼ 0 worse, mean +0.0000
    """
    shown = pairs_shown(comparison, "differences", measure, system)
    (m,), keys, one = shown.measures, shown.keys, len(shown.keys) == 1
    title = f"{called(comparison.scores.labels[m])}: difference of every query"
    rows = {key: differences_of(comparison, key) for key in keys}
    height = 2.9 + _room(_names(comparison, rows[keys[0]])) if one else 1.5
    with looks():
        prints = [comparison.scores.measures[m].fingerprint]
        sheet, panels = picture(title, shown.note, prints, len(keys), 1 if one else 2, height, sharey=True)
        for panel, key in zip(panels, keys, strict=True):
            _bars(panel, comparison, key, rows[key], _names(comparison, rows[key]) if one else [])
            _mean(panel, comparison, key, one)
        panels[-1].set_xlabel("queries")
        panels[0].set_ylabel("difference")
        if not any(comparison.contrasts[key].wins + comparison.contrasts[key].losses for key in keys):
            panels[0].set_ylim(-0.1, 0.1)
    return sheet


def _names(comparison: Comparison, rows: PairedDifferences) -> list[str]:
    """Return the names of the queries; none where they are many."""
    return [called(comparison.scores.queries[q]) for q in rows.places] if len(rows.places) <= NAMED else []


def _room(names: Sequence[str]) -> float:
    """Return the inches that long names below the bars take up, more than short ones do."""
    return _LETTER * max(max(map(len, names), default=0) - _SHORT, 0)


def _bars(panel: Axes, comparison: Comparison, key: Key, rows: PairedDifferences, names: Sequence[str]) -> None:
    """Draw a bar per query where they are named, else steps."""
    gain, loss = colours(comparison.contrasts[key])
    d, gains = rows.values, rows.gains
    if names:
        panel.bar(range(len(d)), d, color=[loss if value < 0 else gain for value in gains], width=0.82)
        panel.set_xticks(range(len(d)), names, rotation=90, fontsize=6.5)
        return
    edges = np.arange(len(d) + 1) - 0.5
    for part, colour in ((gains > 0, gain), (gains < 0, loss)):
        panel.stairs(np.where(part, d, 0.0), edges, fill=True, color=colour, linewidth=0, rasterized=len(d) > MANY)


def _mean(panel: Axes, comparison: Comparison, key: Key, one: bool) -> None:
    contrast = comparison.contrasts[key]
    panel.axhline(0.0, color=FAINT, linewidth=0.8)
    panel.axhline(contrast.difference, color=INK, linewidth=0.9, linestyle=(0, (4, 2)), label="mean")
    text = f"{tally(contrast, in_full=one)}, mean {signed(contrast.difference)}"
    titled(panel, f"{pair_name(comparison, key)}\n{text}")
    panel.grid(axis="y", color=GRID)
