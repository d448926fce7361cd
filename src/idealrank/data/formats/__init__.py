"""Readers: anything that holds judgments or results becomes a frame of columns. They know no measure."""

from __future__ import annotations

import os
import stat
import sys
from typing import TYPE_CHECKING, Any

from idealrank.data.formats.ahead import Ahead
from idealrank.data.formats.messages import bad_input, quoted
from idealrank.data.formats.objects import frame_of, nested_in
from idealrank.data.formats.origin import Origin
from idealrank.data.formats.sniff import HEAD, columnar, textual
from idealrank.data.formats.source import Source
from idealrank.errors import DataError

if TYPE_CHECKING:
    from idealrank._core import Frame
    from idealrank.data.formats.sniff import Form

__all__ = ["Ahead", "Source", "near_file", "read_ahead", "read_frame"]

PIECE = 1 << 20
"""Bytes of standard input that are read at a time."""

LINE_LIMIT = 1 << 20
"""Bytes of the longest line that is read."""


def read_frame(source: Any, kind: str, progress: Any = None) -> Source:
    """Read a source into a frame and say what to call it in messages.

    Parameters
    ----------
    source
        A path, ``-`` for standard input, an open file, or an object in memory.
    kind
        ``judgments``, ``results`` or ``queries``: what an object in memory is called.
    progress
        Told how many bytes were read.

    Raises
    ------
    DataError
        If it cannot be read, or holds no row: with the line, what is wrong and what is allowed.
    """
    if isinstance(source, Ahead):
        return source.source()
    if isinstance(source, Source):
        return source
    found = _read(source, kind, progress)
    if found.frame.rows == 0:
        raise DataError(f"{found.name}: columns, but no row. Give at least one judgment or result.")
    return found


def read_ahead(path: str, kind: str) -> Ahead:
    """Begin to read a file in the background; what is returned is a source for `read_frame`."""
    return Ahead(lambda: read_frame(path, kind))


def _read(source: Any, kind: str, progress: Any) -> Source:
    if isinstance(source, (str, os.PathLike)):
        path = os.fspath(source)
        if path == "-":
            # Piece by piece: an interruption is noticed between two pieces, not within a read of everything.
            stream: Any = sys.stdin.buffer
            pieces = iter(lambda: stream.read1(PIECE), b"")
            return _parsed(b"".join(pieces), "standard input", progress)
        return _parsed(_existing(path), path if path.isprintable() else repr(path), progress)
    if hasattr(source, "read") and not hasattr(source, "__arrow_c_stream__"):
        text = source.read()
        data = text.encode() if isinstance(text, str) else text
        return _parsed(data, str(getattr(source, "name", kind)), progress)
    return Source(kind, frame_of(source, kind), nested_in(source))


def _parsed(data: str | bytes, name: str, progress: Any) -> Source:
    from idealrank._core import BadInput, sniff

    try:
        head = sniff(data, HEAD)
        form = columnar(head, name)
        if form is None:
            _refuse_long_line(data, head, name)
            form = textual(head, name)
        origin = Origin.of(data) if isinstance(data, str) else None
        return Source(name, _frame(data, form, progress), origin=origin)
    except BadInput as bad:
        raise bad_input(name, *bad.args) from None
    except OSError as error:
        raise DataError(f"{name}: cannot be read: {error.strerror or error}.") from None


def _refuse_long_line(data: str | bytes, head: bytes, name: str) -> None:
    from idealrank._core import sniff

    if len(head) < HEAD or b"\n" in head:
        return
    longer = sniff(data, LINE_LIMIT + 1)
    if len(longer) > LINE_LIMIT and b"\n" not in longer:
        raise bad_input(name, "line_too_long", 1, "", "", "")


def _existing(path: str) -> str | bytes:
    """Return the path of a file, or the content of a pipe, which can be read but once."""
    try:
        mode = os.stat(path).st_mode
        if not stat.S_ISDIR(mode):
            return path if stat.S_ISREG(mode) else _piped(path)
    except FileNotFoundError:
        raise _not_there(path) from None
    except (OSError, ValueError) as error:  # a name no file can have is a ValueError
        raise DataError(f"{quoted(path)}: cannot be read: {getattr(error, 'strerror', None) or error}.") from None
    raise DataError(f"{path}: a folder. Give a file with judgments or results.")


def _piped(path: str) -> bytes:
    with open(path, "rb") as pipe:
        return pipe.read()


def _not_there(path: str) -> DataError:
    folder = os.path.dirname(path)
    if not os.path.isdir(folder or "."):
        return DataError(f"{path}: no such file, nor is there a folder {folder}. Check the path.")
    return DataError(f"{path}: no such file.{near_file(path) or ' Check the path.'}")


def near_file(path: str) -> str:
    """Return " Did you mean …?" for the file with the closest name in the same folder, or an empty string."""
    import difflib  # only where something is misspelt

    if os.path.isdir(path):
        return " It is a folder."
    folder, name = os.path.split(path)
    names = os.listdir(folder or ".") if os.path.isdir(folder or ".") else []
    close = difflib.get_close_matches(name, names, n=1)
    return f" Did you mean {os.path.join(folder, close[0])}?" if close else ""


def _frame(data: str | bytes, form: Form, progress: Any) -> Frame:
    from idealrank._core import read_arrow, read_delimited, read_jsonl, read_parquet, read_trec

    if form.name == "trec-qrels":
        return read_trec(data, "qrels", progress)
    if form.name == "trec-run":
        return read_trec(data, "run", progress)
    if form.name == "delimited":
        return read_delimited(data, form.delimiter, progress, form.comments)
    if form.name == "jsonl":
        return read_jsonl(data, progress)
    return (read_parquet if form.name == "parquet" else read_arrow)(data)
