"""Counts by group of measures that read the same lists: those of one convention may be ordered by different columns."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from idealrank._core import Column
from idealrank.arrays import Floats
from idealrank.decisions import Decisions
from idealrank.evaluation.ledger.hole_counts import unjudged_results
from idealrank.evaluation.values import Values
from idealrank.judged_lists.meeting import Met, lists_key
from idealrank.measures import Measure


def groups_of(measures: Sequence[Measure], orders: Mapping[str, str]) -> list[list[Measure]]:
    """Group measures by the lists they read.

    Parameters
    ----------
    orders
        By answer to `order_by`, what orders the results.
    """
    groups: dict[Any, list[Measure]] = {}
    for measure in measures:
        decisions = measure.decisions
        key = (lists_key(decisions, orders[str(decisions.order_by)]), decisions.negative)
        groups.setdefault(key, []).append(measure)
    return list(groups.values())


def group_counts(scores: Values, s: int) -> dict[tuple[str, int], int]:
    """Count in the lists of each group of measures what another answer would read otherwise."""
    results = scores.meetings[s].results
    orders = {str(m.decisions.order_by): results.order(m.decisions.order_by) for m in scores.measures}
    found: dict[tuple[str, int], int] = {}
    for g, measures in enumerate(groups_of(scores.measures, orders)):
        found |= {(name, g): count for name, count in _of_group(scores, s, measures).items()}
    return found


def _of_group(scores: Values, s: int, measures: Sequence[Measure]) -> dict[str, int]:
    decisions = measures[0].decisions
    met = scores.meetings[s].met(decisions)
    tied = met.judged.tied[scores.in_scope].sum()
    return {
        "holes": unjudged_results(met, scores.in_scope, decisions.negative), "keeping": met.run.keeping_ranks,
        "merged": met.run.merged, "tied": int(tied), **_by_precision(scores, s, decisions, met),
    }  # fmt: skip


def _by_precision(scores: Values, s: int, decisions: Decisions, met: Met) -> dict[str, int]:
    """Count tied results under either precision of scores, where they may differ."""
    column = met.results.score
    if met.order != "score" or column is None or _ties_nothing_in_float32(column.floats(), met.results.keys.query):
        return {}
    under = {precision: decisions.but(score_precision=precision) for precision in PRECISIONS}
    return {name: int(scores.meetings[s].met(one).judged.tied[scores.in_scope].sum()) for name, one in under.items()}


PRECISIONS = {"float64": "float32", "float32": "float64"}
"""The other answer to each precision of scores."""


def _ties_nothing_in_float32(values: Floats, query: Column) -> bool:
    """Whether single precision ties nothing, as far as that is seen without joining again.

    It is seen where the values are the same, and where they fall within each query from row to row.
    """
    with np.errstate(over="ignore"):
        single = values.astype(np.float32)
    if (values == single).all():
        return True
    code, queries = query.codes()
    within = code[1:] == code[:-1]
    begun = len(code) - int(within.sum())
    falls = single[1:] < single[:-1]
    equal = values[1:] == values[:-1]
    return begun == len(queries) and bool((falls | equal)[within].all())
