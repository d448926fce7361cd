"""Workbooks, Excel's .xlsx and OpenDocument's .ods: a sheet becomes CSV."""

from __future__ import annotations

import csv
import datetime
import io
import zipfile
from typing import IO, Any

from idealrank.errors import DataError, nearest

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
            f"{name}: an Excel or OpenDocument file. Reading it needs python-calamine (pip install "
            "'idealrank[excel]'); or save the sheet as CSV."
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


def _as_csv(rows: list[list[Any]]) -> str:
    text = io.StringIO()
    csv.writer(text, lineterminator="\n").writerows([_written(cell) for cell in row] for row in rows)
    return text.getvalue()


def _written(cell: Any) -> str:
    """Write a cell as text: whole numbers without a fraction, as the workbook shows them."""
    if isinstance(cell, float) and cell.is_integer():
        return str(int(cell))
    return cell.isoformat() if isinstance(cell, datetime.date | datetime.time) else str(cell)
