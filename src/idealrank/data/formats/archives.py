"""Files within files: compressed files, archives, and workbooks, whose sheets become CSV."""

from __future__ import annotations

import bz2
import csv
import datetime
import io
import lzma
import os
import re
import struct
import zipfile
import zlib
from collections.abc import Callable, Sequence
from typing import IO, Any, NamedTuple
from xml.etree import ElementTree
from xml.parsers import expat

from idealrank._core import sniff
from idealrank.data.formats.head import SCORES_HEAD, FileOrBytes, packing
from idealrank.data.formats.workbook_xml import refuse_damaged, refuse_lost_texts, refuse_unread_cells
from idealrank.data.roles import ALIASES, fold
from idealrank.errors import DataError, nearest, plural, some

# Compressed files, archives and UTF-16: unpacked in memory, within limits; gz and zst are left to the core.


MOST_BYTES = 1 << 32
"""Bytes that a file may have once it is unpacked."""

FREE, RATIO = 1 << 25, 40
"""Beyond so many bytes, how many times its packed size a file may have; the core says so of gz, zst and Parquet."""

_PIECE = 1 << 20

_LEFT_TO_CORE = (b"\x1f\x8b", b"\x28\xb5\x2f\xfd")
"""The first bytes of gz and of zst."""


def most_unpacked(packed: int) -> int:
    """Return what a file of so many bytes may expand to, whatever it is and however often it is packed."""
    return min(MOST_BYTES, max(FREE, RATIO * packed))


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
    most = None
    # A loop, since what is unpacked may be packed again, such as UTF-16 text in a zip archive.
    while how := packing(content):
        try:
            with io.BytesIO(content) if isinstance(content, bytes) else open(content, "rb") as file:
                most = most_unpacked(_size(file)) if most is None else most
                content, part = _UNPACKERS[how](_Packed(file, name, most), part), ""
            if content.startswith(_LEFT_TO_CORE) and len(content := sniff(content, most + 1)) > most:
                raise _too_large(name)  # that of all its wrappers, not of the innermost alone
        except EOFError:
            raise DataError(f"{name}: the compressed data ends early. Copy or compress the file again.") from None
        except (*UNREADABLE, lzma.LZMAError) as error:
            raise DataError(f"{name}: cannot be unpacked ({error}). Check the file, or unpack it yourself.") from None
    return content


class _Packed(NamedTuple):
    """A packed file, its name in messages, and how many bytes it may expand to."""

    file: IO[bytes]
    name: str
    most: int


def _unpack_bz2(packed: _Packed, part: str) -> bytes:
    return _read_members(packed, bz2.BZ2Decompressor)


def _unpack_xz(packed: _Packed, part: str) -> bytes:
    return _read_members(packed, lzma.LZMADecompressor)


def _unpack_lz4(packed: _Packed, part: str) -> bytes:
    try:
        import lz4.frame
    except ImportError:
        raise DataError(
            f"{packed.name}: lz4 data. Reading it needs lz4 (pip install lz4); or unpack the file."
        ) from None
    return _read_members(packed, lz4.frame.LZ4FrameDecompressor)


def _decode_utf16(packed: _Packed, part: str) -> bytes:
    return packed.file.read().decode("utf-16").encode()


def _unpack_zip(packed: _Packed, part: str) -> bytes:
    """Read the only file of an archive, or the one asked for; nothing is written to disk."""
    file, name, most = packed
    with zipfile.ZipFile(file) as archive:
        if is_workbook(archive):
            return sheet_text(packed, archive, part)
        files = {entry.filename: entry for entry in archive.infolist() if not _is_hidden(entry)}
        if not part and next(iter(files), "") == SCORES_HEAD:
            raise DataError(
                f"{name}: saved scores, which are no table. Read them with ir.read_scores; evaluate, compare, report "
                "and leaderboard take them in place of judgments and results, and gate as --baseline."
            )
        if part not in files and (part or len(files) != 1):
            raise DataError(
                f"{name}: {f'no {part!r} in ' if part else ''}a zip archive with {len(files)} files ({some(files)}). "
                f"Say which: {name.partition('#')[0]}#{next(iter(files), 'FILE')}."
            )
        entry = files[part] if part else next(iter(files.values()))
        return _read_limited(archive.open(entry), name, min(most, most_unpacked(entry.compress_size)))


def _is_hidden(entry: zipfile.ZipInfo) -> bool:
    parts = entry.filename.split("/")
    return not entry.filename or entry.is_dir() or parts[0] == "__MACOSX" or parts[-1].startswith(".")


def _size(file: IO[bytes]) -> int:
    size = file.seek(0, io.SEEK_END)
    file.seek(0)
    return size


def _read_limited(file: IO[bytes], name: str, most: int) -> bytes:
    """Read an unpacking file piece by piece, unless it becomes too large."""
    pieces: list[bytes] = []
    size = 0
    while piece := file.read(_PIECE):
        pieces.append(piece)
        size += len(piece)
        if size > most:
            raise _too_large(name)
    return b"".join(pieces)


def _read_members(packed: _Packed, decompressor: Callable[[], Any]) -> bytes:
    """Unpack the members of a file, one behind the other; zeros behind them, which fill the blocks of a tape, are fine.

    Python's own readers stop at the first bytes that are none, as if the table ended there.
    """
    pieces: list[bytes] = []
    rest, size, inner = packed.file.read(_PIECE), 0, decompressor()
    if not rest:
        raise EOFError
    while True:
        if inner.eof:
            rest = (inner.unused_data or packed.file.read(_PIECE)).lstrip(b"\0")
            while not rest and (piece := packed.file.read(_PIECE)):
                rest = piece.lstrip(b"\0")
            if not rest:
                return b"".join(pieces)
            inner = decompressor()
            try:
                piece = inner.decompress(rest, _PIECE)
            except (OSError, RuntimeError, lzma.LZMAError):
                raise _trailing(packed.name) from None
        else:
            if inner.needs_input and not rest:
                raise EOFError
            piece = inner.decompress(rest, _PIECE)
        pieces.append(piece)
        if (size := size + len(piece)) > packed.most:
            raise _too_large(packed.name)
        rest = packed.file.read(_PIECE) if inner.needs_input and not inner.eof else b""


def _trailing(name: str) -> DataError:
    return DataError(
        f"{name}: there are other bytes after the end of the compressed data. Copy or compress the file again."
    )


def _too_large(name: str) -> DataError:
    return DataError(
        f"{name}: more than {FREE >> 20} MiB and {RATIO} times its packed size, or 4 GiB, once unpacked. "
        "If that is right, unpack the file yourself."
    )


# Workbooks, Excel's .xlsx and OpenDocument's .ods: a sheet becomes CSV.


EXACT = 1 << 53
"""The first whole number beside which a number of Excel has no neighbour."""

_MAIN = "{http://schemas.openxmlformats.org/spreadsheetml/2006/main}"
_KEY = "{http://schemas.openxmlformats.org/officeDocument/2006/relationships}id"

UNREADABLE = (OSError, RuntimeError, UnicodeError, zipfile.BadZipFile, zlib.error, struct.error)
"""What Python raises for an archive that is damaged, or packed in a way it does not know."""

_TAG, _CELL_BYTES = 8, 16
"""Bytes that a tag of a workbook, and a cell of the rectangle around those of a sheet, count for in what it expands to.

The reader keeps all cells of that rectangle in memory: one cell at XFD1048576 makes 17 billion, and ends the process.
"""

_FREE, _SPARSE = 1 << 20, 16
"""Beyond so many cells, how many times its written cells the rectangle around them may have."""

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


def sheet_text(packed: _Packed, archive: zipfile.ZipFile, sheet: str = "") -> bytes:
    """Return a sheet, the first unless one is named, as CSV; lines have the numbers of the rows.

    Raises
    ------
    DataError
        If python-calamine is not installed, there is no such sheet, or the workbook expands to more than its limit.
    """
    file, name, most = packed
    try:
        from python_calamine import CalamineError, CalamineWorkbook
    except ImportError:
        raise DataError(
            f"{name}: an Excel or OpenDocument file. Reading it needs python-calamine: "
            "pip install python-calamine. Or save the sheet as CSV."
        ) from None
    try:
        _refuse_same_names(archive)
        size = _weigh_parts(archive, name, most)
        refuse_damaged(archive, name, _shared_parts(archive))
        names = _list_sheets(archive)
        if sheet and sheet not in names:
            raise DataError(f"{name}: no sheet {sheet!r}.{nearest(sheet, names)} Sheets: {', '.join(names)}.")
        if not names:
            raise DataError(f"{name}: a workbook without a sheet. Save the sheet as CSV.")
        sheet = sheet or names[0]
        _refuse_expansion(archive, name, sheet, size, most)
        if "xl/workbook.xml" not in archive.namelist():
            refuse_unread_cells(archive.read("content.xml"), name, sheet)
        refuse_lost_texts(archive, name, _text_parts(archive, sheet))
        file.seek(0)
        book = CalamineWorkbook.from_filelike(file)
        page = book.get_sheet_by_name(sheet)
        rows = page.to_python()
    except DataError:
        raise
    except BaseException as error:  # also the panics of its core, which are no Exception
        if not isinstance(error, (CalamineError, *_BROKEN)) and type(error).__name__ != "PanicException":
            raise
        raise DataError(f"{name}: a workbook that cannot be read ({error}). Save the sheet as CSV.") from None
    above, before = page.start or (0, 0)
    merged = getattr(page, "merged_cell_ranges", None) or ()  # older readers do not say
    spans = [((top - above, left - before), bottom - above) for (top, left), (bottom, _) in merged]
    _fill_merged(rows, spans, name, most)
    # Empty rows above the table become blank lines, so that messages name the rows of the sheet.
    _refuse_rounded(rows, above, name)
    return ("\n" * above + _as_csv(rows)).encode()


def _fill_merged(rows: list[list[Any]], merged: Sequence[tuple[tuple[int, int], int]], name: str, most: int) -> None:
    """Give every row that a merged cell covers its value, which a workbook keeps in the first alone.

    Parameters
    ----------
    merged
        The first row and the column of each merged cell, and its last row.
    most
        Characters that may come of it: who merges more fills the memory.

    Raises
    ------
    DataError
        If more would come of it.
    """
    for (first, column), last in merged:
        end = min(last + 1, len(rows))
        if not 0 <= first < end - 1 or not 0 <= column < len(rows[first]):
            continue
        value = rows[first][column]
        most -= (end - first) * (len(str(value)) + 1)
        if most < 0:
            raise _too_large(name)
        for row in rows[first + 1 : end]:
            if row[column] == "":
                row[column] = value


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


def _weigh_parts(archive: zipfile.ZipFile, name: str, most: int) -> int:
    """Return what the parts of a workbook count for, their bytes and tags; refuse more than the limit."""
    size = sum(entry.file_size for entry in archive.infolist())
    if size > most:
        raise _too_large(name)
    for entry in archive.infolist():
        content = archive.read(entry)  # also compares it with the size that its entry says it has
        size += _TAG * content.count(b"<") if entry.filename.endswith((".xml", ".rels")) else 0
    if size > most:
        raise _too_large(name)
    return size


def _refuse_expansion(archive: zipfile.ZipFile, name: str, sheet: str, size: int, most: int) -> None:
    """Refuse a workbook whose reader would fill the memory: whatever it is made of, all counts towards one limit.

    That is the size of all its parts, the cells of the rectangles around those that are written, and the texts as often
    as they are repeated. Of an Excel file one sheet is read; of an OpenDocument file all are when it is opened.
    """
    if "xl/workbook.xml" in archive.namelist():
        xml = archive.read(_sheet_file(archive, sheet))
        found, called = [_measure_sheet(xml)], f"sheet {sheet!r}"
        texts = _shared_text_bytes(archive, xml, most)
    else:
        found, called = _measure_tables(archive.read("content.xml")), "a sheet"
        texts = sum(extent.texts for extent in found)
    for extent in found:
        _refuse_extent(extent, name, called)
    if size + texts + _CELL_BYTES * sum(extent.rows * extent.columns for extent in found) > most:
        raise DataError(
            f"{name}: repeated cells, blanks or texts make this workbook larger than {most >> 20:,} MiB once it is "
            "read. Delete the repetitions, or save the table as CSV."
        )


class _Extent(NamedTuple):
    """The rectangle around the cells of a sheet, the cells that are written, and the bytes of repeated texts."""

    rows: int
    columns: int
    written: int
    texts: int = 0


def _refuse_extent(extent: _Extent, name: str, sheet: str) -> None:
    if extent.rows * extent.columns > max(_FREE, _SPARSE * extent.written):
        raise DataError(
            f"{name}: {sheet} has {plural(extent.written, 'cell')} in a rectangle of {extent.rows:,} rows and "
            f"{extent.columns:,} columns, too large to read. Delete the cells far from the table, or save the table "
            "as CSV."
        )


_SHARED_TEXT = re.compile(rb"</(?:\w+:)?si\s*>")


def _shared_text_bytes(archive: zipfile.ZipFile, sheet: bytes, most: int) -> int:
    """Return the bytes of the texts of a sheet of Excel's, where each is as long as its XML; the reader copies them."""
    if _SHARED not in archive.namelist():
        return 0
    lengths = [len(text) for text in _SHARED_TEXT.split(archive.read(_SHARED))]
    cells = sheet.count(b"<")
    if max(lengths) * cells <= most:
        return 0  # so few or so short that it does not matter which
    used = _SharedTexts(lengths)
    parser = expat.ParserCreate()
    parser.StartElementHandler, parser.EndElementHandler = used.start, used.end
    parser.CharacterDataHandler = used.add
    parser.Parse(sheet, True)
    return used.size


class _SharedTexts:
    """Adds up the lengths of the shared texts of a sheet, each as often as it is used."""

    def __init__(self, lengths: list[int]) -> None:
        self.lengths, self.size = lengths, 0
        self.shared, self.number = False, ""

    def start(self, tag: str, attributes: dict[str, str]) -> None:
        kind = tag.rpartition(":")[2]
        if kind == "c":
            self.shared = attributes.get("t") == "s"
        elif kind == "v":
            self.number = ""

    def add(self, text: str) -> None:
        if self.shared and len(self.number) < 20:
            self.number += text

    def end(self, tag: str) -> None:
        if self.shared and tag.rpartition(":")[2] == "v":
            place = int(self.number) if self.number.strip().isdecimal() else len(self.lengths)
            self.size += self.lengths[place] if place < len(self.lengths) else 0


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


def _measure_sheet(xml: bytes) -> _Extent:
    found = _SheetExtent()
    _parse_tags(xml, found, expat.ParserCreate())
    if not found.written:
        return _Extent(0, 0, 0)
    return _Extent(found.bottom - found.top + 1, found.right - found.left + 1, found.written)


def _parse_tags(xml: bytes, tags: _SheetExtent | _TableExtents, parser: expat.XMLParserType) -> None:
    """Read the tags of a file; one that defines entities is refused, as python-calamine does not know them."""
    parser.StartElementHandler, parser.EndElementHandler = tags.start, tags.end
    parser.StartDoctypeDeclHandler = _refuse_definitions
    parser.Parse(xml, True)


def _refuse_definitions(*_: object) -> None:
    raise ValueError("a file with definitions of its own")


def _parse_count(text: str) -> int:
    if not (text.isascii() and text.isdigit() and len(text) < 10):
        raise ValueError(f"{text[:40]!r} is no count")
    return int(text)


def _parse_cell_name(text: str) -> tuple[int, int]:
    """Return the row and the column of a cell."""
    if not (place := _PLACE.fullmatch(text)):
        raise ValueError(f"{text[:40]!r} is no place of a cell")
    column = 0
    for letter in place[1].upper():
        column = 26 * column + ord(letter) - 64
    return int(place[2]), column


class _TableExtents:
    """Measures the tables of an OpenDocument file; empty rows and columns at their ends do not count."""

    def __init__(self, parser: expat.XMLParserType) -> None:
        self.parser = parser
        self.found: list[_Extent] = []
        self.rows = self.columns = self.empty_rows = self.written = self.texts = 0
        self.times = self.at = self.width = 0
        self.repeat, self.begun, self.blanks, self.row_texts = 1, 0, 0, 0

    def start(self, tag: str, attributes: dict[str, str]) -> None:
        kind = tag.rpartition(":")[2]
        if kind == "table":
            self.rows = self.columns = self.empty_rows = self.written = self.texts = 0
        elif kind == "table-row":
            self.times, self.at, self.width = _repeat_count(attributes, "rows-repeated"), 0, 0
            self.row_texts = 0
        elif kind in ("table-cell", "covered-table-cell"):
            self.repeat = _repeat_count(attributes, "columns-repeated")
            self.at += self.repeat
            self.written += 1
            self.begun, self.blanks = self.parser.CurrentByteIndex, 0
            if any("value" in name or "formula" in name for name in attributes):
                self.width = self.at
        else:
            self.width = self.at  # something within a cell
            if kind == "s":
                self.blanks += _repeat_count(attributes, ":c")

    def end(self, tag: str) -> None:
        kind = tag.rpartition(":")[2]
        if kind in ("table-cell", "covered-table-cell") and self.width == self.at:
            # The XML of a cell is at least as long as its text, but for its blanks.
            self.row_texts += self.repeat * (self.parser.CurrentByteIndex - self.begun + self.blanks)
        elif kind == "table-row":
            self.empty_rows += self.times
            self.texts += self.times * self.row_texts
            if self.width:
                self.rows, self.empty_rows = self.rows + self.empty_rows, 0
                self.columns = max(self.columns, self.width)
        elif kind == "table":
            self.found.append(_Extent(self.rows, self.columns, self.written, self.texts))


def _repeat_count(attributes: dict[str, str], what: str) -> int:
    return next((_parse_count(text) for name, text in attributes.items() if name.endswith(what)), 1)


def _measure_tables(xml: bytes) -> list[_Extent]:
    parser = expat.ParserCreate()
    found = _TableExtents(parser)
    _parse_tags(xml, found, parser)
    return found.found


def _list_sheets(archive: zipfile.ZipFile) -> list[str]:
    """Return the names of the sheets of a workbook, without its reader, which opens all it contains."""
    if "xl/workbook.xml" in archive.namelist():
        return [name for name, _ in _excel_sheets(archive)]
    found: list[str] = []

    def start(tag: str, attributes: dict[str, str]) -> None:
        if tag == "table:table":
            found.append(attributes.get("table:name", ""))

    parser = expat.ParserCreate()
    parser.StartElementHandler = start
    parser.Parse(archive.read("content.xml"), True)
    return found


def _excel_sheets(archive: zipfile.ZipFile) -> list[tuple[str, str | None]]:
    """Return the name of each sheet of an Excel file, and what it is called among the relationships."""
    sheets = ElementTree.fromstring(archive.read("xl/workbook.xml")).iter(f"{_MAIN}sheet")
    return [(each.get("name", ""), each.get(_KEY)) for each in sheets]


def _sheet_file(archive: zipfile.ZipFile, sheet: str) -> str:
    """Return the file of a sheet in the archive, the first unless one is named."""
    sheets = _excel_sheets(archive)
    targets = {
        each.get("Id"): each.get("Target", "")
        for each in ElementTree.fromstring(archive.read("xl/_rels/workbook.xml.rels"))
    }
    target = targets[next((key for name, key in sheets if name == sheet), sheets[0][1])]
    return target.lstrip("/") if target.startswith("/") else f"xl/{target}"


_UNPACKERS: dict[str, Callable[[_Packed, str], bytes]] = {
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
            most = most_unpacked(os.path.getsize(path))
            size = _weigh_parts(archive, path, most)
            names = _list_sheets(archive)
            _refuse_expansion(archive, path, sheet or names[0], size, most)
            notes = _cell_notes(archive, sheet) if "xl/workbook.xml" in archive.namelist() else []
    except (*_BROKEN, DataError):  # whoever reads it says what is wrong with it
        return []
    return [*([f"sheets: {', '.join(names)}; name one as {path}#{names[-1]}"] if len(names) > 1 else []), *notes]


def filled_sheets(path: str) -> list[str]:
    """Return the names of the first sheet of a workbook and of all that are not empty; none for other archives."""
    try:
        with zipfile.ZipFile(path) as archive:
            if not is_workbook(archive):
                return []
            names = _list_sheets(archive)
            return names[:1] + [name for name in names[1:] if not _is_empty(archive, name)]
    except _BROKEN:  # whoever reads it says what is wrong with it
        return []


def _is_empty(archive: zipfile.ZipFile, sheet: str) -> bool:
    """Whether a sheet of an Excel file has no cell, as the second and third of a new workbook may."""
    if "xl/workbook.xml" not in archive.namelist():
        return False
    with archive.open(_sheet_file(archive, sheet)) as xml:
        return not _FULL_CELL.search(xml.read(_BEGINNING))


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
        plural(count, noun) + text
        for count, noun, text in (
            (found["formula"], "formula", " without a value: open the file in Excel and save it"),
            (found["error"], "cell", " with an error such as #N/A, read as empty"),
            (found["number"], "whole number", " above 2^53, which Excel rounds: write such ids as text"),
        )
        if count
    ]
