"""Rows of results grouped into lists: by query, or by search; a row that cannot be used is refused with its line."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Literal, NamedTuple, cast

import numpy as np

from idealrank._core import BadRow, Column, Run
from idealrank.arrays import Ints, Mask
from idealrank.data.duplicates import COMBINING
from idealrank.data.formats.messages import quoted
from idealrank.data.formats.source import Source
from idealrank.data.ids import Keyed, present_ids
from idealrank.data.latency_columns import clock_columns
from idealrank.data.queries import suggest_for_repeated
from idealrank.data.roles import ALIASES, KNOWN, Roles, fold
from idealrank.errors import DataError, NoColumnError, option


class Grouping(NamedTuple):
    """What groups rows of results.

    Attributes
    ----------
    rows
        Which rows these are; None: all.
    lowest_rank
        The lowest rank of the whole of which these are some queries, NaN without ranks; None if these are all.
    """

    query: Column
    rows: Ints | None
    docs: Column
    score: Column | None
    rank: Column | None
    lowest_rank: float | None = None


def group_rows(table: Keyed, by: Grouping, duplicates: str, way: str) -> Run:
    """Group rows of results (``keep``: a document may be there twice).

    Parameters
    ----------
    way
        What else a table may mean by rows that repeat a document.

    Raises
    ------
    DataError
        If a row cannot be used; the message gives its line.
    """
    given = "error" if duplicates in COMBINING else duplicates  # results have no grades to combine
    from_zero = None if by.lowest_rank is None else by.lowest_rank == 0
    rule = cast("Literal['error', 'first', 'last', 'max', 'keep']", given)
    try:
        run = Run(by.query, by.docs, by.score, by.rank, by.rows, rule, from_zero)
    except BadRow as bad:
        kind, row, column, value, detail, other = bad.args
        if kind == "duplicate" and table.one_query:
            raise _no_query_column(table, row, detail, value) from None
        if kind == "duplicate":
            hint = suggest_for_repeated(table, table.pairs_with(by.docs), judged=False) if by.rows is None else ""
            hint = _NOTHING_FOUND if value == "-1" else hint or way
            raise table.source.duplicate_error("is returned", detail, value, row, other, hint=hint) from None
        raise table.source.bad_row(kind, row, column, value, detail, other) from None
    if table.source.frame.format != "trec-run":
        elsewhere = by.lowest_rank is not None and not math.isnan(by.lowest_rank)
        refuse_order(table.name, run, by.rank, by.score, lambda wrong: _first_place(table, by, wrong), elsewhere)
    return run


_NOTHING_FOUND = " FAISS returns -1 where it found nothing: leave these rows out."


def _no_query_column(table: Keyed, row: int, query: str, doc: str) -> DataError:
    """Build the error for a repeated document in a table without queries: their column is probably missing.

    To keep one of the two, as other tables may, would make one list of what are the results of many queries.
    """
    return DataError(
        f"{table.source.place(row)}: document {quoted(doc)} is returned a second time, and no column names the query, "
        f"so all rows count as those of one query, {quoted(query)}. {table.roles.columns}. Name the column of queries: "
        f"{table.roles.suggest_naming('query')}."
    )


def _first_place(table: Keyed, by: Grouping, wrong: Mask) -> str:
    """Return the location of the first wrong row with a document."""
    among = np.arange(len(wrong)) if by.rows is None else by.rows
    return table.source.place(int(among[wrong[among] & present_ids(by.docs, among)].min()))


def suggest_reading(table: Keyed, system: str, systems: int, doc: int) -> str:
    """Say how to read rows that repeat a document: as those of several systems, or as parts of documents.

    Parameters
    ----------
    system, systems
        Whose rows they are, "" if all rows are one ranking; the number of systems in the table.
    doc
        The column of documents.
    """
    if not system and systems > 1:
        return f" Or keep its {systems} systems apart: {option('systems', 'separate')}."
    if (spans := table.roles.suggest_spans()) or table.form:
        return spans
    if table.roles.taken:
        return ""  # their rows are spans, which are read as such
    name = table.roles.names[doc]
    if fold(name) in ALIASES["doc"][2] | ALIASES["doc"][3]:  # an id of its own
        return ""
    return f" If rows are parts of documents, such as chunks: {option('unit', name)}."


# The columns that order results: whether they say anything, and whether they say it of every row.


def is_empty(column: Column | None) -> bool:
    """Whether a column is missing, or has no value.

    Examples
    --------
    >>> from idealrank._core import from_columns
    >>> is_empty(None), is_empty(from_columns(["score"], [[1.0, None]]).column(0))
    (True, False)
    """
    return column is None or not column.distinct(1)


def has_gaps(scores: Column | None, ranks: Column | None) -> bool:
    """Whether a row with a rank has no score, as where an engine sorts by a field.

    Examples
    --------
    >>> from idealrank._core import from_columns
    >>> table = from_columns(["score", "rank"], [[1.0, None], [1.0, 2.0]])
    >>> has_gaps(table.column(0), table.column(1))
    True
    """
    if scores is None or ranks is None:
        return scores is None
    return bool((np.isnan(scores.floats()) & ~np.isnan(ranks.floats())).any())


def refuse_unknown_score(source: Source, roles: Roles) -> None:
    """Refuse a table without ranks and scores that has numbers which could be the scores.

    Raises
    ------
    NoColumnError
        If a column without a role contains fractions.
    """
    chosen, timed = {*roles.chosen.values(), *roles.ratings()}, clock_columns(roles.names).values()
    for place, name in enumerate(roles.names):
        if fold(name) not in KNOWN and place not in chosen and name not in timed and _has_fractions(source, place):
            raise NoColumnError(
                f"{source.name}: no rank or score column. Is {name!r} the score? Then name it: "
                f"{roles.suggest_naming('score')}. To rank the rows as they stand: {option('order_by', 'given')}."
            )


def _has_fractions(source: Source, place: int) -> bool:
    """Whether a column contains numbers that are not whole."""
    try:
        column = source.number(place)
    except DataError:
        return False
    numbers = column.floats() if column is not None else np.zeros(0)
    return bool((numbers[np.isfinite(numbers)] % 1 != 0).any())


def refuse_order(
    name: str, run: Run, rank: Column | None, score: Column | None, place: Callable[[Mask], str],
    elsewhere: bool = False,
) -> None:  # fmt: skip
    """Refuse a rank below 0, an empty rank column, and a missing score without ranks.

    Parameters
    ----------
    name
        The table's name.
    place
        Returns the location of the first row of some (N,).
    elsewhere
        Whether other queries of the same ranking have ranks.

    Raises
    ------
    DataError
        With the line.
    """
    if rank is not None and run.lowest_rank < 0:
        raise DataError(f"{place(rank.floats() < 0)}: the rank is below 0. Ranks must start from 1 or 0.")
    if rank is not None and run.results and run.missing_ranks == run.results and not elsewhere:
        raise DataError(f"{name}: the rank column is empty. Give each result a rank or a score.")
    if rank is None and score is not None and run.missing_scores:
        raise DataError(f"{place(np.isnan(score.floats()))}: the score is missing or NaN. Give a finite number.")
