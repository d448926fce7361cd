"""HTML for notebooks: readable without any script, every text from data escaped."""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING

from idealrank.report.text import SHOWN_ROWS, cell, heading, sum_lines

if TYPE_CHECKING:
    from idealrank.explanation import Explanation
    from idealrank.flavor import Flavors
    from idealrank.ledger import Ledger
    from idealrank.scores import Scores
    from idealrank.table import Table

_NUMBER = ' style="text-align:right;font-variant-numeric:tabular-nums"'
_FOOT = '<p style="font-size:85%;opacity:.75;margin:.2em 0">'


def table_html(table: Table, rows: int | None = SHOWN_ROWS) -> str:
    """Write a table as HTML."""
    shown = len(table) if rows is None else min(rows, len(table))
    numeric = {name: table.array(name).dtype.kind in "fiu" for name in table.columns}
    head = "".join(f"<th{_NUMBER if numeric[name] else ''}>{escape(name)}</th>" for name in table.columns)
    body = "".join(
        "<tr>" + "".join(f"<td{_NUMBER if numeric[n] else ''}>{escape(cell(v))}</td>" for n, v in row.items()) + "</tr>"
        for row in table.take(range(shown))
    )
    more = f"{_FOOT}{len(table) - shown} more rows</p>" if shown < len(table) else ""
    return f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>{more}"


def scores_html(scores: Scores) -> str:
    """Write means, decisions and ledger."""
    return f"{table_html(scores.means)}{_foot('decisions', scores.decisions)}{_foot('ledger', scores.ledger.line)}"


def ledger_html(ledger: Ledger) -> str:
    """Write the ledger with its notes."""
    notes = "".join(f"<li>{escape(note)}</li>" for note in ledger.notes)
    return f"<p>{escape(ledger.line)}</p>{table_html(ledger.per_measure)}{table_html(ledger.queries)}<ul>{notes}</ul>"


def explanation_html(explanation: Explanation) -> str:
    """Write the steps, the ideal and the notes."""
    ideal = f"<p>ideal list</p>{table_html(explanation.ideal, None)}" if explanation.ideal.columns else ""
    lines = "".join(f"{_FOOT}{escape(line)}</p>" for line in sum_lines(explanation))
    return f"<p><b>{escape(heading(explanation))}</b></p>{table_html(explanation.steps, None)}{ideal}{lines}"


def flavors_html(flavors: Flavors) -> str:
    """Write the means of all flavours, then the values per query."""
    return f"{table_html(flavors.means)}{table_html(flavors.table)}{_foot('decisions', flavors.scores.decisions)}"


def _foot(name: str, text: str) -> str:
    return f"{_FOOT}<b>{name}</b> {escape(text)}</p>"
