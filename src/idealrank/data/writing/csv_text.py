"""CSV and TSV with a line of column names."""

from __future__ import annotations

import csv
import functools
from collections.abc import Iterable, Mapping
from types import SimpleNamespace
from typing import Any

import numpy as np

from idealrank.data.writing.rows import NO_NUL, Rows, number_texts, refuse
from idealrank.data.writing.table import columns_of
from idealrank.data.writing.writer import TABLE, Wishes, Writer
from idealrank.display.delimited import harmless
from idealrank.errors import DataError, plural


def table(rows: Rows, wishes: Wishes, notes: list[str], *, separator: str) -> str:
    """Write all columns."""
    columns = columns_of(rows)
    refuse_nul(rows, columns)
    return delimited(columns, separator, wishes.formulas, notes)


def refuse_nul(rows: Rows, columns: Mapping[str, Any]) -> None:
    """Refuse NUL bytes: whoever reads the file would take it for no text.

    Raises
    ------
    DataError
        With the first row that has one, and its column.
    """
    for name, values in columns.items():
        if "\0" in name:
            raise DataError(f"{rows.name}: a NUL byte in the name of the column {name!r}, {NO_NUL}")
        texts = () if isinstance(values, np.ndarray) else enumerate(values)
        place = next((row for row, value in texts if isinstance(value, str) and "\0" in value), None)
        if place is not None:
            what, way = NO_NUL.split(". ", 1)
            raise refuse(rows, place, f"a NUL byte in {name}, {values[place]!r}, {what}", way)


def delimited(columns: Mapping[str, Any], separator: str, formulas: str, notes: list[str]) -> str:
    """Write columns; with ``formulas="escape"`` an apostrophe is before every cell that a spreadsheet would run.

    Examples
    --------
    >>> print(delimited({"doc_id": ["=1+1", "a,b"]}, ",", "escape", []), end="")
    doc_id
    '=1+1
    "a,b"
    """
    cells = {name: _cells(values) for name, values in columns.items()}
    if formulas == "escape":
        cells = _escaped(cells, notes)
    lines: list[str] = []
    # The writer quotes cells with any sign of its line end, which is cut off again.
    writer = csv.writer(
        SimpleNamespace(write=lambda line: lines.append(line[:-2])), delimiter=separator, lineterminator="\r\n"
    )
    writer.writerow(cells)
    writer.writerows(zip(*cells.values(), strict=True))
    return "\n".join([*lines, ""])


def _cells(values: Any) -> list[Any]:
    return number_texts(values) if isinstance(values, np.ndarray) else list(values)


def _escaped(cells: Mapping[str, Iterable[Any]], notes: list[str]) -> dict[str, list[Any]]:
    safe = {name: list(map(harmless, values)) for name, values in cells.items()}
    changed = sum(new is not old for name in cells for new, old in zip(safe[name], cells[name], strict=True))
    if changed:
        notes.append(
            f"{plural(changed, 'cell')} would be run by a spreadsheet and {'has' if changed == 1 else 'have'} an "
            "apostrophe in front, also where it is an id"
        )
    return safe


CSV = Writer(
    "csv", "CSV", (".csv",), dict.fromkeys(("judgments", "results"), functools.partial(table, separator=",")), TABLE
)
TSV = Writer(
    "tsv", "TSV", (".tsv", ".tab"), dict.fromkeys(("judgments", "results"), functools.partial(table, separator="\t")),
    TABLE,
)  # fmt: skip
