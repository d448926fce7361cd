"""Parquet, written by pyarrow or polars, whichever is installed."""

from __future__ import annotations

import importlib.util
import io
from typing import Any

from idealrank._core import from_columns
from idealrank.data.writing.rows import Rows
from idealrank.data.writing.table import columns_of
from idealrank.data.writing.writer import TABLE, Wishes, Writer
from idealrank.errors import UsageError


def table(rows: Rows, wishes: Wishes, notes: list[str]) -> bytes:
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


PARQUET = Writer("parquet", "Parquet", (".parquet",), {"judgments": table, "results": table}, TABLE)
