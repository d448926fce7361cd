"""How much the lists of two systems share: Jaccard and RBO of every query, each in order."""

from __future__ import annotations

import numpy as np
from matplotlib.axes import Axes

from idealrank.arrays import Floats
from idealrank.comparison.comparison import Comparison
from idealrank.comparison.overlap_at import overlap_table
from idealrank.errors import refuse_count
from idealrank.evaluation.footnote import of_queries
from idealrank.reports.parts.curves import DEPTH
from idealrank.reports.plots.choice import pairs_of
from idealrank.reports.plots.picture import GRID, LINES, Picture, called, legend_below, looks, picture, titled
from idealrank.reports.subject import compared

_LOOKS: dict[str, tuple[str, object]] = {"jaccard": (LINES[0], "-"), "rbo": (LINES[1], (0, (4, 1.5)))}


def overlap(comparison: Comparison, *, system: str | None = None, depth: int = DEPTH) -> Picture:
    """Draw how much the lists of two systems share: Jaccard and RBO of every query, each in falling order.

    Parameters
    ----------
    comparison
        A comparison.
    system
        One of those compared, as the verdicts name it; None: a panel for each pair.
    depth
        Compare only this many first results of each.

    Examples
    --------
    >>> import idealrank as ir
    >>> qrels, run = {"q": {"a": 1}, "r": {"a": 1}}, {"q": {"a": 2.0, "x": 1.0}, "r": {"a": 1.0}}
    >>> comparison = ir.compare(qrels, {"old": run, "new": run}, ["RR"])
    >>> ir.plots.overlap(comparison, depth=3).axes[0].get_title(loc="left")
    'old and new'
    """
    pairs = pairs_of(compared(comparison, "overlap"), system)
    refuse_count("depth", depth, "how deep")
    scores, chosen = comparison.scores, comparison.pairing.chosen
    counted = of_queries({"": int(chosen.sum())}, len(scores.queries))
    note = f"Lists under {scores.setting.text}, judged or not; {counted}"
    across, height = (1, 2.9) if len(pairs) == 1 else (3, 1.7)
    with looks():
        title = f"What the first {depth} results share, query by query"
        sheet, panels = picture(title, note, [], len(pairs), across, height, sharex=True, sharey=True)
        for panel, pair in zip(panels, pairs, strict=True):
            shared = overlap_table(scores, pair, depth)
            lines = [_falling(panel, shared.array(name)[chosen], *look) for name, look in _LOOKS.items()]
            titled(panel, " and ".join(called(comparison.systems[s]) for s in pair))
            panel.set_ylim(-0.03, 1.03)
            panel.grid(axis="y", color=GRID)
        panels[-1].set_xlabel("queries")
        legend_below(sheet, lines, ["Jaccard (documents of both / of either)", "RBO (p = 0.9)"])
    return sheet


def _falling(panel: Axes, values: Floats, colour: str, dash: object) -> object:
    """Draw values as steps, the highest first: the edge of a query lies on either side of its number."""
    falling = np.sort(values)[::-1]
    (line,) = panel.plot(
        np.arange(1, len(values) + 1), falling, drawstyle="steps-mid", color=colour, linestyle=dash, label="_"
    )
    return line
