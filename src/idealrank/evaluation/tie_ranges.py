"""The lowest and the highest value over all orders of tied results."""

from __future__ import annotations

import itertools
import math
from dataclasses import replace

import numpy as np

from idealrank.arrays import Floats
from idealrank.display.table import Table
from idealrank.errors import UsageError
from idealrank.evaluation.query_tables import query_columns, table_with_means
from idealrank.evaluation.values import Values
from idealrank.evaluation.variants import values_of, variants
from idealrank.measures.definition import Measure
from idealrank.measures.gains import gain_rises


def has_tie_range(measure: Measure) -> bool:
    """Whether the range is that between the worst and the best of tied results first.

    It is where the measure is monotone in the grade: not where the ideal depends on the order, an
    unjudged result differs from one of grade 0, gains fall with grades, or terms are rounded.
    """
    declared, under, reads = measure.definition.properties, measure.decisions, measure.definition.reads
    if (
        under.unit == "spans"
        or declared.tie_range == "none"
        or declared.monotone == "no"
        or any(s.stage == "term" for s in under.rounding)
    ):
        return False
    level = under.relevant_from
    # By what a measure reads: whether the answer makes it fall when a better document moves up.
    spoilt = {
        "ideal": under.ideal not in ("global", "max"),
        "gain": not gain_rises(under),
        "relevant_from": not isinstance(level, str) and level <= 0,
        "short_list": under.short_list == "judged",
        "ap_denominator": under.ap_denominator == "hits",
    }
    return not any(spoilt[name] for name in reads if name in spoilt)


def tie_ranges_table(scores: Values) -> Table:
    """Return one row per measure (and system): its mean, and the lowest and highest: see `Scores.tie_ranges`."""
    every = list(itertools.product(range(len(scores.systems)), range(len(scores.measures))))
    ends = _tie_ranges(scores, [(s, m) for s, m in every if has_tie_range(scores.measures[m])])
    columns = {(s, m): dict(zip(_COLUMNS, _mean_range(scores, s, m, ends.get((s, m))), strict=True)) for s, m in every}
    return table_with_means(scores, columns, "tie ranges")


def tie_range_table(scores: Values, m: int, systems: list[int]) -> Table:
    """Return one row per query (and system): its value, and the lowest and highest: see `Scores.tie_range`."""
    ends = _tie_ranges(scores, [(s, m) for s in systems])
    columns = [dict(zip(_COLUMNS, ends[s, m], strict=True)) for s in systems]
    return query_columns(scores, m, systems, columns, "tie range")


_COLUMNS = ("lowest", "highest")


def _mean_range(scores: Values, s: int, m: int, ends: Floats | None) -> list[float]:
    return [math.nan] * 2 if ends is None else [scores.average(s, scores.measures[m], end) for end in ends]


def _tie_ranges(scores: Values, places: list[tuple[int, int]]) -> dict[tuple[int, int], Floats]:
    """(2, Q) lowest and highest values by places of a system and a measure; NaN where the query is left out.

    Moving a better document up never lowers the measure, so these are the values with the worst and
    with the best of the tied documents first.

    Raises
    ------
    UsageError
        If that is not so for a measure under its decisions.
    """
    asked: list[tuple[int, Measure]] = []
    for s, m in places:
        measure = scores.measures[m]
        if not has_tie_range(measure):
            raise UsageError(
                f"{measure}: under these decisions a better document further up may lower it, so the lowest and the "
                "highest value over the orders of tied results are not computed."
            )
        asked += [(s, replace(measure, decisions=measure.decisions.but(ties=end))) for end in ("worst", "best")]
    ends = iter([values_of(found) for found in variants(scores, asked)])
    # Equal values may differ by a rounding error, either way: their sums were taken in different orders.
    both = {(s, m): np.sort([next(ends), next(ends)], axis=0) for s, m in places}
    return {(s, m): np.where(np.isnan(scores.values[s, m]), np.nan, each) for (s, m), each in both.items()}
