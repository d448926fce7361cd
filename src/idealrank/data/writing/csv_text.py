"""CSV and TSV with a line of column names."""

from __future__ import annotations

import csv
import functools
from collections.abc import Iterable, Mapping
from types import SimpleNamespace
from typing import Any

import numpy as np

from idealrank.data.writing.rows import Rows, number_texts
from idealrank.data.writing.table import columns_of
from idealrank.data.writing.writer import TABLE, Wishes, Writer
from idealrank.display.delimited import harmless
from idealrank.errors import plural


def table(rows: Rows, wishes: Wishes, notes: list[str], *, separator: str) -> str:
    """Write all columns."""
    return delimited(columns_of(rows), separator, wishes.formulas, notes)


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
