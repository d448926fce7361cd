"""Means with their intervals, and what the holes allow them to be."""

import math

import numpy as np

from idealrank.comparison.holes.holes import Holes, holes
from idealrank.display.table import Table
from idealrank.evaluation.mean_intervals import in_mean, is_plain, means_rows
from idealrank.evaluation.query_tables import measure_table
from idealrank.evaluation.values import Values


def means_with_holes(scores: Values) -> Table:
    """Return the means with their intervals, and the lowest and the highest mean that the holes allow.

    These are NaN where they are not known, as in parts.
    """
    if scores.parts:
        unknown = {"lowest": math.nan, "highest": math.nan}
        return measure_table(scores, [row | unknown for row in means_rows(scores)], "means")
    unjudged = {
        label: holes(scores.meetings, measure, 0) for label, measure in zip(scores.labels, scores.measures, strict=True)
    }
    rows = [row | _ends(scores, row["system"], row["measure"], unjudged[row["measure"]]) for row in means_rows(scores)]
    return measure_table(scores, rows, "means")


def _ends(scores: Values, system: str, label: str, unjudged: Holes) -> dict[str, float]:
    s, m = scores.systems.index(system), scores.labels.index(label)
    bounds, keep = unjudged.bounds(s), in_mean(scores, s, m)
    if bounds.kind == "unknown" or not is_plain(scores, s, m) or not keep.any():
        return {"lowest": math.nan, "highest": math.nan}
    low, high = (np.where(keep, end, np.nan) for end in (bounds.low, bounds.high))
    measure = scores.measures[m]
    return {"lowest": scores.average(s, measure, low), "highest": scores.average(s, measure, high)}
