"""What a replay writes: a table of results and a record per system, documents, raw answers; whole or not at all."""

from __future__ import annotations

import contextlib
import csv
import io
import json
import re
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any, TextIO

from idealrank.data.ids import id_text
from idealrank.data.replayed import BESIDE
from idealrank.display.files import whole_file
from idealrank.engines.answers import Answer, Answers
from idealrank.errors import UsageError

COLUMNS = ("query_id", "query", "doc_id", "rank", "score", "latency_ms", "took_ms", "status", "error")

_UNSAFE = re.compile(r"[^\w .=,+@%()\-]", re.UNICODE)


def file_name(system: str) -> str:
    """Return a system's name as the name of a file, without its ending.

    Examples
    --------
    >>> file_name("bm25 boost=2"), file_name("a/b"), file_name("..")
    ('bm25 boost=2', 'a_b', '_')
    """
    return _UNSAFE.sub("_", system).strip(". ") or "_"


def made_folder(folder: Path) -> Path:
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


def rows_of(answer: Answer) -> Iterator[tuple[Any, ...]]:
    """Yield a row per result; of a query without results, one without a document."""
    for rank, (doc, score) in enumerate(answer.hits or [(None, None)], 1):
        yield (
            *(answer.key, answer.text, doc, rank if doc is not None else None, score),
            *(answer.latency, answer.took, answer.state, answer.error),
        )


def write_results(path: Path, answers: Iterable[Answer]) -> None:
    """Write the table of results."""
    with _whole(path) as out:
        table = csv.writer(out, lineterminator="\n")
        table.writerow(COLUMNS)
        for answer in answers:
            table.writerows(rows_of(answer._replace(latency=_rounded(answer.latency), took=_rounded(answer.took))))


def _rounded(milliseconds: float | None) -> float | None:
    """Return a time to the microsecond."""
    return None if milliseconds is None else round(milliseconds, 3)


def write_documents(path: Path, answers: Iterable[Answers], fields: Iterable[str]) -> None:
    """Write the fields of the documents that came along, once each."""
    names, seen = tuple(fields), set[str]()
    with _whole(path) as out:
        table = csv.writer(out, lineterminator="\n")
        table.writerow(("doc_id", *names))
        for key, found in (pair for of in answers for pair in of.documents()):
            if (text := id_text(key)) not in seen:
                seen.add(text)
                table.writerow((text, *(_cell(found.get(name)) for name in names)))


def _cell(value: Any) -> Any:
    if isinstance(value, list) and len(value) == 1:  # Solr's fields of several values
        value = value[0]
    return json.dumps(value, ensure_ascii=False) if isinstance(value, (list, dict)) else value


def write_raw(path: Path, answers: Answers) -> None:
    """Write the answers as the journal has them, a line of JSON each."""
    with _whole(path) as out:
        for key, again, text in answers.raw():
            out.write(json.dumps({"query_id": key, "again": again, "raw": text}, ensure_ascii=False) + "\n")


def write_record(path: Path, record: dict[str, Any]) -> None:
    """Write the record."""
    with _whole(path) as out:
        out.write(json.dumps(record, ensure_ascii=False, indent=2, default=str) + "\n")


@contextlib.contextmanager
def _whole(path: Path) -> Iterator[TextIO]:
    """Give a text to write that takes the place of a file when it is whole."""
    try:
        with whole_file(path) as out:
            text = io.TextIOWrapper(out, encoding="utf-8", newline="")
            yield text
            text.detach()  # flushes, and leaves the file open for what makes it last
    except OSError as error:
        raise UsageError(f"{path}: cannot be written: {error.strerror or error}. Give another -o.") from None
