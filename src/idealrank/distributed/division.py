"""Divides files by query with DuckDB; the rows of some queries are read as their file is read.

DuckDB keeps the rows in a temporary file, in the order of the parts, and spills what does not fit in the memory that it
may use; polars' streaming engine has no such limit. Text stays as it is, record by record, so that the reader of the
whole file reads the rows of a part, and finds what is wrong with them.
"""

from __future__ import annotations

import bisect
import contextlib
import functools
import os
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

from idealrank._core import (
    BadInput,
    Frame,
    Progress,
    Splitter,
    column_names,
    from_arrow,
    query_hash,
    read_jsonl,
    read_trec,
    sniff,
)
from idealrank.data.formats import delimited
from idealrank.data.formats.folders import (
    PartFile,
    list_files,
    parts_at,
    path_or_content,
    refuse_other_columns,
    stack_parts,
)
from idealrank.data.formats.head import HEAD, DetectedFormat, Head, packing
from idealrank.data.formats.messages import bad_input
from idealrank.data.formats.reader import detect_file, file_columns, source_of_content
from idealrank.data.formats.sniff import detect_format
from idealrank.data.formats.source import Origin, Source
from idealrank.data.roles import KNOWN, ChosenColumns, Roles, fold
from idealrank.data.table_checks import document_candidates
from idealrank.display.numbers import percent
from idealrank.distributed.memory import disk_full_error, temporary_folder, unpacked_size
from idealrank.errors import DataError, NoColumnError, UsageError, either, listed

# The rows of a few queries, of a file and of a table of several files.


class CopiedLines(NamedTuple):
    """Where text was copied from: the line of the part and of the file with which each copied text begins."""

    here: list[int]
    there: list[int]

    def line(self, line: int) -> int:
        """Return the line of the file that a line of the part is."""
        place = bisect.bisect_right(self.here, line) - 1
        return line if place < 0 else self.there[place] + line - self.here[place]


@dataclass(frozen=True)
class DividedFile:
    """A file that is divided.

    Attributes
    ----------
    origin
        The file as it was when it was divided.
    start, names
        The text above all records; what dividing it returned, such as the keys of all objects.
    engine, table
        The connection to DuckDB, and the name of the table there.
    parts
        The parts that have rows.
    """

    part: PartFile
    split: FileSplit
    origin: Origin
    start: bytes
    names: Sequence[str]
    engine: Any
    table: str
    parts: frozenset[int]

    def read(self, where: str) -> Source | None:
        """Read some rows; None if there are none. Messages name the places in the file.

        Raises
        ------
        DataError
            If a row cannot be read.
        """
        if self.split.columns:
            return self._columns(where)
        if (found := self._text(where)) is None:
            return None
        frame, lines = found
        return self._source(frame, lambda row: f"line {lines.line(frame.line(row))}")

    def _text(self, where: str) -> tuple[Frame, CopiedLines] | None:
        texts, lines, at = [self.start], CopiedLines([], []), self.start.count(b"\n") + 1
        found = self.engine.cursor().execute(self._select("row, text", where))
        while rows := found.fetchmany(10_000):
            for line, text in rows:
                lines.here.append(at)
                lines.there.append(line)
                texts.append(text)
                at += text.count(b"\n")
        if not lines.here:
            return None
        try:
            frame = self.split.read(b"".join(texts), self.names)
        except BadInput as bad:
            kind, line, *rest = bad.args
            raise bad_input(self.part.path, kind, lines.line(line) if line else 0, *rest) from None
        return frame, lines

    def _columns(self, where: str) -> Source | None:
        columns = ", ".join(f"c{place} as {_quoted(name)}" for place, name in enumerate(self.split.columns))
        # Of a cursor of its own: a connection with a result that was not read to its end answers nothing else.
        frame = from_arrow(self.engine.cursor().sql(self._select(columns, where)))
        return self._source(frame, lambda row: f"row {self.place(where, row)}") if frame.rows else None

    def _source(self, frame: Frame, whence: Callable[[int], str]) -> Source:
        source = source_of_content(self.split.form, frame, self.part.path, self.origin, whence)
        return replace(source, is_part=len(self.parts) > 1)

    def place(self, where: str, row: int) -> int:
        """Return the line or row in the file of one of the rows that were read."""
        if not self.split.columns:
            found = self._text(where)
            assert found is not None
            frame, lines = found
            return lines.line(frame.line(row))
        ((place,),) = self.engine.execute(f"{self._select('row', where)} limit 1 offset {row}").fetchall()
        return int(place)

    def _select(self, what: str, where: str) -> str:
        return f"select {what} from {self.table} where {where} order by row"


def _quoted(name: str) -> str:
    return '"' + name.replace('"', '""') + '"'


@dataclass(frozen=True)
class DividedTable:
    """A table of one file, or of several."""

    name: str
    files: Sequence[DividedFile]

    @functools.cached_property
    def parts(self) -> frozenset[int]:
        """The parts that have rows."""
        return frozenset[int]().union(*(file.parts for file in self.files))

    def part(self, number: int) -> Source | None:
        """Read the rows of a part; None without any."""
        return self.read(f"part = {number}")

    def first_part(self) -> Source:
        """Read the first part that has rows.

        Raises
        ------
        DataError
            If none has.
        """
        if not self.parts or (found := self.part(min(self.parts))) is None:
            raise DataError(f"{self.name}: there are columns but no rows. Give at least one judgment or result.")
        return found

    def read(self, where: str) -> Source | None:
        """Read some rows; None if there are none."""
        found = [(file.part, source) for file in self.files if (source := file.read(where)) is not None]
        if not found or self.files[0].part.path == self.name:
            return found[0][1] if found else None
        return stack_parts(self.name, [part for part, _ in found], [source for _, source in found], len(self.files))

    def place(self, part: int, row: int) -> tuple[int, int]:
        """Return which file a row of a part is in, and where in it: pairs sort as the rows of the table do."""
        where = f"part = {part}"
        for number, file in enumerate(self.files):
            source = file.read(where)
            if source is not None and row < source.frame.rows:
                return number, file.place(where, row)
            row -= 0 if source is None else source.frame.rows
        raise IndexError(row)


# Files divided by query into parts, which are read one after the other.


class Bucket(NamedTuple):
    """All rows of some queries, read: of the judgments, and of each table of results; None without rows."""

    judgments: Source | None
    results: list[Source | None]


@dataclass(frozen=True)
class Partition:
    """Files divided by query; iterating reads one part after the other."""

    count: int
    judgments: DividedTable
    results: Sequence[DividedTable]

    def __len__(self) -> int:
        return self.count

    def __iter__(self) -> Iterator[Bucket]:
        return map(self.bucket, range(self.count))

    def bucket(self, number: int) -> Bucket:
        """Read a part.

        Raises
        ------
        DataError
            If a row cannot be read; the message names its line in the original file.
        """
        return self._read(f"part = {number}")

    def read_rows_of(self, queries: Collection[str]) -> Bucket:
        """Read the rows of some queries, and perhaps of others."""
        hashes = [query_hash(query) for query in queries]
        parts = {each % self.count for each in hashes}
        return self._read(f"part in ({_listed(parts)}) and query in ({_listed(hashes)})" if hashes else "false")

    def _read(self, where: str) -> Bucket:
        return Bucket(self.judgments.read(where), [table.read(where) for table in self.results])


def _listed(numbers: Collection[int]) -> str:
    return ", ".join(map(str, numbers))


StepProgress = Callable[[str, Progress], contextlib.AbstractContextManager[object]]
"""Shows how far a step is, given its name, such as "dividing run.csv", and a counter."""

MEMORY = 1_000_000_000
"""Bytes of memory where nobody says how much there is."""

DIVIDING, READING = 0.4, 0.1
"""Shares of the memory that DuckDB uses while it divides, and later."""

LEAST = 64_000_000
"""Bytes without which DuckDB cannot sort rows, however little memory was named."""


@contextlib.contextmanager
def divide_files(
    judgments: str,
    results: Sequence[str],
    count: int,
    *,
    memory: int = MEMORY,
    folder: str | None = None,
    judgment_columns: ChosenColumns | None = None,
    result_columns: ChosenColumns | None = None,
    step_progress: StepProgress | None = None,
) -> Iterator[Partition]:
    """Divide files by query into parts, which lie in a temporary folder that is removed at the end.

    Parameters
    ----------
    judgments, results
        Paths of files, of folders of parts, or patterns.
    count
        The number of parts.
    memory
        Bytes of memory of which DuckDB uses a share.
    folder
        Where the temporary folder is made; None for ``TMPDIR``.
    judgment_columns, result_columns
        The column of each role, where it was named; that of the query must be found without reading all rows.
    step_progress
        Shows how far each file is divided.

    Raises
    ------
    DataError
        If a file cannot be divided, or the disk is full.
    UsageError
        If DuckDB is not installed.
    """
    planned = [
        (path, [(part, _find_split(part.path, columns)) for part in _parts_of(path, columns)])
        for path, columns in ((judgments, judgment_columns or {}), *((path, result_columns or {}) for path in results))
    ]
    with contextlib.ExitStack() as opened:
        place, paths = opened.enter_context(temporary_folder(folder)), [judgments, *results]
        with _explain_limits(place, paths):
            engine = opened.enter_context(contextlib.closing(_connect(place, memory)))
            tables = []
            for number, (path, files) in enumerate(planned):
                divided = [
                    _divide(engine, f"t{number}_{n}", part, split, count, step_progress)
                    for n, (part, split) in enumerate(files)
                ]
                tables.append(DividedTable(path, divided))
        engine.execute(f"set memory_limit = '{max(LEAST, int(READING * memory))}B'")
        yield Partition(count, tables[0], tables[1:])


def _connect(folder: str, memory: int) -> Any:
    try:
        import duckdb
    except ImportError:
        raise UsageError(
            "Files that do not fit in memory are divided by DuckDB, which is not installed. Install it: "
            "pip install 'idealrank[large]'. Or give a --memory in which they fit at once."
        ) from None
    limits: dict[str, Any] = {"memory_limit": f"{max(LEAST, int(DIVIDING * memory))}B", "temp_directory": folder}
    return duckdb.connect(os.path.join(folder, "rows.duckdb"), config=limits)


def _divide(
    engine: Any, table: str, part: PartFile, split: FileSplit, count: int, step_progress: StepProgress | None
) -> DividedFile:
    import duckdb

    progress, origin = Progress(), Origin.of(part.path)
    shown = step_progress(f"dividing {os.path.basename(part.path)}", progress) if step_progress else None
    with shown or contextlib.nullcontext(), _explain_unreadable(part.path):
        rows = split.splitter.rows(part.path, progress)
        engine.register("rows_of_file", rows)
        try:
            engine.execute(
                f"create table {table} as select cast(query % {count} as integer) as part, * from rows_of_file "
                "order by part, row"
            )
        except duckdb.NotImplementedException as error:
            raise _undivided_error(part.path, f"columns of a type that DuckDB does not have ({error})", "") from None
        names = rows.names()
    found = engine.execute(f"select distinct part from {table}").fetchall()
    return DividedFile(part, split, origin, rows.start, names, engine, table, frozenset(number for (number,) in found))


_FULL = ("No space left", "max_temp_directory_size", "File too large", "Disk quota exceeded")
"""What errors say of a disk that is full, or of a limit."""


@contextlib.contextmanager
def _explain_limits(folder: str, paths: Sequence[str]) -> Iterator[None]:
    """Turn the engine's errors on a full disk and too little memory into ones that say what to do."""
    try:
        yield
    except Exception as error:  # DuckDB has a class for each kind, and the same text for a full disk
        if any(sign in str(error) for sign in _FULL):
            raise disk_full_error(folder, sum(map(unpacked_size, list_files(paths)))) from None
        if type(error).__name__ != "OutOfMemoryException":
            raise
        raise UsageError(
            f"{listed(paths)}: DuckDB cannot divide them within {percent(DIVIDING)} of the memory. Name more: "
            f"{either('memory=…', '--memory 2GB')}."
        ) from None


@contextlib.contextmanager
def _explain_unreadable(path: str) -> Iterator[None]:
    """Turn the core's error on an unreadable file into one that says what is wrong with it."""
    try:
        yield
    except BadInput as bad:
        raise bad_input(path, *bad.args) from None
    except OSError as error:
        raise DataError(f"{path}: cannot be read: {error.strerror or error}.") from None


def _parts_of(path: str, columns: ChosenColumns) -> Sequence[PartFile]:
    """Return the files of a table, which have the same columns."""
    parts = parts_at(path)
    if len(parts) > 1:
        refuse_other_columns({part.path: _known_columns(part, columns) for part in parts})
    return parts


def _known_columns(part: PartFile, chosen: ChosenColumns) -> Sequence[str]:
    """Return the columns of a part, which may have no rows, that are named or say what is in them."""
    by_column = detect_file(part.path).name in ("parquet", "arrow")
    names = column_names(part.path) if by_column else file_columns(part.path, "results")
    return [name for name in names if fold(name) in KNOWN or name in chosen.values()]


# How the rows of a file are divided: by its form, and by the column that names the query.


_LINE_FORMS = ("trec-qrels", "trec-run", "run-of-five")
"""Formats whose lines begin with the query."""


@dataclass(frozen=True)
class FileSplit:
    """How the rows of a file are divided, and how those of a part are read: as the file is.

    Attributes
    ----------
    columns
        The columns of a Parquet or Arrow file; none for text, which is copied as it is.
    """

    form: DetectedFormat
    splitter: Splitter
    columns: tuple[str, ...] = ()

    def read(self, text: bytes, names: Sequence[str]) -> Frame:
        """Read text of a part as its file is read; `names` are what dividing it returned."""
        if self.form.name == "trec-qrels":
            return read_trec(text, "qrels", iteration=len(names) > 1)
        read = self.form.read(text, None)
        assert isinstance(read, Frame)  # other forms are not divided
        return read.padded(names) if self.form.name == "jsonl" else read


def _find_split(path: str, chosen: ChosenColumns) -> FileSplit:
    with _explain_unreadable(path):
        return find_split(path, chosen)


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
        return FileSplit(form, Splitter.delimited(form.delimiter, place, form.comments))
    if form.name != "jsonl":
        raise _undivided_error(
            path, _UNDIVIDED_FORMS.get(form.name, "a document"), "Convert it first: idealrank convert."
        )
    found = read_jsonl(_whole_lines(start) or sniff(file, 1 << 20)).names
    return FileSplit(form, Splitter.objects(found[_query_column(Roles(path, found, chosen))]))


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
    return FileSplit(form, Splitter.table(found[_query_column(Roles(path, found, chosen))]), tuple(found))


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
