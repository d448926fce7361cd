"""A finding: what is wrong, where, how far it moves the means, and what mends it."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from idealrank.doctor.mend import Mend
from idealrank.errors import plural

SHOWN = 3
"""Examples of a finding."""


class Shift(NamedTuple):
    """The mean of a measure as it is, and after the mend; None where `evaluate` refuses."""

    measure: str
    system: str
    before: float | None
    after: float | None

    @property
    def by(self) -> float:
        """How far the mean moves; infinite where there is one only before or after."""
        if self.before is None or self.after is None:
            return 0.0 if self.before == self.after else math.inf
        if math.isnan(self.before) or math.isnan(self.after):  # every query is left out
            return 0.0 if math.isnan(self.before) == math.isnan(self.after) else math.inf
        return self.after - self.before

    @property
    def text(self) -> str:
        """The shift in words."""
        before, after = ("refused" if mean is None else f"{mean:.4f}" for mean in (self.before, self.after))
        return f"{before} → {after}"


@dataclass(frozen=True, eq=False, kw_only=True)
class Finding:
    """Something that is wrong with the data, or may be.

    Attributes
    ----------
    name
        What is found, as the list of findings calls it.
    text
        A sentence.
    count
        How many rows, queries or systems it concerns.
    system
        The one system it concerns; "" for all.
    examples
        At most three, each with its file and line.
    way
        What to do, where neither a copy nor an answer mends it.
    mends
        What a mended copy changes.
    answers
        Answers to decisions that mend it.
    shifts
        The means as they are and after the mend; none where nothing mends it.
    """

    name: str
    text: str
    count: int
    system: str = ""
    examples: tuple[str, ...] = ()
    way: str = ""
    mends: tuple[Mend, ...] = ()
    answers: Mapping[str, str] = field(default_factory=dict)
    shifts: tuple[Shift, ...] = ()

    @property
    def headline(self) -> Shift | None:
        """The shift of the first measure, of the system that moves most."""
        first = [shift for shift in self.shifts if shift.measure == self.shifts[0].measure]
        return max(first, key=lambda shift: abs(shift.by), default=None)

    @property
    def telling(self) -> tuple[Shift, ...]:
        """The shift of the first measure, and that of the measure that moves most, if it is another."""
        if self.headline is None:
            return ()
        most = max(self.shifts, key=lambda shift: abs(shift.by))
        return (self.headline,) if most.by == self.headline.by else (self.headline, most)

    @property
    def largest(self) -> float:
        """How far the mean moves that moves most; 0 where nothing mends it."""
        return max((abs(shift.by) for shift in self.shifts), default=0.0)

    @property
    def remedy(self) -> str:
        """The command or the flag that mends it, or what to do."""
        flags = " ".join(f"--{name.replace('_', '-')} {answer}" for name, answer in self.answers.items())
        return "--fix DIR" if self.mends else flags or self.way

    @property
    def call(self) -> str:
        """The same in Python."""
        keywords = ", ".join(f"{name}={answer!r}" for name, answer in self.answers.items())
        return "fix(folder)" if self.mends else keywords or self.way

    def to_dict(self) -> dict[str, Any]:
        """Return everything as plain values."""
        return {
            "name": self.name,
            "text": self.text,
            "count": self.count,
            "system": self.system,
            "examples": list(self.examples),
            "remedy": self.remedy,
            "answers": dict(self.answers),
            "shifts": [{**shift._asdict(), "after": _or_none(shift.after)} for shift in self.shifts],
        }


def _or_none(mean: float | None) -> float | None:
    """Return a mean for JSON, which has no NaN: there is none if every query is left out."""
    return None if mean is None or math.isnan(mean) else mean


def of_mends(name: str, noun: str, text: str, mends: list[Mend], way: str = "") -> list[Finding]:
    """Return the finding of what mends change, with its first rows as examples; none if they change nothing.

    Parameters
    ----------
    noun, text
        What is counted, and what to say of it.
    """
    mends = [mend for mend in mends if mend.many]
    count = sum(mend.many for mend in mends)
    lines = tuple(line for mend in mends for line in mend.log(SHOWN))[:SHOWN]
    said = f"{plural(count, noun)} {text}"
    return [Finding(name=name, text=said, count=count, examples=lines, mends=tuple(mends), way=way)] if mends else []
