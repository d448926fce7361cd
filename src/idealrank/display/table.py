"""The one table type every function returns: immutable columns that any dataframe library can take."""

from __future__ import annotations

import io
import math
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any, NoReturn, Self, overload

import numpy as np

from idealrank.display.blocks import SHOWN_ROWS, Block, Grid, TextColumn
from idealrank.display.document import Shown, no_attribute
from idealrank.display.numbers import milliseconds, number_text, places
from idealrank.errors import UsageError, unknown, without_line_ends

if TYPE_CHECKING:
    import pandas as pd
    import polars as pl

    from idealrank.display.schema import RowType

_MILLISECONDS = " ms"
"""How the names of columns of times end."""

_PLAIN = frozenset(
    {"rank", "baseline rank", "grade", "gain", "relevant", "counts", "frequency", "tie_first", "tie_last"}
)
"""Columns whose numbers are shown with no more decimals than they have."""

_PANDAS = {
    name: f"table.to_pandas().{call}"
    for name, call in {
        "sort_values": "sort_values('nDCG@10')",
        "sort": "sort_values('nDCG@10')",
        "query": "query('rank < 5')",
        "groupby": "groupby('system')",
        "describe": "describe()",
        "mean": "mean(numeric_only=True)",
        "plot": "plot()",
        "loc": "loc",
        "iloc": "iloc",
        "values": "to_numpy()",
        "sum": "sum(numeric_only=True)",
        "rename": "rename(columns={'nDCG@10': 'ndcg'})",
        "set_index": "set_index('query')",
        "to_html": "to_html()",
        "to_latex": "to_latex()",
        "to_excel": "to_excel('table.xlsx')",
        "to_list": "to_dict('records')",
        "to_dicts": "to_dict('records')",
        "to_records": "to_records()",
        "iterrows": "iterrows()",
        "itertuples": "itertuples()",
        "nlargest": "nlargest(5, 'nDCG@10')",
        "nsmallest": "nsmallest(5, 'nDCG@10')",
        "sample": "sample(5)",
        "to_numpy": "to_numpy()",
        "pivot": "pivot(index='query', columns='system')",
        "merge": "merge(other)",
        "drop": "drop(columns='system')",
        "agg": "agg(…)",
        "apply": "apply(…)",
    }.items()
} | dict.fromkeys(("df", "to_df", "to_dataframe", "to_frame", "dataframe"), "table.to_pandas()")
"""What people ask of a dataframe, and pandas does."""


class Columns(Shown):
    """Named columns of equal length with the fingerprints of the measures in them: what `Table` reads and writes."""

    def __init__(
        self,
        columns: Mapping[str, Sequence[Any] | np.ndarray[Any, Any]],
        title: str = "",
        stated: Mapping[str, Stated] | None = None,
        row: RowType | None = None,
    ) -> None:
        if row is not None:
            row.refuse(title, columns)
        self._columns = {name: _freeze(values) for name, values in columns.items()}
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

    @overload
    def __getitem__(self, key: str) -> list[Any]: ...
    @overload
    def __getitem__(self, key: int) -> dict[str, Any]: ...
    @overload
    def __getitem__(self, key: slice | list[str]) -> Self: ...
    def __getitem__(self, key: str | int | slice | list[str]) -> list[Any] | dict[str, Any] | Self:
        """Return a column as a list, by its name; a row as a dict, by its place; or a table.

        ``table[:5]`` is one of some rows, ``table[["query", "RR"]]`` one of some columns.

        Raises
        ------
        UsageError
            If no column is called so.
        """
        if isinstance(key, slice):
            return self.take(range(len(self))[key])
        if isinstance(key, int):
            row = range(len(self))[key]
            return {name: _as_list(values[row : row + 1])[0] for name, values in self._columns.items()}
        if isinstance(key, list):
            return type(self)({name: self._find_column(name) for name in key}, self.title, self.stated)
        return _as_list(self._find_column(key))

    def _find_column(self, name: str) -> Any:
        if name not in self._columns:
            raise unknown("column", str(name), self.columns)
        return self._columns[name]

    @property
    def shape(self) -> tuple[int, int]:
        """The number of rows, and of columns."""
        return len(self), len(self._columns)

    def head(self, n: int = 5) -> Self:
        """Return a table of the first n rows."""
        return self[:n]

    def tail(self, n: int = 5) -> Self:
        """Return a table of the last n rows."""
        return self[max(len(self) - n, 0) :]

    def filter(self, condition: Callable[[dict[str, Any]], bool] | None = None, **values: Any) -> Self:
        """Return a table of the rows that meet a condition, and have these values in the columns called so.

        Parameters
        ----------
        condition
            What says of a row, a dict, whether to keep it.
        **values
            The value a row has in the column of that name.

        Raises
        ------
        UsageError
            If no column is called so.

        Examples
        --------
        >>> t = Columns({"system": ["a", "a", "b"], "RR": [1.0, 0.5, 0.25]})
        >>> t.filter(system="a")["RR"], t.filter(lambda row: row["RR"] < 1, system="a")["RR"]
        ([1.0, 0.5], [0.5])
        """
        for name in values:
            self._find_column(name)
        return self.take(
            [
                place
                for place, row in enumerate(self)
                if all(row[name] == value for name, value in values.items()) and (condition is None or condition(row))
            ]
        )

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
        """Whether a column contains numbers."""
        return isinstance(self._columns[name], np.ndarray)

    def take(self, rows: Sequence[int] | np.ndarray[Any, Any]) -> Self:
        """Return a table of some rows, in the order given."""
        picked = [int(row) for row in rows]
        stated = {
            name: text if isinstance(text, str) else [text[row] for row in picked] for name, text in self.stated.items()
        }
        return type(self)({name: _take(values, picked) for name, values in self._columns.items()}, self.title, stated)

    def to_dict(self) -> dict[str, list[Any]]:
        """Return ``{column: values}`` of plain Python values."""
        return {name: _as_list(values) for name, values in self._columns.items()}


def _freeze(values: Sequence[Any] | np.ndarray[Any, Any]) -> Any:
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


def _as_list(values: Any) -> list[Any]:
    return values.tolist() if isinstance(values, np.ndarray) else list(values)


def _take(values: Any, rows: list[int]) -> Any:
    return values[rows] if isinstance(values, np.ndarray) else [values[row] for row in rows]


class Table(Columns):
    """An immutable table: named columns of equal length.

    Columns are float64 or int64 arrays, or lists of text (None where missing) or of tuples of
    text. Iterating gives rows as dicts; ``table["column"]`` gives a column as a list, ``table[0]`` a row as a dict
    and ``table[:5]`` a table of some rows.

    Parameters
    ----------
    row
        The columns that the table is said to have in its schema; others are refused.

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

    _internal = frozenset({"array", "grid", "numeric", "in_lines", "rows", "shown", "with_fingerprints"})
    _instead = _PANDAS

    if not TYPE_CHECKING:  # a type checker is to find the parentheses

        def __call__(self, *_: object, **__: object) -> NoReturn:
            """Refuse to be called: people write scores.per_query() for scores.per_query."""
            first = self.columns[-1] if self.columns else "query"
            raise UsageError(
                "A table is not a function: leave out the parentheses, as in scores.per_query. "
                f"A column is table[{first!r}]; as a dataframe it is table.to_pandas()."
            )

        def __getattr__(self, name: str) -> NoReturn:
            if name[:1] != "_" and name in self._columns:
                raise no_attribute("Table", name, {name: f"table[{name!r}]"}, ())
            super().__getattr__(name)

    def with_fingerprints(self, stated: Mapping[str, Stated]) -> Table:
        """Return the same table with fingerprints."""
        return Table(self._columns, self.title, stated)

    def in_lines(self) -> Table:
        """Return the same table with the line ends in its texts as text.

        What is piped without a form is read in logs, line by line, and a log may obey a line.
        """

        def shown(cell: Any) -> Any:
            if isinstance(cell, tuple):
                return tuple(map(shown, cell))
            return without_line_ends(cell) if isinstance(cell, str) else cell

        columns = {
            without_line_ends(name): values if isinstance(values, np.ndarray) else list(map(shown, values))
            for name, values in self._columns.items()
        }
        return Table(columns, self.title, self.stated)

    def to_pandas(self) -> pd.DataFrame:
        """Return a pandas DataFrame (pandas must be installed)."""
        import pandas

        frame = pandas.DataFrame(self._columns)
        frame.attrs.update(self.stated)
        return frame

    def to_polars(self) -> pl.DataFrame:
        """Return a polars DataFrame (polars must be installed)."""
        import polars

        return polars.DataFrame(self._columns_as_lists())

    def to_arrow(self) -> Any:
        """Return a pyarrow Table (pyarrow must be installed; it has no types)."""
        import pyarrow

        table = pyarrow.table(self._columns_as_lists())
        if not self.stated:
            return table
        import json

        return table.replace_schema_metadata(
            {name: text if isinstance(text, str) else json.dumps(text) for name, text in self.stated.items()}
        )

    def _columns_as_lists(self) -> dict[str, Any]:
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

        A spreadsheet runs a text that begins like a formula (``=``, ``+``, ``-``, ``@``, also full-width, tab,
        line feed, carriage return): such a text gets an apostrophe before it. Numbers, and ids of letters, digits,
        ``-``, ``_`` and ``.`` after a sign, stay as they are. Delimited by tabs, the form for
        programs, every text stays as it is.

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

        return delimited(self._with_fingerprint_columns(), separator)

    def to_json(self) -> str:
        """Return the rows as a JSON array of objects; a missing number is null."""
        import json

        return json.dumps(self.rows(fingerprints=True), ensure_ascii=False)

    def rows(self, fingerprints: bool = False) -> list[dict[str, Any]]:
        """Return the rows as values JSON can contain; a missing number is None.

        Parameters
        ----------
        fingerprints
            Whether those of the measures are the last columns, as in `to_json`.
        """
        from idealrank.display.schema import plain_value

        columns = self._with_fingerprint_columns() if fingerprints else self.to_dict()
        plain = {name: map(plain_value, values) for name, values in columns.items()}
        return [dict(zip(plain, row, strict=True)) for row in zip(*plain.values(), strict=True)]

    def _with_fingerprint_columns(self) -> dict[str, list[Any]]:
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
        columns = [self._text_column(name, shown, least.get(name, 0)) for name in self.columns]
        first = min(shown, SHOWN_ROWS)  # a notebook shows no more
        rest = f"table[{first}:{min(2 * first, len(self))}] shows the next, table.to_pandas() has all"
        return Grid(columns, title, len(self) - shown, stated=self.stated, rest=rest)

    def _text_column(self, name: str, rows: int, least: int) -> TextColumn:
        numeric, values = self.numeric(name), self.array(name)[:rows].tolist()
        if name.endswith(_MILLISECONDS):
            return TextColumn(name, [milliseconds(math.nan if value is None else value) for value in values], numeric)
        decimals = max(least, places(values)) if name in _PLAIN and numeric else 4
        return TextColumn(name, [cell(value, decimals) for value in values], numeric)


def cell(value: Any, decimals: int = 4) -> str:
    """Write one cell: numbers to so many decimals, a missing one as a dash."""
    if value is None or (isinstance(value, float) and math.isnan(value)):
        return "–"
    if isinstance(value, float):
        return number_text(value, f".{decimals}f") if math.isfinite(value) else f"{value:.4f}".replace("-", "−")
    if type(value) is int:
        return number_text(value, "d")
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
    """Name the fingerprints of columns that contain a measure each.

    Examples
    --------
    >>> fingerprint_columns({"RR": "RR[ties=given]"})
    {'fingerprint of RR': 'RR[ties=given]'}
    """
    return {f"{OF_COLUMNS}{label}": text for label, text in prints.items()}


# Columns.


Stated = str | Sequence[str]
"""The fingerprint of all rows, or one of each."""


# Delimited text.


_FORMULA = r"[=\uff1d\t\r\n]|[-+@\uff0d\uff0b\uff20](?![\w.-]*\Z)"
"""How a text begins that a spreadsheet would run; a sign and one word, as in an id, calls nothing.

Some read the full-width forms of these signs as =, +, - and @, and go past a line end at the beginning.
"""


def delimited(columns: Mapping[str, Sequence[Any]], separator: str) -> str:
    r"""Write columns with a header; a text that a spreadsheet would run has an apostrophe before it, but for tabs.

    Examples
    --------
    >>> print(delimited({"doc": ["=1+1", "-5", "@a"], "n": [-1.5, 2.0, None]}, ","), end="")
    doc,n
    '=1+1,-1.5
    -5,2.0
    @a,
    """
    import csv

    out = io.StringIO()
    lines = SimpleNamespace(write=lambda line: out.write(f"{line[:-2]}\n"))
    writer = csv.writer(lines, delimiter=separator, lineterminator="\r\n")  # so that it quotes cells with either
    for row in (columns, *zip(*columns.values(), strict=True)):
        cells = map(_csv_cell, row)
        writer.writerow(cells if separator == "\t" else map(harmless, cells))
    return out.getvalue()


def _csv_cell(value: Any) -> Any:
    if value is None or (isinstance(value, float) and math.isnan(value)):
        return ""
    return " ".join(map(str, value)) if isinstance(value, (list, tuple, set, frozenset)) else value


def harmless(cell: Any) -> Any:
    r"""Return a cell that no spreadsheet runs: a text that it would run gets an apostrophe in front.

    Examples
    --------
    >>> harmless("=1+1"), harmless("-5"), harmless(-5)
    ("'=1+1", '-5', -5)
    >>> harmless("\n=1+1"), harmless("\uff1d1+1"), harmless("\uff0b1+1"), harmless("\uff0d5")
    ("'\n=1+1", "'\uff1d1+1", "'\uff0b1+1", '\uff0d5')
    """
    return f"'{cell}" if isinstance(cell, str) and re.match(_FORMULA, cell) else cell
