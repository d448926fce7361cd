"""A leaderboard as columns of text, as bars, and what is to be known of it."""

from collections.abc import Sequence

import numpy as np

from idealrank.comparison.assumptions import MANY
from idealrank.comparison.board import Board
from idealrank.comparison.board_remarks import remarks
from idealrank.comparison.headline import MUCH
from idealrank.display.amounts import percent
from idealrank.display.grid import Column
from idealrank.display.numbers import decimal, number_text, span_text
from idealrank.errors import listed, plural
from idealrank.evaluation.ledger.sensitivity import unjudged_share


def board_columns(board: Board, rows: int | None = None) -> list[Column]:
    """Return the board as columns of text, the most needed first.

    Parameters
    ----------
    rows
        Only so many first rows; None: all.
    """
    table = board.table if rows is None else board.table[:rows]
    level, others = percent(board.methods.level), board.scores.labels[1:]
    spans = [span_text(row["low"], row["high"], sign="") for row in table]
    behind = [span_text(row["corrected low"], row["corrected high"]) for row in table]
    return [
        Column("ranks", ranks_text(table["best rank"], table["worst rank"]), numeric=True),
        Column("system", table["system"], numeric=False),
        Column(board.measure, [decimal(mean) for mean in table["mean"]], numeric=True),
        Column(f"{level} interval", spans, numeric=True),
        *(Column(label, [decimal(mean) for mean in table[label]], numeric=True) for label in others),
        Column("behind", ["", *(number_text(x, "+.4f") for x in table["difference"][1:])], numeric=True),
        Column("simultaneous", ["", *behind[1:]], numeric=True),
    ]


def ranks_text(best: Sequence[int], worst: Sequence[int]) -> list[str]:
    """Write the ranks that each system can have.

    Examples
    --------
    >>> ranks_text([1, 3], [2, 3])
    ['1–2', '3']
    """
    return [str(a) if a == b else f"{a}–{b}" for a, b in zip(best, worst, strict=True)]


def bars(board: Board, rows: int, width: int) -> Column:
    """Draw the interval of each mean as a bar on one axis, the mean as a dot."""
    table = board.table[:rows]
    ends = np.array([table.array(name) for name in ("low", "mean", "high")])
    low, high = float(np.nanmin(ends)), float(np.nanmax(ends))
    places = np.round((ends - low) / ((high - low) or 1.0) * (width - 1))
    drawn = [_bar([int(x) for x in three], width) if np.isfinite(three).all() else "" for three in places.T]
    return Column(_axis(low, high, width), drawn, numeric=False, whole=True)


def _bar(places: Sequence[int], width: int) -> str:
    low, mean, high = places
    line = [" "] * width
    line[low : high + 1] = "─" * (high + 1 - low)
    line[mean] = "●"
    return "".join(line)


def _axis(low: float, high: float, width: int) -> str:
    left, right = number_text(low, ".2f"), number_text(high, ".2f")
    return f"{left}{' ' * max(width - len(left) - len(right), 1)}{right}"


def board_notes(board: Board) -> list[str]:
    """Say what the ranks are, over which queries, and what they do not include."""
    scores, systems = board.scores, len(board.systems)
    neighbours = f"{board.neighbours_apart:,} of {plural(systems - 1, 'pair')} of neighbours can be told apart"
    notes = [f"{board.method}; {neighbours}.", *remarks(board)]
    if board.left_out:
        count = f"{len(board.left_out):,} left out ({listed(board.left_out)})"
        notes.append(f"Means and ranks are over the {plural(board.queries, 'query')} of all systems; {count}.")
    share = unjudged_share(scores, range(systems), scores.measures[0].cutoff or 10)
    if share > MUCH:
        judged = percent(round(share, 2))
        notes.append(f"Ranks do not include what judging the unjudged results ({judged}) could change.")
    if 1 < board.queries < MANY:
        few = f"with fewer than {MANY}, skewed values of many systems make the confidence lower"
        notes.append(f"{plural(board.queries, 'query')}: {few}.")
    return notes
