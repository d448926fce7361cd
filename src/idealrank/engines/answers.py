"""The answers of a replay: of each system, what came back for every query, in the order of the queries."""

from __future__ import annotations

import statistics
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any, NamedTuple

from idealrank.data.ids import id_text
from idealrank.engines.journal import Entry, Journal
from idealrank.engines.questions import Questions
from idealrank.engines.systems import System

STATES = ("answered", "empty", "failed")


class Answer(NamedTuple):
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
class Answers:
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
    questions: Questions
    k: int
    repeat: int
    about: Mapping[str, Any] = field(default_factory=dict)
    notes: Sequence[str] = ()

    def __iter__(self) -> Iterator[Answer]:
        """Yield the answer to each query; one that was asked again with its first list, and medians of its times."""
        for place in range(len(self.questions.keys)):
            entries = [e for again in range(self.repeat) if (e := self.journal.entry(place, again)) is not None]
            if entries:
                yield self._answer(place, entries)

    def _answer(self, place: int, entries: Sequence[Entry]) -> Answer:
        fine = [entry for entry in entries if entry["state"] != "failed"] or list(entries)
        first = fine[0]
        lists = {tuple(id_text(key) for key, _ in _hits(entry)[: self.k]) for entry in fine}
        return Answer(
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
            {id_text(key): said for key, said in first.get("explained", ())},
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
