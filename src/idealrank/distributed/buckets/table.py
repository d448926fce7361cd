"""Tables whose files are divided into buckets, which are read one after the other."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace

from idealrank._core import BadInput, Buckets, Frame, Piece
from idealrank.data.formats.dataset import Part, below
from idealrank.data.formats.messages import bad_input
from idealrank.data.formats.origin import Origin
from idealrank.data.formats.reader import source_of
from idealrank.data.formats.source import Source
from idealrank.distributed.buckets.some_rows import SomeRows
from idealrank.distributed.buckets.split import Split, read_bucket
from idealrank.errors import DataError


@dataclass(frozen=True)
class File:
    """A file that is divided.

    Attributes
    ----------
    origin
        The file as it was when it was divided.
    contents
        For each bucket with rows, the piece of the file that they are, or the path of their copy.
    buckets
        By which it was copied; None if nothing was.
    keys
        What else dividing it returned.
    """

    part: Part
    split: Split
    origin: Origin
    buckets: Buckets | None
    contents: Mapping[int, str | Piece]
    keys: Sequence[str]

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

        source = source_of(self.split.form, frame, self.part.path, self.origin, whence)
        return replace(source, is_part=len(self.contents) > 1)

    def some(self, queries: Collection[str], buckets: Sequence[int], folder: str) -> Source | None:
        """Read the rows of some queries out of their buckets, copied into a folder; None if there are none."""
        chosen = SomeRows(self.split, self.keys, os.path.join(tempfile.mkdtemp(dir=folder), "rows"))
        for bucket in buckets:
            if bucket in self.contents:
                chosen.add(self._frame(bucket), self.contents[bucket], queries)
        frame = chosen.read()
        return frame and replace(source_of(self.split.form, frame, self.part.path, self.origin), is_part=True)

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
            raise self._changed() from None

    def _refuse_changed(self) -> None:
        try:
            same = Origin.of(self.part.path) == self.origin
        except OSError:
            same = False
        if not same:
            raise self._changed()

    def _changed(self) -> DataError:
        return DataError(
            f"{self.part.path}: this file was changed or removed while it was evaluated. Evaluate again when nothing "
            "writes to it."
        )

    def _line(self, bucket: int, line: int) -> int:
        content = self.contents[bucket]
        return content.line(line) if isinstance(content, Piece) else self._copied_from(bucket, line)

    def _row(self, bucket: int, row: int) -> int:
        content = self.contents[bucket]
        return content.row(row) if isinstance(content, Piece) else self._copied_from(bucket, row)

    def _copied_from(self, bucket: int, place: int) -> int:
        assert self.buckets is not None  # since it was copied
        return self.split.splitter.place(self.part.path, self.buckets, bucket, place)


@dataclass(frozen=True)
class Table:
    """A table of one file, or of several parts."""

    name: str
    files: Sequence[File]

    def has(self, bucket: int) -> bool:
        """Whether a bucket has rows."""
        return any(bucket in file.contents for file in self.files)

    def read(self, bucket: int) -> Source | None:
        """Read the rows of a bucket; None without rows."""
        return self._of([(file, file.read(bucket)) for file in self.files if bucket in file.contents])

    def some(self, queries: Collection[str], buckets: Sequence[int], folder: str) -> Source | None:
        """Read the rows of some queries out of their buckets; None without rows."""
        found = [(file, file.some(queries, buckets, folder)) for file in self.files]
        return self._of([(file, source) for file, source in found if source is not None])

    def _of(self, found: Sequence[tuple[File, Source]]) -> Source | None:
        if not found:
            return None
        sources = [source for _, source in found]
        if self.files[0].part.path == self.name:
            return sources[0]
        return below(self.name, [file.part for file, _ in found], sources, len(self.files))
