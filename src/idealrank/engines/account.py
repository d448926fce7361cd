"""The account of a replay: how many queries of each system were answered, were empty, or failed, and how fast."""

from __future__ import annotations

from array import array
from collections.abc import Iterable
from typing import Any

from idealrank.data.ids import id_text
from idealrank.display.table import Table
from idealrank.engines.answers import STATES, Answer
from idealrank.statistics.quantiles import QUANTILES, quantile


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
    """

    def __init__(self) -> None:
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
            if answer.tries > 1 and answer.state != "failed":
                self.retried.append(id_text(answer.key))
            if answer.lost:
                self.lost.append(id_text(answer.key))
            if answer.changed:
                self.changed.append(id_text(answer.key))
            yield answer

    def row(self, system: str) -> dict[str, Any]:
        """Return the account as a row of a table: counts, and quantiles of milliseconds."""
        times = {"": self._latency, "took ": self._took}
        said = {
            f"{name}{shown} ms": quantile(values, q) if values else None
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
