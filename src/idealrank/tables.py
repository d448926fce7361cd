"""Judgments and Results: tables whose columns are known by role."""

from __future__ import annotations

import functools
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, TypeVar

import numpy as np

from idealrank.errors import DataError, NoColumnError, UsageError, nearest
from idealrank.raters import combine
from idealrank.read import read_frame
from idealrank.read.roles import Roles, fold

if TYPE_CHECKING:
    from idealrank._core import Column, Frame, Pool, Run

T = TypeVar("T")

ONE_QUERY = "q"
"""Id of the query of a table that has no query column."""


@dataclass(frozen=True, eq=False)
class Source:
    """A frame that was read, and what to call it in messages."""

    name: str
    frame: Frame

    def column(self, index: int | None) -> Column | None:
        """Return a column, or None for a role no column plays."""
        return None if index is None else self.frame.column(index)

    def number(self, index: int | None) -> Column | None:
        """Return a column as numbers.

        Raises
        ------
        DataError
            If a cell is no number: with its line.
        """
        if index is None:
            return None
        return self.guarded(lambda: self.frame.column(index).number(self.frame.names[index]))

    def guarded(self, call: Callable[[], T]) -> T:
        """Run a call into the core; a row it refuses becomes an error with the line."""
        from idealrank import _core

        try:
            return call()
        except _core.BadRow as bad:
            raise self.bad_row(*bad.args) from None

    def place(self, row: int) -> str:
        """Say where a row stands."""
        line = self.frame.line(row)
        return f"{self.name} line {line}" if line else f"{self.name} row {row}"

    def bad_row(self, kind: str, row: int, column: str, value: str, detail: str, other: int) -> DataError:
        """Build the error for a row the core refuses."""
        place = self.place(row)
        if kind == "duplicate":
            return DataError(
                f"{place}: document {value!r} stands a second time under query {detail!r} "
                f"(first: {self.place(other).removeprefix(self.name + ' ')}). "
                "Remove one, or choose: duplicates=first, last or max."
            )
        if kind == "fractional_id":
            return DataError(f"{place}: {column} id {value} is no whole number. Ids are text or whole numbers.")
        if kind == "missing_id":
            return DataError(f"{place}: no {column} id. Give every row one.")
        if kind == "not_finite":
            return DataError(f"{place}: {column} {value} is not finite. Give a finite number.")
        return DataError(f"{place}: {column} {value[:60]!r} is not a number. Give a number, as 3 or 0.25.")

    def query_column(self, roles: Roles) -> tuple[Column, int | None, bool]:
        """Return the query column, the index of the text column if it is another, and whether it is made up.

        A table of documents and numbers without any query column is one query.
        """
        found, text = roles.find("query"), roles.find("text")
        if found is not None:
            return self.frame.column(found), text, False
        if text is not None:
            return self.frame.column(text), None, False
        self._refuse_hidden_query(roles)
        from idealrank import _core

        return _core.from_columns(["query"], [[ONE_QUERY] * self.frame.rows]).column(0), None, True

    def _refuse_hidden_query(self, roles: Roles) -> None:
        known = {roles.find(role) for role in ("doc", "grade", "rank", "score", "system")} | set(roles.ratings())
        for index in range(len(self.frame.names)):
            if index not in known and self.frame.column(index).kind == "text" and not self._numbers(index):
                raise roles.missing("query")

    def _numbers(self, index: int) -> bool:
        from idealrank import _core

        try:
            self.frame.column(index).number("")
        except _core.BadRow:
            return False
        return True


def query_texts(query: Column, text: Column | None) -> tuple[dict[str, str], set[str]]:
    """Return the first text of each query id, and the ids with more than one."""
    texts: dict[str, str] = {}
    differing: set[str] = set()
    if text is not None:
        for key, words in zip(query.to_list(None), text.to_list(None), strict=True):
            if key is not None and words is not None and texts.setdefault(id_text(key), str(words)) != str(words):
                differing.add(id_text(key))
    return texts, differing


def id_text(key: object) -> str:
    """Write an id as text: 12, "12" and 12.0 are the same."""
    return str(int(key)) if isinstance(key, float) and key.is_integer() else str(key)


@dataclass(frozen=True, eq=False)
class Judgments:
    """Who judged which document for which query how: one row a judgment.

    Made by `read_judgments`; everything that takes judgments also takes what that takes.
    """

    source: Source
    roles: Roles
    grades: tuple[int, ...]
    doc: int
    cache: dict[Any, Any] = field(default_factory=dict, repr=False)

    @property
    def name(self) -> str:
        """What the table is called in messages."""
        return self.source.name

    @functools.cached_property
    def _query(self) -> tuple[Column, int | None, bool]:
        return self.source.query_column(self.roles)

    @property
    def one_query(self) -> bool:
        """Whether the table has no query column, so that all rows are one query."""
        return self._query[2]

    @functools.cached_property
    def texts(self) -> tuple[dict[str, str], set[str]]:
        """First text of each query id, and the ids whose texts differ."""
        return query_texts(self._query[0], self.source.column(self._query[1]))

    def pool(self, raters: str, duplicates: str) -> Pool:
        """Group the judgments by query; built once for each setting.

        Raises
        ------
        DataError
            If a row cannot be used: with its line.
        """
        key = (raters, duplicates)
        if key not in self.cache:
            self.cache[key] = self._pool(raters, duplicates)
        found: Pool = self.cache[key]
        return found

    def _pool(self, raters: str, duplicates: str) -> Pool:
        from idealrank import _core

        grade = self._grade(raters)
        query, doc = self._query[0], self.source.frame.column(self.doc)
        if (rater := self.roles.find("rater")) is not None and len(self.grades) == 1:
            return self._pool_by_rater(query, doc, grade, rater, raters)
        return self.source.guarded(lambda: _core.Pool(query, doc, grade, duplicates))

    def _grade(self, raters: str) -> Column:
        from idealrank import _core

        columns = [self.source.number(index) for index in self.grades]
        if len(columns) == 1 and columns[0] is not None:
            return columns[0]
        ratings = np.column_stack([column.floats() for column in columns if column is not None])
        return _core.from_columns(["grade"], [combine(ratings, raters)]).column(0)

    def _pool_by_rater(self, query: Column, doc: Column, grade: Column, rater: int, raters: str) -> Pool:
        """One row a rater: the ratings of each (query, document) become one grade."""
        from idealrank import _core

        names = self.source.frame.column(rater).to_list(None)
        rows: dict[tuple[object, object], dict[object, int]] = {}
        grades = grade.floats()
        for row, (q, d) in enumerate(zip(query.to_list(None), doc.to_list(None), strict=True)):
            by_rater = rows.setdefault((q, d), {})
            if (other := by_rater.setdefault(names[row], row)) != row:
                raise self.source.bad_row("duplicate", row, "doc", str(d), str(q), other)
        widest = max(map(len, rows.values()))
        ratings = np.full((len(rows), widest), np.nan)
        for place, by_rater in enumerate(rows.values()):
            ratings[place, : len(by_rater)] = grades[list(by_rater.values())]
        keys = list(rows)
        frame = _core.from_columns(
            ["query", "doc", "grade"], [[q for q, _ in keys], [d for _, d in keys], combine(ratings, raters)]
        )
        return self.source.guarded(lambda: _core.Pool(frame.column(0), frame.column(1), frame.column(2), "error"))

    def missing_ratings(self) -> int:
        """Count ratings not given, where a row holds several."""
        if len(self.grades) < 2:
            return 0
        return int(sum(np.isnan(c.floats()).sum() for i in self.grades if (c := self.source.number(i)) is not None))

    def __repr__(self) -> str:
        return f"Judgments({self.name!r}, {self.source.frame.rows} rows)"


@dataclass(frozen=True, eq=False)
class Results:
    """What one or several systems returned for which query: one row a result.

    Made by `read_results`; everything that takes results also takes what that takes.
    """

    source: Source
    roles: Roles
    doc: int
    label: str
    cache: dict[Any, Any] = field(default_factory=dict, repr=False)

    @property
    def name(self) -> str:
        """What the table is called in messages."""
        return self.source.name

    @functools.cached_property
    def _query(self) -> tuple[Column, int | None, bool]:
        return self.source.query_column(self.roles)

    @property
    def one_query(self) -> bool:
        """Whether the table has no query column, so that all rows are one query."""
        return self._query[2]

    @functools.cached_property
    def texts(self) -> tuple[dict[str, str], set[str]]:
        """First text of each query id, and the ids whose texts differ."""
        return query_texts(self._query[0], self.source.column(self._query[1]))

    @functools.cached_property
    def systems(self) -> tuple[str, ...]:
        """Names of the systems in the table; one without a system column is called by its label."""
        column = self.source.column(self.roles.find("system"))
        names = [] if column is None else [id_text(name) for name in column.distinct(1 << 20) if name is not None]
        return tuple(names) if len(names) > 1 else (self.label or (names[0] if names else "results"),)

    @functools.cached_property
    def rank(self) -> Column | None:
        """The rank column as numbers."""
        return self.source.number(self.roles.find("rank"))

    @functools.cached_property
    def score(self) -> Column | None:
        """The score column as numbers."""
        return self.source.number(self.roles.find("score"))

    def order(self, order_by: str) -> str:
        """Answer ``order_by=auto`` for this table: score, rank or given.

        Raises
        ------
        UsageError
            If the order asked for needs a column the table lacks.
        """
        if order_by == "auto":
            by_score = self.source.frame.format in ("trec-run", "dicts") and self.score is not None
            return "score" if by_score else "rank" if self.rank is not None else "score" if self.score else "given"
        if order_by in ("rank", "score") and getattr(self, order_by) is None:
            raise NoColumnError(
                f"{self.name}: order_by={order_by}, but there is no {order_by} column. "
                f"Found: {', '.join(self.source.frame.names)}. Name it: {order_by}=…, or use another order_by."
            )
        return order_by

    def run(self, system: str, duplicates: str) -> Run:
        """Group one system's results by query; built once for each setting.

        Raises
        ------
        DataError
            If a row cannot be used: with its line.
        """
        key = (system, duplicates)
        if key not in self.cache:
            self.cache[key] = self._run(system, duplicates)
        found: Run = self.cache[key]
        return found

    def _run(self, system: str, duplicates: str) -> Run:
        from idealrank import _core

        rows = None
        if system and len(self.systems) > 1:
            rows = self._rows_of(system)
        doc = self.source.frame.column(self.doc)
        return self.source.guarded(lambda: _core.Run(self._query[0], doc, self.score, self.rank, rows, duplicates))

    def _rows_of(self, system: str) -> Any:
        index = self.roles.find("system")
        column = self.source.column(index)
        if column is None or system not in self.systems:
            raise UsageError(f"{self.name}: no system called {system!r}.{nearest(system, self.systems)}")
        if "codes" not in self.cache:
            self.cache["codes"] = column.codes()
        codes, names = self.cache["codes"]
        return np.flatnonzero(codes == [id_text(name) for name in names].index(system)).astype(np.int64)

    def __repr__(self) -> str:
        return f"Results({self.name!r}, {self.source.frame.rows} rows, systems: {', '.join(self.systems)})"


def read_judgments(
    source: Any,
    *,
    query: str | None = None,
    doc: str | None = None,
    grade: str | None = None,
    rater: str | None = None,
    text: str | None = None,
    progress: Any = None,
) -> Judgments:
    """Read judgments from a file or an object in memory.

    Parameters
    ----------
    source
        A path (``-``: standard input) to TREC qrels, CSV, TSV, JSONL, Parquet or Arrow, plain or
        compressed with gz or zst; a pandas, polars or pyarrow table, a DuckDB relation, anything
        with ``__arrow_c_stream__``; a dict of columns; a dict ``{query: {document: grade}}``; a
        list of dicts or named tuples. Judgments are returned as they are.
    query, doc, grade, rater, text
        Names of the columns, where they are not found by themselves.
    progress
        Told how many bytes were read (a core ``Progress``).

    Raises
    ------
    DataError
        If it cannot be read, or a column is missing or ambiguous.

    Examples
    --------
    >>> read_judgments({"q1": {"d1": 3, "d2": 0}})
    Judgments('judgments', 2 rows)
    """
    if isinstance(source, Judgments):
        return source
    given = {"query": query, "doc": doc, "grade": grade, "rater": rater, "text": text}
    frame, name = read_frame(source, "judgments", progress)
    if frame.format == "trec-run":
        raise DataError(f"{name}: a TREC run (results), not judgments. Judgments come first, then results.")
    roles = Roles(name, _names(frame, "grade"), given)
    grades = _grade_columns(roles)
    return Judgments(Source(name, frame), roles, grades, roles.need("doc"))


def _names(frame: Frame, value: str) -> list[str]:
    """Return the column names; a dict of dicts has a value column that is the grade or the score."""
    names = list(frame.names)
    if frame.format == "dicts":
        return ["query_id", "doc_id", value]
    if frame.format.startswith("trec-"):
        return ["query_id" if name == "query" else name for name in names]
    return names


def _grade_columns(roles: Roles) -> tuple[int, ...]:
    if roles.given.get("grade") is not None:
        return (roles.need("grade"),)
    ratings = roles.ratings()
    from idealrank.read.roles import ALIASES

    proper = roles.find("grade", without=ALIASES["grade"][1:])
    if proper is None and ratings:
        return tuple(ratings)
    return (roles.need("grade"),)


def read_results(
    source: Any,
    *,
    query: str | None = None,
    doc: str | None = None,
    rank: str | None = None,
    score: str | None = None,
    system: str | None = None,
    text: str | None = None,
    name: str = "",
    progress: Any = None,
) -> Results:
    """Read results (a run) from a file or an object in memory.

    Parameters
    ----------
    source
        As for `read_judgments`; a TREC run; a dict ``{query: {document: score}}``.
    query, doc, rank, score, system, text
        Names of the columns, where they are not found by themselves.
    name
        What to call the system, if the table holds one.
    progress
        Told how many bytes were read (a core ``Progress``).

    Raises
    ------
    DataError
        If it cannot be read, or a column is missing or ambiguous.

    Examples
    --------
    >>> read_results({"q1": {"d1": 2.5, "d7": 1.0}}, name="bm25")
    Results('results', 2 rows, systems: bm25)
    """
    if isinstance(source, Results):
        return source
    given = {"query": query, "doc": doc, "rank": rank, "score": score, "system": system, "text": text}
    frame, called = read_frame(source, "results", progress)
    if frame.format == "trec-qrels":
        raise DataError(f"{called}: TREC judgments (4 fields), not results. Judgments come first, then results.")
    roles = Roles(called, _names(frame, "score"), given)
    return Results(Source(called, frame), roles, roles.need("doc"), name)


def is_systems(data: Any) -> bool:
    """Whether a mapping names systems: its values are paths, dataframes or results, not columns or dicts."""
    if not isinstance(data, Mapping) or not data:
        return False
    values = data.values()
    if all(isinstance(value, (str, Results)) or hasattr(value, "__fspath__") for value in values):
        return True
    return (
        all(hasattr(value, "columns") or hasattr(value, "__arrow_c_stream__") for value in values)
        and not any(hasattr(value, "dtype") for value in values)
        and not all(fold(str(key)) in ("query", "doc") for key in data)
    )
