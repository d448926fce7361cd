"""Latencies: how long the search for each query took, from a column of a table of results."""

from __future__ import annotations

import numpy as np

from idealrank.arrays import Floats, Ints
from idealrank.data.formats.messages import bad_cell
from idealrank.data.ids import codes, id_text
from idealrank.data.latency_columns import Clock, LatencyColumn, latency_column, latency_columns
from idealrank.data.results import Results
from idealrank.errors import DataError, listed, option

_OTHERWISE = "If the column is about something else, rename it."


def latencies(results: Results, clock: Clock, system: str = "") -> dict[str, float]:
    """Return how long the search for each query took, in milliseconds; only queries whose time is known.

    Every row of a search says the same time, or nothing. Where the table has several searches per query (a column
    ``step``), each has its own time, and that of the query is their sum; it is not known where one of them is not.
    Queries whose search failed have no time, those that returned nothing have. A column called ``took``, ``elapsed``
    or ``duration`` (the last in any unit) may be about something else: it is read only where all its values are times
    of searches.

    Parameters
    ----------
    clock
        ``latency``: the wall time; ``took``: the engine's own.
    system
        One of the table's systems; "": the table's only one. A ranking made of several systems has no time.

    Raises
    ------
    DataError
        If a time is negative or infinite, or two rows of a search say different times, with the lines; or if two
        columns are about the same clock, with both names.

    Examples
    --------
    >>> from idealrank.data.read import read_results
    >>> table = {"query": ["a", "a", "b"], "doc": ["x", "y", ""], "rank": [1, 2, 1], "latency_s": [0.03, 0.03, 0.012]}
    >>> latencies(read_results(table), "latency")
    {'a': 30.0, 'b': 12.0}
    """
    return _read(results, clock, system)[0]


def unread(results: Results, clock: Clock, system: str = "") -> str:
    """Say why a column that may be about something else was not read as times of searches; "" where none was."""
    return _read(results, clock, system)[1]


def searched(results: Results, system: str = "") -> tuple[str, ...]:
    """Return the queries that a system was searched for, answered or not, whose rows could say a time."""
    if results.form:
        return ()
    code, ids = results.keys.query.codes()
    names = ids.to_list(None)
    return tuple(id_text(names[place]) for place in np.unique(code[results.searched(system)]) if place >= 0)


def _read(results: Results, clock: Clock, system: str) -> tuple[dict[str, float], str]:
    return results.kept.once(("latencies", clock, system), lambda: _latencies(results, clock, system))


def _latencies(results: Results, clock: Clock, system: str) -> tuple[dict[str, float], str]:
    column = latency_column(results.roles.names, clock)
    if column is None or results.form or (not system and len(results.systems) > 1):
        return {}, ""
    _refuse_two(results, clock)
    try:
        return _by_query(results, column, system), ""
    except DataError as error:
        if column.sure:
            raise
        return {}, str(error)


def _refuse_two(results: Results, clock: Clock) -> None:
    """Refuse two columns that are surely about the same clock.

    Raises
    ------
    DataError
        With both names.
    """
    names = [results.roles.names[each.place] for each in latency_columns(results.roles.names, clock) if each.sure]
    if len(names) > 1:
        what = {"latency": "the wall time of a search", "took": "the engine's own time"}[clock]
        several = f"{listed(names, len(names), ' and ')} {'all' if names[2:] else 'both'}"
        raise DataError(f"{results.name}: {several} say {what}. Keep one of them, or rename the others.")


def _by_query(results: Results, column: LatencyColumn, system: str) -> dict[str, float]:
    code, ids = results.keys.query.codes()
    names, failed = [id_text(key) for key in ids.to_list(None)], results.failed(system)
    answered = np.array([*(name not in failed for name in names), False])
    rows = np.flatnonzero(results.searched(system) & answered[code])
    times = _times(results, column, rows)
    searches, first, search = np.unique(
        codes(results.lists_column(system))[rows], return_index=True, return_inverse=True
    )
    _refuse_different(results, column, rows, times, search)
    each = np.full(len(searches), np.nan)
    np.fmax.at(each, search, times)
    total = np.bincount(code[rows][first], each, len(names)) * column.milliseconds
    known = np.intersect1d(code[rows], np.flatnonzero(~np.isnan(total)))
    return {names[query]: float(total[query]) for query in known}


def _times(results: Results, column: LatencyColumn, rows: Ints) -> Floats:
    """Return the times of some rows in the unit of the column, NaN where there is none.

    Raises
    ------
    DataError
        If one is not a number from 0 up.
    """
    name, values = results.roles.names[column.place], results.source.number(column.place)
    times: Floats = np.full(len(rows), np.nan) if values is None else values.floats()[rows]
    wrong = np.flatnonzero((times < 0) | np.isinf(times))
    if not len(wrong):
        return times
    place, time = results.source.place(int(rows[wrong[0]])), times[wrong[0]]
    if np.isinf(time):
        raise bad_cell(place, "not_finite", name, str(time))
    raise DataError(f"{place}: {name} {time:g} is below 0. A search takes 0 milliseconds or more. {_OTHERWISE}")


def _refuse_different(results: Results, column: LatencyColumn, rows: Ints, times: Floats, search: Ints) -> None:
    """Refuse two rows of one search that say different times.

    Raises
    ------
    DataError
        With both rows and values.
    """
    known = np.flatnonzero(~np.isnan(times))
    _, first, of = np.unique(search[known], return_index=True, return_inverse=True)
    before = known[first][of]
    other = np.flatnonzero(times[known] != times[before])
    if len(other):
        second = int(known[other[0]])
        earlier = int(before[other[0]])
        name, where = results.roles.names[column.place], results.source.where(int(rows[earlier]))
        raise DataError(
            f"{results.source.place(int(rows[second]))}: {name} {times[second]:g}, and {where} says "
            f"{times[earlier]:g} for the same search. Give every row of a search the same time, or number the "
            f"searches of a query in a column: {option('step', flag='step-col')}. {_OTHERWISE}"
        )
