"""The queries that lose most, and in words which documents moved in the top of their lists."""

import math
import textwrap
from dataclasses import replace
from typing import Any

from idealrank.comparison.changes import Change, Changes, Entered, Kept, Left, query_changes
from idealrank.comparison.findings import Findings
from idealrank.comparison.tables import extreme_queries
from idealrank.decisions import answer_text
from idealrank.display.blocks import Grid, Lines
from idealrank.display.grid import Column
from idealrank.display.numbers import decimal, signed
from idealrank.display.table import Table

SHOWN = 5
"""Moves of a query that are written out."""

LETTERS = 36
"""Letters of a question that a line of text shows."""

LEGEND = "document (grade) rank before→after"
"""How a move is written."""


def losses_with_moves(findings: Findings, n: int = 10, measure: str | None = None, system: str | None = None) -> Table:
    """Return `Comparison.losses` with a last column: what moved in the top k, as text."""
    table = extreme_queries(findings, n, findings.key(measure, system), gain=False)
    if findings.scores.parts:
        findings.scores.parts.fetch(list(table["query"]))
    moves = [moves_text(query_changes(findings, query, measure, system)) for query in table["query"]]
    columns: dict[str, Any] = {name: table.array(name) for name in table.columns}
    return Table(columns | {"moves": moves}, table.title, table.stated)


def losses_grid(losses: Table) -> Grid:
    """Show the queries that lose most under a heading with their measure; the rank moves, where known, below."""
    names = [name for name in ("query", "text", "baseline value", "value", "difference") if name in losses.columns]
    grid = Table({name: losses.array(name) for name in names}).grid(
        title=f"queries that lose most under {losses['measure'][0]}"
    )
    grid = grid._replace(columns=[_shortened(column) for column in grid.columns])
    if "moves" not in losses.columns:
        return grid
    moves = Lines(
        list(zip(map(_short, losses["query"]), losses["moves"], strict=True)), f"in their lists: {LEGEND}", 12
    )
    return grid._replace(on_page=[Column(LEGEND, losses["moves"], numeric=False)], instead=moves)


def _shortened(column: Column) -> Column:
    """Shorten a column of words in text; a page has room for all."""
    return column if column.numeric else replace(column, cells=[*map(_short, column.cells)], page=column.cells)


def _short(words: Any) -> str:
    return textwrap.shorten(str(words), LETTERS, placeholder="…") if len(str(words)) > LETTERS else str(words)


def losses_text(losses: Table) -> str:
    """Write the queries that lose most, one a line."""
    return "\n".join(
        f"{row['query']}: {decimal(row['baseline value'])} → {decimal(row['value'])} ({signed(row['difference'])})"
        + (f"; {row['moves']}" if row["moves"] else "")
        for row in losses
    )


def moves_text(changes: Changes) -> str:
    """Write the first moves, the highest grade first, then by the better of both ranks; count the rest."""
    moved = sorted((change for change in changes if not isinstance(change, Kept)), key=_weight)
    shown = [_text(change) for change in moved[:SHOWN]]
    return "; ".join([*shown, *([f"{len(moved) - SHOWN} more"] if len(moved) > SHOWN else [])])


def _ranks(change: Change) -> tuple[int | None, int | None]:
    """Return both ranks within the cutoff, None beyond it."""
    before = None if isinstance(change, Entered) else change.before
    return before, None if isinstance(change, Left) else change.after


def _text(change: Change) -> str:
    before, after = _ranks(change)
    grade = "–" if change.grade is None else answer_text(change.grade)
    return f"{change.doc} ({grade}) {before or 'out'}→{after or 'out'}"


def _weight(change: Change) -> tuple[float, int, str]:
    grade = -math.inf if change.grade is None else change.grade
    return -grade, min(rank for rank in _ranks(change) if rank), change.doc
