"""What reconcile found: the gap between two numbers, and its parts."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from idealrank.arrays import Floats, Ints
from idealrank.display.numbers import decimal, plain_value, signed
from idealrank.display.table import Table, fingerprint_columns
from idealrank.measures import Measure


@dataclass(frozen=True, eq=False)
class Reconciliation:
    """The gap between two numbers, and each decision's share of it.

    Attributes
    ----------
    measure, other
        The measure under the first setting and under the second.
    before, after
        Their means.
    shares
        One row per decision: its answers, its share (the Shapley value: the mean over all orders of
        changing the answers), and its effect if changed first, and if last. The shares sum to the gap.
    queries
        One row per query whose value differs: both values, the decision with the greatest share, and the
        tied, unjudged or missing documents it concerns.
    refused
        Combinations of answers that cannot be computed; the decisions in one are changed together.
    source
        The source of the second number, if that is a table and not a convention.
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
        made = f": {', '.join(parts)}" if parts else ": nothing visible in this data"
        of = f" ({self.source})" if self.source else ""
        return f"{self.measure.name} {decimal(self.before)} → {decimal(self.after)}{of}{made}"

    def to_dict(self) -> dict[str, Any]:
        """Return everything as plain values, for JSON."""
        whole: dict[str, Any] = plain_value({
            "measure": self.measure.fingerprint,
            "other": self.other.fingerprint,
            "source": self.source,
            "before": self.before,
            "after": self.after,
            "gap": self.gap,
            "shares": self.shares.to_dict(),
            "queries": self.queries.to_dict(),
            "refused": list(self.refused),
        })  # fmt: skip
        return whole

    def __repr__(self) -> str:
        parts = [self.text, repr(self.shares)]
        parts += [repr(self.queries)] if len(self.queries) else []
        return "\n\n".join([*parts, *self.refused])


class Cause(NamedTuple):
    """The decision that changes a query's value most, and through which documents."""

    decision: str
    documents: str = ""


def shares_table(rows: Iterable[Mapping[str, Any]]) -> Table:
    """Make the table `shares` from rows with its columns."""
    columns: dict[str, list[Any]] = {name: [] for name in ("decision", "from", "to", "share", "first", "last")}
    for row in rows:
        for name, values in columns.items():
            values.append(row[name])
    numbers = ("share", "first", "last")
    return Table({n: np.array(v, np.float64) if n in numbers else v for n, v in columns.items()}, "shares")


def queries_table(names: Sequence[str], before: Floats, after: Floats, differs: Ints, causes: Sequence[Cause]) -> Table:
    """Make the table `queries`: one row per query whose place is in `differs`, with its cause."""
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
