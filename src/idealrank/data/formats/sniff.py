"""Recognize a file by its first lines: an extension is neither needed nor trusted."""

from collections.abc import Iterable

from idealrank.data.formats import COLUMNAR, TEXT
from idealrank.data.formats.head import HEAD, Content, Form, Format, Head
from idealrank.data.formats.messages import EMPTY, READABLE, bad_input
from idealrank.errors import DataError

LINE_LIMIT = 1 << 20
"""Length in bytes of the longest line that is read."""

_REFUSED = {
    b"\xff\xfe": "compressed UTF-16 text. Save the file as UTF-8.",
    b"\xfe\xff": "compressed UTF-16 text. Save the file as UTF-8.",
    b"\xd0\xcf\x11\xe0": "an old Excel file (.xls). Save it as .xlsx or CSV.",
}


def sniffed(content: Content, name: str) -> Form:
    """Recognize the form of a file by its beginning.

    Raises
    ------
    DataError
        If it looks like nothing that can be read.
    """
    from idealrank._core import sniff

    head = Head(sniff(content, HEAD), name, lambda size: sniff(content, size))
    if form := columnar(head):
        return form
    _refuse_long_line(content, head)
    return textual(head)


def columnar(head: Head) -> Form | None:
    """Tell Parquet and Arrow from text; None for text.

    Raises
    ------
    DataError
        If it is binary data of another kind.
    """
    if form := _first(COLUMNAR, head):
        return form
    for magic, what in _REFUSED.items():
        if head.start.startswith(magic):
            raise DataError(f"{head.name}: {what}")
    if head.start[257:262] == b"ustar":
        raise DataError(f"{head.name}: a tar archive. Unpack it and give the files in it.")
    if b"\x00" in head.start:
        raise DataError(f"{head.name}: binary data. {READABLE}")
    return None


def textual(head: Head) -> Form:
    """Tell the format of text from its first lines.

    Raises
    ------
    DataError
        If there is no line, or the first looks like nothing known.

    Examples
    --------
    >>> textual(Head(b"q1 0 d1 3", "qrels.txt")).name
    'trec-qrels'
    >>> textual(Head(b"query;doc;grade", "j.csv")).delimiter
    ';'
    """
    if b"\n" not in head.start and b"\r" in head.start.rstrip(b"\r"):
        raise DataError(f"{head.name}: the lines end in CR only. Save the file with LF or CRLF line endings.")
    if not head.lines:
        raise DataError(f"{head.name}: {EMPTY}")
    form = _first(TEXT, head)
    assert form is not None  # the last text format takes or refuses anything left
    return form


def _first(formats: Iterable[Format], head: Head) -> Form | None:
    return next((form for one in formats if (form := one.looks_like(head)) is not None), None)


def _refuse_long_line(content: Content, head: Head) -> None:
    from idealrank._core import sniff

    if len(head.start) < HEAD or b"\n" in head.start or head.start.lstrip()[:1] in (b"{", b"["):
        return
    longer = sniff(content, LINE_LIMIT + 1)
    if len(longer) > LINE_LIMIT and b"\n" not in longer:
        raise bad_input(head.name, "line_too_long", 1, "", "", "")
