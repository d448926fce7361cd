"""Numbers that another tool printed: of all queries, or a table of values by query."""

from __future__ import annotations

import math
import os
from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple

from idealrank.errors import DataError, UsageError
from idealrank.measures import Measure, parse
from idealrank.measures.spellings import written
from idealrank.printed import Printed
from idealrank.queries import read_queries

SUMMARY = frozenset({"all", "mean", "amean", "average"})
"""Rows called so hold the mean, as in trec_eval's and gdeval's output."""


class ScoreTable(NamedTuple):
    """The values of queries of one measure, as they were printed.

    Attributes
    ----------
    name
        What the table is called in messages.
    values
        One number a query that has a value.
    """

    name: str
    values: tuple[Printed, ...]

    @property
    def mean(self) -> float:
        """The mean of the values."""
        return math.fsum(float(one.text) for one in self.values) / len(self.values)


def read_score_table(source: Any, measure: str) -> ScoreTable | None:
    """Read the values of one measure; None where the source holds none and may be something else.

    Parameters
    ----------
    source
        ``{query: value}``; `Scores`; a table or a file with a query column and one called after the
        measure; or lines ``measure query value``, as ``trec_eval -q`` prints them.
    measure
        The measure, by any name it is called by.

    Raises
    ------
    DataError
        If a value is no number, or a query has two rows.
    """
    if hasattr(source, "per_query"):
        source = source.per_query
    if isinstance(source, Mapping):
        plain = source and not any(isinstance(value, Mapping) for value in source.values())
        return _table("values", source.items(), measure) if plain else None
    name = os.fspath(source) if isinstance(source, (str, os.PathLike)) else ""
    lines = _lines(name)
    if lines:
        return _table(name, ((row[1], row[2]) for row in lines if _same(row[0], measure)), measure)
    try:
        table = read_queries(source)
    except DataError:
        return None
    column = next((column for column in table.attributes if _same(column, measure)), None)
    return None if column is None else _table(table.name, table.attributes[column].items(), measure)


def _table(name: str, rows: Iterable[tuple[Any, Any]], measure: str) -> ScoreTable:
    found: dict[str, Printed] = {}
    for key, value in rows:
        query, text = str(key), "" if value is None else str(value).strip()
        if query.lower() in SUMMARY or text in ("", "nan"):
            continue
        if query in found:
            raise DataError(f"{name}: query {query!r} has two values of {measure}. Give one row a query.")
        try:
            float(text)
        except ValueError:
            raise DataError(f"{name}: {measure} of query {query!r} is {text!r}, not a number.") from None
        found[query] = Printed(measure, text, query)
    if not found:
        raise DataError(f"{name}: no value of {measure} for any query. Give a column or lines of that name.")
    return ScoreTable(name, tuple(found.values()))


def _lines(path: str) -> list[list[str]]:
    """Return the lines ``measure query value`` of a file; none if it is another kind of file."""
    if not os.path.isfile(path):
        return []
    with open(path, encoding="utf-8", errors="replace") as file:
        lines = [parts for line in file if (parts := line.split())]
    three = all(len(parts) == 3 for parts in lines) and any(_known(parts[0]) for parts in lines)
    return lines if three else []


def _known(name: str) -> bool:
    try:
        return bool(parse(name))
    except UsageError:
        return False


def _same(name: str, measure: str) -> bool:
    """Whether two names are the same kind of measure, whatever the answers they state."""
    known = _known(name) and _known(measure)
    return name == measure or (known and _kind(parse(name)[0]) == _kind(parse(measure)[0]))


def _kind(measure: Measure) -> Any:
    return measure.definition, measure.cutoff, measure.parameters


def read_printed(given: Mapping[str, Any]) -> tuple[Printed, ...]:
    """Read numbers by measure; in place of a number, what `read_score_table` takes.

    Raises
    ------
    UsageError
        If a number is none, or nothing was given.
    """
    found: list[Printed] = []
    for key, number in given.items():
        measure = written(key)
        table = None if _plain(number) else read_score_table(number, measure)
        found += [Printed(measure, _number(measure, number))] if table is None else table.values
    if not found:
        raise UsageError("No numbers given. Give at least one, as nDCG@10=0.437.")
    return tuple(found)


def _plain(number: object) -> bool:
    return not isinstance(number, Mapping) and (isinstance(number, float | int) or not _file(number))


def _file(source: object) -> bool:
    return not isinstance(source, str) or os.path.isfile(source)


def _number(measure: str, text: object) -> str:
    words = str(text).strip()
    try:
        finite = math.isfinite(float(words))
    except ValueError:
        finite = False
    if not finite:
        raise UsageError(f"{measure}={words}: not a number. Give it as it was printed, as 0.437, or a file of values.")
    return words
