"""The lowest and the highest value that a measure can have under its decisions."""

import math

import numpy as np

from idealrank.arrays import SAME
from idealrank.evaluation.values import Values
from idealrank.statistics.sample import Bounds


def value_bounds(scores: Values, m: int) -> Bounds:
    """Return the range of a measure's values; ±∞ where its decisions let them leave what it promises."""
    measure = scores.measures[m]
    promised, under = measure.definition.properties, measure.decisions
    seen = scores.values[:, m][~np.isnan(scores.values[:, m])]
    low = -math.inf if under.negative == "keep" or (seen < promised.lowest - SAME).any() else promised.lowest
    beyond = isinstance(under.unjudged, float) or (seen > promised.highest + SAME).any()
    return low, math.inf if beyond else promised.highest


def difference_bounds(scores: Values, m: int) -> Bounds:
    """Return the range of the differences of two values of a measure."""
    low, high = value_bounds(scores, m)
    return low - high, high - low
