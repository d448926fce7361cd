"""The journal of a replay: every answer is appended as it arrives, so that a run goes on where it stopped."""

from __future__ import annotations

import contextlib
import itertools
import json
import statistics
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from types import MappingProxyType
from typing import Any, NamedTuple

import numpy as np

from idealrank.data.ids import id_text
from idealrank.engines.engine import SearchError, SearchHits, SearchOptions
from idealrank.engines.queries import ReplayQueries
from idealrank.engines.replay_record import sha256, utc_now
from idealrank.engines.scheduler import Limits
from idealrank.engines.systems import System
from idealrank.errors import UsageError, either

Entry = dict[str, Any]
_SHOWN = 100


class AnswerLines:
    """A file of JSON lines to which each answer is appended as it arrives; only one process may write to it.

    Parameters
    ----------
    path
        The file; it is made, or gone on with.

    Raises
    ------
    UsageError
        If it cannot be written, or another process writes to it.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self._end = 0
        try:
            # Unbuffered: an answer that was paid for is in the file even if the process is killed right after it.
            self._file = path.open("ab", buffering=0)
            self._lines = path.open("rb")
        except OSError as error:
            raise UsageError(f"{path}: cannot be written: {error.strerror}. Give another -o.") from None

    def _lock(self) -> None:
        """Refuse a file that another process writes to, where locks can be had."""
        with contextlib.suppress(ImportError):
            import fcntl

            try:
                fcntl.flock(self._file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except OSError:
                raise UsageError(f"{self.path}: another run writes to it. Wait for it, or give another -o.") from None

    def _cut(self, at: int) -> None:
        """Leave out what comes after a byte: a last line that was not written whole, or everything."""
        self._end = at
        self._file.truncate(at)

    def _parse_line(self, line: bytes, at: int) -> Entry:
        try:
            entry = json.loads(line)
        except ValueError:
            raise self._damaged_error(at) from None
        if not isinstance(entry, dict):
            raise self._damaged_error(at)
        return entry

    def _damaged_error(self, at: int) -> UsageError:
        way = f"Start over: {either('anew=True', '--anew')}, or give another -o."
        return UsageError(f"{self.path}: damaged at byte {at}. {way}")

    def _write(self, entry: Entry) -> int:
        data, at = json.dumps(entry, ensure_ascii=False, default=str).encode() + b"\n", self._end
        self._end += len(data)
        while data:  # an unbuffered file may take only a part
            data = data[self._file.write(data) :]
        return at

    def close(self) -> None:
        """Close the file."""
        self._lines.close()
        self._file.close()


class Journal(AnswerLines):
    """The answers of one system, a line of JSON each, behind a line that says what was asked.

    Parameters
    ----------
    path
        The file; it is made, or gone on with.
    asked
        What was asked, in words and hashes; a journal of other questions is refused.
    queries, repeat
        The number of queries, and how often each is asked.
    anew
        Whether what is there is thrown away.

    Raises
    ------
    UsageError
        If the file is another run's, or another process writes to it.
    """

    def __init__(self, path: Path, asked: Mapping[str, Any], queries: int, repeat: int, anew: bool = False) -> None:
        super().__init__(path)
        self._places = np.full((queries, repeat), -1, np.int64)
        self._failed = 0
        self.before = 0
        """How many of the answers are of an earlier run."""
        self.begun = ""
        """When its first run began."""
        self.documents: set[Any] = set()
        """Documents whose fields have been written."""
        self.indexes: list[Mapping[str, Any]] = []
        """What identified the index whenever it was asked, each state once."""
        try:
            self._begin(asked, anew)
        except BaseException:
            self.close()
            raise

    def _begin(self, asked: Mapping[str, Any], anew: bool) -> None:
        self._lock()
        self._end = self.path.stat().st_size
        if self._end and not anew:
            self._resume(asked)
        elif anew:
            self._cut(0)
        if not self._end:
            self.begun = utc_now()
            self._write({"journal": 1, "begun": self.begun, **asked})

    def _resume(self, asked: Mapping[str, Any]) -> None:
        """Read what there is; a last line that was not written whole is cut off."""
        with self.path.open("rb") as lines:
            first = lines.readline()
            mine = first.endswith(b"\n") and self._is_same_run(self._parse_line(first, 0), asked)
            at = self._index_lines(lines, len(first)) if mine else 0
        self._cut(at)
        self.before = self.answered

    def _is_same_run(self, header: Entry, asked: Mapping[str, Any]) -> bool:
        """Whether the journal is of the same questions; one of others is refused, if it has any answer."""
        self.begun = header.get("begun") or utc_now()
        same = {name: value for name, value in header.items() if name not in ("journal", "begun")} == dict(asked)
        with self.path.open("rb") as lines:
            answered = not same and any(map(_is_answer, itertools.islice(lines, 1, None)))
        if answered:
            self._refuse_other(header, asked)
        return same

    def _index_lines(self, lines: Iterable[bytes], at: int) -> int:
        """Learn where the answers are; return where the last whole line ends."""
        for line in lines:
            if not line.endswith(b"\n"):
                break
            entry = self._parse_line(line, at)
            if isinstance(entry.get("index"), dict):
                self.indexes.append(entry["index"])
                at += len(line)
                continue
            try:
                self._places[entry["place"], entry["again"]] = -1 if entry["state"] == "failed" else at
            except (TypeError, LookupError):
                raise self._damaged_error(at) from None
            self.documents.update(key for key, _ in entry.get("documents", ()))
            at += len(line)
        return at

    def _refuse_other(self, header: Entry, asked: Mapping[str, Any]) -> None:
        was = {name: value for name, value in header.items() if name not in ("journal", "begun")}
        other = next((name for name in (*asked, *was) if was.get(name) != asked.get(name)), None)
        if other is not None:
            then = _describe_change(was.get(other), asked.get(other))
            raise UsageError(
                f"{self.path}: a run that was interrupted; what differs: {other}{then}. "
                f"Go on with it as it was, start over: {either('anew=True', '--anew')}, or give another -o."
            )

    @property
    def size(self) -> int:
        """How many answers there are to be."""
        return self._places.size

    @property
    def answered(self) -> int:
        """How many there are; failed searches are none."""
        return int((self._places >= 0).sum()) - self._failed

    def has(self, place: int, again: int) -> bool:
        """Whether a query was answered."""
        return bool(self._places[place, again] >= 0)

    def add(self, place: int, again: int, entry: Entry) -> None:
        """Append an answer."""
        at = self._write({"place": place, "again": again, **entry})
        self._places[place, again] = at
        self._failed += entry["state"] == "failed"

    def identify(self, index: Mapping[str, Any]) -> None:
        """Append what identifies the index that is asked from now on, unless that was known."""
        if index and index not in self.indexes:
            self._write({"index": dict(index)})
            self.indexes.append(index)

    def entry(self, place: int, again: int = 0) -> Entry | None:
        """Return an answer; None if the query was never asked."""
        at = int(self._places[place, again])
        if at < 0:
            return None
        self._lines.seek(at)
        entry: Entry = json.loads(self._lines.readline())
        return entry


def _is_answer(line: bytes) -> bool:
    """Whether a line of a journal is an answer, and neither a failure nor what identifies the index."""
    return b'"state": "failed"' not in line and not line.startswith(b'{"index": ')


def _describe_change(before: Any, now: Any) -> str:
    """Say what a value was and is; nothing for hashes."""
    text = f" ({before} then, {now} now)"
    return text if len(text) < _SHOWN else ""


def make_entry(outcome: SearchHits | SearchError, tries: int, raw: bool, known: set[Any]) -> Entry:
    """Return an outcome as the journal has it: documents once, the raw answer only if it was asked for."""
    if isinstance(outcome, SearchError):
        failed: Entry = {"state": "failed", "error": str(outcome), "tries": tries, "latency": outcome.latency}
        return {**failed, "raw": outcome.raw} if raw else failed
    entry: Entry = {"state": "answered" if outcome.hits else "empty", "hits": list(outcome.hits), "tries": tries}
    entry["latency"], entry["took"] = outcome.latency, outcome.took
    if outcome.explained:
        entry["explained"] = list(outcome.explained.items())
    if outcome.cut:
        entry["cut"] = True
    fresh = {key: fields for key, fields in outcome.documents.items() if key not in known}
    known.update(fresh)
    if fresh:
        entry["documents"] = list(fresh.items())
    return {**entry, "raw": outcome.raw} if raw else entry


def run_identity(
    system: System, questions: ReplayQueries, wishes: SearchOptions, limits: Limits, repeat: int, raw: bool
) -> dict[str, Any]:
    """Return what tells one run from another: a journal goes on only with the same."""
    engine = system.engine
    return {
        "system": system.name,
        "engine": engine.without_secrets(engine.address),
        "template": sha256(engine.template) if engine.template else "",
        "settings": dict(system.settings),
        "queries": questions.hash(engine.takes),
        "documents": engine.content,
        "k": wishes.k,
        "fields": list(wishes.fields),
        "repeat": repeat,
        "batch": limits.batch,
        "concurrency": limits.concurrency,
        "raw": raw,
        "explain": wishes.explain,
    }


# The answers of a replay.


class SearchAnswer(NamedTuple):
    """What came back for a query: its state, its results, how long it took, and the error if it failed.

    The times are of the last of its tries. Lost are the calls that failed while another for the query was answered.
    An answer is cut if the engine stopped, as it was asked to, before it had looked at everything.
    """

    key: Any
    text: str
    state: str
    hits: Sequence[tuple[Any, float | None]]
    latency: float | None
    took: float | None
    error: str
    changed: bool
    tries: int
    lost: int
    cut: bool = False
    explained: Mapping[str, Any] = MappingProxyType({})


@dataclass(frozen=True)
class SystemAnswers:
    """The answers of one system.

    Attributes
    ----------
    about
        What its engine says about itself.
    notes
        What a reader should know of its index: that it is not the one that was asked before, that it has changed.
    """

    system: System
    journal: Journal
    questions: ReplayQueries
    k: int
    repeat: int
    about: Mapping[str, Any] = field(default_factory=dict)
    notes: Sequence[str] = ()

    def __iter__(self) -> Iterator[SearchAnswer]:
        """Yield the answer to each query; one that was asked again with its first list, and medians of its times."""
        for place in range(len(self.questions.keys)):
            entries = [e for again in range(self.repeat) if (e := self.journal.entry(place, again)) is not None]
            if entries:
                yield self._answer(place, entries)

    def _answer(self, place: int, entries: Sequence[Entry]) -> SearchAnswer:
        fine = [entry for entry in entries if entry["state"] != "failed"] or list(entries)
        first = fine[0]
        lists = {tuple(id_text(key) for key, _ in _hits(entry)[: self.k]) for entry in fine}
        return SearchAnswer(
            self.questions.keys[place],
            self.questions.texts[place],
            first["state"],
            _hits(first)[: self.k],
            _median(fine, "latency"),
            _median(fine, "took"),
            first.get("error", ""),
            len(lists) > 1,
            max(entry.get("tries", 1) for entry in fine),
            len(entries) - len(fine),
            bool(first.get("cut")),
            {id_text(key): explanation for key, explanation in first.get("explained", ())},
        )

    def documents(self) -> Iterator[tuple[Any, Mapping[str, Any]]]:
        """Yield the fields of each document that came along."""
        for entry in self._entries():
            yield from entry.get("documents", ())

    def raw(self) -> Iterator[tuple[Any, int, str]]:
        """Yield the id of each query, for which time it was asked, and the answer as it came."""
        for entry in self._entries():
            if "raw" in entry:
                yield self.questions.keys[entry["place"]], entry["again"], entry["raw"]

    def _entries(self) -> Iterator[Entry]:
        for place in range(len(self.questions.keys)):
            for again in range(self.repeat):
                if (entry := self.journal.entry(place, again)) is not None:
                    yield entry


def _hits(entry: Entry) -> Sequence[tuple[Any, float | None]]:
    hits: Sequence[tuple[Any, float | None]] = entry.get("hits", ())
    return hits


def _median(entries: Sequence[Entry], name: str) -> float | None:
    values = [entry[name] for entry in entries if entry.get(name) is not None]
    return float(statistics.median(values)) if values else None
