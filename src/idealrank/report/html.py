"""HTML for notebooks: readable without any script, every text from data escaped."""

from __future__ import annotations

import math
from collections.abc import Iterable
from html import escape
from typing import TYPE_CHECKING, Any

from idealrank.errors import plural
from idealrank.report.text import MOVED, SHOWN_ROWS, columns_of, heading, sum_lines
from idealrank.table import Table

if TYPE_CHECKING:
    from idealrank.answers import Answers
    from idealrank.explanation import Explanation
    from idealrank.flavor import Flavors
    from idealrank.ledger import Ledger
    from idealrank.report.grid import Column
    from idealrank.scores import Scores

_CELL = "padding:.15em .6em;vertical-align:top;"
_NUMBER = f' style="{_CELL}text-align:right;font-variant-numeric:tabular-nums"'
_NAME = f' style="{_CELL}text-align:left;white-space:nowrap"'
_WORDS = f' style="{_CELL}text-align:left"'
_TABLE = '<table style="border-collapse:collapse;margin:.4em 0">'
_HEAD = '<tr style="border-bottom:1px solid">'
_FOOT = '<p style="font-size:85%;margin:.2em 0">'
_SMALL = '<summary style="font-size:85%">'
_INNER = '<p style="font-size:85%;margin:.2em 0 .2em 1.5em">'
_LONGEST_NAME = 40


def table_html(table: Table, rows: int | None = SHOWN_ROWS) -> str:
    """Write a table as HTML."""
    shown = len(table) if rows is None else min(rows, len(table))
    columns = columns_of(table, shown)
    styles = [_style(column) for column in columns]
    head = "".join(f"<th{style}>{escape(column.name)}</th>" for column, style in zip(columns, styles, strict=True))
    cells = zip(*(column.cells for column in columns), strict=True)
    body = "".join(
        "<tr>" + "".join(f"<td{style}>{escape(text)}</td>" for text, style in zip(row, styles, strict=True)) + "</tr>"
        for row in cells
    )
    more = f"{_FOOT}{plural(len(table) - shown, 'more row')}</p>" if shown < len(table) else ""
    return f"{_TABLE}<thead>{_HEAD}{head}</tr></thead><tbody>{body}</tbody></table>{more}{_prints(table, shown)}"


def _prints(table: Table, shown: int) -> str:
    """Write the fingerprints of the rows that are shown, folded away."""
    said = [[text] if isinstance(text, str) else text[:shown] for text in table.stated.values()]
    found = dict.fromkeys(text for texts in said for text in texts if text)
    return f"<details>{_SMALL}fingerprints</summary>{_list(found)}</details>" if found else ""


def _style(column: Column) -> str:
    if column.numeric:
        return _NUMBER
    return _NAME if max(map(len, column.cells), default=0) <= _LONGEST_NAME else _WORDS


def scores_html(scores: Scores) -> str:
    """Write means, decisions and ledger."""
    return f"{table_html(scores.means)}{_decisions(scores.answers)}{_account(scores.ledger)}"


def ledger_html(ledger: Ledger) -> str:
    """Write both accounts, the queries that are not simply computed, and the notes."""
    return f"{_account(ledger)}{table_html(ledger.per_measure)}{table_html(ledger.exceptions)}"


def explanation_html(explanation: Explanation) -> str:
    """Write the steps, the ideal beside them, the sum and the notes."""
    parts = [("results", explanation.steps), ("ideal list", explanation.ideal)]
    tables = "".join(f"<div><p>{name}</p>{table_html(table, None)}</div>" for name, table in parts if table.columns)
    return (
        f"<p><b>{escape(heading(explanation))}</b></p>"
        f'<div style="display:flex;flex-wrap:wrap;gap:2em">{tables}</div>'
        f"{_feet(sum_lines(explanation))}{_list(explanation.notes)}{_decisions(explanation.answers)}"
    )


def flavors_html(flavors: Flavors) -> str:
    """Write the means of all flavours, then the values per query."""
    tables = f"{table_html(flavors.means)}{table_html(flavors.table)}"
    return f"{tables}{_decisions(flavors.scores.answers)}{_account(flavors.ledger)}"


def _decisions(answers: Answers) -> str:
    parts = [("changed", " ".join(answers.departures))]
    parts += [(stage, " ".join(texts)) for stage, texts in answers.by_stage.items()]
    stages = "".join(f"{_INNER}<b>{name}</b> {escape(text)}</p>" for name, text in parts if text)
    return f"{_FOOT}<b>decisions</b> {escape(answers.setting)}</p>{stages}"


def _account(ledger: Ledger) -> str:
    several = len(ledger.systems) > 1
    told = {a.system: "; ".join(part for part in (a.line, a.counted) if part) for a in ledger.systems}
    lines = [f"{system}: {text}" if several else text for system, text in told.items()]
    facts = dict.fromkeys(f"{f.system}: {f.text}" if several and f.system else f.text for f in ledger.facts)
    judged = f"{_FOOT}<b>ledger</b> {plural(ledger.judged, 'judged query')}</p>"
    return f"{judged}{_list([*lines, *ledger.read, *facts])}{_moves(ledger, several)}"


def _moves(ledger: Ledger, several: bool) -> str:
    """Write the means under other answers, one row an answer, one column a measure."""
    means = [{name: other for name, _, other in move.means} for move in ledger.moves]
    columns: dict[str, list[Any]] = {"system": [move.system for move in ledger.moves]} if several else {}
    columns["answer"] = [f"{move.decision}={move.answer}" for move in ledger.moves]
    columns["because"] = [move.cause for move in ledger.moves]
    columns |= {n: [row.get(n, math.nan) for row in means] for n in ledger.words if any(n in row for row in means)}
    return f"{_FOOT}{MOVED}</p>{table_html(Table(columns))}" if means else ""


def _feet(lines: Iterable[str]) -> str:
    return "".join(f"{_FOOT}{escape(line)}</p>" for line in lines)


def _list(texts: Iterable[str]) -> str:
    items = "".join(f"<li>{escape(text)}</li>" for text in texts)
    return f'<ul style="font-size:85%;margin:.2em 0">{items}</ul>' if items else ""
