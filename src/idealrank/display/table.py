"""The one table type every function returns: immutable columns that any dataframe library can take."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any, NoReturn

import numpy as np

from idealrank.display.amounts import milliseconds
from idealrank.display.blocks import SHOWN_ROWS, Block, Grid
from idealrank.display.columns import Columns, Stated
from idealrank.display.grid import Column
from idealrank.display.numbers import number_text, places, plain_value
from idealrank.errors import UsageError, without_line_ends

if TYPE_CHECKING:
    import pandas as pd
    import polars as pl

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
    }.items()
}
"""What people ask of a dataframe, and pandas does."""


class Table(Columns):
    """An immutable table: named columns of equal length.

    Columns are float64 or int64 arrays, or lists of text (None where missing) or of tuples of
    text. Iterating gives rows as dicts; ``table["column"]`` gives a column as a list, ``table[0]`` a row as a dict
    and ``table[:5]`` a table of some rows.

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

    _internal = frozenset({"array", "grid", "numeric", "in_lines", "rows", "shown", "stating"})
    _instead = _PANDAS

    if not TYPE_CHECKING:  # a type checker is to find the parentheses

        def __call__(self, *_: object, **__: object) -> NoReturn:
            """Refuse to be called: people write scores.per_query() for scores.per_query."""
            first = self.columns[-1] if self.columns else "query"
            raise UsageError(
                "A table is not a function: leave out the parentheses, as in scores.per_query, "
                f"scores.per_query[{first!r}] or scores.per_query.to_pandas()."
            )

    def stating(self, stated: Mapping[str, Stated]) -> Table:
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

        return polars.DataFrame(self._listed())

    def to_arrow(self) -> Any:
        """Return a pyarrow Table (pyarrow must be installed; it has no types)."""
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
        from idealrank.display.delimited import delimited

        return delimited(self._exported(), separator)

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
        if name.endswith(_MILLISECONDS):
            return Column(name, [milliseconds(math.nan if value is None else value) for value in values], numeric)
        decimals = max(least, places(values)) if name in _PLAIN and numeric else 4
        return Column(name, [cell(value, decimals) for value in values], numeric)


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
