"""A table of results by its systems: their names, and which of them are one ranking."""

from __future__ import annotations

import functools
from dataclasses import dataclass, field

import numpy as np

from idealrank._core import Column
from idealrank.data.ids import codes, id_text
from idealrank.data.whole import WholeResults
from idealrank.data.writing.writable import WritableResults
from idealrank.errors import unsaid


@dataclass(frozen=True, eq=False)
class SystemsTable(WritableResults):
    """A table of one or several systems.

    Attributes
    ----------
    label
        The name of the system, if there is one.
    whole
        What is true of all results of the table, if these are those of some queries.
    """

    label: str
    whole: WholeResults | None = field(default=None, kw_only=True)

    @functools.cached_property
    def systems(self) -> tuple[str, ...]:
        """Names of the systems in the table; without a system column, the label."""
        names = self.named if self.whole is None else self.whole.systems
        return names if len(names) > 1 else (self.label or (names[0] if names else "results"),)

    @functools.cached_property
    def named(self) -> tuple[str, ...]:
        """The systems that these rows name, in their order."""
        column = self.column("system")
        return () if column is None else tuple(id_text(name) for name in column.distinct(1 << 20))

    def place_of(self, system: str) -> int:
        """Return the place of a system among those that these rows name; -2 if none does."""
        names = self.named if len(self.named) > 1 or self.whole is not None else self.systems
        return names.index(system) if system in names else -2

    def systems_column(self) -> Column | None:
        """Return the system column of a table with several systems, else None."""
        if self.whole is None or len(self.whole.systems) < 2:
            return super().systems_column()
        return self.column("system")

    def pools(self, systems: str) -> bool:
        """Whether all rows of the table are one ranking under an answer to ``systems``."""
        trec_run = self.source.frame.format == "trec-run"
        pools = {"auto": self.tags_apart, "separate": False, "one_run": trec_run, "pooled": True}
        if systems not in pools:
            raise unsaid("systems", systems, __name__)
        return pools[systems]

    def lists(self, systems: str) -> tuple[str, ...]:
        """Names of the rankings of the table under an answer to ``systems``."""
        return (self.label or "pooled",) if len(self.systems) > 1 and self.pools(systems) else self.systems

    @functools.cached_property
    def tags_apart(self) -> bool:
        """Whether the table is a TREC run with several tags, no two of which share a query."""
        column = self.systems_column()
        if column is None or self.source.frame.format != "trec-run":
            return False
        return not (queries_shared(self.keys.query, column) if self.whole is None else self.whole.together)


def queries_shared(query: Column, system: Column) -> bool:
    """Whether rows of two systems are about one query."""
    by_query, tag = codes(query), codes(system)
    return len(np.unique(by_query)) != len(np.unique(np.column_stack((by_query, tag)), axis=0))
