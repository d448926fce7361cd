"""The forms of polars, pyarrow and DuckDB that the small data set may come in."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import duckdb
import pandas as pd
import polars as pl
import pyarrow as pa
import pyarrow.parquet as pq

from tests.data.forms import Form, Rows, form, named, trec_lines, written
from tests.data.objects import frame

FILES: dict[str, Form] = {}
OBJECTS: dict[str, Form] = {}
USED_UP = frozenset({"reader"})
"""Forms that can be read but once."""


def zst(data: bytes) -> bytes:
    """Compress with zstd."""
    return bytes(pa.compress(data, codec="zstd", asbytes=True))


ZST: dict[str, Callable[[list[str]], bytes]] = {
    "zst": lambda lines: zst("\n".join(lines).encode()),
    "zst of several frames": lambda lines: b"".join(zst(f"{line}\n".encode()) for line in lines),
}

for _name, _write in ZST.items():

    @form(FILES, f"TREC {_name}")
    def _(rows: Rows, side: str, folder: Path, write: Any = _write) -> str:
        return written(folder, f"{side}.trec", write(trec_lines(rows, side)))


@form(FILES, "Parquet")
def _(rows: Rows, side: str, folder: Path) -> str:
    pq.write_table(pa.table(named(rows, side)), folder / f"{side}.parquet")
    return str(folder / f"{side}.parquet")


@form(FILES, "Arrow file")
def _(rows: Rows, side: str, folder: Path) -> str:
    table = pa.table(named(rows, side))
    with pa.ipc.new_file(str(folder / f"{side}.arrow"), table.schema) as out:
        out.write(table)
    return str(folder / f"{side}.arrow")


@form(FILES, "Arrow stream")
def _(rows: Rows, side: str, folder: Path) -> str:
    table = pa.table(named(rows, side))
    with pa.ipc.new_stream(str(folder / f"{side}.arrows"), table.schema) as out:
        out.write(table)
    return str(folder / f"{side}.arrows")


@form(OBJECTS, "pandas, pyarrow")
def _(rows: Rows, side: str, folder: Path) -> pd.DataFrame:
    return frame(rows, side).convert_dtypes(dtype_backend="pyarrow")


@form(OBJECTS, "pandas, named index of pyarrow")
def _(rows: Rows, side: str, folder: Path) -> pd.DataFrame:
    table = frame(rows, side).convert_dtypes(dtype_backend="pyarrow")
    return table.set_index(table.columns[0])


@form(OBJECTS, "polars")
def _(rows: Rows, side: str, folder: Path) -> pl.DataFrame:
    return pl.DataFrame(named(rows, side))


@form(OBJECTS, "polars, lazy")
def _(rows: Rows, side: str, folder: Path) -> pl.LazyFrame:
    return pl.LazyFrame(named(rows, side))


@form(OBJECTS, "polars, categories")
def _(rows: Rows, side: str, folder: Path) -> pl.DataFrame:
    table = pl.DataFrame(named(rows, side))
    return table.with_columns(pl.col(table.columns[:2]).cast(pl.String).cast(pl.Categorical))


@form(OBJECTS, "polars, columns nobody asks for")
def _(rows: Rows, side: str, folder: Path) -> pl.DataFrame:
    nothing = pl.Series("nothing", [None] * len(rows["doc"]))
    wide = pl.Series("wide", [1] * len(rows["doc"]), dtype=pl.Int128)
    return pl.DataFrame(named(rows, side)).with_columns(nothing, wide, parts=pl.struct(pl.all()))


@form(OBJECTS, "pyarrow")
def _(rows: Rows, side: str, folder: Path) -> pa.Table:
    return pa.table(named(rows, side))


@form(OBJECTS, "pyarrow, several chunks")
def _(rows: Rows, side: str, folder: Path) -> pa.Table:
    table = pa.table(named(rows, side))
    return pa.concat_tables([table.slice(0, 3), table.slice(3)])


@form(OBJECTS, "record batch")
def _(rows: Rows, side: str, folder: Path) -> pa.RecordBatch:
    return pa.RecordBatch.from_pydict(named(rows, side))


@form(OBJECTS, "reader")
def _(rows: Rows, side: str, folder: Path) -> pa.RecordBatchReader:
    return pa.table(named(rows, side)).to_reader()


ARROW_TYPES = {
    "large text": (pa.int32(), pa.large_string(), pa.float32()),
    "text views": (pa.uint64(), pa.string_view(), pa.int8()),
    "dictionary": (pa.int64(), pa.dictionary(pa.int8(), pa.string()), pa.decimal128(21, 2)),
}
"""Types of ids and grade (or score)."""

for _name, _types in ARROW_TYPES.items():

    @form(OBJECTS, f"pyarrow, {_name}")
    def _(rows: Rows, side: str, folder: Path, types: Any = _types) -> pa.Table:
        table, (key, doc, value) = pa.table(named(rows, side)), types
        if side == "results":
            value = pa.float64()
        for place, kind in ((0, key), (1, doc), (table.num_columns - 1, value)):
            table = table.set_column(place, table.column_names[place], table.column(place).cast(kind))
        return table


@form(OBJECTS, "DuckDB relation")
def _(rows: Rows, side: str, folder: Path) -> Any:
    return duckdb.from_arrow(pa.table(named(rows, side))).filter("true")


class Capsule:
    """Nothing but the Arrow capsule interface."""

    def __init__(self, table: pa.Table) -> None:
        self._table = table

    def __arrow_c_stream__(self, requested_schema: object | None = None) -> object:
        return self._table.__arrow_c_stream__(requested_schema)


@form(OBJECTS, "Arrow capsule")
def _(rows: Rows, side: str, folder: Path) -> Capsule:
    return Capsule(pa.table(named(rows, side)))


COLUMNS: dict[str, Callable[[list[Any]], Any]] = {
    "polars series": lambda values: pl.Series(values),
    "pyarrow arrays": pa.array,
    "pyarrow chunks": lambda values: pa.chunked_array([values]),
}
"""Ways to hold a column in a dict."""

for _name, _column in COLUMNS.items():

    @form(OBJECTS, f"dict of {_name}")
    def _(rows: Rows, side: str, folder: Path, column: Any = _column) -> dict[str, Any]:
        return {name: column(values) for name, values in named(rows, side).items()}
