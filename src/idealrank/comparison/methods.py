"""How differences are tested: the test, the interval and the correction, chosen by name."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from idealrank.errors import UsageError, not_allowed, option
from idealrank.statistics.intervals import INTERVALS
from idealrank.statistics.paired_tests import TESTS

CORRECTIONS = {
    "max_t": "step-down max-|t| over sign flips, all systems and measures together (Westfall and Young 1993)",
    "tukey": "randomised Tukey HSD, all pairs of systems, each measure for itself (Carterette 2012)",
    "holm": "Holm 1979 over all systems and measures; intervals by Bonferroni",
    "bh": "false discovery rate over all systems and measures (Benjamini and Hochberg 1995); intervals at that rate",
    "none": "none",
}


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

    Raises
    ------
    UsageError
        If a name is not known, or a number is not allowed.
    """

    test: str = "t"
    interval: str = "student_t"
    correction: str = "max_t"
    level: float = 0.95
    draws: int = 10_000
    seed: int = 0

    def __post_init__(self) -> None:
        for name, known in (("test", tuple(TESTS)), ("interval", tuple(INTERVALS)), ("correction", tuple(CORRECTIONS))):
            if getattr(self, name) not in known:
                raise not_allowed(name, getattr(self, name), known)
        for name, least in (("draws", 100), ("seed", 0)):
            value = getattr(self, name)
            if not isinstance(value, int) or isinstance(value, bool) or value < least:
                raise UsageError(f"{option(name, str(value))}: a whole number from {least} up.")

    @property
    def text(self) -> str:
        """The methods in one line."""
        found = f"{self.test} test, {self.interval} interval at {self.level:.0%}"
        return f"{found}; correction: {CORRECTIONS[self.correction]}; {self.draws} draws, seed {self.seed}"

    def to_dict(self) -> dict[str, Any]:
        """Return the methods as plain values."""
        return {name: getattr(self, name) for name in self.__dataclass_fields__}
