"""The writers of tables: TREC text, CSV and TSV, JSON lines, Parquet."""

from __future__ import annotations

import csv
import functools
import importlib.util
import io
import json
import re
from collections.abc import Collection, Iterable, Mapping
from types import SimpleNamespace
from typing import Any

import numpy as np

from idealrank._core import from_columns
from idealrank.data.writing.rows import (
    NO_NUL,
    RowsToWrite,
    columns_of,
    number_texts,
    ranks_and_scores,
    row_error,
    whole_as_int,
)
from idealrank.data.writing.writer import TABLE, WriteOptions, Writer
from idealrank.display.table import harmless
from idealrank.errors import DataError, UsageError, plural

# CSV and TSV with a line of column names.


def all_columns_delimited(rows: RowsToWrite, options: WriteOptions, notes: list[str], *, separator: str) -> str:
    """Write all columns."""
    columns = columns_of(rows)
    refuse_nul(rows, columns)
    return format_delimited(columns, separator, options.formulas, notes)


def refuse_nul(rows: RowsToWrite, columns: Mapping[str, Any]) -> None:
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
            raise row_error(rows, place, f"a NUL byte in {name}, {values[place]!r}, {what}", way)


def format_delimited(columns: Mapping[str, Any], separator: str, formulas: str, notes: list[str]) -> str:
    """Write columns; with ``formulas="escape"`` an apostrophe is before every cell that a spreadsheet would run.

    Examples
    --------
    >>> print(format_delimited({"doc_id": ["=1+1", "a,b"]}, ",", "escape", []), end="")
    doc_id
    '=1+1
    "a,b"
    """
    cells = {name: _as_cells(values) for name, values in columns.items()}
    if formulas == "escape":
        cells = _escape_formulas(cells, notes)
    if separator == "\t":
        _refuse_rows_within(cells)
    lines: list[str] = []
    # The writer quotes cells with any sign of its line end, which is cut off again.
    writer = csv.writer(
        SimpleNamespace(write=lambda line: lines.append(line[:-2])), delimiter=separator, lineterminator="\r\n"
    )
    writer.writerow(cells)
    writer.writerows(zip(*cells.values(), strict=True))
    return "\n".join([*lines, ""])


def _refuse_rows_within(cells: Mapping[str, list[Any]]) -> None:
    """Refuse a cell whose lines have the tabs of rows: its reader would take the quotes around it for a stray one.

    Raises
    ------
    DataError
        With the cell and its column.
    """
    last = len(cells) - 1
    for field, (name, values) in enumerate(cells.items()):
        for text in values:
            if not isinstance(text, str) or "\n" not in text or "\t" not in text:
                continue
            first, *whole, end = (line.count("\t") for line in text.split("\n"))
            if (first, end) == (last - field, field) and all(tabs == last for tabs in whole):
                raise DataError(f"{name} {text!r} would be read as several rows between tabs. Write CSV or JSON lines.")


def _as_cells(values: Any) -> list[Any]:
    return number_texts(values) if isinstance(values, np.ndarray) else list(values)


def _escape_formulas(cells: Mapping[str, Iterable[Any]], notes: list[str]) -> dict[str, list[Any]]:
    safe = {name: list(map(harmless, values)) for name, values in cells.items()}
    changed = sum(new is not old for name in cells for new, old in zip(safe[name], cells[name], strict=True))
    if changed:
        notes.append(
            f"{plural(changed, 'cell')} would be run by a spreadsheet and {'has' if changed == 1 else 'have'} an "
            "apostrophe in front, also where it is an id"
        )
    return safe


CSV = Writer(
    "csv",
    "CSV",
    (".csv",),
    dict.fromkeys(("judgments", "results"), functools.partial(all_columns_delimited, separator=",")),
    TABLE,
)
TSV = Writer(
    "tsv", "TSV", (".tsv", ".tab"),
    dict.fromkeys(("judgments", "results"), functools.partial(all_columns_delimited, separator="\t")),
    TABLE,
)  # fmt: skip


# JSON lines: one object per row.


def json_lines(rows: RowsToWrite, options: WriteOptions, notes: list[str]) -> str:
    """Write one object per row; what is missing in a row is left out of it, but never an id."""
    columns = {name: _json_values(values) for name, values in columns_of(rows).items()}
    encode = json.JSONEncoder(ensure_ascii=False).encode
    always = {"query_id", "doc_id"}
    return "".join(
        encode({name: v for name, v in zip(columns, row, strict=True) if name in always or v not in (None, "")}) + "\n"
        for row in zip(*columns.values(), strict=True)
    )


def _json_values(values: Any) -> list[Any]:
    if isinstance(values, np.ndarray):
        return [None if value != value else whole_as_int(value) for value in values.tolist()]
    return list(values)


JSONL = Writer("jsonl", "JSON lines", (".jsonl", ".ndjson"), {"judgments": json_lines, "results": json_lines}, TABLE)


# Parquet, written by pyarrow or polars, whichever is installed.


def parquet_bytes(rows: RowsToWrite, options: WriteOptions, notes: list[str]) -> bytes:
    """Write all columns.

    Raises
    ------
    UsageError
        If neither library is installed.
    """
    columns = columns_of(rows)
    frame, out = from_columns(list(columns), list(columns.values())), io.BytesIO()
    library = next((name for name in ("pyarrow", "polars") if importlib.util.find_spec(name)), "")
    if not library:
        raise UsageError("Parquet is written by pyarrow or polars: pip install pyarrow. Or write CSV.")
    _write(library, frame, out)
    return out.getvalue()


def _write(library: str, frame: Any, out: io.BytesIO) -> None:
    if library == "pyarrow":
        import pyarrow
        import pyarrow.parquet  # type: ignore[import-untyped]  # it has no types

        pyarrow.parquet.write_table(pyarrow.table(frame), out)
    else:
        import polars

        polars.from_arrow(frame).write_parquet(out)  # type: ignore[union-attr]  # a table is no series


PARQUET = Writer("parquet", "Parquet", (".parquet",), {"judgments": parquet_bytes, "results": parquet_bytes}, TABLE)

# TREC text: ``query 0 document grade``, and ``query Q0 document rank score system``.


_ENDS = re.compile(r"[\s\x00\ufeff]")
_WAY = "Write a table, such as CSV, or change the ids."


def qrels_text(rows: RowsToWrite, options: WriteOptions, notes: list[str]) -> str:
    """Write judgments; the second field is the subtopic where there are any, else what it was."""
    refuse_blanks(rows.name, "query", rows.query)
    refuse_blanks(rows.name, "document", rows.doc)
    second = rows.words.get("iteration", [""] * len(rows))
    subtopic = rows.words.get("subtopic", [field or "0" for field in second])
    refuse_blanks(rows.name, "subtopic", subtopic)
    fields = zip(rows.query, subtopic, rows.doc, number_texts(rows.grade), strict=True)
    return "".join([f"{query} {one} {doc} {grade}\n" for query, one, doc, grade in fields])


def run_text(rows: RowsToWrite, options: WriteOptions, notes: list[str]) -> str:
    """Write results; blanks in the names of systems become ``_``."""
    refuse_blanks(rows.name, "query", rows.query)
    refuse_blanks(rows.name, "document", rows.doc)
    ranks, scores = ranks_and_scores(rows, notes)
    systems = rows.words.get("system", [rows.system or "results"] * len(rows))
    tags = {name: _ENDS.sub("_", name) or "results" for name in set(systems)}
    if any(tag != name for name, tag in tags.items()):
        notes.append("blanks in the names of systems are written as _")
    fields = zip(rows.query, rows.doc, ranks.tolist(), number_texts(scores), systems, strict=True)
    return "".join([f"{query} Q0 {doc} {rank} {score} {tags[system]}\n" for query, doc, rank, score, system in fields])


def refuse_blanks(name: str, role: str, ids: Collection[str]) -> None:
    """Refuse ids that a line of fields separated by blanks cannot contain.

    Raises
    ------
    DataError
        With the first of them.
    """
    if all(ids) and not _ENDS.search("".join(ids)) and (role != "query" or "#" not in {text[0] for text in ids}):
        return
    for text in ids:
        if not text or _ENDS.search(text):
            if "\0" in text:
                raise DataError(f"{name}: the {role} id {text!r} contains a NUL byte, {NO_NUL}")
            raise DataError(f"{name}: the {role} id {text!r} contains whitespace, which ends a field of a line. {_WAY}")
        if role == "query" and text.startswith("#"):
            raise DataError(f"{name}: the query id {text!r} begins with #, which begins a comment. {_WAY}")


TREC = Writer(
    "trec", "TREC text", (".trec", ".qrels", ".qrel", ".run", ".res", ".txt"),
    {"judgments": qrels_text, "results": run_text}, frozenset({"subtopic", "system"}),
)  # fmt: skip
