"""What a terminal shows of a leaderboard: the sentence, the board as wide as there is room, what is to be known."""

from __future__ import annotations

from idealrank.cli.brief import folded
from idealrank.comparison.board_remarks import without_results
from idealrank.comparison.board_shown import bars, board_columns, board_notes
from idealrank.comparison.leaderboard import Leaderboard
from idealrank.display.grid import GAP, Column, draw, fits
from idealrank.errors import listed, plural, visible
from idealrank.evaluation.in_brief import no_judgments

ROWS = 20
"""Systems that are shown before it is said how many more there are."""

BAR, LONGEST_BAR = 12, 40
"""Width of the bars, where they are shown at all."""

KEPT = 3
"""Columns that are always shown: ranks, system, mean."""


def board_lines(board: Leaderboard, width: int, rows: int = ROWS) -> list[str]:
    """Draw the first systems: ranks, name and mean; where there is room bars, intervals and the other columns."""
    columns = [_visible(column) for column in board_columns(board, rows)]
    kept, others = columns[:KEPT], columns[KEPT:]
    room = width - sum(column.wide for column in kept) - KEPT * len(GAP)
    if room >= BAR:
        narrow = fits([*columns, bars(board, rows, BAR)], width)
        taken = sum(column.wide + len(GAP) for column in others) if narrow else 0
        kept = [*kept, bars(board, rows, min(room - taken, LONGEST_BAR))]
    for column in others:
        kept = [*kept, column] if fits([*kept, column], width) else kept
    more = len(board.systems) - rows
    systems = [f"{plural(more, 'more system')}: --verbose"] if more > 0 else []
    return [*draw(kept, width), *systems, *folded(_left_out([c.name for c in others if c not in kept]), width)]


def _left_out(names: list[str]) -> list[str]:
    """Name the columns there is no room for."""
    return [f"No room for {listed(names)}: --verbose, or a wider screen."] if names else []


def _visible(column: Column) -> Column:
    return Column(visible(column.name), list(map(visible, column.cells)), column.numeric)


def board_said(board: Leaderboard, width: int) -> list[str]:
    """Say the sentence, which systems have no results for some queries, and which queries nobody judged; folded."""
    aside = filter(None, [without_results(board), *no_judgments(board.scores)])
    return folded(map(visible, [board.sentence, *(f"{text}." for text in aside)]), width)


def notes_said(board: Leaderboard, width: int) -> list[str]:
    """Say what the ranks are, over which queries, and what they do not include."""
    return folded(map(visible, board_notes(board)), width)
