"""What a replay writes: a table of results and a record per system, documents, raw answers; whole or not at all."""

from __future__ import annotations

import contextlib
import csv
import hashlib
import io
import json
import re
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any, TextIO

from idealrank.data.formats.source import BESIDE
from idealrank.data.ids import id_text
from idealrank.display.files import whole_file
from idealrank.engines.journal import SearchAnswer, SystemAnswers
from idealrank.engines.replay_record import ReplayRecord
from idealrank.errors import UsageError

COLUMNS = ("query_id", "query", "doc_id", "rank", "score", "latency_ms", "took_ms", "status", "error")

_LONGEST = 1 << 30
"""Characters of the longest field of a document that is read back."""

_LONGEST_NAME = 180
"""Bytes of a file's name, which most file systems limit to 255, with a hash and the endings."""

_UNSAFE = re.compile(r"[^\w .=,+@%()\-]", re.UNICODE)


def file_name(system: str) -> str:
    """Return a system's name as the name of a file, without its ending; a long one is cut, and told apart by a hash.

    Examples
    --------
    >>> file_name("bm25 boost=2"), file_name("a/b"), file_name("..")
    ('bm25 boost=2', 'a_b', '_')
    """
    safe = _UNSAFE.sub("_", system).strip(". ") or "_"
    if len(safe.encode()) <= _LONGEST_NAME:
        return safe
    digest = hashlib.sha256(system.encode("utf-8", "surrogatepass")).hexdigest()[:8]
    return f"{safe.encode()[:_LONGEST_NAME].decode('utf-8', 'ignore')}-{digest}"


def make_folders(folder: Path) -> Path:
    """Return the folder for what belongs to the results; both are made if they are not there.

    Raises
    ------
    UsageError
        If they cannot be.
    """
    try:
        (folder / BESIDE).mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise UsageError(f"{folder}: no folder can be made there: {error.strerror}. Give another -o.") from None
    return folder / BESIDE


def result_rows(answer: SearchAnswer) -> Iterator[tuple[Any, ...]]:
    """Yield a row per result; of a query without results, one without a document."""
    for rank, (doc, score) in enumerate(answer.hits or [(None, None)], 1):
        yield (
            *(answer.key, answer.text, doc, rank if doc is not None else None, score),
            *(answer.latency, answer.took, answer.state, answer.error),
        )


def write_results(path: Path, answers: Iterable[SearchAnswer]) -> None:
    """Write the table of results."""
    with _open_whole(path) as out:
        table = csv.writer(out, lineterminator="\n")
        table.writerow(COLUMNS)
        for answer in answers:
            table.writerows(
                result_rows(answer._replace(latency=_round_time(answer.latency), took=_round_time(answer.took)))
            )


def _round_time(milliseconds: float | None) -> float | None:
    """Return a time to the microsecond."""
    return None if milliseconds is None else round(milliseconds, 3)


def write_documents(
    path: Path, documents: Iterable[tuple[Any, Mapping[str, Any]]], fields: Iterable[str], anew: bool = False
) -> None:
    """Write the fields of documents, together with those that an earlier replay into the same folder wrote.

    Parameters
    ----------
    anew
        Whether what is there is thrown away.
    """
    names, rows = ((), {}) if anew else read_written_documents(path)
    names = tuple(dict.fromkeys((*names, *fields)))
    seen = set[str]()
    for key, found in documents:
        if (text := id_text(key)) not in seen:
            seen.add(text)
            cells = {name: _cell_value(value) for name in fields if (value := found.get(name)) is not None}
            rows[text] = {**rows.get(text, {}), **cells}
    with _open_whole(path) as out:
        table = csv.writer(out, lineterminator="\n")
        table.writerow(("doc_id", *names))
        table.writerows((text, *(row.get(name) for name in names)) for text, row in rows.items())


def _cell_value(value: Any) -> Any:
    if isinstance(value, list) and len(value) == 1:  # Solr's fields of several values
        value = value[0]
    return json.dumps(value, ensure_ascii=False) if isinstance(value, (list, dict)) else value


def read_written_documents(path: Path) -> tuple[tuple[str, ...], dict[str, dict[str, Any]]]:
    """Return the fields and the documents that an earlier replay wrote; none if there is no such file.

    Raises
    ------
    UsageError
        If the file is not one that a replay wrote.
    """
    if not path.is_file():
        return (), {}
    limit = csv.field_size_limit(_LONGEST)
    try:
        with path.open(newline="", encoding="utf-8") as file:
            header, *rows = csv.reader(file)
    except (OSError, ValueError, csv.Error):
        header, rows = [], []
    finally:
        csv.field_size_limit(limit)
    if header[:1] != ["doc_id"] or any(len(row) != len(header) for row in rows):
        raise UsageError(
            f"{path}: not the documents of a replay, so none can be added to it. Move it away, or give another -o."
        )
    names = tuple(header[1:])
    return names, {row[0]: {name: cell for name, cell in zip(names, row[1:], strict=True) if cell} for row in rows}


def write_raw(path: Path, answers: SystemAnswers) -> None:
    """Write the answers as the journal has them, a line of JSON each."""
    with _open_whole(path) as out:
        for key, again, text in answers.raw():
            out.write(json.dumps({"query_id": key, "again": again, "raw": text}, ensure_ascii=False) + "\n")


def write_explained(path: Path, answers: Iterable[SearchAnswer]) -> None:
    """Write how the score of each result came about, as the engine says it: a line of JSON for each."""
    with _open_whole(path) as out:
        for answer in answers:
            for rank, (doc, score) in enumerate(answer.hits, 1):
                if (why := answer.explained.get(id_text(doc))) is not None:
                    line = {"query_id": answer.key, "doc_id": doc, "rank": rank, "score": score, "explanation": why}
                    out.write(json.dumps(line, ensure_ascii=False) + "\n")


def write_record(path: Path, record: ReplayRecord) -> None:
    """Write the record."""
    with _open_whole(path) as out:
        out.write(json.dumps(record.to_dict(), ensure_ascii=False, indent=2, default=str) + "\n")


@contextlib.contextmanager
def _open_whole(path: Path) -> Iterator[TextIO]:
    """Give a text to write that takes the place of a file when it is whole."""
    try:
        with whole_file(path) as out:
            text = io.TextIOWrapper(out, encoding="utf-8", newline="")
            yield text
            text.detach()  # flushes, and leaves the file open for what makes it last
    except OSError as error:
        raise UsageError(f"{path}: cannot be written: {error.strerror or error}. Give another -o.") from None
