"""Curves: the mean of a measure at every cutoff from 1 on."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from idealrank.errors import UsageError
from idealrank.scoring import scored
from idealrank.table import Table

if TYPE_CHECKING:
    from idealrank.scores import Scores


def curve(scores: Scores, measure: str | None = None, depth: int = 10) -> Table:
    """Return the mean of a measure at k = 1 to the depth, one column a system."""
    known = scores.measures[0 if measure is None else scores.place_of(measure)]
    if known.definition.cutoff == "none":
        raise UsageError(f"{known.name} takes no cutoff.")
    columns = {"k": np.arange(1, depth + 1)}
    for s, meeting in enumerate(scores.meetings):
        means = []
        for k in range(1, depth + 1):
            cut = replace(known, cutoff=k)
            means.append(scores.average(s, cut, scored(meeting, cut)[0]))
        columns[scores.systems[s]] = np.array(means)
    return Table(columns, "curve")
