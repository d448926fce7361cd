"""One system's values against another's, query by query, with the diagonal."""

from __future__ import annotations

from collections.abc import Sequence

from matplotlib.axes import Axes

from idealrank.comparison.comparison import Comparison
from idealrank.comparison.pairing import Key
from idealrank.reports.plots.choice import pairs_shown
from idealrank.reports.plots.pairs import colours, differences_of, tally
from idealrank.reports.plots.picture import EQUAL, FAINT, MANY, Picture, called, looks, picture, titled


def scatter(comparison: Comparison, measure: str | None = None, *, system: str | None = None) -> Picture:
    """Draw the values of the baseline against those of the system, query by query, with the diagonal.

    A point is ▲ where the query gets better, ▼ where it gets worse, a dot where both values are equal.

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
    >>> ir.plots.scatter(comparison).axes[0].get_xlabel()
    'old'
    """
    shown = pairs_shown(comparison, "scatter", measure, system)
    scores, (m,) = comparison.scores, shown.measures
    across, height = (1, 4.6) if len(shown.pairs) == 1 else (4, 2.0)
    with looks():
        title, prints = f"{called(scores.labels[m])} of every query", [scores.measures[m].fingerprint]
        sheet, panels = picture(title, shown.note, prints, len(shown.pairs), across, height, sharex=True, sharey=True)
        for panel, key in zip(panels, shown.keys, strict=True):
            _points(panel, comparison, key)
            titled(panel, tally(comparison.contrasts[key], in_full=len(shown.pairs) == 1))
        _diagonal(panels)
    return sheet


def _points(panel: Axes, comparison: Comparison, key: Key) -> None:
    places, _, gains = differences_of(comparison, key)
    before, after = (comparison.scores.values[s, key[1], places] for s in key[0])
    gain, loss = colours(comparison.contrasts[key])
    many = len(places) > MANY
    for part, marker, colour in ((gains == 0, ".", EQUAL), (gains > 0, "^", gain), (gains < 0, "v", loss)):
        panel.plot(
            before[part], after[part], linestyle="", marker=marker, color=colour, markeredgewidth=0,
            markersize=2.0 if many else 4.5, alpha=0.4 if many else 0.7, rasterized=many,
        )  # fmt: skip
    panel.set_xlabel(called(comparison.systems[key[0][0]]))
    panel.set_ylabel(called(comparison.systems[key[0][1]]))


def _diagonal(panels: Sequence[Axes]) -> None:
    """Draw the line of equal values; both axes have the same limits in every panel."""
    low = min(min(panel.get_xlim()[0], panel.get_ylim()[0]) for panel in panels)
    high = max(max(panel.get_xlim()[1], panel.get_ylim()[1]) for panel in panels)
    for panel in panels:
        panel.plot((low, high), (low, high), color=FAINT, linewidth=0.8, zorder=0)
        panel.set(xlim=(low, high), ylim=(low, high), aspect="equal")
