"""One small data set and every form it may come in."""

from __future__ import annotations

import gzip
import io
import itertools
import json
import math
from collections import namedtuple
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import duckdb
import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pyarrow.parquet as pq

JUDGMENTS = {
    "query": [0, 0, 0, 1, 1, 1, 2, 2, 2, 3, 3, 3],
    "doc": ["doc_1", "doc_2", "doc_3"] * 4,
    "grade": [3, 2, 1, 10, 9, 8, 3, 2, 1, 3, 2, 1],
}
RESULTS = {
    "query": [0, 0, 0, 0, 0, 1, 1, 2, 2, 3],
    "doc": ["doc_2", "doc_1", "doc_10", "doc_11", "doc_12", "doc_2", "doc_1", "doc_2", "doc_1", "doc_3"],
    "rank": [1, 2, 3, 4, 5, 1, 2, 1, 2, 1],
    "score": [9.5, 8.5, 7.5, 6.5, 5.5, 9.5, 8.5, 9.5, 8.5, 9.5],
}
"""The fictitious data of notebook 004, In [18], with scores that fall with the rank."""

_THIRD = math.log2(3)
NDCG = {
    "0": (2 + 3 / _THIRD) / (3 + 2 / _THIRD + 1 / 2),
    "1": (9 + 10 / _THIRD) / (10 + 9 / _THIRD + 8 / 2),
    "2": (2 + 3 / _THIRD) / (3 + 2 / _THIRD + 1 / 2),
    "3": 1 / (3 + 2 / _THIRD + 1 / 2),
}
PRINTED = {"0": 0.817494, "1": 0.777976, "2": 0.817494, "3": 0.210002}
"""nDCG@5 per query: in closed form, and as the notebook prints it."""
PRECISION = {"0": 0.4, "1": 0.4, "2": 0.4, "3": 0.2}
MEASURES = ["nDCG@5", "P@5"]

Rows = dict[str, list[Any]]
Form = Callable[[Rows, str, Path], Any]
FILES: dict[str, Form] = {}
OBJECTS: dict[str, Form] = {}
USED_UP = frozenset({"reader", "rows in a generator", "open text file", "open binary file", "dict of iterators"})
"""Forms that can be read but once."""


def named(rows: Rows, side: str) -> Rows:
    """Return the rows under names people use, which differ from side to side."""
    if side == "judgments":
        return {"query_id": rows["query"], "doc_id": rows["doc"], "relevance": rows["grade"]}
    return {"qid": rows["query"], "docno": rows["doc"], "rank": rows["rank"], "score": rows["score"]}


def form(registry: dict[str, Form], name: str) -> Callable[[Form], Form]:
    """Register a form under its name."""

    def register(make: Form) -> Form:
        registry[name] = make
        return make

    return register


def trec_lines(rows: Rows, side: str) -> list[str]:
    """Write TREC text: query 0 doc grade, or query Q0 doc rank score system."""
    if side == "judgments":
        return [f"{q} 0 {d} {g}" for q, d, g in zip(*rows.values(), strict=True)]
    return [f"{q} Q0 {d} {r} {s} bm25" for q, d, r, s in zip(*rows.values(), strict=True)]


def _mixed(lines: list[str]) -> str:
    blanks = itertools.cycle([" ", "\t", "   ", " \t "])
    return "".join("  " + "".join(word + next(blanks) for word in line.split(" ")) + "\n" for line in lines)


TREC: dict[str, Callable[[list[str]], bytes]] = {
    "plain": lambda lines: ("\n".join(lines) + "\n").encode(),
    "no last newline": lambda lines: "\n".join(lines).encode(),
    "tabs": lambda lines: ("\n".join(lines) + "\n").replace(" ", "\t").encode(),
    "any blanks": lambda lines: _mixed(lines).encode(),
    "CRLF": lambda lines: ("\r\n".join(lines) + "\r\n").encode(),
    "BOM": lambda lines: b"\xef\xbb\xbf" + "\n".join(lines).encode(),
    "comments": lambda lines: ("# made by hand\n\n" + "\n  # and\n \n".join(lines) + "\n#end").encode(),
    "gz": lambda lines: gzip.compress("\n".join(lines).encode()),
    "gz of several members": lambda lines: b"".join(gzip.compress(f"{line}\n".encode()) for line in lines),
    "zst": lambda lines: zst("\n".join(lines).encode()),
    "zst of several frames": lambda lines: b"".join(zst(f"{line}\n".encode()) for line in lines),
}
"""Ways to write the lines of TREC text."""


def zst(data: bytes) -> bytes:
    """Compress with zstd."""
    return bytes(pa.compress(data, codec="zstd", asbytes=True))


def written(folder: Path, name: str, data: bytes) -> str:
    """Write a file and return its path."""
    path = folder / name
    path.write_bytes(data)
    return str(path)


for _name, _write in TREC.items():

    @form(FILES, f"TREC {_name}")
    def _(rows: Rows, side: str, folder: Path, write: Any = _write) -> str:
        return written(folder, f"{side}.trec", write(trec_lines(rows, side)))


def delimited(rows: Rows, delimiter: str, line_end: str = "\n", quote: str = "") -> str:
    """Write delimited text with a header."""
    lines = [list(rows), *zip(*rows.values(), strict=True)]
    return "".join(delimiter.join(f"{quote}{cell}{quote}" for cell in line) + line_end for line in lines)


def _with_floats(rows: Rows) -> Rows:
    first = next(iter(rows))
    return {**rows, first: [f"{value}.0" for value in rows[first]]}


DELIMITED: dict[str, Callable[[Rows], bytes]] = {
    "CSV": lambda rows: delimited(rows, ",").encode(),
    "TSV": lambda rows: delimited(rows, "\t").encode(),
    "bars": lambda rows: delimited(rows, "|").encode(),
    "semicolons": lambda rows: delimited(rows, ";").encode(),
    "CSV quoted, CRLF": lambda rows: delimited(rows, ",", "\r\n", '"').encode(),
    "CSV with BOM": lambda rows: b"\xef\xbb\xbf" + delimited(rows, ",").encode(),
    "CSV gz": lambda rows: gzip.compress(delimited(rows, ",").encode()),
    "CSV zst": lambda rows: zst(delimited(rows, ",").encode()),
    "CSV with comments above": lambda rows: ("# made by hand\n# in 2024\n" + delimited(rows, ",")).encode(),
    "CSV with comments above, gz": lambda rows: gzip.compress(("# by hand\n" + delimited(rows, ",")).encode()),
    "CSV with a # header": lambda rows: ("#" + delimited(rows, ",")).encode(),
    "CSV with whole floats as ids": lambda rows: delimited(_with_floats(rows), ",").encode(),
    "CSV with an index": lambda rows: delimited(
        {"": list(range(len(next(iter(rows.values()))))), **rows}, ","
    ).encode(),
}
"""Ways to write a table as delimited text."""

for _name, _table in DELIMITED.items():

    @form(FILES, _name)
    def _(rows: Rows, side: str, folder: Path, write: Any = _table) -> str:
        return written(folder, f"{side}.csv", write(named(rows, side)))


def records(rows: Rows, side: str) -> list[dict[str, Any]]:
    """Return one dict a row."""
    table = named(rows, side)
    return [dict(zip(table, row, strict=True)) for row in zip(*table.values(), strict=True)]


def _jsonl(rows: Rows, side: str) -> bytes:
    return "".join(json.dumps(record) + "\n" for record in records(rows, side)).encode()


@form(FILES, "JSONL")
def _(rows: Rows, side: str, folder: Path) -> str:
    return written(folder, f"{side}.jsonl", _jsonl(rows, side))


@form(FILES, "JSONL gz")
def _(rows: Rows, side: str, folder: Path) -> str:
    return written(folder, f"{side}.jsonl.gz", gzip.compress(_jsonl(rows, side)))


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


@form(OBJECTS, "path object")
def _(rows: Rows, side: str, folder: Path) -> Path:
    return Path(FILES["CSV"](rows, side, folder))


@form(OBJECTS, "open text file")
def _(rows: Rows, side: str, folder: Path) -> io.StringIO:
    return io.StringIO(delimited(named(rows, side), ","))


@form(OBJECTS, "open binary file")
def _(rows: Rows, side: str, folder: Path) -> io.BytesIO:
    return io.BytesIO(TREC["gz"](trec_lines(rows, side)))


def frame(rows: Rows, side: str) -> pd.DataFrame:
    """Return a pandas dataframe of NumPy arrays, with ids as text in object columns."""
    table = pd.DataFrame(named(rows, side))
    ids = list(table.columns[:2])
    return table.astype({ids[0]: "int64", ids[1]: object})


PANDAS: dict[str, Callable[[pd.DataFrame], pd.DataFrame]] = {
    "NumPy": lambda table: table,
    "its own text type": lambda table: table.astype({table.columns[1]: "str"}),
    "pyarrow": lambda table: table.convert_dtypes(dtype_backend="pyarrow"),
    "nullable": lambda table: table.convert_dtypes(),
    "object ids": lambda table: table.astype({table.columns[0]: object}),
    "float ids": lambda table: table.astype({table.columns[0]: "float64"}),
    "categories": lambda table: table.astype(dict.fromkeys(table.columns[:2], "category")),
    "named index": lambda table: table.set_index(table.columns[0]),
    "index of two levels": lambda table: table.set_index(list(table.columns[:2])),
    "named index of pyarrow": lambda table: table.convert_dtypes(dtype_backend="pyarrow").set_index(table.columns[0]),
    "index of the rows it was picked from": lambda table: (
        pd.concat([table.iloc[:1], table]).iloc[1:].set_axis([f"row {i}" for i in range(len(table))])
    ),
    "index of a name that is a column too": lambda table: table.set_index(table.columns[0], drop=False),
    "columns nobody asks for": lambda table: table.assign(
        when=pd.Timestamp("2024-01-01"),
        fields=[[place] for place in range(len(table))],
        parts=[{place} for place in range(len(table))],
        complex=1j,
        raw=b"\xff",
        empty=None,
    ),
}
"""Ways to hold a pandas dataframe."""

for _name, _hold in PANDAS.items():

    @form(OBJECTS, f"pandas, {_name}")
    def _(rows: Rows, side: str, folder: Path, hold: Any = _hold) -> pd.DataFrame:
        return hold(frame(rows, side))


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
    "lists": list,
    "tuples": tuple,
    "NumPy arrays": np.array,
    "object arrays": lambda values: np.array(values, dtype=object),
    "pandas series": pd.Series,
    "polars series": lambda values: pl.Series(values),
    "pyarrow arrays": pa.array,
    "pyarrow chunks": lambda values: pa.chunked_array([values]),
    "iterators": iter,
}
"""Ways to hold a column in a dict."""

for _name, _column in COLUMNS.items():

    @form(OBJECTS, f"dict of {_name}")
    def _(rows: Rows, side: str, folder: Path, column: Any = _column) -> dict[str, Any]:
        return {name: column(values) for name, values in named(rows, side).items()}


@form(OBJECTS, "dict of dicts")
def _(rows: Rows, side: str, folder: Path) -> dict[str, dict[str, float]]:
    found: dict[str, dict[str, float]] = {}
    for query, doc, value in zip(rows["query"], rows["doc"], list(rows.values())[-1], strict=True):
        found.setdefault(str(query), {})[doc] = value
    return found


@form(OBJECTS, "dict of dicts with ints as queries")
def _(rows: Rows, side: str, folder: Path) -> dict[int, Any]:
    return {int(query): inner for query, inner in OBJECTS["dict of dicts"](rows, side, folder).items()}


@form(OBJECTS, "dict of dicts of NumPy numbers")
def _(rows: Rows, side: str, folder: Path) -> dict[str, Any]:
    plain = OBJECTS["dict of dicts"](rows, side, folder)
    return {query: {doc: np.float32(value) for doc, value in inner.items()} for query, inner in plain.items()}


@form(OBJECTS, "list of dicts")
def _(rows: Rows, side: str, folder: Path) -> list[dict[str, Any]]:
    return records(rows, side)


@form(OBJECTS, "rows in a generator")
def _(rows: Rows, side: str, folder: Path) -> Iterator[dict[str, Any]]:
    return (record for record in records(rows, side))


@form(OBJECTS, "named tuples")
def _(rows: Rows, side: str, folder: Path) -> list[Any]:
    kind = namedtuple("kind", list(named(rows, side)))
    return [kind(**record) for record in records(rows, side)]


@form(OBJECTS, "structured array")
def _(rows: Rows, side: str, folder: Path) -> Any:
    return frame(rows, side).to_records(index=False)
