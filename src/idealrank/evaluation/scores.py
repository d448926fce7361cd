"""Scores: what an evaluation returns. Values per query first, means from them, numbers formatted last."""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from idealrank.arrays import Floats, Mask
from idealrank.data.selection import chosen
from idealrank.display.table import Table, fingerprint_columns
from idealrank.errors import UsageError
from idealrank.evaluation.groups import By, groups, statistics
from idealrank.evaluation.scoring import at_ideal
from idealrank.evaluation.views import Views

if TYPE_CHECKING:
    from idealrank.evaluation.explanation.explanation import Explanation


@dataclass(frozen=True, eq=False, repr=False)
class Scores(Views):
    """The scores of S systems under M measures for Q judged queries.

    Attributes
    ----------
    measures, systems, queries
        What the axes of `values` are.
    values
        (S, M, Q) float64; NaN where the query is left out.
    states
        (S, M, Q) int8 codes of `idealrank.evaluation.scoring.State`.
    setting
        The convention with the caller's overrides.
    ledger
        What became of every query.
    """

    @property
    def means(self) -> Table:
        """One row a measure, one column a system."""
        columns: dict[str, Any] = {"measure": list(self.labels)}
        for s, system in enumerate(self.systems):
            columns["mean" if len(self.systems) == 1 else system] = np.array(self.all_means[s])
        return Table(columns, "means", {"fingerprint": [m.fingerprint for m in self.measures]})

    @property
    def per_query(self) -> Table:
        """One row a query asked for (and system), one column a measure; missing where the query is left out."""
        keep = chosen(self.only, self.queries)
        asked = list(itertools.compress(self.queries, keep))
        columns: dict[str, Any] = {"query": asked * len(self.systems)}
        if self.texts:
            columns["text"] = [self.texts.get(key) for key in asked] * len(self.systems)
        if len(self.systems) > 1:
            columns["system"] = [system for system in self.systems for _ in asked]
        for m, label in enumerate(self.labels):
            columns[label] = self.values[:, m, keep].reshape(-1)
        return Table(columns, "per query", fingerprint_columns(self.fingerprints))

    def describe(self, by: By = None) -> Table:
        """Describe the values per measure: count, mean, sd (n - 1), min, quartiles (interpolated), max.

        Parameters
        ----------
        by
            Groups: a query attribute, such as ``"segment"``; or ranges of query ids,
            ``["1..50", "51..100"]`` or ``{"head": "1..50"}``. Queries without the attribute and those
            outside every range are groups of their own.
        """
        rows: list[dict[str, Any]] = []
        for label, mask in groups(by, self.queries, self.table).items():
            for s, system in enumerate(self.systems):
                for m, measure in enumerate(self.labels):
                    row = {"group": label} if by is not None else {}
                    row |= {"system": system} if len(self.systems) > 1 else {}
                    rows.append(row | {"measure": measure} | statistics(self.values[s, m][mask]))
        return self._by_measure(rows, "describe")

    def worst(self, n: int = 10, measure: str | None = None, system: str | None = None) -> Table:
        """Return the n queries with the lowest values, lowest first; equal ones by query id.

        Parameters
        ----------
        measure
            One of the measures; None: the first.
        system
            One of the systems; None: n queries of each.
        """
        return self._extreme(n, measure, system, 1.0)

    def best(self, n: int = 10, measure: str | None = None, system: str | None = None) -> Table:
        """Return the n queries with the highest values, highest first; equal ones by query id.

        Parameters
        ----------
        measure
            One of the measures; None: the first.
        system
            One of the systems; None: n queries of each.
        """
        return self._extreme(n, measure, system, -1.0)

    def _extreme(self, n: int, measure: str | None, system: str | None, sign: float) -> Table:
        _refuse_count(n)
        m = 0 if measure is None else self.place_of(measure)
        found = [(s, self._sorted(sign * self.values[s, m])[:n]) for s in self.system_places(system)]
        values = np.concatenate([self.values[s, m][order] for s, order in found])
        return self._of_queries(self._query_columns(found) | {self.labels[m]: values}, m, "queries")

    def lost_value(self, n: int | None = None, measure: str | None = None, system: str | None = None) -> Table:
        """Rank queries by lost value = frequency x (ideal - actual), the greatest first.

        The ideal is the value the measure has when just the good documents are returned, best first.
        The frequency is the weight of the query, else the queries table's column of frequencies, which
        leaves the means unweighted. Queries without a frequency come last, without a lost value.

        Parameters
        ----------
        n
            Only the n queries of each system that lose most; None: all.
        measure
            One of the measures; None: the first.
        system
            One of the systems; None: each.

        Raises
        ------
        UsageError
            If there are no frequencies, or more is not better under the measure.
        """
        if n is not None:
            _refuse_count(n)
        m = 0 if measure is None else self.place_of(measure)
        definition = self.measures[m].definition
        if not definition.properties.has_best_list or definition.by_subtopic:
            raise UsageError(f"{self.measures[m]} has no ideal value, so nothing can be lost. Use nDCG@10 or DCG@10.")
        keep = chosen(self.only, self.queries)
        parts = list(self._lost(m, self.table.frequencies(self.queries, keep), keep, self.system_places(system), n))
        columns = {
            name: np.concatenate([part[name][order] for _, order, part in parts])
            for name in ("frequency", self.labels[m], "ideal", "lost")
        }
        found = self._query_columns([(s, order) for s, order, _ in parts]) | columns
        return self._of_queries(found, m, "lost value")

    def _lost(
        self, m: int, frequency: Floats, keep: Mask, systems: list[int], n: int | None
    ) -> Iterator[tuple[int, Any, dict[str, Floats]]]:
        unknown = np.flatnonzero(np.isnan(frequency) & keep)
        for s in systems:
            ideal, actual = at_ideal(self.meetings[s], self.measures[m]), self.values[s, m]
            lost = frequency * (ideal - actual)
            found = {"frequency": frequency, self.labels[m]: actual, "ideal": ideal, "lost": lost}
            yield s, np.concatenate([self._sorted(-lost), unknown])[:n], found

    def steps(self, measure: str, query: object = None, system: str | None = None) -> Table:
        """Return the steps behind a measure: one row a result, its share in the score last.

        Parameters
        ----------
        query
            Only this query (an id or a text); None for all.
        """
        from idealrank.evaluation.explanation.explanation import steps_table

        m, s = self.place_of(measure), self.system_place(system)
        return steps_table(self.meetings[s], self.measures[m], None if query is None else self._query(s, query))

    def explain(self, measure: str, query: object = None, system: str | None = None) -> Explanation:
        """Explain one value: see `idealrank.explain`."""
        from idealrank.evaluation.explanation.explanation import explain_value

        m, s = self.place_of(measure), self.system_place(system)
        index = self._query(s, query)
        text = self.texts.get(self.queries[index], "")
        return explain_value(self.meetings[s], self.measures[m], index, text, self.setting.text)

    def _query(self, s: int, query: object) -> int:
        from idealrank.evaluation.explanation.explanation import find_query

        return find_query(query, self.queries, self.texts, self.unjudged_queries(s, everything=True))

    def to_dict(self) -> dict[str, Any]:
        """Return everything as plain values, for JSON."""
        return {
            "convention": self.setting.text,
            "decisions": self.fingerprints,
            "means": {
                s: {label: _number(self.all_means[i][j]) for j, label in enumerate(self.labels)}
                for i, s in enumerate(self.systems)
            },
            "ledger": self.ledger.to_dict(),
        }

    def to_json(self, per_query: bool = False) -> str:
        """Return means, decisions and ledger (and values per query) as JSON in full precision."""
        whole = self.to_dict()
        if per_query:
            asked = list(itertools.compress(enumerate(self.queries), chosen(self.only, self.queries)))
            whole["per_query"] = {
                system: {
                    key: {label: _number(self.values[s, j, q]) for j, label in enumerate(self.labels)}
                    for q, key in asked
                }
                for s, system in enumerate(self.systems)
            }
        import json

        return json.dumps(whole, ensure_ascii=False, indent=2)

    def __repr__(self) -> str:
        from idealrank.display.text import render_scores

        return render_scores(self)

    def _repr_html_(self) -> str:
        from idealrank.display.html import scores_html

        return scores_html(self)


def _refuse_count(n: Any) -> None:
    if isinstance(n, str):
        raise UsageError(f"n={n!r}: the number of queries comes first. Name the measure: measure={n!r}.")
    if n < 1:
        raise UsageError(f"n={n}: how many queries is a whole number from 1 up.")


def _number(value: float) -> float | None:
    return float(value) if math.isfinite(value) else None
