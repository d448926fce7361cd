"""The counts behind the ledger, as plain values: those of buckets add up to those of all queries."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence, Sized
from dataclasses import dataclass, field, replace
from typing import Any, Protocol, TypeVar

import numpy as np

from idealrank.arrays import Ints
from idealrank.data.ids import natural_order
from idealrank.data.latency_columns import Clock
from idealrank.judged_lists.near_ids import Candidate, UnmatchedDocuments

# All that was counted.


@dataclass(frozen=True, eq=False, kw_only=True)
class Counts:
    """What was counted in the tables of an evaluation, or of a bucket: the ledger is made from nothing else.

    Attributes
    ----------
    judged, returned
        Counts of the judgments, and of the results of each system.
    lengths
        (S, Q) how many results each system returned for each judged query.
    texts
        Texts of the queries, by id, where the judgments or any results have them.
    near_ids
        For each system, sentences about ids that differ only in spelling; empty for a bucket, which cannot know.
    """

    judged: JudgmentCounts
    returned: tuple[ResultCounts, ...]
    lengths: Ints
    texts: Mapping[str, str]
    near_ids: tuple[tuple[str, ...], ...] = ()

    @classmethod
    def merge(cls, counts: Sequence[Counts], order: Ints, near_ids: tuple[tuple[str, ...], ...] = ()) -> Counts:
        """Add up the counts of all buckets.

        Parameters
        ----------
        order
            (Q,) the places of the judged queries of all buckets, in the order of all queries.
        """
        if len(counts) == 1:  # its queries are in order already
            return replace(counts[0], near_ids=near_ids)
        return cls(
            judged=add_up([each.judged for each in counts]).sort_queries(),
            returned=tuple(add_up(of).sort_queries() for of in zip(*(each.returned for each in counts), strict=True)),
            lengths=np.concatenate([each.lengths for each in counts], axis=1)[:, order],
            texts={query: text for each in counts for query, text in each.texts.items()},
            near_ids=near_ids,
        )

    def select_systems(self, places: Sequence[int]) -> Counts:
        """Return the counts of some of the systems."""
        return replace(
            self,
            returned=tuple(self.returned[s] for s in places),
            lengths=self.lengths[list(places)],
            near_ids=tuple(self.near_ids[s] for s in places) if self.near_ids else (),
        )


# What was counted in one system's results: all that the ledger says of them.


Holes = dict[int | None, tuple[int, int]]
"""By depth (None: all), how many results nobody judged, and how many results there are."""


@dataclass(frozen=True, kw_only=True)
class TimeCounts:
    """How long searches took.

    Attributes
    ----------
    times
        By clock, the milliseconds of each query whose time is known.
    searched, failed
        The queries that were searched for, and those whose search failed.
    unread
        By clock, why a column that may be about something else was not read.
    """

    times: Mapping[Clock, dict[str, float]] = field(default_factory=dict)
    searched: tuple[str, ...] = ()
    failed: tuple[str, ...] = ()
    unread: Mapping[Clock, str] = field(default_factory=dict)

    def __add__(self, other: TimeCounts) -> TimeCounts:
        return TimeCounts(
            times={key: _unite(times, other.times.get(key, {})) for key, times in self.times.items()},
            searched=self.searched + other.searched,
            failed=self.failed + other.failed,
            unread={key: why or other.unread.get(key, "") for key, why in self.unread.items()},
        )


@dataclass(frozen=True, kw_only=True)
class ResultCounts:
    """What was counted in one system's results, or in those of some queries.

    Attributes
    ----------
    name, columns, form, read_as, warned, orders, format, systems, order
        What the table is, what it was read as, and what of that is a warning; by answer to `order_by`, what orders
        it; how many systems it has.
    pooled, shared, one_query, like_judgments
        Whether all systems are one list; whether it is the table of the judgments; whether there is no column of
        queries; whether it has grades, and neither ranks nor scores.
    judged_and_returned
        How many judged queries that were asked for have results.
    empty, never_asked, failed
        Those without results; those no search was made for, where a column of steps tells; those whose search failed.
    unjudged, in_scope
        Queries with results but without judgments (results without one are `holes`); those of them asked for.
    left_out
        Judged queries that were not asked for.
    results, kept, merged
        Results; units they are rolled up to, and parts that are results of nothing then.
    table_rows
        How many rows the table has.
    rows, nameless, judged_only, excluded, lowest_rank, aside, errors
        Counts of rows by what they are; those without a document by query; those that only judge; those on a list to
        exclude; the lowest rank; results of failed searches; by query, why its search failed.
    conflicting, opposite, compared
        Queries in which rank and score disagree, in which they run against each other, and all with both.
    unscored
        Whether a query has results, but no score for any.
    tied, tied_queries, tied_by, holes, hits, longest, chunks
        Tied results and the queries with some; tied results by order; results nobody judged by depth; judged results;
        the longest list; of spans, how many chunks there are, hit, and only repeat.
    searches
        What was searched for in several steps; None if there is no such column.
    record
        What a replay said it asked.
    shown_depths, reads_ranks
        The depths whose holes are said; whether the ranks say anything.
    groups
        By group of measures that read the same lists, what is counted in their lists.
    times
        How long searches took; None if no table says it.
    ranks, scores
        What is odd about the ranks, and about the scores; None if nobody reads them.
    candidates, missed
        The first queries with unjudged results and judged documents that were not returned; and these documents, if
        they cannot be looked up cheaply.
    """

    name: str = ""
    columns: dict[str, str] = field(default_factory=dict)
    form: str = ""
    read_as: str = ""
    warned: tuple[str, ...] = ()
    orders: dict[str, str] = field(default_factory=dict)
    format: str = ""
    systems: int
    order: str = ""
    pooled: bool
    shared: bool
    one_query: bool
    like_judgments: bool = False
    judged_and_returned: int
    empty: tuple[str, ...] = ()
    never_asked: tuple[str, ...] = ()
    failed: tuple[str, ...] = ()
    unjudged: tuple[str, ...] = ()
    in_scope: tuple[str, ...] = ()
    left_out: int
    results: int
    kept: int
    merged: int
    table_rows: int
    rows: dict[str, int] = field(default_factory=dict)
    nameless: dict[str, int] = field(default_factory=dict)
    judged_only: int
    excluded: int
    lowest_rank: float
    aside: int
    errors: dict[str, str] = field(default_factory=dict)
    conflicting: int = 0
    opposite: int = 0
    compared: int = 0
    unscored: bool = False
    tied: int
    tied_queries: int
    tied_by: dict[str, int] = field(default_factory=dict)
    holes: Holes = field(default_factory=dict)
    hits: int
    longest: int
    chunks: dict[str, int] = field(default_factory=dict)
    searches: SearchCounts | None
    record: dict[str, Any] | None = None
    shown_depths: tuple[int, ...] = ()
    reads_ranks: bool = False
    groups: dict[tuple[str, int], int] = field(default_factory=dict)
    times: TimeCounts | None = None
    ranks: RankCounts | None = None
    scores: ScoreCounts | None = None
    candidates: tuple[Candidate, ...] = ()
    missed: tuple[UnmatchedDocuments, ...] = ()

    def __add__(self, other: ResultCounts) -> ResultCounts:
        return ResultCounts(
            name=self.name or other.name,
            columns=_longer(self.columns, other.columns),
            form=self.form or other.form,
            read_as=_longer(self.read_as, other.read_as),
            warned=self.warned or other.warned,
            orders=self.orders or other.orders,
            format=self.format or other.format,
            systems=max(self.systems, other.systems),
            order=self.order or other.order,
            pooled=self.pooled or other.pooled,
            shared=self.shared or other.shared,
            one_query=self.one_query or other.one_query,
            like_judgments=self.like_judgments and other.like_judgments,
            judged_and_returned=self.judged_and_returned + other.judged_and_returned,
            empty=self.empty + other.empty,
            never_asked=self.never_asked + other.never_asked,
            failed=self.failed + other.failed,
            unjudged=self.unjudged + other.unjudged,
            in_scope=self.in_scope + other.in_scope,
            left_out=self.left_out + other.left_out,
            results=self.results + other.results,
            kept=self.kept + other.kept,
            merged=self.merged + other.merged,
            table_rows=self.table_rows + other.table_rows,
            rows=_add_by_key(self.rows, other.rows),
            nameless=_add_by_key(self.nameless, other.nameless),
            judged_only=self.judged_only + other.judged_only,
            excluded=self.excluded + other.excluded,
            lowest_rank=min(self.lowest_rank, other.lowest_rank),
            aside=self.aside + other.aside,
            errors=_unite(self.errors, other.errors),
            conflicting=self.conflicting + other.conflicting,
            opposite=self.opposite + other.opposite,
            compared=self.compared + other.compared,
            unscored=self.unscored or other.unscored,
            tied=self.tied + other.tied,
            tied_queries=self.tied_queries + other.tied_queries,
            tied_by=_add_by_key(self.tied_by, other.tied_by),
            holes=_add_pairs_by_key(self.holes, other.holes),
            hits=self.hits + other.hits,
            longest=max(self.longest, other.longest),
            chunks=_add_by_key(self.chunks, other.chunks),
            searches=_add_optional(self.searches, other.searches),
            record=self.record or other.record,
            shown_depths=self.shown_depths or other.shown_depths,
            reads_ranks=self.reads_ranks or other.reads_ranks,
            groups=_add_by_key(self.groups, other.groups),
            times=_add_optional(self.times, other.times),
            ranks=_add_optional(self.ranks, other.ranks),
            scores=_add_optional(self.scores, other.scores),
            candidates=self.candidates + other.candidates,
            missed=self.missed + other.missed,
        )

    def without_table(self) -> ResultCounts:
        """Return the counts of a bucket without rows, which does not know what the table is."""
        return replace(
            self, name="", columns={}, form="", read_as="", warned=(), orders={}, format="", order="", shown_depths=(),
            one_query=False, like_judgments=True, reads_ranks=False, shared=False, pooled=False, table_rows=0,
            excluded=0, times=None, searches=None, record=None,
        )  # fmt: skip

    def sort_queries(self) -> ResultCounts:
        """Return the counts with the queries that they name in natural order."""
        named = ("empty", "never_asked", "failed", "unjudged", "in_scope")
        rows: dict[str, Any] = {name: tuple(natural_order(getattr(self, name))[1]) for name in named}
        place = {candidate.query: candidate for candidate in self.candidates}
        return replace(
            self,
            **rows,
            candidates=tuple(place[query] for query in natural_order(list(place))[1]),
            nameless={query: self.nameless[query] for query in natural_order(list(self.nameless))[1]},
            searches=self.searches and self.searches.sort_queries(),
        )


# What was counted in the ranks of one system's results.


@dataclass(frozen=True, kw_only=True)
class RankCounts:
    """What was counted in the ranks of a system, or of some of its queries.

    Attributes
    ----------
    lists, several
        Queries with results, and those with more than one.
    first
        By the rank that a list begins with, how many do.
    level, fractional, late, gapped
        Queries whose results all have one rank; with fractions as ranks; that begin after rank 1; that leave out a rank
        in between.
    same, fraction
        The least rank that all results of a query have, and the least with a fraction: examples for a message.
    """

    lists: int = 0
    several: int = 0
    first: Mapping[int, int] = field(default_factory=dict)
    level: tuple[str, ...] = ()
    fractional: tuple[str, ...] = ()
    late: tuple[str, ...] = ()
    gapped: tuple[str, ...] = ()
    same: float = math.inf
    fraction: float = math.inf

    def __add__(self, other: RankCounts) -> RankCounts:
        return RankCounts(
            lists=self.lists + other.lists,
            several=self.several + other.several,
            first=_add_by_key(self.first, other.first),
            level=self.level + other.level,
            fractional=self.fractional + other.fractional,
            late=self.late + other.late,
            gapped=self.gapped + other.gapped,
            same=min(self.same, other.same),
            fraction=min(self.fraction, other.fraction),
        )


# What was counted in the scores of one system's results.


@dataclass(frozen=True, kw_only=True)
class ScoreCounts:
    """What was counted in the scores that order a system's results, or those of some queries.

    Attributes
    ----------
    several, distinct
        Queries with more than one result, and those whose scores change at least twice down the list.
    level, rising
        Queries whose results all have one score; whose scores rise from row to row, and with the ranks if there are
        any.
    swapped
        Queries whose scores count the rows from 1, as ranks do, beside ranks that do not.
    same
        The least score that all results of a query have: an example for a message.
    """

    several: int = 0
    distinct: int = 0
    level: tuple[str, ...] = ()
    rising: tuple[str, ...] = ()
    swapped: tuple[str, ...] = ()
    same: float = math.inf

    def __add__(self, other: ScoreCounts) -> ScoreCounts:
        return ScoreCounts(
            several=self.several + other.several,
            distinct=self.distinct + other.distinct,
            level=self.level + other.level,
            rising=self.rising + other.rising,
            swapped=self.swapped + other.swapped,
            same=min(self.same, other.same),
        )


# What was counted of queries that were searched for several times: what was asked for, and what came back.


TaskDocument = tuple[str, str]
"""A task and a document."""


@dataclass(frozen=True, kw_only=True)
class SearchCounts:
    """How many searches a system made, and which relevant documents these did not return.

    Attributes
    ----------
    apart
        Whether every search is a query of its own.
    searches, tasks, most
        Searches, tasks searched for, and the most searches for one.
    missed, never_asked
        Relevant documents that were asked for and did not come back, and those nobody asked for.
    never_found
        By measure, the queries that a number of searches counts as never found.
    """

    apart: bool
    searches: int
    tasks: int
    most: int
    missed: tuple[TaskDocument, ...] = ()
    never_asked: tuple[TaskDocument, ...] = ()
    never_found: dict[str, tuple[str, ...]] = field(default_factory=dict)

    def __add__(self, other: SearchCounts) -> SearchCounts:
        return SearchCounts(
            apart=self.apart or other.apart,
            searches=self.searches + other.searches,
            tasks=self.tasks + other.tasks,
            most=max(self.most, other.most),
            missed=self.missed + other.missed,
            never_asked=self.never_asked + other.never_asked,
            never_found=_chain_by_key(self.never_found, other.never_found),
        )

    def sort_queries(self) -> SearchCounts:
        """Return the counts with the tasks and the queries that they name in natural order."""
        tasks = list({task for task, _ in (*self.missed, *self.never_asked)})
        place = {task: i for i, task in enumerate(natural_order(tasks)[1])}
        every = (self.missed, self.never_asked)
        missed, never = (tuple(sorted(pairs, key=lambda pair: place[pair[0]])) for pairs in every)
        found = {label: tuple(natural_order(queries)[1]) for label, queries in self.never_found.items()}
        return replace(self, missed=missed, never_asked=never, never_found=found)


# What was counted in the judgments: all that the ledger says of them.


@dataclass(frozen=True, kw_only=True)
class JudgmentCounts:
    """What was counted in the judgments, or in those of some queries.

    Attributes
    ----------
    name, columns, form, read_as, warned, scale
        What the table is, what it was read as, and what of that is a warning.
    raters
        Who rated, where the table has several grades per document; empty for others.
    graded, named_relevant
        Whether there is a column of grades; whether a list or a column is named as that of relevant documents.
    table_rows, rated
        How many rows the table has, and how many with a rating.
    lowest, highest
        The lowest and the highest grade; infinite where there is none.
    below_zero, low
        Grades below zero; by measure and level, grades above 0 that do not reach it.
    tops
        By measure that reads it, the top of the scale.
    ungraded, ungraded_queries
        Rows without a grade; queries that have rows but no grade.
    one_query, dropped, several, missing_ratings
        Whether there is no column of queries; repeats; documents under several subtopics; ratings that are missing.
    merged, units
        Judgments merged with others of their unit; what is judged after that.
    fractional, ranked
        Whether it looks like results, since its score has fractions, or since it counts ranks.
    inflated, score_graded
        Whether every judged document was returned as it is the same table; whether its score is also the grade.
    texts, differing
        Texts of the queries, by id, if the table has them; ids of queries whose texts differ in any table.
    """

    name: str = ""
    columns: dict[str, str] = field(default_factory=dict)
    form: str = ""
    read_as: str = ""
    warned: tuple[str, ...] = ()
    scale: dict[str, float] = field(default_factory=dict)
    raters: tuple[str, ...] = ()
    graded: bool
    named_relevant: bool = False
    table_rows: int
    rated: int
    lowest: float
    highest: float
    below_zero: int
    low: dict[tuple[str, float], int] = field(default_factory=dict)
    tops: dict[str, float] = field(default_factory=dict)
    ungraded: int
    ungraded_queries: tuple[str, ...] = ()
    one_query: bool
    dropped: int
    several: int
    missing_ratings: int
    merged: int
    units: int
    fractional: bool
    ranked: bool
    inflated: bool
    score_graded: bool
    texts: Mapping[str, str] = field(default_factory=dict)
    differing: tuple[str, ...] = ()

    def __add__(self, other: JudgmentCounts) -> JudgmentCounts:
        return JudgmentCounts(
            name=self.name or other.name,
            columns=_longer(self.columns, other.columns),
            form=self.form or other.form,
            read_as=_longer(self.read_as, other.read_as),
            warned=self.warned or other.warned,
            scale=self.scale or other.scale,
            raters=tuple(dict.fromkeys(self.raters + other.raters)),
            graded=self.graded or other.graded,
            named_relevant=self.named_relevant or other.named_relevant,
            table_rows=self.table_rows + other.table_rows,
            rated=self.rated + other.rated,
            lowest=min(self.lowest, other.lowest),
            highest=max(self.highest, other.highest),
            below_zero=self.below_zero + other.below_zero,
            low=_add_by_key(self.low, other.low),
            tops=_unite(self.tops, other.tops),
            ungraded=self.ungraded + other.ungraded,
            ungraded_queries=self.ungraded_queries + other.ungraded_queries,
            one_query=self.one_query or other.one_query,
            dropped=self.dropped + other.dropped,
            several=self.several + other.several,
            missing_ratings=self.missing_ratings + other.missing_ratings,
            merged=self.merged + other.merged,
            units=self.units + other.units,
            fractional=self.fractional or other.fractional,
            ranked=self.ranked and other.ranked,
            inflated=self.inflated or other.inflated,
            score_graded=self.score_graded or other.score_graded,
            texts=_unite(self.texts, other.texts),
            differing=self.differing + other.differing,
        )

    def without_table(self) -> JudgmentCounts:
        """Return the counts of a bucket without rows, which does not know what the table is."""
        return replace(
            self, name="", columns={}, form="", read_as="", warned=(), scale={}, graded=False, tops={}, one_query=False,
            fractional=False, ranked=True, inflated=False, score_graded=False,
        )  # fmt: skip

    def sort_queries(self) -> JudgmentCounts:
        """Return the counts with the queries that they name in natural order."""
        ungraded = tuple(natural_order(self.ungraded_queries)[1])
        return replace(self, ungraded_queries=ungraded, differing=tuple(sorted(self.differing)))


# How two counts are added.


K = TypeVar("K")
V = TypeVar("V")
T = TypeVar("T", bound="_Addable")
Long = TypeVar("Long", bound=Sized)


class _Addable(Protocol):
    def __add__(self: T, other: T) -> T: ...


def add_up(counts: Sequence[T]) -> T:
    """Add up the counts of all buckets, in their order.

    By pairs of neighbours: adding one bucket after the other would copy the tuples of ids once per bucket.
    """
    while len(counts) > 1:
        pairs = [counts[i] + counts[i + 1] for i in range(0, len(counts) - 1, 2)]
        counts = pairs + list(counts[len(pairs) * 2 :])
    return counts[0]


def _add_optional(one: T | None, other: T | None) -> T | None:
    """Add counts of which either may be missing."""
    if one is None or other is None:
        return other if one is None else one
    return one + other


def _longer(one: Long, other: Long) -> Long:
    """Return the longer of two."""
    return one if len(one) >= len(other) else other


def _add_by_key(one: Mapping[K, int], other: Mapping[K, int]) -> dict[K, int]:
    """Add counts by key."""
    return {**one, **{key: count + one.get(key, 0) for key, count in other.items()}}


def _add_pairs_by_key(one: Holes, other: Holes) -> Holes:
    """Add pairs of counts by key."""
    none = (0, 0)
    sums = {key: (one.get(key, none)[0] + first, one.get(key, none)[1] + rest) for key, (first, rest) in other.items()}
    return {**one, **sums}


def _unite(one: Mapping[K, V], other: Mapping[K, V]) -> dict[K, V]:
    """Unite dicts; the first value of a key counts."""
    return {**one, **{key: value for key, value in other.items() if key not in one}}


def _chain_by_key(one: Mapping[K, tuple[V, ...]], other: Mapping[K, tuple[V, ...]]) -> dict[K, tuple[V, ...]]:
    """Put tuples together by key."""
    return {**one, **{key: one.get(key, ()) + values for key, values in other.items()}}
