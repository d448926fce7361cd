"""Estimates of what unjudged results are worth: rates of grades by rank, and values once grades are drawn."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

import numpy as np

from idealrank.arrays import Floats, Ints, Mask, offsets
from idealrank.comparison.unjudged.documents import UnjudgedDocs, dense
from idealrank.decisions.decisions import Decisions
from idealrank.evaluation.scoring import apply_fills
from idealrank.judged_lists.arrangement import arranged
from idealrank.judged_lists.join import Join, SystemLists
from idealrank.judged_lists.lists import JudgedLists, PoolCache, only_hits
from idealrank.measures.definition import Measure

# Drawing: the values of all systems once the holes have grades.


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
        values[self.queries] = self.measure.steps(arranged(lists, self.measure.on_lists)).scores(self.measure.decisions)
        return apply_fills(self.met, self.measure, values)[0]


def fill_input(meeting: Join, measure: Measure, unknown: UnjudgedDocs, s: int) -> FillInput:
    """Take what is needed to fill in grades: judged results, holes, and the other results where they count."""
    met = meeting.lists_for(measure.on_lists, "dense")
    lists = met.lists
    raw = measure.steps(arranged(lists, measure.on_lists)).scores(measure.decisions)
    hole = np.full(len(lists.rank), -1)
    hit = unknown.hits(s, lists)
    ranked = np.flatnonzero(hit >= 0)
    hole[hit[ranked]] = ranked
    lists = replace(lists, entry=np.where(hole >= 0, len(met.pool.grade) + hole, lists.entry))
    if not isinstance(measure.on_lists.unjudged, float):
        kept = ~np.isnan(lists.grade) | (hole >= 0)
        lists, hole = replace(only_hits(lists, kept), form="sparse"), hole[np.flatnonzero(kept)]
    queries = np.flatnonzero(np.diff(unknown.start))
    hole = hole[np.isin(lists.query, queries)]
    at = np.flatnonzero(hole >= 0)
    return FillInput(
        met=met, measure=measure, queries=queries, lists=lists.take(queries), hit=at, hole=hole[at], raw=raw
    )


class Judging:
    """The judgments of the queries with holes, into which the holes are put."""

    def __init__(self, lists: JudgedLists, unknown: UnjudgedDocs, first_entry: int) -> None:
        self._lists, self._first_entry = lists, first_entry
        counts = np.diff(unknown.start)
        counts = counts[counts > 0]
        self._query = np.repeat(np.arange(len(counts)), counts)
        self._start = lists.pool_start + offsets(counts)

    def with_holes(self, grade: Floats) -> dict[str, Any]:
        """Return the fields of lists whose judgments hold the holes, too, highest grade first."""
        lists = self._lists
        order = np.lexsort((-grade, self._query))
        query, grade = self._query[order], grade[order]
        place = lists.pool_start[query] + self._above(grade, query)
        return {
            "pool_start": self._start,
            "pool_grade": np.insert(lists.pool_grade, place, grade),
            "pool_entry": np.insert(lists.pool_entry, place, self._first_entry + order),
        }

    def _above(self, grade: Floats, query: Ints) -> Ints:
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

    def __init__(self, meetings: Sequence[Join], measure: Measure, unknown: UnjudgedDocs) -> None:
        self.measure = measure
        self._sides = [fill_input(meeting, measure, unknown, s) for s, meeting in enumerate(meetings)]
        self._judging = Judging(self._sides[0].lists, unknown, len(self._sides[0].met.pool.grade))

    def values(self, grade: Floats) -> Floats:
        """(S, Q) values once each hole has its grade (N,)."""
        pool = self._judging.with_holes(grade)
        return np.stack([side.values(grade, pool) for side in self._sides])


def draw_values(
    meetings: Sequence[Join],
    filling: DrawnGrades,
    unknown: UnjudgedDocs,
    rng: np.random.Generator,
    draws: int,
    only: Mask | None = None,
) -> Iterator[Floats]:
    """Yield (S, Q) values, the holes' grades drawn anew each time from the rates seen at their best rank.

    Those that are not among `only` (N,) have grade 0.
    """
    every = [dense(meeting, filling.measure) for meeting in meetings]
    rates = grade_counts(every, filling.measure.decisions)
    hits = [unknown.hits(s, lists) for s, lists in enumerate(every)]
    far = np.iinfo(np.int64).max
    ranks = [np.where(hit >= 0, np.append(lists.rank, far)[hit], far) for hit, lists in zip(hits, every, strict=True)]
    for _ in range(draws):
        grade = rates.drawn(np.min(ranks, axis=0), rng.random(unknown.size))
        yield filling.values(grade if only is None else np.where(only, grade, 0.0))


TRIED = 200
"""Holes of a query that are tried each alone, those ranked highest; further down a label moves next to nothing."""


def alone(filling: DrawnGrades, unknown: UnjudgedDocs, rank: Ints, grade: float) -> Floats:
    """(S, N) the value of each hole's query, were it of this grade and all other holes of grade 0.

    Parameters
    ----------
    rank
        (N,) the best rank of each hole. Holes after the first `TRIED` of their query are taken for grade 0.
    """
    place = np.empty(unknown.size, np.int64)
    place[np.lexsort((rank, unknown.query))] = np.arange(unknown.size) - unknown.start[unknown.query]
    values_alone: Floats = filling.values(np.zeros(unknown.size))[:, unknown.query]
    for turn in range(min(int(place.max(initial=-1)) + 1, TRIED)):
        chosen = place == turn
        values = filling.values(np.where(chosen, grade, 0.0))
        values_alone[:, chosen] = values[:, unknown.query[chosen]]
    return values_alone


# Rates: how often each grade was seen at about a rank.


FROM = np.array([1, 2, 3, 4, 6, 11, 21, 51, 101, 201, 501, 1001])
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

    def drawn(self, rank: Ints, chance: Floats) -> Floats:
        """(N,) the grade of a document at each rank, given a number from 0 to 1 for each."""
        stretch = np.searchsorted(FROM, rank, side="right") - 1
        place = (chance[:, None] >= self.upto[stretch]).sum(axis=1)
        grades: Floats = self.grade[np.minimum(place, len(self.grade) - 1)]
        return grades


def why_no_rates(measure: Measure, meeting: Join) -> str:
    """Say why rates tell nothing of a measure's holes; an empty string where they do.

    Without a cutoff holes lie far beyond what was judged, and the few judged results there, found by other systems
    high up, say nothing about them. Where all judgments have one grade, as a list of what is expected has, nobody
    noted what is not relevant, and rates would take every hole for relevant.
    """
    if measure.cutoff is None:
        return "there is no cutoff"
    return "all judgments have the same grade" if len(np.unique(meeting.met(measure.on_lists).pool.grade)) == 1 else ""


def grade_counts(every: Iterable[JudgedLists], decisions: Decisions) -> Rates:
    """Count the grades of judged results at each stretch of ranks, over all systems and queries.

    Each stretch counts one result more, whose grade has the rates of all stretches together: few results
    say little, none say nothing. Where no result is judged, the rates are those of all judgments.
    """
    grade, rank = _judged(list(every), decisions)
    grades, place = np.unique(grade, return_inverse=True)
    stretch = np.searchsorted(FROM, rank, side="right") - 1
    cells = np.bincount(stretch * len(grades) + place, minlength=len(FROM) * len(grades))
    counts = cells.reshape(len(FROM), len(grades)).astype(np.float64)
    counts += counts.sum(axis=0) / counts.sum()
    return Rates(grades, np.cumsum(counts, axis=1) / counts.sum(axis=1, keepdims=True))


def _judged(lists: list[JudgedLists], decisions: Decisions) -> tuple[Floats, Ints]:
    """Return grades and ranks of judged results; without any, of all judgments, as of rank 1; else grade 0."""
    least = -np.inf if decisions.negative == "keep" else 0.0
    pool = lists[0].pool_grade
    results = np.concatenate([each.grade for each in lists]), np.concatenate([each.rank for each in lists])
    for grade, rank in (results, (pool, np.ones(len(pool), np.int64))):
        labelled = grade >= least
        if labelled.any():
            return grade[labelled], rank[labelled]
    return np.zeros(1), np.ones(1, np.int64)
