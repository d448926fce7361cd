"""Tables without a line of names: query, document and a number, or rank and score, or nothing; TREC grades in words."""

from __future__ import annotations

import functools
import re
from collections.abc import Sequence

import numpy as np

from idealrank._core import BadInput, Frame, Progress, read_delimited
from idealrank.arrays import Floats, Ints
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
from idealrank.data.formats.source import Source
from idealrank.data.roles import Roles, fold

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


def roles_as_scores(table: Source, roles: Roles) -> Roles:
    """Return the roles of results with the third of three columns without names as their scores."""
    if NUMBER not in table.frame.names or not table.headerless_form:
        return roles
    return Roles(table.name, ["score" if name == NUMBER else name for name in table.frame.names], {})


def counts_rows(table: Source) -> bool:
    """Whether no third of three columns without names says anything else than the ranks of each query, from 1."""
    return NUMBER not in table.frame.names or not table.headerless_form or are_ranks(table)


def are_ranks(table: Source) -> bool:
    """Whether the third column counts the rows of each query from 1."""
    return bool((_third_column(table) == places_in_query(table.frame.column(0).codes()[0])).all())


def why_not_grades(table: Source) -> str:
    """Why the third column does not look like grades: ``ranks`` or ``fractions``; "" if it does."""
    numbers = _third_column(table)
    if are_ranks(table) and numbers.max(initial=0) > 1:
        return "ranks"
    return "fractions" if (numbers != np.floor(numbers)).any() else ""


def are_grades(table: Source) -> bool:
    """Whether the third column looks like grades: few different whole numbers, which do not count the rows."""
    return not why_not_grades(table) and len(np.unique(_third_column(table))) <= MOST_GRADES


MOST_GRADES = 11
"""Different grades there are at most, as on a scale from 0 to 10."""


def _third_column(table: Source) -> Floats:
    numbers = table.number(table.frame.names.index(NUMBER))
    assert numbers is not None
    return numbers.floats()


def places_in_query(query: Ints) -> Floats:
    """(N,) the place of each row among those of its query, from 1."""
    order = np.argsort(query, kind="stable")
    starts = np.flatnonzero(np.diff(query[order], prepend=-2))
    lengths = np.diff(np.append(starts, len(query)))
    places = np.empty(len(query))
    places[order] = np.arange(len(query)) - np.repeat(starts, lengths) + 1
    return places
