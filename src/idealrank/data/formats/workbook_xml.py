"""The XML of workbooks: refused where it is damaged, or where its reader would leave out a text or a cell."""

from __future__ import annotations

import re
import zipfile
from collections.abc import Iterable
from typing import Any
from xml.parsers import expat

from idealrank.errors import DataError

_LOST = re.compile(rb"<!\[CDATA\[|<(?:\w+:)?(?:tab|line-break)(?=[\s/>])")


def refuse_damaged(archive: zipfile.ZipFile, name: str, parts: Iterable[str]) -> None:
    """Refuse a workbook with a part that is no XML: the reader would leave out the rest of it.

    One that says it contains more than its bytes can is damaged, too: the reader makes room for as many.

    Raises
    ------
    DataError
        With the part and the line.
    """
    for part in parts:
        size = archive.getinfo(part).file_size
        parser = expat.ParserCreate()

        def start(tag: str, attributes: dict[str, str], parser: Any = parser, size: int = size) -> None:
            parser.StartElementHandler = None  # only the first element counts what is in the whole part
            for name, text in attributes.items():
                digits = text.strip().lstrip("+0")
                if name.lower().endswith("count") and digits.isdecimal() and (len(digits) > 18 or int(digits) > size):
                    raise expat.ExpatError(f"{name} is {text[:40]}, in {size:,} bytes")

        parser.StartElementHandler = start
        try:
            with archive.open(part) as file:
                parser.ParseFile(file)
        except (expat.ExpatError, LookupError) as error:  # the latter: no such encoding
            raise DataError(
                f"{name}: a workbook that cannot be read: {part} in it is damaged ({error}). Open it in Excel or "
                "LibreOffice, check that no row is missing, and save it again; or save the sheet as CSV."
            ) from None


def refuse_lost_texts(archive: zipfile.ZipFile, name: str, parts: Iterable[str]) -> None:
    """Refuse a workbook with texts that the reader would leave out, so that two ids could become one.

    These are CDATA sections and, in OpenDocument files, tabs and line breaks, which are elements there.

    Raises
    ------
    DataError
        With the part and what is in it.
    """
    for part in parts:
        if found := _LOST.search(archive.read(part)):
            raise DataError(
                f"{name}: a cell contains a tab, a line break or CDATA ({found[0].decode()} in {part}), which would be "
                "lost, so that two ids could become one. Replace it by a blank, or save the sheet as CSV."
            )


_KINDS = ("float", "percentage", "currency", "date", "time", "boolean", "string")
"""What the value of a cell of an OpenDocument file can be."""


def refuse_unread_cells(xml: bytes, name: str, sheet: str) -> None:
    """Refuse a cell of an OpenDocument sheet that shows a text, but whose value the reader takes for empty.

    Raises
    ------
    DataError
        With the place of the cell.
    """
    found = _UnreadCellFinder(sheet)
    parser = found.parser
    parser.StartElementHandler, parser.EndElementHandler = found.start, found.end
    parser.Parse(xml, True)
    if found.unread is None:
        return
    kind, text = found.unread
    declared = "no office:value-type" if kind is None else f"the office:value-type {kind!r}"
    way = f"; it must be one of {', '.join(_KINDS)}" if kind not in _KINDS else ", but no such value"
    raise DataError(
        f"{name} cell {_column_letters(found.column)}{found.row}: it shows {text!r} and has {declared}{way}. "
        "Open the file in LibreOffice, check the cell, and save it again; or save the sheet as CSV."
    )


class _UnreadCellFinder:
    """Finds the first cell of a sheet that shows a text but has no value, so that the reader takes it for empty."""

    def __init__(self, sheet: str) -> None:
        self.parser = expat.ParserCreate()
        self.sheet, self.here = sheet, False
        self.row = self.column = self.rows = self.columns = 0
        self.kind: str | None = None
        self.depth, self.text = 0, ""
        self.unread: tuple[str | None, str] | None = None

    def start(self, tag: str, attributes: dict[str, str]) -> None:
        kind = tag.rpartition(":")[2]
        if self.unread is not None:
            return
        if self.depth:
            self.depth += 1
            if self.depth == 2 and kind == "p":  # a comment of a cell has its own paragraphs, deeper
                self.parser.CharacterDataHandler = self._add
        elif kind == "table":
            self.here = attributes.get("table:name") == self.sheet
            self.row = self.rows = 0
        elif kind == "table-row":
            self.row, self.column, self.columns = self.row + max(self.rows, 1), 0, 0
            self.rows = int(attributes.get("table:number-rows-repeated", 1))
        elif kind in ("table-cell", "covered-table-cell") and self.here:
            self.column += max(self.columns, 1)
            self.columns = int(attributes.get("table:number-columns-repeated", 1))
            self.kind = attributes.get("office:value-type")
            if self.kind != "string" and not _has_value(attributes):
                self.depth, self.text = 1, ""

    def _add(self, text: str) -> None:
        self.text += text

    def end(self, tag: str) -> None:
        self.depth -= self.depth > 0
        if self.depth == 1:
            self.parser.CharacterDataHandler = None
            if self.text.strip() and self.unread is None:
                self.unread = self.kind, self.text[:60]


def _has_value(attributes: dict[str, str]) -> bool:
    if "office:boolean-value" in attributes:
        return attributes["office:boolean-value"] in ("true", "false")
    return any(f"office:{kind}value" in attributes for kind in ("", "date-", "time-", "string-"))


def _column_letters(column: int) -> str:
    """Name a column as a spreadsheet does: 27 is AA."""
    name = ""
    while column:
        column, rest = divmod(column - 1, 26)
        name = chr(65 + rest) + name
    return name
