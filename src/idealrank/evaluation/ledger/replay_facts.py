"""Facts about results that a replay wrote: lists that end before a measure does, systems not asked alike."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from idealrank.data.latency_columns import STEMS
from idealrank.data.replayed import asked_apart
from idealrank.errors import listed
from idealrank.evaluation.counts.result_counts import ResultCounts
from idealrank.evaluation.latency import search_times
from idealrank.evaluation.ledger.entries import Fact
from idealrank.evaluation.values import Values

_HOW = {"k": "results per query", "concurrency": "queries at a time"}
"""What makes lists or times of two systems differ, although it is not the systems."""


def replay_facts(scores: Values, returned: Sequence[ResultCounts]) -> Iterator[Fact]:
    """Say where fewer results were asked for than a measure looks at; warn where systems were not asked alike."""
    records = {
        name: counts.record for name, counts in zip(scores.systems, returned, strict=True) if counts.record is not None
    }
    for s, name in enumerate(scores.systems):
        if name in records:
            yield from _cut_short(scores, s, returned[s], int(records[name]["k"]))
            yield from (Fact(name, f"the replay said: {note}", warns=True) for note in records[name].get("notes", ()))
    timed = {
        name: records[name]
        for s, name in enumerate(scores.systems)
        if name in records and any(search_times(scores, s, clock) for clock in STEMS)
    }
    if len(timed) > 1 and (apart := asked_apart(timed)):
        yield Fact("", f"the systems were {apart}", warns=True)
    for key, what in _HOW.items():
        values = {name: record.get(key) for name, record in records.items()}
        if len(set(values.values())) > 1:
            said = listed([f"{value} ({name})" for name, value in values.items()])
            yield Fact("", f"the systems were not asked alike: {what}: {said}", warns=True)


def _cut_short(scores: Values, s: int, counts: ResultCounts, k: int) -> Iterator[Fact]:
    """Say which measures that look further than lists that came back full."""
    further = [label for label, m in zip(scores.labels, scores.measures, strict=True) if (m.cutoff or 0) > k]
    if further and counts.longest >= k:
        text = f"only {k} results were asked for: {listed(further)} cannot see more. Ask for more: replay -k"
        yield Fact(scores.systems[s], text)
