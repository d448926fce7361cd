"""Estimates of what unjudged results are worth: rates of grades by rank, and values once grades are drawn."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

import numpy as np

from idealrank.arrays import Floats, Ints, offsets
from idealrank.comparison.unjudged.documents import UnjudgedDocs
from idealrank.decisions.decisions import Decisions
from idealrank.evaluation.scoring import apply_fills
from idealrank.judged_lists.arrangement import arrange
from idealrank.judged_lists.join import Join, SystemLists
from idealrank.judged_lists.lists import JudgedLists, PoolCache, only_hits
from idealrank.measures.definition import Measure


@dataclass(frozen=True, eq=False)
class FillInput:
    """One system's lists of the queries with holes, whose grades can be filled in.

    Attributes
    ----------
    queries
        (R,) which queries these are.
    lists
        Their results and judgments.
    hit, hole
        (n,) the hits that are holes, and which.
    raw
        (Q,) values with no hole labelled; NaN where the measure is 0/0.
    """

    met: SystemLists
    measure: Measure
    queries: Ints
    lists: JudgedLists
    hit: Ints
    hole: Ints
    raw: Floats

    def values(self, grade: Floats, pool: dict[str, Any]) -> Floats:
        """(Q,) values once each hole has its grade (N,), and the judgments hold it."""
        filled = self.lists.grade.copy()
        filled[self.hit] = grade[self.hole]
        lists = replace(self.lists, grade=filled, of_pool=PoolCache(), **pool)
        values = self.raw.copy()
        values[self.queries] = self.measure.steps(arrange(lists, self.measure.on_lists)).scores(self.measure.decisions)
        return apply_fills(self.met, self.measure, values)[0]


def fill_input(meeting: Join, measure: Measure, docs: UnjudgedDocs, s: int) -> FillInput:
    """Take what is needed to fill in grades: judged results, holes, and the other results where they count."""
    met = meeting.lists_for(measure.on_lists, "dense")
    lists = met.lists
    raw = measure.steps(arrange(lists, measure.on_lists)).scores(measure.decisions)
    hole = np.full(len(lists.rank), -1)
    hit = docs.hits(s, lists)
    ranked = np.flatnonzero(hit >= 0)
    hole[hit[ranked]] = ranked
    lists = replace(lists, entry=np.where(hole >= 0, len(met.pool.grade) + hole, lists.entry))
    if not isinstance(measure.on_lists.unjudged, float):
        kept = ~np.isnan(lists.grade) | (hole >= 0)
        lists, hole = replace(only_hits(lists, kept), form="sparse"), hole[np.flatnonzero(kept)]
    queries = np.flatnonzero(np.diff(docs.start))
    hole = hole[np.isin(lists.query, queries)]
    at = np.flatnonzero(hole >= 0)
    return FillInput(
        met=met, measure=measure, queries=queries, lists=lists.take(queries), hit=at, hole=hole[at], raw=raw
    )


class PoolWithHoles:
    """The judgments of the queries with holes, into which the holes are put."""

    def __init__(self, lists: JudgedLists, docs: UnjudgedDocs, first_entry: int) -> None:
        self._lists, self._first_entry = lists, first_entry
        counts = np.diff(docs.start)
        counts = counts[counts > 0]
        self._query = np.repeat(np.arange(len(counts)), counts)
        self._start = lists.pool_start + offsets(counts)

    def with_holes(self, grade: Floats) -> dict[str, Any]:
        """Return the fields of lists whose judgments hold the holes, too, highest grade first."""
        lists = self._lists
        order = np.lexsort((-grade, self._query))
        query, grade = self._query[order], grade[order]
        place = lists.pool_start[query] + self._count_from_grade(grade, query)
        return {
            "pool_start": self._start,
            "pool_grade": np.insert(lists.pool_grade, place, grade),
            "pool_entry": np.insert(lists.pool_entry, place, self._first_entry + order),
        }

    def _count_from_grade(self, grade: Floats, query: Ints) -> Ints:
        """(N,) how many judged documents of the query have the grade or a higher one."""
        grades = np.unique(grade)
        column = np.searchsorted(grades, grade)  # many times faster than the inverse of unique: there are few grades
        place = np.searchsorted(-grades[::-1], -self._lists.pool_grade)
        width = len(grades) + 1
        cells = np.bincount(self._lists.pool_query * width + place, minlength=self._lists.size * width)
        counts: Ints = np.cumsum(cells.reshape(self._lists.size, width), axis=1)
        return counts[query, len(grades) - 1 - column]


class DrawnGrades:
    """All systems, ready to be evaluated with grades for the holes."""

    def __init__(self, meetings: Sequence[Join], measure: Measure, docs: UnjudgedDocs) -> None:
        self.measure = measure
        self.inputs = [fill_input(meeting, measure, docs, s) for s, meeting in enumerate(meetings)]
        self._pool = PoolWithHoles(self.inputs[0].lists, docs, len(self.inputs[0].met.pool.grade))

    def values(self, grade: Floats) -> Floats:
        """(S, Q) values once each hole has its grade (N,)."""
        pool = self._pool.with_holes(grade)
        return np.stack([side.values(grade, pool) for side in self.inputs])


MOST_ALONE = 200
"""Holes per query that are tried one by one, the highest first; further down a label moves next to nothing."""


def values_alone(drawn_grades: DrawnGrades, docs: UnjudgedDocs, rank: Ints, grade: float) -> Floats:
    """(S, N) the value of each hole's query, were it of this grade and all other holes of grade 0.

    Parameters
    ----------
    rank
        (N,) the best rank of each hole. Holes after the first `MOST_ALONE` of their query are taken for grade 0.
    """
    place = np.empty(docs.size, np.int64)
    place[np.lexsort((rank, docs.query))] = np.arange(docs.size) - docs.start[docs.query]
    by_hole: Floats = drawn_grades.values(np.zeros(docs.size))[:, docs.query]
    for turn in range(min(int(place.max(initial=-1)) + 1, MOST_ALONE)):
        chosen = place == turn
        values = drawn_grades.values(np.where(chosen, grade, 0.0))
        by_hole[:, chosen] = values[:, docs.query[chosen]]
    return by_hole


def values_in_turn(drawn_grades: DrawnGrades, docs: UnjudgedDocs, order: Ints, grade: float) -> Floats:
    """(S, n) the value of each hole's query once this hole and those of its query before it have a grade.

    Parameters
    ----------
    order
        (n,) holes, those that come first in their query before the others. All others are of grade 0.
    """
    query = docs.query[order]
    first = np.argsort(query, kind="stable")
    counts = np.bincount(query, minlength=len(docs.start) - 1)
    place = np.empty(len(order), np.int64)
    place[first] = np.arange(len(order)) - offsets(counts)[query[first]]
    after, given = np.empty((len(drawn_grades.inputs), len(order))), np.zeros(docs.size)
    for turn in range(int(place.max(initial=-1)) + 1):
        chosen = place == turn
        given[order[chosen]] = grade
        after[:, chosen] = drawn_grades.values(given)[:, query[chosen]]
    return after


STRETCH_STARTS = np.array([1, 2, 3, 4, 6, 11, 21, 51, 101, 201, 501, 1001])
"""The first rank of each stretch of ranks that count as about the same."""


class Rates(NamedTuple):
    """The chance of each grade, by stretch of ranks.

    Attributes
    ----------
    grade
        (G,) grades that were given, lowest first.
    upto
        (B, G) chance of this grade or a lower one.
    """

    grade: Floats
    upto: Floats

    def draw_grades(self, rank: Ints, chance: Floats) -> Floats:
        """(N,) the grade of a document at each rank, given a number from 0 to 1 for each."""
        place = (chance[:, None] >= self.upto[_stretches(rank)]).sum(axis=1)
        grades: Floats = self.grade[np.minimum(place, len(self.grade) - 1)]
        return grades


@dataclass(frozen=True)
class GradeCounts:
    """How often each grade was given: to judged results, by stretch of ranks, and in all judgments.

    Attributes
    ----------
    returned
        (B,) counts of each grade among the judged results of all systems.
    judged
        Counts of each grade among all judgments.
    """

    returned: Mapping[float, tuple[int, ...]]
    judged: Mapping[float, int]

    @classmethod
    def count_grades(cls, every: Sequence[JudgedLists]) -> GradeCounts:
        """Count the grades of the lists of all systems, which share their judgments."""
        grade = np.concatenate([lists.grade for lists in every])
        stretch = _stretches(np.concatenate([lists.rank for lists in every])[~np.isnan(grade)])
        grades, place = np.unique(grade[~np.isnan(grade)], return_inverse=True)
        cells = np.bincount(place * len(STRETCH_STARTS) + stretch, minlength=len(grades) * len(STRETCH_STARTS))
        rows = map(tuple, cells.reshape(len(grades), len(STRETCH_STARTS)).tolist())
        pool, counts = np.unique(every[0].pool_grade, return_counts=True)
        judged = dict(zip(pool.tolist(), counts.tolist(), strict=True))
        return cls(dict(zip(grades.tolist(), rows, strict=True)), judged)

    def __add__(self, other: GradeCounts) -> GradeCounts:
        none = (0,) * len(STRETCH_STARTS)
        returned = {
            grade: tuple(map(sum, zip(self.returned.get(grade, none), other.returned.get(grade, none), strict=True)))
            for grade in {**self.returned, **other.returned}
        }
        return GradeCounts(returned, dict(Counter(self.judged) + Counter(other.judged)))

    def rates(self, decisions: Decisions) -> Rates:
        """Return the rates of grades at each stretch of ranks, over all systems and queries.

        Each stretch counts one result more, whose grade has the rates of all stretches together: few results say
        little, none say nothing. Where no result is judged, the rates are those of all judgments; without any, grade 0
        is certain.
        """
        least = -np.inf if decisions.negative == "keep" else 0.0
        by_grade = {grade: counts for grade, counts in self.returned.items() if grade >= least}
        if not by_grade:  # the ranks of other judgments are not known: as if all were at the first
            rest = (0,) * (len(STRETCH_STARTS) - 1)
            by_grade = {grade: (count, *rest) for grade, count in self.judged.items() if grade >= least}
        by_grade = by_grade or {0.0: (1,) + (0,) * (len(STRETCH_STARTS) - 1)}
        grades = np.array(sorted(by_grade))
        counts = np.array([by_grade[grade] for grade in grades.tolist()], np.float64).T
        counts += counts.sum(axis=0) / counts.sum()
        return Rates(grades, np.cumsum(counts, axis=1) / counts.sum(axis=1, keepdims=True))


def _stretches(rank: Ints) -> Ints:
    """(N,) the stretch that each rank is in."""
    return np.searchsorted(STRETCH_STARTS, rank, side="right") - 1


def why_no_rates(measure: Measure, grades: Sequence[float]) -> str:
    """Say why rates tell nothing of a measure's holes; an empty string where they do.

    Without a cutoff holes lie far beyond what was judged, and the few judged results there, found by other systems
    high up, say nothing about them. Where all judgments have one grade, as a list of what is expected has, nobody
    noted what is not relevant, and rates would take every hole for relevant.

    Parameters
    ----------
    grades
        The different grades of all judgments.
    """
    if measure.cutoff is None:
        return "there is no cutoff"
    return "all judgments have the same grade" if len(grades) == 1 else ""
