"""Limits of latency, read from text: ``latency_p95 <= +10%``, ``latency_p95 <= +20ms``, ``took_p50 <= 200ms``."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import cast

import numpy as np

from idealrank.arrays import SAME
from idealrank.comparison.latency import CALLED, ratio
from idealrank.comparison.search_times import SearchTimes
from idealrank.data.latency_columns import UNITS, Clock
from idealrank.display.amounts import apart, three_digits
from idealrank.errors import UsageError, named, plural
from idealrank.statistics.intervals import Interval
from idealrank.statistics.quantiles import (
    FROM_ZERO,
    QUANTILES,
    drawn_quantiles,
    quantile,
    quantile_change,
    quantile_interval,
)

_ABOUT = re.compile(r"\s*(latency|took)(?![^\W_])")
_FORM = re.compile(
    rf"(?P<clock>latency|took)_(?P<quantile>{'|'.join(QUANTILES)})\s*(?P<sign><=|<)\s*"
    r"(?P<way>[-+−]?)\s*(?P<number>\d+\.?\d*|\.\d+)\s*(?P<unit>ms|s|us|%)"
)
HOW = "latency_p95 <= +10%, latency_p95 <= +20ms (both against the baseline) or latency_p95 <= 200ms"
"""How limits are written."""


@dataclass(frozen=True)
class Evidence:
    """What is held against a limit.

    Attributes
    ----------
    value
        The quantile in milliseconds, or its growth in milliseconds or as a share of the baseline's.
    interval
        Its interval; infinite where too few queries say nothing.
    before, after
        The quantiles of both systems in milliseconds; NaN without a baseline.
    queries, asked
        How many queries it is over, of how many that were searched for.
    """

    value: float
    interval: Interval
    before: float
    after: float
    queries: int
    asked: int

    @property
    def over(self) -> str:
        """How many queries it is over, as ``51 of 100 queries`` where some have no time."""
        first = f"{self.queries:,} of " if self.queries < self.asked else ""
        return f"{first}{plural(self.asked, 'query')}"

    @property
    def bounded(self) -> bool:
        """Whether there is an interval."""
        return math.isfinite(self.interval.low + self.interval.high)

    @property
    def from_zero(self) -> bool:
        """Whether it is a share of what may be 0 milliseconds."""
        return self.interval.method == FROM_ZERO

    @property
    def unbounded(self) -> str:
        """Why there is no interval, in a clause."""
        if self.from_zero:
            return "there is no relative change from 0 ms"
        return f"{plural(self.queries, 'query')} {'is' if self.queries == 1 else 'are'} too few for an interval"


@dataclass(frozen=True)
class LatencyLimit:
    """What a quantile of the latency may be.

    Attributes
    ----------
    clock
        ``latency``: the wall time; ``took``: the engine's own.
    quantile
        ``p50``, ``p95`` or ``p99``.
    sign
        ``<=`` or ``<``.
    number
        In milliseconds, or a share.
    kind
        ``ms`` of the system alone, ``more`` milliseconds than the baseline's, or a ``share`` more than it.
    """

    clock: Clock
    quantile: str
    sign: str
    number: float
    kind: str

    @property
    def relative(self) -> bool:
        """Whether it is against a baseline."""
        return self.kind != "ms"

    @property
    def name(self) -> str:
        """What is limited, as ``latency_p95``."""
        return f"{self.clock}_{self.quantile}"

    @property
    def called(self) -> str:
        """The same in words, as ``p95 latency``."""
        return f"{self.quantile} {CALLED[self.clock]}"

    @property
    def bound(self) -> str:
        """The number with its unit, as it is read: ``+10%``, ``+20ms``, ``200ms``."""
        if self.kind == "share":
            return f"{100 * self.number:+.12g}%"
        return f"{self.number:{'+' if self.relative else ''}.12g}ms"

    def __str__(self) -> str:
        return f"{self.name} {self.sign} {self.bound}"

    def holds(self, value: float) -> bool:
        """Whether a value is within the limit; NaN never is."""
        above = value - self.number
        return above <= SAME if self.sign == "<=" else above < -SAME

    def surely_holds(self, span: Interval) -> bool:
        """Whether an interval is wholly within the limit."""
        return math.isfinite(span.high) and self.holds(span.high)

    def surely_broken(self, span: Interval) -> bool:
        """Whether an interval is wholly beyond the limit."""
        return math.isfinite(span.low) and not self.holds(span.low)

    def written(self, value: float) -> str:
        """Write a value that is held against it."""
        return f"{self._number(value)}{self._unit}"

    def span(self, span: Interval) -> str:
        """Write an interval; an end that is not known as a dash, one without a width as a number."""
        low, high = (self._number(end) for end in (span.low, span.high))
        return f"{low if low == high else f'{low} to {high}'}{self._unit}"

    @property
    def _unit(self) -> str:
        return "%" if self.kind == "share" else " ms"

    def _number(self, value: float) -> str:
        """Write a number in as many digits as tell it from the limit."""
        if not math.isfinite(value):
            return "–"
        if self.kind == "share":
            return apart(100 * value, 100 * self.number, 1, sign=True)
        return apart(value, self.number, three_digits(value), sign=self.relative)

    def evidence(self, times: SearchTimes, level: float, seed: int) -> Evidence:
        """Return what times say: of the queries in both systems, or of the second alone where the limit is its own."""
        before, after = times.before, times.after
        q = QUANTILES[self.quantile]
        if not self.relative:
            values = np.array([*after.values()])
            value = quantile(values, q)
            return Evidence(value, quantile_interval(values, q, level), math.nan, value, len(values), len(times.own))
        queries = sorted(before.keys() & after.keys())
        first, second = (
            drawn_quantiles([side[query] for query in queries], [q], seed=seed) for side in (before, after)
        )
        change = quantile_change(first, second, q, level)
        grown = change.after - change.before
        value = ratio(change.before, change.after) if self.kind == "share" else grown
        span = change.ratio if self.kind == "share" else change.difference
        return Evidence(value, span, change.before, change.after, len(queries), len(times.asked))


def about_latency(text: str) -> bool:
    """Whether a condition is about latency, however it is written.

    Examples
    --------
    >>> about_latency("latency_p95 <= 10"), about_latency("took_p50<=1ms"), about_latency("nDCG@10>=0.4")
    (True, True, False)
    """
    return _ABOUT.match(text) is not None


def read_limit(text: str, name: str, flag: str = "") -> LatencyLimit:
    """Read a limit.

    Parameters
    ----------
    name, flag
        The argument it was given as, in Python and on the command line.

    Raises
    ------
    UsageError
        With how it is written.

    Examples
    --------
    >>> str(read_limit("latency_p95<=+10%", "minimum")), read_limit("took_p50 < 0.2 s", "minimum").number
    ('latency_p95 <= +10%', 200.0)
    """
    form = _FORM.fullmatch(text.strip())
    if form is None or (form["unit"] == "%" and not form["way"]):
        raise UsageError(f"{named(name, text, flag)}: not a limit of latency. Write {HOW}; with p50, p95 or p99.")
    number = float(form["number"]) * (-1 if form["way"] in "-−" and form["way"] else 1)
    kind = "share" if form["unit"] == "%" else "more" if form["way"] else "ms"
    number *= 0.01 if kind == "share" else UNITS[form["unit"]]
    return LatencyLimit(cast("Clock", form["clock"]), form["quantile"], form["sign"], number, kind)


def read_limits(texts: Sequence[str] | str, name: str, flag: str = "") -> tuple[LatencyLimit, ...]:
    """Read several limits, each once."""
    listed = [texts] if isinstance(texts, str) else texts
    return tuple(dict.fromkeys(read_limit(text, name, flag) for text in listed))
