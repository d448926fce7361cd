"""A leaderboard in LaTeX: ranks, means with intervals, the systems that may be the best in bold."""

import math
from typing import Any

from idealrank.comparison.board import Board
from idealrank.comparison.board_remarks import remarks, without_results
from idealrank.display.latex import booktabs, escaped
from idealrank.errors import plural


def board_latex(board: Board) -> str:
    """Write a table: one row per system, best first; the rules are those of the package booktabs."""
    others = board.scores.labels[1:]
    head = ["ranks", "system", rf"\multicolumn{{2}}{{c}}{{{escaped(board.measure)}}}", *map(escaped, others)]
    return booktabs(_caption(board), f"clrl{'r' * len(others)}", " & ".join(head), _rows(board))


def _rows(board: Board) -> list[str]:
    """Write the rows, a rule below the systems that may be the best."""
    rows = [_row(row, board.scores.labels[1:]) for row in board.table]
    best = sum(rank == 1 for rank in board.table["best rank"])
    below = [r"\midrule"] if best < len(rows) and all(rank == 1 for rank in board.table["best rank"][:best]) else []
    return [*rows[:best], *below, *rows[best:]]


def _row(row: dict[str, Any], others: tuple[str, ...]) -> str:
    first, last = row["best rank"], row["worst rank"]
    ranks = str(first) if first == last else f"{first}--{last}"
    name = rf"\textbf{{{escaped(row['system'])}}}" if first == 1 else escaped(row["system"])
    span = "--" if math.isnan(row["low"] + row["high"]) else f"[{_number(row['low'])}, {_number(row['high'])}]"
    cells = [ranks, name, _number(row["mean"]), span, *(_number(row[label]) for label in others)]
    return rf"{' & '.join(cells)} \\"


def _number(value: float) -> str:
    if not math.isfinite(value):
        return "--"
    return f"{value:.4f}" if value >= 0 else f"$-${-value:.4f}"


_ABS = escaped("|t|")


def _caption(board: Board) -> str:
    ranks = escaped(f"{board.method[0].lower()}{board.method[1:]}").replace(_ABS, "$|t|$")
    bold = "in bold, systems that no other is surely better than"
    facts = [*remarks(board), f"{nothing}." if (nothing := without_results(board)) else ""]
    return " ".join([_means(board, ranks, bold), *(escaped(fact) for fact in facts if fact)])


def _means(board: Board, ranks: str, bold: str) -> str:
    means = "Means" if board.scores.weights is None else "Weighted means"
    level = rf"{100 * board.methods.level:.6g}\%"
    return (
        f"{means} over {plural(board.queries, 'query')} with {level} intervals; convention "
        f"{escaped(board.scores.setting.text)}. Ranks: {ranks}, seed {board.methods.seed}; {bold}."
    )
