"""Numbers as somebody printed them: their digits count."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from idealrank.arrays import Floats, Mask

SLACK = 1e-9
"""Relative tolerance for the last digits of a sum added in another order."""


class Printed(NamedTuple):
    """A number as somebody printed it: for all queries, or for one."""

    measure: str
    text: str
    query: str = ""

    @property
    def name(self) -> str:
        """The measure, and the query if the number is for one."""
        return f"{self.measure} of {self.query}" if self.query else self.measure

    @property
    def digits(self) -> int:
        """Decimals that count."""
        mantissa, _, exponent = self.text.lower().partition("e")
        return max(0, len(mantissa.partition(".")[2]) - int(exponent or 0))

    def matches(self, value: float) -> bool:
        """Whether the value rounds, or is truncated, to the printed digits."""
        return bool(matching(np.array([value]), [self])[0])


class Sought(NamedTuple):
    """(n,) printed numbers, and the size of their last digits."""

    wanted: Floats
    unit: Floats

    @classmethod
    def of(cls, printed: Sequence[Printed]) -> Sought:
        """Read the numbers."""
        return cls(np.array([float(one.text) for one in printed]), np.array([10.0**-one.digits for one in printed]))

    def matching(self, values: Floats) -> Mask:
        """(…, n) whether each value rounds, or is truncated, to the number printed in its place."""
        slack = SLACK * np.maximum(1.0, np.abs(values))
        beyond = np.copysign(1.0, self.wanted) * (values - self.wanted)
        rounded: Mask = np.abs(values - self.wanted) <= self.unit / 2 + slack
        cut: Mask = (beyond >= -slack) & (beyond < self.unit - slack)
        return rounded | cut


def matching(values: Floats, printed: Sequence[Printed]) -> Mask:
    """(n,) whether each value rounds, or is truncated, to the number printed beside it."""
    return Sought.of(printed).matching(values)
