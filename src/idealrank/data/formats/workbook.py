"""Workbooks, Excel's .xlsx and OpenDocument's .ods: a sheet becomes CSV."""

from __future__ import annotations

import csv
import datetime
import io
import re
import struct
import zipfile
import zlib
from collections.abc import Iterator
from typing import IO, Any
from xml.etree import ElementTree

from idealrank.data.formats.head import packing
from idealrank.data.formats.workbook_xml import readable, refuse_damaged
from idealrank.data.roles import ALIASES, fold
from idealrank.errors import DataError, nearest, plural

EXACT = 1 << 53
"""The first whole number beside which a number of Excel has no neighbour."""

_MAIN = "{http://schemas.openxmlformats.org/spreadsheetml/2006/main}"
_KEY = "{http://schemas.openxmlformats.org/officeDocument/2006/relationships}id"
_CELL = re.compile(rb"<c\b([^>]*[^/>])>(.*?)</c>", re.S)
_VALUE = re.compile(rb"<v>([^<]+)</v>")

UNREADABLE = (OSError, RuntimeError, UnicodeError, zipfile.BadZipFile, zlib.error, struct.error)
"""What Python raises for an archive that is damaged, or packed in a way it does not know."""

_FREE, _SPARSE = 1 << 20, 16
"""Beyond so many cells, how many times its written cells the rectangle around them may have.

The reader keeps all cells of that rectangle in memory: one cell at XFD1048576 makes 17 billion, and ends the process.
"""

_TAG = re.compile(rb"<(?:\w+:)?(row|c)\b([^>]*)>")
_PLACE = re.compile(rb"""\br\s*=\s*["']([A-Z]*)([0-9]{1,9})["']""")
_CELLS = re.compile(rb"<(?:\w+:)?(?:covered-)?table-cell(?=[\s/>])([^>]*)>")
_REPEATED = re.compile(rb"""\bnumber-(?:rows|columns)-repeated\s*=\s*["']([0-9]{1,9})["']""")

_OPEN_DOCUMENT = b"application/vnd.oasis.opendocument.spreadsheet"


def is_workbook(archive: zipfile.ZipFile) -> bool:
    """Whether a zip archive is a workbook."""
    names = archive.namelist()
    if "xl/workbook.xml" in names:
        return True
    return "mimetype" in names and archive.open("mimetype").read(len(_OPEN_DOCUMENT)) == _OPEN_DOCUMENT


def sheet_text(file: IO[bytes], archive: zipfile.ZipFile, name: str, sheet: str = "") -> bytes:
    """Return a sheet, the first unless one is named, as CSV; lines have the numbers of the rows.

    Raises
    ------
    DataError
        If python-calamine is not installed, there is no such sheet, or its cells lie too far apart.
    """
    try:
        from python_calamine import CalamineError, CalamineWorkbook
    except ImportError:
        raise DataError(
            f"{name}: an Excel or OpenDocument file. Reading it needs python-calamine: "
            "pip install python-calamine. Or save the sheet as CSV."
        ) from None
    try:
        refuse_damaged(archive, name, _parts(archive, sheet))
        _refuse_repeats(archive, name)
        book = CalamineWorkbook.from_filelike(readable(file, archive, _parts(archive, sheet)))
        if sheet and sheet not in book.sheet_names:
            names = ", ".join(book.sheet_names)
            raise DataError(f"{name}: no sheet {sheet!r}.{nearest(sheet, book.sheet_names)} Sheets: {names}.")
        if not book.sheet_names:
            raise DataError(f"{name}: a workbook without a sheet. Save the sheet as CSV.")
        _refuse_far_apart(archive, name, sheet or book.sheet_names[0])
        page = book.get_sheet_by_name(sheet or book.sheet_names[0])
        rows = page.to_python()
    except DataError:
        raise
    except BaseException as error:  # also the panics of its core, which are no Exception
        if not isinstance(error, (CalamineError, *_BROKEN)) and type(error).__name__ != "PanicException":
            raise
        raise DataError(f"{name}: a workbook that cannot be read ({error}). Save the sheet as CSV.") from None
    above = (page.start or (0, 0))[0]
    _refuse_rounded(rows, above, name)
    return ("\n" * above + _as_csv(rows)).encode()


def _parts(archive: zipfile.ZipFile, sheet: str = "") -> list[str]:
    """Return the files of a workbook that a sheet is read from."""
    names = archive.namelist()
    if "xl/workbook.xml" not in names:
        return ["content.xml"]
    book = ["xl/workbook.xml", "xl/_rels/workbook.xml.rels", "xl/styles.xml", "xl/sharedStrings.xml"]
    return [*(part for part in book if part in names), _sheet_file(archive, sheet)]


def _refuse_rounded(rows: list[list[Any]], above: int, name: str) -> None:
    """Refuse ids that are numbers of more digits than a workbook keeps, so that different ids may have become one."""
    head = next((row for row in rows if any(cell != "" for cell in row)), [])
    ids = [place for place, cell in enumerate(head) if fold(str(cell)) in _IDS]
    for number, row in enumerate(rows, above + 1):
        for place in ids:
            cell = row[place]
            if isinstance(cell, float) and abs(cell) >= EXACT:
                raise DataError(
                    f"{name} line {number}: {head[place]} {cell:.0f} is a number above 2^53, which a workbook rounds, so "
                    "different ids may have become the same. Write such ids as text, or save the table as CSV from "
                    "where it was made."
                )


_IDS = frozenset().union(*ALIASES["query"], *ALIASES["text"], *ALIASES["doc"])
"""Names of the columns that identify queries and documents, folded."""


_BROKEN = (*UNREADABLE, ElementTree.ParseError, KeyError, IndexError, ValueError, StopIteration)
"""What looking through a damaged workbook raises."""


def _refuse_far_apart(archive: zipfile.ZipFile, name: str, sheet: str) -> None:
    """Refuse a sheet whose cells would fill the memory: few of them, in a large rectangle."""
    if "xl/workbook.xml" in archive.namelist():
        _refuse_extent(*_extent(archive.read(_sheet_file(archive, sheet))), name, f"sheet {sheet!r}")


def _refuse_repeats(archive: zipfile.ZipFile, name: str) -> None:
    """Refuse the same of an OpenDocument file, all of whose sheets are read when it is opened."""
    if "xl/workbook.xml" not in archive.namelist():
        _refuse_extent(*_repeated_extent(archive.read("content.xml")), name, "a sheet")


def _refuse_extent(rows: int, columns: int, written: int, name: str, sheet: str) -> None:
    if rows * columns > max(_FREE, _SPARSE * written):
        raise DataError(
            f"{name}: {sheet} has {plural(written, 'cell')} in a rectangle of {rows:,} rows and {columns:,} columns, "
            "too large to read. Delete the cells far from the table, or save the table as CSV."
        )


def _extent(xml: bytes) -> tuple[int, int, int]:
    """Return the rows and columns of the rectangle around the cells of an Excel sheet, and how many there are."""
    row = column = written = 0
    places: list[tuple[int, int]] = []
    for tag, attributes in _TAG.findall(xml):
        place = _PLACE.search(attributes)
        if tag == b"row":
            row, column = int(place[2]) if place else row + 1, 0
            continue
        if place and place[1]:
            column, row = _column(place[1]), int(place[2])
        else:
            column += 1
        written += 1
        places[:] = _widened(places, row, column)
    if not places:
        return 0, 0, 0
    (top, left), (bottom, right) = places
    return bottom - top + 1, right - left + 1, written


def _widened(places: list[tuple[int, int]], row: int, column: int) -> list[tuple[int, int]]:
    if not places:
        return [(row, column), (row, column)]
    (top, left), (bottom, right) = places
    return [(min(top, row), min(left, column)), (max(bottom, row), max(right, column))]


def _column(letters: bytes) -> int:
    number = 0
    for letter in letters[:4]:
        number = 26 * number + letter - 64
    return number


def _repeated_extent(xml: bytes) -> tuple[int, int, int]:
    """Return rows and columns of the largest rectangle of a table of an OpenDocument file, and the number of its cells.

    Empty rows and columns behind the last value take no room.
    """
    largest, written = (0, 0), 0
    rows = columns = empty_rows = 0
    for table in re.split(rb"<(?:\w+:)?table(?=[\s/>])", xml):
        rows = columns = empty_rows = 0
        for row, cells in _rows_of(table):
            at, width = 0, 0
            for repeat, has_value in cells:
                at += repeat
                width = at if has_value else width
                written += 1
            empty_rows += row
            if width:
                rows, empty_rows = rows + empty_rows, 0
                columns = max(columns, width)
        largest = max(largest, (rows, columns), key=lambda size: size[0] * size[1])
    return *largest, written


def _rows_of(table: bytes) -> Iterator[tuple[int, list[tuple[int, bool]]]]:
    """Yield each row: how often it is repeated, and of its cells how often, and whether they have a value."""
    for row in re.split(rb"<(?:\w+:)?table-row(?=[\s/>])", table)[1:]:
        tags = _CELLS.findall(row)
        times = _REPEATED.search(row, 0, row.find(b">") + 1)
        cells = [
            (int(repeat[1]) if (repeat := _REPEATED.search(tag)) else 1, not tag.endswith(b"/") or b"value" in tag)
            for tag in tags
        ]
        yield int(times[1]) if times else 1, cells


def notes_on(path: str, sheet: str = "") -> list[str]:
    """Say which sheets a workbook has, and which cells of one are not read as they look; nothing for other files."""
    if packing(path) != "zip":
        return []
    try:
        with zipfile.ZipFile(path) as archive:
            if not is_workbook(archive):
                return []
            refuse_damaged(archive, path, _parts(archive, sheet))
            notes = _cell_notes(archive, sheet) if "xl/workbook.xml" in archive.namelist() else []
            _refuse_repeats(archive, path)
    except (*_BROKEN, DataError):  # whoever reads it says what is wrong with it
        return []
    names = sheet_names(path)
    return [*([f"sheets: {', '.join(names)}; name one as {path}#{names[-1]}"] if len(names) > 1 else []), *notes]


def sheet_names(path: str) -> list[str]:
    """Return the names of the sheets; none if python-calamine is not installed."""
    try:
        from python_calamine import CalamineError, CalamineWorkbook
    except ImportError:
        return []
    try:
        return list(CalamineWorkbook.from_path(path).sheet_names)
    except CalamineError:
        return []


def _cell_notes(archive: zipfile.ZipFile, sheet: str) -> list[str]:
    """Count the formulas without a value and the errors of a sheet, and its numbers that lost their last digits."""
    found = dict.fromkeys(("formula", "error", "number"), 0)
    for attributes, body in _CELL.findall(archive.read(_sheet_file(archive, sheet))):
        value = _VALUE.search(body)
        text = value[1] if value else b""
        found["formula"] += b"<f" in body and not text
        found["error"] += b't="e"' in attributes
        found["number"] += b't="' not in attributes.replace(b't="n"', b"") and text.isdigit() and int(text) >= EXACT
    return [
        plural(count, noun) + said
        for count, noun, said in (
            (found["formula"], "formula", " without a value: open the file in Excel and save it"),
            (found["error"], "cell", " with an error such as #N/A, read as empty"),
            (found["number"], "whole number", " above 2^53, which Excel rounds: write such ids as text"),
        )
        if count
    ]


def _sheet_file(archive: zipfile.ZipFile, sheet: str) -> str:
    """Return the file of a sheet in the archive, the first unless one is named."""
    sheets = [
        (each.get("name"), each.get(_KEY))
        for each in ElementTree.fromstring(archive.read("xl/workbook.xml")).iter(f"{_MAIN}sheet")
    ]
    targets = {
        each.get("Id"): each.get("Target", "")
        for each in ElementTree.fromstring(archive.read("xl/_rels/workbook.xml.rels"))
    }
    target = targets[next((key for name, key in sheets if name == sheet), sheets[0][1])]
    return target.lstrip("/") if target.startswith("/") else f"xl/{target}"


def _as_csv(rows: list[list[Any]]) -> str:
    text = io.StringIO()
    csv.writer(text, lineterminator="\n").writerows([_written(cell) for cell in row] for row in rows)
    return text.getvalue()


def _written(cell: Any) -> str:
    """Write a cell as text: whole numbers without a fraction, as the workbook shows them, and TRUE as 1."""
    if isinstance(cell, bool):
        return str(int(cell))
    if isinstance(cell, float) and cell.is_integer():
        return str(int(cell))
    return cell.isoformat() if isinstance(cell, datetime.date | datetime.time) else str(cell)
