"""Numbers that another tool printed: for all queries, or a table of values by query."""

from __future__ import annotations

import math
import os
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np

from idealrank.arrays import Floats, Mask
from idealrank.data.formats.folders import suggest_file
from idealrank.data.formats.objects import is_row
from idealrank.data.formats.reader import read_frame
from idealrank.data.formats.source import Source
from idealrank.data.ids import id_text
from idealrank.data.queries import read_queries
from idealrank.data.roles import Roles, fold
from idealrank.errors import DataError, NoColumnError, UsageError, some
from idealrank.measures import parse
from idealrank.measures.definition import Measure
from idealrank.measures.grammar import measure_text

SUMMARY = frozenset({"all", "mean", "amean", "average"})
"""Names of rows that contain the mean, as in trec_eval's and gdeval's output."""

Judged = Callable[[], Collection[str]]
"""Returns the judged queries."""


class Printed(NamedTuple):
    """A number as somebody printed it: for all queries, or for one."""

    measure: str
    text: str
    query: str = ""

    @property
    def name(self) -> str:
        """The measure, and the query if the number is for one."""
        return f"{self.measure} of {self.query}" if self.query else self.measure

    @property
    def digits(self) -> int:
        """Decimals that count."""
        mantissa, _, exponent = self.text.lower().partition("e")
        return max(0, len(mantissa.partition(".")[2]) - int(exponent or 0))

    def matches(self, value: float) -> bool:
        """Whether the value rounds, or is truncated, to the printed digits."""
        return bool(match_printed(np.array([value]), [self])[0])


class ScoreTable(NamedTuple):
    """The values of one measure by query, as printed.

    Attributes
    ----------
    name
        The table's name in messages.
    values
        One number per query with a value.
    summary
        The mean, if the table has a row for it.
    id_column
        The column taken as the ids, if none has such a name.
    """

    name: str
    values: tuple[Printed, ...]
    summary: Printed | None
    id_column: str = ""


def read_score_table(source: Any, measure: str, judged: Judged) -> ScoreTable | None:
    """Read the values of one measure; None if the source contains documents, and so is not a table of values.

    Parameters
    ----------
    source
        ``{query: value}``; `Scores`; a table or a file with a query column and one called after the
        measure; or lines ``measure query value``, as ``trec_eval -q`` prints them.
    measure
        The measure, by any name it is called by.
    judged
        Returns the judged queries: if no column is named like query ids, the one with their ids is used.

    Raises
    ------
    DataError
        If the table has no such column, no column or several have ids, a value is not a number, or a query has two
        rows.
    """
    if hasattr(source, "per_query"):
        source = source.per_query
    if getattr(source, "ndim", 2) == 1 and hasattr(source, "to_dict"):
        source = source.to_dict()
    if isinstance(source, Mapping) and is_row(source):
        return _make_score_table("values", source.items(), measure) if source else None
    name = os.fspath(source) if isinstance(source, (str, os.PathLike)) else ""
    lines = _read_lines(name)
    if lines:
        return _make_score_table(
            name, ((row[1], row[2]) for row in lines if _is_same_measure(row[0], measure)), measure
        )
    table = read_frame(source, "values")
    if table.frame.format in ("trec-qrels", "trec-run", "dicts"):
        return None
    if Roles(table.name, table.frame.names, {}).find("doc") is not None:
        return None
    key = _find_id_column(table, measure, judged)
    columns = read_queries(table, query=key).attributes
    column = next((column for column in columns if _is_same_measure(column, measure)), None)
    if column is None:
        raise DataError(
            f"{table.name}: no column called {measure} and no documents, so these are neither values of queries nor "
            f"results. Found: {', '.join(table.frame.names)}. Name the column of values {measure}."
        )
    values = _make_score_table(table.name, columns[column].items(), measure)
    return values._replace(id_column=f"{table.name}: query={key}") if key else values


def _find_id_column(table: Source, measure: str, judged: Judged) -> str | None:
    """Return the only column with ids of judged queries; a NoColumnError if there are several, or none."""
    names = table.frame.names
    roles = Roles(table.name, names, {})
    if roles.find("query") is not None or any(fold(name) == "id" for name in names):
        return None
    ids = judged()
    holding = [
        name
        for i, name in enumerate(names)
        if not _is_same_measure(name, measure) and _are_query_ids(table.ids(i).to_list(None), ids)
    ]
    text = roles.find("text")
    if text is not None and (not holding or names[text] in holding):
        return None  # a column called query, which may contain ids as well as texts
    if len(holding) == 1:
        return holding[0]
    if holding:
        raise NoColumnError(
            f"{table.name}: {some(holding)} each contain ids of judged queries. Name the right one query_id."
        )
    raise NoColumnError(
        f"{table.name}: no query column, and no column with ids of judged queries ({some(ids)}). {roles.columns}. "
        "Name the column of ids query_id."
    )


def _are_query_ids(values: Iterable[Any], judged: Collection[str]) -> bool:
    """Whether values are query ids: without repeats, and most of them judged."""
    ids = [id_text(value) for value in values if value not in (None, "")]
    rows = [key for key in ids if key.lower() not in SUMMARY]
    return len(set(ids)) == len(ids) and 2 * sum(key in judged for key in rows) > len(rows)


def _make_score_table(name: str, rows: Iterable[tuple[Any, Any]], measure: str) -> ScoreTable:
    values: dict[str, Printed] = {}
    summary: Printed | None = None
    for key, value in rows:
        query, text = str(key), "" if value is None else str(value).strip()
        if text.lower() in ("", "nan", "-nan"):
            continue
        if query in values:
            raise DataError(f"{name}: query {query!r} has two values of {measure}. Give one row per query.")
        try:
            float(text)
        except ValueError:
            raise DataError(f"{name}: {measure} of query {query!r} is {text!r}, not a number.") from None
        if query.lower() in SUMMARY:
            summary = Printed(measure, text)
        else:
            values[query] = Printed(measure, text, query)
    if not values:
        raise DataError(f"{name}: no value of {measure} for any query. Give a column or lines with that name.")
    return ScoreTable(name, tuple(values.values()), summary)


def _read_lines(path: str) -> list[list[str]]:
    """Return the lines ``measure query value`` of a file; none if it is another kind of file."""
    if not os.path.isfile(path):
        return []
    rows: list[list[str]] = []
    broken = 0
    with open(path, encoding="utf-8", errors="replace") as file:
        for line, text in enumerate(file, 1):
            parts = text.split()
            if len(parts) not in (0, 3):
                return []
            rows += [parts] if parts else []
            broken = broken or (line if "\ufffd" in text else 0)
    if not any(_is_measure(row[0]) for row in rows):
        return []
    if broken:
        raise DataError(f"{path} line {broken}: not UTF-8 text. Save the file as UTF-8.")
    return rows


def _is_measure(name: str) -> bool:
    try:
        return bool(parse(name))
    except UsageError:
        return False


def _is_same_measure(name: str, measure: str) -> bool:
    """Whether two names are the same kind of measure, regardless of the answers they state."""
    measures = _is_measure(name) and _is_measure(measure)
    return name == measure or (measures and _kind(parse(name)[0]) == _kind(parse(measure)[0]))


def _kind(measure: Measure) -> Any:
    return measure.definition, measure.cutoff, measure.parameters


def read_printed(printed: Mapping[str, Any], judged: Judged) -> tuple[tuple[Printed, ...], tuple[str, ...]]:
    """Read numbers by measure, or tables as in `read_score_table`; and say which columns were found.

    Raises
    ------
    UsageError
        If a number is not a number, a name is several measures, or nothing was given.
    """
    if not isinstance(printed, Mapping):
        raise UsageError(f"{printed!r}: give numbers by measure, such as {{'nDCG@10': '0.437'}}.")
    numbers: list[Printed] = []
    id_columns: list[str] = []
    for key, number in printed.items():
        measure = measure_text(key)
        if _is_measure(measure) and (many := len(parse(measure))) > 1:
            raise UsageError(f"{measure!r} is {many} measures. Give one cutoff.")
        table = None if _is_number(number) else read_score_table(number, measure, judged)
        if table is None:
            numbers.append(Printed(measure, _read_number(measure, number)))
        else:
            numbers += [*table.values, *([table.summary] if table.summary else [])]
            id_columns += [table.id_column] if table.id_column else []
    if not numbers:
        raise UsageError("No numbers given. Give at least one, such as nDCG@10=0.437.")
    return tuple(numbers), tuple(id_columns)


def _is_number(number: object) -> bool:
    return not isinstance(number, Mapping) and (isinstance(number, float | int) or not _is_table(number))


def _is_table(source: object) -> bool:
    return not isinstance(source, str) or os.path.isfile(source)


def _read_number(measure: str, text: object) -> str:
    words = str(text).strip()
    try:
        finite = math.isfinite(float(words))
    except ValueError:
        finite = False
    if not finite:
        raise UsageError(
            f"{measure}={words}: neither a number, such as 0.437, nor an existing file.{suggest_file(words)}"
        )
    return words


# The digits of printed numbers count.


SLACK = 1e-9
"""Relative tolerance for the last digits of a sum added in another order."""


class PrintedTarget(NamedTuple):
    """(n,) printed numbers, and the size of their last digits."""

    wanted: Floats
    unit: Floats

    @classmethod
    def of(cls, printed: Sequence[Printed]) -> PrintedTarget:
        """Read the numbers."""
        return cls(np.array([float(one.text) for one in printed]), np.array([10.0**-one.digits for one in printed]))

    def match(self, values: Floats) -> Mask:
        """(…, n) whether each value rounds, or is truncated, to the number printed in its place."""
        slack = SLACK * np.maximum(1.0, np.abs(values))
        beyond = np.copysign(1.0, self.wanted) * (values - self.wanted)
        rounded: Mask = np.abs(values - self.wanted) <= self.unit / 2 + slack
        cut: Mask = (beyond >= -slack) & (beyond < self.unit - slack)
        return rounded | cut


def match_printed(values: Floats, printed: Sequence[Printed]) -> Mask:
    """(n,) whether each value rounds, or is truncated, to the number printed beside it."""
    return PrintedTarget.of(printed).match(values)
