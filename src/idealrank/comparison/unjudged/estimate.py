"""Estimates of what unjudged results are worth: rates of grades by rank, and values once grades are drawn."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

import numpy as np

from idealrank._core import merge_judgments
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
    hit, unjudged
        (n,) the hits that are holes, and which.
    raw
        (Q,) values with no hole labelled; NaN where the measure is 0/0.
    """

    joined: SystemLists
    measure: Measure
    queries: Ints
    lists: JudgedLists
    hit: Ints
    unjudged: Ints
    raw: Floats

    def take(self, chosen: Ints) -> FillInput:
        """Return some of the queries, by their places among these, which rise."""
        kept = np.zeros(len(self.queries), np.bool_)
        kept[chosen] = True
        hits, of_hits = kept[self.lists.query], kept[self.lists.query[self.hit]]
        hit = (np.cumsum(hits) - 1)[self.hit[of_hits]]
        lists = self.lists.take(chosen)
        return replace(self, queries=self.queries[chosen], lists=lists, hit=hit, unjudged=self.unjudged[of_hits])

    def values(self, grade: Floats, pool: dict[str, Any]) -> Floats:
        """(Q,) values once each hole has its grade (N,), and the judgments hold it."""
        filled = self.lists.grade.copy()
        filled[self.hit] = grade[self.unjudged]
        lists = replace(self.lists, grade=filled, **pool)
        values = self.raw.copy()
        values[self.queries] = self.measure.steps(arrange(lists, self.measure.on_lists)).scores(self.measure.decisions)
        return apply_fills(self.joined, self.measure, values)[0]


def fill_input(join: Join, measure: Measure, docs: UnjudgedDocs, s: int) -> FillInput:
    """Take what is needed to fill in grades: judged results, holes, and the other results where they count."""
    joined = join.lists_for(measure.on_lists, "dense")
    lists = joined.lists
    raw = measure.steps(arrange(lists, measure.on_lists)).scores(measure.decisions)
    unjudged = np.full(len(lists.rank), -1)
    hit = docs.hits(s, lists)
    ranked = np.flatnonzero(hit >= 0)
    unjudged[hit[ranked]] = ranked
    lists = replace(lists, entry=np.where(unjudged >= 0, len(joined.pool.grade) + unjudged, lists.entry))
    if not isinstance(measure.on_lists.unjudged, float):
        kept = ~np.isnan(lists.grade) | (unjudged >= 0)
        lists, unjudged = replace(only_hits(lists, kept), form="sparse"), unjudged[np.flatnonzero(kept)]
    queries = np.flatnonzero(np.diff(docs.start))
    unjudged = unjudged[np.isin(lists.query, queries)]
    at = np.flatnonzero(unjudged >= 0)
    return FillInput(
        joined=joined,
        measure=measure,
        queries=queries,
        lists=lists.take(queries),
        hit=at,
        unjudged=unjudged[at],
        raw=raw,
    )


class FilledPool(NamedTuple):
    """The judgments of R queries with holes, into which the holes are put.

    Attributes
    ----------
    queries
        (R,) which queries these are.
    lists
        Any lists of these queries.
    holes, start
        Their holes, and (R + 1,) where those of each query begin among these.
    first_entry
        The entry of the first of all holes.
    """

    queries: Ints
    lists: JudgedLists
    unjudged: Ints
    start: Ints
    first_entry: int

    @classmethod
    def of(cls, side: FillInput, docs: UnjudgedDocs) -> FilledPool:
        """Take the judgments from the lists of any system."""
        counts = np.diff(docs.start)[side.queries]
        start = offsets(counts)
        unjudged = np.arange(int(start[-1])) + np.repeat(docs.start[side.queries] - start[:-1], counts)
        return cls(side.queries, side.lists, unjudged, start, len(side.joined.pool.grade))

    def filled(self, grade: Floats) -> dict[str, Any]:
        """Return the fields of lists whose judgments hold the holes, too, highest grade first."""
        lists, entry = self.lists, self.first_entry + self.unjudged
        pool_grade, pool_entry = merge_judgments(
            lists.pool_start, lists.pool_grade, lists.pool_entry, self.start, grade[self.unjudged], entry
        )
        start = lists.pool_start + self.start
        return {"pool_start": start, "pool_grade": pool_grade, "pool_entry": pool_entry, "of_pool": PoolCache()}


class DrawnGrades:
    """Systems, ready to be evaluated with grades for the holes."""

    def __init__(self, inputs: Sequence[FillInput], docs: UnjudgedDocs) -> None:
        self.inputs, self._docs = inputs, docs
        self._pool = FilledPool.of(inputs[0], docs)

    def values(self, grade: Floats) -> Floats:
        """(S, Q) values once each hole has its grade (N,)."""
        pool = self._pool.filled(grade)
        return np.stack([side.values(grade, pool) for side in self.inputs])

    def narrow(self, queries: Ints) -> DrawnGrades:
        """Return the same for some of the queries, if these are so few that it pays to take their lists."""
        here = self._pool.queries
        if len(queries) > FEWER * len(here):
            return self
        chosen = np.searchsorted(here, np.sort(queries))
        return DrawnGrades([side.take(chosen) for side in self.inputs], self._docs)


FEWER = 0.8
"""Lists are taken for fewer queries than this share of them: taking costs about as much as evaluating once."""

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
    by_document: Floats = drawn_grades.values(np.zeros(docs.size))[:, docs.query]
    for at in _turn_places(order, docs.query)[:MOST_ALONE]:
        unjudged, given = order[at], np.zeros(docs.size)
        given[unjudged] = grade
        drawn_grades = drawn_grades.narrow(docs.query[unjudged])
        by_document[:, unjudged] = drawn_grades.values(given)[:, docs.query[unjudged]]
    return by_document


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
    first = _order_whole(of_query)
    counts = np.bincount(of_query, minlength=int(query.max(initial=-1)) + 1)
    turn = np.empty(len(order), np.int64)
    turn[first] = np.arange(len(order)) - offsets(counts)[of_query[first]]
    return np.split(_order_whole(turn), np.cumsum(np.bincount(turn))[:-1])


def _order_whole(numbers: Ints) -> Ints:
    """Order whole numbers from 0 up, equal ones as they are: NumPy counts small ones, and sorts large ones."""
    return np.argsort(numbers.astype(np.min_scalar_type(int(numbers.max(initial=0)))), kind="stable")


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
        drawn_grades = drawn_grades.narrow(query[at])
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
