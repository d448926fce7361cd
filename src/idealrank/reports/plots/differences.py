"""The difference of every query as a bar, the greatest gain first."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from matplotlib.axes import Axes

from idealrank.arrays import Floats, Ints
from idealrank.comparison.comparison import Comparison
from idealrank.comparison.contrasts import Contrast
from idealrank.comparison.pairing import Key
from idealrank.reports.plots.picture import (
    EQUAL,
    FAINT,
    GAIN,
    GRID,
    INK,
    LOSS,
    MANY,
    Picture,
    called,
    looks,
    picture,
    titled,
)

NAMED = 40
"""So many queries have a bar with a name each; more are steps."""
_SHORT, _LETTER = 9, 0.055
"""Letters of a name there is room for, and inches of a letter more."""


def draw(comparison: Comparison, keys: Sequence[Key], note: str) -> Picture:
    """Draw the paired queries of each pair: gains in blue, losses in orange, below 0 or above it."""
    prints, label = [comparison.scores.measures[keys[0][1]].fingerprint], called(comparison.scores.labels[keys[0][1]])
    one = len(keys) == 1
    with looks():
        title = f"{label}: difference of every query"
        height = 2.9 + _room(comparison, keys[0]) if one else 1.5
        sheet, panels = picture(title, note, prints, len(keys), 1 if one else 2, height, sharey=True)
        for panel, key in zip(panels, keys, strict=True):
            _panel(panel, comparison, key, one)
        panels[-1].set_xlabel("queries")
        panels[0].set_ylabel("difference")
        if not any(comparison.contrasts[key].wins + comparison.contrasts[key].losses for key in keys):
            panels[0].set_ylim(-0.1, 0.1)
    return sheet


def _room(comparison: Comparison, key: Key) -> float:
    """Return the inches that long names below the bars take up, more than short ones do."""
    names = [called(comparison.scores.queries[q]) for q in ordered(comparison, key)]
    return _LETTER * max(max(map(len, names), default=0) - _SHORT, 0) if len(names) <= NAMED else 0.0


def _panel(panel: Axes, comparison: Comparison, key: Key, one: bool) -> None:
    found, places = comparison.contrasts[key], ordered(comparison, key)
    d = comparison.pairing.difference(*key)[places]
    better = -d if found.direction == "lower" else d
    gain, loss = inks(found)
    if one and len(d) <= NAMED:
        panel.bar(range(len(d)), d, color=[loss if value < 0 else gain for value in better], width=0.82)
        names = [called(comparison.scores.queries[q]) for q in places]
        panel.set_xticks(range(len(d)), names, rotation=90, fontsize=6.5)
    else:
        for part, colour in ((better > 0, gain), (better < 0, loss)):
            edges = np.arange(len(d) + 1) - 0.5
            panel.stairs(np.where(part, d, 0.0), edges, fill=True, color=colour, linewidth=0, rasterized=len(d) > MANY)
    panel.axhline(0.0, color=FAINT, linewidth=0.8)
    panel.axhline(found.difference, color=INK, linewidth=0.9, linestyle=(0, (4, 2)), label="mean")
    mean = f"mean {found.difference:+.4f}"
    titled(panel, f"{pair_name(comparison, key)}\n{tally(found, in_full=one)}, {mean}")
    panel.grid(axis="y", color=GRID)


def ordered(comparison: Comparison, key: Key) -> Ints:
    """Return the places of the paired queries, the greatest gain first; equal ones by id."""
    by_id = comparison.pairing.by_id
    kept = by_id[comparison.pairing.paired(*key)[by_id]]
    d: Floats = comparison.pairing.difference(*key)[kept]
    order = np.argsort(d if comparison.contrasts[key].direction == "lower" else -d, kind="stable")
    return kept[order]


def tally(found: Contrast, in_full: bool = True) -> str:
    """Write how many queries are better, equal and worse, higher and lower of a count; without words where small."""
    gains, lost = ("higher", "lower") if found.direction == "count" else ("better", "worse")
    wins, ties, losses = (f" {gains}", " equal", f" {lost}") if in_full else ("", "", "")
    return f"▲ {found.wins}{wins}  = {found.ties}{ties}  ▼ {found.losses}{losses}"


def inks(found: Contrast) -> tuple[str, str]:
    """Return the colours of gains and losses; a count is neither good nor bad."""
    return (EQUAL, EQUAL) if found.direction == "count" else (GAIN, LOSS)


def pair_name(comparison: Comparison, key: Key) -> str:
    """Return what is compared with what, as a label."""
    baseline, system = (comparison.systems[place] for place in key[0])
    return f"{called(system)} vs {called(baseline)}"
