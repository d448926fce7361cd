"""What was read: each table with what it was read as, and a fingerprint of its content."""

import hashlib
from collections.abc import Iterator

from idealrank.data.documents import Documents
from idealrank.data.formats.origin import Origin
from idealrank.data.formats.source import Source
from idealrank.data.judgments import Judgments
from idealrank.data.replayed import asked, record_of
from idealrank.data.results import Results
from idealrank.errors import plural
from idealrank.evaluation.scores import Scores
from idealrank.reports.parts.kinds import DocumentsPart, InputEntry
from idealrank.reports.parts.shown_queries import ShownQueries


def inputs(queries: ShownQueries, titles: Documents | None, shown: DocumentsPart) -> list[InputEntry]:
    """Return one entry per table: role, name, rows, what it was read as, SHA-256 of its content, what was asked.

    Parameters
    ----------
    queries
        Some queries with their lists: of an evaluation in parts, their tables do not tell how many rows there are.
    titles, shown
        The table of documents, and the documents of the report: it is said how many of them have no title.
    """
    scores, parts = queries.lists, queries.scores.parts
    tables: dict[str, list[Judgments | Results]] = {
        "judgments": [scores.meetings[0].judgments],
        "results": [meeting.results for meeting in scores.meetings],
    }
    texts = {columns.table: columns.text for columns in scores.ledger.tables}
    entries: dict[tuple[str, int], InputEntry] = {}
    for role, each in tables.items():
        for table in each:
            entries[role, id(table)] = {
                "role": role,
                "name": table.name,
                "rows": None if parts else table.source.frame.rows,
                "read_as": texts.get(table.name, table.form),
                "sha256": _of_file(table.source.origin) or (None if parts else _of_source(table.source)),
            }
            if role == "results" and (record := record_of(table)) is not None:
                entries[role, id(table)]["asked"] = asked(record)
    return [*entries.values(), *_others(scores, titles, shown)]


def _others(scores: Scores, titles: Documents | None, shown: DocumentsPart) -> Iterator[InputEntry]:
    """Yield the table of queries and that of documents, where they were given."""
    for table in dict.fromkeys(scores.table.tables):
        yield _other("queries", table.name, f"columns {', '.join(table.columns)}", table.origin)
    if titles is not None:
        untitled, many = (shown["title"] or []).count(None), plural(len(shown["id"]), "document")
        yield _other("documents", titles.name, f"{untitled} of {many} shown have no title", titles.origin)


def _other(role: str, name: str, read_as: str, origin: Origin | None) -> InputEntry:
    return {"role": role, "name": name, "rows": None, "read_as": read_as, "sha256": _of_file(origin)}


def _of_file(origin: Origin | None) -> str | None:
    """Return the hash of the file a table was read from; None where it was none, or has changed since."""
    return None if origin is None else origin.sha256()


def _of_source(source: Source) -> str:
    """Hash the columns of a table whose file is not at hand: name and values as text."""
    whole = hashlib.sha256()
    for place, name in enumerate(source.frame.names):
        values = "\x1f".join(map(str, source.frame.column(place).to_list(None)))
        whole.update(f"{name}\x1e{values}\x1d".encode("utf-8", "surrogatepass"))
    return whole.hexdigest()
