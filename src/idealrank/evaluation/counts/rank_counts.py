"""What was counted in the ranks of one system's results."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Annotated


@dataclass(frozen=True, kw_only=True)
class RankCounts:
    """What was counted in the ranks of a system, or of some of its queries.

    Attributes
    ----------
    lists, several
        Queries with results, and those with more than one.
    first
        By the rank that a list begins with, how many do.
    level, fractional, late, gapped
        Queries whose results all have one rank; with fractions as ranks; that begin after rank 1; that leave out a rank
        in between.
    same, fraction
        The least rank that all results of a query have, and the least with a fraction: examples for a message.
    """

    lists: Annotated[int, "sum"] = 0
    several: Annotated[int, "sum"] = 0
    first: Annotated[Mapping[int, int], "added"] = field(default_factory=dict)
    level: Annotated[tuple[str, ...], "joined"] = ()
    fractional: Annotated[tuple[str, ...], "joined"] = ()
    late: Annotated[tuple[str, ...], "joined"] = ()
    gapped: Annotated[tuple[str, ...], "joined"] = ()
    same: Annotated[float, "least"] = math.inf
    fraction: Annotated[float, "least"] = math.inf
