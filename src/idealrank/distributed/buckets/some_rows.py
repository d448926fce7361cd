"""The rows of some queries, copied out of their buckets: text as it is, so that it is read as before."""

from __future__ import annotations

import io
import math
import os
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, field
from typing import IO, Any

import numpy as np

from idealrank._core import Frame, Piece, from_columns
from idealrank.arrays import Ints
from idealrank.data.formats.source import Source
from idealrank.data.ids import id_text
from idealrank.distributed.buckets.split import Split, read_bucket


@dataclass(frozen=True)
class SomeRows:
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

    split: Split
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
        rows = _rows_of(frame, self.split.key_in(frame), queries)
        if len(rows) and self.split.columns:
            for place, name in enumerate(frame.names):
                self.columns.setdefault(name, []).extend(frame.column(place).to_list(rows))
        elif len(rows):
            self._copy(frame, content, rows)

    def _copy(self, frame: Frame, content: str | Piece, rows: Ints) -> None:
        """Copy the lines of rows; before the first ones, those above all rows, such as a header."""
        lines, last = set(_lines_of(frame, rows)), frame.line(frame.rows - 1)
        above, below = 0 if os.path.exists(self.path) else frame.line(0) - 1, last if last in lines else math.inf
        with _opened(content) as bucket, open(self.path, "ab") as some:
            for number, line in enumerate(bucket, 1):
                if number <= above or number in lines or number > below:
                    some.write(line if line.endswith(b"\n") else line + b"\n")

    def read(self) -> Frame | None:
        """Read the rows that were copied; None if there are none."""
        if self.columns:
            return from_columns(list(self.columns), list(self.columns.values()))
        return read_bucket(self.split, self.path, self.keys) if os.path.exists(self.path) else None


def _opened(content: str | Piece) -> IO[bytes]:
    return open(content, "rb") if isinstance(content, str) else io.BytesIO(content.text())


def _rows_of(frame: Frame, key: int, queries: Collection[str]) -> Ints:
    code, names = Source("", frame).ids(key).codes()
    wanted = [place for place, name in enumerate(names.to_list()) if id_text(name) in queries]
    return np.flatnonzero(np.isin(code, wanted))


def _lines_of(frame: Frame, rows: Ints) -> Iterator[int]:
    """Yield the lines of rows: each ends where the next one begins; of the last row of all its first line."""
    for row in rows.tolist():
        begin = frame.line(row)
        yield from range(begin, frame.line(row + 1) if row + 1 < frame.rows else begin + 1)
