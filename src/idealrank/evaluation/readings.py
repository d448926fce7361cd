"""What the readers of C/W/L measures read and get, and what the unjudged results could add."""

import math

import numpy as np

from idealrank.arrays import Floats
from idealrank.display.table import Table
from idealrank.errors import UsageError
from idealrank.evaluation.query_tables import beside_means, beside_values
from idealrank.evaluation.values import Values
from idealrank.judged_lists.arrangement import arranged
from idealrank.judged_lists.meeting import Met
from idealrank.measures import DEFINITIONS, Measure

COLUMNS = ("total", "cost", "depth", "residual")
"""What is reported beside the expected utility, which is the value of the measure."""


def readings_table(scores: Values) -> Table:
    """Return one row per measure (and system): its mean, and what its reader reads and gets: see `Scores.readings`."""
    columns = {(s, m): _means(scores, s, m) for s in range(len(scores.systems)) for m in range(len(scores.measures))}
    return beside_means(scores, columns, "readings")


def reading_table(scores: Values, m: int, systems: list[int]) -> Table:
    """Return one row per query (and system): its value, and what its reader reads and gets: see `Scores.reading`."""
    measure = scores.measures[m]
    columns = [reading(scores.met_for(s, measure), measure) for s in systems]
    return beside_values(scores, m, systems, columns, "reading")


def _means(scores: Values, s: int, m: int) -> dict[str, float]:
    """Average over the queries that count, each alike; NaN without a reader."""
    measure, counted = scores.measures[m], ~np.isnan(scores.values[s, m])
    if measure.definition.reading is None or not counted.any():
        return dict.fromkeys(COLUMNS, math.nan)
    return {name: float(each[counted].mean()) for name, each in reading(scores.met_for(s, measure), measure).items()}


def reading(met: Met, measure: Measure) -> dict[str, Floats]:
    """(Q,) total utility, cost and depth of the reading, and its residual, query by query.

    Raises
    ------
    UsageError
        If the measure has no reader.
    """
    function = measure.definition.reading
    if function is None:
        readers = ", ".join(definition.name for definition in DEFINITIONS if definition.reading)
        raise UsageError(f"{measure} does not model a reader. Use a measure that does: {readers}.")
    read = measure.computed(arranged(met.lists, measure.on_lists), function)
    return {name: getattr(read, name) for name in COLUMNS}
