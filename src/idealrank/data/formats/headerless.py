"""Tables without a line of column names: query, document and a number; query and document; TREC judgments in words."""

from __future__ import annotations

import csv
import functools
import re
from collections.abc import Sequence

import numpy as np

from idealrank._core import Frame, Progress, read_delimited
from idealrank.arrays import Floats, Ints
from idealrank.data.formats.head import (
    COLUMN_NAMES,
    DELIMITERS,
    SAMPLE,
    Content,
    DetectedFormat,
    Head,
    below,
    is_number,
    lines_of,
    text_of,
)
from idealrank.data.formats.source import Source
from idealrank.data.roles import Roles, fold

NUMBER = "number"
"""The column that is the grade in judgments, and the rank or the score in results."""

_COLUMNS = {"triples": ("query_id", "doc_id", NUMBER), "pairs": ("query_id", "doc_id")}

_LABELLED = ("query_id", "iteration", "doc_id", "grade")

_UNEVEN = tuple(before + after for before in (b" ", b"\t") for after in (b" ", b"\t", b"\n", b"\r"))
_UNEVEN += (b"\n ", b"\n\t", b"\n#")
"""Several blanks, blanks around a line, or a comment."""

Rows = Sequence[Sequence[str]]


def looks_like(head: Head) -> DetectedFormat | None:
    """Recognize tables of two or three columns: every line has as many fields, and the first names no column."""
    if head.comments and any(head.comments[-1].roles(delimiter) for delimiter in DELIMITERS):
        return None  # the last comment names the columns
    for delimiter in (*DELIMITERS, ""):
        rows = [_cells(line.text, delimiter) for line in head.lines[:SAMPLE]]
        if names := _columns(rows):
            return _form(head, delimiter, names)
    return None


def labelled(head: Head) -> DetectedFormat | None:
    """Recognize TREC judgments in which every grade is a word."""
    rows = [line.fields for line in head.lines[:SAMPLE]]
    if any(fold(field) in COLUMN_NAMES for field in rows[0]):
        return None
    if all(len(row) == 4 and row[1].upper() in ("0", "Q0") and _is_label(row[3]) for row in rows):
        return _form(head, "", _LABELLED)
    return None


def _form(head: Head, delimiter: str, names: Sequence[str]) -> DetectedFormat:
    above = head.lines[0].number - 1
    return DetectedFormat(
        "headerless", functools.partial(read, delimiter=delimiter, above=above, names=names), delimiter, above
    )


def read(content: Content, progress: Progress | None, delimiter: str, above: int, names: Sequence[str]) -> Frame:
    """Read all lines below the comments as rows; every column is text.

    A line of names is put before the first row and ends in CR, so that lines keep their numbers.
    """
    text = text_of(content)
    start, sign = below(text, above), delimiter or "\t"
    rows = text[start:] if delimiter else _with_tabs(text[start:])
    return read_delimited(b"".join([text[:start], sign.join(names).encode(), b"\r", rows]), sign, progress, above)


def _with_tabs(text: bytes) -> bytes:
    """Separate the fields by tabs; comments become blank lines."""
    if not any(signs in b"\n" + text for signs in _UNEVEN):
        return text.replace(b" ", b"\t")
    return b"\n".join(b"" if line.lstrip().startswith(b"#") else b"\t".join(line.split()) for line in lines_of(text))


def _cells(text: str, delimiter: str) -> list[str]:
    if not delimiter:
        return text.split()
    try:
        return [cell.strip() for cell in next(csv.reader([text], delimiter=delimiter))]
    except csv.Error:  # a CR in the line, or a very long cell
        return []


def _columns(rows: Rows) -> Sequence[str]:
    """Return the names that fit the rows, () if they are none of these tables."""
    width = len(rows[0])
    if {len(row) for row in rows} != {width} or any(fold(cell) in COLUMN_NAMES for cell in rows[0]):
        return ()
    if not all(all(row) for row in rows):
        return ()
    if width == 3 and all(is_number(row[2]) for row in rows):
        return _COLUMNS["triples"]
    if width == 2 and len(rows) > 1 and _like_ids(rows):
        return _COLUMNS["pairs"]
    return ()


def _like_ids(rows: Rows) -> bool:
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


def _is_label(text: str) -> bool:
    return text[:1].isalpha() and not is_number(text)


# The third of three columns without names: the grade in judgments, the rank or the score in results.


def unnamed_roles(table: Source, value: str) -> list[str]:
    """Name the columns of a table without names.

    Parameters
    ----------
    value
        ``grade`` or ``score``; a score is a rank if the numbers of every query are 1, 2, 3 … in order.
    """
    names = list(table.frame.names)
    if NUMBER in names:
        names[names.index(NUMBER)] = "rank" if value == "score" and are_ranks(table) else value
    return names


def as_scores(table: Source, roles: Roles) -> Roles:
    """Return the roles of results with the third of three columns without names as their scores."""
    if NUMBER not in table.frame.names or not table.form:
        return roles
    return Roles(table.name, ["score" if name == NUMBER else name for name in table.frame.names], {})


def counts_rows(table: Source) -> bool:
    """Whether no third of three columns without names says anything else than the ranks of each query, from 1."""
    return NUMBER not in table.frame.names or not table.form or are_ranks(table)


def are_ranks(table: Source) -> bool:
    """Whether the third column counts the rows of each query from 1."""
    return bool((_numbers(table) == _places(table.frame.column(0).codes()[0])).all())


def like_results(table: Source) -> str:
    """Why the third column does not look like grades: ``ranks`` or ``fractions``; "" if it does."""
    numbers = _numbers(table)
    if are_ranks(table) and numbers.max(initial=0) > 1:
        return "ranks"
    return "fractions" if (numbers != np.floor(numbers)).any() else ""


def like_grades(table: Source) -> bool:
    """Whether the third column looks like grades: few different whole numbers, which do not count the rows."""
    return not like_results(table) and len(np.unique(_numbers(table))) <= MOST_GRADES


MOST_GRADES = 11
"""Different grades there are at most, as on a scale from 0 to 10."""


def _numbers(table: Source) -> Floats:
    numbers = table.number(table.frame.names.index(NUMBER))
    assert numbers is not None
    return numbers.floats()


def _places(query: Ints) -> Floats:
    """(N,) the place of each row among those of its query, from 1."""
    order = np.argsort(query, kind="stable")
    starts = np.flatnonzero(np.diff(query[order], prepend=-2))
    lengths = np.diff(np.append(starts, len(query)))
    places = np.empty(len(query))
    places[order] = np.arange(len(query)) - np.repeat(starts, lengths) + 1
    return places
