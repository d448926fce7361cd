"""Files divided by query into buckets, which are read one after the other."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from idealrank._core import BadInput
from idealrank.data.formats.source import Source
from idealrank.data.roles import ChosenColumns
from idealrank.distributed.buckets.division import Told, divided, whole_table
from idealrank.distributed.buckets.folder import FULL, full, temporary_folder
from idealrank.distributed.buckets.sizes import files_in, unpacked_size
from idealrank.distributed.buckets.table import Table
from idealrank.errors import DataError


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
    """Files divided by query."""

    count: int
    _judgments: Table
    _results: Mapping[str, Table]

    def __len__(self) -> int:
        return self.count

    def judgments(self, number: int) -> Source | None:
        """Read the judgments of a bucket; None without rows."""
        return self._judgments.read(number)

    def in_all(self, path: str) -> bool:
        """Whether every bucket has results of a path."""
        return all(map(self._results[path].has, range(self.count)))

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
        with _space(place, [judgments, *results]):
            tables = [
                whole_table(judgments, judgment_columns or {}),
                *(whole_table(path, result_columns or {}) for path in results),
            ]
            judged, *returned = divided(tables, count, place, told)
        yield Partition(count, judged, dict(zip(results, returned, strict=True)))


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
