"""Divides files into buckets by query: files in the order of the buckets are read in place, others are copied."""

from __future__ import annotations

import contextlib
import itertools
import math
import os
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass

from idealrank._core import BadInput, Buckets, Piece, Progress, column_names
from idealrank.data.formats.folders import PartFile, list_files, parts_at, refuse_other_columns
from idealrank.data.formats.messages import bad_input
from idealrank.data.formats.reader import detect_file, file_columns
from idealrank.data.formats.source import Origin, Source
from idealrank.data.roles import KNOWN, ChosenColumns, fold
from idealrank.distributed.bucket_files import BucketedTable, DividedFile, FileSplit, find_split
from idealrank.distributed.memory import FULL, disk_full_error, temporary_folder, unpacked_size
from idealrank.errors import DataError

# Files divided by query into buckets, which are read one after the other.


@dataclass(frozen=True)
class Bucket:
    """All rows of some queries, read.

    Attributes
    ----------
    judgments
        What `read_judgments` takes; None without rows.
    results
        For each path of results what `read_results` takes; None without rows.
    """

    judgments: Source | None
    results: Mapping[str, Source | None]


@dataclass(frozen=True)
class Partition:
    """Files divided by query; iterating reads one bucket after the other."""

    count: int
    folder: str
    _judgments: BucketedTable
    _results: Mapping[str, BucketedTable]

    def __len__(self) -> int:
        return self.count

    def __iter__(self) -> Iterator[Bucket]:
        return map(self.bucket, range(self.count))

    def judgments(self, number: int) -> Source | None:
        """Read the judgments of a bucket; None without rows."""
        return self._judgments.read(number)

    def is_in_every_bucket(self, path: str) -> bool:
        """Whether every bucket has results of a path."""
        return all(map(self._results[path].has, range(self.count)))

    def first_results(self, path: str) -> Source | None:
        """Read the results of the first bucket that has some; None if none has."""
        return next((found for number in range(self.count) if (found := self._results[path].read(number))), None)

    def bucket(self, number: int) -> Bucket:
        """Read a bucket.

        Raises
        ------
        DataError
            If a row cannot be read; the message names its line in the original file.
        """
        return self._bucket(lambda table: table.read(number))

    def place(self, path: str, number: int, row: int) -> tuple[int, int]:
        """Return where a row of a bucket stands in the results of a path: which file, and which row of it."""
        return self._results[path].place(number, row)

    def read_rows_of(self, queries: Collection[str], buckets: Sequence[int]) -> Bucket:
        """Read the rows of some queries, which are in some buckets: one bucket is in memory at a time."""
        return self._bucket(lambda table: table.read_rows_of(queries, buckets, self.folder))

    def _bucket(self, read: Callable[[BucketedTable], Source | None]) -> Bucket:
        return Bucket(read(self._judgments), {path: read(table) for path, table in self._results.items()})


@contextlib.contextmanager
def divide_files(
    judgments: str,
    results: Sequence[str],
    count: int,
    *,
    folder: str | None = None,
    judgment_columns: ChosenColumns | None = None,
    result_columns: ChosenColumns | None = None,
    step_progress: StepProgress | None = None,
) -> Iterator[Partition]:
    """Divide files by query into buckets; rows that have to be copied are in a temporary folder, removed at the end.

    Parameters
    ----------
    judgments, results
        Paths of files, of folders of parts, or quoted patterns of parts.
    count
        Number of buckets.
    folder
        Where the temporary folder is made; None for ``TMPDIR``.
    judgment_columns, result_columns
        The column of each role, where it was named; that of the query must be found without reading all rows.
    told
        Shows how far each file is read and divided.

    Raises
    ------
    DataError
        If a file cannot be divided, or the disk is full.
    """
    with temporary_folder(folder) as place:
        with _explain_full_disk(place, [judgments, *results]):
            tables = [
                undivided_table(judgments, judgment_columns or {}),
                *(undivided_table(path, result_columns or {}) for path in results),
            ]
            judged, *returned = divide_tables(tables, count, place, step_progress)
        yield Partition(count, place, judged, dict(zip(results, returned, strict=True)))


@contextlib.contextmanager
def _explain_full_disk(folder: str, paths: Sequence[str]) -> Iterator[None]:
    """Turn the core's error on a full disk into one that says what to do."""
    try:
        yield
    except BadInput as bad:
        kind, _, _, reason, number = bad.args
        if kind != "unwritable":
            raise
        if int(number) in FULL:
            raise disk_full_error(folder, sum(map(unpacked_size, list_files(paths)))) from None
        raise DataError(f"{folder}: temporary files cannot be written: {reason}. Give another folder.") from None


# How files are divided: those in the order of the buckets are read where they are, and the others are copied.
#
# The largest table leads. If its rows are grouped by query, the buckets are consecutive pieces of it, of about equal
# size. Other tables whose queries come in the same order are also read in pieces. If it is not grouped, or packed,
# all tables are copied by the hashes of their queries.


StepProgress = Callable[[str, Progress], contextlib.AbstractContextManager[object]]
"""Shows how far a step is, given its name, such as "dividing run.csv", and a counter."""

HEAVIEST = 1.5
"""How much larger than its share of the largest table a bucket may become, if queries return to it."""


@dataclass(frozen=True)
class InPlaceTable:
    """A file that is to be divided."""

    part: PartFile
    split: FileSplit
    origin: Origin

    def file(
        self, buckets: Buckets | None, contents: Iterator[tuple[int, str | Piece]], keys: Sequence[str]
    ) -> DividedFile:
        """Return it with the content of its buckets, by which it was copied, and what else dividing it returned."""
        return DividedFile(self.part, self.split, self.origin, buckets, dict(contents), keys)


@dataclass(frozen=True)
class UndividedTable:
    """A table that is to be divided: its name, and its files."""

    name: str
    files: Sequence[InPlaceTable]

    @property
    def size(self) -> int:
        """Bytes of all files."""
        return sum(file.origin.size for file in self.files)

    @property
    def groups(self) -> list[list[InPlaceTable]]:
        """The files of each folder of columns, such as system=bm25: each group may have rows of all queries."""
        return [list(group) for _, group in itertools.groupby(self.files, lambda file: file.part.partition)]


def undivided_table(path: str, columns: ChosenColumns) -> UndividedTable:
    """Find how to divide a file, or each part of a table.

    Parameters
    ----------
    columns
        The column of each role as the user named it.

    Raises
    ------
    DataError
        If a file cannot be divided by query, or the parts have different columns.
    """
    parts = parts_at(path)
    if len(parts) > 1:
        refuse_other_columns({part.path: _known_columns(part, columns) for part in parts})
    return UndividedTable(path, [_plan_file(part, columns) for part in parts])


def _known_columns(part: PartFile, chosen: ChosenColumns) -> Sequence[str]:
    """Return the columns of a part, which may have no rows, that are named or say what is in them."""
    by_column = detect_file(part.path).name in ("parquet", "arrow")
    names = column_names(part.path) if by_column else file_columns(part.path, "results")
    return [name for name in names if fold(name) in KNOWN or name in chosen.values()]


def _plan_file(part: PartFile, columns: ChosenColumns) -> InPlaceTable:
    with _explain_unreadable(part.path):
        return InPlaceTable(part, find_split(part.path, columns), Origin.of(part.path))


@contextlib.contextmanager
def _explain_unreadable(path: str) -> Iterator[None]:
    """Turn the core's error on an unreadable file into one that says what is wrong with it."""
    try:
        yield
    except BadInput as bad:
        if bad.args[0] == "unwritable":
            raise
        raise bad_input(path, *bad.args) from None
    except OSError as error:
        raise DataError(f"{path}: cannot be read: {error.strerror or error}.") from None


def divide_tables(
    tables: Sequence[UndividedTable], count: int, folder: str, step_progress: StepProgress | None = None
) -> list[BucketedTable]:
    """Divide tables into buckets; what has to be copied is copied into a folder.

    Parameters
    ----------
    told
        Shows how far each file is read and divided.
    """
    work = _SplitJob(folder, step_progress)
    buckets, pieces = work.divide_in_place(tables, Buckets(count))
    return [
        BucketedTable(
            whole.name,
            [
                file or work.copy(original, buckets, f"{number}-{place}")
                for place, (original, file) in enumerate(zip(whole.files, files, strict=True))
            ],
        )
        for number, (whole, files) in enumerate(zip(tables, pieces, strict=True))
    ]


@dataclass(frozen=True)
class _SplitJob:
    folder: str
    step_progress: StepProgress | None

    def divide_in_place(
        self, tables: Sequence[UndividedTable], buckets: Buckets
    ) -> tuple[Buckets, list[list[DividedFile | None]]]:
        """Return which bucket each query is in, and the files of each table that are in their order."""
        found: list[list[DividedFile | None]] = [[None] * len(table.files) for table in tables]
        first, *others = sorted(range(len(tables)), key=lambda number: -tables[number].size)
        pieces = self._divide_table_in_place(tables[first], buckets, HEAVIEST * tables[first].size / buckets.count)
        if None in pieces:
            return Buckets(buckets.count), found
        found[first] = pieces
        for number in others:
            found[number] = self._divide_table_in_place(tables[number], buckets, math.inf)
        return buckets, found

    def _divide_table_in_place(self, table: UndividedTable, buckets: Buckets, most: float) -> list[DividedFile | None]:
        largest = max(sum(file.origin.size for file in group) for group in table.groups)
        buckets.begin(largest / buckets.count, most)
        files: list[DividedFile | None] = []
        for group in table.groups:
            buckets.restart()
            files += [self._divide_file_in_place(file, buckets) for file in group]
        return files

    def _divide_file_in_place(self, original: InPlaceTable, buckets: Buckets) -> DividedFile | None:
        with self._step("reading the order of", original) as progress:
            found = original.split.splitter.pieces(original.part.path, buckets, progress)
        return None if found is None else original.file(None, iter(found[0]), found[1])

    def copy(self, original: InPlaceTable, buckets: Buckets, stem: str) -> DividedFile:
        """Copy a file into a file per bucket."""
        stem = os.path.join(self.folder, stem)
        with self._step("dividing", original) as progress:
            rows, keys = original.split.splitter.split(original.part.path, stem, buckets, progress)
        return original.file(buckets, ((b, f"{stem}.{b}") for b, many in enumerate(rows) if many), keys)

    @contextlib.contextmanager
    def _step(self, what: str, original: InPlaceTable) -> Iterator[Progress]:
        path, progress = original.part.path, Progress()
        shown = (
            self.step_progress(f"{what} {os.path.basename(path)}", progress)
            if self.step_progress
            else contextlib.nullcontext()
        )
        with shown, _explain_unreadable(path):
            yield progress
