"""Rows of results grouped into lists: by query, or by search; a row that cannot be used is refused with its line."""

from __future__ import annotations

import math
from typing import Literal, NamedTuple, cast

import numpy as np

from idealrank._core import BadRow, Column, Run
from idealrank.arrays import Ints, Mask
from idealrank.data.duplicates import COMBINING
from idealrank.data.formats.messages import quoted
from idealrank.data.ids import Keyed, there
from idealrank.data.order_columns import refuse_order
from idealrank.data.queries_together import way_of_repeated
from idealrank.data.roles import ALIASES, fold
from idealrank.errors import DataError, option


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


def grouped(table: Keyed, by: Grouping, duplicates: str, way: str) -> Run:
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
    given = "error" if duplicates in COMBINING else duplicates
    from_zero = None if by.lowest_rank is None else by.lowest_rank == 0
    rule = cast("Literal['error', 'first', 'last', 'max', 'keep']", given)
    try:
        run = Run(by.query, by.docs, by.score, by.rank, by.rows, rule, from_zero)
    except BadRow as bad:
        kind, row, column, value, detail, other = bad.args
        if kind == "duplicate" and table.one_query:
            raise _without_queries(table, row, detail, value) from None
        if kind == "duplicate":
            hint = way_of_repeated(table, table.pairs_with(by.docs)) if by.rows is None else ""
            raise table.source.twice("is returned", detail, value, row, other, hint=hint or way) from None
        raise table.source.bad_row(kind, row, column, value, detail, other) from None
    if table.source.frame.format != "trec-run":
        elsewhere = by.lowest_rank is not None and not math.isnan(by.lowest_rank)
        refuse_order(table.name, run, by.rank, by.score, lambda wrong: _place(table, by, wrong), elsewhere)
    return run


def _without_queries(table: Keyed, row: int, query: str, doc: str) -> DataError:
    """Say of a document that is there twice in a table without queries that their column is missing.

    To keep one of the two, as other tables may, would make one list of what are the results of many queries.
    """
    return DataError(
        f"{table.source.place(row)}: document {quoted(doc)} is returned a second time, and no column names the query, "
        f"so all rows count as those of one query, {quoted(query)}. {table.roles.columns}. Name the column of queries: "
        f"{table.roles.way('query')}."
    )


def _place(table: Keyed, by: Grouping, wrong: Mask) -> str:
    """Return the location of the first wrong row with a document."""
    among = np.arange(len(wrong)) if by.rows is None else by.rows
    return table.source.place(int(among[wrong[among] & there(by.docs, among)].min()))


def way_out(table: Keyed, system: str, systems: int, doc: int) -> str:
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
    if (spans := table.roles.of_spans()) or table.form:
        return spans
    name = table.roles.names[doc]
    if fold(name) in ALIASES["doc"][2] | ALIASES["doc"][3]:  # an id of its own
        return ""
    return f" If rows are parts of documents, such as chunks: {option('unit', name)}."
