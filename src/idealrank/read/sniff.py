"""What a file is, by its first bytes: no extension is needed, and none is believed."""

from __future__ import annotations

import re

from idealrank.errors import DataError
from idealrank.read.roles import ALIASES, fold

_KNOWN = frozenset().union(*(tier for tiers in ALIASES.values() for tier in tiers))
_DELIMITERS = ("\t", "|", ",", ";")


def format_of(head: bytes, source: str) -> tuple[str, str]:
    """Return the format and, for delimited text, the delimiter.

    Returns
    -------
    One of ``parquet``, ``arrow``, ``jsonl``, ``trec-qrels``, ``trec-run``, ``delimited``.

    Raises
    ------
    DataError
        If the file is empty, binary, or like nothing known.
    """
    if head.startswith(b"PAR1"):
        return "parquet", ""
    if head.startswith((b"ARROW1", b"\xff\xff\xff\xff")):
        return "arrow", ""
    line = _first_line(head, source)
    if line.startswith("{"):
        return "jsonl", ""
    delimiter = max(_DELIMITERS, key=line.count)
    cells = line.split(delimiter) if delimiter in line else [line]
    if any(fold(cell.strip().strip('"')) in _KNOWN for cell in cells) and not _is_number(cells[-1]):
        return "delimited", delimiter
    return _trec(line, source, cells, delimiter)


def _first_line(head: bytes, source: str) -> str:
    if b"\x00" in head[:4096]:
        raise DataError(
            f"{source}: binary data. Readable: TREC text, CSV, TSV, JSONL, Parquet, Arrow; gz and zst of these."
        )
    text = head.removeprefix(b"\xef\xbb\xbf").decode("utf-8", errors="replace")
    for line in text.splitlines():
        if line.strip() and not line.lstrip().startswith("#"):
            return line
    raise DataError(f"{source}: empty. Give a file with at least one judgment or result.")


def _trec(line: str, source: str, cells: list[str], delimiter: str) -> tuple[str, str]:
    fields = line.split()
    if len(fields) >= 5 and _is_number(fields[4]):
        return "trec-run", ""
    if (len(fields) >= 4 and _is_number(fields[3])) or len(fields) in (3, 4, 5):
        return ("trec-run" if len(fields) == 5 else "trec-qrels"), ""
    if len(fields) > 5 and len(cells) == 1:
        return "trec-run", ""
    if len(cells) > 1:
        return "delimited", delimiter
    raise DataError(
        f"{source} line 1: {line[:60]!r} is neither TREC text (4 or 6 fields) nor a header of "
        "comma, tab, semicolon or | separated columns."
    )


def _is_number(text: str) -> bool:
    return (
        re.fullmatch(r"\s*[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?\s*|\s*[+-]?(nan|inf(inity)?)\s*", text, re.I)
        is not None
    )
