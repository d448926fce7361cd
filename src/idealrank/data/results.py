"""Results: what one or several systems returned for each query."""

from __future__ import annotations

import functools
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

import numpy as np

from idealrank._core import Column, Run
from idealrank.arrays import Cache, Floats, Ints, Mask
from idealrank.data.duplicates import first_equal
from idealrank.data.failures import Failures, find_failures, partial_columns
from idealrank.data.formats.head import NUMBER
from idealrank.data.ids import Keyed, codes, id_text, missing_system, present_ids
from idealrank.data.latency_columns import clock_columns
from idealrank.data.ordering import Grouping, group_rows, has_gaps, is_empty, refuse_unknown_score, suggest_reading
from idealrank.data.writable import WritableResults
from idealrank.errors import NoColumnError, UsageError, nearest, option, plural, unsaid

if TYPE_CHECKING:
    from idealrank.data.searches import Searches
    from idealrank.data.table_facts import ResultFacts
    from idealrank.data.writing.rows import RowsToWrite

if TYPE_CHECKING:
    from idealrank.data.rows_to_count import RowsToCount as CountedRows

# A table of results by its systems: their names, and which of them are one ranking.


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
    whole: ResultFacts | None = field(default=None, kw_only=True)

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
        return not (share_queries(self.keys.query, column) if self.whole is None else self.whole.together)


def share_queries(query: Column, system: Column) -> bool:
    """Whether rows of two systems are about one query."""
    by_query, tag = codes(query), codes(system)
    return len(np.unique(by_query)) != len(np.unique(np.column_stack((by_query, tag)), axis=0))


@dataclass(frozen=True, eq=False)
class Results(SystemsTable):
    """What one or several systems returned for each query: one row per result.

    Made by `read_results`. Functions that take results also take everything that `read_results` reads.

    Attributes
    ----------
    shared
        Whether the table also contains judgments: its rows without rank and score are only judgments.
    left_out
        Rows that are left out because their query and document are on a list to exclude.
    """

    doc: int
    kept: Cache = field(default_factory=Cache, repr=False)
    shared: bool = False
    left_out: Ints = field(default_factory=lambda: np.zeros(0, np.int64), repr=False)

    @functools.cached_property
    def rank(self) -> Column | None:
        """The rank column as numbers; None if it is missing, or empty beside scores."""
        column = self.source.number(self.roles.find("rank"))
        if self.whole is None:
            return None if is_empty(column) and not is_empty(self._scores) else column
        return None if not self.whole.ranked and self.whole.scored else column

    @functools.cached_property
    def score(self) -> Column | None:
        """The score column as numbers; None if it is missing, or beside ranks empty, or with gaps in a document."""
        nothing = is_empty(self._scores) if self.whole is None else not self.whole.scored
        gaps = nothing or (bool(self.source.tables) and has_gaps(self._scores, self.rank))
        return None if gaps and self.rank is not None else self._scores

    @functools.cached_property
    def _scores(self) -> Column | None:
        return self.source.number(self.roles.find("score"))

    @property
    def like_judgments(self) -> bool:
        """Whether the table looks like judgments: a column named for grades, and neither ranks nor scores."""
        if NUMBER in self.source.frame.names and self.source.headerless_form:
            from idealrank.data.formats.headerless import are_grades

            return are_grades(self.source)
        ordered = self.rank is not None or self.score is not None
        graded = self.roles.find("grade", slice(1)) is not None or bool(self.roles.ratings())
        return graded and not ordered and not self.shared

    @property
    def judged_only(self) -> int:
        """Rows of a table shared with judgments that no system returned: without rank and score."""
        return int((~self._is_returned).sum()) if self.shared else 0

    def nameless(self, system: str) -> dict[str, int]:
        """Count the rows without a document per list that also has documents; they are dropped."""
        rows = self.rows(system)
        code, queries = self.lists_column(system).codes()
        code, has_doc = code[rows], present_ids(self._docs, rows)
        dropped, counts = np.unique(code[~has_doc & np.isin(code, code[has_doc])], return_counts=True)
        return dict(zip(map(id_text, queries.to_list(dropped)), counts.tolist(), strict=True))

    def failed(self, system: str) -> dict[str, str]:
        """Return the queries whose search failed, each with its message; "" means all systems."""
        column = self.systems_column()
        place = self.place_of(system) if system and column is not None else None
        return self._failures.of_system(place)

    def set_aside(self, system: str, queries: Collection[str]) -> int:
        """Count a system's results for these queries although their search failed; they are ignored.

        "" means all systems.
        """
        rows, column = np.flatnonzero(self._failures.rows), self.systems_column()
        rows = rows[self._is_listed[rows]]
        if system and column is not None:
            rows = rows[self._system_places(column)[rows] == self.place_of(system)]
        rows = rows[present_ids(self._docs, rows)] if len(rows) else rows
        return sum(id_text(key) in queries for key in self.keys.query.to_list(rows)) if len(rows) else 0

    @functools.cached_property
    def _failures(self) -> Failures:
        states, errors, parts = self.column("status"), self.column("error"), partial_columns(self.source)
        if (states is None and errors is None and not parts) or self.form:
            return Failures()
        return find_failures(
            states, errors, self.keys.query, self._docs, self.systems_column(), self.source.place, parts
        )

    @functools.cached_property
    def columns(self) -> dict[str, str]:
        """The column of each role and clock; empty for forms without column names."""
        several = "system" if self.systems_column() is not None else ""
        rank, score = ("rank" if self.rank is not None else ""), ("score" if self.score is not None else "")
        failed = ("status", "error") if self._failures.queries else ()
        step = "step" if self.searches("" if not several else "apart") is not None else ""
        named = self._column_names("query", "text", "doc", step, rank, score, several, *failed)
        return named | clock_columns(self.roles.names if named else ())

    def order(self, order_by: str) -> str:
        """Answer ``order_by=auto`` for this table: score, rank or given.

        Raises
        ------
        NoColumnError
            If the order needs a column that is missing from the table.
        """
        if order_by == "auto":
            # TREC runs go by score even where their ranks say otherwise, as in trec_eval; a dict's numbers are scores.
            by_score = self.source.frame.format in ("trec-run", "dicts") and self.score is not None
            if by_score or self.rank is not None or self.score is not None:
                return "score" if by_score or self.rank is None else "rank"
            self._refuse_unknown_score()
            return "given"
        if order_by in ("rank", "score") and getattr(self, order_by) is None:
            raise NoColumnError(
                f"{self.name}: order_by={order_by}, but there is no {order_by} column. {self.roles.columns}. Name it: "
                f"{self.roles.suggest_naming(order_by)}, or let idealrank choose the order: "
                f"{option('order_by', 'auto')}."
            )
        return order_by

    def _refuse_unknown_score(self) -> None:
        self.kept.once(("unknown score",), lambda: refuse_unknown_score(self.source, self.roles))

    def run(self, system: str, duplicates: str) -> Run:
        """Group one system's results by query; built once for each setting (``keep``: a document may be there twice).

        Raises
        ------
        DataError
            If a row cannot be used; the message gives its line.
        """
        return self.kept.once((system, duplicates), lambda: self.grouped(self.grouping(system), duplicates, system))

    def returned(self, system: str, duplicates: str) -> Run:
        """Group one system's results by list: by query, or by search if queries have several; as `run` does."""
        if self.searches(system) is None:
            return self.run(system, duplicates)
        by = self.grouping(system)._replace(query=self.lists_column(system))
        return self.kept.once((system, duplicates, "by list"), lambda: self.grouped(by, duplicates, system))

    def grouping(self, system: str) -> Grouping:
        """Return how one system's results are grouped by query, in their own order."""
        lowest = None if self.whole is None else self.whole.lowest_rank(system)
        return Grouping(self.keys.query, self._selected_rows(system), self._docs, self.score, self.rank, lowest)

    def grouped(self, by: Grouping, duplicates: str, system: str) -> Run:
        """Group a system's results otherwise, as `run` does."""
        return group_rows(self, by, duplicates, suggest_reading(self, system, len(self.systems), self.doc))

    def searches(self, system: str) -> Searches | None:
        """Return which search each row belongs to; None if no query has several. "" means all systems."""
        if self.column("step") is None:
            return None
        from idealrank.data.searches import searches_of

        column = self.systems_column() if system else None
        return self.kept.once(("searches", column is None), lambda: searches_of(self, self.searched(), column))

    def lists_column(self, system: str) -> Column:
        """(N,) the list that each row belongs to: its query, or its search if queries have several."""
        searches = self.searches(system)
        return self.keys.query if searches is None else searches.names

    def first(self, system: str) -> str:
        """Return the first document of a system."""
        rows = self.rows(system)
        (first,) = self._docs.to_list(rows[present_ids(self._docs, rows)][:1])
        return id_text(first)

    @functools.cached_property
    def _docs(self) -> Column:
        return self.source.ids(self.doc)

    def searched(self, system: str = "") -> Mask:
        """(N,) which rows say what a system, or any, searched for: those of failed searches and left-out ones, too."""
        searched, column = self._is_listed.copy(), self.systems_column() if system else None
        searched[self.left_out] = True
        return searched if column is None else searched & (self._system_places(column) == self.place_of(system))

    def rows(self, system: str) -> Ints:
        """Rows of one system, or of all ("")."""
        rows = self._selected_rows(system)
        return np.arange(self.source.frame.rows) if rows is None else rows

    def _selected_rows(self, system: str) -> Ints | None:
        """Rows of one system, or of all; None for every row of the table."""
        column = self.systems_column()
        if not system or column is None:
            self._refuse_row_without_system()
            return self._result_rows
        if system not in self.systems:
            raise UsageError(f"{self.name}: no system called {system!r}.{nearest(system, self.systems)}")
        mine = np.flatnonzero(self._system_places(column) == self.place_of(system))
        return mine if self._result_rows is None else np.intersect1d(mine, self._result_rows)

    def _refuse_row_without_system(self) -> None:
        """Refuse results without a system in a table that names one: they would silently count as its results."""
        column = self.column("system")
        if column is not None and column.missing and len(self.named if self.whole is None else self.whole.systems) == 1:
            self.kept.once("nameless", lambda: self._find_system_places(column))

    def _system_places(self, column: Column) -> Ints:
        """(N,) place of each row's system among `systems`; -1 if a row without a document has none."""
        return self.kept.once("systems", lambda: self._find_system_places(column))

    def _find_system_places(self, column: Column) -> Ints:
        code = codes(column)
        among = self._result_rows
        nameless = np.flatnonzero(code < 0) if among is None else among[code[among] < 0]
        nameless = nameless[present_ids(self._docs, nameless)]
        if len(nameless):
            raise missing_system(self.source.place(int(nameless[0])), column)
        return code

    @functools.cached_property
    def _result_rows(self) -> Ints | None:
        """The rows that are results: not judgments, of failed queries, or left out; None for every row."""
        if not self.shared and not self._failures.queries and not len(self.left_out):
            return None
        keep = self._is_listed.copy()
        keep[np.flatnonzero(self._failures.rows)] = False
        return None if keep.all() else np.flatnonzero(keep)

    @functools.cached_property
    def _is_listed(self) -> Mask:
        """(N,) which rows are results, or say there are none; others are only judgments, or left out."""
        listed = self._is_returned.copy() if self.shared else np.ones(self.source.frame.rows, np.bool_)
        if self.shared and self.column("rater") is not None:
            listed &= self._is_first_of_raters()
        listed[self.left_out] = False
        return listed

    @functools.cached_property
    def _is_returned(self) -> Mask:
        """(N,) which rows have a rank or a score, or only name a query, which then has no results."""
        orders = self._orders
        if not orders:
            return np.ones(self.source.frame.rows, np.bool_)
        names_document = present_ids(self._docs, np.arange(len(self._docs)))
        returned: Mask = ~np.isnan(np.column_stack(orders)).all(axis=1) | ~names_document
        return returned

    @property
    def _orders(self) -> list[Floats]:
        """The ranks and the scores, those there are."""
        return [column.floats() for column in (self.rank, self.score) if column is not None]

    def _is_first_of_raters(self) -> Mask:
        """Which rows do not repeat a result for another rater."""
        system = self.systems_column()
        pair = self.pairs(self.doc)
        if system is not None:
            code = codes(system) + 1
            pair = pair * (code.max(initial=0) + 1) + code
        first = first_equal(pair)
        keep: Mask = first == np.arange(len(first))
        # A row with another rank or score is a result of its own, which `duplicates` decides about.
        for values in self._orders:
            keep |= (values != values[first]) & ~np.isnan(values)
        return keep

    def rows_to_write(self, system: str = "") -> RowsToWrite:
        """Return one row per result, and per query without results; of one system, or "" for all."""
        numbers = {"rank": self.rank, "score": self.score}
        rows = replace(result_rows(self, self.doc, numbers, self._failures), order=self.order("auto"))
        return rows.of_system(system, self.systems, self._is_listed, self.name)

    def rows_to_count(self) -> CountedRows:
        """Return the ids of the rows of `rows_to_write`, as numbers."""
        from idealrank.data.rows_to_count import ids_to_count, names_in_order

        _ = self.rank, self.score  # refuses a cell that is no number
        ids, failures, column = ids_to_count(self, self.doc), self._failures, self.systems_column()
        self.order("auto")
        rows = None if self._is_listed.all() else np.flatnonzero(self._is_listed)
        failed = dict[str, str]()
        if failures.queries:
            texts = zip(self.keys.query.to_list(rows), _failure_messages(self, failures, rows), strict=True)
            failed = {id_text(key): message for key, message in texts if message}
        return replace(
            ids,
            query=ids.query if rows is None else ids.query[rows],
            doc=ids.doc if rows is None else ids.doc[rows],
            systems=self.systems[:1] if column is None else names_in_order(column, rows),
            failed=failed,
        )

    def __repr__(self) -> str:
        return f"Results({self.name!r}, {plural(self.source.frame.rows, 'row')}, systems: {', '.join(self.systems)})"


# The rows of results: ranks and scores, the systems, and the queries whose search failed.


def result_rows(table: Keyed, doc: int, numbers: Mapping[str, Column | None], failures: Failures) -> RowsToWrite:
    """Return one row per row of a table of results."""
    from idealrank.data.writing.rows import rows_of

    system = table.systems_column()
    rows = rows_of(table, "results", doc, ("step",) if system is None else ("step", "system"))
    words = {**rows.words, **({"error": _failure_messages(table, failures)} if failures.queries else {})}
    return replace(rows, words=words, numbers={role: c.floats() for role, c in numbers.items() if c is not None})


def _failure_messages(table: Keyed, failures: Failures, rows: Ints | None = None) -> list[str]:
    """(N,) the message of each of some rows, or of all, whose search failed, "" for others."""
    column, keys = table.systems_column(), table.keys.query.to_list(rows)
    of = np.zeros(len(keys), np.int64) if column is None else codes(column)
    of = of if column is None or rows is None else of[rows]
    return [
        failures.queries.get(system, {}).get(id_text(key), "") for system, key in zip(of.tolist(), keys, strict=True)
    ]
