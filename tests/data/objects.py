"""The objects in memory that the small data set may come in."""

from __future__ import annotations

import io
from collections import namedtuple
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from tests.data.forms import FILES, TREC, Form, Rows, delimited, form, named, records, trec_lines

OBJECTS: dict[str, Form] = {}
USED_UP = frozenset({"rows in a generator", "open text file", "open binary file", "dict of iterators"})
"""Forms that can be read but once."""


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
    "nullable": lambda table: table.convert_dtypes(),
    "object ids": lambda table: table.astype({table.columns[0]: object}),
    "float ids": lambda table: table.astype({table.columns[0]: "float64"}),
    "categories": lambda table: table.astype(dict.fromkeys(table.columns[:2], "category")),
    "named index": lambda table: table.set_index(table.columns[0]),
    "index of two levels": lambda table: table.set_index(list(table.columns[:2])),
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


COLUMNS: dict[str, Callable[[list[Any]], Any]] = {
    "lists": list,
    "tuples": tuple,
    "NumPy arrays": np.array,
    "object arrays": lambda values: np.array(values, dtype=object),
    "pandas series": pd.Series,
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
