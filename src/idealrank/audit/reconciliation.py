"""What reconcile found: the gap between two numbers, and its parts."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from idealrank.arrays import Floats, Ints
from idealrank.display.numbers import signed
from idealrank.display.table import Table, fingerprint_columns
from idealrank.measures import Measure


@dataclass(frozen=True, eq=False)
class Reconciliation:
    """The gap between two numbers, and what each decision has in it.

    Attributes
    ----------
    measure, other
        The measure under the one setting and under the other.
    before, after
        Their means.
    shares
        One row a decision: its answers, its share (the Shapley value: the mean over all orders of
        answering), what it makes when it is answered first, and when last. The shares sum to the gap.
    queries
        One row a query whose value differs: both values, the decision with the greatest share, and the
        tied, unjudged or missing documents it is about.
    refused
        Combinations of answers that cannot be computed; what takes part in one is answered together.
    source
        What the second number comes from, where that is a table and no convention.
    """

    measure: Measure
    other: Measure
    before: float
    after: float
    shares: Table
    queries: Table
    refused: tuple[str, ...] = ()
    source: str = ""

    def __post_init__(self) -> None:
        prints = fingerprint_columns({"before": self.measure.fingerprint, "after": self.other.fingerprint})
        for name in ("shares", "queries"):
            object.__setattr__(self, name, getattr(self, name).stating(prints))

    @property
    def gap(self) -> float:
        """After minus before."""
        return self.after - self.before

    @property
    def text(self) -> str:
        """The gap and its parts in one line."""
        parts = [f"{row['decision']} {signed(row['share'])}" for row in self.shares]
        made = f": {', '.join(parts)}" if parts else ": nothing that this data shows"
        of = f" ({self.source})" if self.source else ""
        return f"{self.measure.name} {self.before:.4f} → {self.after:.4f}{of}{made}"

    def to_dict(self) -> dict[str, Any]:
        """Return everything as plain values, for JSON."""
        return {
            "measure": self.measure.fingerprint,
            "other": self.other.fingerprint,
            "source": self.source,
            "before": self.before,
            "after": self.after,
            "gap": self.gap,
            "shares": self.shares.to_dict(),
            "queries": self.queries.to_dict(),
            "refused": list(self.refused),
        }

    def __repr__(self) -> str:
        parts = [self.text, repr(self.shares)]
        parts += [repr(self.queries)] if len(self.queries) else []
        return "\n\n".join([*parts, *self.refused])


class Cause(NamedTuple):
    """What does most to the value of a query, and through which documents."""

    decision: str
    documents: str = ""


def shares_table(rows: Iterable[Mapping[str, Any]]) -> Table:
    """Make the table `shares` of rows that have its columns."""
    columns: dict[str, list[Any]] = {name: [] for name in ("decision", "from", "to", "share", "first", "last")}
    for row in rows:
        for name, values in columns.items():
            values.append(row[name])
    numbers = ("share", "first", "last")
    return Table({n: np.array(v, np.float64) if n in numbers else v for n, v in columns.items()}, "shares")


def queries_table(names: Sequence[str], before: Floats, after: Floats, differs: Ints, causes: Sequence[Cause]) -> Table:
    """Make the table `queries`: one row for each query whose place is in `differs`, with its cause."""
    return Table(
        {
            "query": [names[q] for q in differs],
            "before": before[differs],
            "after": after[differs],
            "most by": [cause.decision for cause in causes],
            "documents": [cause.documents for cause in causes],
        },
        "queries",
    )
