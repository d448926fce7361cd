"""The unjudged documents of compared lists: where each system has them, and the grades they may have."""

import functools
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from idealrank._core import Pool, from_columns, judge
from idealrank.arrays import Cache, Floats, Ints, Mask, offsets
from idealrank.decisions.decisions import Decisions
from idealrank.decisions.question import GainTable
from idealrank.evaluation.scoring import fill_of_no_relevant, score_measure
from idealrank.judged_lists.arrangement import arrange
from idealrank.judged_lists.join import Join
from idealrank.judged_lists.lists import JudgedLists, reaches
from idealrank.measures.definition import Measure
from idealrank.measures.gains import depth, gains
from idealrank.measures.steps import Steps


@dataclass(frozen=True, eq=False)
class SystemUnjudged:
    """One system's view of the holes: where they are, and what the measure does with their ranks.

    Attributes
    ----------
    value
        (Q,) values with every hole at grade 0; NaN where the query is left out.
    empty
        (Q,) whether the system returned nothing: then its value depends on no grade.
    whole
        All its results.
    hit
        (N,) the hit of each hole in `whole`, -1 for none.
    steps
        What the measure does; its lists end at the cutoff.
    limit
        The last rank that counts; None: all.
    """

    value: Floats
    empty: Mask
    whole: JudgedLists
    hit: Ints
    steps: Steps
    limit: float | None
    kept: Cache = field(default_factory=Cache, init=False, repr=False)

    @functools.cached_property
    def total(self) -> Floats:
        """(Q,) what the results add up to with every hole at grade 0."""
        return self.steps.lists.per_query(self.steps.contribution)

    @functools.cached_property
    def rank(self) -> Ints:
        """(N,) rank of each hole; 0 where it is not among the results that count."""
        ranks = np.where(self.hit >= 0, self.whole.rank[self.hit] if len(self.whole.rank) else 0, 0)
        return ranks if self.limit is None else np.where(ranks <= self.limit, ranks, 0)

    @functools.cached_property
    def unjudged_of_whole(self) -> Ints:
        """The hole that each hit of `whole` is; -1 for none."""
        unjudged = np.full(len(self.whole.rank), -1)
        returned = np.flatnonzero(self.hit >= 0)
        unjudged[self.hit[returned]] = returned
        return unjudged

    @functools.cached_property
    def unjudged(self) -> Ints:
        """(H,) the hole that each hit of the lists of `steps` is; -1 for none."""
        if self.steps.lists is self.whole:
            return self.unjudged_of_whole
        of_row = np.full(int(self.whole.row.max(initial=-1)) + 2, -1)  # the last cell is for a row of -1
        of_row[self.whole.row] = self.unjudged_of_whole
        return of_row[self.steps.lists.row]

    def of_unjudged(self, values: Floats) -> Floats:
        """(N,) values of hits, for the holes among them; 0 for the others."""
        by_document = np.zeros(len(self.hit))
        at = np.flatnonzero(self.unjudged >= 0)
        by_document[self.unjudged[at]] = values[at]
        return by_document


@dataclass(frozen=True, eq=False)
class UnjudgedDocs:
    """N holes of Q judged queries, by query, then by document id (as UTF-8 bytes).

    Attributes
    ----------
    query, document
        (N,) index of the query, document id.
    start
        (Q + 1,) holes of query q are ``start[q]:start[q + 1]``.
    row
        (S, N) row in the results of each system; -1 where it did not return the document.
    """

    query: Ints
    document: tuple[str, ...]
    start: Ints
    row: Ints

    @property
    def size(self) -> int:
        """Number of holes N."""
        return len(self.query)

    def hits(self, s: int, lists: JudgedLists) -> Ints:
        """(N,) index of the hit that is the hole, in dense lists of a system; -1 for none."""
        # One cell more than there are rows: a row of -1, for none, reads the last cell, which stays -1.
        of_row = np.full(int(max(lists.row.max(initial=-1), self.row[s].max(initial=-1))) + 2, -1)
        kept = np.flatnonzero(lists.row >= 0)
        of_row[lists.row[kept]] = kept
        hits: Ints = of_row[self.row[s]]
        return hits


@dataclass(frozen=True, eq=False)
class FillingScale:
    """What is known and what is not: measure, holes, scale, one side per system; whether any result is tied."""

    measure: Measure
    docs: UnjudgedDocs
    sides: tuple[SystemUnjudged, ...]
    scale: Floats
    unseen: int
    tied: bool
    kept: Cache = field(default_factory=Cache, init=False, repr=False)

    @property
    def size(self) -> int:
        """Number of queries Q."""
        return len(self.docs.start) - 1

    @functools.cached_property
    def worth(self) -> Floats:
        """What the grades of the scale are worth to the measure: gains, or 0 and 1."""
        return self.worth_of(self.scale)

    def worth_of(self, grade: Floats) -> Floats:
        """Return what grades are worth to the measure; an unjudged one (NaN) is worth 0."""
        under = self.measure.decisions
        if "gain" in self.measure.definition.reads:
            return gains(grade, under)
        return reaches(grade, under.relevant_from).astype(np.float64)

    def now(self, side: SystemUnjudged | None) -> Floats:
        """(Q,) values of a side with every hole at grade 0; 0 for no side."""
        return np.zeros(self.size) if side is None else side.value

    @property
    def fill(self) -> float:
        """What `no_relevant` makes of 0/0."""
        return fill_of_no_relevant(self.measure.decisions)


def filling_scale(
    joins: Sequence[Join], measure: Measure, docs: UnjudgedDocs, grades: Floats, unseen: int, tied: bool
) -> FillingScale:
    """Compute each system's side."""
    sides = tuple(_system_unjudged(join, measure, docs, s) for s, join in enumerate(joins))
    return FillingScale(measure, docs, sides, grades, unseen, tied)


def _system_unjudged(join: Join, measure: Measure, docs: UnjudgedDocs, s: int) -> SystemUnjudged:
    whole, joined = dense_lists(join, measure), join.lists_for(measure.on_lists)
    return SystemUnjudged(
        value=score_measure(joined, measure)[0],
        empty=joined.judged.returned == 0,
        whole=whole,
        hit=docs.hits(s, whole),
        steps=measure.steps(whole),
        limit=depth(measure.cutoff, measure.decisions),
    )


def with_grades(lists: JudgedLists, hit: Ints, grade: Floats | float) -> JudgedLists:
    """Return the lists with a grade for each hit given; the judgments stay as they are."""
    filled = lists.grade.copy()
    filled[hit] = grade
    return replace(lists, grade=filled)


def find_unjudged(joins: Sequence[Join], measure: Measure, known: Cache) -> UnjudgedDocs:
    """Find the unjudged documents within the measure's depth of any system; one document is one hole.

    Where the judgments are assumed to be complete there are none.

    Parameters
    ----------
    known
        Those of other measures.
    """
    every = tuple(dense_lists(join, measure) for join in joins)
    limit = depth(measure.cutoff, measure.decisions)
    longest = max(int(lists.returned.max(initial=0)) for lists in every)
    if measure.decisions.unjudged == "complete":
        return known.once((every, "complete"), lambda: _none_unjudged(every[0].size, len(joins)))
    key = (every, None if limit is None or limit >= longest else limit)  # lists are equal only to themselves
    return known.once(key, lambda: _find_in_lists(joins, every, measure))


def _find_in_lists(joins: Sequence[Join], every: Sequence[JudgedLists], measure: Measure) -> UnjudgedDocs:
    named = [_unjudged_in_depth(*one, measure) for one in zip(joins, every, strict=True)]
    queries = [query for names, _ in named for query in names]
    size = every[0].size
    if not queries:
        return _none_unjudged(size, len(joins))
    judged_queries = joins[0].lists(measure.on_lists).pool.queries
    pool = _pool_of_unjudged([judged_queries[query] for query in queries], [doc for _, docs in named for doc in docs])
    place = {name: index for index, name in enumerate(judged_queries)}
    counts = np.zeros(size, np.int64)
    counts[[place[name] for name in pool.queries]] = np.diff(pool.start)
    row = np.stack([_rows_of_unjudged(pool, join, measure) for join in joins])
    document = tuple(pool.docs(np.arange(len(pool.grade))))
    return UnjudgedDocs(np.repeat(np.arange(size), counts), document, offsets(counts), row)


def _none_unjudged(size: int, systems: int) -> UnjudgedDocs:
    return UnjudgedDocs(np.zeros(0, np.int64), (), np.zeros(size + 1, np.int64), np.zeros((systems, 0), np.int64))


def dense_lists(join: Join, measure: Measure) -> JudgedLists:
    """Return all results as the measure sees them, an unjudged one with the grade NaN."""
    return arrange(join.lists_for(measure.on_lists, "dense").lists, measure.on_lists.but(unjudged="zero"))


def _unjudged_in_depth(join: Join, lists: JudgedLists, measure: Measure) -> tuple[list[int], list[str]]:
    limit = depth(measure.cutoff, measure.decisions)
    first = lists.tie_first if lists.ranks == "averaged" else lists.rank
    within: Mask = np.isnan(lists.grade) & (lists.row >= 0)
    at = np.flatnonzero(within if limit is None else within & (first <= limit))
    return lists.query[at].tolist(), join.lists_for(measure.on_lists, "dense").run.docs(lists.row[at])


def _pool_of_unjudged(queries: list[str], docs: list[str]) -> Pool:
    # A document that several systems returned comes several times: "max" keeps one, all grades being 0.
    frame = from_columns(["query", "doc", "grade"], [queries, docs, np.zeros(len(docs))])
    return Pool(frame.column(0), frame.column(1), frame.column(2), "max")


def _rows_of_unjudged(pool: Pool, join: Join, measure: Measure) -> Ints:
    """(N,) the row of each hole in the results of a system, found by joining them to the holes."""
    joined = join.lists_for(measure.on_lists, "dense")
    order: Any = joined.order
    # The holes take the place of the judgments: then the core finds their rows as it finds those of judged documents.
    judged = judge(pool, joined.run, order, "given", "float64", "close", False)
    _, _, entry, row, *_ = judged.hits(0, len(pool.queries))
    rows = np.full(len(pool.grade), -1)
    rows[entry] = row
    return rows


MOST_STEPS = 1000
"""Whole steps of a scale: a grade above them is a number of another kind, such as an article's in the wrong column."""


def grade_scale(grades: Floats, top: float, decisions: Decisions) -> Floats:
    """Return the grades of the scale, lowest first.

    Where all judged grades and the top are whole: 0 to the top in whole steps, if those are not more than
    `MOST_STEPS`. Else the distinct judged grades, 0 and the top. Grades below zero belong to it where they
    count (``negative=keep``). Under a gain table, the grades it names.

    Parameters
    ----------
    grades
        The different judged grades.
    top
        Top of the scale: declared, or the highest grade in the whole table.
    """
    counting = grades if decisions.negative == "keep" else grades[grades >= 0]
    distinct = np.unique(np.concatenate((counting, [0.0, top])))
    if isinstance(decisions.gain, GainTable):
        named = [grade for grade, _ in decisions.gain]
        return np.unique(
            [0.0, *(grade for grade in (*named, *distinct) if grade in named and distinct[0] <= grade <= top)]
        )
    if np.array_equal(distinct, np.trunc(distinct)) and distinct[-1] - distinct[0] <= MOST_STEPS:
        return np.arange(distinct[0], distinct[-1] + 1.0)
    return distinct
