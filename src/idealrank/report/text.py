"""Tables for a terminal and for `repr`: four decimals shown, full precision everywhere else."""

from __future__ import annotations

import io
import math
import os
import sys
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from idealrank.explanation import Explanation
    from idealrank.flavor import Flavors
    from idealrank.scores import Scores
    from idealrank.table import Table

SHOWN_ROWS = 60
"""Rows a repr shows before it says how many more there are."""


def cell(value: Any) -> str:
    """Write one cell: numbers to four decimals, a missing one as a dash."""
    if value is None or (isinstance(value, float) and math.isnan(value)):
        return "–"
    if isinstance(value, float):
        return f"{value:.4f}"
    if isinstance(value, (tuple, list)):
        return " ".join(map(str, value))
    return str(value)


def render_table(table: Table, rows: int | None = SHOWN_ROWS) -> str:
    """Draw a table as plain text."""
    return _drawn(lambda console: console.print(rich_table(table, rows)))


def render_scores(scores: Scores) -> str:
    """Draw the means, the decisions line and the ledger line."""
    return "\n".join([render_table(scores.means), f"decisions  {scores.decisions}", f"ledger     {scores.ledger.line}"])


def render_explanation(explanation: Explanation) -> str:
    """Draw the steps, the sum, the ideal and the notes of an explanation."""
    lines = [heading(explanation), render_table(explanation.steps, None)]
    if explanation.ideal.columns:
        lines += ["ideal list", render_table(explanation.ideal, None)]
    return "\n".join([*lines, *sum_lines(explanation)])


def heading(explanation: Explanation) -> str:
    """Name the value that is explained."""
    text = f" ({explanation.text})" if explanation.text else ""
    return f"{explanation.measure} of query {explanation.query}{text}, {explanation.system}: {cell(explanation.score)}"


def sum_lines(explanation: Explanation) -> list[str]:
    """Write the sum, the division and the notes."""
    total, divisor = explanation.total, explanation.normaliser
    lines = [f"sum of contributions {total:.6g} / {divisor:.6g} = {cell(total / divisor)}"] if divisor else []
    return [*lines, *(f"- {note}" for note in explanation.notes), f"decisions  {explanation.measure.fingerprint}"]


def render_flavors(flavors: Flavors) -> str:
    """Draw the means of all flavours with their meanings, then the values per query."""
    return "\n".join(
        [render_table(flavors.means), render_table(flavors.table), f"decisions  {flavors.scores.decisions}"]
    )


def rich_table(table: Table, rows: int | None) -> Any:
    """Build a rich table; long ones are cut and say so."""
    from rich import box
    from rich.table import Table as RichTable

    shown = len(table) if rows is None else min(rows, len(table))
    drawn = RichTable(box=box.SIMPLE_HEAD, show_edge=False, pad_edge=False, caption_justify="left")
    for name in table.columns:
        numeric = _numeric(table, name)
        drawn.add_column(name, justify="right" if numeric else "left", overflow="fold", no_wrap=numeric)
    for row in table.take(range(shown)):
        drawn.add_row(*(_escaped(cell(value)) for value in row.values()))
    if shown < len(table):
        drawn.caption = f"{len(table) - shown} more rows"
    return drawn


def _numeric(table: Table, name: str) -> bool:
    return table.array(name).dtype.kind in "fiu"


def _escaped(text: str) -> str:
    from rich.markup import escape

    return escape(text)


def _drawn(draw: Any) -> str:
    from rich.console import Console

    out = io.StringIO()
    draw(Console(file=out, width=_width(), color_system=None, legacy_windows=False))
    return "\n".join(line.rstrip() for line in out.getvalue().rstrip("\n").split("\n"))


def _width() -> int:
    """Width of the terminal; wide where there is none, so that nothing is folded in a file."""
    if sys.stdout is not None and sys.stdout.isatty():
        return os.get_terminal_size().columns
    return int(os.environ.get("COLUMNS", "160"))
