"""What is true of a whole table, where only some of its queries are here: a part of it cannot know."""

from __future__ import annotations

import math
from collections.abc import Mapping
from types import MappingProxyType
from typing import NamedTuple

Reading = tuple[str, str, str, str]
"""The answers that decide a grade: raters, duplicates, unit, unit_grade."""


class JudgmentFacts(NamedTuple):
    """What is true of all judgments.

    Attributes
    ----------
    highest
        By the answers that decide a grade, the highest.
    of_units
        Whether a rule on ids must not cut the judged ids: they are units of the results.
    absent
        Whether none of them is here: the table stands for no rows.
    """

    highest: Mapping[Reading, float]
    of_units: bool = False
    absent: bool = False


class ResultFacts(NamedTuple):
    """What is true of all results of a table.

    Attributes
    ----------
    systems
        The names of all systems.
    together
        Whether two systems returned something for one query.
    ranked, scored
        Whether any row has a rank, and a score.
    lowest_ranks
        By system (all without a name as one), the lowest rank; a system without ranks is not there.
    counted
        Whether the third of three columns without names counts the rows of every query from 1.
    absent
        Whether none of them is here: the table stands for no rows.
    """

    systems: tuple[str, ...] = ()
    together: bool = False
    ranked: bool = False
    scored: bool = False
    lowest_ranks: Mapping[str, float] = MappingProxyType({})
    counted: bool = True
    absent: bool = False

    def lowest_rank(self, system: str) -> float:
        """Return the lowest rank of a system, or of all as one (""); NaN without ranks."""
        if system and len(self.systems) > 1:
            return self.lowest_ranks.get(system, math.nan)
        return min(self.lowest_ranks.values(), default=math.nan)
