"""The XML of workbooks: refused where it is damaged, and written otherwise where the reader would lose text."""

from __future__ import annotations

import io
import re
import zipfile
from collections.abc import Iterable
from typing import IO
from xml.parsers import expat

from idealrank.errors import DataError

_CDATA = re.compile(rb"<!\[CDATA\[(.*?)\]\]>", re.S)
_BLANKS = re.compile(rb"<(?:\w+:)?(tab|line-break)\s*(?:/>|>\s*</(?:\w+:)?\1\s*>)")


def refuse_damaged(archive: zipfile.ZipFile, name: str, parts: Iterable[str]) -> None:
    """Refuse a workbook with a part that is no XML: the reader would leave out the rest of it.

    Raises
    ------
    DataError
        With the part and the line.
    """
    for part in parts:
        try:
            with archive.open(part) as file:
                expat.ParserCreate().ParseFile(file)
        except (expat.ExpatError, LookupError) as error:  # the latter: no such encoding
            raise DataError(
                f"{name}: a workbook that cannot be read: {part} in it is damaged ({error}). Open it in Excel or "
                "LibreOffice, check that no row is missing, and save it again; or save the sheet as CSV."
            ) from None


def readable(file: IO[bytes], archive: zipfile.ZipFile, parts: Iterable[str]) -> IO[bytes]:
    """Return a workbook with the same texts, without what the reader leaves out of them.

    These are CDATA sections and, in OpenDocument files, tabs and line breaks, which are elements there.
    """
    changed: dict[str, bytes] = {}
    for part in parts:
        xml = archive.read(part)
        new = _CDATA.sub(lambda found: _escaped(found[1]), xml) if b"<![CDATA[" in xml else xml
        if part == "content.xml":
            new = _BLANKS.sub(lambda found: b"\t" if found[1] == b"tab" else b"\n", new)
        if new is not xml and new != xml:
            changed[part] = new
    if not changed:
        file.seek(0)
        return file
    written = io.BytesIO()
    with zipfile.ZipFile(written, "w") as copy:
        for entry in archive.infolist():
            copy.writestr(entry.filename, changed.get(entry.filename) or archive.read(entry))
    written.seek(0)
    return written


def _escaped(text: bytes) -> bytes:
    return text.replace(b"&", b"&amp;").replace(b"<", b"&lt;").replace(b">", b"&gt;")
