"""What the readers of C/W/L measures read and get, and what the unjudged results could add."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

from idealrank.arrays import Floats
from idealrank.errors import UsageError
from idealrank.judged_lists.arrangement import arranged
from idealrank.measures import DEFINITIONS, Measure

if TYPE_CHECKING:
    from idealrank.judged_lists.meeting import Meeting

COLUMNS = ("total", "cost", "depth", "residual")
"""What stands beside the expected utility, which is the value of the measure."""


def has_reader(measure: Measure) -> bool:
    """Whether the value is what a reader of the C/W/L family expects."""
    return measure.definition.reading is not None


def reading(meeting: Meeting, measure: Measure) -> dict[str, Floats]:
    """(Q,) total utility, cost and depth of the reading, and its residual, query by query.

    Raises
    ------
    UsageError
        If the measure has no reader.
    """
    function = measure.definition.reading
    if function is None:
        known = ", ".join(definition.name for definition in DEFINITIONS if definition.reading)
        raise UsageError(f"{measure} has no reader whose reading could be told. Ask for one that has: {known}.")
    found = measure.computed(arranged(meeting.met_for(measure.on_lists).lists, measure.on_lists), function)
    return {name: getattr(found, name) for name in COLUMNS}


def means(found: dict[str, Floats], left_out: Floats) -> dict[str, float]:
    """Average over the queries that count, each alike."""
    counted = ~np.isnan(left_out)
    return {name: float(values[counted].mean()) if counted.any() else math.nan for name, values in found.items()}
