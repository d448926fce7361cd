"""Several lists of results for one query, which must not be run together, and names that may be no systems."""

from __future__ import annotations

import numpy as np

from idealrank.arrays import Ints
from idealrank.data.formats.messages import quoted
from idealrank.data.formats.shapes.around import OUTER
from idealrank.data.formats.shapes.ubi import UBI
from idealrank.data.ids import codes, id_text
from idealrank.data.queries_together import that_tells_apart, way_by
from idealrank.data.results import Results
from idealrank.errors import DataError, either, listed, plural, quoted_option

_UBI_WAY = ": write its query_response_id as its query_id, or keep the last line of each query_id"


def refuse_doubtful_systems(results: Results) -> Results:
    """Return results whose systems are systems, even if they are only names around the queries of a document.

    Raises
    ------
    DataError
        If no query has results under two of them: they may as well be groups of queries.
    """
    column = results.column("system") if OUTER in results.source.notes else None
    if column is None:
        return results
    of, query = codes(column), codes(results.keys.query)
    systems = np.unique(of[of >= 0])
    pairs = np.unique(np.column_stack((query, of))[of >= 0], axis=0)
    if len(systems) > 1 and len(np.unique(pairs[:, 0])) == len(pairs):
        raise DataError(
            f"{results.name}: the queries lie under {plural(len(systems), 'name')} "
            f"({listed([id_text(name) for name in column.distinct(5)])}), and no query is under two of them. Are the "
            "names systems, or groups of queries? Give the results of a system as {query: [documents]}, one file per "
            "system; or rows with the columns query, doc, rank and system."
        )
    return results


def refuse_repeated_lists(results: Results) -> Results:
    """Return results whose documents contain one list for each query.

    Raises
    ------
    DataError
        If a query has several lists, as a log does in which it was asked twice; the message names the query.
    """
    if not results.source.tables or results.rank is None:
        return results
    first = np.flatnonzero(results.rank.floats() == 1)
    systems = results.systems_column()
    lists = np.column_stack((codes(results.keys.query)[first], codes(systems)[first] if systems else first * 0))
    _, place, counts = np.unique(lists, axis=0, return_index=True, return_counts=True)
    if (counts > 1).any():
        earliest = min(np.flatnonzero(counts > 1), key=lambda group: place[group])
        row, times = int(first[place[earliest]]), int(counts[earliest])
        (key,) = results.keys.query.to_list(np.array([row], np.int64))
        raise DataError(
            f"{results.name}: {times} lists of results for query {quoted(id_text(key))} (first: "
            f"{results.source.where(row)}), as if it was asked {times} times. Keep one list per query, or "
            f"give each search an id of its own{_UBI_WAY if results.source.what == UBI else ''}."
        )
    return results


def refuse_queries_run_together(results: Results) -> Results:
    """Return results in which no rank is there twice for each value of a column that may be part of the query.

    Raises
    ------
    DataError
        If a query has several documents at a rank, and another column tells them apart; the message names it.
    """
    if results.form or results.rank is None or results.roles.chosen.get("query") is not None:
        return results
    systems = results.systems_column()
    ranks = results.rank.floats()
    found = [codes(results.keys.query), codes(systems) if systems else np.zeros(len(ranks), np.int64), ranks]
    rows = np.flatnonzero((found[0] >= 0) & ~np.isnan(ranks))
    lists = np.unique(np.column_stack(found)[rows], axis=0, return_inverse=True)[1]
    if len(rows) == 0 or lists.max() + 1 == len(rows):
        return results
    if results.searches("") is not None or not (apart := that_tells_apart(results, lists.ravel(), rows)):
        return results
    row, before = _first_twice(lists.ravel(), rows)
    query = id_text(results.keys.query.to_list(np.array([row], np.int64))[0])
    raise DataError(
        f"{results.source.place(row)}: query {query!r} has rank {ranks[row]:g} a second time (first: "
        f"{results.source.where(before)}), with another {apart}.{way_by(results, apart)} If it names the system: "
        f"{either(f'system={apart!r}', quoted_option('system-col', apart))}."
    )


def _first_twice(group: Ints, rows: Ints) -> tuple[int, int]:
    """Return the first row whose group an earlier one has, and that one."""
    first = np.unique(group, return_index=True)[1][group]
    again = int(np.flatnonzero(first != np.arange(len(group)))[0])
    return int(rows[again]), int(rows[first[again]])
