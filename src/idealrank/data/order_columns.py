"""The columns that order results: whether they say anything, and whether they say it of every row."""

from __future__ import annotations

import numpy as np

from idealrank._core import Column


def empty(column: Column | None) -> bool:
    """Whether a column is missing, or has no value.

    Examples
    --------
    >>> from idealrank._core import from_columns
    >>> empty(None), empty(from_columns(["score"], [[1.0, None]]).column(0))
    (True, False)
    """
    return column is None or not column.distinct(1)


def has_gaps(scores: Column | None, ranks: Column | None) -> bool:
    """Whether a row with a rank has no score, as where an engine sorts by a field.

    Examples
    --------
    >>> from idealrank._core import from_columns
    >>> table = from_columns(["score", "rank"], [[1.0, None], [1.0, 2.0]])
    >>> has_gaps(table.column(0), table.column(1))
    True
    """
    if scores is None or ranks is None:
        return scores is None
    return bool((np.isnan(scores.floats()) & ~np.isnan(ranks.floats())).any())
