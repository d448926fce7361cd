"""Data already in Python: dataframes, dicts of columns, dicts of dicts, lists of rows."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from idealrank.errors import DataError

if TYPE_CHECKING:
    from idealrank._core import Frame


def frame_of(data: Any, source: str) -> Frame:
    """Turn any table-like object into a frame, without copies where the object speaks Arrow.

    Raises
    ------
    DataError
        If the object is none of the accepted forms.
    """
    from idealrank import _core

    if isinstance(data, Mapping):
        return _from_mapping(data, source)
    if type(data).__module__.partition(".")[0] == "pandas":
        return _from_pandas(data)
    if hasattr(data, "__arrow_c_stream__"):
        return _core.from_arrow(data)
    for method in ("to_arrow_table", "arrow", "fetch_arrow_table"):  # DuckDB relations, by version
        if hasattr(data, method) and hasattr(table := getattr(data, method)(), "__arrow_c_stream__"):
            return _core.from_arrow(table)
    if isinstance(data, Iterable) and not isinstance(data, (str, bytes)):
        return _from_rows(list(data), source)
    raise DataError(
        f"{source}: {type(data).__name__} is no table. Give a path, a dataframe (pandas, polars, pyarrow, DuckDB), "
        "a dict of columns, a dict of dicts, or a list of rows."
    )


def _from_mapping(data: Mapping[Any, Any], source: str) -> Frame:
    from idealrank import _core

    if not data:
        raise DataError(f"{source}: empty. Give at least one judgment or result.")
    values = list(data.values())
    if all(isinstance(value, Mapping) for value in values):
        return _core.from_dicts(data)
    if any(isinstance(value, (str, bytes, Mapping)) or not isinstance(value, Iterable) for value in values):
        raise DataError(
            f"{source}: this dict is neither a dict of columns {{name: [values]}} nor a dict of dicts "
            "{query: {document: number}}."
        )
    columns = [value if hasattr(value, "dtype") else list(value) for value in values]
    lengths = {str(name): len(column) for name, column in zip(data, columns, strict=True)}
    if len(set(lengths.values())) > 1:
        raise DataError(f"{source}: the columns differ in length: {lengths}. Give every column one value per row.")
    return _core.from_columns([str(name) for name in data], columns)


def _from_pandas(data: Any) -> Frame:
    from idealrank import _core

    if any("pyarrow" in str(dtype) or str(dtype) in ("string", "str") for dtype in data.dtypes):
        try:
            return _core.from_arrow(data)
        except (ImportError, ValueError, TypeError):  # no pyarrow, or a column Arrow cannot hold
            pass
    flat = data if set(data.index.names) == {None} else data.reset_index()
    return _core.from_columns(
        [str(name) for name in flat.columns], [flat.iloc[:, i].to_numpy() for i in range(flat.shape[1])]
    )


def _from_rows(rows: Sequence[Any], source: str) -> Frame:
    from idealrank import _core

    if not rows:
        raise DataError(f"{source}: empty. Give at least one judgment or result.")
    records = [row._asdict() if hasattr(row, "_asdict") else row for row in rows]
    for place, record in enumerate(records):
        if not isinstance(record, Mapping):
            raise DataError(f"{source} row {place}: {record!r} is no row. Give dicts or named tuples.")
    names = list(dict.fromkeys(str(name) for record in records for name in record))
    return _core.from_columns(names, [[record.get(name) for record in records] for name in names])
