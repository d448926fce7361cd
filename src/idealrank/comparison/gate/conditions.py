"""Conditions of a gate, read from text: ``nDCG@10 drops 0.01``, ``RR drops 2%``, ``nDCG@10>=0.45``."""

import re
from dataclasses import dataclass

from idealrank.arrays import SAME
from idealrank.comparison.latency_limits import about_latency
from idealrank.errors import UsageError, named

_NUMBER = r"(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?"
_DROP = re.compile(rf"(?P<measure>.*\S)\s+drops\s+(?P<number>{_NUMBER})\s*(?P<percent>%?)")
_LEVEL = re.compile(rf"(?P<measure>.*?[^\s<>=])\s*(?P<sign>>=|<=|>|<)\s*(?P<number>[-+]?{_NUMBER})")


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
        return difference < -SAME and difference <= SAME - self.limit(before)

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
        return {">=": above >= -SAME, ">": above > SAME, "<=": above <= SAME, "<": above < -SAME}[self.sign]

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
