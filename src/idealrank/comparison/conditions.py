"""Conditions that numbers of a system must meet: how they are written, and whether they are met as far as is known."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Annotated, Any, Literal, NamedTuple, get_args

from idealrank.arrays import EQUAL
from idealrank.comparison.verdict.reasons import Reason, Step
from idealrank.data.latency_columns import CLOCK_NAMES, UNITS, Clock
from idealrank.display.document import Described
from idealrank.display.numbers import distinct_amount, number_text, signed, three_digits
from idealrank.display.schema import OneOf, OrNull
from idealrank.errors import UsageError, named
from idealrank.statistics.intervals import Interval
from idealrank.statistics.quantiles import QUANTILES

PASSED, FAILED, CANT_TELL = "passed", "failed", "can't tell"

CODES = {PASSED: 0, FAILED: 1, CANT_TELL: 4}
"""The exit code of each outcome of a gate."""

Kind = Literal["drop", "level", "unjudged", "latency", "queries"]
"""What a condition is about, in the order in which a gate tells them."""

KINDS = get_args(Kind)

Against = Literal["itself", "baseline", "share"]
"""What a bound is about: the number itself, or how much more it is than a baseline's, in its units or as a share."""

State = Literal["kept", "open", "untold", "broken"]
"""Whether a condition is met: ``open`` where the interval leaves that open, ``untold`` where nothing says it."""

Sure = Literal["value", "loss", "limit"]
"""What breaks a condition: its value alone, with an interval that is wholly a loss, or with one wholly beyond it."""


class Held(NamedTuple):
    """What is held against a condition.

    Attributes
    ----------
    value
        A mean, a share of results or a quantile; against a baseline how much more it is, of a latency as a share of the
        baseline's where the condition is one.
    interval
        Of the value; infinite where too few queries say nothing.
    before, after
        What a value against a baseline is the difference of.
    over
        Over how many queries, in words.
    few
        Why there is no interval, in a clause.
    extremes
        The same with what is not known at each end that it may have, by the name of that end.
    """

    value: float
    interval: Interval = Interval(math.nan, math.nan, math.nan, "none")
    before: float = math.nan
    after: float = math.nan
    over: str = ""
    few: str = "so few queries have no interval"
    extremes: Mapping[str, Held] = {}

    @property
    def bounded(self) -> bool:
        """Whether there is an interval."""
        return math.isfinite(self.interval.low + self.interval.high)


@dataclass(frozen=True)
class Condition:
    """What a number of a system may be, for itself or beside a baseline's.

    Attributes
    ----------
    kind
        What it is about: the mean of a measure (``drop``, ``level``), a quantile of times (``latency``), the share of
        results without a judgment (``unjudged``), or that no query goes missing (``queries``).
    of
        The number's name: a measure as it was typed, ``latency_p95`` or ``took_p95``, ``unjudged@10``.
    sign
        How the number is to be to the bound: ``>=``, ``>``, ``<=`` or ``<``.
    bound
        In units of the number, milliseconds of a latency; or a share.
    against
        What the bound is about: the number ``itself``, or how much more it is than the baseline's, in its units
        (``baseline``) or as a ``share`` of that. Without a drop of 0.01 it is more than -0.01.

    Examples
    --------
    >>> drop = read_condition("nDCG@10 drops 1%", "fail_if")
    >>> str(drop), drop.sign, drop.limit(0.5)
    ('nDCG@10 drops 1%', '>', -0.005)
    """

    kind: Kind
    of: str
    sign: str
    bound: float
    against: Against = "itself"

    @property
    def own(self) -> bool:
        """Whether it needs no baseline."""
        return self.against == "itself"

    @property
    def measure(self) -> str:
        """The measure it is about; "" for latency, unjudged results and missing queries."""
        return self.of if self.kind in ("drop", "level") else ""

    @property
    def clock(self) -> Clock:
        """Whose time a latency is."""
        return "took" if self.of.startswith("took") else "latency"

    @property
    def title(self) -> str:
        """What the number is, in words: ``p95 latency``."""
        return f"{self.of.partition('_')[2]} {CLOCK_NAMES[self.clock]}" if self.kind == "latency" else self.of

    @property
    def amount(self) -> str:
        """The bound with its unit, as it is read: ``0.01``, ``1%``, ``+10%``, ``+20ms``, ``200ms``."""
        number = -self.bound if self.kind == "drop" else self.bound
        plus = "+" if self.kind == "latency" and not self.own else ""
        if self.against == "share":
            return f"{100 * number:{plus}.12g}%"
        return f"{number:{plus}.12g}{'ms' if self.kind == 'latency' else ''}"

    def __str__(self) -> str:
        if self.kind == "queries":
            return self.of
        between = {"drop": " drops ", "latency": f" {self.sign} "}.get(self.kind, self.sign)
        return f"{self.of}{between}{self.amount}"

    def limit(self, before: float = math.nan) -> float:
        """Return the bound in units of what is held against it: a drop in percent is one of the baseline's mean."""
        return self.bound * abs(before) if self.kind == "drop" and self.against == "share" else self.bound

    def holds(self, value: float, before: float = math.nan) -> bool:
        """Whether a value is on the right side; NaN never is, and no change is no drop."""
        beyond = self.worse(value - self.limit(before))
        return beyond <= EQUAL if "=" in self.sign else beyond < -EQUAL or (self.kind == "drop" and value >= -EQUAL)

    def worse(self, number: float) -> float:
        """Return a number so that more is worse."""
        return number if "<" in self.sign else -number

    def state(self, held: Held, sure: Sure) -> State:
        """Return whether it is met.

        A value within the bound keeps it if its interval is, too, or if it is the system's own and the value decides.
        One beyond it breaks it as `sure` says; what must be 10% faster need not be slower for that.
        """
        best, worst = sorted(held.interval, key=self.worse)
        if self.holds(held.value, held.before):
            return "kept" if self.holds(worst, held.before) or (self.own and sure == "value") else "open"
        if math.isnan(held.value) and not self.own:
            return "untold"
        beyond = not self.holds(best, held.before) or (sure == "loss" and self.worse(best) > 0)
        if beyond or sure == "value":
            return "broken"
        return "open" if held.bounded else "untold"

    def turned(self, held: Held, sure: Sure) -> tuple[str, Held] | None:
        """Return the first end of what is not known at which it comes out otherwise; None where there is none.

        Beside a verdict it matters whether it is broken, and on which side the value is; in a gate whether it is kept.
        """

        def outcome_at(of: Held) -> Any:
            state = self.state(of, sure)
            return (state == "broken", self.holds(of.value)) if sure == "limit" else OUTCOMES[state]

        ends = held.extremes.items()
        return next(((end, at) for end, at in ends if math.isnan(at.value) or outcome_at(at) != outcome_at(held)), None)

    def written(self, value: float) -> str:
        """Write a number that is held against it, in as many digits as tell it from the bound; a dash for none."""
        return self._number(value) + self._unit

    def span(self, interval: Interval) -> str:
        """Write an interval; an end that is not known as a dash, a latency without a width as a number."""
        ends = [self._number(end) for end in (interval.low, interval.high)]
        return " to ".join(dict.fromkeys(ends) if self.kind == "latency" else ends) + self._unit

    @property
    def _unit(self) -> str:
        return "" if self.kind != "latency" else "%" if self.against == "share" else " ms"

    def _number(self, value: float) -> str:
        if self.kind == "drop":
            return signed(value)
        if self.kind == "level":  # 0.6667 is not >= 0.6667
            holds = self.holds(value)
            digits = next((n for n in range(4, 17) if holds or round(value, n) != round(self.bound, n)), 17)
            return number_text(value, f".{digits}f")
        if not math.isfinite(value):
            return "–"
        if self.against == "share":
            return distinct_amount(100 * value, 100 * self.bound, 1, sign=True)
        return distinct_amount(value, self.bound, three_digits(value), sign=not self.own)


_NUMBER = r"(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][-+]?[0-9]{1,2})?"
_FORMS = {
    "drop": (
        r".*\S", r"\sdrops\s", "", "%?",
        "not a condition. Write MEASURE drops X, or X% of the baseline's mean, as 'nDCG@10 drops 0.01'.",
    ),
    "level": (
        r".*?[^\s<>=]", "[<>]=?", "[-+−]?", "",
        "not a condition. Write MEASURE>=X, or with >, <= or <, as 'nDCG@10>=0.45'.",
    ),
    "latency": (
        rf"(?:latency|took)_(?:{'|'.join(QUANTILES)})", "<=?", "[-+−]?", "ms|s|us|%",
        "not a limit of latency. Write latency_p95 <= +10%, latency_p95 <= +20ms (both against the baseline) or "
        "latency_p95 <= 200ms; with p50, p95 or p99.",
    ),
}  # fmt: skip
"""How conditions are written: the number's name, its sign, that of the bound and its unit; and the same in words."""


def as_argument(name: str, text: str) -> str:
    """Write a condition as it is given: an argument in Python, an option on the command line."""
    return named(name, text, {"minimum": "min", "guardrails": "guardrail"}.get(name, ""))


def read_condition(text: str, name: str) -> Condition:
    """Read a condition of the argument `fail_if`, `minimum` or `guardrails`.

    Raises
    ------
    UsageError
        With how it is written.

    Examples
    --------
    >>> str(read_condition("latency_p95<=+10%", "minimum")), read_condition("took_p50 < 0.2 s", "minimum").bound
    ('latency_p95 <= +10%', 200.0)
    >>> read_condition("P(rel=2)@5 >= 0.45", "minimum")
    Condition(kind='level', of='P(rel=2)@5', sign='>=', bound=0.45, against='itself')
    """
    about_latency = name == "guardrails" or re.match(r"\s*(latency|took)(?![^\W_])", text)
    if about_latency and name == "fail_if":
        way = as_argument("minimum", "latency_p95 <= +10%")
        raise UsageError(f"{as_argument(name, text)}: latency has no drop, but a limit: {way}.")
    kind: Kind = "latency" if about_latency else "drop" if name == "fail_if" else "level"
    form = _matched(kind, text)
    if form is None or (kind == "latency" and form["unit"] == "%" and not form["way"]):
        other, called, where = ("level", "limit", "minimum") if kind == "drop" else ("drop", "drop", "fail_if")
        misplaced = kind != "latency" and _matched(other, text)
        hint = f" That is a {called}: {as_argument(where, text)}." if misplaced else ""
        raise UsageError(f"{as_argument(name, text)}: {_FORMS[kind][-1]}{hint}")
    number, unit = float(form["way"].replace("−", "-") + form["number"]), form["unit"]
    if kind == "drop" and unit and number > 100:
        raise UsageError(f"{as_argument(name, text)}: nothing drops by more than 100%.")
    bound = number / 100 if unit == "%" else number * UNITS.get(unit, 1.0)
    beside = kind == "drop" or (kind == "latency" and form["way"])
    against: Against = ("share" if unit == "%" else "baseline") if beside else "itself"
    sign, bound = (">", -bound) if kind == "drop" else (form["sign"], bound)
    return Condition(kind, form["of"], sign, bound, against)


def read_conditions(texts: Sequence[str] | str, name: str) -> tuple[Condition, ...]:
    """Read several conditions, each once."""
    every = [texts] if isinstance(texts, str) else texts
    return tuple(dict.fromkeys(read_condition(text, name) for text in every))


def _matched(kind: str, text: str) -> re.Match[str] | None:
    of, sign, way, unit, _ = _FORMS[kind]
    form = rf"(?P<of>{of})\s*(?P<sign>{sign})\s*(?P<way>{way})\s*(?P<number>{_NUMBER})\s*(?P<unit>{unit})"
    return re.fullmatch(form, text.strip())


NONE_MISSING = Condition("queries", "no query goes missing", "<=", 0.0)
"""What a baseline's file asks for without being told."""

OUTCOMES: dict[State, str] = {"kept": PASSED, "broken": FAILED, "open": CANT_TELL, "untold": CANT_TELL}
"""What a gate makes of it."""


@dataclass(frozen=True)
class ConditionResult(Described):
    """What came of one condition.

    Attributes
    ----------
    about
        The condition.
    state
        Whether it is met, by the numbers.
    value, limit
        The difference, mean or share, and what it was held against; milliseconds of a latency, or a share more.
    found
        What was found by the numbers, in words; beside a verdict what speaks against it, as a clause.
    low, high
        Ends of the interval of a difference, or a latency; NaN where there is none.
    doubt
        Why it can't be told after all, as a verdict's reasons are; None where it can.
    settle
        What would settle what the numbers leave open; None where that is not said.
    """

    about: Condition
    state: State
    value: Annotated[
        float, OrNull(), "The difference, mean, share or number; of a latency milliseconds, or the share it grew by."
    ]
    limit: Annotated[float, OrNull(), "What the value is held against, in the same unit."]
    found: str
    low: Annotated[float, OrNull(), "Lower end of the interval; null if there is none."] = math.nan
    high: Annotated[float, OrNull(), "Upper end of the interval; null if there is none."] = math.nan
    doubt: Reason | None = None
    settle: Step | None = None

    @property
    def kind(self) -> Annotated[Kind, "What the condition is about."]:
        """What it is about."""
        return self.about.kind

    @property
    def condition(self) -> Annotated[str, "The condition as text."]:
        """The condition as text."""
        return str(self.about)

    @property
    def measure(
        self,
    ) -> Annotated[str, "The measure it is about; empty for unjudged results, latency and missing queries."]:
        """The measure it is about; "" for unjudged results, latency and missing queries."""
        return self.about.measure

    @property
    def outcome(self) -> Annotated[str, OneOf(CODES), "What came of it."]:
        """``passed``, ``failed`` or ``can't tell``."""
        return OUTCOMES[self.state] if self.doubt is None else CANT_TELL

    @property
    def failed(
        self,
    ) -> Annotated[
        tuple[str, ...], "Queries whose search failed, or whose time is unknown, if the outcome hangs on them."
    ]:
        """The queries it hangs on: whose search failed, whose time is not known, or whose results are odd."""
        return () if self.doubt is None else tuple(self.doubt.facts.get("queries", ()))

    @property
    def sentence(self) -> Annotated[str, "What was found, in words."]:
        """What was found, why that can't be told, and what would settle it."""
        text, settle = self.found, self.settle
        if self.doubt is not None:
            text += f"{',' if self.doubt.kind == 'shape' else ';'} {self.doubt.text}"
            settle = self.doubt.settle
        return text if settle is None else f"{text}. {settle.text}"
