"""What the tries have in common: how close is equal, and how a counterexample is told."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from idealrank.arrays import Floats
from idealrank.measures import Measure
from tests.properties.ranked import Ranked

CLOSE = 1e-12
"""How far rounding errors of float64 may carry a score of these short lists."""


def counterexample(bad: Any, measure: Measure, queries: Sequence[Ranked], *values: Floats) -> str | None:
    """Describe the first case marked bad."""
    places = np.flatnonzero(np.asarray(bad, bool))
    if not len(places):
        return None
    place = int(places[0])
    return f"{measure} of {queries[place]}: {', '.join(str(value[place]) for value in values)}"


def differ(old: Floats, new: Floats) -> Any:
    """(Q,) where values differ by more than rounding does, or one of them is missing."""
    far = np.abs(np.nan_to_num(old) - np.nan_to_num(new)) > CLOSE * np.maximum(1.0, np.abs(np.nan_to_num(old)))
    return (np.isnan(old) != np.isnan(new)) | far
