"""The segments of documents in the page: one table per measure, and what its numbers are."""

from html import escape
from typing import Any

from idealrank.errors import plural
from idealrank.reports.page.markup import bullets, count, fixed, name, table


def document_segments(segments: dict[str, Any] | None) -> str:
    """Write the segments; nothing where none were asked for."""
    if segments is None:
        return ""
    by_measure: dict[str, list[dict[str, Any]]] = {}
    for row in segments["rows"]:
        by_measure.setdefault(row["measure"], []).append(row)
    tables = "".join(f"<h4>{escape(label)}</h4>{_table(label, rows)}" for label, rows in by_measure.items())
    return f"<p>Results by {name(segments['column'])} of the documents.</p>{tables}{bullets(segments['notes'])}"


SHOWN = 200
"""Rows of a measure that are written; the others are counted."""


def _table(label: str, rows: list[dict[str, Any]]) -> str:
    names = [key for key in rows[0] if key != "measure"]
    cells = [[_cell(row[key]) for key in names] for row in rows[:SHOWN]]
    texts = names.index("segment") + 1
    more = f"<p>{plural(len(rows) - SHOWN, 'more row')}</p>" if len(rows) > SHOWN else ""
    return table(list(map(escape, names)), cells, f"Segments of documents: {label}", texts) + more


def _cell(value: str | float | None) -> str:
    if isinstance(value, str):
        return name(value)
    return count(value) if isinstance(value, int) else fixed(value)
