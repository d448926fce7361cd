"""The one table type every function returns: immutable columns that any dataframe library can take."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

import numpy as np

from idealrank.display.blocks import SHOWN_ROWS, Block, Grid
from idealrank.display.document import Shown
from idealrank.display.grid import Column
from idealrank.display.numbers import number_text, places, plain_value
from idealrank.errors import UsageError

Stated = str | Sequence[str]
"""The fingerprint of all rows, or one of each."""


_PLAIN = frozenset(
    {"rank", "baseline rank", "grade", "gain", "relevant", "counts", "frequency", "tie_first", "tie_last"}
)
"""Columns whose numbers are shown with no more decimals than they have."""


class Table(Shown):
    """An immutable table: named columns of equal length.

    Columns are float64 or int64 arrays, or lists of text (None where missing) or of tuples of
    text. Iterating gives rows as dicts; ``table["column"]`` gives a column as a list.

    Attributes
    ----------
    stated
        ``{column: text}``: the fingerprints of the measures in the table, one a row or one of all rows.
        Drawings leave them out. CSV and JSON have them as last columns, one of all rows in the first;
        pandas has them in ``attrs``, pyarrow in the metadata.

    Examples
    --------
    >>> t = Table({"query": ["q1", "q2"], "RR": [1.0, 0.5]})
    >>> t["RR"], len(t), next(iter(t))
    ([1.0, 0.5], 2, {'query': 'q1', 'RR': 1.0})
    """

    def __init__(
        self,
        columns: Mapping[str, Sequence[Any] | np.ndarray[Any, Any]],
        title: str = "",
        stated: Mapping[str, Stated] | None = None,
    ) -> None:
        self._columns = {name: _frozen(values) for name, values in columns.items()}
        self.title = title
        self.stated = {name: text if isinstance(text, str) else tuple(text) for name, text in (stated or {}).items()}
        lengths = {len(values) for values in self._columns.values()}
        if len(lengths) > 1:
            raise ValueError(f"columns of different lengths: {lengths}")
        self._rows = lengths.pop() if lengths else 0

    @property
    def columns(self) -> list[str]:
        """Names of the columns."""
        return list(self._columns)

    def __len__(self) -> int:
        return self._rows

    def __getitem__(self, name: str) -> list[Any]:
        return _plain(self._columns[name])

    def __iter__(self) -> Iterator[dict[str, Any]]:
        columns = self.to_dict()
        for place in range(len(self)):
            yield {name: values[place] for name, values in columns.items()}

    def array(self, name: str) -> np.ndarray[Any, Any]:
        """Return a column as a read-only NumPy array: numbers, or objects."""
        values = self._columns[name]
        if isinstance(values, np.ndarray):
            return values
        array = np.empty(len(values), object)
        array[:] = values
        array.setflags(write=False)
        return array

    def numeric(self, name: str) -> bool:
        """Whether a column holds numbers."""
        return isinstance(self._columns[name], np.ndarray)

    def take(self, rows: Sequence[int] | np.ndarray[Any, Any]) -> Table:
        """Return a table of some rows, in the order given."""
        picked = [int(row) for row in rows]
        stated = {
            name: text if isinstance(text, str) else [text[row] for row in picked] for name, text in self.stated.items()
        }
        return Table({name: _taken(values, picked) for name, values in self._columns.items()}, self.title, stated)

    def stating(self, stated: Mapping[str, Stated]) -> Table:
        """Return the same table with fingerprints."""
        return Table(self._columns, self.title, stated)

    def to_dict(self) -> dict[str, list[Any]]:
        """Return ``{column: values}`` of plain Python values."""
        return {name: _plain(values) for name, values in self._columns.items()}

    def to_pandas(self) -> Any:
        """Return a pandas DataFrame (pandas must be installed)."""
        import pandas

        frame = pandas.DataFrame(self._columns)
        frame.attrs.update(self.stated)
        return frame

    def to_polars(self) -> Any:
        """Return a polars DataFrame (polars must be installed)."""
        import polars

        return polars.DataFrame(self._listed())

    def to_arrow(self) -> Any:
        """Return a pyarrow Table (pyarrow must be installed)."""
        import pyarrow

        table = pyarrow.table(self._listed())
        if not self.stated:
            return table
        import json

        return table.replace_schema_metadata(
            {name: text if isinstance(text, str) else json.dumps(text) for name, text in self.stated.items()}
        )

    def _listed(self) -> dict[str, Any]:
        """Return the columns, tuples as lists."""
        return {
            name: values if isinstance(values, np.ndarray) else [list(v) if isinstance(v, tuple) else v for v in values]
            for name, values in self._columns.items()
        }

    def __arrow_c_stream__(self, requested_schema: Any = None) -> object:
        """Hand the columns out through the Arrow capsule interface; tuples as words joined by blanks."""
        from idealrank._core import from_columns

        flat = [
            values if isinstance(values, np.ndarray) else [" ".join(v) if isinstance(v, tuple) else v for v in values]
            for values in self._columns.values()
        ]
        return from_columns(self.columns, flat).__arrow_c_stream__(requested_schema)

    def to_csv(self, separator: str = ",") -> str:
        """Return the table as delimited text with a header; numbers in full precision.

        A spreadsheet runs a text that begins like a formula (``=``, ``+``, ``-``, ``@``, tab, carriage return): such
        a text gets an apostrophe before it. Numbers, and ids of letters, digits, ``-``, ``_`` and ``.`` after a sign,
        stay as they are. Delimited by tabs, the form for programs, every text stays as it is.

        Raises
        ------
        UsageError
            If the separator is no single character.
        """
        if len(separator) != 1:
            raise UsageError(
                f"separator={separator!r} is no single character. to_csv returns text; write it to a file: "
                "pathlib.Path('x.csv').write_text(table.to_csv())."
            )
        from idealrank.display.delimited import delimited

        return delimited(self._exported(), separator)

    def to_json(self) -> str:
        """Return the rows as a JSON array of objects; a missing number is null."""
        import json

        return json.dumps(self.rows(fingerprints=True), ensure_ascii=False)

    def rows(self, fingerprints: bool = False) -> list[dict[str, Any]]:
        """Return the rows as values JSON can hold; a missing number is None.

        Parameters
        ----------
        fingerprints
            Whether those of the measures are the last columns, as in `to_json`.
        """
        columns = self._exported() if fingerprints else self.to_dict()
        plain = {name: map(plain_value, values) for name, values in columns.items()}
        return [dict(zip(plain, row, strict=True)) for row in zip(*plain.values(), strict=True)]

    def _exported(self) -> dict[str, list[Any]]:
        """Return the columns with the fingerprints last."""
        return self.to_dict() | {
            name: ([text, *[None] * (len(self) - 1)] if isinstance(text, str) else list(text))[: len(self)]
            for name, text in self.stated.items()
        }

    def shown(self) -> list[Block]:
        """Return the first rows as a grid."""
        return [self.grid(SHOWN_ROWS)]

    def grid(self, rows: int | None = None, title: str = "", decimals: Mapping[str, int] | None = None) -> Grid:
        """Return the first rows, or all, as columns of text; `decimals` says how many some columns have at least."""
        shown = len(self) if rows is None else min(rows, len(self))
        least = decimals or {}
        columns = [self._column(name, shown, least.get(name, 0)) for name in self.columns]
        return Grid(columns, title, len(self) - shown, stated=self.stated)

    def _column(self, name: str, rows: int, least: int) -> Column:
        numeric, values = self.numeric(name), self.array(name)[:rows].tolist()
        decimals = max(least, places(values)) if name in _PLAIN and numeric else 4
        return Column(name, [cell(value, decimals) for value in values], numeric)


def cell(value: Any, decimals: int = 4) -> str:
    """Write one cell: numbers to so many decimals, a missing one as a dash."""
    if value is None or (isinstance(value, float) and math.isnan(value)):
        return "–"
    if isinstance(value, float):
        return number_text(value, f".{decimals}f") if math.isfinite(value) else f"{value:.4f}"
    if isinstance(value, (tuple, list)):
        return " ".join(map(str, value))
    return str(value)


def decimals_of(tables: Iterable[Table]) -> dict[str, int]:
    """Return how many decimals each column of ranks, grades and gains needs, so that tables write it alike."""
    needed: dict[str, int] = {}
    for table in tables:
        for name in filter(table.numeric, _PLAIN.intersection(table.columns)):
            needed[name] = max(needed.get(name, 0), places(table[name]))
    return needed


OF_COLUMNS = "fingerprint of "
"""How the names of the fingerprints of columns begin."""


def fingerprint_columns(prints: Mapping[str, Stated]) -> dict[str, Stated]:
    """Name the fingerprints of columns that hold a measure each.

    Examples
    --------
    >>> fingerprint_columns({"RR": "RR[ties=given]"})
    {'fingerprint of RR': 'RR[ties=given]'}
    """
    return {f"{OF_COLUMNS}{label}": text for label, text in prints.items()}


def _frozen(values: Sequence[Any] | np.ndarray[Any, Any]) -> Any:
    """Return numbers as a read-only array of their own, other values as a list of their own."""
    if isinstance(values, np.ndarray) and values.dtype.kind not in "iufb":
        return values.tolist()
    if not isinstance(values, np.ndarray):
        plain = list(values)
        if not plain or not all(type(value) in (int, float) for value in plain):
            return plain
        values = np.array(plain)
    kind = np.float64 if values.dtype.kind == "f" else np.int64
    array = values.astype(kind)
    array.setflags(write=False)
    return array


def _plain(values: Any) -> list[Any]:
    return values.tolist() if isinstance(values, np.ndarray) else list(values)


def _taken(values: Any, rows: list[int]) -> Any:
    return values[rows] if isinstance(values, np.ndarray) else [values[row] for row in rows]
