"""The conditions of a gate: read from text, and checked against the number each is about."""

import math
import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal

from idealrank.arrays import EQUAL
from idealrank.comparison.latency_limits import LatencyEvidence, LatencyLimit, about_latency, read_limits
from idealrank.comparison.verdict.reasons import Reason, Step, takes_back
from idealrank.conventions import Setting
from idealrank.display.numbers import decimal, milliseconds, percent, plain_value, signed
from idealrank.errors import UsageError, listed, named, option, plural
from idealrank.evaluation.requested_measures import measures_under
from idealrank.measures import DEFAULT_MEASURES
from idealrank.measures.definition import Measure
from idealrank.statistics.intervals import Interval

PASSED, FAILED, CANT_TELL = "passed", "failed", "can't tell"

CODES = {PASSED: 0, FAILED: 1, CANT_TELL: 4}
"""The exit code of each outcome."""

Kind = Literal["drop", "level", "unjudged", "latency", "queries"]
"""What a condition is about."""


@dataclass(frozen=True)
class Drop:
    """A measure's mean is lower than the baseline's, by so much or more.

    Attributes
    ----------
    measure
        As it was typed.
    amount
        From 0 up, in units of the measure; a share of the baseline's mean where `relative`. Of 0 any drop counts.
    relative
        Whether it is a share.

    Examples
    --------
    >>> str(read_drop("nDCG@10 drops 1%")), read_drop("nDCG@10 drops 1%").limit(0.5)
    ('nDCG@10 drops 1%', 0.005)
    """

    measure: str
    amount: float
    relative: bool = False

    def limit(self, before: float) -> float:
        """Return the drop in units of the measure, of the baseline's mean."""
        return self.amount * abs(before) if self.relative else self.amount

    def reached(self, before: float, difference: float) -> bool:
        """Whether a difference from the baseline's mean is such a drop; one of exactly the limit is."""
        return difference < -EQUAL and difference <= EQUAL - self.limit(before)

    def __str__(self) -> str:
        return f"{self.measure} drops {f'{self.amount * 100:.12g}%' if self.relative else f'{self.amount:.12g}'}"


@dataclass(frozen=True)
class Level:
    """A measure's mean is on the right side of a number.

    Attributes
    ----------
    measure
        As it was typed.
    sign
        ``>=``, ``>``, ``<=`` or ``<``.
    number
        What the mean is held against.
    """

    measure: str
    sign: str
    number: float

    def holds(self, value: float) -> bool:
        """Whether a mean is on the right side; NaN never is."""
        above = value - self.number
        return {">=": above >= -EQUAL, ">": above > EQUAL, "<=": above <= EQUAL, "<": above < -EQUAL}[self.sign]

    def __str__(self) -> str:
        return f"{self.measure}{self.sign}{self.number:.12g}"


@dataclass(frozen=True)
class Unjudged:
    """No more than a share of the results has no judgment.

    Attributes
    ----------
    share
        The most there may be, 0 to 1.
    depth
        Among the first so many of each query; None: among all.
    """

    share: float
    depth: int | None

    def __str__(self) -> str:
        return f"unjudged{'' if self.depth is None else f'@{self.depth}'}<={self.share:.12g}"

    @property
    def among(self) -> str:
        """Which results are meant, in words that go before a verb."""
        return "" if self.depth is None else f"in the top {self.depth} "


_KINDS: dict[type, Kind] = {Drop: "drop", Level: "level", Unjudged: "unjudged", LatencyLimit: "latency"}
_COLUMNS = ("kind", "condition", "measure", "outcome", "value", "limit", "sentence", "low", "high", "failed")


@dataclass(frozen=True)
class ConditionResult:
    """What came of one condition.

    Attributes
    ----------
    about
        The condition; None: that no query goes missing since a baseline was written.
    plain
        The outcome by the numbers: ``passed``, ``failed`` or ``can't tell``.
    value, limit
        The difference, mean or share, and what it was held against; milliseconds of a latency, or a share more.
    found
        What was found by the numbers, in words.
    low, high
        Ends of the interval of a difference, or a latency; NaN where there is none.
    doubt
        Why it can't be told after all, as a verdict's reasons are; None where it can.
    settle
        What would settle what the numbers leave open; None where that is not said.
    """

    about: Drop | Level | Unjudged | LatencyLimit | None
    plain: str
    value: float
    limit: float
    found: str
    low: float = math.nan
    high: float = math.nan
    doubt: Reason | None = None
    settle: Step | None = None

    @property
    def kind(self) -> Kind:
        """What it is about."""
        return _KINDS.get(type(self.about), "queries")

    @property
    def condition(self) -> str:
        """The condition as text."""
        return "no query goes missing" if self.about is None else str(self.about)

    @property
    def measure(self) -> str:
        """The measure it is about; "" for unjudged results, latency and missing queries."""
        return self.about.measure if isinstance(self.about, Drop | Level) else ""

    @property
    def outcome(self) -> str:
        """``passed``, ``failed`` or ``can't tell``."""
        return self.plain if self.doubt is None else CANT_TELL

    @property
    def failed(self) -> tuple[str, ...]:
        """The queries it hangs on: whose search failed, whose time is not known, or whose results are odd."""
        return () if self.doubt is None else tuple(self.doubt.facts.get("queries", ()))

    @property
    def sentence(self) -> str:
        """What was found, why that can't be told, and what would settle it."""
        text, settle = self.found, self.settle
        if self.doubt is not None:
            text += f"{',' if self.doubt.kind == 'shape' else ';'} {self.doubt.text}"
            settle = self.doubt.settle
        return text if settle is None else f"{text}. {settle.text}"

    def to_dict(self) -> dict[str, Any]:
        """Return the parts as plain values; what is no finite number as None."""
        return {name: plain_value(getattr(self, name)) for name in _COLUMNS}


def check_drop(
    drop: Drop, before: float, after: float, difference: float, span: Interval, alpha: float | None
) -> ConditionResult:
    """Find out whether a measure drops.

    A drop that is reached fails; with an `alpha` only if the interval is wholly below 0. One that is not reached
    passes if the interval includes no such drop. In between it can't be told.

    Parameters
    ----------
    before, after, difference
        Means of the baseline and of the newcomer over the paired queries, and of their differences.
    span
        The interval of the difference.
    alpha
        None: the mean difference alone makes it fail.
    """
    limit, reached = drop.limit(before), drop.reached(before, difference)
    outcome = _outcome(limit, reached, span, alpha)
    moves = f"drops by {decimal(-difference)}" if difference < 0 else f"changes by {signed(difference)}"
    reason = _reason(outcome, limit, reached, span, alpha)
    sentence = f"{drop.measure} {moves}, from {decimal(before)} to {decimal(after)}; {reason}"
    return ConditionResult(drop, outcome, difference, -limit, sentence, span.low, span.high)


def excludes(span: Interval, limit: float) -> bool:
    """Whether an interval of differences includes no drop of a limit, or no drop at all."""
    return span.low >= 0 or span.low > -limit


def _outcome(limit: float, reached: bool, span: Interval, alpha: float | None) -> str:
    if reached:
        return FAILED if alpha is None or span.high < 0 else CANT_TELL
    return PASSED if excludes(span, limit) else CANT_TELL


def _reason(outcome: str, limit: float, reached: bool, span: Interval, alpha: float | None) -> str:
    allowed = f"the limit is {limit:.4g}"
    if outcome == FAILED and alpha is None:
        return allowed
    if not math.isfinite(span.low + span.high):
        return f"{allowed}, and so few queries have no interval"
    where = f"the {span.level * 100:.4g}% interval {signed(span.low)} to {signed(span.high)}"
    if reached:
        return f"{allowed}, and {where} {'is below 0' if outcome == FAILED else 'includes 0'}"
    return f"{where} includes {'no drop' if outcome == PASSED else 'a drop'} of {limit:.4g}"


def unsure(failed: Sequence[str], otherwise: str, which: str = "") -> Reason:
    """Return that it can't be told, since failed searches, or others that are named, could make it otherwise."""
    which = which or f"the search failed for {plural(len(failed), 'query')} ({listed(failed)})"
    return takes_back("failed", f"{which}, and {otherwise}", Step("search again", "Search them again"), queries=failed)


def check_level(level: Level, value: float, queries: int) -> ConditionResult:
    """Find out whether a mean is on the right side; one that is missing is not."""
    holds = level.holds(value)
    wanted = f"{level.sign} {level.number:.12g}"
    # As many digits as tell the mean from the number: 0.6667 is not >= 0.6667.
    digits = next((n for n in range(4, 17) if holds or round(value, n) != round(level.number, n)), 17)
    shown = decimal(value) if digits == 4 else f"{value:.{digits}f}"
    sentence = f"{level.measure} is {shown}" if math.isfinite(value) else f"{level.measure} has no value"
    sentence += f" over {plural(queries, 'query')}, {'' if holds else 'not '}{wanted}"
    return ConditionResult(level, PASSED if holds else FAILED, value, level.number, sentence)


def check_unjudged(condition: Unjudged, unjudged: int, results: int) -> ConditionResult:
    """Find out whether too many results have no judgment; where there are no results, none is unjudged."""
    share = unjudged / results if results else 0.0
    holds = share <= condition.share
    sentence = f"{unjudged} of {plural(results, 'result')} {condition.among}are unjudged ({share:.1%}); "
    sentence += f"{'no more' if holds else 'more'} than {condition.share:.4g}"
    return ConditionResult(condition, PASSED if holds else FAILED, share, condition.share, sentence)


def check_latency(limit: LatencyLimit, found: LatencyEvidence, alpha: float | None) -> ConditionResult:
    """Find out whether a limit is kept.

    A limit of the system's own holds or fails by the quantile alone, as the limit of a mean does. One against the
    baseline is decided as a drop is: where the quantile is beyond it, it fails; with an `alpha` only if the interval is
    wholly above 0 (above the limit, where that is below 0). Where it is not, it passes if the interval is wholly
    within the limit. In between it can't be told.
    """
    outcome = _latency_outcome(limit, found, alpha)
    sentence, span = _latency_sentence(limit, found, alpha, outcome), found.interval
    return ConditionResult(limit, outcome, found.value, limit.number, sentence, span.low, span.high)


def _latency_outcome(limit: LatencyLimit, found: LatencyEvidence, alpha: float | None) -> str:
    if not limit.relative:
        return PASSED if limit.holds(found.value) else FAILED
    if limit.holds(found.value):
        return PASSED if limit.surely_holds(found.interval) else CANT_TELL
    return FAILED if alpha is None or found.interval.low > min(0.0, limit.number) else CANT_TELL


def _latency_sentence(limit: LatencyLimit, found: LatencyEvidence, alpha: float | None, outcome: str) -> str:
    if not limit.relative:
        kept = "" if outcome == PASSED else "not "
        return f"{limit.title} is {limit.written(found.value)} over {found.over}, {kept}{limit.sign} {limit.bound}"
    before, after = (f"{milliseconds(value)} ms" for value in (found.before, found.after))
    text = f"{limit.title} {_moves(limit, found.value)} from {before} to {after} over {found.over}"
    return f"{text}; {_latency_reason(limit, found, alpha, outcome)}"


def _moves(limit: LatencyLimit, value: float) -> str:
    if not math.isfinite(value):
        return "grows"
    by = limit.written(value)
    return f"grows by {by.removeprefix('+')}," if value > 0 else f"changes by {by},"


def _latency_reason(limit: LatencyLimit, found: LatencyEvidence, alpha: float | None, outcome: str) -> str:
    allowed = f"the limit is {limit.bound}"
    if outcome == FAILED and alpha is None:
        return allowed
    if not found.bounded:
        return f"{allowed}, and {found.unbounded}"
    where = f"the {percent(found.interval.level)} interval {limit.span(found.interval)}"
    if limit.holds(found.value):
        return f"{where} {'is within' if outcome == PASSED else 'includes more than'} {limit.bound}"
    bar = limit.bound if limit.number < 0 else "0"
    return f"{allowed}, and {where} {'is above' if outcome == FAILED else 'includes'} {bar}"


# Conditions of a gate, read from text: ``nDCG@10 drops 0.01``, ``RR drops 2%``, ``nDCG@10>=0.45``.


_NUMBER = r"(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?"
_DROP = re.compile(rf"(?P<measure>.*\S)\s+drops\s+(?P<number>{_NUMBER})\s*(?P<percent>%?)")
_LEVEL = re.compile(rf"(?P<measure>.*?[^\s<>=])\s*(?P<sign>>=|<=|>|<)\s*(?P<number>[-+]?{_NUMBER})")


def read_drop(text: str) -> Drop:
    """Read ``MEASURE drops X`` or ``MEASURE drops X%``.

    Raises
    ------
    UsageError
        With how it is written.
    """
    if about_latency(text):
        way = named("minimum", "latency_p95 <= +10%", "min")
        raise UsageError(f"{named('fail_if', text)}: latency has no drop, but a limit: {way}.")
    form = _DROP.fullmatch(text.strip())
    if form is None:
        limit = _LEVEL.fullmatch(text.strip())
        hint = f" That is a limit: {named('minimum', text, 'min')}." if limit else ""
        raise UsageError(
            f"{named('fail_if', text)}: not a condition. Write MEASURE drops X, or X% of the baseline's mean, "
            f"as 'nDCG@10 drops 0.01'.{hint}"
        )
    number, relative = float(form["number"]), bool(form["percent"])
    if relative and number > 100:
        raise UsageError(f"{named('fail_if', text)}: nothing drops by more than 100%.")
    return Drop(form["measure"], number / 100 if relative else number, relative)


def read_level(text: str) -> Level:
    """Read ``MEASURE>=X``, or with ``>``, ``<=`` or ``<``.

    Raises
    ------
    UsageError
        With how it is written.

    Examples
    --------
    >>> read_level("P(rel=2)@5 >= 0.45")
    Level(measure='P(rel=2)@5', sign='>=', number=0.45)
    """
    form = _LEVEL.fullmatch(text.strip())
    if form is None:
        hint = f" That is a drop: {named('fail_if', text)}." if _DROP.fullmatch(text.strip()) else ""
        raise UsageError(
            f"{named('minimum', text, 'min')}: not a condition. Write MEASURE>=X, or with >, <= or <, "
            f"as 'nDCG@10>=0.45'.{hint}"
        )
    return Level(form["measure"], form["sign"], float(form["number"]))


@dataclass(frozen=True)
class Conditions:
    """The conditions of a gate, and the measure each is about."""

    drops: Sequence[tuple[Drop, Measure]]
    levels: Sequence[tuple[Level, Measure]]
    unjudged: Unjudged | None
    latencies: Sequence[LatencyLimit] = ()


def read_conditions(
    setting: Setting, fail_if: Sequence[str] | str, minimum: Sequence[str] | str, max_unjudged: float | None
) -> Conditions:
    """Read conditions, and their measures under a convention.

    Raises
    ------
    UsageError
        If one cannot be read, its measure is not known, or it can never fail or never pass.
    """
    drops = [(read_drop(text), _measure(setting, read_drop(text).measure, "fail_if")) for text in as_list(fail_if)]
    latencies = read_limits([text for text in as_list(minimum) if about_latency(text)], "minimum", "min")
    means = [read_level(text) for text in as_list(minimum) if not about_latency(text)]
    levels = [(level, _measure(setting, level.measure, "minimum", "min")) for level in means]
    for drop, measure in drops:
        if measure.definition.properties.direction == "lower":
            raise UsageError(
                f"{named('fail_if', str(drop))}: lower {measure} is better, so a drop is a gain. "
                f"Give it a limit: {named('minimum', f'{measure}<=…', 'min')}."
            )
    if max_unjudged is not None and not 0 <= max_unjudged <= 1:
        raise UsageError(f"{option('max_unjudged', str(max_unjudged))}: a share is between 0 and 1, as 0.2.")
    first = next((measure for _, measure in (*drops, *levels)), default_measure(setting))
    unjudged = None if max_unjudged is None else Unjudged(max_unjudged, first.cutoff)
    return Conditions(drops, levels, unjudged, latencies)


def as_list(texts: Sequence[str] | str) -> list[str]:
    """Return conditions as they were typed, each once."""
    return [texts] if isinstance(texts, str) else list(dict.fromkeys(texts))


def _measure(setting: Setting, text: str, name: str, flag: str = "") -> Measure:
    try:
        measures = measures_under(setting, [text])
    except UsageError as error:
        raise UsageError(f"{named(name, text, flag)}: {error}") from None
    if len(measures) != 1:
        raise UsageError(f"{named(name, text, flag)}: {len(measures)} measures. Give one cutoff per condition.")
    return measures[0]


def default_measure(setting: Setting) -> Measure:
    """Return the measure where none is named."""
    return measures_under(setting, [DEFAULT_MEASURES[0]])[0]
