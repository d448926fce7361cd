"""Many systems, best first: means with intervals in one panel, the ranks each can have in the other."""

from __future__ import annotations

import numpy as np
from matplotlib.axes import Axes
from matplotlib.lines import Line2D

from idealrank.comparison.comparison import Comparison
from idealrank.comparison.leaderboard import Leaderboard
from idealrank.comparison.rank_systems import leaderboard as ranked
from idealrank.display.amounts import percent
from idealrank.evaluation.footnote import footnote
from idealrank.reports.plots.picture import GRID, LINES, Picture, called, legend_below, looks, picture, spans, titled
from idealrank.reports.subject import Subject, scores_of

BEST, OTHERS = LINES[0], "0.45"


def leaderboard(subject: Subject) -> Picture:
    """Draw many systems, best first: the mean of the first measure with its interval, and the ranks each can have.

    Parameters
    ----------
    subject
        Scores of two systems or more, a comparison without a baseline, or a leaderboard.

    Examples
    --------
    >>> import idealrank as ir
    >>> qrels = {f"q{i}": {"d": 1} for i in range(20)}
    >>> good, poor = {q: {"d": 1.0} for q in qrels}, {q: {"x": 2.0, "d": 1.0} for q in qrels}
    >>> figure = ir.plots.leaderboard(ir.evaluate(qrels, {"a": poor, "b": good}, ["RR"]))
    >>> [panel.get_title(loc="left") for panel in figure.axes]
    ['RR', 'ranks']
    """
    board = _board(subject)
    prints, note = [board.scores.measures[0].fingerprint], footnote(board.scores, [0])
    title = f"Means and ranks with {percent(board.methods.level)} confidence, all ranks together"
    with looks():
        sheet, panels = picture(title, note, prints, 2, 2, 0.55 + 0.21 * len(board.systems), sharey=True)
        _intervals(panels[0], board, ("mean", "low", "high"))
        _intervals(panels[1], board, ("rank", "best rank", "worst rank"))
        titled(panels[0], called(board.measure))
        titled(panels[1], "ranks")
        panels[0].set_yticks(range(len(board.systems)), [called(name) for name in board.systems])
        panels[0].set_ylim(len(board.systems) - 0.4, -0.6)
        _legend(sheet)
    return sheet


def _board(subject: Subject) -> Leaderboard:
    if isinstance(subject, Leaderboard):
        return subject
    alone = isinstance(subject, Comparison) and not subject.baseline
    return subject.leaderboard if isinstance(subject, Comparison) and alone else ranked(scores_of(subject))


def _intervals(panel: Axes, board: Leaderboard, names: tuple[str, str, str]) -> None:
    """Draw one column with its ends, a line per system."""
    middle, low, high = (np.asarray(board.table.array(name), np.float64) for name in names)
    best = np.asarray(board.table.array("best rank")) == 1
    for colour, places in ((BEST, np.flatnonzero(best)), (OTHERS, np.flatnonzero(~best))):
        if len(places):
            reach = spans(middle[places].tolist(), list(zip(low[places], high[places], strict=True)))
            panel.errorbar(middle[places], places, xerr=reach, fmt="o", color=colour, capsize=2.5)
    panel.grid(axis="x", color=GRID)


def _legend(sheet: Picture) -> None:
    marks = {"cannot be told from the best": BEST, "worse than the best": OTHERS}
    handles = [Line2D([], [], marker="o", color=colour, linestyle="-") for colour in marks.values()]
    legend_below(sheet, handles, list(marks))
