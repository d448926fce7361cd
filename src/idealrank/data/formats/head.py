"""The beginning of a file, from which its format is recognized."""

from __future__ import annotations

import functools
import os
import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, NamedTuple

from idealrank._core import Frame, Progress, sniff
from idealrank.data.formats.nested_plan import NestedPlan
from idealrank.data.roles import ALIASES, fold

HEAD = 1 << 16
"""Number of bytes to look at."""

SAMPLE = 20
"""Number of lines to look at if the first is not enough."""

NUMBER = "number"
"""The column without a name that is the grade in judgments, and the rank or the score in results."""

DELIMITERS = ("\t", "|", ",", ";")

FileOrBytes = str | bytes
"""A file's path, or its content."""

Content = FileOrBytes
"""What is read: a file, or the text of some of its records."""

PACKED_MAGIC = {
    b"BZh": "bz2",
    b"\xfd7zXZ\x00": "xz",
    b"\x04\x22\x4d\x18": "lz4",
    b"PK\x03\x04": "zip",
    b"\xff\xfe": "utf-16",
    b"\xfe\xff": "utf-16",
}
"""The first bytes of files that are unpacked before they are recognized; gz and zst are left to the core."""


def packing(content: FileOrBytes) -> str:
    """Return how a file is packed, by its first bytes; "" for one that is not, and for gz and zst."""
    if isinstance(content, bytes):
        start = content[:6]
    else:
        with open(content, "rb") as file:
            start = file.read(6)
    return next((how for magic, how in PACKED_MAGIC.items() if start.startswith(magic)), "")


COLUMN_NAMES = frozenset().union(*(tier for tiers in ALIASES.values() for tier in tiers))
"""Folded names of columns that have a role."""

_FIELD = r"[^ \t-\r]+"
"""What is between the white space of C's isspace, as in the core."""

_COMMENT = r"(?i)\s*#|\"?sep=.\"?\s*$"
"""A comment, or the line that tells Excel the separator."""

Tables = dict[str, Frame]
"""The tables of a document: judgments, results, queries, documents, or "" for one that may be any of them."""

_NUMBER = re.compile(r"\s*[+-]?(?:(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?|nan|inf(?:inity)?)\s*", re.I)
"""A number; compiled at once, since every cell of a header is asked."""


def is_number(text: str) -> bool:
    """Whether a field is a number.

    Examples
    --------
    >>> is_number("-1.5e3"), is_number("1,5")
    (True, False)
    """
    return _NUMBER.fullmatch(text) is not None


class JsonDocuments(NamedTuple):
    """A file's documents as Python objects, and the line of each; no lines for one document."""

    data: Any
    lines: list[int]


class DetectedFormat(NamedTuple):
    """The recognized form of a file.

    Attributes
    ----------
    name
        parquet, arrow, json, jsonl, trec-qrels, trec-run, run-of-five, learning-to-rank, predictions, headerless or
        delimited.
    read
        Reads such a file.
    delimiter
        The separator of delimited text.
    comments
        Number of comment lines before its header.
    plan
        What a document is, and where its rows lie; None for tables.
    """

    name: str
    read: Callable[[Content, Progress | None], Frame | Tables | JsonDocuments]
    delimiter: str = ""
    comments: int = 0
    plan: NestedPlan | None = None

    @property
    def is_rewritten(self) -> bool:
        """Whether it is text without column names that is rewritten before the core reads it."""
        return self.name in ("headerless", "run-of-five", "learning-to-rank", "predictions")


class Line(NamedTuple):
    """A line of text with its number, from 1."""

    number: int
    text: str

    @property
    def fields(self) -> list[str]:
        """The fields separated by whitespace, that of the reader: a no-break space is part of a field."""
        return re.findall(_FIELD, self.text)

    def cells(self, delimiter: str) -> list[str]:
        """Split the line, without the quotes and spaces around each cell."""
        return [cell.strip().strip('"') for cell in self.text.split(delimiter)]

    def roles(self, delimiter: str) -> int:
        """Count the cells that are column names."""
        return sum(fold(cell) in COLUMN_NAMES for cell in self.cells(delimiter))


@dataclass(frozen=True)
class Head:
    """The first (decompressed) bytes of a file, and its name in messages."""

    start: bytes
    name: str
    read_more: Callable[[int], bytes] = lambda _: b""
    """Returns a longer beginning, of at most so many bytes."""
    docs: str = ""
    """The column or the list of documents, as the user named it."""

    @functools.cached_property
    def _lines_with_comments(self) -> list[Line]:
        """The lines that are not blank, comments included."""
        text = self.start.removeprefix(b"\xef\xbb\xbf").decode("utf-8", errors="replace")
        whole = text.split("\n")
        if len(self.start) >= HEAD and len(whole) > 1:
            whole.pop()  # cut off
        return [Line(number, line.rstrip("\r")) for number, line in enumerate(whole, 1) if line.strip()]

    @functools.cached_property
    def lines(self) -> list[Line]:
        """The lines that are neither blank nor comments."""
        return [line for line in self._lines_with_comments if not re.match(_COMMENT, line.text)]

    @property
    def comments(self) -> list[Line]:
        """The comments before the first line that is not one."""
        return [line for line in self._lines_with_comments if not self.lines or line.number < self.lines[0].number]


Detector = Callable[[Head], DetectedFormat | None]
"""Recognizes a format: the form of a file of it, None for other files.

It raises a `DataError` if the file is almost of this format, but cannot be read.
"""

# The whole text of a file, for formats that are rewritten before the core reads them.


_LEAST = 1 << 20
"""Bytes to begin with."""


def read_text(content: Content) -> bytes:
    """Return the decompressed bytes of a source, without a byte order mark."""
    # How long a compressed file is becomes known by reading it: until less comes back than was asked for.
    size = 2 * max(_LEAST, len(content) if isinstance(content, bytes) else os.path.getsize(content))
    while len(text := sniff(content, size)) == size:
        size *= 4
    return text.removeprefix(b"\xef\xbb\xbf")


def line_pattern(groups: bytes) -> re.Pattern[bytes]:
    """Return the pattern of a line with these groups, or of one that is blank or a comment."""
    return re.compile(rb"^(?:" + groups + rb"|[ \t]*(?:#[^\n]*)?\r?)$", re.M)


def match_lines(text: bytes, line: re.Pattern[bytes]) -> list[tuple[bytes, ...]] | None:
    r"""Return the groups of a pattern in each line, empty for a blank line or a comment; None if a line is unlike it.

    Examples
    --------
    >>> match_lines(b"a 1\n\nb 2\n", line_pattern(rb"(\S+) (\S+)"))
    [(b'a', b'1'), (b'', b''), (b'b', b'2')]
    """
    text = text.rstrip()
    rows = line.findall(text)
    return rows if len(rows) == text.count(b"\n") + 1 else None


def offset_of_line(text: bytes, lines: int) -> int:
    """Return where the text after so many lines begins."""
    at = 0
    for _ in range(lines):
        at = text.index(b"\n", at) + 1
    return at


def split_lines(text: bytes) -> list[bytes]:
    r"""Split text into lines, which keep their numbers.

    Examples
    --------
    >>> split_lines(b"a b\r\n\nc")
    [b'a b', b'', b'c']
    """
    return [line.removesuffix(b"\r") for line in text.split(b"\n")]


# How what was kept of an evaluation is told from tables: saved scores, and the baseline of a gate.


SCORES_HEAD = "scores.json"
"""The first member of the archive that `Scores.save` writes."""

_NAME_AT = 30
"""Where a zip archive has the name of its first member."""

BASELINE_FORM = "idealrank baseline"
"""What the key ``form`` of the file that `idealrank gate --bless` writes begins with."""

_BASELINE_HEAD = 500
"""Bytes of a baseline's file among which that key is."""


def is_saved_scores(path: str | os.PathLike[str]) -> bool:
    """Whether a file is an archive that begins as saved scores do.

    Examples
    --------
    >>> is_saved_scores("no such file")
    False
    """
    head = _first_bytes(path, _NAME_AT + len(SCORES_HEAD))
    return head.startswith(b"PK\3\4") and head.endswith(SCORES_HEAD.encode())


def is_baseline(path: str | os.PathLike[str]) -> bool:
    """Whether a file is JSON that says it is a baseline, even if a merge left its marks or what follows is damaged.

    Examples
    --------
    >>> is_baseline("no such file")
    False
    """
    return begins_baseline(_first_bytes(path, _BASELINE_HEAD))


def begins_baseline(head: bytes) -> bool:
    """Whether the first bytes of a file are those of a baseline."""
    begin = head[:_BASELINE_HEAD]
    return begin.lstrip().startswith((b"{", b"<<<<<<< ")) and f'"{BASELINE_FORM} '.encode() in begin


def _first_bytes(path: str | os.PathLike[str], count: int) -> bytes:
    """Return the first bytes of a file; none where it cannot be read."""
    try:
        with open(path, "rb") as file:
            return file.read(count)
    except (OSError, ValueError):
        return b""
