"""Distributions: how many queries have a value in each of twenty steps."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from idealrank.table import Table

if TYPE_CHECKING:
    from idealrank.scores import Scores


def distribution(scores: Scores, measure: str | None = None) -> Table:
    """Return the number of queries by value, one column a system."""
    m = 0 if measure is None else scores.place_of(measure)
    values = scores.values[:, m]
    edges = np.linspace(0.0, max(1.0, float(np.nanmax(values, initial=1.0))), 21)
    columns = {"low": edges[:-1], "high": edges[1:]}
    for s, system in enumerate(scores.systems):
        columns[system] = np.histogram(values[s][~np.isnan(values[s])], edges)[0]
    return Table(columns, "distribution")
