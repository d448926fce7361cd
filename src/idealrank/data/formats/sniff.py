"""Recognize a file by its first lines: an extension is neither needed nor trusted."""

from __future__ import annotations

import functools
from collections.abc import Iterable, Mapping
from typing import Any

from idealrank._core import Progress
from idealrank.data.formats import COLUMNAR, TEXT
from idealrank.data.formats.head import HEAD, Content, DetectedFormat, Detector, Head, Tables, begins_baseline
from idealrank.data.formats.messages import EMPTY, READABLE, TAR, bad_input
from idealrank.data.formats.nested_plan import NestedPlan
from idealrank.errors import DataError, IdealrankError, UsageError

LINE_LIMIT = 1 << 20
"""Length in bytes of the longest line that is read."""

_PICKLE = "a pickle of Python, which could run anything as it is opened. Write the table as Parquet or CSV."
_REFUSED = {
    b"\xff\xfe": "compressed UTF-16 text. Save the file as UTF-8.",
    b"\xfe\xff": "compressed UTF-16 text. Save the file as UTF-8.",
    b"\xd0\xcf\x11\xe0": "an old Excel file (.xls). Save it as .xlsx or CSV.",
    b"SQLite format 3\x00": "a SQLite database. A project of the studio is opened with `idealrank studio`; of "
    "another, write the table as CSV or Parquet.",
    b"\x93NUMPY": "an array of NumPy, which has no names. Write a table with a query and a document in each row.",
    b"\x80\x04\x95": _PICKLE,
    b"\x80\x05\x95": _PICKLE,
}


def sniff_format(content: Content, name: str, docs: str = "") -> DetectedFormat:
    """Recognize the form of a file by its beginning.

    Parameters
    ----------
    docs
        The column or the list of documents, as the user named it; "" for none.

    Raises
    ------
    DataError
        If it looks like nothing that can be read.
    """
    from idealrank._core import sniff

    return detect_format(Head(sniff(content, HEAD), name, lambda size: sniff(content, size), docs))


def detect_format(head: Head) -> DetectedFormat:
    """Recognize a form by the beginning of a file; other packages are asked about files that are not recognized.

    Raises
    ------
    DataError
        If it looks like nothing that can be read.
    """
    if begins_baseline(head.start):
        raise DataError(
            f"{head.name}: a baseline of idealrank gate, which is no table. Give it as idealrank gate --baseline FILE, "
            "or to idealrank history."
        )
    try:
        detected = detect_columnar(head) or detect_text(head)
    except DataError:
        if (other := detect_foreign(head)) is None:
            raise
        return other
    return (detect_foreign(head) or detected) if _names_no_column(head, detected) else detected


def _names_no_column(head: Head, detected: DetectedFormat) -> bool:
    """Whether a file was taken for a table although its first line names no known column."""
    header = (*head.comments[-1:], head.lines[0]) if detected.name == "delimited" else ()
    return bool(header) and not any(line.roles(detected.delimiter) for line in header)


def detect_columnar(head: Head) -> DetectedFormat | None:
    """Tell Parquet and Arrow from text; None for text.

    Raises
    ------
    DataError
        If it is binary data of another kind.
    """
    if detected := _first_match(COLUMNAR, head):
        return detected
    for magic, what in _REFUSED.items():
        if head.start.startswith(magic):
            raise DataError(f"{head.name}: {what}")
    if head.start[257:262] == b"ustar":
        raise DataError(f"{head.name}: {TAR}")
    if b"\x00" in head.start:
        if _is_text(head.start.replace(b"\x00", b"")):
            line = head.start[: head.start.index(b"\x00")].count(b"\n") + 1
            raise DataError(f"{head.name} line {line}: a NUL byte, which text cannot contain. Remove it.")
        raise DataError(f"{head.name}: binary data. {READABLE}")
    return None


def _is_text(start: bytes) -> bool:
    """Whether bytes are UTF-8, but for a character that is cut off, without control characters."""
    text = start[:-3].decode("utf-8", "replace")
    return "\ufffd" not in text and (text.isprintable() or all(sign.isprintable() or sign.isspace() for sign in text))


def detect_text(head: Head) -> DetectedFormat:
    """Tell the format of text from its first lines.

    Raises
    ------
    DataError
        If there is no line, or the first looks like nothing known.

    Examples
    --------
    >>> detect_text(Head(b"q1 0 d1 3", "qrels.txt")).name
    'trec-qrels'
    >>> detect_text(Head(b"query;doc;grade", "j.csv")).delimiter
    ';'
    """
    if b"\n" not in head.start and b"\r" in head.start.rstrip(b"\r"):
        raise DataError(f"{head.name}: the lines end in CR only. Save the file with LF or CRLF line endings.")
    if not head.lines:
        raise DataError(f"{head.name}: {EMPTY}")
    _refuse_long_line(head)
    detected = _first_match(TEXT, head)
    assert detected is not None  # the last text format takes or refuses anything left
    return detected


def _first_match(formats: Iterable[Detector], head: Head) -> DetectedFormat | None:
    return next((found for detect in formats if (found := detect(head)) is not None), None)


def _refuse_long_line(head: Head) -> None:
    if len(head.start) < HEAD or b"\n" in head.start or head.start.lstrip()[:1] in (b"{", b"["):
        return
    longer = head.read_more(LINE_LIMIT + 1)
    if len(longer) > LINE_LIMIT and b"\n" not in longer:
        raise bad_input(head.name, "line_too_long", 1, "", "", "")


# Formats that other packages add, by an entry point of the group ``idealrank.formats``.
#
# An entry point names a module or an object with:
#
# - ``looks_like(start, name)``: whether a file is of the format, by its first bytes and its name;
# - ``read(source)``: the content of a file, given its path or its bytes, as any object that `ir.read_judgments` takes,
#   or several by kind: ``{"judgments": …, "results": …, "queries": …, "documents": …}``;
# - ``write(kind, columns)``, if it can be written: the text or the bytes of a file, of judgments or results and their
#   columns by name; and ``endings``, the endings of such files.
#
# They are looked up where no format of idealrank knows a file, so they cost nothing elsewhere.


GROUP = "idealrank.formats"
KINDS = frozenset({"judgments", "results", "queries", "documents"})


@functools.cache
def foreign_formats() -> Mapping[str, Any]:
    """Return the formats of other packages by name.

    Raises
    ------
    UsageError
        If one cannot be imported.
    """
    from importlib.metadata import entry_points

    formats = {}
    for entry in entry_points(group=GROUP):
        try:
            formats[entry.name] = entry.load()
        except Exception as error:
            raise UsageError(
                f"The format {entry.name!r} of another package ({entry.value}) cannot be imported: {error}. Update or "
                "remove that package."
            ) from error
    return formats


def detect_foreign(head: Head) -> DetectedFormat | None:
    """Return the form of a file that another package knows, None for others."""
    for name, known in foreign_formats().items():
        if hasattr(known, "looks_like") and known.looks_like(head.start, head.name):
            reader = functools.partial(_read_foreign, name=name, known=known, file=head.name)
            return DetectedFormat(name, reader, plan=NestedPlan(f"a file of the format {name}", ()))
    return None


def _read_foreign(content: Content, progress: Progress | None, name: str, known: Any, file: str) -> Tables:
    from idealrank.data.formats.objects import object_as_frame

    try:
        read = known.read(content)
    except IdealrankError:
        raise
    except Exception as error:
        raise DataError(f"{file}: the package that reads the format {name} failed: {error}.") from error
    several = isinstance(read, Mapping) and read and KINDS.issuperset(read)
    return (
        {kind: object_as_frame(table, kind) for kind, table in read.items()}
        if several
        else {"": object_as_frame(read, name)}
    )
