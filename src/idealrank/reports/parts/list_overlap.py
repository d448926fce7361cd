"""How much the lists of two systems share, query by query, as they met the judgments."""

import math
from typing import Any

import numpy as np

from idealrank.arrays import Floats, Mask
from idealrank.comparison.comparison import Comparison
from idealrank.comparison.overlap_at import overlap_table
from idealrank.comparison.pairing import Pair
from idealrank.data.selection import chosen
from idealrank.display.numbers import number, numbers
from idealrank.evaluation.scores import Scores
from idealrank.reports.parts.shown_queries import ShownQueries
from idealrank.statistics.sample import sampled

NUMBERS = ("jaccard", "rbo", "churn")


def overlaps(comparison: Comparison, shown: ShownQueries, depth: int) -> list[dict[str, Any]]:
    """Return one entry per pair: its systems, the numbers of the queries shown, and the (weighted) means of all.

    There is none where the lists of all queries are not there.
    """
    whole = shown.whole
    return [] if whole is None else [_entry(whole, pair, depth, shown.mask) for pair in comparison.pairing.pairs]


def _entry(scores: Scores, pair: Pair, depth: int, shown: Mask) -> dict[str, Any]:
    table = overlap_table(scores, pair, depth)
    mask = chosen(scores.only, scores.queries)
    values = {name: np.where(mask, table.array(name), np.nan) for name in NUMBERS}
    named = {name: scores.systems[s] for name, s in zip(("baseline", "system"), pair, strict=True)}
    means = {name: number(_mean(each, scores.weights)) for name, each in values.items()}
    return {**named, **{name: numbers(each[shown]) for name, each in values.items()}, "summary": means}


def _mean(values: Floats, weights: Floats | None) -> float:
    """Average the values there are, in the weights of their queries; NaN where there are none, or of no weight."""
    there = ~np.isnan(values) if weights is None else ~np.isnan(values) & (weights > 0)
    return sampled(values[there], None if weights is None else weights[there]).mean if there.any() else math.nan
