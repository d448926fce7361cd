"""What is true of a whole table, where only some of its queries are here: a part of it cannot know."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import NamedTuple

Reading = tuple[str, str, str, str]
"""The answers that decide a grade: raters, duplicates, unit, unit_grade."""


class WholeJudgments(NamedTuple):
    """What is true of all judgments.

    Attributes
    ----------
    highest
        By the answers that decide a grade, the highest.
    of_units
        Whether a rule on ids must not cut the judged ids: they are units of the results.
    """

    highest: Mapping[Reading, float]
    of_units: bool = False


class WholeResults(NamedTuple):
    """What is true of all results of a table.

    Attributes
    ----------
    systems
        The names of all systems.
    together
        Whether two systems returned something for one query.
    ranked, scored
        Whether any row has a rank, and a score.
    lowest_rank
        The lowest rank of all; infinite where there is none.
    """

    systems: tuple[str, ...] = ()
    together: bool = False
    ranked: bool = False
    scored: bool = False
    lowest_rank: float = math.inf
