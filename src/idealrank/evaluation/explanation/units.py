"""What became of the parts of units in one value: which earned the credit, and what another count would give."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import numpy as np

from idealrank.display.table import Table
from idealrank.errors import DataError, UsageError, listed, plural
from idealrank.evaluation.computation import Task
from idealrank.evaluation.scoring import settled
from idealrank.judged_lists.judged_spans import JudgedSpans
from idealrank.judged_lists.meeting import Meeting
from idealrank.judged_lists.parts import Parts
from idealrank.judged_lists.spans import chunk_counts, hits_in_words
from idealrank.measures import Measure


def parts_table(parts: Parts) -> Table:
    """Return one row per result as it was returned: its part, its unit, and whether it repeats one.

    Empty if each result is judged by its own id.
    """
    if not parts.unit:
        return Table({})
    columns: dict[str, Any] = {"rank": parts.rank, "part": parts.part, "unit": parts.unit, "grade": parts.grade}
    return Table(columns | {"credit": [_credit(parts, place) for place in range(len(parts.unit))]}, "parts")


def _credit(parts: Parts, place: int) -> str:
    first = parts.first[place]
    if first != place:
        return f"repeats rank {parts.rank[first]}"
    return "unjudged" if np.isnan(parts.grade[place]) else "stands for its unit"


def unit_notes(meeting: Meeting, measure: Measure, index: int, parts: Parts) -> Iterator[str]:
    """Yield what was rolled up in this query, and what the value would be if ranks were counted otherwise."""
    decisions = measure.decisions
    judged = None if parts.unit or measure.definition.by_span else meeting.met_alone(measure.on_lists, index).judged
    if isinstance(judged, JudgedSpans):
        yield f"{hits_in_words(chunk_counts(judged), decisions)}."
    if not parts.unit:
        return
    repeats = [place for place, first in enumerate(parts.first) if first != place]
    many = f"{plural(len(parts.unit), 'result')} of {plural(len(set(parts.unit)), 'unit')}"
    yield f"{many} (unit={decisions.text('unit')}, roll_up={decisions.text('roll_up')}, counts={decisions.counts})."
    if repeats:
        named = listed([f"{parts.part[p] or parts.unit[p]} (rank {parts.rank[p]})" for p in repeats])
        are = "repeats a unit that stands before and earns" if len(repeats) == 1 else "repeat units and earn"
        yield f"{named} {are} nothing."
        yield from _other_count(meeting, measure, index)


_COUNTED = {
    "units": ("returned", "If the repeats kept their ranks"),
    "returned": ("units", "If ranks closed up behind the repeats"),
}


def _other_count(meeting: Meeting, measure: Measure, index: int) -> Iterator[str]:
    other, words = _COUNTED[measure.decisions.counts]
    changed = replace(measure, decisions=measure.decisions.but(counts=other))
    try:
        task = Task.on(meeting, changed)
        value = settled(task.met, changed, task.values(task.met.lists))[0][index]
    except (DataError, UsageError):
        return
    yield f"{words}, the value would be {value:.4f} (counts={other})."
