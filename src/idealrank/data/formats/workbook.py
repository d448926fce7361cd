"""Workbooks, Excel's .xlsx and OpenDocument's .ods: a sheet becomes CSV."""

from __future__ import annotations

import csv
import datetime
import io
import re
import zipfile
from typing import IO, Any
from xml.etree import ElementTree

from idealrank.data.formats.head import packing
from idealrank.errors import DataError, nearest, plural

EXACT = 1 << 53
"""The first whole number beside which a number of Excel has no neighbour."""

_MAIN = "{http://schemas.openxmlformats.org/spreadsheetml/2006/main}"
_KEY = "{http://schemas.openxmlformats.org/officeDocument/2006/relationships}id"
_CELL = re.compile(rb"<c\b([^>]*[^/>])>(.*?)</c>", re.S)
_VALUE = re.compile(rb"<v>([^<]+)</v>")

_OPEN_DOCUMENT = b"application/vnd.oasis.opendocument.spreadsheet"


def is_workbook(archive: zipfile.ZipFile) -> bool:
    """Whether a zip archive is a workbook."""
    names = archive.namelist()
    if "xl/workbook.xml" in names:
        return True
    return "mimetype" in names and archive.open("mimetype").read(len(_OPEN_DOCUMENT)) == _OPEN_DOCUMENT


def sheet_text(file: IO[bytes], name: str, sheet: str = "") -> bytes:
    """Return a sheet, the first unless one is named, as CSV; lines have the numbers of the rows.

    Raises
    ------
    DataError
        If python-calamine is not installed, or there is no such sheet.
    """
    try:
        from python_calamine import CalamineError, CalamineWorkbook
    except ImportError:
        raise DataError(
            f"{name}: an Excel or OpenDocument file. Reading it needs python-calamine: "
            "pip install python-calamine. Or save the sheet as CSV."
        ) from None
    file.seek(0)
    try:
        book = CalamineWorkbook.from_filelike(file)
        if sheet and sheet not in book.sheet_names:
            names = ", ".join(book.sheet_names)
            raise DataError(f"{name}: no sheet {sheet!r}.{nearest(sheet, book.sheet_names)} Sheets: {names}.")
        page = book.get_sheet_by_name(sheet or book.sheet_names[0])
        rows = page.to_python()
    except CalamineError as error:
        raise DataError(f"{name}: a workbook that cannot be read ({error}). Save the sheet as CSV.") from None
    above = (page.start or (0, 0))[0]
    return ("\n" * above + _as_csv(rows)).encode()


def notes_on(path: str, sheet: str = "") -> list[str]:
    """Say which sheets a workbook has, and which cells of one are not read as they look; nothing for other files."""
    if packing(path) != "zip":
        return []
    with zipfile.ZipFile(path) as archive:
        if not is_workbook(archive):
            return []
        notes = _cell_notes(archive, sheet) if "xl/workbook.xml" in archive.namelist() else []
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
