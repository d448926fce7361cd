"""The counts behind the ledger, as plain values: those of parts of the queries are joined into those of all."""

from __future__ import annotations

import enum
import itertools
import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, fields, is_dataclass, replace
from typing import Any, TypeVar

import numpy as np

from idealrank.arrays import Ints
from idealrank.data.ids import natural_order
from idealrank.data.latency_columns import Clock

# How what was counted in parts is joined: by what a field contains, unless its declaration says otherwise.


T = TypeVar("T")


def join(parts: Sequence[T], order: Ints) -> T:
    """Join what was counted in parts of the queries: numbers are added, of texts the first that says anything counts.

    Parameters
    ----------
    order
        (Q,) the places of the judged queries of all parts, in the order of all queries: columns of them are brought
        into it. Queries that are named are brought into their natural order.
    """
    return parts[0] if len(parts) == 1 else _join(parts, order)  # those of one part are in order already


def _join(parts: Sequence[Any], order: Ints) -> Any:
    there = [part for part in parts if part is not None]
    first: Any = there[0] if there else None
    if is_dataclass(first) and not isinstance(first, type):
        whole = {}
        for each in fields(first):
            values, joined = [getattr(part, each.name) for part in there], each.metadata.get("joined")
            whole[each.name] = joined(values) if joined else _join(values, order)
        return replace(first, **whole)
    if isinstance(first, np.ndarray):
        return first[..., order] if len(there) == 1 else _join_columns(there, order)
    if isinstance(first, Mapping):
        keys = dict.fromkeys(itertools.chain.from_iterable(there))
        return {key: _join([part[key] for part in there if key in part], order) for key in keys}
    if isinstance(first, tuple):
        return in_order(itertools.chain.from_iterable(there))
    if isinstance(first, str | bool):
        return _first(there)
    return None if first is None else sum(there[1:], first)


def _join_columns(parts: Sequence[Any], order: Ints) -> Any:
    """Write the columns of each part where they belong, as there may be too many to hold them a third time."""
    place = np.empty_like(order)
    place[order] = np.arange(len(order))
    whole, first = np.empty((*parts[0].shape[:-1], len(order)), parts[0].dtype), 0
    for part in parts:
        whole[..., place[first : first + part.shape[-1]]] = part
        first += part.shape[-1]
    return whole


def in_order(found: Iterable[Any]) -> tuple[Any, ...]:
    """Return queries, or pairs with one, in the natural order of the queries."""
    named = [(each if isinstance(each, str) else each[0], each) for each in found]
    place = {query: i for i, query in enumerate(natural_order(list(dict(named)))[1])}
    return tuple(each for _, each in sorted(named, key=lambda pair: place[pair[0]]))


def _first(values: Sequence[Any]) -> Any:
    """Return the first that says anything."""
    return next(filter(None, values), values[0])


def _longest(values: Sequence[Any]) -> Any:
    return max(values, key=len)


def _united(values: Sequence[Iterable[Any]]) -> tuple[Any, ...]:
    return tuple(dict.fromkeys(itertools.chain.from_iterable(values)))


def _sorted(values: Sequence[Iterable[str]]) -> tuple[str, ...]:
    return tuple(sorted(_united(values)))


def _by_query(values: Sequence[Mapping[str, int]]) -> dict[str, int]:
    every = {query: many for part in values for query, many in part.items()}
    return {query: every[query] for query in natural_order(list(every))[1]}


FIRST, LONGEST, LEAST, MOST, ALL = ({"joined": joined} for joined in (_first, _longest, min, max, all))
UNITED, SORTED, BY_QUERY = ({"joined": joined} for joined in (_united, _sorted, _by_query))
"""How fields are joined that are not joined by what they contain."""


# All that was counted.


@dataclass(frozen=True, eq=False, kw_only=True)
class Counts:
    """What was counted in the tables of an evaluation, or of a bucket: the ledger is made from nothing else.

    Attributes
    ----------
    judged, returned
        Counts of the judgments, and of the results of each system.
    texts
        Texts of the queries, by id, where the judgments or any results have them.
    near_ids
        For each system, sentences about ids that differ only in spelling; empty for a bucket, which cannot know.
    """

    judged: JudgmentCounts
    returned: tuple[ResultCounts, ...]
    texts: Mapping[str, str]
    near_ids: tuple[tuple[str, ...], ...] = ()

    @classmethod
    def join(cls, counts: Sequence[Counts], order: Ints, near_ids: tuple[tuple[str, ...], ...] = ()) -> Counts:
        """Join the counts of parts of the queries; `order` is as for `join`."""
        returned = zip(*(each.returned for each in counts), strict=True)
        return cls(
            judged=join([each.judged for each in counts], order),
            returned=tuple(join(of, order) for of in returned),
            texts=join([each.texts for each in counts], order),
            near_ids=near_ids,
        )

    def at(self, places: Ints) -> Counts:
        """Return the counts with the columns of some of the judged queries, by their places."""
        return replace(self, returned=tuple(_join([each], places) for each in self.returned))

    def select_systems(self, places: Sequence[int]) -> Counts:
        """Return the counts of some of the systems."""
        near_ids = tuple(self.near_ids[s] for s in places) if self.near_ids else ()
        return replace(self, returned=tuple(self.returned[s] for s in places), near_ids=near_ids)


# What was counted in one system's results: all that the ledger says of them.


class Nothing(enum.IntEnum):
    """Why a system has no results for a judged query that was asked for."""

    RETURNED = 0
    """It has some, or was not asked for."""
    EMPTY = 1
    """Nothing came back."""
    NEVER_ASKED = 2
    """No search was made, where a column of steps tells."""
    FAILED = 3
    """The search failed."""


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
    lengths, nothing
        (Q,) how many results each judged query has; codes of `Nothing`.
    tied, holes
        (Q,) tied results of each judged query that was asked for; by depth (None: all), (2, Q) its results that nobody
        judged, and all its results.
    unjudged, in_scope
        Queries with results but without judgments (results without one are `holes`); those of them asked for.
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
    tied_by, hits, chunks
        Tied results by order; judged results; of spans, how many chunks there are, hit, and only repeat.
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
    """

    name: str = ""
    columns: dict[str, str] = field(default_factory=dict, metadata=LONGEST)
    form: str = ""
    read_as: str = field(default="", metadata=LONGEST)
    warned: tuple[str, ...] = field(default=(), metadata=FIRST)
    orders: dict[str, str] = field(default_factory=dict)
    format: str = ""
    systems: int = field(metadata=MOST)
    order: str = ""
    pooled: bool
    shared: bool
    one_query: bool
    like_judgments: bool = field(default=False, metadata=ALL)
    lengths: Ints
    nothing: Ints
    tied: Ints
    holes: dict[int | None, Ints]
    unjudged: tuple[str, ...] = ()
    in_scope: tuple[str, ...] = ()
    results: int
    kept: int
    merged: int
    table_rows: int
    rows: dict[str, int] = field(default_factory=dict)
    nameless: dict[str, int] = field(default_factory=dict, metadata=BY_QUERY)
    judged_only: int
    excluded: int
    lowest_rank: float = field(metadata=LEAST)
    aside: int
    errors: dict[str, str] = field(default_factory=dict)
    conflicting: int = 0
    opposite: int = 0
    compared: int = 0
    unscored: bool = False
    tied_by: dict[str, int] = field(default_factory=dict)
    hits: int
    chunks: dict[str, int] = field(default_factory=dict)
    searches: SearchCounts | None
    record: dict[str, Any] | None = field(default=None, metadata=FIRST)
    shown_depths: tuple[int, ...] = field(default=(), metadata=FIRST)
    reads_ranks: bool = False
    groups: dict[tuple[str, int], int] = field(default_factory=dict)
    times: TimeCounts | None = None
    ranks: RankCounts | None = None
    scores: ScoreCounts | None = None

    @property
    def longest(self) -> int:
        """The number of results of the longest list."""
        return int(self.lengths.max(initial=0))

    def without_table(self) -> ResultCounts:
        """Return the counts of a bucket without rows, which does not know what the table is."""
        return replace(
            self, name="", columns={}, form="", read_as="", warned=(), orders={}, format="", order="", shown_depths=(),
            one_query=False, like_judgments=True, reads_ranks=False, shared=False, pooled=False, table_rows=0,
            excluded=0, times=None, searches=None, record=None,
        )  # fmt: skip


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
    same: float = field(default=math.inf, metadata=LEAST)
    fraction: float = field(default=math.inf, metadata=LEAST)


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
    same: float = field(default=math.inf, metadata=LEAST)


# What was counted of queries that were searched for several times: what was asked for, and what came back.


TaskDocument = tuple[str, str]
"""A task and a document."""


@dataclass(frozen=True, kw_only=True)
class SearchCounts:
    """How many searches a system made, and which relevant documents these did not return.

    Attributes
    ----------
    by_search
        Whether every search is a query of its own.
    searches, tasks, most
        Searches, tasks searched for, and the most searches for one.
    missed, never_asked
        Relevant documents that were asked for and did not come back, and those nobody asked for.
    never_found
        By measure, the queries that a number of searches counts as never found.
    """

    by_search: bool
    searches: int
    tasks: int
    most: int = field(metadata=MOST)
    missed: tuple[TaskDocument, ...] = ()
    never_asked: tuple[TaskDocument, ...] = ()
    never_found: dict[str, tuple[str, ...]] = field(default_factory=dict)


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
    columns: dict[str, str] = field(default_factory=dict, metadata=LONGEST)
    form: str = ""
    read_as: str = field(default="", metadata=LONGEST)
    warned: tuple[str, ...] = field(default=(), metadata=FIRST)
    scale: dict[str, float] = field(default_factory=dict, metadata=FIRST)
    raters: tuple[str, ...] = field(default=(), metadata=UNITED)
    graded: bool
    named_relevant: bool = False
    table_rows: int
    rated: int
    lowest: float = field(metadata=LEAST)
    highest: float = field(metadata=MOST)
    below_zero: int
    low: dict[tuple[str, float], int] = field(default_factory=dict)
    tops: dict[str, float] = field(default_factory=dict, metadata=FIRST)
    ungraded: int
    ungraded_queries: tuple[str, ...] = ()
    one_query: bool
    dropped: int
    several: int
    missing_ratings: int
    merged: int
    units: int
    fractional: bool
    ranked: bool = field(metadata=ALL)
    inflated: bool
    score_graded: bool
    texts: Mapping[str, str] = field(default_factory=dict)
    differing: tuple[str, ...] = field(default=(), metadata=SORTED)

    def without_table(self) -> JudgmentCounts:
        """Return the counts of a bucket without rows, which does not know what the table is."""
        return replace(
            self, name="", columns={}, form="", read_as="", warned=(), scale={}, graded=False, tops={}, one_query=False,
            fractional=False, ranked=True, inflated=False, score_graded=False,
        )  # fmt: skip
