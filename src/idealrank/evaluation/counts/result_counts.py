"""What was counted in one system's results: all that the ledger says of them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Annotated, Any

from idealrank.data.latency_columns import Clock
from idealrank.evaluation.counts.rank_counts import RankCounts
from idealrank.evaluation.counts.score_counts import ScoreCounts
from idealrank.evaluation.counts.search_counts import SearchCounts
from idealrank.judged_lists.near_documents import Candidate, Missed

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
    missed: Annotated[tuple[Missed, ...], "joined"] = ()

    def of_nothing(self) -> ResultCounts:
        """Return the counts of a part without rows, which does not know what the table is."""
        return replace(
            self, name="", columns={}, form="", read_as="", orders={}, format="", order="", shown_depths=(),
            one_query=False, reads_ranks=False, shared=False, pooled=False, excluded=0, times=None, searches=None,
            record=None,
        )  # fmt: skip
