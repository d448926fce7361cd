"""The journal of a replay: every answer is appended as it arrives, so that a run goes on where it stopped."""

from __future__ import annotations

import contextlib
import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np

from idealrank.engines.engine import Failed, Found
from idealrank.errors import UsageError, either

Entry = dict[str, Any]


class Journal:
    """The answers of one system, a line of JSON each, behind a line that says what was asked.

    Parameters
    ----------
    path
        The file; it is made, or gone on with.
    asked
        What was asked, in words and hashes; a journal of other questions is refused.
    queries, repeat
        The number of queries, and how often each is asked.

    Raises
    ------
    UsageError
        If the file is another run's, or another process writes to it.
    """

    def __init__(self, path: Path, asked: Mapping[str, Any], queries: int, repeat: int) -> None:
        self.path, self._places = path, np.full((queries, repeat), -1, np.int64)
        self._failed = 0
        self.before = 0
        """How many of the answers are of an earlier run."""
        self.documents: set[Any] = set()
        """Documents whose fields have been written."""
        try:
            self._file = path.open("ab", buffering=0)
            self._lines = path.open("rb")
        except OSError as error:
            raise UsageError(f"{path}: cannot be written: {error.strerror}. Give another -o.") from None
        try:
            self._begin(asked)
        except BaseException:
            self.close()
            raise

    def _begin(self, asked: Mapping[str, Any]) -> None:
        self._alone()
        self._end = self.path.stat().st_size
        if self._end:
            self._go_on(asked)
        if not self._end:
            self._write({"journal": 1, **asked})

    def _alone(self) -> None:
        """Refuse a file that another process writes to, where locks can be had."""
        with contextlib.suppress(ImportError):
            import fcntl

            try:
                fcntl.flock(self._file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except OSError:
                raise UsageError(f"{self.path}: another run writes to it. Wait for it, or give another -o.") from None

    def _go_on(self, asked: Mapping[str, Any]) -> None:
        """Read what there is; a last line that was not written whole is cut off."""
        with self.path.open("rb") as lines:
            at = 0
            for line in lines:
                if not line.endswith(b"\n"):
                    break
                self._learn(self._read(line, at), at, asked)
                at += len(line)
        self._end = at
        self._file.truncate(at)
        self.before = self.answered

    def _read(self, line: bytes, at: int) -> Entry:
        try:
            entry: Entry = json.loads(line)
        except ValueError:
            raise UsageError(
                f"{self.path}: damaged at byte {at}. Start over: {either('anew=True', '--anew')}, or give another -o."
            ) from None
        return entry

    def _learn(self, entry: Entry, at: int, asked: Mapping[str, Any]) -> None:
        if not at:
            self._refuse_other(entry, asked)
            return
        self._places[entry["place"], entry["again"]] = -1 if entry["state"] == "failed" else at
        self.documents.update(key for key, _ in entry.get("documents", ()))

    def _refuse_other(self, header: Entry, asked: Mapping[str, Any]) -> None:
        was = {name: value for name, value in header.items() if name != "journal"}
        other = next((name for name in (*asked, *was) if was.get(name) != asked.get(name)), None)
        if other is not None:
            raise UsageError(
                f"{self.path}: a run that was interrupted, with another {other.replace('_', ' ')}. Go on with it as it "
                f"was, start over: {either('anew=True', '--anew')}, or give another -o."
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

    def _write(self, entry: Entry) -> int:
        data, at = json.dumps(entry, ensure_ascii=False, default=str).encode() + b"\n", self._end
        self._end += len(data)
        while data:
            data = data[self._file.write(data) :]
        return at

    def entry(self, place: int, again: int = 0) -> Entry | None:
        """Return an answer; None if the query was never asked."""
        at = int(self._places[place, again])
        if at < 0:
            return None
        self._lines.seek(at)
        entry: Entry = json.loads(self._lines.readline())
        return entry

    def close(self) -> None:
        """Close the file."""
        self._lines.close()
        self._file.close()


def entry_of(outcome: Found | Failed, tries: int, raw: bool, known: set[Any]) -> Entry:
    """Return an outcome as the journal has it: documents once, the raw answer only if it was asked for."""
    if isinstance(outcome, Failed):
        said: Entry = {"state": "failed", "error": str(outcome), "tries": tries, "latency": outcome.latency}
        return {**said, "raw": outcome.raw} if raw else said
    entry: Entry = {"state": "answered" if outcome.hits else "empty", "hits": list(outcome.hits), "tries": tries}
    entry["latency"], entry["took"] = outcome.latency, outcome.took
    fresh = {key: fields for key, fields in outcome.documents.items() if key not in known}
    known.update(fresh)
    if fresh:
        entry["documents"] = list(fresh.items())
    return {**entry, "raw": outcome.raw} if raw else entry
