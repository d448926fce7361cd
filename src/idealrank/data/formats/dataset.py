"""Folders that are one table: the parts that Spark, DuckDB, polars or Dask write, and hive partitions.

A folder is one table if its files are numbered parts, if the job that wrote it left its marks, or if a folder in it is
called like a column and its value, as in ``day=2026-11-20``. Any other folder contains a file per system.
"""

from __future__ import annotations

import bisect
import glob
import itertools
import os
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from urllib.parse import unquote

from idealrank._core import BadInput, stacked
from idealrank.data.formats.source import Source
from idealrank.errors import DataError, plural

_PART = re.compile(r"part[-_.]?\d+\b.*", re.I)
"""A numbered part, as ``part-00000-….snappy.parquet`` of Spark and ``part.0.parquet`` of Dask."""

_NUMBERED = re.compile(r"(?:data[-_.]?|file[-_.]?|chunk[-_.]?)?\d+(?:[-_]\d+)*\.(?:\w+\.)?parquet", re.I)
"""A numbered part in Parquet, as ``data_0.parquet`` of DuckDB and ``000000000000.parquet`` of BigQuery."""

_MARKS = re.compile(r"_SUCCESS|_committed_.*|_started_.*|_metadata|_common_metadata", re.S)
"""Files that the job which wrote a table leaves in its folder."""

_PARTITION = re.compile(r"([^=/]+)=(.*)", re.S)
_MISSING = "__HIVE_DEFAULT_PARTITION__"
_PATTERN = re.compile(r"[*?\[]")


@dataclass(frozen=True)
class Part:
    """A file of a table, and the columns that the names of its folders give."""

    path: str
    partition: tuple[tuple[str, str | None], ...] = ()


def is_dataset(path: str) -> bool:
    """Whether a path is a folder, or a quoted pattern of files, that is one table.

    Raises
    ------
    DataError
        If it is a Delta or an Iceberg table.
    """
    if os.path.isdir(path):
        refuse_lakes(path)
        return _is_table(path, sorted(os.listdir(path)))
    return len(files := matching(path)) > 1 and _are_parts(list(map(os.path.basename, files)))


def _is_table(folder: str, names: Sequence[str]) -> bool:
    if any(map(_MARKS.fullmatch, names)):
        return True
    names = [name for name in names if not _is_hidden(name)]
    if any(_PARTITION.fullmatch(name) and os.path.isdir(os.path.join(folder, name)) for name in names):
        return True
    return _are_parts([name for name in names if os.path.isfile(os.path.join(folder, name))])


def _are_parts(names: Sequence[str]) -> bool:
    return bool(names) and any(all(map(pattern.fullmatch, names)) for pattern in (_PART, _NUMBERED))


def refuse_lakes(folder: str) -> None:
    """Refuse tables whose folder also contains files of earlier versions.

    Raises
    ------
    DataError
        If it is a Delta or an Iceberg table; the message says how to read it.
    """
    if os.path.isdir(os.path.join(folder, "_delta_log")):
        what, way = "a Delta table", f"deltalake.DeltaTable({folder!r}).to_pyarrow_table()"
    elif glob.glob(os.path.join(glob.escape(folder), "metadata", "*.metadata.json")):
        what, way = "an Iceberg table", "pyiceberg's table.scan().to_arrow()"
    else:
        return
    raise DataError(
        f"{folder}: {what}, whose files include rows of earlier versions, so they are not read one by one. Read the "
        f"table in Python and pass it: {way}; or give the Spark DataFrame to idealrank.distributed.spark."
    )


def matching(path: str) -> list[str]:
    """Return the files that a pattern such as ``results/*.parquet`` matches; none if a file has that very name."""
    if not _PATTERN.search(path) or os.path.lexists(path):
        return []
    return [file for file in sorted(glob.glob(path, recursive=True)) if os.path.isfile(file)]


def folder_of(path: str) -> str:
    """Return the folder that a pattern of files looks into; any other path is returned as it is."""
    if matching(path):
        while _PATTERN.search(path):
            path = os.path.dirname(path)
    return path


def parts_at(path: str) -> list[Part]:
    """Return the parts of a path that is one table, or else the file that it is."""
    return parts_of(path) if is_dataset(path) or matching(path) else [Part(path)]


def parts_of(path: str) -> list[Part]:
    """Return the files of a table in the order of their names, and the columns that their folders give.

    Raises
    ------
    DataError
        If there is none, or some are in folders that name other columns.
    """
    parts = [Part(file, _below(folder_of(path), file)) for file in matching(path)] or list(_within(path, ()))
    if not parts:
        raise DataError(f"{path}: this folder contains no rows, only the marks of the job that wrote it. Run it again.")
    for part in parts:
        if [name for name, _ in part.partition] != [name for name, _ in parts[0].partition]:
            raise DataError(
                f"{part.path}: this folder is not partitioned like that of {parts[0].path}. All files of a table must "
                "be in folders of the same names, such as system=…/day=…. Move the file, or give one of the folders."
            )
    return parts


def _below(folder: str, file: str) -> tuple[tuple[str, str | None], ...]:
    """Return the columns that the folders between a folder and a file give."""
    between = os.path.dirname(os.path.relpath(file, folder or ".")).split(os.sep)
    return tuple(itertools.chain.from_iterable(map(_column, between)))


def _within(folder: str, partition: tuple[tuple[str, str | None], ...]) -> Iterator[Part]:
    for name in sorted(os.listdir(folder)):
        path = os.path.join(folder, name)
        if _is_hidden(name):
            continue
        if os.path.isdir(path):
            yield from _within(path, (*partition, *_column(name)))
        elif os.path.getsize(path):
            yield Part(path, partition)


def _is_hidden(name: str) -> bool:
    """Whether Spark passes over a file: it is a mark or a checksum."""
    return name.startswith((".", "_")) and "=" not in name


def _column(name: str) -> Iterator[tuple[str, str | None]]:
    if found := _PARTITION.fullmatch(name):
        yield unquote(found[1]), None if found[2] == _MISSING else unquote(found[2])


def read_dataset(path: str, read: Callable[[str], Source]) -> Source:
    """Read a folder of parts as one table.

    Parameters
    ----------
    read
        Reads one of its files.

    Raises
    ------
    DataError
        If a part has other columns than the first, or values that do not go with those of the others.
    """
    parts = parts_of(path)
    return below(path, parts, [read(part.path) for part in parts])


def below(name: str, parts: Sequence[Part], sources: Sequence[Source], many: int = 0) -> Source:
    """Return one table of the rows of several parts, each of which knows where its rows are.

    Parameters
    ----------
    many
        How many parts the table has, if these are some of them.
    """
    try:
        frame = stacked([source.frame for source in sources], [part.partition for part in parts])
    except BadInput as bad:
        raise _refused(bad, sources) from None
    starts = [0, *itertools.accumulate(source.frame.rows for source in sources)]

    def whence(row: int) -> str:
        place = bisect.bisect_right(starts, row) - 1
        return f"({sources[place].place(row - starts[place])})"

    keys = ", ".join(key for key, _ in parts[0].partition)
    note = f"one table of {plural(many or len(parts), 'part')}" + (f", columns by folder: {keys}" if keys else "")
    return Source(
        name,
        frame,
        notes=(note,),
        form=sources[0].form,
        whence=whence,
        is_part=any(source.is_part for source in sources),
    )


def refuse_other_columns(columns: Mapping[str, Sequence[str]]) -> None:
    """Refuse parts without a column of the first.

    Parameters
    ----------
    columns
        By path of a part, the names of its columns.

    Raises
    ------
    DataError
        With the part and the column.
    """
    first = next(iter(columns))
    for path, names in columns.items():
        for name in columns[first]:
            if name not in names:
                raise _no_column(path, name, first)


def _no_column(part: str, column: str, first: str) -> DataError:
    return DataError(
        f"{part}: no column {column!r}, which {first} has. All parts of a table must have the same columns. Write the "
        "part again, or read the table in Python and pass it."
    )


def _refused(bad: BadInput, sources: Sequence[Source]) -> DataError:
    kind, place, column, _, detail = bad.args
    if kind == "no_column":
        return _no_column(sources[place].name, column, sources[0].name)
    return DataError(
        f"{sources[place].name}: the values of {column!r} are of another type than in other parts ({detail}), and "
        "do not go together. Write the part again with the type of the others."
    )
