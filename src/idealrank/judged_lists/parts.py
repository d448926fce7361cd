"""The parts that a query returned, by rank: which of them stands for its unit, and which repeat it."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from idealrank._core import judge
from idealrank.arrays import Floats, Ints
from idealrank.data.ids import id_text
from idealrank.data.spans import SPANS
from idealrank.data.units import AS_RETURNED, units_of_results
from idealrank.decisions import Decisions
from idealrank.judged_lists.meeting import Met, tie_order
from idealrank.judged_lists.searches import joined_order, run_by_query


class Parts(NamedTuple):
    """The n results of one query as they were returned, by rank.

    Attributes
    ----------
    rank, row, grade
        (n,) rank among all results, row of the table, grade of the unit (NaN: unjudged).
    unit, part
        (n,) id of the unit, and of the part; "" if it has none of its own.
    first
        (n,) place, from 0, of the first result of the same unit.
    """

    rank: Ints
    row: Ints
    grade: Floats
    unit: list[str]
    part: list[str]
    first: list[int]


def parts_of(met: Met, decisions: Decisions, index: int) -> Parts:
    """Return every result of one judged query in the order before units were rolled up; none if there are no units."""
    if decisions.unit in (AS_RETURNED, SPANS):
        nothing = np.zeros(0, np.int64)
        return Parts(nothing, nothing, np.zeros(0), [], [], [])
    found = units_of_results(met.results, decisions.unit)
    system = "" if met.pooled else met.system
    run = run_by_query(found.table, system, decisions, met.order, "keep", found.units)
    order: Any = joined_order(met.results, system, decisions, met.order)
    ties: Any = tie_order(decisions.ties)
    precision: Any = decisions.score_precision
    gaps: Any = decisions.rank_gaps
    joined = judge(met.pool, run, order, ties, precision, gaps, True, np.array([index], np.int64))
    rank, grade, _, row, *_ = joined.hits(index, index + 1)
    names = [""] * len(row) if found.unnamed else found.table.source.ids(found.table.doc).to_list(row)
    units = run.docs(row)
    seen: dict[str, int] = {}
    first = [seen.setdefault(unit, place) for place, unit in enumerate(units)]
    return Parts(rank, row, grade, units, [id_text(name) for name in names], first)
