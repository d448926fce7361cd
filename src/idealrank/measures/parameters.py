"""What a measure takes besides its decisions, such as RBP's p."""

import math
from typing import Literal, NamedTuple

from idealrank.errors import not_allowed


class Parameter(NamedTuple):
    """A number that one measure takes, within bounds; the bounds themselves are allowed if the ends are closed.

    It is written inside the brackets, as in RBP(p=0.8), or after the @, as in IPrec@0.1.

    Examples
    --------
    >>> Parameter("beta", default=1.0, low=0.0, high=math.inf).read("2")
    2.0
    >>> Parameter("beta", default=1.0, low=0.0, high=math.inf).read("-2")
    Traceback (most recent call last):
        ...
    idealrank.errors.UsageError: beta=-2 is not an answer. Allowed: a number above 0.
    >>> Parameter("p", default=0.8, low=0.0, high=1.0).read("1")
    Traceback (most recent call last):
        ...
    idealrank.errors.UsageError: p=1 is not an answer. Allowed: a number between 0 and 1.
    >>> Parameter("recall", default=0.0, low=0.0, high=1.0, ends="closed").read("1")
    1.0
    """

    name: str
    default: float
    low: float
    high: float
    ends: Literal["open", "closed"] = "open"
    written: Literal["inside", "behind"] = "inside"

    @property
    def allowed(self) -> str:
        """What it takes, in words."""
        if self.high == math.inf:
            above = f"from {self.low:g} up" if self.ends == "closed" else f"above {self.low:g}"
            return "a number" if self.low == -math.inf else f"a number {above}"
        between, and_ = ("from", "to") if self.ends == "closed" else ("between", "and")
        return f"a number {between} {self.low:g} {and_} {self.high:g}"

    def read(self, text: str) -> float:
        """Read a value.

        Raises
        ------
        UsageError
            If it is not a number, or outside the bounds.
        """
        try:
            value = float(text)
        except ValueError:
            value = math.nan
        closed = self.ends == "closed" and value in (self.low, self.high)
        if not (self.low < value < self.high or (closed and math.isfinite(value))):
            raise not_allowed(self.name, text, [self.allowed])
        return value
