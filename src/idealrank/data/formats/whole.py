"""The whole text of a file, for formats that are rewritten before the core reads them."""

from __future__ import annotations

import os
import re

from idealrank._core import Piece, sniff
from idealrank.data.formats.head import Content

_LEAST = 1 << 20
"""Bytes to begin with."""


def text_of(content: Content) -> bytes:
    """Return the decompressed bytes of a source, without a byte order mark."""
    if isinstance(content, Piece):
        return content.text()
    size = 2 * max(_LEAST, len(content) if isinstance(content, bytes) else os.path.getsize(content))
    while len(text := sniff(content, size)) == size:
        size *= 4
    return text.removeprefix(b"\xef\xbb\xbf")


def line_like(groups: bytes) -> re.Pattern[bytes]:
    """Return the pattern of a line with these groups, or of one that is blank or a comment."""
    return re.compile(rb"^(?:" + groups + rb"|[ \t]*(?:#[^\n]*)?\r?)$", re.M)


def found_in(text: bytes, line: re.Pattern[bytes]) -> list[tuple[bytes, ...]] | None:
    r"""Return the groups of a pattern in each line, empty for a blank line or a comment; None if a line is unlike it.

    Examples
    --------
    >>> found_in(b"a 1\n\nb 2\n", line_like(rb"(\S+) (\S+)"))
    [(b'a', b'1'), (b'', b''), (b'b', b'2')]
    """
    text = text.rstrip()
    rows = line.findall(text)
    return rows if len(rows) == text.count(b"\n") + 1 else None


def below(text: bytes, lines: int) -> int:
    """Return where the text after so many lines begins."""
    at = 0
    for _ in range(lines):
        at = text.index(b"\n", at) + 1
    return at


def lines_of(text: bytes) -> list[bytes]:
    r"""Split text into lines, which keep their numbers.

    Examples
    --------
    >>> lines_of(b"a b\r\n\nc")
    [b'a b', b'', b'c']
    """
    return [line.removesuffix(b"\r") for line in text.split(b"\n")]
