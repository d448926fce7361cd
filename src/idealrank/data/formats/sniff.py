"""What a file is, by its first lines: no extension is needed, and none is believed."""

from __future__ import annotations

import re
from typing import NamedTuple

from idealrank.data.formats.messages import EMPTY, PREFERENCES, READABLE, TREC_FIELDS, quoted
from idealrank.data.roles import ALIASES, fold
from idealrank.errors import DataError

HEAD = 1 << 16
"""Bytes that are looked at."""

SAMPLE = 20
"""Lines that are asked when the first does not tell."""

_KNOWN = frozenset().union(*(tier for tiers in ALIASES.values() for tier in tiers))
_DELIMITERS = ("\t", "|", ",", ";")
_COLUMNS = {b"PAR1": "parquet", b"ARROW1": "arrow", b"\xff\xff\xff\xff": "arrow"}
_REFUSED = {
    b"\xff\xfe": "UTF-16 text. Save the file as UTF-8.",
    b"\xfe\xff": "UTF-16 text. Save the file as UTF-8.",
    b"PK\x03\x04": f"a zip archive, as Excel files are. {READABLE}",
    b"BZh": f"bzip2 data. {READABLE}",
    b"\xfd7zXZ\x00": f"xz data. {READABLE}",
}
_NUMBER = re.compile(r"\s*[+-]?(?:(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?|nan|inf(?:inity)?)\s*", re.I)
_COMMENT = re.compile(r"\s*#|\"?sep=.\"?\s*$", re.I)
"""A comment; or the line that tells Excel the separator."""


class Form(NamedTuple):
    """A format: parquet, arrow, jsonl, trec-qrels, trec-run or delimited.

    Attributes
    ----------
    delimiter
        What separates the columns of delimited text.
    comments
        Lines before its header that are comments.
    """

    name: str
    delimiter: str = ""
    comments: int = 0


class _Line(NamedTuple):
    number: int
    text: str

    @property
    def fields(self) -> list[str]:
        return self.text.split()

    def cells(self, delimiter: str) -> list[str]:
        return [cell.strip().strip('"') for cell in self.text.split(delimiter)]

    def known(self, delimiter: str) -> int:
        return sum(fold(cell) in _KNOWN for cell in self.cells(delimiter))


def columnar(head: bytes, source: str) -> Form | None:
    """Tell Parquet and Arrow from text by the first (decompressed) bytes; None for text.

    Raises
    ------
    DataError
        If it is binary data of another kind.
    """
    for magic, name in _COLUMNS.items():
        if head.startswith(magic):
            return Form(name)
    for magic, what in _REFUSED.items():
        if head.startswith(magic):
            raise DataError(f"{source}: {what}")
    if b"\x00" in head:
        raise DataError(f"{source}: binary data. {READABLE}")
    return None


def textual(head: bytes, source: str) -> Form:
    """Tell the format of text from its first lines.

    Raises
    ------
    DataError
        If there is no line, or the first is like nothing known.

    Examples
    --------
    >>> textual(b"q1 0 d1 3", "qrels.txt").name
    'trec-qrels'
    >>> textual(b"query;doc;grade", "j.csv").delimiter
    ';'
    """
    if b"\n" not in head and b"\r" in head.rstrip(b"\r"):
        raise DataError(f"{source}: the lines end in CR alone. Save the file with line ends LF or CRLF.")
    comments, lines = _split(head)
    if not lines:
        raise DataError(f"{source}: {EMPTY}")
    trec = _trec(lines)
    if trec:
        return Form(trec)
    if _prefers(lines[0]):
        raise DataError(
            f"{source} line {lines[0].number}: {quoted(lines[0].text)} is a line of preferences. {PREFERENCES}"
        )
    if lines[0].text.lstrip()[:1] in ("{", "["):
        return _json(lines[0], source)
    return _delimited(comments, lines, source)


def _split(head: bytes) -> tuple[list[_Line], list[_Line]]:
    """Return the comment lines before the first other line, and the other lines; blank ones are passed over."""
    text = head.removeprefix(b"\xef\xbb\xbf").decode("utf-8", errors="replace")
    whole = text.split("\n")
    if len(head) >= HEAD and len(whole) > 1:
        whole.pop()  # cut off
    found = [_Line(number, line.rstrip("\r")) for number, line in enumerate(whole, 1) if line.strip()]
    lines = [line for line in found if not _COMMENT.match(line.text)]
    comments = [line for line in found if not lines or line.number < lines[0].number]
    return comments, lines


def _json(first: _Line, source: str) -> Form:
    if re.fullmatch(r"\s*(\[.*|\{\s*)", first.text):
        what = "a JSON array" if "[" in first.text else "a JSON object over several lines"
        raise DataError(f"{source} line {first.number}: {what}. Give one JSON object a line (JSONL).")
    return Form("jsonl")


def _trec(lines: list[_Line]) -> str:
    """Tell judgments from results: by the first line, or by most lines where that is no header; "" if neither."""
    first = lines[0]
    if found := _shape(first.cells("\t")) or _shape(first.fields):
        return found
    if max(first.known(delimiter) for delimiter in _DELIMITERS) > 1:
        return ""
    if (found := _intended(first.fields)) or _even(lines[:SAMPLE]):
        return found
    shapes = [shape for line in lines[:SAMPLE] if (shape := _shape(line.fields))]
    return shapes[0] if 2 * len(shapes) > len(lines[:SAMPLE]) else ""


def _even(lines: list[_Line]) -> bool:
    """Whether some delimiter separates every line into the same number of cells, more than one."""
    counts = [{line.text.count(delimiter) for line in lines} for delimiter in _DELIMITERS]
    return any(len(found) == 1 and 0 not in found for found in counts)


def _shape(fields: list[str]) -> str:
    numbers = [_is_number(field) for field in fields]
    if len(fields) == 4 or (len(fields) > 4 and not numbers[4] and fields[1].upper() != "Q0"):
        return "trec-qrels" if numbers[3] else ""
    if len(fields) > 4 and numbers[4] and (numbers[3] or fields[1].upper() == "Q0"):
        return "trec-run"
    return ""


def _intended(fields: list[str]) -> str:
    """Tell by the constant second field what a line with a wrong number was meant to be."""
    if len(fields) > 4 and fields[1].upper() == "Q0":
        return "trec-run"
    return "trec-qrels" if len(fields) == 4 and fields[1].upper() in ("0", "Q0") else ""


def _prefers(line: _Line) -> bool:
    """Whether a line is one of trec_eval's preferences: topic, group, subgroup, document, level."""
    fields = line.fields
    if len(fields) != 5 or any(delimiter in line.text for delimiter in _DELIMITERS[1:]):
        return False
    return _is_number(fields[4]) and not _is_number(fields[3]) and fields[1].upper() != "Q0"


def _delimited(comments: list[_Line], lines: list[_Line], source: str) -> Form:
    first = lines[0]
    if (
        comments
        and (delimiter := _header(comments[-1]))
        and _width(comments[-1], delimiter) == _width(first, delimiter)
    ):
        return Form("delimited", delimiter, comments[-1].number - 1)
    delimiter = _header(first) or max(_DELIMITERS, key=first.text.count)
    if delimiter in first.text or first.known(delimiter):
        return Form("delimited", delimiter, first.number - 1 if comments else 0)
    if sum(fold(field) in _KNOWN for field in first.fields) > 1:
        raise DataError(
            f"{source} line {first.number}: {quoted(first.text)} names columns, but blanks separate them. "
            "Separate them by comma, tab, semicolon or |."
        )
    raise DataError(f"{source} line {first.number}: {quoted(first.text)} is no line of TREC text. {TREC_FIELDS}")


def _header(line: _Line) -> str:
    """Return the delimiter under which a line names the most columns, "" if it names none."""
    best = max(_DELIMITERS, key=lambda delimiter: (line.known(delimiter), line.text.count(delimiter)))
    return best if line.known(best) else ""


def _width(line: _Line, delimiter: str) -> int:
    return len(line.cells(delimiter))


def _is_number(text: str) -> bool:
    return _NUMBER.fullmatch(text) is not None
