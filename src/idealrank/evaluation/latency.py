"""Latency: how long the searches of each system took, as quantiles over its queries."""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterable
from typing import Annotated, Any, NotRequired

import numpy as np

from idealrank.arrays import Floats, Ints
from idealrank.data.formats.messages import bad_cell
from idealrank.data.ids import codes, id_text
from idealrank.data.latency_columns import PREFIX, STEMS, WHOSE, Clock, LatencyColumn, latency_column, latency_columns
from idealrank.data.results import Results
from idealrank.display.blocks import Block, Grid, Lines, TextColumn
from idealrank.display.columns import SystemName
from idealrank.display.numbers import milliseconds
from idealrank.display.schema import RowType
from idealrank.display.table import Table
from idealrank.errors import DataError, listed, option, plural
from idealrank.evaluation.ledger.counts import TimeCounts
from idealrank.evaluation.values import Values
from idealrank.judged_lists.join import SystemLists
from idealrank.statistics.quantiles import QUANTILES, quantile, quantile_interval

UNLIKELY_FACTOR = 50
"""Two systems whose medians differ by a larger factor may be measured in different units."""


def _quantile_columns(clock: Clock, name: str) -> dict[str, Any]:
    what = f"the {name} of {WHOSE[clock]}, in milliseconds; null if"
    column = f"{PREFIX[clock]}{name}"
    return {
        column: Annotated[float | None, f"{what[0].upper()}{what[1:]} no time is known."],
        f"{column} low": Annotated[float | None, f"Lower end of the interval of {what} too few queries bound it."],
        f"{column} high": Annotated[float | None, f"Upper end of the interval of {what} too few queries bound it."],
    }


LATENCY_ROW = RowType(
    {
        "system": SystemName,
        "queries": Annotated[int, "Queries whose time is known."],
        "failed": Annotated[int, "Queries whose search failed; they have no time."],
        "untimed": Annotated[int, "Queries answered without a time."],
        **{
            column: NotRequired[kind]
            for clock in PREFIX
            for name in QUANTILES
            for column, kind in _quantile_columns(clock, name).items()
        },
    }
)


def count_times(joined: SystemLists) -> TimeCounts:
    """Return how long a system's searches took, as its results say."""
    name = "" if joined.pooled else joined.system
    return TimeCounts(
        times={clock: latencies(joined.results, clock, name) for clock in STEMS},
        searched=searched_queries(joined.results, name), failed=tuple(joined.failures),
        unread={clock: why_unread(joined.results, clock, name) for clock in STEMS},
    )  # fmt: skip


def _times_of(scores: Values, s: int) -> TimeCounts:
    return scores.counts.returned[s].times or TimeCounts()


def search_times(scores: Values, s: int, clock: Clock) -> dict[str, float]:
    """Return the milliseconds of each query that a system was asked, judged or not, where they are known."""
    times = _times_of(scores, s).times.get(clock, {})
    return dict(itertools.compress(times.items(), scores.scope_of(tuple(times))))


def known_clocks(scores: Values) -> list[Clock]:
    """Return the clocks by which the results of any system say times."""
    return [clock for clock in STEMS if any(search_times(scores, s, clock) for s in range(len(scores.systems)))]


def queries_searched(scores: Values, s: int) -> tuple[str, ...]:
    """Return the queries asked for that were sent to a system, judged or not, including those whose search failed."""
    times = _times_of(scores, s)
    queries = tuple(dict.fromkeys((*times.searched, *times.failed)))
    return tuple(itertools.compress(queries, scores.scope_of(queries)))


def why_columns_unread(scores: Values, places: Iterable[int], clock: Clock) -> str:
    """Say why columns that may be about something else were not read as times; "" where there are none."""
    reasons = (_times_of(scores, s).unread.get(clock, "") for s in places)
    return " ".join(dict.fromkeys(filter(None, reasons)))


def queries_failed(scores: Values, s: int) -> tuple[str, ...]:
    """Return the queries asked for whose search failed, judged or not: they have no time."""
    failed = _times_of(scores, s).failed
    return tuple(itertools.compress(failed, scores.scope_of(failed)))


def latency_table(scores: Values) -> Table:
    """Return one row per system; see `Scores.latency`."""
    clocks = known_clocks(scores)
    rows = [_row(scores, s, clocks) for s in range(len(scores.systems))] if clocks else []
    names = rows[0] if rows else ("system", "queries", "failed", "untimed")
    return Table({name: _column([row[name] for row in rows]) for name in names}, "latency (ms)", row=LATENCY_ROW)


def _column(values: list[Any]) -> Any:
    return values if any(isinstance(value, str) for value in values) else np.array(values)


def _row(scores: Values, s: int, clocks: list[Clock]) -> dict[str, Any]:
    found = {clock: _time_values(scores, s, clock) for clock in clocks}
    row: dict[str, Any] = {"system": scores.systems[s]}
    # A query whose time only one of the two clocks says counts as untimed.
    known = min((len(values) for values in found.values() if len(values)), default=0)
    failed = len(queries_failed(scores, s))
    row |= {"queries": known, "failed": failed, "untimed": max(len(queries_searched(scores, s)) - failed - known, 0)}
    for clock, values in found.items():
        for name, q in QUANTILES.items():
            span, column = quantile_interval(values, q), f"{PREFIX[clock]}{name}"
            row |= {column: quantile(values, q), f"{column} low": span.low, f"{column} high": span.high}
    return row


def _time_values(scores: Values, s: int, clock: Clock) -> Floats:
    return np.array([*search_times(scores, s, clock).values()], np.float64)


def latency_blocks(scores: Values) -> list[Block]:
    """Return a line per system: quantiles of the wall time with intervals, and the engine's own; [] without times."""
    clocks = known_clocks(scores)
    if not clocks:
        return []
    rows, first = list(latency_table(scores)), PREFIX[clocks[0]]
    columns = [TextColumn("latency (ms)", [row["system"] for row in rows], numeric=False)]
    columns += [TextColumn(name, [_cell(row, first + name) for row in rows], numeric=True) for name in QUANTILES]
    if not clocks[1:]:
        return [Grid(columns, note=_note(scores, rows, clocks[0]))]
    engine = {row["system"]: milliseconds(row[f"{PREFIX[clocks[1]]}p95"]) for row in rows}
    columns.append(TextColumn("engine p95", list(engine.values()), numeric=True, spare=True))
    named = Lines([("engine p95", ", ".join(f"{time} ({system})" for system, time in engine.items()))])
    return [Grid(columns, note=_note(scores, rows, clocks[0]), instead=named)]


def latency_lines(scores: Values) -> list[str]:
    """Say the quantiles of each system in a line."""
    clocks = known_clocks(scores)
    if not clocks:
        return []
    prefix = PREFIX[clocks[0]]
    return [f"{row['system']}: {_quantile_text(row, prefix, QUANTILES)}" for row in latency_table(scores)]


def latency_sentences(scores: Values, most: int) -> list[str]:
    """Say p50 and p95 of each system in a line; of more than `most` systems, only the lowest and the highest p95."""
    clocks = known_clocks(scores)
    if not clocks:
        return []
    prefix = PREFIX[clocks[0]]
    rows = [row for row in latency_table(scores) if not math.isnan(row[f"{prefix}p95"])]
    if len(rows) > most:
        low, *_, high = sorted(rows, key=lambda row: row[f"{prefix}p95"])
        ends = [f"{milliseconds(row[f'{prefix}p95'])} ms ({row['system']})" for row in (low, high)]
        return [f"Latency: p95 from {' to '.join(ends)}; all: --latency"]
    named = [f" of {row['system']}" if len(scores.systems) > 1 else "" for row in rows]
    texts = [_quantile_text(row, prefix, ("p50", "p95")) for row in rows]
    few = [f"; {_row_coverage(row)}" if row["untimed"] else "" for row in rows]
    return [f"Latency{system}: {text}{more}." for system, text, more in zip(named, texts, few, strict=True)]


def _quantile_text(row: dict[str, Any], prefix: str, names: Iterable[str]) -> str:
    return ", ".join(f"{name} {_cell(row, prefix + name, ' ms')}" for name in names)


def _cell(row: dict[str, Any], name: str, unit: str = "") -> str:
    """Write a quantile with its interval; a dash for what is not known."""
    value, low, high = (milliseconds(row[key]) for key in (name, f"{name} low", f"{name} high"))
    return value if low == high == "–" else f"{value}{unit} ({low} to {high})"


def _row_coverage(row: dict[str, Any]) -> str:
    """Say how many of the queries that were answered have a time."""
    return coverage_text(row["queries"], row["queries"] + row["untimed"])


def coverage_text(known: int, every: int, where: str = "") -> str:
    """Say how many of the queries have a time.

    Examples
    --------
    >>> coverage_text(51, 100), coverage_text(1, 1)
    ('51 of 100 queries have a time', '1 of 1 query has a time')
    """
    return f"{known:,} of {plural(every, 'query')} {'has' if every == 1 else 'have'} a time{where}"


def unit_doubts(scores: Values) -> list[str]:
    """Ask if two systems' times are in the same unit, if their medians differ by more than `UNLIKELY_FACTOR`."""
    found = []
    for clock in known_clocks(scores):
        medians = {name: quantile(_time_values(scores, s, clock), 0.5) for s, name in enumerate(scores.systems)}
        above = sorted((value, name) for name, value in medians.items() if value > 0)
        if above and above[-1][0] > UNLIKELY_FACTOR * above[0][0]:
            ends = [f"{milliseconds(value)} ms ({name})" for value, name in (above[0], above[-1])]
            what = {"latency": "latency", "took": "engine time"}[clock]
            found.append(f"The p50 {what} is {ends[0]} and {ends[1]}: are both in the same unit?")
    return found


def _note(scores: Values, rows: list[dict[str, Any]], clock: Clock) -> str:
    """Say whose time it is, over how many queries, which are not counted, and whether the units may differ."""
    whose = WHOSE[clock]
    counts = sorted({row["queries"] for row in rows})
    many = plural(counts[-1], "query") if len(counts) == 1 else f"{counts[0]:,} to {plural(counts[-1], 'query')}"
    failed = [
        f"{row['failed']} of {row['system']}" if rows[1:] else f"{row['failed']}" for row in rows if row["failed"]
    ]
    text = f"{whose[0].upper()}{whose[1:]} of {many}, 95% intervals"
    text += f"; failed searches are not counted: {listed(failed)}" if failed else ""
    for row in rows:
        if row["untimed"]:
            text += f"; {row['system']}: {_row_coverage(row)}" if rows[1:] else f"; {_row_coverage(row)}"
    return ". ".join([text, *unit_doubts(scores)])


# Latencies: how long the search for each query took, from a column of a table of results.


_OTHER_MEANING = "If the column is about something else, rename it."


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
    return _read_times(results, clock, system)[0]


def why_unread(results: Results, clock: Clock, system: str = "") -> str:
    """Say why a column that may be about something else was not read as times of searches; "" where none was."""
    return _read_times(results, clock, system)[1]


def searched_queries(results: Results, system: str = "") -> tuple[str, ...]:
    """Return the queries that a system was searched for, answered or not, whose rows could say a time."""
    if results.form:
        return ()
    code, ids = results.keys.query.codes()
    names = ids.to_list(None)
    return tuple(id_text(names[place]) for place in np.unique(code[results.searched(system)]) if place >= 0)


def _read_times(results: Results, clock: Clock, system: str) -> tuple[dict[str, float], str]:
    """Return the times, and why a column was not read as times; "" if none was left out."""
    return results.kept.once(("latencies", clock, system), lambda: _latencies(results, clock, system))


def _latencies(results: Results, clock: Clock, system: str) -> tuple[dict[str, float], str]:
    column = latency_column(results.roles.names, clock)
    if column is None or results.form or (not system and len(results.systems) > 1):
        return {}, ""
    _refuse_two_columns(results, clock)
    try:
        return _times_by_query(results, column, system), ""
    except DataError as error:
        if column.sure:
            raise
        return {}, str(error)


def _refuse_two_columns(results: Results, clock: Clock) -> None:
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


def _times_by_query(results: Results, column: LatencyColumn, system: str) -> dict[str, float]:
    code, ids = results.keys.query.codes()
    names, failed = [id_text(key) for key in ids.to_list(None)], results.failed(system)
    answered = np.array([*(name not in failed for name in names), False])
    rows = np.flatnonzero(results.searched(system) & answered[code])
    times = _times_of_rows(results, column, rows)
    searches, first, search = np.unique(
        codes(results.lists_column(system))[rows], return_index=True, return_inverse=True
    )
    _refuse_different_times(results, column, rows, times, search)
    # One time per search: the rows that say one agree, and fmax passes over those that say none (NaN).
    each = np.full(len(searches), np.nan)
    np.fmax.at(each, search, times)
    total = np.bincount(code[rows][first], each, len(names)) * column.milliseconds
    known = np.intersect1d(code[rows], np.flatnonzero(~np.isnan(total)))
    return {names[query]: float(total[query]) for query in known}


def _times_of_rows(results: Results, column: LatencyColumn, rows: Ints) -> Floats:
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
    raise DataError(f"{place}: {name} {time:g} is below 0. A search takes 0 milliseconds or more. {_OTHER_MEANING}")


def _refuse_different_times(results: Results, column: LatencyColumn, rows: Ints, times: Floats, search: Ints) -> None:
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
            f"searches of a query in a column: {option('step', flag='step-col')}. {_OTHER_MEANING}"
        )
