"""Text whose first line names the columns, such as CSV and TSV."""

import csv
import functools

from idealrank._core import BadInput, Frame, Progress, read_delimited
from idealrank.data.formats.head import (
    COLUMN_NAMES,
    DELIMITERS,
    SAMPLE,
    Content,
    DetectedFormat,
    Head,
    Line,
    below,
    is_number,
    text_of,
)
from idealrank.data.formats.messages import TREC_FIELDS, quoted
from idealrank.data.roles import fold
from idealrank.errors import DataError


def looks_like(head: Head) -> DetectedFormat:
    """Find the delimiter, and the header among the comments or below them.

    Raises
    ------
    DataError
        If no delimiter divides the first line.
    """
    comments, first = head.comments, head.lines[0]
    if (
        comments
        and (delimiter := _header(comments[-1]))
        and _width(comments[-1], delimiter) == _width(first, delimiter)
    ):
        return _form(delimiter, comments[-1].number - 1)
    delimiter = _header(first) or max(DELIMITERS, key=first.text.count)
    if delimiter in first.text or first.roles(delimiter):
        return _form(delimiter, first.number - 1 if comments else 0)
    if sum(fold(field) in COLUMN_NAMES for field in first.fields) > 1:
        raise DataError(
            f"{head.name} line {first.number}: {quoted(first.text)} names columns separated by spaces. "
            "Separate them with commas, tabs, semicolons or |."
        )
    if "::" in first.text:
        raise DataError(
            f"{head.name} line {first.number}: {quoted(first.text)} has fields separated by ::, which is not read. "
            "Separate them with tabs, and name the columns in the first line."
        )
    if {len(line.fields) for line in head.lines[:SAMPLE]} == {3} and any(map(is_number, first.fields)):
        raise DataError(
            f"{head.name} line {first.number}: {quoted(first.text)} has three fields, read as query, document and "
            f"number, but {quoted(first.fields[2])} is not a number. Put the document second, or add a first line "
            "that names the columns, and separate the fields by tabs."
        )
    raise DataError(f"{head.name} line {first.number}: {quoted(first.text)} is not a line of TREC text. {TREC_FIELDS}")


def read(content: Content, progress: Progress | None, delimiter: str, comments: int) -> Frame:
    """Read the rows below the header; every column is text."""
    try:
        return read_delimited(content, delimiter, progress, comments)
    except BadInput as bad:
        if bad.args[:1] == ("ragged",) and bad.args[2] != "unclosed" and _swallowed(content, bad.args[1]):
            raise BadInput("ragged", bad.args[1], "unclosed", *bad.args[3:]) from None
        raise


def _swallowed(content: Content, line: int) -> bool:
    """Whether a quote that opens in a line, and is never closed, makes all that follows one cell."""
    text = text_of(content)
    rest = text[below(text, line - 1) :]
    return rest.count(b"\n") > 1 and rest.count(b'"') % 2 == 1 and rest.partition(b"\n")[0].count(b'"') % 2 == 1


def header(head: Head, form: DetectedFormat) -> list[str]:
    """Return the columns the header names, without reading rows."""
    lines = head.start.decode("utf-8-sig", "replace").split("\n")[form.comments :]
    return next(csv.reader([line for line in lines if line.strip()], delimiter=form.delimiter))


def _form(delimiter: str, comments: int) -> DetectedFormat:
    return DetectedFormat(
        "delimited", functools.partial(read, delimiter=delimiter, comments=comments), delimiter, comments
    )


def _header(line: Line) -> str:
    """Return the delimiter with which a line names the most columns, "" if it names none."""
    best = max(DELIMITERS, key=lambda delimiter: (line.roles(delimiter), line.text.count(delimiter)))
    return best if line.roles(best) else ""


def _width(line: Line, delimiter: str) -> int:
    return len(line.cells(delimiter))
