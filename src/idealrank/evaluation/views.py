"""What stands beside the values of queries: the range over the orders of ties, and how readers read."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np

from idealrank.arrays import Floats
from idealrank.display.table import Table, fingerprint_columns
from idealrank.evaluation.values import Values


@dataclass(frozen=True, eq=False, repr=False)
class Views(Values):
    """Values, and tables of what stands beside them."""

    def system_places(self, system: str | None) -> list[int]:
        """Return the places of the systems asked for: of one by its name, of all where none is named."""
        return list(range(len(self.systems))) if system is None else [self.system_place(system)]

    @staticmethod
    def _sorted(values: Floats) -> Any:
        kept = np.flatnonzero(~np.isnan(values))
        return kept[np.argsort(values[kept], kind="stable")]

    def _query_columns(self, found: list[tuple[int, Any]]) -> dict[str, Any]:
        names = [self.queries[q] for _, order in found for q in order]
        columns: dict[str, Any] = {"query": names}
        if self.texts:
            columns["text"] = [self.texts.get(key) for key in names]
        if len(self.systems) > 1:
            columns["system"] = [self.systems[s] for s, order in found for _ in order]
        return columns

    @property
    def tie_ranges(self) -> Table:
        """One row a measure (and system): its mean, and the lowest and highest over all orders of tied results.

        Missing for a measure that a better document further up may lower under its decisions.
        """
        from idealrank.evaluation.tie_ranges import has_tie_range

        rows: list[dict[str, Any]] = []
        for s, system in enumerate(self.systems):
            for m, measure in enumerate(self.measures):
                row: dict[str, Any] = {"measure": self.labels[m]}
                row |= {"system": system} if len(self.systems) > 1 else {}
                low, high = self._ends(s, m) if has_tie_range(measure) else (math.nan, math.nan)
                rows.append(row | {"mean": self.all_means[s][m], "lowest": low, "highest": high})
        return self._by_measure(rows, "tie ranges")

    def _by_measure(self, rows: list[dict[str, Any]], title: str) -> Table:
        prints = [self.fingerprints[row["measure"]] for row in rows]
        return Table({name: [row[name] for row in rows] for name in rows[0]}, title, {"fingerprint": prints})

    def _of_queries(self, columns: dict[str, Any], m: int, title: str) -> Table:
        label = self.labels[m]
        return Table(columns, title, fingerprint_columns({label: self.fingerprints[label]}))

    def _ends(self, s: int, m: int) -> tuple[float, float]:
        lowest, highest = self._tie_range(s, m)
        measure = self.measures[m]
        return self.average(s, measure, lowest), self.average(s, measure, highest)

    def _tie_range(self, s: int, m: int) -> tuple[Floats, Floats]:
        from idealrank.evaluation.tie_ranges import tie_range

        left_out = np.isnan(self.values[s, m])
        low, high = tie_range(self.meetings[s], self.measures[m])
        return np.where(left_out, np.nan, low), np.where(left_out, np.nan, high)

    def tie_range(self, measure: str | None = None, system: str | None = None) -> Table:
        """Return the value of each query, and the lowest and highest over all orders of its tied results.

        Parameters
        ----------
        measure
            One of the measures; None: the first.
        system
            One of the systems; None: each.

        Raises
        ------
        UsageError
            If a better document further up may lower the measure.
        """
        m = 0 if measure is None else self.place_of(measure)
        kept = [(s, np.flatnonzero(~np.isnan(self.values[s, m]))) for s in self.system_places(system)]
        columns = self._query_columns(kept)
        columns[self.labels[m]] = np.concatenate([self.values[s, m][order] for s, order in kept])
        ends = [[end[order] for end in self._tie_range(s, m)] for s, order in kept]
        columns |= {name: np.concatenate([end[i] for end in ends]) for i, name in enumerate(("lowest", "highest"))}
        return self._of_queries(columns, m, "tie range")

    @property
    def readings(self) -> Table:
        """One row a measure (and system): its mean, and what its reader reads and gets; missing without a reader.

        See `reading`; the means are plain ones over the queries that count.
        """
        from idealrank.evaluation.readings import COLUMNS, has_reader, means, reading

        rows: list[dict[str, Any]] = []
        for s, system in enumerate(self.systems):
            for m, measure in enumerate(self.measures):
                row: dict[str, Any] = {"measure": self.labels[m]}
                row |= {"system": system} if len(self.systems) > 1 else {}
                row["mean"], known = self.all_means[s][m], has_reader(measure)
                found = means(reading(self.meetings[s], measure), self.values[s, m]) if known else {}
                rows.append(row | dict.fromkeys(COLUMNS, math.nan) | found)
        return self._by_measure(rows, "readings")

    def reading(self, measure: str | None = None, system: str | None = None) -> Table:
        """Return what the reader of a C/W/L measure reads and gets, query by query.

        Beside the value, which is the expected utility of a result read: the expected total utility, the
        expected total cost, where every result read costs 1, the expected number of results read, and
        the residual: how much higher the value is where all that nobody judged, behind the end of the
        list too, is of highest worth.

        Source: cwl_eval 1.0.12: EU, ETU, ETC, ED, and EU of ``-r``, there down to rank 1000.

        Parameters
        ----------
        measure
            One of the measures; None: the first.
        system
            One of the systems; None: each.

        Raises
        ------
        UsageError
            If the measure has no reader.

        Examples
        --------
        >>> import idealrank as ir
        >>> scores = ir.evaluate({"q": {"a": 1}}, {"q": {"a": 2.0, "x": 1.0}}, ["GradedRBP(p=0.5)"])
        >>> next(iter(scores.reading()))
        {'query': 'q', 'GradedRBP(p=0.5)': 0.5, 'total': 1.0, 'cost': 2.0, 'depth': 2.0, 'residual': 0.5}
        """
        from idealrank.evaluation.readings import reading

        m = 0 if measure is None else self.place_of(measure)
        kept = [(s, np.flatnonzero(~np.isnan(self.values[s, m]))) for s in self.system_places(system)]
        columns = self._query_columns(kept)
        columns[self.labels[m]] = np.concatenate([self.values[s, m][order] for s, order in kept])
        parts = [(reading(self.meetings[s], self.measures[m]), order) for s, order in kept]
        columns |= {name: np.concatenate([found[name][order] for found, order in parts]) for name in parts[0][0]}
        return self._of_queries(columns, m, "reading")
