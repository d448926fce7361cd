"""Estimates of what unjudged results are worth: rates of grades by rank, and values once grades are drawn."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

import numpy as np

from idealrank.arrays import Cache, Floats, Ints, offsets
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
        lists = replace(self.lists, grade=filled, **pool)
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
        self._counts, self._known = counts, Cache()
        self._query = np.repeat(np.arange(len(counts)), counts)
        self._start = lists.pool_start + offsets(counts)

    def with_holes(self, grade: Floats) -> dict[str, Any]:
        """Return the fields of lists whose judgments hold the holes, too, highest grade first."""
        lists = self._lists
        place = self._places(grade)
        judged = np.ones(len(lists.pool_grade) + len(place), np.bool_)
        judged[place] = False
        pool_grade, pool_entry = np.empty(len(judged)), np.empty(len(judged), np.int64)
        pool_grade[place], pool_grade[judged] = grade, lists.pool_grade
        pool_entry[place], pool_entry[judged] = self._first_entry + np.arange(len(place)), lists.pool_entry
        return {
            "pool_start": self._start, "pool_grade": pool_grade, "pool_entry": pool_entry, "of_pool": PoolCache(),
        }  # fmt: skip

    def _places(self, grade: Floats) -> Ints:
        """(N,) the place of each hole: below the judged documents of its query that have its grade or a higher one.

        Holes of one grade stand in their own order. There are few grades, so each is gone through by itself, which is
        many times faster than sorting.
        """
        grades = np.unique(grade)[::-1]
        column = np.searchsorted(-grades, -grade)
        holes = np.bincount(self._query * len(grades) + column, minlength=len(self._counts) * len(grades))
        holes = holes.reshape(len(self._counts), len(grades))
        above = np.cumsum(holes, axis=1) - holes + self._count_from_grade(grades) + self._start[:-1, None]
        place = above[self._query, column]
        first = offsets(self._counts)[:-1]
        for g in range(len(grades)):
            before = np.concatenate(([0], np.cumsum(column == g)))
            of_grade = np.flatnonzero(column == g)
            place[of_grade] += before[of_grade] - before[first][self._query[of_grade]]
        return place

    def _count_from_grade(self, grades: Floats) -> Ints:
        """(Q, G) how many judged documents of a query have each grade, highest first, or a higher one."""
        key = tuple(grades.tolist())  # drawn grades are nearly always the same few
        return self._known.once(key, lambda: self._count_judged(grades))

    def _count_judged(self, grades: Floats) -> Ints:
        lists, width = self._lists, len(grades) + 1
        column = np.searchsorted(-grades, -lists.pool_grade)
        cells = np.bincount(lists.pool_query * width + column, minlength=lists.size * width)
        return np.cumsum(cells.reshape(lists.size, width), axis=1)[:, :-1]


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
    order = np.lexsort((rank, docs.query))
    by_hole: Floats = drawn_grades.values(np.zeros(docs.size))[:, docs.query]
    for at in _turn_places(order, docs.query)[:MOST_ALONE]:
        holes, given = order[at], np.zeros(docs.size)
        given[holes] = grade
        by_hole[:, holes] = drawn_grades.values(given)[:, docs.query[holes]]
    return by_hole


def _turn_places(order: Ints, query: Ints) -> list[Ints]:
    """Return the places in an order of holes that hold the first one of a query, then those of the second ones, and on.

    Parameters
    ----------
    query
        (N,) the query of each hole.
    """
    if not len(order):
        return []
    of_query = query[order]
    first = np.argsort(of_query, kind="stable")
    counts = np.bincount(of_query, minlength=int(query.max(initial=-1)) + 1)
    turn = np.empty(len(order), np.int64)
    turn[first] = np.arange(len(order)) - offsets(counts)[of_query[first]]
    by_turn = np.argsort(turn, kind="stable")
    return np.split(by_turn, np.cumsum(np.bincount(turn))[:-1])


def values_in_turn(drawn_grades: DrawnGrades, docs: UnjudgedDocs, order: Ints, grade: float) -> Floats:
    """(S, n) the value of each hole's query once this hole and those of its query before it have a grade.

    Parameters
    ----------
    order
        (n,) holes, those that come first in their query before the others. All others are of grade 0.
    """
    query = docs.query[order]
    after, given = np.empty((len(drawn_grades.inputs), len(order))), np.zeros(docs.size)
    for at in _turn_places(order, docs.query):
        given[order[at]] = grade
        after[:, at] = drawn_grades.values(given)[:, query[at]]
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
