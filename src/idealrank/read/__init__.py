"""Readers: anything that holds judgments or results becomes a frame of columns. They know no measure."""

from __future__ import annotations

import difflib
import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

from idealrank.errors import DataError
from idealrank.read.objects import frame_of
from idealrank.read.sniff import format_of

if TYPE_CHECKING:
    from idealrank._core import Frame

__all__ = ["read_frame"]


def read_frame(source: Any, kind: str, progress: Any = None) -> tuple[Frame, str]:
    """Read a source into a frame and say what to call it in messages.

    Parameters
    ----------
    source
        A path, ``-`` for standard input, or an object in memory.
    kind
        ``judgments`` or ``results``: what the caller wants of it.
    progress
        Told how many bytes were read.

    Raises
    ------
    DataError
        If it cannot be read: with the line, what is wrong and what is allowed.
    """
    if isinstance(source, (str, os.PathLike)):
        return _read_file(os.fspath(source), kind, progress)
    return frame_of(source, kind), kind


def _read_file(path: str, kind: str, progress: Any) -> tuple[Frame, str]:
    from idealrank import _core

    name = "standard input" if path == "-" else path
    data: str | bytes = sys.stdin.buffer.read() if path == "-" else _existing(path)
    try:
        form, delimiter = format_of(_core.sniff(data), name)
        if form.startswith("trec-"):
            return _core.read_trec(data, form.removeprefix("trec-"), progress), name
        if form == "delimited":
            return _core.read_delimited(data, delimiter, progress), name
        if form == "jsonl":
            return _core.read_jsonl(data, progress), name
        return (_core.read_parquet if form == "parquet" else _core.read_arrow)(data), name
    except _core.BadInput as bad:
        raise bad_input(name, *bad.args) from None
    except OSError as error:
        raise DataError(f"{name}: cannot be read: {error.strerror or error}.") from None


def _existing(path: str) -> str:
    place = Path(path)
    if place.is_dir():
        raise DataError(f"{path}: a folder. Give a file with judgments or results.")
    if not place.exists():
        folder = place.parent if place.parent.is_dir() else Path()
        close = difflib.get_close_matches(place.name, [item.name for item in folder.iterdir()], n=1)
        hint = f" Did you mean {folder / close[0]}?" if close else " Check the path."
        raise DataError(f"{path}: no such file.{hint}")
    return path


_ALLOWED = {
    "empty": "nothing in it. Give a file with at least one judgment or result.",
    "not_utf8": "not UTF-8 text. Save the file as UTF-8.",
    "line_too_long": "longer than 1 MiB. Is this the right file?",
    "truncated": "the compressed data ends early. Copy or compress the file again.",
    "corrupt": "cannot be decoded. Check the file, or make it again.",
    "binary": "binary data. Readable: TREC text, CSV, TSV, JSONL, Parquet, Arrow; gz and zst of these.",
}


def bad_input(source: str, kind: str, line: int, column: str, value: str, detail: str) -> DataError:
    """Build the error for a line or file the core refuses."""
    place = f"{source} line {line}" if line else source
    if kind == "too_few_fields":
        return DataError(
            f"{place}: {value[:60]!r} has {detail} fields. A TREC line is 'query 0 document grade' "
            "(judgments) or 'query Q0 document rank score system' (results)."
        )
    if kind == "ragged":
        return DataError(
            f"{place}: {detail} fields. Every line has as many fields as the header; "
            "quote a field that holds the separator."
        )
    if kind == "not_a_number":
        return DataError(f"{place}: {column} {value[:60]!r} is not a number. Give a number, as 3 or 0.25.")
    if kind == "not_finite":
        return DataError(f"{place}: {column} {value!r} is not finite. Give a finite number.")
    if kind == "duplicate_header":
        return DataError(f"{place}: two columns are called {value!r}. Rename one.")
    if kind == "not_flat":
        return DataError(f"{place}: the value of {column!r} is a list or an object. Give one flat JSON object a line.")
    extra = f" ({detail})" if detail else ""
    return DataError(f"{place}: {_ALLOWED.get(kind, kind + '.')}{extra}")
