"""What was counted in the scores of one system's results."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Annotated


@dataclass(frozen=True, kw_only=True)
class ScoreCounts:
    """What was counted in the scores that order a system's results, or those of some queries.

    Attributes
    ----------
    several, distinct
        Queries with more than one result, and those whose scores change at least twice down the list.
    level, rising
        Queries whose results all have one score; whose scores rise from row to row, and with the ranks if there are
        any.
    same
        The least score that all results of a query have: an example for a message.
    """

    several: Annotated[int, "sum"] = 0
    distinct: Annotated[int, "sum"] = 0
    level: Annotated[tuple[str, ...], "joined"] = ()
    rising: Annotated[tuple[str, ...], "joined"] = ()
    same: Annotated[float, "least"] = math.inf
