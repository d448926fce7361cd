"""The grades of the results as a heat strip: one row per query, one column per rank, one panel per system."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from matplotlib.axes import Axes
from matplotlib.colors import Colormap, LinearSegmentedColormap, Normalize
from matplotlib.image import AxesImage
from matplotlib.patches import Patch, Rectangle
from matplotlib.ticker import MaxNLocator

from idealrank.arrays import Floats, Ints
from idealrank.display.palette import GRADES
from idealrank.errors import refuse_count
from idealrank.evaluation.scores import Scores
from idealrank.reports.parts.curves import DEPTH
from idealrank.reports.parts.lists import RankedLists, ranked_lists
from idealrank.reports.plots.choice import systems_shown
from idealrank.reports.plots.picture import FAINT, Picture, called, legend_below, looks, picture, titled
from idealrank.reports.subject import Subject

NAMED = 40
"""So many queries are named beside their rows, where there are three systems at most."""
_HATCH = "//////"
CHIPS = 7
"""So many different grades have a colour each in the legend; of more there is a scale."""


def grades(subject: Subject, measure: str | None = None, *, system: str | None = None, depth: int = DEPTH) -> Picture:
    """Draw the grades of the first results: one row per query, one column per rank, one panel per system.

    An unjudged result is hatched, no result is white.

    Parameters
    ----------
    subject
        Scores or a comparison.
    measure
        Queries are sorted by its value, the best mean over the systems first; None: the first measure.
    system
        One of the systems; None: all.
    depth
        The last rank.

    Examples
    --------
    >>> import idealrank as ir
    >>> scores = ir.evaluate({"q": {"a": 1}}, {"q": {"a": 1.0}}, ["P@5"])
    >>> ir.plots.grades(scores, depth=3).get_suptitle()
    'Grades of the first 3 results; queries by P@5, best first'
    """
    scores, (m,), systems, note = systems_shown(subject, measure, system)
    refuse_count("depth", depth, "how deep")
    rows = best_first(scores, m)
    lists = ranked_lists(scores, depth)
    cells = {s: strip(lists[scores.systems[s]], depth)[rows] for s in systems}
    graded = np.unique(np.concatenate([strips[np.isfinite(strips)] for strips in cells.values()]))
    scale = Normalize(min(graded.min(initial=0.0), 0.0), max(graded.max(initial=0.0), 1.0))
    across = min(len(systems), 5)
    height = min(max(0.5 + 0.13 * len(rows), 1.4), 6.0 if across == len(systems) else 2.2)
    title = f"Grades of the first {depth} results; queries by {called(scores.labels[m])}, best first"
    prints = [scores.measures[m].fingerprint]
    with looks():
        sheet, panels = picture(title, note, prints, len(systems), across, height, sharex=True, sharey=True)
        for panel, s in zip(panels, systems, strict=True):
            image = _panel(panel, cells[s], scale)
            titled(panel, called(scores.systems[s]))
        _name_rows(panels[0], [scores.queries[q] for q in rows], len(systems))
        panels[-1].set_xlabel("rank")
        _legend(sheet, panels, image, graded)
    return sheet


def _panel(panel: Axes, cells: Floats, scale: Normalize) -> AxesImage:
    """Draw the strip of a system; what is transparent in the image shows the hatched ground below it."""
    count, depth = cells.shape
    panel.add_patch(
        Rectangle((0.5, -0.5), depth, count, facecolor="white", edgecolor=FAINT, hatch=_HATCH, linewidth=0, zorder=0)
    )
    panel.xaxis.set_major_locator(MaxNLocator(5, integer=True, min_n_ticks=1))
    shown = np.ma.masked_invalid(np.where(np.isneginf(cells), scale.vmin - 1.0, cells))  # type: ignore[operator]
    return panel.imshow(
        shown, cmap=_colours(), norm=scale, aspect="auto", interpolation="nearest", zorder=1,
        extent=(0.5, depth + 0.5, count - 0.5, -0.5),
    )  # fmt: skip


def _name_rows(panel: Axes, queries: Sequence[str], systems: int) -> None:
    """Name the queries beside their rows, or count them where they are many."""
    named = len(queries) <= NAMED and systems <= 3
    panel.set_yticks(range(len(queries)) if named else [], [called(query) for query in queries] if named else [])
    panel.set_ylabel("" if named else f"{len(queries)} queries")


def strip(lists: RankedLists, depth: int) -> Floats:
    """(Q, K) grade of each result within the depth; NaN where nobody judged it, −∞ where there is no result."""
    counts = np.diff(lists.start)
    cells = np.full((len(counts), depth), -np.inf)
    cells[np.repeat(np.arange(len(counts)), counts), lists.rank - 1] = lists.grade
    return cells


def best_first(scores: Scores, m: int) -> Ints:
    """Return the places of the queries that have a value, the best mean over the systems first; equal ones by id."""
    valued = np.flatnonzero(~np.isnan(scores.values[:, m]).all(axis=0))
    values = np.nanmean(scores.values[:, m, valued], axis=0)
    turn = 1 if scores.measures[m].definition.properties.direction == "lower" else -1
    ids = [scores.queries[q] for q in valued]
    order = sorted(range(len(valued)), key=lambda i: (turn * values[i], ids[i]))
    return valued[np.array(order, np.int64)]


def _colours() -> Colormap:
    """One hue from light to dark; no result is white, an unjudged one lets the ground through."""
    ends = [colour.light for colour in GRADES]
    return LinearSegmentedColormap.from_list("grades", ends).with_extremes(bad=(0, 0, 0, 0), under="white")


def _legend(sheet: Picture, panels: Sequence[Axes], image: AxesImage, graded: Floats) -> None:
    """Write the colours of the grades, or the scale where there are many, and what is hatched."""
    chips = {f"{grade:g}": Patch(facecolor=tuple(image.to_rgba(grade)), edgecolor=FAINT) for grade in graded}
    if len(graded) > CHIPS:
        sheet.colorbar(image, ax=panels, label="grade")
        chips = {}
    chips["not judged"] = Patch(facecolor="white", edgecolor=FAINT, hatch=_HATCH)
    chips["no result"] = Patch(facecolor="white", edgecolor=FAINT)
    legend_below(sheet, list(chips.values()), list(chips))
