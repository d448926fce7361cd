"""Rows are written to a file, or to the files of a folder, whole or not at all."""

from __future__ import annotations

import gzip
import os
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from idealrank.data.documents import CLEAR_TITLES, documents_in, read_documents
from idealrank.data.ids import Keyed
from idealrank.data.queries import Queries, read_queries
from idealrank.data.roles import fold
from idealrank.data.writing import WRITERS
from idealrank.data.writing.fitting import fitted
from idealrank.data.writing.rows import Rows
from idealrank.data.writing.writer import Content, Wishes, Writer, Written
from idealrank.display.files import write_file
from idealrank.errors import UsageError, not_allowed, option, unknown


def write(rows: Rows, path: str | os.PathLike[str], form: str, wishes: Wishes) -> Written:
    """Write judgments or results.

    Parameters
    ----------
    form
        The name of the format; "" for the one of the path's ending.

    Raises
    ------
    UsageError
        If there is no such format, or the ending says none, or the file cannot be written.
    DataError
        If the format cannot contain the rows; the message says what to do.
    """
    if wishes.formulas not in ("keep", "escape"):
        raise not_allowed("formulas", wishes.formulas, ("keep", "escape"))
    name = os.fspath(path)
    writer, notes = _chosen(name, form, rows.kind), list[str]()
    rows = fitted(rows, writer, wishes, notes)
    _put(name, writer.layouts[rows.kind](rows, wishes, notes))
    return Written(name, writer.name, writer.title, len(rows), tuple(notes))


def formats(kind: str = "") -> dict[str, Writer]:
    """Return the formats that judgments or results, or either, are written in, by name."""
    return {writer.name: writer for writer in WRITERS if not kind or kind in writer.layouts}


def _chosen(path: str, form: str, kind: str) -> Writer:
    """Return the format that is named, or that the ending of the path says."""
    known = formats()
    if form and form not in known:
        raise unknown("format", form, known)
    ending = _ending(path)
    writer = known[form] if form else next((one for one in known.values() if ending in one.endings), None)
    if writer is None:
        raise UsageError(f"{path}: the ending says no format. Name one: {_named(formats(kind))}.")
    if kind not in writer.layouts:
        raise UsageError(f"{writer.title} has no place for {kind}. Choose another format: {_named(formats(kind))}.")
    return writer


def _named(writers: Mapping[str, Writer]) -> str:
    names = list(writers)
    return f"{option('format', names[0], 'to')}, {', '.join(names[1:-1])} or {names[-1]}"


def _ending(path: str) -> str:
    if path.endswith(("/", os.sep)) or os.path.isdir(path):
        return "/"
    return Path(path.removesuffix(".gz")).suffix.lower()


def _put(path: str, content: Content) -> None:
    if not isinstance(content, Mapping):
        _put_file(path, content)
        return
    for name, text in content.items():
        file = Path(path, name)
        try:
            file.parent.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise UsageError(
                f"{file.parent}: cannot be written: {error.strerror or error}. Give another path."
            ) from None
        _put_file(str(file), text)


def _put_file(path: str, content: str | bytes) -> None:
    if path.endswith(".gz"):
        content = gzip.compress(content.encode() if isinstance(content, str) else content, 6, mtime=0)
    write_file(path, content, "path")


def with_texts(rows: Rows, table: Keyed, queries: Any, documents: Any) -> Rows:
    """Add the texts of queries and the titles of documents: those of the table itself, then those of tables given."""
    own = documents_in([table])
    titles = dict(own.titles) if own else {}
    others = {name: values for name, values in rows.others.items() if not (own and fold(name) in CLEAR_TITLES)}
    titles |= read_documents(documents, duplicates="first").titles if documents is not None else {}
    source = queries if queries is not None else table.source.part("queries")
    texts = _texts(read_queries(source)) if source is not None else {}
    return replace(rows, texts={**rows.texts, **texts}, titles={k: t for k, t in titles.items() if t}, others=others)


def _texts(table: Queries) -> dict[str, str]:
    texts = table.attributes[table.text] if table.text else {}
    return {key: str(text) for key, text in texts.items() if text not in (None, "")}
