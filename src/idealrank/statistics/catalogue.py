"""A test, an interval or a correction as the catalogues list it; each catalogue is in the file of its functions."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

Result = TypeVar("Result")


@dataclass(frozen=True)
class StatisticalMethod(Generic[Result]):
    """One test, interval or correction.

    Attributes
    ----------
    function
        What computes it.
    title
        Its name in papers.
    test
        For a correction that tests everything compared with its own test: the name of that test.
    of_p, of_intervals
        For a correction: by what p, and by what intervals are corrected, which may differ.
    """

    function: Callable[..., Result]
    title: str
    test: str = ""
    of_p: str = ""
    of_intervals: str = ""

    def __call__(self, *values: Any) -> Result:
        """Call its function."""
        return self.function(*values)
