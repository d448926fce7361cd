"""Queries of a comparison as a terminal shows them: a table per system, ids and texts cut to fit."""

from __future__ import annotations

from typing import TYPE_CHECKING

from idealrank.display.grid import text_width
from idealrank.display.table import Table

if TYPE_CHECKING:
    from idealrank.comparison.comparison import Comparison

_SAID = ("system", "baseline", "measure")
"""Columns that the heading says."""

_NARROWEST = 8


def by_system(comparison: Comparison, tables: list[Table], width: int) -> dict[str, Table]:
    """Return the table of each system without what its heading says, cut to the width; by heading."""
    measure, verdicts = comparison.scores.labels[0], comparison.verdict.values()
    heads = [f"{each.system} instead of {each.baseline}, {measure}" for each in verdicts]
    return {head: _cut(_bare(table), width) for head, table in zip(heads, tables, strict=True)}


def _bare(table: Table) -> Table:
    return table[[name for name in table.columns if name not in _SAID]]


def _cut(table: Table, width: int) -> Table:
    """Shorten ids and texts in the middle, the widest first, until all fit the width."""
    columns = table.grid().columns
    room = width - sum(column.wide + 2 for column in columns if column.numeric)
    wide = {column.name: column.wide for column in columns if not column.numeric}
    while sum(wide.values()) + 2 * (len(wide) - 1) > room and max(wide.values()) > _NARROWEST:
        wide[max(wide, key=lambda name: wide[name])] -= 1
    cut = {name: [middle(cell, wide[name]) for cell in table[name]] for name in wide}
    return Table({name: cut[name] if name in cut else table.array(name) for name in table.columns}, table.title)


def middle(text: str | None, width: int) -> str | None:
    """Cut the middle out of a text that is wider than this.

    Examples
    --------
    >>> middle("waterproof jacket women", 12), middle("q12", 12)
    ('waterp…women', 'q12')
    """
    if text is None or text_width(text) <= width:
        return text
    letters = (width if text.isascii() else width // 2) - 1
    return f"{text[: (letters + 1) // 2]}…{text[len(text) - letters // 2 :]}"
