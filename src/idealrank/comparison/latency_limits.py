"""Limits of latency, such as ``latency_p95 <= +10%``: read from text, checked, and what they do to a verdict."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Literal, cast

import numpy as np

from idealrank.arrays import EQUAL
from idealrank.comparison.latency import CLOCK_NAMES, LatencyChange, SearchTimes, relative_growth
from idealrank.comparison.pairing import Pair
from idealrank.comparison.verdict.reasons import Reason, Step, noted, refuses, takes_back
from idealrank.comparison.verdict.rule import SAME, SHIP, Outcome
from idealrank.data.latency_columns import STEMS, UNITS, WHOSE, Clock
from idealrank.display.numbers import distinct_amount, percent, three_digits
from idealrank.engines.replay_record import describe_times_apart
from idealrank.errors import DataError, NoColumnError, UsageError, named, plural
from idealrank.evaluation.latency import search_times, why_columns_unread
from idealrank.evaluation.scores import Scores
from idealrank.evaluation.values import Values
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
LIMIT_SYNTAX = "latency_p95 <= +10%, latency_p95 <= +20ms (both against the baseline) or latency_p95 <= 200ms"
"""How limits are written."""


@dataclass(frozen=True)
class LatencyEvidence:
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
    def title(self) -> str:
        """The same in words, as ``p95 latency``."""
        return f"{self.quantile} {CLOCK_NAMES[self.clock]}"

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
        return above <= EQUAL if self.sign == "<=" else above < -EQUAL

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
            return distinct_amount(100 * value, 100 * self.number, 1, sign=True)
        return distinct_amount(value, self.number, three_digits(value), sign=self.relative)

    def evidence(self, times: SearchTimes, level: float, seed: int) -> LatencyEvidence:
        """Return what times say: of the queries in both systems, or of the second alone where the limit is its own."""
        before, after = times.before, times.after
        q = QUANTILES[self.quantile]
        if not self.relative:
            values = np.array([*after.values()])
            value = quantile(values, q)
            return LatencyEvidence(
                value, quantile_interval(values, q, level), math.nan, value, len(values), len(times.own)
            )
        queries = sorted(before.keys() & after.keys())
        first, second = (
            drawn_quantiles([side[query] for query in queries], [q], seed=seed) for side in (before, after)
        )
        change = quantile_change(first, second, q, level)
        grown = change.after - change.before
        value = relative_growth(change.before, change.after) if self.kind == "share" else grown
        span = change.ratio if self.kind == "share" else change.difference
        return LatencyEvidence(value, span, change.before, change.after, len(queries), len(times.asked))


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
        raise UsageError(
            f"{named(name, text, flag)}: not a limit of latency. Write {LIMIT_SYNTAX}; with p50, p95 or p99."
        )
    number = float(form["number"]) * (-1 if form["way"] in "-−" and form["way"] else 1)
    kind = "share" if form["unit"] == "%" else "more" if form["way"] else "ms"
    number *= 0.01 if kind == "share" else UNITS[form["unit"]]
    return LatencyLimit(cast("Clock", form["clock"]), form["quantile"], form["sign"], number, kind)


def read_limits(texts: Sequence[str] | str, name: str, flag: str = "") -> tuple[LatencyLimit, ...]:
    """Read several limits, each once."""
    listed = [texts] if isinstance(texts, str) else texts
    return tuple(dict.fromkeys(read_limit(text, name, flag) for text in listed))


# What latency adds to a verdict: a clause, and where a limit was asked for, DON'T or CAN'T TELL if it is not kept.


VERDICT_QUANTILE = "p95"
"""The quantile that a verdict names."""

State = Literal["kept", "open", "untold", "broken"]


@dataclass(frozen=True)
class LimitCheck:
    """A limit with what is held against it.

    Attributes
    ----------
    state
        ``kept``: the interval is within the limit, ``broken``: it is beyond it, ``open``: neither; ``untold``: the
        quantile is beyond and has no interval, or queries without a time could make it come out otherwise.
    why
        What makes it untold, in a clause.
    """

    limit: LatencyLimit
    evidence: LatencyEvidence
    state: State
    why: str = ""

    @property
    def clause(self) -> str:
        """That the limit is not kept, or not surely."""
        limit, evidence = self.limit, self.evidence
        if self.state == "broken":
            return f"but {limit.title} {_excess_text(limit, evidence)}"
        value = limit.written(evidence.value)
        where = f"{limit.title} is {'within' if limit.holds(evidence.value) else 'beyond'} {limit.bound} ({value})"
        return f"{where}, but {self.why or f'{evidence.over} cannot say that for sure'}"


def check_limit(limit: LatencyLimit, times: SearchTimes, level: float, seed: int) -> LimitCheck:
    """Check whether a limit is kept; untold where unknown times could break it, or make a broken one kept."""
    evidence = limit.evidence(times, level, seed)
    plain = LimitCheck(limit, evidence, _state(limit, evidence), "" if evidence.bounded else evidence.unbounded)
    for end, filled in times.extremes(limit.relative).items():
        there = limit.evidence(filled, level, seed)
        broken, holds = _state(limit, there) == "broken", limit.holds(there.value)
        if holds != limit.holds(evidence.value) or broken != (plain.state == "broken"):
            would = "keep it" if holds else "not surely break it" if plain.state == "broken" else "break it"
            why = f"{times.describe_unknown(limit.relative)}; at their {end} they would {would}"
            return replace(plain, state="untold", why=why)
    return plain


def _state(limit: LatencyLimit, evidence: LatencyEvidence) -> State:
    if limit.surely_broken(evidence.interval):
        return "broken"
    if limit.surely_holds(evidence.interval):
        return "kept"
    return "open" if evidence.bounded or limit.holds(evidence.value) else "untold"


def latency_reasons(
    outcome: Outcome, change: LatencyChange | None, apart: str, limits: Sequence[LimitCheck]
) -> list[Reason]:
    """Return how latency changes, and what limits of it do to an outcome.

    Latency never decides alone. A limit that its interval breaks as a whole turns SHIP and ABOUT THE SAME into DON'T,
    an untold one into CAN'T TELL; an open one is only named.

    Parameters
    ----------
    change
        The change of latency that a verdict names; None: nothing is known.
    apart
        Why the times of both systems cannot be compared; "" where they can.
    """
    known = [noted("latency", change.clause, quantile=change.quantile, clock=change.clock)] if change else []
    known += [noted("latency", apart)] if apart else []
    if outcome not in (SHIP, SAME):
        return known
    if broken := [each for each in limits if each.state == "broken"]:
        return [*known, *(refuses("latency", each.clause, limit=str(each.limit)) for each in broken)]
    untold = (each for each in limits if each.state == "untold")
    return [
        *known,
        *(takes_back("latency", each.clause, _way_to_settle(each), limit=str(each.limit)) for each in untold),
    ]


def _way_to_settle(untold: LimitCheck) -> Step:
    if untold.why != untold.evidence.unbounded:
        return Step("search again", "Search again for the queries without a time")
    if untold.evidence.from_zero:
        return Step("check", "Set a limit in milliseconds")
    return Step("measure more", f"Measure the {untold.limit.title} with more queries")


def _excess_text(limit: LatencyLimit, evidence: LatencyEvidence) -> str:
    """Say how an interval is beyond a limit."""
    low, sure = evidence.interval.low, f"({percent(evidence.interval.level)} interval)"
    verb = "is" if not limit.relative else "grows by" if low > EQUAL else "changes by"
    text = f"{verb} {limit.span(evidence.interval)} {sure}"
    if limit.number >= 0 and low > limit.number + EQUAL:
        return f"{text}, more than the {limit.bound} allowed"
    return f"{text}, where {'at most' if limit.sign == '<=' else 'less than'} {limit.bound} is allowed"


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
    return describe_times_apart(known) if len(known) > 1 else ""


def refuse_untimed(limit: LatencyLimit, evidence: LatencyEvidence, scores: Values, pair: Pair) -> None:
    """Refuse a limit of what no table of results says.

    Raises
    ------
    NoColumnError
        With the column to add.
    DataError
        If all searches of the newcomer took no time at all.
    """
    system = scores.systems[pair.system]
    # The engine's own time is often 0 in whole milliseconds; that of a whole search never is.
    if (
        limit.clock == "latency"
        and (times := search_times(scores, pair.system, limit.clock))
        and not any(times.values())
    ):
        raise DataError(f"{limit}: every search of {system} took 0 ms, so none was measured. Give the times it took.")
    if evidence.queries:
        return
    column = {"latency": "latency_ms (the wall time)", "took": "took_ms (the engine's own time)"}[limit.clock]
    whose = f"the results of {system} and of the baseline do" if limit.relative else f"the results of {system} do"
    why = f"{limit}: {whose} not say how long a search took. Add a column such as {column}."
    apart = different_clocks(scores, pair) if limit.relative else ""
    unread = why_columns_unread(scores, pair if limit.relative else (pair.system,), limit.clock)
    more = [f"{apart[0].upper()}{apart[1:]}." if apart else "", f"Not read: {unread}" if unread else ""]
    raise NoColumnError(" ".join(filter(None, (why, *more))))
