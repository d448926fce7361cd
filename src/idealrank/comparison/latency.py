"""How much longer one system's searches take than another's, and whether limits of that are kept."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from idealrank.arrays import EQUAL, Cache
from idealrank.comparison.conditions import Condition, ConditionResult, Held
from idealrank.comparison.pairing import Pair
from idealrank.comparison.types import LATENCY_CHANGE_ROW
from idealrank.comparison.verdict.reasons import Reason, Step, noted, refuses, takes_back
from idealrank.comparison.verdict.rule import SAME, SHIP, Outcome
from idealrank.data.latency_columns import CLOCK_NAMES, STEMS, WHOSE, Clock
from idealrank.display.blocks import Grid, TextColumn
from idealrank.display.numbers import amount, decimals, milliseconds, number_text, percent, span_amount
from idealrank.display.table import Table
from idealrank.engines.replay_record import describe_different_times
from idealrank.errors import DataError, NoColumnError, listed, plural
from idealrank.evaluation.latency import (
    coverage_text,
    known_clocks,
    queries_failed,
    queries_searched,
    search_times,
    why_columns_unread,
)
from idealrank.evaluation.scores import Scores
from idealrank.evaluation.values import Values
from idealrank.statistics.intervals import Interval
from idealrank.statistics.quantiles import (
    FROM_ZERO,
    QUANTILES,
    DrawnQuantiles,
    QuantileChange,
    drawn_quantiles,
    quantile,
    quantile_change,
    quantile_interval,
)

_NO_DIFFERENCE = "may be unchanged"


@dataclass(frozen=True)
class LatencyChange:
    """How much a quantile of the latency differs between two systems, over the queries that both have a time for.

    Attributes
    ----------
    system, baseline
        The newcomer, and what it is compared with.
    clock
        ``latency``: the wall time; ``took``: the engine's own.
    quantile
        ``p50``, ``p95`` or ``p99``.
    queries, asked
        How many queries have a time in both, of how many that either was searched for.
    change
        Both quantiles in milliseconds, with the intervals of their difference and of its share of the baseline's.
    """

    system: str
    baseline: str
    clock: Clock
    quantile: str
    queries: int
    asked: int
    change: QuantileChange

    @property
    def clause(self) -> str:
        """Say it in a clause, as ``p95 latency +12.0 ms (+4.1 to +20.2)``."""
        few = f" over {self.queries:,} of {plural(self.asked, 'query')}" if self.queries < self.asked else ""
        named = f"{self.quantile} {CLOCK_NAMES[self.clock]}"
        return f"{named}: {_NO_DIFFERENCE} ({self._span}){few}" if self._is_unclear else f"{named} {self._growth}{few}"

    @property
    def sentence(self) -> str:
        """Say it with both quantiles; where the interval contains 0, that no difference can be told."""
        few = f"; {coverage_text(self.queries, self.asked, ' in both')}" if self.queries < self.asked else ""
        if self._is_unclear:
            return f"The {self.quantile} {CLOCK_NAMES[self.clock]} {_NO_DIFFERENCE} (change: {self._span}){few}"
        before, after = (milliseconds(value) for value in (self.change.before, self.change.after))
        return (
            f"The {self.quantile} {CLOCK_NAMES[self.clock]} changes by {self._growth}, from {before} to {after} ms{few}"
        )

    @property
    def _is_unclear(self) -> bool:
        """Whether the interval contains 0, or an end of it is 0 as it is written."""
        low, high = self.change.difference.low, self.change.difference.high
        digits = decimals((high - low) / 2) if math.isfinite(high - low) else 0
        return math.isfinite(high - low) and high - low > EQUAL and round(low, digits) <= 0 <= round(high, digits)

    @property
    def _span(self) -> str:
        """The interval of the change, in two digits."""
        return f"{span_amount(self.change.difference.low, self.change.difference.high, sign=True)} ms"

    @property
    def _growth(self) -> str:
        span = self.change.difference
        if not math.isfinite(span.low + span.high):
            return f"{milliseconds(self.change.growth, sign=True)} ms (too few queries for an interval)"
        if span.high - span.low <= EQUAL:
            return f"{milliseconds(self.change.growth, sign=True)} ms ({_span(span)})"
        digits = decimals((span.high - span.low) / 2)
        return f"{amount(self.change.growth, digits, sign=True)} ms ({span_amount(span.low, span.high, sign=True)})"

    def row(self) -> dict[str, Any]:
        """Return a row of `Comparison.latency`."""
        difference, share = self.change.difference, self.change.ratio
        return {
            "system": self.system, "baseline": self.baseline, "clock": self.clock, "quantile": self.quantile,
            "queries": self.queries, "asked": self.asked, "baseline ms": self.change.before, "ms": self.change.after,
            "difference": self.change.growth, "low": difference.low, "high": difference.high,
            "percent": 100 * self.change.relative, "percent low": 100 * share.low, "percent high": 100 * share.high,
        }  # fmt: skip


def latency_changes(scores: Scores, pair: Pair, level: float, seed: int, cache: Cache) -> list[LatencyChange]:
    """Return the changes of every quantile, for each clock that both systems have times of.

    Parameters
    ----------
    cache
        Keeps the draws of each system for other pairs over the same queries.
    """
    found = []
    for clock in known_clocks(scores):
        times = times_of(scores, pair, clock)
        queries = times.known
        if not queries:
            continue
        sides = zip(times.sides, pair, strict=True)
        first, second = (_draw_quantiles(each, queries, seed, cache, (s, clock)) for each, s in sides)
        names = (scores.systems[pair.system], scores.systems[pair.baseline], clock)
        found += [
            LatencyChange(*names, name, len(queries), len(times.asked), quantile_change(first, second, q, level))
            for name, q in QUANTILES.items()
        ]
    return found


def _draw_quantiles(
    times: Mapping[str, float], queries: tuple[str, ...], seed: int, cache: Cache, of: tuple[int, Clock]
) -> DrawnQuantiles:
    values = np.array([times[query] for query in queries])
    return cache.once((*of, queries), lambda: drawn_quantiles(values, list(QUANTILES.values()), seed=seed))


def changes_table(changes: list[LatencyChange]) -> Table:
    """Return one row per pair of systems, clock and quantile; no rows where nothing is known."""
    rows = [change.row() for change in changes]
    columns: dict[str, Any] = {}
    for name in LATENCY_CHANGE_ROW.columns:
        values = [row[name] for row in rows]
        columns[name] = values if values and isinstance(values[0], str) else np.array(values)
    return Table(columns, "latency (ms)", row=LATENCY_CHANGE_ROW)


def changes_grid(changes: Sequence[LatencyChange], *, baselines: bool) -> Grid:
    """Draw the changes, one row per pair of systems, clock and quantile.

    Parameters
    ----------
    baselines
        Whether to name what each system is compared with.
    """
    columns = [
        TextColumn("latency (ms)", [f"{c.quantile} {CLOCK_NAMES[c.clock]}" for c in changes], numeric=False),
        TextColumn("system", [c.system for c in changes], numeric=False),
        *([TextColumn("baseline", [c.baseline for c in changes], numeric=False)] if baselines else []),
        TextColumn("queries", [_known_of_all(c.queries, c.asked) for c in changes], numeric=True),
        TextColumn("before", [milliseconds(c.change.before) for c in changes], numeric=True),
        TextColumn("after", [milliseconds(c.change.after) for c in changes], numeric=True),
        TextColumn("change", [milliseconds(c.change.growth, sign=True) for c in changes], numeric=True),
        TextColumn("interval", [_span(c.change.difference) for c in changes], numeric=True),
        TextColumn("change in %", [number_text(100 * c.change.relative, "+.1f") for c in changes], numeric=True),
    ]
    return Grid(columns)


def _span(span: Interval) -> str:
    """Write an interval of milliseconds; a dash where there is none."""
    if span.high - span.low <= EQUAL:
        return f"{milliseconds(span.low, sign=True)} to {milliseconds(span.high, sign=True)}"
    return span_amount(span.low, span.high, sign=True) if math.isfinite(span.low + span.high) else "–"


def _known_of_all(known: int, every: int) -> str:
    return f"{known} of {every}" if known < every else str(known)


SLOWEST = 1e12
"""Milliseconds of a search without a time at its worst: more than any limit, and finite, so that shares of it are."""


class SearchTimes(NamedTuple):
    """How long the searches of a newcomer took, or those of a baseline and of a newcomer.

    Attributes
    ----------
    sides
        Milliseconds by query, of each; the newcomer last.
    asked
        The queries that any was searched for.
    failed
        Those whose search failed.
    """

    sides: tuple[Mapping[str, float], ...]
    asked: tuple[str, ...]
    failed: frozenset[str]

    @property
    def known(self) -> tuple[str, ...]:
        """The queries with a time in each."""
        return tuple(sorted(set.intersection(*map(set, self.sides))))

    @property
    def unknown(self) -> tuple[str, ...]:
        """The queries without a time, in any."""
        return tuple(query for query in self.asked if any(query not in side for side in self.sides))

    def extremes(self) -> dict[str, SearchTimes]:
        """Return the times where unknown ones are as bad, and as good, for the newcomer as can be; {} without any."""
        return {"slowest": self._filled(0, SLOWEST), "fastest": self._filled(SLOWEST, 0)} if self.unknown else {}

    def _filled(self, *ends: float) -> SearchTimes:
        sides = zip(self.sides, ends[-len(self.sides) :], strict=True)
        return self._replace(sides=tuple(dict.fromkeys(self.unknown, end) | {**side} for side, end in sides))

    def describe_unknown(self, names: int = 0) -> str:
        """Say how many searches failed and how many queries have no time; some by name, if asked for.

        Examples
        --------
        >>> times = SearchTimes(({"a": 1.0},), ("a", "b", "c"), frozenset({"b"}))
        >>> times.describe_unknown(), times.describe_unknown(names=3)
        ('1 search failed and 1 query has no time', '1 search failed (b) and 1 query has no time (c)')
        """
        failed, rest = ([q for q in self.unknown if (q in self.failed) == side] for side in (True, False))
        searches = f"{len(failed):,} {'search' if len(failed) == 1 else 'searches'} failed"
        queries = f"{plural(len(rest), 'query')} {'has' if len(rest) == 1 else 'have'} no time"
        counts = ((failed, searches), (rest, queries))
        return " and ".join(f"{text} ({listed(of, names)})" if names else text for of, text in counts if of)


def times_of(scores: Values, systems: Sequence[int], clock: Clock) -> SearchTimes:
    """Return the times of one system, or of two."""
    asked = dict.fromkeys(query for s in systems for query in queries_searched(scores, s))
    failed = frozenset(query for s in systems for query in queries_failed(scores, s))
    return SearchTimes(tuple(search_times(scores, s, clock) for s in systems), tuple(asked), failed)


def latency_held(limit: Condition, scores: Values, pair: Pair, level: float, seed: int) -> tuple[Held, SearchTimes]:
    """Return what is held against a limit, and the times: of the newcomer alone where the limit is its own.

    Raises
    ------
    NoColumnError
        If no table of results says it, with the column to add.
    DataError
        If all searches of the newcomer took no time at all.
    """
    times = times_of(scores, pair[-1:] if limit.own else pair, limit.clock)
    # The engine's own time is often 0 in whole milliseconds; that of a whole search never is.
    if limit.clock == "latency" and times.sides[-1] and not any(times.sides[-1].values()):
        system = scores.systems[pair.system]
        raise DataError(f"{limit}: every search of {system} took 0 ms, so none was measured. Give the times it took.")
    if not times.known:
        raise _untimed(limit, scores, pair)
    return _held(limit, times, level, seed), times


def _held(limit: Condition, times: SearchTimes, level: float, seed: int) -> Held:
    q, share = QUANTILES[limit.of.partition("_")[2]], limit.against == "share"
    values = [np.array([side[query] for query in times.known]) for side in times.sides]
    if limit.own:
        value = quantile(values[0], q)
        found = Held(value, quantile_interval(values[0], q, level), math.nan, value)
    else:
        first, second = (drawn_quantiles(each, [q], seed=seed) for each in values)
        change = quantile_change(first, second, q, level)
        value, span = (change.relative, change.ratio) if share else (change.growth, change.difference)
        found = Held(value, span, change.before, change.after)
    known, asked = len(times.known), len(times.asked)
    few = f"{plural(known, 'query')} {'is' if known == 1 else 'are'} too few for an interval"
    if found.interval.method == FROM_ZERO:
        few = "there is no relative change from 0 ms"
    over = f"{f'{known:,} of ' if known < asked else ''}{plural(asked, 'query')}"
    ends = {end: _held(limit, filled, level, seed) for end, filled in times.extremes().items()}
    return found._replace(over=over, few=few, extremes=ends)


def _untimed(limit: Condition, scores: Values, pair: Pair) -> NoColumnError:
    column = {"latency": "latency_ms (the wall time)", "took": "took_ms (the engine's own time)"}[limit.clock]
    whose = f"the results of {scores.systems[pair.system]} {'do' if limit.own else 'and of the baseline do'}"
    why = f"{limit}: {whose} not say how long a search took. Add a column such as {column}."
    different_times = "" if limit.own else different_clocks(scores, pair)
    unread = why_columns_unread(scores, pair[-1:] if limit.own else pair, limit.clock)
    more = [
        f"{different_times[0].upper()}{different_times[1:]}." if different_times else "",
        f"Not read: {unread}" if unread else "",
    ]
    return NoColumnError(" ".join(filter(None, (why, *more))))


# What latency adds to a verdict: a clause, and where a limit was asked for, DON'T or CAN'T TELL if it is not kept.


VERDICT_QUANTILE = "p95"
"""The quantile that a verdict names."""


def check_limit(limit: Condition, scores: Values, pair: Pair, level: float, seed: int) -> ConditionResult:
    """Check whether a limit is kept; untold where unknown times could break it, or make a broken one kept."""
    held, times = latency_held(limit, scores, pair, level, seed)
    state, within = limit.state(held, "limit"), limit.holds(held.value)
    why = f"{held.over} cannot say that for sure" if held.bounded else held.few
    settle = Step("measure more", f"Measure the {limit.title} with more queries")
    if held.interval.method == FROM_ZERO:
        settle = Step("check", "Set a limit in milliseconds")
    if (turned := limit.turned(held, "limit")) is not None:
        end, there = turned
        would = "keep it" if limit.holds(there.value) else "not surely break it" if state == "broken" else "break it"
        why = f"{times.describe_unknown()}; at their {end} they would {would}"
        state, settle = "untold", Step("search again", "Search again for the queries without a time")
    where = f"{limit.title} is {'within' if within else 'beyond'} {limit.amount} ({limit.written(held.value)})"
    clause = f"{limit.title} {_excess_text(limit, held)}" if state == "broken" else f"{where}, but {why}"
    return ConditionResult(limit, state, held.value, limit.bound, clause, settle=settle)


def _excess_text(limit: Condition, held: Held) -> str:
    """Say how an interval is beyond a limit."""
    low, sure = held.interval.low, f"({percent(held.interval.level)} interval)"
    verb = "is" if limit.own else "grows by" if low > EQUAL else "changes by"
    text = f"{verb} {limit.span(held.interval)} {sure}"
    if limit.bound >= 0 and low > limit.bound + EQUAL:
        return f"{text}, more than the {limit.amount} allowed"
    return f"{text}, where {'at most' if limit.sign == '<=' else 'less than'} {limit.amount} is allowed"


def latency_reasons(
    outcome: Outcome, change: LatencyChange | None, different_times: str, limits: Sequence[ConditionResult]
) -> list[Reason]:
    """Return how latency changes, and what limits of it do to an outcome.

    Latency never decides alone. A limit that its interval breaks as a whole turns SHIP and ABOUT THE SAME into DON'T,
    an untold one into CAN'T TELL; an open one is only named.

    Parameters
    ----------
    change
        The change of latency that a verdict names; None: nothing is known.
    different_times
        Why the times of both systems cannot be compared; "" where they can.
    """
    known = [noted("latency", change.clause, quantile=change.quantile, clock=change.clock)] if change else []
    known += [noted("latency", different_times)] if different_times else []
    if outcome not in (SHIP, SAME):
        return known
    if broken := [each for each in limits if each.state == "broken"]:
        return [*known, *(refuses("latency", f"but {each.found}", limit=each.condition) for each in broken)]
    untold = (each for each in limits if each.state == "untold")
    return [*known, *(takes_back("latency", each.found, each.settle, limit=each.condition) for each in untold)]


def different_clocks(scores: Values, pair: Pair) -> str:
    """Say that two systems tell different clocks, so that no time is comparable; "" otherwise."""
    clocks = [[clock for clock in STEMS if search_times(scores, s, clock)] for s in pair]
    if not all(clocks) or {*clocks[0]} & {*clocks[1]}:
        return ""
    each_says = [f"{scores.systems[s]} says only {WHOSE[own[0]]}" for s, own in zip(pair, clocks, strict=True)]
    return f"no times are comparable: {' and '.join(each_says)}"


def separate_runs(scores: Scores, pair: Pair) -> str:
    """Say that two systems were asked one after the other, so that caches and load may have differed; "" otherwise."""
    tables = scores.ledger.found
    records = {scores.systems[s]: tables[s].record for s in (pair.baseline, pair.system)}
    known = {name: record for name, record in records.items() if record is not None}
    return describe_different_times(known) if len(known) > 1 else ""
