"""Tables without a line of names: query, document and a number, or rank and score, or nothing; TREC grades in words."""

from __future__ import annotations

import functools
import re
from collections.abc import Sequence

from idealrank._core import BadInput, Frame, Progress, read_delimited
from idealrank.data.formats.head import (
    COLUMN_NAMES,
    DELIMITERS,
    NUMBER,
    SAMPLE,
    Content,
    DetectedFormat,
    Head,
    is_number,
    offset_of_line,
    read_text,
    split_lines,
)
from idealrank.data.roles import fold

_COLUMNS = {"triples": ("query_id", "doc_id", NUMBER), "pairs": ("query_id", "doc_id")}
_LABELLED = ("query_id", "iteration", "doc_id", "grade")
_RANKED = ("query_id", "doc_id", "rank", "score")

_UNEVEN = tuple(before + after for before in (b" ", b"\t") for after in (b" ", b"\t", b"\n", b"\r"))
_UNEVEN += (b"\n ", b"\n\t", b"\n#")
"""Several blanks, blanks around a line, or a comment."""

Rows = Sequence[Sequence[str]]


def detect_headerless(head: Head) -> DetectedFormat | None:
    """Recognize tables of two or three columns: every line has as many fields, and the first names no column."""
    if head.comments and any(head.comments[-1].roles(delimiter) for delimiter in DELIMITERS):
        return None  # the last comment names the columns
    found: list[tuple[str, Sequence[str]]] = []
    for delimiter in (*DELIMITERS, ""):
        rows = [_split_cells(line.text, delimiter) for line in head.lines[:SAMPLE]]
        if not delimiter and all("\t" in line.text for line in head.lines[:SAMPLE]) and _is_tab_separated(head, rows):
            continue
        if names := _fitting_names(rows):
            found.append((delimiter, names))
    # A sign within the ids may split every line in two, where another leaves a number behind the ids.
    triples = [one for one in found if one[1] == _COLUMNS["triples"] and one[0]]
    return next((_headerless_format(head, *one) for one in (*triples, *found)), None)


def _is_tab_separated(head: Head, rows: Rows) -> bool:
    """Whether tabs separate every line into as many cells, some with blanks in them, which then separate nothing."""
    widths = {line.text.count("\t") + 1 for line in head.lines[:SAMPLE]}
    return len(widths) == 1 and any(len(row) > max(widths) for row in rows)


def labelled_format(head: Head) -> DetectedFormat:
    """Return the format of TREC judgments in which every grade is a word."""
    return _headerless_format(head, "", _LABELLED)


def read_labelled(content: Content, progress: Progress | None) -> Frame | None:
    """Read TREC judgments as rows of text; None if some line has not four fields."""
    try:
        return read_rows(content, progress, "", 0, _LABELLED)
    except BadInput:
        return None


def ranked_format(head: Head) -> DetectedFormat:
    """Return the format of results of four fields: query, document, rank and score, as ColBERT writes them."""
    return _headerless_format(head, "", _RANKED)


def _headerless_format(head: Head, delimiter: str, names: Sequence[str]) -> DetectedFormat:
    above = head.lines[0].number - 1
    return DetectedFormat(
        "headerless", functools.partial(read_rows, delimiter=delimiter, above=above, names=names), delimiter, above
    )


def read_rows(content: Content, progress: Progress | None, delimiter: str, above: int, names: Sequence[str]) -> Frame:
    """Read all lines below the comments as rows; every column is text.

    A line of names is put before the first row and ends in CR, so that lines keep their numbers.
    """
    text = read_text(content)
    start, sign = offset_of_line(text, above), delimiter or "\t"
    rows = text[start:] if delimiter else _separate_by_tabs(text[start:])
    return read_delimited(b"".join([text[:start], sign.join(names).encode(), b"\r", rows]), sign, progress, above)


def _separate_by_tabs(text: bytes) -> bytes:
    """Separate the fields by tabs; comments become blank lines."""
    if not any(signs in b"\n" + text for signs in _UNEVEN):
        return text.replace(b" ", b"\t")
    return b"\n".join(b"" if line.lstrip().startswith(b"#") else b"\t".join(line.split()) for line in split_lines(text))


def _split_cells(text: str, delimiter: str) -> list[str]:
    if not delimiter:
        return text.split()
    import csv

    try:
        return [cell.strip() for cell in next(csv.reader([text], delimiter=delimiter))]
    except csv.Error:  # a CR in the line, or a very long cell
        return []


def _fitting_names(rows: Rows) -> Sequence[str]:
    """Return the names that fit the rows, () if they are none of these tables."""
    width = len(rows[0])
    if {len(row) for row in rows} != {width} or any(fold(cell) in COLUMN_NAMES for cell in rows[0]):
        return ()
    if not all(all(row) for row in rows):
        return ()
    if width == 3 and all(is_number(row[2]) for row in rows):
        return _COLUMNS["triples"]
    if width == 2 and len(rows) > 1 and _starts_with_ids(rows):
        return _COLUMNS["pairs"]
    return ()


def _starts_with_ids(rows: Rows) -> bool:
    """Whether the first line has ids like those of the others: its query again, or digits in the same places."""
    if any(is_number(row[1]) and not row[1].isdigit() for row in rows):
        return False
    if any(row[0] == rows[0][0] for row in rows[1:]):
        return True
    for column in zip(*rows, strict=True):
        first, *others = (re.sub(r"\d+", "0", cell) for cell in column)
        if "0" not in first or first not in others:
            return False
    return True
