"""Judged lists in parts that fit a processor's cache, computed side by side and put together in order."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, NamedTuple, TypeVar

import numpy as np

from idealrank.arrays import Floats, Ints
from idealrank.errors import DataError, UsageError
from idealrank.judged_lists.arrangement import arranged
from idealrank.judged_lists.lists import JudgedLists
from idealrank.measures import Measure

if TYPE_CHECKING:
    from idealrank.judged_lists.meeting import Meeting, Met

PART = 1 << 14
"""Queries in a part."""

Part = TypeVar("Part")

Values = Floats | DataError | UsageError
"""(Q,) values, or why there are none."""


class Task(NamedTuple):
    """A measure to compute, in every query or only where a hit is tied (NaN elsewhere)."""

    measure: Measure
    tied_only: bool = False

    def values(self, lists: JudgedLists) -> Floats:
        """Return the values of the queries in a part."""
        measure = self.measure
        if not self.tied_only:
            return measure.steps(arranged(lists, measure.on_lists)).scores(measure.decisions)
        some, queries = _tied(lists)
        found = np.full(lists.size, np.nan)
        found[queries] = measure.steps(arranged(some, measure.on_lists)).scores(measure.decisions)
        return found


def computed(meeting: Meeting, tasks: list[Task]) -> list[Values]:
    """Compute each task over all queries; one that is refused leaves the others be."""
    mets = [meeting.met_for(task.measure.on_lists) for task in tasks]
    bounds = [(first, min(first + PART, mets[0].size)) for first in range(0, mets[0].size, PART)] if mets else []
    parts = list(side_by_side(lambda bound: _part(tasks, mets, *bound), bounds))
    return [_joined([part[place] for part in parts]) for place in range(len(tasks))]


def side_by_side(work: Callable[[tuple[int, int]], Part], bounds: list[tuple[int, int]]) -> Iterator[Part]:
    """Do the work of each part, in as many threads as the core works with; what comes of it is in order."""
    if len(bounds) == 1:
        return map(work, bounds)
    from concurrent.futures import ThreadPoolExecutor

    from idealrank._core import threads

    with ThreadPoolExecutor(threads()) as executor:
        return executor.map(work, bounds)


def _part(tasks: list[Task], mets: list[Met], first: int, last: int) -> list[Values]:
    lists = {key: met.part(first, last) for key, met in {id(met): met for met in mets}.items()}
    found: list[Values] = []
    for task, met in zip(tasks, mets, strict=True):
        try:
            found.append(task.values(lists[id(met)]))
        except (DataError, UsageError) as refusal:
            found.append(refusal)
    for met in dict.fromkeys(mets):
        met.tidy(first, last)
    return found


def _joined(parts: list[Values]) -> Values:
    found: list[Floats] = []
    for part in parts:
        if not isinstance(part, np.ndarray):
            return part
        found.append(part)
    return np.concatenate(found)


def _tied(lists: JudgedLists) -> tuple[JudgedLists, Ints]:
    """Return the lists of the queries in which some hit is tied, and which queries these are."""

    def some() -> tuple[JudgedLists, Ints]:
        (queries,) = np.nonzero(lists.per_query(lists.tie_first != lists.tie_last))
        return lists.take(queries), queries

    return lists.kept.once("tied", some)
