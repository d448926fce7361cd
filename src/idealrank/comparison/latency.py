"""Changes of latency: how much longer one system's searches take than another's, over the same queries."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from idealrank.arrays import EQUAL, Cache
from idealrank.comparison.pairing import Pair
from idealrank.comparison.types import LATENCY_CHANGE_ROW
from idealrank.data.latency_columns import Clock
from idealrank.display.blocks import Grid, TextColumn
from idealrank.display.numbers import amount, decimals, milliseconds, number_text, span_amount
from idealrank.display.table import Table
from idealrank.errors import listed, plural
from idealrank.evaluation.latency import coverage_text, known_clocks, queries_failed, queries_searched, search_times
from idealrank.evaluation.scores import Scores
from idealrank.evaluation.values import Values
from idealrank.statistics.intervals import Interval
from idealrank.statistics.quantiles import QUANTILES, DrawnQuantiles, QuantileChange, drawn_quantiles, quantile_change

CLOCK_NAMES: dict[Clock, str] = {"latency": "latency", "took": "engine time"}

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
    def difference(self) -> float:
        """How many milliseconds longer; below 0 where the newcomer is faster."""
        return self.change.after - self.change.before

    @property
    def ratio(self) -> float:
        """The difference as a share of the baseline's quantile."""
        return relative_growth(self.change.before, self.change.after)

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
            return f"{milliseconds(self.difference, sign=True)} ms (too few queries for an interval)"
        if span.high - span.low <= EQUAL:
            return f"{milliseconds(self.difference, sign=True)} ms ({_span(span)})"
        digits = decimals((span.high - span.low) / 2)
        return f"{amount(self.difference, digits, sign=True)} ms ({span_amount(span.low, span.high, sign=True)})"

    def row(self) -> dict[str, Any]:
        """Return a row of `Comparison.latency`."""
        difference, share = self.change.difference, self.change.ratio
        return {
            "system": self.system, "baseline": self.baseline, "clock": self.clock, "quantile": self.quantile,
            "queries": self.queries, "asked": self.asked, "baseline ms": self.change.before, "ms": self.change.after,
            "difference": self.difference, "low": difference.low, "high": difference.high,
            "percent": 100 * self.ratio, "percent low": 100 * share.low, "percent high": 100 * share.high,
        }  # fmt: skip


def relative_growth(before: float, after: float) -> float:
    """Return how much a quantile grows as a share of what it was; infinite from 0.

    Examples
    --------
    >>> relative_growth(50.0, 60.0), relative_growth(0.0, 1.0), relative_growth(0.0, 0.0)
    (0.2, inf, 0.0)
    """
    if before == 0:
        return math.inf if after > 0 else 0.0 * after
    return (after - before) / before


def latency_changes(scores: Scores, pair: Pair, level: float, seed: int, cache: Cache) -> list[LatencyChange]:
    """Return the changes of every quantile, for each clock that both systems have times of.

    Parameters
    ----------
    cache
        Keeps the draws of each system for other pairs over the same queries.
    """
    found = []
    for clock in known_clocks(scores):
        times = pair_times(scores, pair, clock)
        queries = tuple(sorted(times.before.keys() & times.after.keys()))
        if not queries:
            continue
        sides = ((times.before, pair.baseline), (times.after, pair.system))
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
        TextColumn("change", [milliseconds(c.difference, sign=True) for c in changes], numeric=True),
        TextColumn("interval", [_span(c.change.difference) for c in changes], numeric=True),
        TextColumn("change in %", [number_text(100 * c.ratio, "+.1f") for c in changes], numeric=True),
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
    """How long the searches of a baseline and of a newcomer took.

    Attributes
    ----------
    before, after
        Milliseconds by query, of the baseline and of the newcomer.
    own
        The queries that the newcomer was searched for.
    asked
        Those that either was searched for.
    failed
        Those whose search failed, of each.
    """

    before: Mapping[str, float]
    after: Mapping[str, float]
    own: tuple[str, ...]
    asked: tuple[str, ...]
    failed: tuple[tuple[str, ...], tuple[str, ...]]

    def without_time(self, relative: bool) -> tuple[str, ...]:
        """Return the queries without a time: in the newcomer, or where a limit is relative in either."""
        if not relative:
            return tuple(query for query in self.own if query not in self.after)
        return tuple(query for query in self.asked if query not in self.before or query not in self.after)

    def fill_unknown(self, relative: bool, before: float, after: float) -> SearchTimes:
        """Return the times with those that are not known."""
        unknown = self.without_time(relative)
        return self._replace(
            before=dict.fromkeys(unknown, before) | {**self.before},
            after=dict.fromkeys(unknown, after) | {**self.after},
        )

    def extremes(self, relative: bool) -> dict[str, SearchTimes]:
        """Return the times where unknown ones are as bad, and as good, for the newcomer as can be; {} without any."""
        if not self.without_time(relative):
            return {}
        return {
            "slowest": self.fill_unknown(relative, 0.0, SLOWEST),
            "fastest": self.fill_unknown(relative, SLOWEST, 0.0),
        }

    def describe_unknown(self, relative: bool, names: int = 0) -> str:
        """Say how many searches failed and how many queries have no time; some by name, if asked for.

        Examples
        --------
        >>> times = SearchTimes({}, {"a": 1.0}, ("a", "b", "c"), ("a", "b", "c"), ((), ("b",)))
        >>> times.describe_unknown(relative=False), times.describe_unknown(relative=False, names=3)
        ('1 search failed and 1 query has no time', '1 search failed (b) and 1 query has no time (c)')
        """
        unknown = self.without_time(relative)
        every = {*self.failed[1], *(self.failed[0] if relative else ())}
        failed, rest = ([q for q in unknown if (q in every) == side] for side in (True, False))
        failures = f"{len(failed):,} {'search' if len(failed) == 1 else 'searches'} failed{_query_names(failed, names)}"
        no_time = (
            f"{plural(len(rest), 'query')} {'has' if len(rest) == 1 else 'have'} no time{_query_names(rest, names)}"
        )
        return " and ".join([*([failures] if failed else []), *([no_time] if rest else [])])


def _query_names(queries: list[str], most: int) -> str:
    return f" ({listed(queries, most)})" if most else ""


def pair_times(scores: Values, pair: Pair, clock: Clock) -> SearchTimes:
    """Return the times of two systems."""
    before, after = (search_times(scores, s, clock) for s in pair)
    first, own = (queries_searched(scores, s) for s in pair)
    asked = tuple(dict.fromkeys((*first, *own)))
    failed = queries_failed(scores, pair.baseline), queries_failed(scores, pair.system)
    return SearchTimes(before, after, own, asked, failed)
