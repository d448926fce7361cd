"""What was read: each table with what it was read as, and a fingerprint of its content."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from idealrank.errors import plural

if TYPE_CHECKING:
    from idealrank.read import Source
    from idealrank.reporting.documents import Documents
    from idealrank.scores import Scores
    from idealrank.tables import Judgments, Results


def inputs(scores: Scores, titles: Documents | None, shown: dict[str, Any]) -> list[dict[str, Any]]:
    """Return one entry a table: role, name, rows, what it was read as, SHA-256 of its content.

    Parameters
    ----------
    titles, shown
        The table of documents, and the documents of the report: it is said how many of them have no title.
    """
    tables: dict[str, list[Judgments | Results]] = {
        "judgments": [scores.meetings[0].judgments],
        "results": [meeting.results for meeting in scores.meetings],
    }
    said = {columns.table: columns.text for columns in scores.ledger.tables}
    found: dict[tuple[str, int], dict[str, Any]] = {}
    for role, each in tables.items():
        for table in each:
            found[role, id(table)] = {
                "role": role,
                "name": table.name,
                "rows": table.source.frame.rows,
                "read_as": said.get(table.name, table.form),
                "sha256": _of_file(table.name) or _of_source(table.source),
            }
    return [*found.values(), *_others(scores, titles, shown)]


def _others(scores: Scores, titles: Documents | None, shown: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """Yield the table of queries and that of documents, where they were given."""
    if scores.table.name:
        yield _other("queries", scores.table.name, f"columns {', '.join(scores.table.attributes)}")
    if titles is not None:
        without = sum(title is None for title in shown["title"])
        yield _other(
            "documents", titles.name, f"{without} of {plural(len(shown['id']), 'document')} shown without a title"
        )


def _other(role: str, name: str, said: str) -> dict[str, Any]:
    return {"role": role, "name": name, "rows": None, "read_as": said, "sha256": _of_file(name)}


def _of_file(name: str) -> str | None:
    if not os.path.isfile(name):
        return None
    with open(name, "rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def _of_source(source: Source) -> str:
    """Hash the columns of a table that is no file: name and values as text."""
    whole = hashlib.sha256()
    for place, name in enumerate(source.frame.names):
        values = "\x1f".join(map(str, source.frame.column(place).to_list(None)))
        whole.update(f"{name}\x1e{values}\x1d".encode("utf-8", "surrogatepass"))
    return whole.hexdigest()
