"""Files within files: compressed files, archives, and workbooks, whose sheets become CSV."""

from __future__ import annotations

import bz2
import csv
import datetime
import io
import lzma
import re
import struct
import zipfile
import zlib
from collections.abc import Callable
from typing import IO, Any
from xml.etree import ElementTree
from xml.parsers import expat

from idealrank.data.formats.head import FileOrBytes, packing
from idealrank.data.formats.workbook_xml import refuse_damaged, refuse_unread_cells, without_lost_texts
from idealrank.data.roles import ALIASES, fold
from idealrank.errors import DataError, nearest, plural, some

# Compressed files, archives and UTF-16: unpacked in memory, within limits; gz and zst are left to the core.


MOST_BYTES = 1 << 32
"""Bytes that a file may have once it is unpacked."""

FREE, RATIO = 1 << 26, 1000
"""Beyond so many bytes, how many times its packed size a file may have."""

_PIECE = 1 << 20


def decompress(content: FileOrBytes, name: str, part: str = "") -> FileOrBytes:
    """Unpack a file, and decode UTF-16; other files are returned as they are.

    Parameters
    ----------
    part
        The file of an archive, or the sheet of a workbook, if there are several.

    Raises
    ------
    DataError
        If it cannot be unpacked, or becomes too large.
    """
    # A loop, since what is unpacked may be packed again, such as UTF-16 text in a zip archive.
    while how := packing(content):
        try:
            with io.BytesIO(content) if isinstance(content, bytes) else open(content, "rb") as file:
                content, part = _UNPACKERS[how](file, name, part), ""
        except EOFError:
            raise DataError(f"{name}: the compressed data ends early. Copy or compress the file again.") from None
        except (*UNREADABLE, lzma.LZMAError) as error:
            raise DataError(f"{name}: cannot be unpacked ({error}). Check the file, or unpack it yourself.") from None
    return content


def _unpack_bz2(file: IO[bytes], name: str, part: str) -> bytes:
    return _read_limited(bz2.BZ2File(file), name, _size(file))


def _unpack_xz(file: IO[bytes], name: str, part: str) -> bytes:
    return _read_limited(lzma.LZMAFile(file), name, _size(file))


def _unpack_lz4(file: IO[bytes], name: str, part: str) -> bytes:
    try:
        import lz4.frame
    except ImportError:
        raise DataError(f"{name}: lz4 data. Reading it needs lz4 (pip install lz4); or unpack the file.") from None
    return _read_limited(lz4.frame.open(file), name, _size(file))


def _decode_utf16(file: IO[bytes], name: str, part: str) -> bytes:
    return file.read().decode("utf-16").encode()


def _unpack_zip(file: IO[bytes], name: str, part: str) -> bytes:
    """Read the only file of an archive, or the one asked for; nothing is written to disk."""
    with zipfile.ZipFile(file) as archive:
        size = sum(entry.file_size for entry in archive.infolist())
        if size > MOST_BYTES:
            raise _too_large(name)
        if is_workbook(archive):
            if size > FREE and size > RATIO * _size(file):
                raise _too_large(name)
            return sheet_text(file, archive, name, part)
        files = {entry.filename: entry for entry in archive.infolist() if not _is_hidden(entry)}
        if part not in files and (part or len(files) != 1):
            raise DataError(
                f"{name}: {f'no {part!r} in ' if part else ''}a zip archive with {len(files)} files ({some(files)}). "
                f"Say which: {name.partition('#')[0]}#{next(iter(files), 'FILE')}."
            )
        entry = files[part] if part else next(iter(files.values()))
        return _read_limited(archive.open(entry), name, max(entry.compress_size, 1))


def _is_hidden(entry: zipfile.ZipInfo) -> bool:
    parts = entry.filename.split("/")
    return not entry.filename or entry.is_dir() or parts[0] == "__MACOSX" or parts[-1].startswith(".")


def _size(file: IO[bytes]) -> int:
    size = file.seek(0, io.SEEK_END)
    file.seek(0)
    return size


def _read_limited(file: Any, name: str, packed: int) -> bytes:
    """Read an unpacking file piece by piece, unless it becomes too large."""
    pieces: list[bytes] = []
    size = 0
    while piece := file.read(_PIECE):
        pieces.append(piece)
        size += len(piece)
        if size > MOST_BYTES or (size > FREE and size > RATIO * packed):
            raise _too_large(name)
    return b"".join(pieces)


def _too_large(name: str) -> DataError:
    return DataError(
        f"{name}: larger than 4 GiB, or more than {RATIO:,} times its packed size, once unpacked. If that is right, "
        "unpack the file yourself."
    )


# Workbooks, Excel's .xlsx and OpenDocument's .ods: a sheet becomes CSV.


EXACT = 1 << 53
"""The first whole number beside which a number of Excel has no neighbour."""

_MAIN = "{http://schemas.openxmlformats.org/spreadsheetml/2006/main}"
_KEY = "{http://schemas.openxmlformats.org/officeDocument/2006/relationships}id"

UNREADABLE = (OSError, RuntimeError, UnicodeError, zipfile.BadZipFile, zlib.error, struct.error)
"""What Python raises for an archive that is damaged, or packed in a way it does not know."""

_FREE, _SPARSE = 1 << 20, 16
"""Beyond so many cells, how many times its written cells the rectangle around them may have.

The reader keeps all cells of that rectangle in memory: one cell at XFD1048576 makes 17 billion, and ends the process.
"""

_PLACE = re.compile(r"([A-Za-z]{1,3})([0-9]{1,7})")
_LAST_ROW, _LAST_COLUMN = 1 << 20, 1 << 14
"""Of an Excel sheet. The reader counts a number of more digits round to a small one, or ends the process."""

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
        _refuse_same_names(archive)
        _refuse_large_tables(archive, name)
        refuse_damaged(archive, name, _shared_parts(archive))
        book = CalamineWorkbook.from_filelike(without_lost_texts(file, archive, _text_parts(archive, sheet)))
        if sheet and sheet not in book.sheet_names:
            names = ", ".join(book.sheet_names)
            raise DataError(f"{name}: no sheet {sheet!r}.{nearest(sheet, book.sheet_names)} Sheets: {names}.")
        if not book.sheet_names:
            raise DataError(f"{name}: a workbook without a sheet. Save the sheet as CSV.")
        _refuse_far_apart(archive, name, sheet or book.sheet_names[0])
        if "xl/workbook.xml" not in archive.namelist():
            refuse_unread_cells(archive.read("content.xml"), name, sheet or book.sheet_names[0])
        page = book.get_sheet_by_name(sheet or book.sheet_names[0])
        rows = page.to_python()
    except DataError:
        raise
    except BaseException as error:  # also the panics of its core, which are no Exception
        if not isinstance(error, (CalamineError, *_BROKEN)) and type(error).__name__ != "PanicException":
            raise
        raise DataError(f"{name}: a workbook that cannot be read ({error}). Save the sheet as CSV.") from None
    above = (page.start or (0, 0))[0]
    # Empty rows above the table become blank lines, so that messages name the rows of the sheet.
    _refuse_rounded(rows, above, name)
    return ("\n" * above + _as_csv(rows)).encode()


def _as_csv(rows: list[list[Any]]) -> str:
    text = io.StringIO()
    csv.writer(text, lineterminator="\n").writerows([_cell_text(cell) for cell in row] for row in rows)
    return text.getvalue()


def _cell_text(cell: Any) -> str:
    """Write a cell as text: whole numbers without a fraction, as the workbook shows them, and TRUE as 1."""
    if isinstance(cell, bool):
        return str(int(cell))
    if isinstance(cell, float) and cell.is_integer():
        return str(int(cell))
    return cell.isoformat() if isinstance(cell, datetime.date | datetime.time) else str(cell)


_SHARED = "xl/sharedStrings.xml"
"""The texts of all sheets of an Excel file."""


def _shared_parts(archive: zipfile.ZipFile) -> list[str]:
    """Return the parts of an Excel file that its sheets share: texts, and the styles that make a number a date."""
    return [part for part in ("xl/styles.xml", _SHARED) if part in archive.namelist()]


def _text_parts(archive: zipfile.ZipFile, sheet: str) -> list[str]:
    """Return the files of a workbook that contain the texts of a sheet."""
    if "xl/workbook.xml" not in archive.namelist():
        return ["content.xml"]
    return [part for part in (_SHARED, _sheet_file(archive, sheet)) if part in archive.namelist()]


def _refuse_rounded(rows: list[list[Any]], above: int, name: str) -> None:
    """Refuse ids that are numbers of more digits than a workbook keeps, so that different ids may have become one."""
    head = next((row for row in rows if any(cell != "" for cell in row)), [])
    ids = [place for place, cell in enumerate(head) if fold(str(cell)) in _IDS]
    for number, row in enumerate(rows, above + 1):
        for place in ids:
            cell = row[place]
            if isinstance(cell, float) and abs(cell) >= EXACT:
                raise DataError(
                    f"{name} line {number}: {head[place]} {cell:.0f} is a number above 2^53, which a workbook rounds, "
                    "so different ids may have become the same. Write such ids as text, or save the table as CSV "
                    "where it was made."
                )


_IDS = frozenset().union(*ALIASES["query"], *ALIASES["text"], *ALIASES["doc"])
"""Names of the columns that identify queries and documents, folded."""

_BROKEN = (*UNREADABLE, ElementTree.ParseError, expat.ExpatError, LookupError, ValueError, StopIteration)
"""What looking through a damaged workbook raises."""


def _refuse_same_names(archive: zipfile.ZipFile) -> None:
    """Refuse an archive with two files of one name: its reader, which ignores case, may take the other one."""
    names = [each.lower() for each in archive.namelist()]
    if len(set(names)) < len(names):
        raise ValueError("two of its files have the same name")


def _refuse_far_apart(archive: zipfile.ZipFile, name: str, sheet: str) -> None:
    """Refuse a sheet whose cells would fill the memory: few of them, in a large rectangle."""
    if "xl/workbook.xml" in archive.namelist():
        _refuse_extent(*_measure_sheet(archive.read(_sheet_file(archive, sheet))), name, f"sheet {sheet!r}")


def _refuse_large_tables(archive: zipfile.ZipFile, name: str) -> None:
    """Refuse an OpenDocument file with such a sheet; all its sheets are read when it is opened."""
    if "xl/workbook.xml" not in archive.namelist():
        _refuse_extent(*_measure_tables(archive.read("content.xml")), name, "a sheet")


def _refuse_extent(rows: int, columns: int, written: int, name: str, sheet: str) -> None:
    if rows * columns > max(_FREE, _SPARSE * written):
        raise DataError(
            f"{name}: {sheet} has {plural(written, 'cell')} in a rectangle of {rows:,} rows and {columns:,} columns, "
            "too large to read. Delete the cells far from the table, or save the table as CSV."
        )


class _SheetExtent:
    """Finds the rectangle around the cells of an Excel sheet, counting rows and columns as python-calamine does."""

    def __init__(self) -> None:
        self.row = self.column = self.written = 0
        self.top = self.left = _LAST_ROW
        self.bottom = self.right = 0

    def start(self, tag: str, attributes: dict[str, str]) -> None:
        kind = tag.rpartition(":")[2]
        if kind == "row":
            self.row, self.column = _parse_count(attributes["r"]) if "r" in attributes else self.row + 1, 0
        elif kind == "c":
            self.row, self.column = (
                _parse_cell_name(attributes["r"]) if "r" in attributes else (self.row, self.column + 1)
            )
            self.written += 1
            if self.row > _LAST_ROW or self.column > _LAST_COLUMN:
                raise ValueError(f"a cell in row {self.row} and column {self.column}, where no sheet of Excel has one")
            self.top, self.bottom = min(self.top, self.row), max(self.bottom, self.row)
            self.left, self.right = min(self.left, self.column), max(self.right, self.column)

    def end(self, tag: str) -> None:
        """Nothing: a cell is counted where it begins."""


def _measure_sheet(xml: bytes) -> tuple[int, int, int]:
    """Return the rows and columns of the rectangle around the cells of an Excel sheet, and how many there are."""
    found = _SheetExtent()
    _parse_tags(xml, found)
    if not found.written:
        return 0, 0, 0
    return found.bottom - found.top + 1, found.right - found.left + 1, found.written


def _parse_tags(xml: bytes, tags: _SheetExtent | _TableExtent) -> None:
    """Read the tags of a file; one that defines entities is refused, as python-calamine does not know them."""
    parser = expat.ParserCreate()
    parser.StartElementHandler, parser.EndElementHandler = tags.start, tags.end
    parser.StartDoctypeDeclHandler = _refuse_definitions
    parser.Parse(xml, True)


def _refuse_definitions(*_: object) -> None:
    raise ValueError("a file with definitions of its own")


def _parse_count(text: str) -> int:
    if not (text.isascii() and text.isdigit() and len(text) < 10):
        raise ValueError(f"{text[:40]!r} is no number of rows or columns")
    return int(text)


def _parse_cell_name(text: str) -> tuple[int, int]:
    """Return the row and the column of a cell."""
    if not (place := _PLACE.fullmatch(text)):
        raise ValueError(f"{text[:40]!r} is no place of a cell")
    column = 0
    for letter in place[1].upper():
        column = 26 * column + ord(letter) - 64
    return int(place[2]), column


class _TableExtent:
    """Finds the largest table of an OpenDocument file; empty rows and columns at its end do not count."""

    def __init__(self) -> None:
        self.largest, self.written = (0, 0), 0
        self.rows = self.columns = self.empty_rows = 0
        self.times = self.at = self.width = self.repeat = 0

    def start(self, tag: str, attributes: dict[str, str]) -> None:
        kind = tag.rpartition(":")[2]
        if kind == "table":
            self.rows = self.columns = self.empty_rows = 0
        elif kind == "table-row":
            self.times, self.at, self.width = _repeat_count(attributes, "rows"), 0, 0
        elif kind in ("table-cell", "covered-table-cell"):
            self.repeat = _repeat_count(attributes, "columns")
            self.at += self.repeat
            self.written += 1
            if any("value" in name or "formula" in name for name in attributes):
                self.width = self.at
        else:
            self.width = self.at  # something within a cell

    def end(self, tag: str) -> None:
        if tag.rpartition(":")[2] == "table-row":
            self.empty_rows += self.times
            if self.width:
                self.rows, self.empty_rows = self.rows + self.empty_rows, 0
                self.columns = max(self.columns, self.width)
            self.largest = max(self.largest, (self.rows, self.columns), key=lambda size: size[0] * size[1])


def _repeat_count(attributes: dict[str, str], what: str) -> int:
    return next(
        (_parse_count(text) for name, text in attributes.items() if name.endswith(f"number-{what}-repeated")), 1
    )


def _measure_tables(xml: bytes) -> tuple[int, int, int]:
    """Return the rows and columns of the largest table of an OpenDocument file, and its number of written cells."""
    found = _TableExtent()
    _parse_tags(xml, found)
    return *found.largest, found.written


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


_UNPACKERS: dict[str, Callable[[IO[bytes], str, str], bytes]] = {
    "bz2": _unpack_bz2,
    "xz": _unpack_xz,
    "lz4": _unpack_lz4,
    "zip": _unpack_zip,
    "utf-16": _decode_utf16,
}

_CELL = re.compile(rb"<c\b([^>]*[^/>])>(.*?)</c>", re.S)
_VALUE = re.compile(rb"<v>([^<]+)</v>")

_FULL_CELL = re.compile(rb"<(\w+:)?c\s[^<>]*[^/<>]>")
_BEGINNING = 1 << 20
"""Bytes of a sheet in which its first cell is looked for."""


def workbook_notes(path: str, sheet: str = "") -> list[str]:
    """Say which sheets a workbook has, and which cells of one are not read as they look; nothing for other files."""
    if packing(path) != "zip":
        return []
    try:
        with zipfile.ZipFile(path) as archive:
            if not is_workbook(archive):
                return []
            notes = _cell_notes(archive, sheet) if "xl/workbook.xml" in archive.namelist() else []
            _refuse_large_tables(archive, path)
    except (*_BROKEN, DataError):  # whoever reads it says what is wrong with it
        return []
    names = sheet_names(path)
    return [*([f"sheets: {', '.join(names)}; name one as {path}#{names[-1]}"] if len(names) > 1 else []), *notes]


def filled_sheets(path: str) -> list[str]:
    """Return the names of the first sheet of a workbook and of all that are not empty; none for other archives."""
    names = sheet_names(path)
    try:
        with zipfile.ZipFile(path) as archive:
            if not is_workbook(archive):
                return []
            return names[:1] + [name for name in names[1:] if not _is_empty(archive, name)]
    except _BROKEN:  # whoever reads it says what is wrong with it
        return []


def _is_empty(archive: zipfile.ZipFile, sheet: str) -> bool:
    """Whether a sheet of an Excel file has no cell, as the second and third of a new workbook may."""
    if "xl/workbook.xml" not in archive.namelist():
        return False
    with archive.open(_sheet_file(archive, sheet)) as xml:
        return not _FULL_CELL.search(xml.read(_BEGINNING))


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
