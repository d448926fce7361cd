"""How differences are tested: the test, the interval and the correction, chosen by name."""

from dataclasses import dataclass
from typing import Any

from idealrank.arrays import Floats
from idealrank.display.amounts import percent
from idealrank.errors import UsageError, not_allowed, option
from idealrank.statistics.catalogue import CORRECTIONS, INTERVALS, TESTS
from idealrank.statistics.intervals import Interval, interval
from idealrank.statistics.paired_tests import Test, paired_test
from idealrank.statistics.sample import UNBOUNDED, Bounds

SIMULTANEOUS = ("max_t", "tukey")
"""Corrections that make the intervals of differences themselves."""


@dataclass(frozen=True)
class Methods:
    """The methods of a comparison.

    Attributes
    ----------
    test, interval, correction
        Names out of `TESTS`, `INTERVALS` and `CORRECTIONS`.
    level
        Confidence of the intervals; 1 - level is the rate of errors the corrections keep.
    draws
        Flips, permutations or samples where something is drawn.
    seed
        Of all that is drawn.
    looks
        How often one looks in all; `level` is that of each look.

    Raises
    ------
    UsageError
        If a name is not known, a number is not allowed, or the interval would decide nothing.
    """

    test: str = "t"
    interval: str = "student_t"
    correction: str = "max_t"
    level: float = 0.95
    draws: int = 10_000
    seed: int = 0
    looks: int = 1

    def __post_init__(self) -> None:
        for name, words in (("test", TESTS), ("interval", INTERVALS), ("correction", CORRECTIONS)):
            if getattr(self, name) not in words:
                raise not_allowed(name, getattr(self, name), tuple(words))
        if self.interval == "betting" and self.correction in SIMULTANEOUS:
            raise UsageError(
                f"{option('interval', 'betting')}: the correction {self.correction} makes intervals of its own, so no "
                f"verdict would read those by betting. Add {option('correction', 'holm')}."
            )
        for name, least in (("draws", 100), ("seed", 0)):
            value = getattr(self, name)
            if not isinstance(value, int) or isinstance(value, bool) or value < least:
                raise UsageError(f"{option(name, str(value))}: a whole number from {least} up.")

    def test_of(self, d: Floats, weights: Floats | None) -> Test:
        """Test the differences of queries."""
        return paired_test(self.test, d, weights, seed=self.seed, draws=self.draws)

    def interval_of(
        self, values: Floats, weights: Floats | None, *, level: float | None = None, bounds: Bounds = UNBOUNDED
    ) -> Interval:
        """Return the interval of the mean of values, or of differences, of queries; at another level if given."""
        at = self.level if level is None else level
        return interval(self.interval, values, weights, at, seed=self.seed, draws=self.draws, bounds=bounds)

    @property
    def text(self) -> str:
        """The methods in one line."""
        choice = f"{self.test} test, {self.interval} interval at {percent(self.level)}"
        choice += f" (one of {self.looks} planned looks)" if self.looks > 1 else ""
        correction = f"correction: {CORRECTIONS[self.correction].title}; measures that are only shown together"
        return f"{choice}; {correction}; {self.draws} draws, seed {self.seed}"

    @property
    def corrected_by(self) -> dict[str, str]:
        """By what corrected p and corrected intervals are corrected: they need not agree."""
        correction = CORRECTIONS[self.correction]
        return {"p_corrected_by": correction.of_p, "interval_corrected_by": correction.of_intervals}

    def to_dict(self) -> dict[str, Any]:
        """Return the methods as plain values."""
        return {name: getattr(self, name) for name in self.__dataclass_fields__} | self.corrected_by
