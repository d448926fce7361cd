"""Files divided by query into buckets on disk, which are read one after the other."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from idealrank._core import BadInput, Progress
from idealrank.data.formats.dataset import Part, below, parts_at, refuse_other_columns
from idealrank.data.formats.messages import bad_input
from idealrank.data.formats.origin import Origin
from idealrank.data.formats.reader import columns_of, source_of
from idealrank.data.formats.source import Source
from idealrank.data.roles import ChosenColumns
from idealrank.distributed.buckets.folder import FULL, full, temporary_folder
from idealrank.distributed.buckets.sizes import files_in, unpacked_size
from idealrank.distributed.buckets.split import Split, read_bucket, split_of
from idealrank.errors import DataError

Told = Callable[[str, Progress], contextlib.AbstractContextManager[object]]
"""Shows how far a file is divided, given its name and a counter."""


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
class _File:
    """A file that was divided: the number of rows in each bucket, and what else splitting it returned."""

    part: Part
    split: Split
    stem: str
    rows: Sequence[int]
    keys: Sequence[str]

    def read(self, bucket: int) -> Source:
        """Read the rows of a bucket; messages name the places in the original."""
        path = self.part.path
        try:
            frame = read_bucket(self.split, f"{self.stem}.{bucket}", self.keys)
        except BadInput as bad:
            kind, line, *rest = bad.args
            raise bad_input(path, kind, self._original(bucket, line) if line else 0, *rest) from None

        def whence(row: int) -> str:
            line = frame.line(row)
            return f"line {self._original(bucket, line)}" if line else f"row {self._original(bucket, row)}"

        return source_of(self.split.form, frame, path, Origin.of(path), whence)

    def _original(self, bucket: int, place: int) -> int:
        return self.split.splitter.place(self.part.path, bucket, place)


@dataclass(frozen=True)
class _Table:
    """A table of one file, or of several parts."""

    name: str
    files: Sequence[_File]

    def read(self, bucket: int) -> Source | None:
        files = [file for file in self.files if file.rows[bucket]]
        if not files:
            return None
        sources = [file.read(bucket) for file in files]
        several = len(self.files) > 1 or self.files[0].part.partition
        return below(self.name, [file.part for file in files], sources, len(self.files)) if several else sources[0]


@dataclass(frozen=True)
class Partition:
    """Files divided by query."""

    count: int
    _judgments: _Table
    _results: Mapping[str, _Table]

    def __len__(self) -> int:
        return self.count

    def judgments(self, number: int) -> Source | None:
        """Read the judgments of a bucket; None without rows."""
        return self._judgments.read(number)

    def some_results(self, path: str) -> Source | None:
        """Read the results of the first bucket that has some; None if none has."""
        return next((found for number in range(self.count) if (found := self._results[path].read(number))), None)

    def bucket(self, number: int) -> Bucket:
        """Read a bucket.

        Raises
        ------
        DataError
            If a row cannot be read; the message names its line in the original file.
        """
        results = {path: table.read(number) for path, table in self._results.items()}
        return Bucket(self._judgments.read(number), results)


@contextlib.contextmanager
def partitioned(
    judgments: str,
    results: Sequence[str],
    count: int,
    *,
    folder: str | None = None,
    judgment_columns: ChosenColumns | None = None,
    result_columns: ChosenColumns | None = None,
    told: Told | None = None,
) -> Iterator[Partition]:
    """Divide files by query into buckets in a temporary folder, which is removed at the end.

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
        Shows how far each file is divided.

    Raises
    ------
    DataError
        If a file cannot be divided, or the disk is full.
    """
    with temporary_folder(folder) as place:
        with _space(place, [judgments, *results]):
            work = _Work(place, count, told)
            judged = work.table(judgments, judgment_columns or {}, "judgments")
            returned = {
                path: work.table(path, result_columns or {}, f"results-{number}") for number, path in enumerate(results)
            }
        yield Partition(count, judged, returned)


@contextlib.contextmanager
def _space(folder: str, paths: Sequence[str]) -> Iterator[None]:
    """Say what to do when the disk is full."""
    try:
        yield
    except BadInput as bad:
        kind, _, _, reason, number = bad.args
        if kind != "unwritable":
            raise
        if int(number) in FULL:
            raise full(folder, sum(map(unpacked_size, files_in(paths)))) from None
        raise DataError(f"{folder}: temporary files cannot be written: {reason}. Give another folder.") from None


@dataclass(frozen=True)
class _Work:
    """Dividing files into a folder."""

    folder: str
    count: int
    told: Told | None

    def table(self, path: str, columns: ChosenColumns, stem: str) -> _Table:
        """Divide a file, or each part of a table."""
        parts = parts_at(path)
        if len(parts) > 1:
            refuse_other_columns({part.path: columns_of(part.path, "results") for part in parts})
        files = [self._file(part, columns, f"{stem}-{number}") for number, part in enumerate(parts)]
        return _Table(path, files)

    def _file(self, part: Part, columns: ChosenColumns, stem: str) -> _File:
        progress, stem = Progress(), os.path.join(self.folder, stem)
        with self.told(os.path.basename(part.path), progress) if self.told else contextlib.nullcontext():
            try:
                split = split_of(part.path, self.count, columns)
                return _File(part, split, stem, *split.splitter.split(part.path, stem, progress))
            except BadInput as bad:
                if bad.args[0] == "unwritable":
                    raise
                raise bad_input(part.path, *bad.args) from None
            except OSError as error:
                raise DataError(f"{part.path}: cannot be read: {error.strerror or error}.") from None
