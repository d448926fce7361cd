"""Tables of scores that need more than their values: lost value, ranges over ties, readings, segments of documents."""

from __future__ import annotations

from typing import Any

from idealrank.display.table import Table
from idealrank.errors import UsageError, refuse_count
from idealrank.evaluation.document_segments import DocumentSegments, document_segments
from idealrank.evaluation.latency import latency_table
from idealrank.evaluation.lost_value import lost_value_table
from idealrank.evaluation.readings import reading_table, readings_table
from idealrank.evaluation.tie_ranges import tie_range_table, tie_ranges_table
from idealrank.evaluation.values import Values


class ScoreTables(Values):
    """Values with the tables that are made of the judged lists behind them."""

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
            refuse_n(n)
        return lost_value_table(self, self.place_of(measure), self.system_places(system), n)

    @property
    def tie_ranges(self) -> Table:
        """One row per measure (and system): its mean, and the lowest and highest over all orders of tied results.

        Missing for a measure that a better document further up may lower under its decisions.
        """
        return tie_ranges_table(self)

    def tie_range(self, measure: str | None = None, system: str | None = None) -> Table:
        """Return the value of each query, and the lowest and highest over all orders of its tied results.

        Measure and system are as for `lost_value`.

        Raises
        ------
        UsageError
            If a better document further up may lower the measure.
        """
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
        return latency_table(self)

    @property
    def readings(self) -> Table:
        """One row per measure (and system): its mean, and what its reader reads and gets; missing without a reader.

        See `reading`; the means are plain ones over the queries that count.
        """
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
        return document_segments(self, column, documents)


def refuse_n(n: Any) -> None:
    """Refuse a number of queries that is none.

    Raises
    ------
    UsageError
        With what it is.
    """
    if isinstance(n, str):
        raise UsageError(f"n={n!r}: the number of queries comes first. Name the measure: measure={n!r}.")
    refuse_count("n", n, "how many queries")
