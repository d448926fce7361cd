"""The computation: each measure on judged lists, in parts that fit a processor's cache, side by side, then in order."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple, TypeVar

import numpy as np

from idealrank.arrays import Floats, Ints
from idealrank.errors import DataError, UsageError
from idealrank.judged_lists.arrangement import arranged
from idealrank.judged_lists.lists import JudgedLists
from idealrank.judged_lists.meeting import Meeting, Met
from idealrank.measures import Measure
from idealrank.measures.steps import Steps

PART = 1 << 14
"""Queries in a part."""

Part = TypeVar("Part")

Outcome = Floats | DataError | UsageError
"""(Q,) values, or why there are none."""


def steps_of(lists: JudgedLists, measure: Measure) -> Steps:
    """Return the steps of a measure on lists as its decisions see them."""
    return measure.steps(arranged(lists, measure.on_lists))


class Task(NamedTuple):
    """A measure to compute on what came of a meeting, in every query or only where a hit is tied (NaN elsewhere)."""

    met: Met
    measure: Measure
    tied_only: bool = False

    @classmethod
    def on(cls, meeting: Meeting, measure: Measure, tied_only: bool = False) -> Task:
        """Take what came of the meeting under the decisions of the measure."""
        return cls(meeting.met_for(measure.on_lists), measure, tied_only)

    def values(self, lists: JudgedLists) -> Floats:
        """Return the values of the queries in a part."""
        measure = self.measure
        if not self.tied_only:
            return steps_of(lists, measure).scores(measure.decisions)
        some, queries = _tied(lists)
        values = np.full(lists.size, np.nan)
        values[queries] = steps_of(some, measure).scores(measure.decisions)
        return values


def computed(tasks: Sequence[Task]) -> list[Outcome]:
    """Compute each task over all queries of one meeting; one that is refused leaves the others be."""
    size = tasks[0].met.size if tasks else 0
    bounds = [(first, min(first + PART, size)) for first in range(0, size, PART)] or [(0, 0)]
    parts = list(side_by_side(lambda bound: _part(tasks, *bound), bounds))
    return [_joined([part[place] for part in parts]) for place in range(len(tasks))]


def side_by_side(work: Callable[[tuple[int, int]], Part], bounds: list[tuple[int, int]]) -> Iterator[Part]:
    """Do the work of each part, in as many threads as the core works with; what comes of it is in order."""
    if len(bounds) == 1:
        return map(work, bounds)
    from concurrent.futures import ThreadPoolExecutor

    from idealrank._core import threads

    with ThreadPoolExecutor(threads()) as executor:
        return executor.map(work, bounds)


def _part(tasks: Sequence[Task], first: int, last: int) -> list[Outcome]:
    lists = {met: met.part(first, last) for met in dict.fromkeys(task.met for task in tasks)}
    outcomes: list[Outcome] = []
    for task in tasks:
        try:
            outcomes.append(task.values(lists[task.met]))
        except (DataError, UsageError) as refusal:
            outcomes.append(refusal)
    for met in lists:
        met.tidy(first, last)
    return outcomes


def _joined(parts: list[Outcome]) -> Outcome:
    arrays: list[Floats] = []
    for part in parts:
        if not isinstance(part, np.ndarray):
            return part
        arrays.append(part)
    return np.concatenate(arrays)


def _tied(lists: JudgedLists) -> tuple[JudgedLists, Ints]:
    """Return the lists of the queries in which some hit is tied, and which queries these are."""

    def some() -> tuple[JudgedLists, Ints]:
        (queries,) = np.nonzero(lists.per_query(lists.tie_first != lists.tie_last))
        return lists.take(queries), queries

    return lists.kept.once("tied", some)
