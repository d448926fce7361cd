"""The rule that makes a verdict of intervals: data, printed with the verdict, to be changed by whoever decides."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, Literal, get_args

from idealrank.comparison.contrasts import Contrast
from idealrank.display.numbers import signed
from idealrank.errors import UsageError, not_allowed, option, unknown
from idealrank.measures import Measure
from idealrank.statistics.intervals import Interval

Outcome = Literal["SHIP", "DON'T", "CAN'T TELL"]
SHIP: Final = "SHIP"
DONT: Final = "DON'T"
CANT_TELL: Final = "CAN'T TELL"
_GUARDS = "Guardrails are the measures behind the first."

RuleKind = Literal["better", "not_worse"]
HolesKind = Literal["estimate", "worst_case"]
KINDS, HOLES = get_args(RuleKind), get_args(HolesKind)


@dataclass(frozen=True)
class Rule:
    """When a change is worth shipping.

    The first measure decides: SHIP if its corrected interval lies wholly above the bar, DON'T if wholly
    below. The other measures are guardrails: one whose corrected interval lies wholly below its tolerance,
    taken as a loss, makes it DON'T. Everything else is CAN'T TELL. No difference at all is DON'T.

    Attributes
    ----------
    margin
        The smallest gain worth shipping, from 0 up, in units of the first measure.
    kind
        ``better``: the bar is the margin; ``not_worse``: the bar is the margin below 0.
    tolerance
        How much a guardrail may lose: one number, or ``{measure: number}`` (0 for the others).
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

    margin: float = 0.0
    kind: RuleKind = "better"
    tolerance: float | Mapping[str, float] = 0.0
    level: float = 0.95
    holes: HolesKind = "estimate"

    def __post_init__(self) -> None:
        _refuse_below_zero("margin", self.margin)
        tolerances = self.tolerance.values() if isinstance(self.tolerance, Mapping) else [self.tolerance]
        for value in tolerances:
            _refuse_below_zero("tolerance", value)
        if not (_is_number(self.level) and 0 < self.level < 1):
            raise UsageError(
                f"{option('level', str(self.level))}: the confidence of intervals lies between 0 and 1, as 0.95."
            )
        if self.kind not in KINDS:
            raise not_allowed("rule", self.kind, KINDS)
        if self.holes not in HOLES:
            raise not_allowed("holes", self.holes, HOLES)

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
            return DONT, "no difference: both have the same value in every query"
        first, name = gains[0], names[0]
        if first.high < self.bar:
            return DONT, f"{_gain_text(name, first)}, below {self._bar_text}"
        for guard, called in zip(gains[1:], names[1:], strict=True):
            if guard.high < -self.tolerated(called):
                return DONT, f"{_gain_text(called, guard)}, below {self._tolerance_text(called)}"
        if first.low > self.bar:
            return SHIP, f"{_gain_text(name, first)}, above {self._bar_text}"
        if not math.isfinite(first.high - first.low):
            return CANT_TELL, f"{name} has no interval with so few queries"
        return CANT_TELL, f"{_gain_text(name, first)}, which holds {self._bar_text}"

    @property
    def _bar_text(self) -> str:
        return "0" if self.bar == 0 else f"the margin {self.bar:g}"

    def _tolerance_text(self, name: str) -> str:
        return f"its tolerance {-self.tolerated(name):g}" if self.tolerated(name) else "0"

    def text(self, names: Sequence[str]) -> str:
        """Write the rule in one sentence."""
        text = f"SHIP if {names[0]} improves by more than {self.bar:g} ({self.level:.0%} interval, corrected)"
        guards = ", ".join(f"{name} below {0 - self.tolerated(name):g}" for name in names[1:])
        text += f" and no guardrail lies wholly below its tolerance ({guards})" if guards else ""
        holes = {"estimate": "again with estimated grades of holes", "worst_case": "and whatever the holes hold"}
        rest = f"or a guardrail fails; else CAN'T TELL; {holes[self.holes]}"
        return f"{text}; DON'T if it lies wholly below {self.bar:g} {rest}"

    def to_dict(self) -> dict[str, Any]:
        """Return the rule as plain values."""
        tolerance = dict(self.tolerance) if isinstance(self.tolerance, Mapping) else self.tolerance
        return {
            "margin": self.margin, "rule": self.kind, "tolerance": tolerance, "level": self.level, "holes": self.holes,
        }  # fmt: skip


def gains_of(contrasts: Sequence[Contrast]) -> tuple[list[Interval], list[str]]:
    """Return the intervals the rule reads, the deciding measure first; counts decide nothing."""
    read = [contrasts[0], *(c for c in contrasts[1:] if c.direction != "count")]
    return [c.gain for c in read], [c.measure for c in read]


def _gain_text(name: str, gain: Interval) -> str:
    """Say between which amounts a measure gets better, or worse, or either."""
    if gain.low > 0:
        return f"{name} improves by {gain.low:.4f} to {gain.high:.4f}"
    if gain.high < 0:
        return f"{name} gets worse by {-gain.high:.4f} to {-gain.low:.4f}"
    return f"the gain in {name} lies between {signed(gain.low)} and {signed(gain.high)}"


def _is_number(value: Any) -> bool:
    return isinstance(value, (int, float)) and not isinstance(value, bool) and math.isfinite(value)


def refuse_beyond(name: str, value: float, measure: Measure) -> None:
    """Refuse a number no difference of a measure can reach: 5 where 5 % is meant.

    Raises
    ------
    UsageError
        With the range of the measure.
    """
    promised = measure.definition.properties
    if value > promised.highest - promised.lowest:
        raise UsageError(
            f"{option(name, f'{value:g}')}: {measure.name} lies between {promised.lowest:g} and {promised.highest:g}, "
            "and no difference is so large. Give a smaller number."
        )


def _refuse_below_zero(name: str, value: Any) -> None:
    if not _is_number(value) or value < 0:
        raise UsageError(f"{option(name, str(value))}: a {name} is a number from 0 up, in units of the measure.")
