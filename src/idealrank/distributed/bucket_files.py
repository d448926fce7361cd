"""A table in bucket files: how its rows are divided by query, and how the rows of a few queries are read."""

from __future__ import annotations

import io
import math
import os
import tempfile
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import IO, Any

import numpy as np

from idealrank._core import (
    BadInput,
    Buckets,
    Frame,
    Piece,
    Splitter,
    column_names,
    from_columns,
    read_arrow,
    read_jsonl,
    read_trec,
    sniff,
)
from idealrank.arrays import Ints
from idealrank.data.formats import delimited
from idealrank.data.formats.folders import PartFile, path_or_content, stack_parts
from idealrank.data.formats.head import HEAD, DetectedFormat, Head, packing
from idealrank.data.formats.messages import bad_input
from idealrank.data.formats.reader import source_of_content
from idealrank.data.formats.sniff import detect_format
from idealrank.data.formats.source import Origin, Source
from idealrank.data.ids import id_text
from idealrank.data.roles import ChosenColumns, Roles, fold
from idealrank.data.row_numbers import document_candidates
from idealrank.errors import DataError, NoColumnError

# Tables whose files are divided into buckets, which are read one after the other.


@dataclass(frozen=True)
class DividedFile:
    """A file that is divided.

    Attributes
    ----------
    origin
        The file as it was when it was divided.
    contents
        For each bucket with rows, the piece of the file that they are, or the path of their copy.
    buckets
        The buckets it was copied to; None if nothing was copied.
    keys
        What else dividing it returned.
    """

    part: PartFile
    split: FileSplit
    origin: Origin
    buckets: Buckets | None
    contents: Mapping[int, str | Piece]
    keys: Sequence[str]

    def place(self, bucket: int, row: int) -> int:
        """Return the line or row in the file of a row of a bucket; for a copied row the file is read up to there."""
        line = self._frame(bucket).line(row)
        return self._line(bucket, line) if line else self._row(bucket, row)

    def read(self, bucket: int) -> Source:
        """Read the rows of a bucket; messages name the places in the file.

        Raises
        ------
        DataError
            If a row cannot be read, or the file has changed.
        """
        frame = self._frame(bucket)

        def whence(row: int) -> str:
            line = frame.line(row)
            return f"line {self._line(bucket, line)}" if line else f"row {self._row(bucket, row)}"

        source = source_of_content(self.split.form, frame, self.part.path, self.origin, whence)
        return replace(source, is_part=len(self.contents) > 1)

    def read_rows_of(self, queries: Collection[str], buckets: Sequence[int], folder: str) -> Source | None:
        """Read the rows of some queries out of their buckets, copied into a folder; None if there are none."""
        with tempfile.TemporaryDirectory(dir=folder) as place:
            chosen = QueryRows(self.split, self.keys, os.path.join(place, "rows"))
            for bucket in buckets:
                if bucket in self.contents:
                    chosen.add(self._frame(bucket), self.contents[bucket], queries)
            frame = chosen.read()
        return frame and replace(source_of_content(self.split.form, frame, self.part.path, self.origin), is_part=True)

    def _frame(self, bucket: int) -> Frame:
        content = self.contents[bucket]
        if isinstance(content, Piece):
            self._refuse_changed()
        try:
            return read_bucket(self.split, content, self.keys)
        except BadInput as bad:
            kind, line, *rest = bad.args
            raise bad_input(self.part.path, kind, self._line(bucket, line) if line else 0, *rest) from None
        except OSError:
            raise self._changed_error() from None

    def _refuse_changed(self) -> None:
        try:
            same = Origin.of(self.part.path) == self.origin
        except OSError:
            same = False
        if not same:
            raise self._changed_error()

    def _changed_error(self) -> DataError:
        return DataError(
            f"{self.part.path}: this file was changed or removed while it was evaluated. Evaluate again when nothing "
            "writes to it."
        )

    def _line(self, bucket: int, line: int) -> int:
        content = self.contents[bucket]
        return content.line(line) if isinstance(content, Piece) else self._place_in_file(bucket, line)

    def _row(self, bucket: int, row: int) -> int:
        content = self.contents[bucket]
        return content.row(row) if isinstance(content, Piece) else self._place_in_file(bucket, row)

    def _place_in_file(self, bucket: int, place: int) -> int:
        assert self.buckets is not None  # since it was copied
        return self.split.splitter.place(self.part.path, self.buckets, bucket, place)


@dataclass(frozen=True)
class BucketedTable:
    """A table of one file, or of several parts."""

    name: str
    files: Sequence[DividedFile]

    def has(self, bucket: int) -> bool:
        """Whether a bucket has rows."""
        return any(bucket in file.contents for file in self.files)

    def read(self, bucket: int) -> Source | None:
        """Read the rows of a bucket; None without rows."""
        return self._of([(file, file.read(bucket)) for file in self.files if bucket in file.contents])

    def place(self, bucket: int, row: int) -> tuple[int, int]:
        """Return which file a row of a bucket is in, and where in it: a pair that sorts as the rows of the table do."""
        for number, file in enumerate(self.files):
            if bucket not in file.contents:
                continue
            rows = file.read(bucket).frame.rows if len(self.files) > 1 else row + 1
            if row < rows:
                return number, file.place(bucket, row)
            row -= rows
        raise IndexError(row)

    def read_rows_of(self, queries: Collection[str], buckets: Sequence[int], folder: str) -> Source | None:
        """Read the rows of some queries out of their buckets; None without rows."""
        found = [(file, file.read_rows_of(queries, buckets, folder)) for file in self.files]
        return self._of([(file, source) for file, source in found if source is not None])

    def _of(self, found: Sequence[tuple[DividedFile, Source]]) -> Source | None:
        if not found:
            return None
        sources = [source for _, source in found]
        if self.files[0].part.path == self.name:
            return sources[0]
        return stack_parts(self.name, [file.part for file, _ in found], sources, len(self.files))


# The rows of some queries, copied out of their buckets: text as it is, so that it is read in the same way again.


@dataclass(frozen=True)
class QueryRows:
    """Copies rows of one file, bucket by bucket.

    Attributes
    ----------
    split, keys
        How the file was divided, and what dividing it returned.
    path
        The file that lines of text are copied to.
    columns
        The values of the rows of a file that is copied in columns.
    """

    split: FileSplit
    keys: Sequence[str]
    path: str
    columns: dict[str, list[Any]] = field(default_factory=dict)

    def add(self, frame: Frame, content: str | Piece, queries: Collection[str]) -> None:
        """Copy the rows of some queries.

        Parameters
        ----------
        frame, content
            What was read of a bucket, and what it was read from: a piece of a file, or a copy.
        """
        rows = _find_rows(frame, self.split.key_in(frame), queries)
        if len(rows) and self.split.columns:
            for place, name in enumerate(frame.names):
                self.columns.setdefault(name, []).extend(frame.column(place).to_list(rows))
        elif len(rows):
            self._copy(frame, content, rows)

    def _copy(self, frame: Frame, content: str | Piece, rows: Ints) -> None:
        """Copy the lines of rows; before the first of them, the lines above all rows, such as a header."""
        # Where the last row ends is not known, so that all lines after its first are copied with it.
        lines, last = set(_line_numbers(frame, rows)), frame.line(frame.rows - 1)
        above, below = 0 if os.path.exists(self.path) else frame.line(0) - 1, last if last in lines else math.inf
        with _open_content(content) as bucket, open(self.path, "ab") as some:
            for number, line in enumerate(bucket, 1):
                if number <= above or number in lines or number > below:
                    some.write(line if line.endswith(b"\n") else line + b"\n")

    def read(self) -> Frame | None:
        """Read the rows that were copied; None if there are none."""
        if self.columns:
            return from_columns(list(self.columns), list(self.columns.values()))
        return read_bucket(self.split, self.path, self.keys) if os.path.exists(self.path) else None


def _open_content(content: str | Piece) -> IO[bytes]:
    return open(content, "rb") if isinstance(content, str) else io.BytesIO(content.text())


def _find_rows(frame: Frame, key: int, queries: Collection[str]) -> Ints:
    code, names = Source("", frame).ids(key).codes()
    wanted = [place for place, name in enumerate(names.to_list()) if id_text(name) in queries]
    return np.flatnonzero(np.isin(code, wanted))


def _line_numbers(frame: Frame, rows: Ints) -> Iterator[int]:
    """Yield the lines of rows: each ends where the next begins; of the last row, only its first line is known."""
    for row in rows.tolist():
        begin = frame.line(row)
        yield from range(begin, frame.line(row + 1) if row + 1 < frame.rows else begin + 1)


# How the rows of a file are divided: by its form, and by the column that names the query.


_LINE_FORMS = ("trec-qrels", "trec-run", "run-of-five")
"""Formats whose lines begin with the query."""


@dataclass(frozen=True)
class FileSplit:
    """How the rows of a file are divided, and how its buckets are read: as the file is.

    Attributes
    ----------
    columns
        The columns of a Parquet or Arrow file; none for text, which is copied as it is.
    key
        The column of the query: its name, or its place.
    """

    form: DetectedFormat
    splitter: Splitter
    columns: tuple[str, ...] = ()
    key: str | int = 0

    def key_in(self, frame: Frame) -> int:
        """Return the place of the column of the query in what was read of a bucket."""
        return self.key if isinstance(self.key, int) else frame.names.index(self.key)


def find_split(path: str, chosen: ChosenColumns) -> FileSplit:
    """Find how to divide a file.

    Parameters
    ----------
    chosen
        The column of each role as the user named it.

    Raises
    ------
    DataError
        If the file cannot be divided by query; the message says what to do.
    """
    if isinstance(names := chosen.get("query"), tuple):
        raise DataError(
            f"{path}: queries named by several columns ({', '.join(names)}) cannot be divided into parts. Evaluate in "
            "memory, or write a column of both: one text per query."
        )
    file = path_or_content(path)
    if not isinstance(file, str):
        raise _undivided_error(path, "a pipe, which can be read only once", "Write it to a file.")
    if packed := packing(file):
        raise _undivided_error(path, f"{packed} data", "Unpack it, or compress it with gzip or zstd.")
    form = detect_format(Head(start := sniff(file, HEAD), path, lambda size: sniff(file, size)))
    if form.name in ("parquet", "arrow"):
        return _split_by_column(path, form, chosen)
    if form.name in _LINE_FORMS or (form.name == "headerless" and not form.delimiter):
        return FileSplit(form, Splitter.fields(form.comments))
    if form.name == "headerless":
        return FileSplit(form, Splitter.delimited(form.delimiter, 0, form.comments, headed=False))
    if form.name == "delimited":
        place = _query_column(Roles(path, delimited.read_header(Head(start, path), form), chosen))
        return FileSplit(form, Splitter.delimited(form.delimiter, place, form.comments), key=place)
    if form.name != "jsonl":
        raise _undivided_error(
            path, _UNDIVIDED_FORMS.get(form.name, "a document"), "Convert it first: idealrank convert."
        )
    found = read_jsonl(_whole_lines(start) or sniff(file, 1 << 20)).names
    key = found[_query_column(Roles(path, found, chosen))]
    return FileSplit(form, Splitter.objects(key), key=key)


_UNDIVIDED_FORMS = {
    "json": "JSON documents",
    "yaml": "YAML documents",
    "learning-to-rank": "learning-to-rank lines",
    "predictions": "predictions",
}


def _whole_lines(start: bytes) -> bytes:
    """Return the lines that are not cut off; all of a file that is shorter than its beginning."""
    return start if len(start) < HEAD else start[: start.rfind(b"\n") + 1]


def _split_by_column(path: str, form: DetectedFormat, chosen: ChosenColumns) -> FileSplit:
    found = column_names(path)
    key = found[_query_column(Roles(path, found, chosen))]
    return FileSplit(form, Splitter.table(key, found), tuple(found), key)


def _query_column(roles: Roles) -> int:
    """Return the column that tells queries apart."""
    if roles.find_query_id() is not None or (key := roles.key) is None:
        raise NoColumnError(
            f"{roles.source}: which column is the query must be said when files are evaluated in parts. "
            f"{roles.columns}. Name it: {roles.suggest_naming('query')}."
        )
    doc = roles.find("doc")
    if (
        doc is not None
        and "doc" not in roles.chosen
        and fold(roles.names[doc]) == "id"
        and any(document_candidates(roles))
    ):
        other = roles.names[[*document_candidates(roles)[0], *document_candidates(roles)[1]][0]]
        raise NoColumnError(
            f"{roles.source}: id may count the rows, and {other} may be the document, which must be said when files "
            f"are evaluated in parts. {roles.columns}. Name the document: {roles.suggest_naming_as('doc', other)}, or "
            f"{roles.suggest_naming_as('doc', 'id')}."
        )
    return key


def _undivided_error(path: str, what: str, way: str) -> DataError:
    return DataError(f"{path}: {what}, which cannot be evaluated in parts that fit in memory. {way}")


def read_bucket(split: FileSplit, content: str | Piece, keys: Sequence[str]) -> Frame:
    """Read a bucket as its file is read: a piece of that file, or a copy; `keys` are what dividing it returned."""
    if split.columns and isinstance(content, str):
        return read_arrow(content)
    if split.form.name == "trec-qrels":
        return read_trec(content, "qrels", iteration=len(keys) > 1)
    read = split.form.read(content, None)
    assert isinstance(read, Frame)  # other forms are not divided
    return read.padded(keys) if split.form.name == "jsonl" else read
