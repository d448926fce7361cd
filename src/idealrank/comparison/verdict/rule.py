"""The rule that makes a verdict of intervals: data, printed with the verdict, to be changed by whoever decides."""

from __future__ import annotations

import math
import numbers
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Annotated, Any, Final, Literal, get_args

from idealrank.arrays import EQUAL
from idealrank.comparison.contrasts import Contrast
from idealrank.comparison.pairing import GUARDS, SHOWN
from idealrank.display.document import Described
from idealrank.display.numbers import either_way, number_text, percent, span_amount
from idealrank.display.schema import Named, Share, Within
from idealrank.errors import UsageError, not_allowed, option, unknown
from idealrank.measures.definition import Measure
from idealrank.statistics.intervals import Interval

Outcome = Literal["SHIP", "DON'T", "ABOUT THE SAME", "CAN'T TELL"]
SHIP: Final = "SHIP"
DONT: Final = "DON'T"
SAME: Final = "ABOUT THE SAME"
CANT_TELL: Final = "CAN'T TELL"
_GUARDS = "Guardrails are the measures after the first."

RuleKind = Literal["better", "not_worse"]
UnjudgedTreatment = Literal["estimate", "worst_case"]
KINDS, TREATMENTS = get_args(RuleKind), get_args(UnjudgedTreatment)


@dataclass(frozen=True)
class Rule(Described):
    """The rule that makes a verdict of intervals.

    The first measure decides: SHIP if its corrected interval is wholly above the bar, DON'T if it is wholly below.
    Where it says neither, it is ABOUT THE SAME if its interval is within the equivalence, or nothing differs at all,
    else CAN'T TELL. Guardrails are the other measures that were named: one fails if its corrected interval is wholly
    below its tolerance, taken as a loss, and turns SHIP into DON'T and ABOUT THE SAME into CAN'T TELL.

    Attributes
    ----------
    margin
        The smallest gain worth shipping, from 0 up, in units of the first measure.
    kind
        ``better``: the bar is the margin; ``not_worse``: the bar is the margin below 0.
    tolerance
        How much a guardrail may lose: one number, or ``{measure: number}`` (0 for the others).
    equivalence
        Two systems whose difference is surely no larger are about the same; 0: only those that do not differ.
        `compare` takes a rule as it is; a default that follows from the measure is for its keywords.
    level
        Confidence of the intervals.
    holes
        ``estimate``: the rule is run again with hole grades drawn from the rates seen, and where that says
        something else, nobody can tell; ``worst_case``: what the holes could hold at worst decides.

    Raises
    ------
    UsageError
        If a number is below 0, or a word is not known.
    """

    margin: Annotated[float, Within(0), "The smallest gain worth shipping, in units of the first measure."] = 0.0
    kind: Annotated[
        RuleKind, Named("rule"), "better: the gain must be above the margin; not_worse: the loss must be below it."
    ] = "better"
    tolerance: Annotated[
        Annotated[float, Within(0), "Of every guardrail."]
        | Annotated[Mapping[str, Annotated[float, Within(0), "Of this one."]], "By measure; 0 for the others."],
        "How much a guardrail may lose, in units of the measure.",
    ] = 0.0
    level: Annotated[Share, "Confidence of the intervals."] = 0.95
    holes: Annotated[UnjudgedTreatment, "How unjudged results enter the verdict: by estimated grades, or at worst."] = (
        "estimate"
    )
    equivalence: Annotated[
        float, Within(0), "Two systems are about the same if their difference is surely no larger."
    ] = 0.0

    def __post_init__(self) -> None:
        _refuse_below_zero("margin", self.margin)
        _refuse_below_zero("equivalence", self.equivalence)
        tolerances = self.tolerance.values() if isinstance(self.tolerance, Mapping) else [self.tolerance]
        for value in tolerances:
            _refuse_below_zero("tolerance", value)
        if not (_is_number(self.level) and 0 < self.level < 1):
            raise UsageError(
                f"{option('level', str(self.level))}: the confidence of intervals is between 0 and 1, as 0.95."
            )
        if self.kind not in KINDS:
            raise not_allowed("rule", self.kind, KINDS)
        if self.holes not in TREATMENTS:
            raise not_allowed("holes", self.holes, TREATMENTS)

    @property
    def bar(self) -> float:
        """What the interval of the first measure must lie above."""
        return self.margin if self.kind == "better" else 0.0 - self.margin

    def tolerated(self, measure: str) -> float:
        """How much a guardrail may lose."""
        return self.tolerance.get(measure, 0.0) if isinstance(self.tolerance, Mapping) else self.tolerance

    def refuse_unknown(self, measures: Sequence[str]) -> None:
        """Refuse a tolerance for a measure that is no guardrail.

        Raises
        ------
        UsageError
            With the nearest name.
        """
        for name in self.tolerance if isinstance(self.tolerance, Mapping) else ():
            if name == measures[0]:
                raise UsageError(f"{name} decides, and has no tolerance: give it a margin. {_GUARDS}")
            if name not in measures:
                raise unknown("guardrail with a tolerance", name, measures[1:] or ["none"])

    def outcome(self, gains: Sequence[Interval], names: Sequence[str], same: bool = False) -> tuple[Outcome, str]:
        """Return the outcome and its reason.

        Parameters
        ----------
        gains
            Corrected intervals of the gain, of the deciding measure first, then of the guardrails.
        names
            What the measures are called.
        same
            Whether there is no difference at all.
        """
        if same:
            return SAME, "no difference: both have the same value in every query"
        first, name = gains[0], names[0]
        below, above = first.high < self.bar, first.low > self.bar
        # Before any text: an interval without ends cannot be written.
        if not (below or above or math.isfinite(first.high - first.low)):
            return CANT_TELL, f"too little is known to say how large the change in {name} is"
        text = _gain_text(name, first)
        if below:
            return DONT, f"{text}, {self._short_of_bar(first)}"
        guards = (self.failing(guard, name) for guard, name in zip(gains[1:], names[1:], strict=True))
        failures = [failure for failure in guards if failure]
        if above:
            return (DONT, f"{text}, but {failures[0]}") if failures else (SHIP, f"{text}{self._beyond_bar(first)}")
        if max(-first.low, first.high) <= self.equivalence:
            alike = f"{text}, and up to {self.equivalence:.2g} counts as the same"
            return (CANT_TELL, "; but ".join([alike, *failures])) if failures else (SAME, alike)
        return CANT_TELL, "; ".join([f"{text}, {self._undecided_text}", *failures])

    def failing(self, guard: Interval, name: str) -> str:
        """Say how much a guardrail loses, if it fails; else ""."""
        allowed = self.tolerated(name)
        more = f", more than the {allowed:g} allowed" if allowed else ""
        return f"{_gain_text(name, guard)}{more}" if guard.high < -allowed else ""

    def _short_of_bar(self, gain: Interval) -> str:
        if self.bar == 0 or gain.high < 0 < self.bar:
            return "so it is not better"
        return f"which is {'less' if self.bar > 0 else 'more'} than the margin of {self.margin:g}"

    def _beyond_bar(self, gain: Interval) -> str:
        if self.bar == 0 or self.bar < 0 < gain.low:
            return ""
        return f", {'more' if self.bar > 0 else 'and does not lose more'} than the margin of {self.margin:g}"

    @property
    def _undecided_text(self) -> str:
        if self.bar == 0:
            return "so it may be no change at all"
        return f"which may be more or less than the margin of {self.margin:g}"

    def text(self, names: Sequence[str]) -> str:
        """Write the rule in one sentence: its cases, and what must hold of unjudged results."""
        how = {"estimate": "with estimated grades of", "worst_case": "regardless of the grades of"}[self.holes]
        return f"{self.cases(names)}; the same must hold {how} unjudged results"

    def cases(self, names: Sequence[str]) -> str:
        """Write which interval makes which outcome."""
        what = f"improves by more than {self.bar:g}" if self.bar >= 0 else f"loses less than {self.margin:g}"
        guards = ", ".join(f"{name} below {number_text(0 - self.tolerated(name), 'g')}" for name in names[1:])
        text = f"SHIP if the {percent(self.level)} interval says that {names[0]} {what}"
        text += f" and no guardrail is wholly below its tolerance ({guards})" if guards else ""
        text += f"; DON'T if the interval is wholly below {number_text(self.bar, 'g')}" + (
            " or a guardrail fails" if guards else ""
        )
        text += f"; ABOUT THE SAME if it is within {self.equivalence:.2g} of 0" if self.equivalence else ""
        return f"{text}; else CAN'T TELL"


def gains_of(contrasts: Sequence[Contrast]) -> tuple[list[Interval], list[str]]:
    """Return the intervals the rule reads, the deciding measure first; those that are only shown decide nothing."""
    read = [contrast for contrast in contrasts if contrast.role != SHOWN]
    return [c.gain for c in read], [c.measure for c in read]


def broken_guard(contrasts: Sequence[Contrast], rule: Rule) -> Contrast | None:
    """Return the first guardrail that fails where the deciding measure does not; None where none alone decides."""
    if contrasts[0].gain.high < rule.bar:
        return None
    failing = (c for c in contrasts[1:] if c.role == GUARDS and c.gain.high < -rule.tolerated(c.measure))
    return next(failing, None)


def _gain_text(name: str, gain: Interval) -> str:
    """Say by how much a measure gets better, or worse, or either."""
    if gain.high - gain.low <= EQUAL:
        by = span_amount(abs(gain.low), abs(gain.low))
        way = "improves" if gain.low > 0 else "gets worse"
        return f"{name} does not change" if by == "0" else f"{name} {way} by {by} in every query"
    sure = f"({percent(gain.level)} interval)"
    if gain.low > 0:
        return f"{name} improves by {span_amount(gain.low, gain.high)} {sure}"
    if gain.high < 0:
        return f"{name} gets worse by {span_amount(-gain.high, -gain.low)} {sure}"
    return f"{name} is between {' and '.join(either_way(gain.low, gain.high))} {sure}"


def _is_number(value: Any) -> bool:
    return not isinstance(value, bool) and isinstance(value, numbers.Real) and math.isfinite(value)


def refuse_beyond(name: str, value: float, measure: Measure) -> None:
    """Refuse a number no difference of a measure can reach: 5 where 5 % is meant.

    Raises
    ------
    UsageError
        With the range of the measure.
    """
    low, high = measure.definition.properties.lowest, measure.definition.properties.highest
    if value > high - low:
        raise UsageError(
            f"{option(name, f'{value:g}')}: {measure.name} is between {low:g} and {high:g}, "
            "and no difference is so large. Give a smaller number."
        )


def _refuse_below_zero(name: str, value: Any) -> None:
    if not _is_number(value) or value < 0:
        raise UsageError(f"{option(name, str(value))}: give a number from 0 up, in units of the measure.")
