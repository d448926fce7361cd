"""Anything that contains judgments or results becomes a frame of columns. Nothing here knows about measures."""

import os
import sys
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

from idealrank._core import BadInput, Frame, Progress, from_columns, sniff
from idealrank.data.formats.folders import (
    files_of,
    is_answers,
    is_beir,
    is_dataset,
    matching_files,
    parts_of,
    path_or_content,
    read_answers,
    read_beir,
    read_dataset,
)
from idealrank.data.formats.head import HEAD, DetectedFormat, FileOrBytes, Head, JsonDocuments, Tables, packing
from idealrank.data.formats.messages import bad_input
from idealrank.data.formats.nested_plan import NestedPlan
from idealrank.data.formats.sniff import detect_format, sniff_format
from idealrank.data.formats.source import BackgroundRead, Origin, Source
from idealrank.data.roles import ALIASES, fold
from idealrank.errors import DataError, visible

PIECE = 1 << 20
"""Bytes of standard input that are read at a time."""


MOST_COLUMNS = 50_000
"""Columns of a table, each of which is looked at for what it may be."""


def read_frame(source: Any, kind: str, progress: Progress | None = None, docs: str = "") -> Source:
    """Read a source into a frame, with its name for messages.

    Parameters
    ----------
    source
        A path, ``-`` for standard input, an open file, or an object in memory.
    kind
        ``judgments``, ``results`` or ``queries``: the name of an object in memory.
    progress
        Told how many bytes were read.
    docs
        The column or the list of documents, as the user named it; "" for none.

    Raises
    ------
    DataError
        If it cannot be read, or contains no rows; the message gives the line, what is wrong and what is allowed.
    """
    if isinstance(source, BackgroundRead):
        return source.source().table_of(kind.partition(" ")[0])
    if isinstance(source, Source):
        table = source.table_of(kind.partition(" ")[0])
        chosen = [name for place, name in enumerate(table.frame.names) if docs and table.is_nested(place)]
        return _rows_of_cells(table, docs) if fold(docs) in map(fold, chosen) else table
    table = _read_source(source, kind, progress, docs).table_of(kind.partition(" ")[0])
    if table.frame.rows == 0 and kind != "documents":  # titles are a help: without any, ids are shown
        raise DataError(f"{table.name}: there are columns but no rows. Give at least one judgment or result.")
    return table


def read_all_tables(source: Any, name: str, docs: str = "") -> Source:
    """Read a source with every table it contains, whatever they are.

    Parameters
    ----------
    name
        The name of an object in memory.
    docs
        The column or the list of documents, as the user named it; "" for none.

    Raises
    ------
    DataError
        If it cannot be read.
    """
    return _read_source(source, name, None, docs)


def read_events(source: Any) -> Source:
    """Read a log of events: of UBI what models of clicks need, of any other its table.

    Raises
    ------
    DataError
        If it cannot be read, or has no rows.
    """
    name = os.fspath(source) if isinstance(source, (str, os.PathLike)) else ""
    is_file = bool(name) and name != "-" and not is_dataset(name) and not matching_files(name)
    found = _read_event_file(name) if is_file else _read_event_objects(source)
    found = found or read_all_tables(source, "events")
    if found.frame.rows == 0:
        raise DataError(f"{found.name}: there are columns but no rows. Give at least one impression.")
    return found


def _read_event_file(path: str) -> Source | None:
    """Return the events of a file of JSON; None for other files."""
    from idealrank.data.formats.json_text import detect_events

    file, part = file_and_part(path)
    try:
        content = _unpack(path_or_content(file), path, part)
        detected = detect_events(Head(sniff(content, HEAD), path, lambda size: sniff(content, size)))
        return None if detected is None else source_of_content(detected, detected.read(content, None), path, None)
    except BadInput as bad:
        raise bad_input(path, *bad.args) from None
    except OSError as error:
        raise DataError(f"{path}: cannot be read: {error.strerror or error}.") from None


def _read_event_objects(source: Any) -> Source | None:
    """Return the events of a list of dicts; None for anything else."""
    from idealrank._core import read_json
    from idealrank.data.formats.objects import compact_json
    from idealrank.data.formats.shapes.engines import plan_ubi_events

    if not isinstance(source, Sequence) or isinstance(source, (str, bytes)):
        return None
    plan = plan_ubi_events(source)
    if plan is None or not any("event_attributes" in each for each in source if isinstance(each, dict)):
        return None
    lines = "\n".join(map(compact_json, source)).encode()
    tables = dict(read_json(lines, plan.for_core, True))
    return Source("events", tables["events"], what=plan.what, tables=tables, plan=plan)


def read_ahead(path: str, kind: str, docs: str = "") -> BackgroundRead:
    """Begin to read a file in the background, as `read_frame` does, and return a source for it."""
    return BackgroundRead(lambda: read_frame(path, kind, docs=docs))


def file_columns(path: str, kind: str) -> Sequence[str]:
    """Return the column names of a file; none if it is not a table, or its columns have no names."""
    if is_dataset(path):
        parts = parts_of(path)
        return [*file_columns(parts[0].path, kind), *(name for name, _ in parts[0].partition)]
    try:
        head = _read_head(path)
    except (DataError, BadInput, OSError):
        return ()
    try:
        detected = detect_format(head)
    except DataError:
        if head.start.lstrip()[:1] in (b"{", b"["):  # a table, if a broken one
            raise
        return ()
    if detected.is_rewritten or detected.name.startswith("trec-"):
        return ()
    if detected.plan is not None:
        return tuple(name for rows in detected.plan.rows for name, _ in rows.columns)
    if detected.name != "delimited":
        return read_frame(path, kind).frame.names
    from idealrank.data.formats.delimited import read_header

    return read_header(head, detected)


def detect_file(path: str) -> DetectedFormat:
    """Recognize the form of a file, without reading it.

    Raises
    ------
    DataError
        If it looks like nothing that can be read.
    """
    return detect_format(_read_head(path))


def system_files(name: str) -> list[str]:
    """Return the files of a folder or a quoted pattern, one per system.

    A folder that is one table, or has an answer per query, is returned as it is; so are such folders in a folder.

    Raises
    ------
    DataError
        If the folder contains no file.
    """
    if _is_one_system(name):
        return [name]
    return matching_files(name) or files_of(name, _is_one_system)


def _is_one_system(folder: str) -> bool:
    return is_dataset(folder) or is_answers(folder, detect_file)


def _read_head(path: str) -> Head:
    file, part = file_and_part(path)
    content = _unpack(file, path, part)
    return Head(sniff(content, HEAD), path, lambda size: sniff(content, size))


def _read_source(source: Any, kind: str, progress: Progress | None, docs: str = "") -> Source:
    if isinstance(source, (str, os.PathLike)):
        path = os.fspath(source)
        if path == "-":
            # Piece by piece, since an interruption is noticed only between pieces.
            stream: Any = sys.stdin.buffer
            pieces = iter(lambda: stream.read1(PIECE), b"")
            return _parse_content(b"".join(pieces), "standard input", progress, docs=docs)
        if is_dataset(path) or matching_files(path):
            return read_dataset(path, lambda file: _read_source(file, kind, progress, docs))
        if is_beir(path):
            return read_beir(path, lambda file: _read_source(file, kind, progress, docs))
        if is_answers(path, detect_file):
            return read_answers(path, lambda file: _read_source(file, kind, progress, docs))
        file, part = file_and_part(path)
        return _parse_content(path_or_content(file), visible(path), progress, part, docs)
    if hasattr(source, "read") and not hasattr(source, "__arrow_c_stream__"):
        text = source.read()
        # Half a character becomes bytes that are not UTF-8, which the reader refuses with the line number.
        content = text.encode("utf-8", "surrogatepass") if isinstance(text, str) else text
        return _parse_content(content, str(getattr(source, "name", kind)), progress, docs=docs)
    from idealrank.data.formats.objects import find_unfit, is_numbers_by_document, object_as_frame

    if is_numbers_by_document(source):
        from idealrank.data.formats.pandas_json import columns_of_frame

        if columns_of_frame(source, docs=docs) is None:
            return Source(kind, object_as_frame(source, kind, docs))
    from idealrank.data.formats.nested import nested_rows

    return nested_rows(source, kind, docs) or _rows_of_cells(
        Source(kind, object_as_frame(source, kind, docs), find_unfit(source)), docs
    )


def file_and_part(path: str) -> tuple[str, str]:
    """Split FILE#PART if FILE is an archive or a workbook; the part is "" for any other path."""
    file, _, part = path.rpartition("#")
    archive = not os.path.exists(path) and os.path.isfile(file) and packing(file) == "zip"
    return (file, part) if archive else (path, "")


def _unpack(content: FileOrBytes, name: str, part: str) -> FileOrBytes:
    if not packing(content):
        return content
    from idealrank.data.formats.archives import decompress  # only if something is packed

    return decompress(content, name, part)


def _parse_content(
    content: FileOrBytes, name: str, progress: Progress | None, part: str = "", docs: str = ""
) -> Source:
    unpacked = content
    try:
        origin = Origin.of(content) if isinstance(content, str) else None
        unpacked = _unpack(content, name, part)
        detected = sniff_format(unpacked, name, docs)
        source = source_of_content(detected, detected.read(unpacked, progress), name, origin, docs=docs)
        # Only now: what unpacks a workbook refuses one that would end the process.
        sheets = _warn_of_sheets(content) if isinstance(content, str) and not part else ()
        return replace(source, warnings=sheets) if sheets else source
    except BadInput as bad:
        if bad.args[0] in ("duplicate_header", "ragged"):
            from idealrank.data.formats.delimited import refuse_title

            first = bad.args[1] if bad.args[0] == "duplicate_header" else 1
            refuse_title(Head(sniff(unpacked, HEAD), name, lambda size: sniff(unpacked, size)), first)
        raise bad_input(name, *bad.args) from None
    except OSError as error:
        raise DataError(f"{name}: cannot be read: {error.strerror or error}.") from None


def _warn_of_sheets(path: str) -> tuple[str, ...]:
    """Say which sheet is read of a workbook that has several: the first may be an old one, or hidden."""
    if packing(path) != "zip":
        return ()
    from idealrank.data.formats.archives import filled_sheets  # only if something is packed

    names, file = filled_sheets(path), os.path.basename(path)
    if len(names) < 2:
        return ()
    return (
        f"only the first of {len(names):,} sheets was read, {names[0]!r}; name another as {file}#{names[-1]}, or this "
        f"one as {file}#{names[0]}",
    )


def source_of_content(
    detected: DetectedFormat, read: Frame | Tables | JsonDocuments, name: str, origin: Origin | None,
    whence: Callable[[int], str] | None = None, docs: str = "",
) -> Source:  # fmt: skip
    """Return what was read of a file of a form, with its name in messages, and `whence` for rows copied from it."""
    if isinstance(read, JsonDocuments):
        from idealrank.data.formats.nested import tables_of_documents

        return _number_rows(replace(tables_of_documents(read, name, docs), origin=origin))
    unnamed = detected.name if detected.is_rewritten else ""
    for frame in (read,) if isinstance(read, Frame) else read.values():
        _refuse_width(frame, name)
    if not isinstance(read, Frame):
        plan, first = detected.plan or NestedPlan("", ()), next(iter(read.values()))
        source = Source(name, first, {}, origin, plan.what, read, plan.notes, unnamed, system=plan.system, plan=plan)
        source.refuse_results_without_ids(plan)
        return _number_rows(source)
    table = Source(name, read, origin=origin, headerless_form=unnamed, locate_row=whence, delimiter=detected.delimiter)
    return table if table.nameless else _rows_of_cells(table, docs)


def _refuse_width(read: Frame, name: str) -> None:
    if len(read.names) > MOST_COLUMNS:
        raise DataError(
            f"{name}: a table of {len(read.names):,} columns, where {MOST_COLUMNS:,} are the most. Is this the right "
            "file? Keep the columns of the query, the document, and the grade, rank or score."
        )


def _rows_of_cells(table: Source, docs: str) -> Source:
    """Return a table whose cells contain lists of documents as rows; any other as it is."""
    from idealrank.data.formats.nested import explode_cells

    return explode_cells(_number_documents(table), docs)


def _number_rows(source: Source) -> Source:
    """Return a document that is rows of what a ranker was trained on with an id for each; any other as it is."""
    if source.what or len(source.tables) > 1:
        return source
    numbered = _number_documents(source)
    return source if numbered is source else replace(numbered, tables={}, plan=None)


def _number_documents(table: Source) -> Source:
    """Return what a ranker was trained on, a group, a label and a prediction in each row, with an id for each row.

    Where it has no documents, each row is one; they are numbered within their group, as those of SVMlight are.
    """
    # Tables have thousands of columns, and few of them have both.
    together = "\0".join(table.frame.names).lower()
    if not all(any(word in together for word in words) for words in (_IN_LABELS, _IN_PREDICTIONS)):
        return table
    names = [fold(name) for name in table.frame.names]
    found = [[place for place, name in enumerate(names) if name in role] for role in (_GROUPS, _LABELS, _PREDICTIONS)]
    if any(len(places) != 1 for places in found) or not _DOCUMENTS.isdisjoint(names):
        return table
    from idealrank.data.formats.headerless import places_in_query

    group = table.frame.column(found[0][0])
    docs = [f"{place:.0f}" for place in places_in_query(group.codes()[0])]
    queries = {} if names[found[0][0]] in _QUERY_IDS else {"query_id": group}
    columns: dict[str, Any] = {name: table.frame.column(place) for place, name in enumerate(table.frame.names)}
    columns |= {**queries, "doc_id": docs}
    note = "no column of documents: each row is one, numbered within its group"
    frame = from_columns([*columns], [*columns.values()])
    return replace(table, frame=frame, notes=(*table.notes, note), locate_row=table.where)


_IN_LABELS = ("label", "target", "true", "relevance", "grade")
_IN_PREDICTIONS = ("pred", "score", "prob", "logit", "hat")
"""What the names of a label and of a prediction contain."""

_QUERY_IDS = ALIASES["query"][0]
_GROUPS = frozenset({"group", "groupid", *_QUERY_IDS})
_LABELS = frozenset({"label", "labels", "target", "ytrue", "relevance", "grade"})
_PREDICTIONS = frozenset({"score", *ALIASES["score"][2], *ALIASES["score"][3]})
_DOCUMENTS = frozenset({"query", "system"}).union(*ALIASES["doc"], *ALIASES["text"])
