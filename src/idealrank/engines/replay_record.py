"""The record of a replay, beside the results it wrote: what was asked of which engine; and the documents beside it."""

from __future__ import annotations

import hashlib
import os
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Annotated, Any

from idealrank.data.formats.source import BESIDE
from idealrank.display.document import Described
from idealrank.display.schema import Within
from idealrank.errors import NoColumnError, plural

if TYPE_CHECKING:
    from idealrank.data.documents import Documents
    from idealrank.data.ids import Keyed

_HASH = 12

STATES = ("answered", "empty", "failed")


@dataclass(frozen=True)
class ReplayedTemplate:
    """The request with places for values."""

    file: Annotated[str, "Its file; empty for a built-in one."]
    sha256: Annotated[str, "SHA-256 of its text."]
    text: Annotated[str, "Its text."]


@dataclass(frozen=True)
class ReplayedQueries:
    """The queries."""

    file: Annotated[str, "The file of queries; empty if there is none."]
    sha256: Annotated[str, "SHA-256 of the file, or of the queries."]
    count: Annotated[int, "How many were asked."]
    without_text: Annotated[Sequence[str], "Queries without a text, which were not asked."]


@dataclass(frozen=True)
class ReplayRecord(Described):
    """The record of a replay."""

    system: Annotated[str, "Name of the system."]
    address: Annotated[str, "Where it was asked, without secrets."]
    engine: Annotated[str | None, "The engine, as it calls itself; null if it does not say."]
    version: Annotated[str | None, "Its version; null if it does not say."]
    index: Annotated[str | None, "The index, collection or database; null if there is none."]
    documents: Annotated[int | None, "How many documents it contains; null if it does not say."]
    uuid: Annotated[str | None, "What identifies the index, or several, with commas between; null if it does not say."]
    index_version: Annotated[str | None, "The version of its contents, as Solr counts them; null if it does not say."]
    template: Annotated[ReplayedTemplate, "The request with places for values."]
    settings: Annotated[Mapping[str, Annotated[str | float | bool | None, "The value."]], "The values of the settings."]
    queries: Annotated[ReplayedQueries, "The queries."]
    k: Annotated[int, Within(1), "How many results were asked for."]
    fields: Annotated[Sequence[str], "Fields of documents that came along."]
    begun: Annotated[str, "When it began: ISO 8601, UTC."]
    ended: Annotated[str, "When it ended: ISO 8601, UTC."]
    concurrency: Annotated[int, Within(1), "How many searches ran at a time."]
    rate: Annotated[float | None, Within(0), "Most searches per second; null for no limit."]
    batch: Annotated[int, Within(1), "How many searches went in one request."]
    retries: Annotated[int, "How often a failed search was tried again."]
    timeout: Annotated[float, Within(0), "Seconds after which a search failed."]
    tls: Annotated[str, "How certificates were checked."]
    results_sha256: Annotated[str, "SHA-256 of the file of results."]
    answered: Annotated[int, "Number of queries that are answered."]
    empty: Annotated[int, "Number of queries that are empty."]
    failed: Annotated[int, "Number of queries that are failed."]
    retried: Annotated[Sequence[str], "Queries answered only when asked again."]
    from_an_earlier_run: Annotated[int, "Answers kept from an earlier run."]
    notes: Annotated[
        Sequence[str], "What else to know, such as lists that all end at one length, or an index that changed."
    ]
    idealrank: Annotated[str, "Version of idealrank."]
    repeat: Annotated[int, Within(1), "How often every query was asked."]
    changed: Annotated[Sequence[str], "Queries whose results differed between identical calls."]
    lost: Annotated[Sequence[str], "Queries of which a call failed while another was answered."]


def sha256(text: str) -> str:
    """Return the hash of a text, as other programs compute it."""
    return hashlib.sha256(text.encode()).hexdigest()


def utc_now() -> str:
    """Return the time, in UTC."""
    return datetime.now(UTC).isoformat(timespec="milliseconds")


IDENTITY = ("version", "index", "uuid", "documents", "index_version")
"""What tells one index, or one state of it, from another."""


def index_identity(about: Mapping[str, Any]) -> dict[str, Any]:
    """Return what is known of the index of an engine, of what it says about itself."""
    return {name: about[name] for name in IDENTITY if about.get(name) is not None}


def index_differences(before: Mapping[str, Any], now: Mapping[str, Any]) -> dict[str, str]:
    """Return what differs between two states of an index, of what is known of both, in words.

    Examples
    --------
    >>> index_differences({"uuid": "a", "documents": 20000}, {"uuid": "a", "documents": 100, "version": "3.8"})
    {'documents': 'documents 20000 then, 100 now'}
    """
    both = {name: (before[name], now[name]) for name in IDENTITY if name in before and name in now}
    called = {"index_version": "version of the index"}
    return {name: f"{called.get(name, name)} {was} then, {is_} now" for name, (was, is_) in both.items() if was != is_}


# Its file, beside the results.


def read_record(table: Keyed) -> Mapping[str, Any] | None:
    """Return the record of what was asked for a table of results; None if there is none for just this file."""
    origin = table.source.origin
    if origin is None or not os.path.isdir(origin.beside):
        return None
    import json
    from pathlib import Path

    path = Path(origin.path)
    file = path.parent / BESIDE / f"{path.stem}.json"
    if not file.is_file():
        return None
    try:
        record = json.loads(file.read_text(encoding="utf-8"))
    except (OSError, ValueError, RecursionError):
        return None
    mine = isinstance(record, dict) and record.get("results_sha256") == origin.sha256()
    return record if mine and _is_whole(record) else None


def _is_whole(record: Mapping[str, Any]) -> bool:
    """Whether a record has what is read of one; another program, or somebody, may have written it."""
    found = {**record, **{f"{name} {key}": _part(record, name, key) for name, key in _PARTS}}
    return all(isinstance(found.get(name), kinds) for name, kinds in _KINDS.items()) and all(
        isinstance(text, str) for name in ("notes", "fields") for text in record.get(name) or ()
    )


def _part(record: Mapping[str, Any], name: str, key: str) -> Any:
    return record[name].get(key) if isinstance(record.get(name), dict) else None


_TEXT, _NUMBER, _LIST = str | None, int | None, list | None
_PARTS = (
    ("queries", "file"),
    ("queries", "count"),
    ("queries", "sha256"),
    ("template", "file"),
    ("template", "sha256"),
)
_KINDS: Mapping[str, Any] = {
    "address": str, "k": int, "begun": str, "concurrency": int, "settings": dict, "queries file": str,
    "queries count": int, "queries sha256": str, "template file": _TEXT, "template sha256": str, "ended": _TEXT,
    "engine": _TEXT, "version": _TEXT, "index": _TEXT, "documents": _NUMBER, "notes": _LIST, "fields": _LIST,
}  # fmt: skip
"""The parts of a record that are read, and what each is."""


def describe_record(record: Mapping[str, Any]) -> str:
    """Say what a record says in one line.

    Examples
    --------
    >>> print(describe_record({"address": "sqlite:a.csv", "engine": "sqlite", "version": "3.40", "documents": 5,
    ...     "k": 10, "queries": {"file": "q.csv", "count": 2, "sha256": "ab"}, "template": {"file": "", "sha256": "cd"},
    ...     "settings": {"boost": 2}, "begun": "2026-11-23T07:50:38+00:00", "concurrency": 1}))
    asked sqlite 3.40 at sqlite:a.csv (5 documents); built-in template (SHA-256 cd), boost=2; 2 queries of q.csv \
(SHA-256 ab), 10 results each; 1 at a time; 2026-11-23T07:50:38+00:00
    """
    queries, at_a_time = record["queries"], f"{record['concurrency']} at a time"
    source = f" of {queries['file']}" if queries["file"] else ""
    many = f"{plural(queries['count'], 'query')}{source} ({_short_hash(queries['sha256'])}), {record['k']} results each"
    return "; ".join(
        [_describe_engine(record), _describe_template(record), many, at_a_time, _drop_fractions(record["begun"])]
    )


def _describe_engine(record: Mapping[str, Any]) -> str:
    name = " ".join(str(record[part]) for part in ("engine", "version") if record.get(part)) or "a function"
    held = ", ".join(filter(None, (_index(record), _documents(record))))
    place = f" at {record['address']}" if record["address"] else ""
    return f"asked {name}{place}" + (f" ({held})" if held else "")


def _index(record: Mapping[str, Any]) -> str:
    return f"index {record['index']}" if record.get("index") else ""


def _documents(record: Mapping[str, Any]) -> str:
    return "" if record.get("documents") is None else f"{record['documents']} documents"


def _describe_template(record: Mapping[str, Any]) -> str:
    template = record["template"]
    settings = "".join(f", {name}={value}" for name, value in record["settings"].items())
    named = f"template {template['file']}" if template["file"] else "built-in template"
    return f"{named} ({_short_hash(template['sha256'])}){settings}"


def _short_hash(digest: str) -> str:
    return f"SHA-256 {digest[:_HASH]}"


def _drop_fractions(time: str) -> str:
    """Return a time without its parts of a second."""
    return re.sub(r"(?<=:\d\d)\.\d+", "", time)


def describe_different_times(records: Mapping[str, Mapping[str, Any]]) -> str:
    """Say that systems were asked at different times, one after the other; "" if their times overlap.

    Parameters
    ----------
    records
        What is kept of each replay, by system.

    Examples
    --------
    >>> first = {"begun": "2026-11-23T07:50:38+00:00", "ended": "2026-11-23T07:52:00+00:00"}
    >>> later = {"begun": "2026-11-23T08:00:00+00:00", "ended": "2026-11-23T08:01:00+00:00"}
    >>> print(describe_different_times({"old": first, "new": later}))
    asked at different times (old 2026-11-23 07:50:38, new 2026-11-23 08:00:00): their times are not comparable
    >>> describe_different_times({"old": first, "new": {**later, "begun": "2026-11-23T07:51:00+00:00"}})
    ''
    """
    try:
        spans = {
            name: (datetime.fromisoformat(record["begun"]), datetime.fromisoformat(record["ended"]))
            for name, record in records.items()
        }
        overlap = max(begun for begun, _ in spans.values()) <= min(ended for _, ended in spans.values())
    except (KeyError, TypeError, ValueError):  # also of times with and without a zone
        return ""
    if overlap:
        return ""
    times = ", ".join(f"{name} {begun:%Y-%m-%d %H:%M:%S}" for name, (begun, _) in list(spans.items())[:_NAMED])
    more = f" and {len(spans) - _NAMED} more" if len(spans) > _NAMED else ""
    return f"asked at different times ({times}{more}): their times are not comparable"


_NAMED = 4
"""Systems that are named with the time at which they were asked."""


def replayed_documents(tables: Iterable[Keyed]) -> Documents | None:
    """Return the documents that came along with results; None if none did, or they have no title."""
    from idealrank.data.documents import read_documents

    for table in tables:
        record, origin = read_record(table), table.source.origin
        if record is None or origin is None or not record.get("fields"):
            continue
        file = os.path.join(origin.beside, "documents.csv")
        if os.path.isfile(file):
            try:
                return read_documents(file, duplicates="first")
            except NoColumnError:
                continue
    return None
