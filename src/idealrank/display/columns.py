"""Columns of equal length, immutable: read by column, by row, or in part."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, Self, overload

import numpy as np

from idealrank.display.document import Shown
from idealrank.errors import unknown

Stated = str | Sequence[str]
"""The fingerprint of all rows, or one of each."""


class Columns(Shown):
    """Named columns of equal length with the fingerprints of the measures in them: what `Table` reads and writes."""

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
            return {name: _plain(values[row : row + 1])[0] for name, values in self._columns.items()}
        if isinstance(key, list):
            return type(self)({name: self._column_of(name) for name in key}, self.title, self.stated)
        return _plain(self._column_of(key))

    def _column_of(self, name: str) -> Any:
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
            self._column_of(name)
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
        return type(self)({name: _taken(values, picked) for name, values in self._columns.items()}, self.title, stated)

    def to_dict(self) -> dict[str, list[Any]]:
        """Return ``{column: values}`` of plain Python values."""
        return {name: _plain(values) for name, values in self._columns.items()}


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
