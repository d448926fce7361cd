"""The counts behind the ledger as plain values, which add up over parts of an evaluation."""

from __future__ import annotations

import functools
import itertools
import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Annotated, Any, TypeVar, get_type_hints

from idealrank.data.latency_columns import Clock
from idealrank.judged_lists.near_ids import Candidate, UnmatchedDocuments

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

    times: Annotated[Mapping[Clock, dict[str, float]], "nested"] = field(default_factory=dict)
    searched: Annotated[tuple[str, ...], "joined"] = ()
    failed: Annotated[tuple[str, ...], "joined"] = ()
    unread: Annotated[Mapping[Clock, str], "said"] = field(default_factory=dict)


@dataclass(frozen=True, kw_only=True)
class ResultCounts:
    """What was counted in one system's results, or in those of some queries.

    Attributes
    ----------
    name, columns, form, read_as, orders, format, systems, order
        What the table is, and what it was read as; by answer to `order_by`, what orders it; how many systems it has.
    pooled, shared, one_query
        Whether all systems are one list; whether it is the table of the judgments; whether there is no column of
        queries.
    judged_and_returned, empty, never_asked, failed, unjudged, in_scope
        The account: how many queries, or which; of the queries without judgments those asked for, too.
    left_out
        Judged queries that were not asked for.
    results, kept, merged
        Results; units they are rolled up to, and parts that are results of nothing then.
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
        How long searches took.
    ranks, scores
        What is odd about the ranks, and about the scores; None if nothing is.
    candidates, missed
        The first queries with unjudged results and judged documents that were not returned; and these documents, if
        they cannot be looked up cheaply.
    """

    name: Annotated[str, "first"] = ""
    columns: Annotated[dict[str, str], "fullest"] = field(default_factory=dict)
    form: Annotated[str, "first"] = ""
    read_as: Annotated[str, "fullest"] = ""
    orders: Annotated[dict[str, str], "first"] = field(default_factory=dict)
    format: Annotated[str, "first"] = ""
    systems: Annotated[int, "most"]
    order: Annotated[str, "first"] = ""
    pooled: Annotated[bool, "any"]
    shared: Annotated[bool, "any"]
    one_query: Annotated[bool, "any"]
    judged_and_returned: Annotated[int, "sum"]
    empty: Annotated[tuple[str, ...], "joined"] = ()
    never_asked: Annotated[tuple[str, ...], "joined"] = ()
    failed: Annotated[tuple[str, ...], "joined"] = ()
    unjudged: Annotated[tuple[str, ...], "joined"] = ()
    in_scope: Annotated[tuple[str, ...], "joined"] = ()
    left_out: Annotated[int, "sum"]
    results: Annotated[int, "sum"]
    kept: Annotated[int, "sum"]
    merged: Annotated[int, "sum"]
    rows: Annotated[dict[str, int], "added"] = field(default_factory=dict)
    nameless: Annotated[dict[str, int], "added"] = field(default_factory=dict)
    judged_only: Annotated[int, "sum"]
    excluded: Annotated[int, "sum"]
    lowest_rank: Annotated[float, "least"]
    aside: Annotated[int, "sum"]
    errors: Annotated[dict[str, str], "united"] = field(default_factory=dict)
    conflicting: Annotated[int, "sum"] = 0
    opposite: Annotated[int, "sum"] = 0
    compared: Annotated[int, "sum"] = 0
    unscored: Annotated[bool, "any"] = False
    tied: Annotated[int, "sum"]
    tied_queries: Annotated[int, "sum"]
    tied_by: Annotated[dict[str, int], "added"] = field(default_factory=dict)
    holes: Annotated[Holes, "added"] = field(default_factory=dict)
    hits: Annotated[int, "sum"]
    longest: Annotated[int, "most"]
    chunks: Annotated[dict[str, int], "added"] = field(default_factory=dict)
    searches: Annotated[SearchCounts | None, "merged"]
    record: Annotated[dict[str, Any] | None, "first"] = None
    shown_depths: Annotated[tuple[int, ...], "first"] = ()
    reads_ranks: Annotated[bool, "any"] = False
    groups: Annotated[dict[tuple[str, int], int], "added"] = field(default_factory=dict)
    times: Annotated[TimeCounts | None, "merged"] = None
    ranks: Annotated[RankCounts | None, "merged"] = None
    scores: Annotated[ScoreCounts | None, "merged"] = None
    candidates: Annotated[tuple[Candidate, ...], "joined"] = ()
    missed: Annotated[tuple[UnmatchedDocuments, ...], "joined"] = ()

    def of_nothing(self) -> ResultCounts:
        """Return the counts of a part without rows, which does not know what the table is."""
        return replace(
            self, name="", columns={}, form="", read_as="", orders={}, format="", order="", shown_depths=(),
            one_query=False, reads_ranks=False, shared=False, pooled=False, excluded=0, times=None, searches=None,
            record=None,
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

    lists: Annotated[int, "sum"] = 0
    several: Annotated[int, "sum"] = 0
    first: Annotated[Mapping[int, int], "added"] = field(default_factory=dict)
    level: Annotated[tuple[str, ...], "joined"] = ()
    fractional: Annotated[tuple[str, ...], "joined"] = ()
    late: Annotated[tuple[str, ...], "joined"] = ()
    gapped: Annotated[tuple[str, ...], "joined"] = ()
    same: Annotated[float, "least"] = math.inf
    fraction: Annotated[float, "least"] = math.inf


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
    same
        The least score that all results of a query have: an example for a message.
    """

    several: Annotated[int, "sum"] = 0
    distinct: Annotated[int, "sum"] = 0
    level: Annotated[tuple[str, ...], "joined"] = ()
    rising: Annotated[tuple[str, ...], "joined"] = ()
    same: Annotated[float, "least"] = math.inf


# What was counted of queries that were searched for several times: what was asked for, and what came back.


Pair = tuple[str, str]
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

    apart: Annotated[bool, "any"]
    searches: Annotated[int, "sum"]
    tasks: Annotated[int, "sum"]
    most: Annotated[int, "most"]
    missed: Annotated[tuple[Pair, ...], "joined"] = ()
    never_asked: Annotated[tuple[Pair, ...], "joined"] = ()
    never_found: Annotated[dict[str, tuple[str, ...]], "chained"] = field(default_factory=dict)


# What was counted in the judgments: all that the ledger says of them.


@dataclass(frozen=True, kw_only=True)
class JudgmentCounts:
    """What was counted in the judgments, or in a part of them.

    Attributes
    ----------
    name, columns, form, read_as, scale
        What the table is, and what it was read as.
    graded, named_relevant
        Whether there is a column of grades; whether a list or a column is named as that of relevant documents.
    rated
        Rows with a rating.
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
    differing
        Ids of queries whose texts differ.
    """

    name: Annotated[str, "first"] = ""
    columns: Annotated[dict[str, str], "fullest"] = field(default_factory=dict)
    form: Annotated[str, "first"] = ""
    read_as: Annotated[str, "fullest"] = ""
    scale: Annotated[dict[str, float], "first"] = field(default_factory=dict)
    graded: Annotated[bool, "any"]
    named_relevant: Annotated[bool, "any"] = False
    rated: Annotated[int, "sum"]
    lowest: Annotated[float, "least"]
    highest: Annotated[float, "most"]
    below_zero: Annotated[int, "sum"]
    low: Annotated[dict[tuple[str, float], int], "added"] = field(default_factory=dict)
    tops: Annotated[dict[str, float], "united"] = field(default_factory=dict)
    ungraded: Annotated[int, "sum"]
    ungraded_queries: Annotated[tuple[str, ...], "joined"] = ()
    one_query: Annotated[bool, "any"]
    dropped: Annotated[int, "sum"]
    several: Annotated[int, "sum"]
    missing_ratings: Annotated[int, "sum"]
    merged: Annotated[int, "sum"]
    units: Annotated[int, "sum"]
    fractional: Annotated[bool, "any"]
    ranked: Annotated[bool, "all"]
    inflated: Annotated[bool, "any"]
    score_graded: Annotated[bool, "any"]
    differing: Annotated[tuple[str, ...], "joined"] = ()

    def of_nothing(self) -> JudgmentCounts:
        """Return the counts of a part without rows, which does not know what the table is."""
        return replace(
            self, name="", columns={}, form="", read_as="", scale={}, graded=False, tops={}, one_query=False,
            fractional=False, ranked=True, inflated=False, score_graded=False,
        )  # fmt: skip


# Counts of parts of an evaluation, put together: each field of a dataclass says how, as Annotated[type, rule].


T = TypeVar("T")


def _added(counts: Sequence[Mapping[Any, Any]]) -> dict[Any, Any]:
    """Add counts by key; those that are pairs, part by part."""
    total: dict[Any, Any] = {}
    for key, count in itertools.chain.from_iterable(one.items() for one in counts):
        before = total.get(key)
        if before is None:
            total[key] = count
        else:
            total[key] = (
                tuple(map(sum, zip(before, count, strict=True))) if isinstance(count, tuple) else before + count
            )
    return total


def _united(dicts: Sequence[Mapping[Any, Any]]) -> dict[Any, Any]:
    """Put dicts together; the first value of a key counts."""
    whole: dict[Any, Any] = {}
    for one in dicts:
        for key, value in one.items():
            whole.setdefault(key, value)
    return whole


RULES: dict[str, Callable[[Sequence[Any]], Any]] = {
    "sum": sum,
    "least": min,
    "most": max,
    "any": any,
    "all": all,
    "first": lambda values: next((value for value in values if value), values[0]),
    "fullest": lambda values: max(values, key=len),
    "joined": lambda values: tuple(itertools.chain.from_iterable(values)),
    "added": _added,
    "united": _united,
}
"""How the values of a field are put together: ``first`` is the first that says anything, ``fullest`` the longest."""


def merge_counts(parts: Sequence[T]) -> T:
    """Put the counts of several parts together, in the order of the parts."""
    kind: Any = type(parts[0])
    whole: T = kind(**{name: RULES[rule]([getattr(part, name) for part in parts]) for name, rule in _rules(kind)})
    return whole


@functools.cache
def _rules(kind: Any) -> list[tuple[str, str]]:
    """Return the rule of each field, which its annotation names."""
    return [(name, hint.__metadata__[0]) for name, hint in get_type_hints(kind, include_extras=True).items()]


def _counts(values: Sequence[Any]) -> Any:
    """Merge counts that some parts may lack."""
    there = [value for value in values if value is not None]
    return merge_counts(there) if there else None


def _chained(dicts: Sequence[Mapping[Any, tuple[Any, ...]]]) -> dict[Any, tuple[Any, ...]]:
    """Put tuples together by key."""
    whole: dict[Any, tuple[Any, ...]] = {}
    for key, values in itertools.chain.from_iterable(one.items() for one in dicts):
        whole[key] = whole.get(key, ()) + values
    return whole


def _nested(dicts: Sequence[Mapping[Any, Mapping[Any, Any]]]) -> dict[Any, Any]:
    """Put dicts of dicts together."""
    return {key: _united([one[key] for one in dicts]) for key in dicts[0]}


def _said(dicts: Sequence[Mapping[Any, str]]) -> dict[Any, str]:
    """Return by key the first text that says anything."""
    return {key: next((one[key] for one in dicts if one[key]), "") for key in dicts[0]}


RULES |= {"merged": _counts, "chained": _chained, "nested": _nested, "said": _said}
