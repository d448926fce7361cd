"""How the rows of a file are divided: by its form, and by the column that names the query."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from idealrank._core import Frame, Piece, Splitter, column_names, read_arrow, read_jsonl, read_trec, sniff
from idealrank.data.formats import delimited
from idealrank.data.formats.head import HEAD, Form, Head, packing
from idealrank.data.formats.paths import existing
from idealrank.data.formats.sniff import form_in
from idealrank.data.roles import ChosenColumns, Roles, fold
from idealrank.data.row_numbers import rivals
from idealrank.errors import DataError, NoColumnError

_LINES = ("trec-qrels", "trec-run", "run-of-five")
"""Forms whose lines begin with the query."""


@dataclass(frozen=True)
class Split:
    """How the rows of a file are divided, and how its buckets are read: as the file is.

    Attributes
    ----------
    columns
        The columns of a Parquet or Arrow file; none for text, which is copied as it is.
    key
        The column of the query: its name, or its place.
    """

    form: Form
    splitter: Splitter
    columns: tuple[str, ...] = ()
    key: str | int = 0

    def key_in(self, frame: Frame) -> int:
        """Return the place of the column of the query in what was read of a bucket."""
        return self.key if isinstance(self.key, int) else frame.names.index(self.key)


def split_of(path: str, chosen: ChosenColumns) -> Split:
    """Find how to divide a file.

    Parameters
    ----------
    chosen
        The column of each role as the user named it.

    Raises
    ------
    DataError
        If the file cannot be divided by query; the message says what to do.
    """
    if isinstance(names := chosen.get("query"), tuple):
        raise DataError(
            f"{path}: queries named by several columns ({', '.join(names)}) cannot be divided into parts. Evaluate in "
            "memory, or write a column of both: one text per query."
        )
    file = existing(path)
    if not isinstance(file, str):
        raise _undivided(path, "a pipe, which can be read only once", "Write it to a file.")
    if packed := packing(file):
        raise _undivided(path, f"{packed} data", "Unpack it, or compress it with gzip or zstd.")
    form = form_in(Head(start := sniff(file, HEAD), path, lambda size: sniff(file, size)))
    if form.name in ("parquet", "arrow"):
        return _by_column(path, form, chosen)
    if form.name in _LINES or (form.name == "headerless" and not form.delimiter):
        return Split(form, Splitter.fields(form.comments))
    if form.name == "headerless":
        return Split(form, Splitter.delimited(form.delimiter, 0, form.comments, headed=False))
    if form.name == "delimited":
        place = _key(Roles(path, delimited.header(Head(start, path), form), chosen))
        return Split(form, Splitter.delimited(form.delimiter, place, form.comments), key=place)
    if form.name != "jsonl":
        raise _undivided(path, _WHAT.get(form.name, "a document"), "Convert it first: idealrank convert.")
    found = read_jsonl(_whole_lines(start) or sniff(file, 1 << 20)).names
    key = found[_key(Roles(path, found, chosen))]
    return Split(form, Splitter.objects(key), key=key)


_WHAT = {
    "json": "JSON documents",
    "yaml": "YAML documents",
    "learning-to-rank": "learning-to-rank lines",
    "predictions": "predictions",
}


def _whole_lines(start: bytes) -> bytes:
    """Return the lines that are not cut off; all of a file that is shorter than its beginning."""
    return start if len(start) < HEAD else start[: start.rfind(b"\n") + 1]


def _by_column(path: str, form: Form, chosen: ChosenColumns) -> Split:
    found = column_names(path)
    key = found[_key(Roles(path, found, chosen))]
    return Split(form, Splitter.table(key, found), tuple(found), key)


def _key(roles: Roles) -> int:
    """Return the column that tells queries apart."""
    if roles.query_id() is not None or (key := roles.key) is None:
        raise NoColumnError(
            f"{roles.source}: which column is the query must be said when files are evaluated in parts. "
            f"{roles.columns}. Name it: {roles.way('query')}."
        )
    doc = roles.find("doc")
    if doc is not None and "doc" not in roles.chosen and fold(roles.names[doc]) == "id" and any(rivals(roles)):
        other = roles.names[[*rivals(roles)[0], *rivals(roles)[1]][0]]
        raise NoColumnError(
            f"{roles.source}: id may count the rows, and {other} may be the document, which must be said when files "
            f"are evaluated in parts. {roles.columns}. Name the document: {roles.way_to('doc', other)}, or "
            f"{roles.way_to('doc', 'id')}."
        )
    return key


def _undivided(path: str, what: str, way: str) -> DataError:
    return DataError(f"{path}: {what}, which cannot be evaluated in parts that fit in memory. {way}")


def read_bucket(split: Split, content: str | Piece, keys: Sequence[str]) -> Frame:
    """Read a bucket as its file is read: a piece of that file, or a copy; `keys` are what dividing it returned."""
    if split.columns and isinstance(content, str):
        return read_arrow(content)
    if split.form.name == "trec-qrels":
        return read_trec(content, "qrels", iteration=len(keys) > 1)
    read = split.form.read(content, None)
    assert isinstance(read, Frame)  # other forms are not divided
    return read.padded(keys) if split.form.name == "jsonl" else read
