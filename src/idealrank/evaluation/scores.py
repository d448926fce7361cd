"""Scores: what an evaluation returns. Values per query first, means from them, numbers formatted last."""

from __future__ import annotations

import functools
import itertools
from dataclasses import dataclass, fields, replace
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np

from idealrank.display.blocks import Block, Folded, Small
from idealrank.display.document import Shown
from idealrank.display.numbers import number
from idealrank.display.table import Table, fingerprint_columns
from idealrank.errors import UsageError, refuse_count
from idealrank.evaluation.buckets import map_bucket_values, map_buckets, query_order
from idealrank.evaluation.mean_tables import footnote, means_grid, measure_table
from idealrank.evaluation.scoring import steps_of
from idealrank.evaluation.values import Values, find_query
from idealrank.judged_lists.arrangement import arrange
from idealrank.judged_lists.join import Join
from idealrank.measures.definition import Measure

if TYPE_CHECKING:
    import os
    from collections.abc import Iterable, Sequence

    import pandas as pd

    from idealrank.evaluation.document_segments import DocumentSegments
    from idealrank.evaluation.explanation import Explanation
    from idealrank.evaluation.ledger.ledger import Ledger
    from idealrank.evaluation.ledger.sensitivity import Under
    from idealrank.evaluation.query_tables import By

# What people try on scores that does not exist, with the call that does it; and attributes that only other rooms read.


INSTEAD = {
    "compare": "ir.compare(scores)",
    "plot": "ir.plot(scores)",
    "report": "ir.report(scores)",
    "to_html": "ir.report(scores).to_html()",
    "to_mlflow": "ir.to_mlflow(scores)",
    "to_wandb": "ir.to_wandb(scores)",
    **dict.fromkeys(("show", "display"), "str(scores)"),
    **dict.fromkeys(("by", "groupby", "group_by"), "scores.describe(by='segment')"),
    **dict.fromkeys(("summary", "median", "std", "stderr"), "scores.describe()"),
    **dict.fromkeys(("ci", "confidence_interval", "interval"), "scores.describe()"),
    **dict.fromkeys(("avg", "average_scores", "mean_scores"), "scores.means"),
    "head": "scores.per_query.head()",
    "filter": "scores.per_query.filter(…)",
    **dict.fromkeys(("scores", "results", "by_query"), "scores.per_query"),
    "to_csv": "scores.means.to_csv() or scores.per_query.to_csv()",
    "to_polars": "scores.means.to_polars() or scores.per_query.to_polars()",
    **dict.fromkeys(("to_dataframe", "to_df", "df", "dataframe", "to_frame"), "scores.to_pandas()"),
    **dict.fromkeys(("ndcg", "nDCG", "NDCG"), "scores['nDCG@10']"),
    **dict.fromkeys(("map", "MAP", "AP"), "scores['AP']"),
    **dict.fromkeys(("mrr", "MRR", "RR"), "scores['RR']"),
    "help": "help(ir.Scores)",
    "to_latex": "ir.compare(scores).to_latex()",
    "query": "scores.per_query.filter(query='q1')",
    "querys": "scores.queries",
    "get": "scores['nDCG@10']",
    **dict.fromkeys(("shape", "columns", "iloc", "loc"), "scores.per_query.to_pandas()"),
    "sort_values": "scores.worst()",
    "losses": "ir.compare(scores).losses()",
    "wins": "ir.compare(scores).wins()",
    "verdict": "ir.compare(scores).verdict",
}
"""What to call, by the name people try."""

INTERNAL = frozenset(
    {
        "account",
        "all_means",
        "average",
        "from_values",
        "in_scope",
        "labels",
        "joins",
        "joined",
        "lists",
        "counts",
        "scope_of",
        "recount",
        "fetch",
        "has_times",
        "lengths",
    }
    | {"select_systems", "place_of", "shown", "states", "system_place", "system_places", "unjudged_queries"}
)
"""Attributes of scores that completion leaves out."""


# Tables of scores that need more than their values: lost value, ranges over ties, readings, segments of documents.


class ScoreTables(Values):
    """Values with the tables that need the judged lists behind them."""

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
        from idealrank.evaluation.query_tables import headroom_table

        if n is not None:
            refuse_n(n)
        return headroom_table(self, self.place_of(measure), self.system_places(system), n)

    @property
    def tie_ranges(self) -> Table:
        """One row per measure (and system): its mean, and the lowest and highest over all orders of tied results.

        Missing for a measure that a better document further up may lower under its decisions.
        """
        from idealrank.evaluation.tie_ranges import tie_ranges_table

        return tie_ranges_table(self)

    def tie_range(self, measure: str | None = None, system: str | None = None) -> Table:
        """Return the value of each query, and the lowest and highest over all orders of its tied results.

        Measure and system are as for `lost_value`.

        Raises
        ------
        UsageError
            If a better document further up may lower the measure.
        """
        from idealrank.evaluation.tie_ranges import tie_range_table

        return tie_range_table(self, self.place_of(measure), self.system_places(system))

    @property
    def latency(self) -> Table:
        """One row per system: how many milliseconds its searches took, as quantiles over the queries asked.

        ``p50``, ``p95`` and ``p99`` are of the wall time as the client saw it (a column such as ``latency_ms``), ``took
        p50`` and so on of the engine's own time (``took_ms``), each only where a table of results says it; the table
        has no rows where none does. ``low`` and ``high`` are the ends of the 95% interval by order statistics, infinite
        where so few queries do not bound it: see `idealrank.statistics.quantiles.quantile_interval`. Queries nobody
        judged count, as do those without results; a query whose search failed is counted as ``failed`` and has no
        time, one that was answered without a time as ``untimed``. Weights of queries play no part. Of a task with
        several searches it is their sum.

        Examples
        --------
        >>> import idealrank as ir
        >>> run = {"query": ["q", "r"], "doc": ["d", "x"], "rank": [1, 1], "latency_ms": [12, 20]}
        >>> (row,) = ir.evaluate({"q": {"d": 1}}, run, ["RR"]).latency
        >>> row["queries"], row["p50"], row["p50 high"]
        (2, 16.0, inf)
        """
        from idealrank.evaluation.latency import latency_table

        return latency_table(self)

    @property
    def readings(self) -> Table:
        """One row per measure (and system): its mean, and what its reader reads and gets; missing without a reader.

        See `reading`; the means are plain ones over the queries that count.
        """
        from idealrank.evaluation.query_tables import readings_table

        return readings_table(self)

    def reading(self, measure: str | None = None, system: str | None = None) -> Table:
        """Return what the reader of a C/W/L measure reads and gets, query by query.

        Beside the value, which is the expected utility of a result read: the expected total utility, the
        expected total cost, where every result read costs 1, the expected number of results read, and
        the residual: how much higher the value is where all that nobody judged, behind the end of the
        list too, is of highest worth.

        Source: cwl_eval 1.0.12: EU, ETU, ETC, ED, and EU of ``-r``, there down to rank 1000.

        Measure and system are as for `lost_value`.

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
        from idealrank.evaluation.query_tables import reading_table

        return reading_table(self, self.place_of(measure), self.system_places(system))

    def by_document(self, column: str, documents: Any) -> DocumentSegments:
        """Return means, recall and shares of the loss by segment of the documents: their type, language, source.

        A query without a relevant document of a segment has no value there: the segment is not applicable to it, which
        is counted, and is neither 0 nor left out in silence. See `DocumentSegments` for what each number is.

        Parameters
        ----------
        column
            The column of the documents table that segments are made of; at most 100 segments.
        documents
            A documents table: a file, a dataframe, or a dict ``{id: value}`` or ``{id: {column: value}}``. Documents
            without a value, and those that are not in the table, are the segment ``(none)``.

        Raises
        ------
        UsageError
            If the column is not named by a text.
        NoColumnError
            If there is no such column.
        DataError
            If a document has two values, none of the judged documents is in the table, or the column makes more than
            100 segments.

        Examples
        --------
        >>> import idealrank as ir
        >>> types = {"a": "page", "b": "page", "f": "pdf"}
        >>> judged = {"q1": {"a": 1, "f": 1}, "q2": {"b": 1}}
        >>> scores = ir.evaluate(judged, {"q1": {"a": 2.0, "x": 1.0}, "q2": {"b": 1.0}}, ["R"])
        >>> for row in scores.by_document("type", types).table:
        ...     row["segment"], row["queries"], row["not applicable"], row["mean"]
        ('page', 2, 0, 1.0)
        ('pdf', 1, 1, 0.0)
        """
        from idealrank.evaluation.document_segments import document_segments

        with self.lists.open():
            return document_segments(self, column, documents)


def refuse_n(n: Any) -> None:
    """Refuse an n that is not a number of queries.

    Raises
    ------
    UsageError
        With what was given.
    """
    if isinstance(n, str):
        raise UsageError(f"n={n!r}: the number of queries comes first. Name the measure: measure={n!r}.")
    refuse_count("n", n, "how many queries")


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
        (S, M, Q) int8 codes of `idealrank.evaluation.scoring.QueryState`.
    setting
        The convention with the caller's overrides.
    ledger
        What became of every query.
    """

    _instead = INSTEAD
    _internal = INTERNAL

    @classmethod
    def from_values(cls, values: Values, under: Under | None = None) -> Scores:
        """Make the scores of values.

        Parameters
        ----------
        under
            Returns the values under other answers; None: they are computed from the lists.

        Raises
        ------
        DataError
            If rank and score run in opposite directions and nothing says which counts, or a query lacks its weight.
        """
        parts = {field.name: getattr(values, field.name) for field in fields(Values)}
        if not callable(values.counted):
            from idealrank.evaluation.ledger.counting import refuse_opposite

            for counts in values.counted.returned:
                refuse_opposite(counts, values.setting.decisions)
        scores = cls(**parts)
        if values.weights is not None:
            _ = scores.all_means  # a query without judgments that counts may have no weight
        if under is not None or not values.lists.in_memory:
            from idealrank.evaluation.ledger.accounts import make_ledger

            vars(scores)["ledger"] = make_ledger(scores, under)  # from parts that are at hand now
        return scores

    @functools.cached_property
    def ledger(self) -> Ledger:
        """What became of every query: counted when somebody asks."""
        from idealrank.evaluation.ledger.accounts import make_ledger

        return make_ledger(self)

    def save(self, path: str | os.PathLike[str], *, lists: bool = True) -> None:
        """Write the scores to a file, from which `idealrank.read_scores` reads them back as they are.

        Values, states, decisions and the ledger are in it, and the tables of judgments and results behind them, so
        that they can be compared with later ones. Nothing is executed when it is read. The same scores give the same
        bytes.

        Parameters
        ----------
        path
            The file. Only saved scores are written over.
        lists
            Whether to save the tables. Without them the file is small and has no ids of documents but those that the
            ledger names (near misses of ids, and what steps did not return), and what needs lists, such as a
            comparison, is refused.

        Raises
        ------
        UsageError
            If the file is something else, or the lists are not in memory.

        Examples
        --------
        >>> import idealrank as ir, pathlib, tempfile
        >>> judged = {"q": {"d": 1}}
        >>> last = ir.evaluate(judged, {"q": {"x": 2.0, "d": 1.0}}, ["RR"])
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     last.save(pathlib.Path(folder, "last.scores"))
        ...     last = ir.read_scores(pathlib.Path(folder, "last.scores"))
        >>> ir.compare({"last": last, "now": ir.evaluate(judged, {"q": {"d": 1.0}}, ["RR"])})["RR"].difference
        0.5
        """
        from idealrank.evaluation.saved import save_values

        save_values(self, self.ledger, path, lists=lists)

    @classmethod
    def concat(cls, parts: Iterable[Scores]) -> Scores:
        """Put the scores of different queries together, as if these had been evaluated at once.

        Parameters
        ----------
        parts
            Scores of the same systems under the same measures and decisions, of different queries.

        Raises
        ------
        UsageError
            If they are no scores, were not measured alike, or a query is in several of them.

        Examples
        --------
        >>> import idealrank as ir
        >>> judged, returned = {"q1": {"a": 1}, "q2": {"b": 1}}, {"q1": {"a": 2.0}, "q2": {"x": 2.0, "b": 1.0}}
        >>> parts = [ir.evaluate({q: judged[q]}, {q: returned[q]}, ["RR"]) for q in judged]
        >>> ir.Scores.concat(parts)["RR"]
        0.75
        """
        from idealrank.evaluation.concat import concat_values

        given: list[Any] = [*parts]
        for one in given:
            if not isinstance(one, Scores):
                kind = type(one).__name__
                raise UsageError(f"Scores.concat: {kind} is no scores. Give a list of what evaluate returned.")
        return cls.from_values(concat_values(given))

    def select_systems(self, places: Sequence[int], names: Sequence[str], **changes: Any) -> Scores:
        """Return the scores of some of the systems, under other names, with other values where they are given."""
        lists, counts = self.lists.select_systems(places), self.counts.select_systems(places)
        return replace(self, systems=tuple(names), lists=lists, counted=counts, **changes).recount()

    def recount(self) -> Scores:
        """Return scores whose measures, systems or queries were changed with counts and a ledger of their own."""
        from idealrank.evaluation.ledger.counting import count_bucket
        from idealrank.evaluation.ledger.counts import Counts

        with self.lists.open():
            buckets = map_bucket_values(self, count_bucket)
            order = query_order(self, [queries for queries, _ in buckets])
            counts = Counts.join([counts for _, counts in buckets], order, self.counts.near_ids)
            return Scores.from_values(replace(self, counted=counts))

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
        from idealrank.evaluation.query_tables import describe_values, query_groups

        rows: list[dict[str, Any]] = []
        for label, mask in query_groups(by, self.queries, self.table).items():
            for s, system in enumerate(self.systems):
                for m, measure in enumerate(self.labels):
                    row = {"group": label} if by is not None else {}
                    row |= {"system": system} if len(self.systems) > 1 else {}
                    rows.append(row | {"measure": measure} | describe_values(self.values[s, m][mask]))
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
        return self._first_queries(n, measure, system, 1.0)

    def best(self, n: int = 10, measure: str | None = None, system: str | None = None) -> Table:
        """Return the n queries with the highest values, highest first; equal ones by query id.

        Measure and system are as for `worst`.
        """
        return self._first_queries(n, measure, system, -1.0)

    def _first_queries(self, n: int, measure: str | None, system: str | None, sign: float) -> Table:
        from idealrank.evaluation.query_tables import PerQuery, query_table, sort_places

        refuse_n(n)
        m = self.place_of(measure)
        values = self.values[:, m]
        rows = [
            PerQuery(s, sort_places(sign * values[s])[:n], {self.labels[m]: values[s]})
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
        from idealrank.evaluation.explanation import steps_table

        m, s = self.place_of(measure), self.system_place(system)
        ours = self.measures[m]
        if query is None:
            return self._steps_of_all(s, ours)
        index = self._find_query(s, query)
        join, place = self.join_of(s, index)
        joined = join.lists_of_query(ours.on_lists, place)
        return steps_table(steps_of(joined.lists, ours), joined, ours, self.queries[index : index + 1])

    def _steps_of_all(self, s: int, measure: Measure) -> Table:
        tables = [table for _, table in map_buckets(self, partial(_steps_in_bucket, s=s, measure=measure))]
        if len(tables) == 1:
            return tables[0]
        tied = ["tie_first" in table.columns for table in tables]
        # Steps have the columns of ties if any result of the bucket is tied: one tied bucket gives them to all.
        if any(tied) and not all(tied):
            work = partial(_steps_in_bucket, s=s, measure=measure, averaged=True)
            tables = [table for _, table in map_buckets(self, work)]
        place = {query: q for q, query in enumerate(self.queries)}
        order = np.argsort([place[query] for table in tables for query in table["query"]], kind="stable")

        def concatenate(name: str) -> Any:
            every = np.concatenate([table.array(name) for table in tables])[order]
            return every if any(table.numeric(name) for table in tables) else every.tolist()

        full = max(tables, key=len)
        return Table({name: concatenate(name) for name in full.columns}, full.title, full.stated)

    def explain(self, measure: str | None = None, query: object = None, system: str | None = None) -> Explanation:
        """Explain one value: see `idealrank.explain`.

        Parameters
        ----------
        measure
            One of the measures; None: the first. A query in its place is explained under the first.
        query, system
            A query by id or text, and a system; None where there is one.
        """
        from idealrank.evaluation.explanation import explain_value

        if query is None and measure not in self.labels and measure in {*self.queries, *self.texts.values()}:
            measure, query = None, measure
        m, s = self.place_of(measure), self.system_place(system)
        index = self._find_query(s, query)
        text = self.texts.get(self.queries[index], "")
        join, place = self.join_of(s, index)
        return explain_value(join, self.measures[m], place, text, self.setting.text)

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
            **({"latency": self.latency.rows()} if self.has_times and len(self.latency) else {}),
            "ledger": self.ledger.to_dict(),
        }

    def to_json(self, per_query: bool = False) -> str:
        """Return means, decisions and ledger (and values per query) as JSON in full precision."""
        import json

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
        return [means_grid(self), Small(footnote(self)), *self._latency(), *warnings, Folded(self.account())]

    def _latency(self) -> list[Block]:
        if not self.has_times:
            return []
        from idealrank.evaluation.latency import latency_blocks

        return latency_blocks(self)

    def account(self) -> list[Block]:
        """Return the notes below every number: the decisions, the ledger, what would move a mean."""
        return [*self.answers.shown(), *self.ledger.account()]


def _steps_in_bucket(joins: list[Join], s: int, measure: Measure, averaged: bool = False) -> Table:
    """Return the steps of the queries of a bucket; ``averaged``: with the columns of ties even if nothing is tied."""
    from idealrank.evaluation.explanation import steps_table

    joined = joins[s].lists_for(measure.on_lists, "dense")
    lists = arrange(joined.lists, measure.on_lists)
    lists = replace(lists, ranks="averaged") if averaged else lists
    return steps_table(measure.steps(lists), joined, measure, joined.queries)


def read_scores(path: str | os.PathLike[str]) -> Scores:
    """Read the scores that `Scores.save` wrote.

    Parameters
    ----------
    path
        Their file.

    Returns
    -------
    The scores as they were: values, states, decisions and ledger; and the judged lists, if they were saved.

    Raises
    ------
    DataError
        If there is no such file, it is damaged, a newer version wrote it, or this version gives its lists other values.

    Examples
    --------
    >>> import idealrank as ir, pathlib, tempfile
    >>> scores = ir.evaluate({"q": {"d": 1}}, {"q": {"x": 2.0, "d": 1.0}}, ["RR"])
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     scores.save(pathlib.Path(folder, "monday.scores"))
    ...     ir.read_scores(pathlib.Path(folder, "monday.scores"))["RR"]
    0.5
    """
    from idealrank.evaluation.saved import read_values

    values, ledger = read_values(path)
    scores = Scores(**{part.name: getattr(values, part.name) for part in fields(Values)})
    vars(scores)["ledger"] = ledger
    return scores
