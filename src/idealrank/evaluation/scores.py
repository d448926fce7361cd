"""Scores: what an evaluation returns. Values per query first, means from them, numbers formatted last."""

from __future__ import annotations

import itertools
import json
from dataclasses import dataclass, fields, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from idealrank.display.blocks import Block, Folded, Small
from idealrank.display.document import Shown
from idealrank.display.numbers import number
from idealrank.display.table import Table, fingerprint_columns
from idealrank.evaluation.computation import steps_of
from idealrank.evaluation.explanation.explanation import Explanation, explain_value
from idealrank.evaluation.explanation.steps_tables import steps_table
from idealrank.evaluation.footnote import footnote
from idealrank.evaluation.groups import By, groups, statistics
from idealrank.evaluation.guesses import INSTEAD, INTERNAL
from idealrank.evaluation.latency import latency_shown
from idealrank.evaluation.ledger.accounts import keep_account
from idealrank.evaluation.ledger.ledger import Ledger
from idealrank.evaluation.mean_intervals import means_grid
from idealrank.evaluation.query_tables import ByQuery, measure_table, query_table, sorted_places
from idealrank.evaluation.score_tables import ScoreTables, refuse_n
from idealrank.evaluation.values import Values, find_query

if TYPE_CHECKING:
    from collections.abc import Sequence

    import pandas as pd


@dataclass(frozen=True, eq=False, repr=False, kw_only=True)
class Scores(ScoreTables, Shown):
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

    ledger: Ledger

    _instead = INSTEAD
    _internal = INTERNAL

    @classmethod
    def from_values(cls, values: Values) -> Scores:
        """Draw up the ledger of values.

        Raises
        ------
        DataError
            If rank and score run in opposite directions and nothing says which counts.
        """
        parts = {field.name: getattr(values, field.name) for field in fields(Values)}
        return cls(**parts, ledger=keep_account(values))

    def of_systems(self, places: Sequence[int], names: Sequence[str], **changes: Any) -> Scores:
        """Return the scores of some of the systems, under other names, with other values where they are given.

        In parts, the ledger stays that of all queries.
        """
        if self.parts is None:
            meetings = [self.meetings[s] for s in places]
            return Scores.from_values(replace(self, systems=tuple(names), meetings=meetings, **changes))
        parts, ledger = self.parts.of_systems(places), self.ledger.of_systems(places, names)
        return replace(self, systems=tuple(names), parts=parts, ledger=ledger, **changes)

    @property
    def means(self) -> Table:
        """One row per measure, one column per system."""
        columns: dict[str, Any] = {"measure": list(self.labels)}
        for s, system in enumerate(self.systems):
            columns["mean" if len(self.systems) == 1 else system] = np.array(self.all_means[s])
        return Table(columns, "means", {"fingerprint": [m.fingerprint for m in self.measures]})

    @property
    def per_query(self) -> Table:
        """One row per query asked for (and system), one column per measure; missing where the query is left out."""
        queries = list(itertools.compress(self.queries, self.in_scope))
        columns: dict[str, Any] = {"query": queries * len(self.systems)}
        if self.texts:
            columns["text"] = [self.texts.get(query) for query in queries] * len(self.systems)
        if len(self.systems) > 1:
            columns["system"] = [system for system in self.systems for _ in queries]
        for m, label in enumerate(self.labels):
            columns[label] = self.values[:, m, self.in_scope].reshape(-1)
        return Table(columns, "per query", fingerprint_columns(self.fingerprints))

    def describe(self, by: By = None) -> Table:
        """Describe the values per measure: count, mean, sd (n - 1), min, quartiles (interpolated), max.

        Parameters
        ----------
        by
            Groups: a query attribute, such as ``"segment"``; or ranges of query ids,
            ``"1..50,51..100"``, a list of them, or ``{"head": "1..50"}``. Queries without the attribute and those
            outside every range are groups of their own.
        """
        rows: list[dict[str, Any]] = []
        for label, mask in groups(by, self.queries, self.table).items():
            for s, system in enumerate(self.systems):
                for m, measure in enumerate(self.labels):
                    row = {"group": label} if by is not None else {}
                    row |= {"system": system} if len(self.systems) > 1 else {}
                    rows.append(row | {"measure": measure} | statistics(self.values[s, m][mask]))
        return measure_table(self, rows, "describe")

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

        Measure and system are as for `worst`.
        """
        return self._extreme(n, measure, system, -1.0)

    def _extreme(self, n: int, measure: str | None, system: str | None, sign: float) -> Table:
        refuse_n(n)
        m = self.place_of(measure)
        values = self.values[:, m]
        rows = [
            ByQuery(s, sorted_places(sign * values[s])[:n], {self.labels[m]: values[s]})
            for s in self.system_places(system)
        ]
        return query_table(self, m, rows, "queries")

    def steps(self, measure: str, query: object = None, system: str | None = None) -> Table:
        """Return the steps behind a measure: one row per result, its share in the score last.

        Parameters
        ----------
        query
            Only this query (an id or a text); None for all.
        """
        m, s = self.place_of(measure), self.system_place(system)
        ours = self.measures[m]
        if query is None:
            met, queries = self.meetings[s].met_for(ours.on_lists, "dense"), self.queries
        else:
            index = self._find_query(s, query)
            meeting, place = self.meeting_of(s, index)
            met, queries = meeting.met_alone(ours.on_lists, place), self.queries[index : index + 1]
        return steps_table(steps_of(met.lists, ours), met, ours, queries)

    def explain(self, measure: str | None = None, query: object = None, system: str | None = None) -> Explanation:
        """Explain one value: see `idealrank.explain`.

        Parameters
        ----------
        measure
            One of the measures; None: the first. A query in its place is explained under the first.
        query, system
            A query by id or text, and a system; None where there is one.
        """
        if query is None and measure not in self.labels and measure in {*self.queries, *self.texts.values()}:
            measure, query = None, measure
        m, s = self.place_of(measure), self.system_place(system)
        index = self._find_query(s, query)
        text = self.texts.get(self.queries[index], "")
        meeting, place = self.meeting_of(s, index)
        return explain_value(meeting, self.measures[m], place, text, self.setting.text)

    def _find_query(self, s: int, query: object) -> int:
        return find_query(query, self.queries, self.texts, self.unjudged_queries(s, everything=True))

    def to_pandas(self) -> pd.DataFrame:
        """Return the means as a pandas DataFrame; the values are ``scores.per_query.to_pandas()``."""
        return self.means.to_pandas()

    def to_dict(self) -> dict[str, Any]:
        """Return everything as plain values, for JSON."""
        return {
            "convention": self.setting.text,
            "decisions": self.fingerprints,
            "means": {
                system: {label: number(self.all_means[s][m]) for m, label in enumerate(self.labels)}
                for s, system in enumerate(self.systems)
            },
            **({"latency": self.latency.rows()} if len(self.latency) else {}),
            "ledger": self.ledger.to_dict(),
        }

    def to_json(self, per_query: bool = False) -> str:
        """Return means, decisions and ledger (and values per query) as JSON in full precision."""
        whole = self.to_dict()
        if per_query:
            queries = list(itertools.compress(enumerate(self.queries), self.in_scope))
            whole["per_query"] = {
                system: {
                    query: {label: number(self.values[s, m, q]) for m, label in enumerate(self.labels)}
                    for q, query in queries
                }
                for s, system in enumerate(self.systems)
            }
        return json.dumps(whole, ensure_ascii=False, indent=2)

    def shown(self) -> list[Block]:
        """Return the means with their intervals, the latency where it is known, and the notes below them."""
        warnings = map(Small, self.ledger.warnings)
        return [means_grid(self), Small(footnote(self)), *latency_shown(self), *warnings, Folded(self.account())]

    def account(self) -> list[Block]:
        """Return the notes below every number: the decisions, the ledger, what would move a mean."""
        return [*self.answers.shown(), *self.ledger.account()]
