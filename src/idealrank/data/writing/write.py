"""Rows are written to a file, or to the files of a folder, whole or not at all."""

from __future__ import annotations

import functools
import gzip
import os
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from idealrank.data.documents import Documents, is_clear_title, read_documents
from idealrank.data.documents_beside import documents_in
from idealrank.data.formats.foreign import foreign_formats
from idealrank.data.ids import Keyed
from idealrank.data.queries import Queries, read_queries
from idealrank.data.writing import WRITERS
from idealrank.data.writing.fitting import fitted
from idealrank.data.writing.rows import Rows
from idealrank.data.writing.table import columns_of
from idealrank.data.writing.writer import TABLE, Content, Wishes, Writer, Written
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
    writer, notes = chosen(name, form, rows.kind), list[str]()
    rows = fitted(rows, writer, wishes, notes)
    _put(name, writer.layouts[rows.kind](rows, wishes, notes))
    return Written(name, writer.name, writer.title, len(rows), tuple(notes))


def formats(kind: str = "") -> dict[str, Writer]:
    """Return the formats that judgments or results, or either, are written in, by name."""
    return {writer.name: writer for writer in WRITERS if not kind or kind in writer.layouts}


def chosen(path: str, form: str, kind: str = "") -> Writer:
    """Return the format that is named, or that the ending of the path says; one for a kind of rows, if it is given.

    Raises
    ------
    UsageError
        If there is no such format, or the ending says none.
    """
    known = formats()
    ending = _ending(path)
    if form not in known and (form or not any(ending in one.endings for one in known.values())):
        known |= _foreign()
    if form and form not in known:
        raise unknown("format", form, known)
    writer = known[form] if form else next((one for one in known.values() if ending in one.endings), None)
    if writer is None:
        raise UsageError(f"{path}: the ending says no format. Name one: {_named(formats(kind))}.")
    if kind and kind not in writer.layouts:
        raise UsageError(f"{writer.title} has no place for {kind}. Choose another format: {_named(formats(kind))}.")
    return writer


def _foreign() -> dict[str, Writer]:
    """Return the formats that other packages write."""
    return {
        name: Writer(
            name,
            f"the format {name}",
            tuple(getattr(known, "endings", ())),
            dict.fromkeys(("judgments", "results"), functools.partial(_laid_out, known)),
            TABLE,
        )
        for name, known in foreign_formats().items()
        if hasattr(known, "write")
    }


def _laid_out(known: Any, rows: Rows, wishes: Wishes, notes: list[str]) -> Content:
    """Have another package write rows; its columns are lists."""
    content: Content = known.write(rows.kind, {name: list(values) for name, values in columns_of(rows).items()})
    return content


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
    """Add the texts of queries, and the titles and texts of documents: those of the table itself, then those given.

    A table keeps the title of each row, unless a table of documents is given.
    """
    known = [one for one in (documents_in([table]), _documents(documents)) if one is not None]
    titles = {key: title for one in known for key, title in one.titles.items() if title}
    passages = {key: text for one in known for key, text in one.texts().items()}
    others = {name: v for name, v in rows.others.items() if documents is None or not is_clear_title(name)}
    source = queries if queries is not None else table.source.part("queries")
    texts = _texts(read_queries(source)) if source is not None else {}
    return replace(rows, texts={**rows.texts, **texts}, titles=titles, passages=passages, others=others)


def _documents(documents: Any) -> Documents | None:
    return None if documents is None else read_documents(documents, duplicates="first")


def _texts(table: Queries) -> dict[str, str]:
    texts = table.attributes[table.text] if table.text else {}
    return {key: str(text) for key, text in texts.items() if text not in (None, "")}
