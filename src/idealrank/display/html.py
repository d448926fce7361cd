"""HTML for notebooks: readable without any script, every text from data escaped."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from html import escape
from typing import TYPE_CHECKING, Any

from idealrank.display.numbers import span_text
from idealrank.display.table import Table
from idealrank.display.text import MOVED, SHOWN_ROWS, cell, columns_of, counting, hidden_text, sum_lines
from idealrank.errors import plural

if TYPE_CHECKING:
    from idealrank.display.grid import Column
    from idealrank.evaluation.answers import Answers
    from idealrank.evaluation.explanation.explanation import Explanation
    from idealrank.evaluation.flavors import Flavors
    from idealrank.evaluation.ledger.ledger import Ledger
    from idealrank.evaluation.scores import Scores

_WHOLE = "white-space:nowrap;"
_CELL = "padding:.15em .6em;vertical-align:top;"
_NUMBER = f' align="right" style="{_CELL}text-align:right;{_WHOLE}font-variant-numeric:tabular-nums"'
_NAME = f' style="{_CELL}text-align:left;{_WHOLE}"'
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
    return f"{grid_html(columns_of(table, shown))}{more_html(len(table) - shown)}{prints_html(table, shown)}"


def grid_html(columns: Sequence[Column]) -> str:
    """Write columns of text as a table; styles only make it neater, and give no colour."""
    styles = [_style(column) for column in columns]
    heads = [style.replace(_WHOLE, "") for style in styles]  # a long title folds, its numbers do not
    head = "".join(f"<th{style}>{text_html(column.name)}</th>" for column, style in zip(columns, heads, strict=True))
    cells = zip(*(column.cells for column in columns), strict=True)
    body = "".join(
        "<tr>"
        + "".join(f"<td{style}>{text_html(text)}</td>" for text, style in zip(row, styles, strict=True))
        + "</tr>"
        for row in cells
    )
    return f"{_TABLE}<thead>{_HEAD}{head}</tr></thead><tbody>{body}</tbody></table>"


def text_html(text: str) -> str:
    """Escape a text; one that may run from right to left is set apart, so that it turns nothing beside it.

    Examples
    --------
    >>> text_html("<b>"), text_html("\u05d0")
    ('&lt;b&gt;', '<bdi>\u05d0</bdi>')
    """
    return escape(text) if text.isascii() else f"<bdi>{escape(text)}</bdi>"


def more_html(hidden: int) -> str:
    """Count the rows that are not shown; nothing where all are."""
    return f"{_FOOT}{plural(hidden, 'more row')}</p>" if hidden > 0 else ""


def prints_html(table: Table, shown: int) -> str:
    """Write the fingerprints of the rows that are shown, folded away."""
    said = [[text] if isinstance(text, str) else text[:shown] for text in table.stated.values()]
    found = dict.fromkeys(text for texts in said for text in texts if text)
    return f"<details>{_SMALL}fingerprints</summary>{_list(found)}</details>" if found else ""


def _style(column: Column) -> str:
    if column.numeric:
        return _NUMBER
    return _NAME if max(map(len, column.cells), default=0) <= _LONGEST_NAME else _WORDS


def scores_html(scores: Scores) -> str:
    """Write means with intervals, the convention, decisions and ledger."""
    from idealrank.evaluation.footnote import footnote

    foot = foot_html(footnote(scores))
    return f"{_means(scores)}{foot}{decisions_html(scores.answers)}{account_html(scores.ledger)}"


def _means(scores: Scores) -> str:
    """Write a cell a measure and system: the mean, and its interval; what there is more of goes down."""
    from idealrank.display.grid import Column
    from idealrank.evaluation.mean_intervals import means

    systems, labels = list(scores.systems), list(scores.labels)
    cells = {(row["measure"], row["system"]): _mean(row) for row in means(scores)}
    by_system = len(systems) > len(labels)
    down, across = (systems, labels) if by_system else (labels, systems)
    titles = ["mean (95% interval)"] if len(systems) == 1 and not by_system else across
    columns = [Column("system" if by_system else "measure", down[:SHOWN_ROWS], numeric=False)]
    for name, title in zip(across, titles, strict=True):
        found = [cells[(name, each) if by_system else (each, name)] for each in down[:SHOWN_ROWS]]
        columns.append(Column(title, found, numeric=True))
    said = "" if len(titles) == 1 and titles != across else f"{_FOOT}means (95% intervals)</p>"
    return f"{said}{grid_html(columns)}{more_html(len(down) - SHOWN_ROWS)}{prints_html(scores.means, SHOWN_ROWS)}"


def _mean(row: dict[str, Any]) -> str:
    text, span = cell(row["mean"]), span_text(row["low"], row["high"], sign="")
    return text if span == "–" else f"{text} ({span})"


def ledger_html(ledger: Ledger) -> str:
    """Write both accounts, the queries that are not simply computed, and the notes."""
    return f"{account_html(ledger)}{table_html(ledger.per_measure)}{table_html(ledger.exceptions)}"


def explanation_html(explanation: Explanation) -> str:
    """Write the steps, the ideal beside them, the sum, the notes and the convention."""
    steps = counting(explanation)
    parts = [("results", steps), ("ideal list", explanation.ideal)]
    tables = "".join(f"<div><p>{name}</p>{table_html(table)}</div>" for name, table in parts if table.columns)
    hidden = len(explanation.steps) - len(steps)
    said = _feet([*([hidden_text(hidden)] if hidden else []), *sum_lines(explanation)])
    foot = foot_html(f"{explanation.measure} under {explanation.answers.setting}; 1 of {_judged(explanation)}")
    return (
        f"<p><b>{_heading(explanation)}</b></p>"
        f'<div style="display:flex;flex-wrap:wrap;gap:2em">{tables}</div>'
        f"{said}{_list(explanation.notes)}{foot}{decisions_html(explanation.answers)}"
    )


def _heading(explanation: Explanation) -> str:
    """Name the value that is explained, the words from data set apart from each other."""
    text = f" ({text_html(explanation.text)})" if explanation.text else ""
    whose = f"query {text_html(explanation.query)}{text}, {text_html(explanation.system)}"
    return f"{whose}: {escape(str(explanation.measure))} = {cell(explanation.score)}"


def _judged(explanation: Explanation) -> str:
    return plural(explanation.judged, "query")


def flavors_html(flavors: Flavors) -> str:
    """Write the means of all flavours, the convention, then the values per query."""
    from idealrank.evaluation.footnote import counted

    scores = flavors.scores
    foot = foot_html(f"means under {scores.setting.text}; {counted(scores, range(len(scores.labels)))}")
    tables = f"{table_html(flavors.means)}{foot}{table_html(flavors.table)}"
    return f"{tables}{decisions_html(scores.answers)}{account_html(flavors.ledger)}"


def foot_html(text: str) -> str:
    """Write a line in small letters."""
    return f'<p style="margin:.2em 0"><small>{text_html(text)}</small></p>'


def decisions_html(answers: Answers) -> str:
    """Write every answer, by stage."""
    parts = [("changed", " ".join(answers.departures))]
    parts += [(stage, " ".join(texts)) for stage, texts in answers.by_stage.items()]
    stages = "".join(f"{_INNER}<b>{name}</b> {escape(text)}</p>" for name, text in parts if text)
    return f"{_FOOT}<b>decisions</b> {escape(answers.setting)}</p>{stages}"


def account_html(ledger: Ledger) -> str:
    """Write what became of the queries, what was found, and what would move a mean."""
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
    return "".join(f"{_FOOT}{text_html(line)}</p>" for line in lines)


def _list(texts: Iterable[str]) -> str:
    items = "".join(f"<li>{text_html(text)}</li>" for text in texts)
    return f'<ul style="font-size:85%;margin:.2em 0">{items}</ul>' if items else ""
