"""Text whose first line names the columns, such as CSV and TSV."""

import functools
from collections.abc import Iterable

from idealrank._core import BadInput, Frame, Progress, read_delimited
from idealrank.data.formats.head import (
    COLUMN_NAMES,
    DELIMITERS,
    SAMPLE,
    Content,
    DetectedFormat,
    Head,
    Line,
    is_number,
    offset_of_line,
    read_text,
)
from idealrank.data.formats.messages import TREC_FIELDS, quoted
from idealrank.data.roles import fold
from idealrank.errors import DataError


def refuse_title(head: Head, number: int) -> None:
    """Refuse a title above the names of the columns, as merged cells of a workbook make one.

    Asked only of a header that the core refused since a name is there twice, as the empty cells beside a title are, or
    since the lines below have another number of fields.

    Parameters
    ----------
    number
        The line that should name the columns.

    Raises
    ------
    DataError
        If that line has one text in several fields, or names fewer columns than a line below, which has a text in each
        field, none of them a number. Lines without any text may be between them.
    """
    import csv

    lines = [line for line in head.lines if line.number >= number][:_TITLES]
    delimiter = max(DELIMITERS, key=lines[0].text.count) if lines else ","
    try:
        rows = [
            (line.number, [f.strip() for f in next(csv.reader([line.text], delimiter=delimiter))]) for line in lines
        ]
    except csv.Error:  # a cell that is too long for a title or a name
        return
    below_it, names = next(
        ((at, _named(fields)) for at, fields in rows[1:] if len(fields) > 1 and all(fields) and _are_words(fields)),
        (0, 0),
    )
    above = [[text for text in fields if text] for at, fields in rows if at < below_it]
    titles = [" ".join(texts) for texts in above if texts]
    named = max(map(_named, above), default=0)
    if titles and (names > max(named, 1) or (not named and all(len(texts) < 2 for texts in above))):
        where = f"line {number}" if len(titles) == 1 else f"lines {number} to {below_it - 1}"
        looks = "looks like a title" if len(titles) == 1 else "look like titles"
        raise DataError(
            f"{head.name} {where}: {quoted(titles[0])} {looks}, and the names of the columns seem to be in line "
            f"{below_it}. Delete the {'line' if len(above) == 1 else 'lines'} above it: the first line must name the "
            "columns."
        )


def _named(fields: Iterable[str]) -> int:
    """Count the names of columns in a line."""
    return sum(fold(text) in COLUMN_NAMES for text in fields)


def _are_words(fields: Iterable[str]) -> bool:
    return not any(map(is_number, fields))


_TITLES = 10
"""Lines among which the names of the columns are looked for."""


def detect_delimited(head: Head) -> DetectedFormat:
    """Find the delimiter, and the header among the comments or below them.

    Raises
    ------
    DataError
        If no delimiter divides the first line.
    """
    comments, first = head.comments, head.lines[0]
    if (
        comments
        and (delimiter := _naming_delimiter(comments[-1]))
        and _count_cells(comments[-1], delimiter) == _count_cells(first, delimiter)
    ):
        return _delimited_format(delimiter, comments[-1].number - 1)
    delimiter = _naming_delimiter(first) or max(DELIMITERS, key=first.text.count)
    if delimiter in first.text or first.roles(delimiter):
        return _delimited_format(delimiter, first.number - 1 if comments else 0)
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


def read_table(content: Content, progress: Progress | None, delimiter: str, comments: int) -> Frame:
    """Read the rows below the header; every column is text."""
    try:
        return read_delimited(content, delimiter, progress, comments)
    except BadInput as bad:
        if bad.args[:1] == ("ragged",) and bad.args[2] != "unclosed" and _is_unclosed(content, bad.args[1]):
            raise BadInput("ragged", bad.args[1], "unclosed", *bad.args[3:]) from None
        raise


def _is_unclosed(content: Content, line: int) -> bool:
    """Whether a quote opens in a line and is never closed, so that the rest of the file is one cell."""
    text = read_text(content)
    rest = text[offset_of_line(text, line - 1) :]
    return rest.count(b"\n") > 1 and rest.count(b'"') % 2 == 1 and rest.partition(b"\n")[0].count(b'"') % 2 == 1


def read_header(head: Head, detected: DetectedFormat) -> list[str]:
    """Return the columns the header names, without reading rows."""
    import csv

    lines = head.start.decode("utf-8-sig", "replace").split("\n")[detected.comments :]
    return next(csv.reader([line for line in lines if line.strip()], delimiter=detected.delimiter))


def _delimited_format(delimiter: str, comments: int) -> DetectedFormat:
    return DetectedFormat(
        "delimited", functools.partial(read_table, delimiter=delimiter, comments=comments), delimiter, comments
    )


def _naming_delimiter(line: Line) -> str:
    """Return the delimiter with which a line names the most columns, "" if it names none."""
    best = max(DELIMITERS, key=lambda delimiter: (line.roles(delimiter), line.text.count(delimiter)))
    return best if line.roles(best) else ""


def _count_cells(line: Line, delimiter: str) -> int:
    return len(line.cells(delimiter))
