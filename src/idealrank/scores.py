"""Scores: what an evaluation returns. Values per query first, means from them, numbers formatted last."""

from __future__ import annotations

import functools
import json
import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from idealrank.averages import averaged
from idealrank.conventions import Setting
from idealrank.errors import UsageError, nearest, unknown
from idealrank.lists import Floats
from idealrank.measures import Measure, parse
from idealrank.queries import Queries, key_range
from idealrank.table import Table

if TYPE_CHECKING:
    from idealrank.judge import Meeting
    from idealrank.ledger import Ledger


@dataclass(frozen=True, eq=False)
class Scores:
    """The scores of S systems under M measures for Q judged queries.

    Attributes
    ----------
    measures, systems, queries
        What the axes of `values` are.
    values
        (S, M, Q) float64; NaN where the query is left out.
    states
        (S, M, Q) int8 codes of `idealrank.scoring.State`.
    setting
        The convention with the caller's overrides.
    ledger
        What became of every query.
    """

    measures: tuple[Measure, ...]
    systems: tuple[str, ...]
    queries: list[str]
    values: Floats
    states: Any
    setting: Setting
    table: Queries
    weights: Floats | None
    meetings: list[Meeting]
    ledger: Ledger = None  # type: ignore[assignment]

    def with_ledger(self, ledger: Ledger) -> Scores:
        """Return the same scores with their ledger."""
        return replace(self, ledger=ledger)

    @property
    def decisions(self) -> str:
        """The decisions behind the numbers, as one line."""
        return decisions_line(self.setting, self.measures)

    def __getitem__(self, key: str | tuple[str, str]) -> float:
        """Return the mean of a measure: ``scores["nDCG@10"]``, or ``scores["nDCG@10", "bm25"]`` of several systems.

        Raises
        ------
        UsageError
            If the measure was not asked for, or the system is not named and there are several.
        """
        name, system = key if isinstance(key, tuple) else (key, None)
        return self.mean(name, system)

    def mean(self, measure: str | Measure, system: str | None = None) -> float:
        """Return the mean (or sum) of a measure over the queries that count."""
        s, m = self._system(system), self._measure(measure)
        return self._means[s][m]

    @functools.cached_property
    def _means(self) -> list[list[float]]:
        return [[self._mean(s, m) for m in range(len(self.measures))] for s in range(len(self.systems))]

    def _mean(self, s: int, m: int) -> float:
        measure = self.measures[m]
        return averaged(
            self.values[s, m], measure.decisions, measure.definition.total, self.weights, self.added_zeros(s, measure)
        )

    def added_zeros(self, s: int, measure: Measure) -> int:
        """Count the queries without judgments that enter the mean as 0."""
        if measure.decisions.no_judgments == "skip":
            return 0
        return len(self.meetings[s].met(measure.decisions).judged.unjudged_queries)

    def _measure(self, measure: str | Measure) -> int:
        if isinstance(measure, Measure):
            prints = [m.fingerprint for m in self.measures]
            if measure.fingerprint in prints:
                return prints.index(measure.fingerprint)
            raise unknown("measure among these scores", measure.name, [m.name for m in self.measures])
        for place, known in enumerate(self.measures):
            if measure in (known.name, known.typed, known.fingerprint):
                return place
        asked = {m.name for m in parse(measure, self.setting.decisions)} | {m.name for m in parse(measure)}
        for place, known in enumerate(self.measures):
            if known.name in asked:
                return place
        raise unknown("measure among these scores", measure, [m.name for m in self.measures])

    def _system(self, system: str | None) -> int:
        if system is None:
            if len(self.systems) > 1:
                raise UsageError(
                    f"Several systems: {', '.join(self.systems)}. Name one, as scores['nDCG@10', {self.systems[0]!r}]."
                )
            return 0
        if system not in self.systems:
            raise UsageError(
                f"No system called {system!r}.{nearest(system, self.systems)} Known: {', '.join(self.systems)}."
            )
        return self.systems.index(system)

    @functools.cached_property
    def texts(self) -> dict[str, str]:
        """Texts of the queries, by id, where any table has them."""
        found: dict[str, str] = {}
        for meeting in self.meetings:
            found |= meeting.results.texts[0] | meeting.judgments.texts[0]
        if self.table.text:
            found |= {
                key: str(text) for key, text in self.table.attributes[self.table.text].items() if text is not None
            }
        return found

    @property
    def means(self) -> Table:
        """One row a measure, one column a system."""
        columns: dict[str, Any] = {"measure": [m.name for m in self.measures]}
        for s, system in enumerate(self.systems):
            columns["mean" if len(self.systems) == 1 else system] = np.array(self._means[s])
        return Table(columns, "means")

    @property
    def per_query(self) -> Table:
        """One row a query (and system), one column a measure; missing where the query is left out."""
        rows = len(self.systems) * len(self.queries)
        columns: dict[str, Any] = {"query": self.queries * len(self.systems)}
        if self.texts:
            columns["text"] = [self.texts.get(key) for key in self.queries] * len(self.systems)
        if len(self.systems) > 1:
            columns["system"] = [system for system in self.systems for _ in self.queries]
        for m, measure in enumerate(self.measures):
            columns[measure.name] = self.values[:, m, :].reshape(rows)
        return Table(columns, "per query")

    def describe(self, by: str | dict[str, str] | Sequence[str] | None = None) -> Table:
        """Describe the values per measure: count, mean, sd (n - 1), min, quartiles (interpolated), max.

        Parameters
        ----------
        by
            Groups: a query attribute, such as ``"segment"``; or ranges of query ids, ``["1..50", "51..100"]``.
        """
        rows: list[dict[str, Any]] = []
        for label, mask in self._groups(by).items():
            for s, system in enumerate(self.systems):
                for m, measure in enumerate(self.measures):
                    row = {"group": label} if by is not None else {}
                    row |= {"system": system} if len(self.systems) > 1 else {}
                    rows.append(row | {"measure": measure.name} | _statistics(self.values[s, m][mask]))
        return Table({name: [row[name] for row in rows] for name in rows[0]} if rows else {}, "describe")

    def _groups(self, by: str | dict[str, str] | Sequence[str] | None) -> dict[str, Any]:
        everything = np.ones(len(self.queries), np.bool_)
        if by is None:
            return {"all": everything}
        if isinstance(by, str) and key_range(by) is None:
            labels = self.table.values(by, self.queries)
            names = sorted({str(label) for label in labels})
            return {name: np.array([str(label) == name for label in labels]) for name in names}
        ranges = by if isinstance(by, dict) else {text: text for text in ([by] if isinstance(by, str) else by)}
        return {label: np.array([_within(key, text) for key in self.queries]) for label, text in ranges.items()}

    def worst(self, n: int = 10, measure: str | None = None, system: str | None = None) -> Table:
        """Return the n queries with the lowest values, lowest first; equal ones by query id."""
        return self._extreme(n, measure, system, 1.0)

    def best(self, n: int = 10, measure: str | None = None, system: str | None = None) -> Table:
        """Return the n queries with the highest values, highest first; equal ones by query id."""
        return self._extreme(n, measure, system, -1.0)

    def _extreme(self, n: int, measure: str | None, system: str | None, sign: float) -> Table:
        m = 0 if measure is None else self._measure(measure)
        s = self._system(system)
        values = self.values[s, m]
        kept = np.flatnonzero(~np.isnan(values))
        order = kept[np.argsort(sign * values[kept], kind="stable")][:n]
        columns = self._query_columns(order) | {self.measures[m].name: values[order]}
        return Table(columns, "queries")

    def _query_columns(self, order: Any) -> dict[str, Any]:
        columns: dict[str, Any] = {"query": [self.queries[i] for i in order]}
        if self.texts:
            columns["text"] = [self.texts.get(key) for key in columns["query"]]
        return columns

    def lost_value(self, measure: str | None = None, system: str | None = None) -> Table:
        """Rank queries by lost value = frequency x (ideal - actual), the greatest first.

        The ideal is 1 for measures that end there, and the DCG of the ideal list for DCG.

        Raises
        ------
        UsageError
            If there are no weights, or the measure has no ideal value.
        """
        if self.table.weight is None:
            raise UsageError("lost_value needs weights: how often each query is asked. Pass weights=….")
        m, s = (0 if measure is None else self._measure(measure)), self._system(system)
        actual, frequency = self.values[s, m], self.table.weights(self.queries)
        ideal = self._ideal_values(s, m)
        lost = frequency * (ideal - actual)
        kept = np.flatnonzero(~np.isnan(lost))
        order = kept[np.argsort(-lost[kept], kind="stable")]
        found = {
            "frequency": frequency[order],
            self.measures[m].name: actual[order],
            "ideal": ideal[order],
            "lost": lost[order],
        }
        return Table(self._query_columns(order) | found, "lost value")

    def _ideal_values(self, s: int, m: int) -> Floats:
        measure = self.measures[m]
        if measure.definition.name == "DCG":
            partner = replace(parse("nDCG")[0], cutoff=measure.cutoff, decisions=measure.decisions)
            return partner.steps(self.meetings[s].lists(measure.decisions)).normaliser
        if (
            not math.isfinite(measure.definition.properties.highest)
            or measure.definition.properties.direction != "higher"
        ):
            raise UsageError(f"{measure} has no ideal value, so nothing can be lost. Use nDCG@10 or DCG@10.")
        return np.full(len(self.queries), float(measure.definition.properties.highest))

    def steps(self, measure: str, query: str | None = None, system: str | None = None) -> Table:
        """Return the steps behind a measure: one row a result, its share in the score last.

        Parameters
        ----------
        query
            Only this query (an id or a text); None for all.
        """
        from idealrank.explanation import find_query, steps_table

        m, s = self._measure(measure), self._system(system)
        only = None if query is None else find_query(query, self.queries, self.texts)
        return steps_table(self.meetings[s], self.measures[m], only)

    def explain(self, measure: str, query: str, system: str | None = None) -> Any:
        """Explain one value: see `idealrank.explain`."""
        from idealrank.explanation import explain_value

        s = self._system(system)
        return explain_value(self.meetings[s], self.measures[self._measure(measure)], query, self.texts)

    def to_dict(self) -> dict[str, Any]:
        """Return everything as plain values, for JSON."""
        return {
            "convention": self.setting.text,
            "decisions": {m.name: m.fingerprint for m in self.measures},
            "means": {
                s: {m.name: _number(self._means[i][j]) for j, m in enumerate(self.measures)}
                for i, s in enumerate(self.systems)
            },
            "ledger": self.ledger.to_dict(),
        }

    def to_json(self, per_query: bool = False) -> str:
        """Return means, decisions and ledger (and values per query) as JSON in full precision."""
        whole = self.to_dict()
        if per_query:
            whole["per_query"] = {
                system: {
                    key: {m.name: _number(self.values[s, j, q]) for j, m in enumerate(self.measures)}
                    for q, key in enumerate(self.queries)
                }
                for s, system in enumerate(self.systems)
            }
        return json.dumps(whole, ensure_ascii=False, indent=2)

    def __repr__(self) -> str:
        from idealrank.report.text import render_scores

        return render_scores(self)

    def _repr_html_(self) -> str:
        from idealrank.report.html import scores_html

        return scores_html(self)


def decisions_line(setting: Setting, measures: Sequence[Measure]) -> str:
    """Name the convention and the answer to every decision these measures read, as one line."""
    asked = [
        name for name in setting.decisions.__dataclass_fields__ if any(name in m.definition.decisions for m in measures)
    ]
    answers = []
    for name in asked:
        texts = dict.fromkeys(m.decisions.text(name) for m in measures if name in m.definition.decisions)
        answers.append(f"{name}={'|'.join(texts)}")
    return f"{setting.text}: {' '.join(answers)}"


def _statistics(values: Floats) -> dict[str, Any]:
    kept = values[~np.isnan(values)]
    if not len(kept):
        return {"count": 0, **dict.fromkeys(("mean", "sd", "min", "25%", "50%", "75%", "max"), math.nan)}
    quartiles = np.percentile(kept, [0, 25, 50, 75, 100])
    sd = float(np.std(kept, ddof=1)) if len(kept) > 1 else math.nan
    mean = math.fsum(kept.tolist()) / len(kept)
    return {
        "count": len(kept),
        "mean": mean,
        "sd": sd,
        **dict(zip(("min", "25%", "50%", "75%", "max"), quartiles.tolist(), strict=True)),
    }


def _within(key: str, text: str) -> bool:
    span = key_range(text)
    if span is None:
        raise UsageError(f"{text!r} is no range of query ids. Write 1..50.")
    return key.lstrip("-").isdigit() and span[0] <= int(key) <= span[1]


def _number(value: float) -> float | None:
    return float(value) if math.isfinite(value) else None
