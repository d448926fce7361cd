"""The account of a replay: how many queries of each system were answered, were empty, or failed, and how fast."""

from __future__ import annotations

from array import array
from collections import Counter
from collections.abc import Iterable
from typing import Any

from idealrank.data.ids import id_text
from idealrank.display.table import Table
from idealrank.engines.answers import STATES, Answer
from idealrank.errors import plural, some
from idealrank.statistics.quantiles import QUANTILES, quantile

_ENOUGH = 5
"""Lists from which on their lengths say something."""

_DIGITS = 3
"""Decimals of milliseconds: no clock of a search is finer."""


class Account:
    """Counts of the answers of one system, without keeping the answers.

    Attributes
    ----------
    counts
        How many queries are in each state.
    changed
        The queries whose list was another when they were asked again.
    failed
        The queries that failed, with their errors.
    lost
        The queries of which a call failed, while another was answered.
    retried
        The queries that were answered after being refused at first.
    notes
        What else a reader should know, in sentences.
    """

    def __init__(self, k: int, documents: int | None = None, notes: Iterable[str] = ()) -> None:
        self._k, self._documents, self._said = k, documents, tuple(notes)
        self._lengths: Counter[int] = Counter()
        self._twice: list[str] = []
        self._cut: list[str] = []
        self.counts = dict.fromkeys(STATES, 0)
        self.changed: list[str] = []
        self.failed: list[tuple[str, str]] = []
        self.retried: list[str] = []
        self.lost: list[str] = []
        self._latency, self._took = array("d"), array("d")

    def counting(self, answers: Iterable[Answer]) -> Iterable[Answer]:
        """Yield answers and count them."""
        for answer in answers:
            self.counts[answer.state] += 1
            if answer.state == "failed":
                self.failed.append((id_text(answer.key), answer.error))
            else:
                self._latency.extend(() if answer.latency is None else (answer.latency,))
                self._took.extend(() if answer.took is None else (answer.took,))
            if answer.hits:
                self._lengths[len(answer.hits)] += 1
                keys = [id_text(key) for key, _ in answer.hits]
                self._twice.extend([id_text(answer.key)] if len(set(keys)) < len(keys) else ())
            if answer.cut:
                self._cut.append(id_text(answer.key))
            if answer.tries > 1 and answer.state != "failed":
                self.retried.append(id_text(answer.key))
            if answer.lost:
                self.lost.append(id_text(answer.key))
            if answer.changed:
                self.changed.append(id_text(answer.key))
            yield answer

    @property
    def notes(self) -> list[str]:
        """What a reader should know: of its index, of lists all cut at one length, of ids that came back twice."""
        return [*self._said, *self._short(), *self._doubled(), *self._ended_early()]

    def _short(self) -> Iterable[str]:
        """Say that lists end where something other than -k ends them: most are equally long, and none is longer."""
        longest, full = max(self._lengths.items(), default=(0, 0))
        every = self._lengths.total()
        if longest >= min(self._k, self._documents or self._k) or every < _ENOUGH or 2 * full <= every:
            return
        yield (
            f"no list is longer than {longest}, and {full} of {every} are just as long, though {self._k} were asked "
            "for: does the template or the address say how many?"
        )

    def _doubled(self) -> Iterable[str]:
        if self._twice:
            yield (
                f"one id came back twice in a list for {plural(len(self._twice), 'query')}: {some(self._twice)}, which "
                "evaluate refuses. Of several indices, join the names: id=_index/_id in the address"
            )

    def _ended_early(self) -> Iterable[str]:
        if self._cut:
            yield (
                f"the engine stopped before it had seen all documents (terminated early) for "
                f"{plural(len(self._cut), 'query')}: {some(self._cut)}"
            )

    def row(self, system: str) -> dict[str, Any]:
        """Return the account as a row of a table: counts, and quantiles of milliseconds."""
        times = {"": self._latency, "took ": self._took}
        said = {
            f"{name}{shown} ms": round(quantile(values, q), _DIGITS) if values else None
            for name, values in times.items()
            for shown, q in QUANTILES.items()
        }
        return {"system": system, **self.counts, **said}


def accounts(rows: Iterable[dict[str, Any]]) -> Table:
    """Return the accounts of all systems as a table, without times that nobody said."""
    table = list(rows)
    columns = {name: [row[name] for row in table] for name in table[0]}
    kept = {name: values for name, values in columns.items() if any(value is not None for value in values)}
    return Table(kept, "replay")
