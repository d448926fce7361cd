"""What was counted in one system's results: all that the ledger says of them."""

from __future__ import annotations

import itertools
import math
from dataclasses import dataclass, field
from typing import Annotated, Any

import numpy as np

from idealrank.arrays import Mask
from idealrank.data.replayed import record_of
from idealrank.data.results import Results
from idealrank.evaluation.ledger.group_counts import group_counts
from idealrank.evaluation.ledger.hole_counts import Holes, depths, hole_counts
from idealrank.evaluation.ledger.order_counts import order_counts, reads_ranks, row_counts
from idealrank.evaluation.ledger.search_counts import SearchCounts, search_counts
from idealrank.evaluation.values import Values
from idealrank.judged_lists.near_ids import Candidate, candidates
from idealrank.judged_lists.spans import chunk_counts


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
    candidates
        The first queries with unjudged results and judged documents that were not returned.
    """

    name: Annotated[str, "first"] = ""
    columns: Annotated[dict[str, str], "first"] = field(default_factory=dict)
    form: Annotated[str, "first"] = ""
    read_as: Annotated[str, "first"] = ""
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
    candidates: Annotated[tuple[Candidate, ...], "joined"] = ()


def result_counts(scores: Values, s: int) -> ResultCounts:
    """Count what the ledger says of one system's results."""
    met, name = scores.met[s], "" if scores.met[s].pooled else scores.met[s].system
    results = met.results
    tied = met.judged.tied[scores.in_scope]
    return ResultCounts(
        **_table(scores, s), **_account(scores, s), **order_counts(scores, s),
        results=met.run.results, kept=met.run.results - met.run.keeping_ranks, merged=met.run.merged,
        rows=row_counts(met), nameless=met.nameless, judged_only=results.judged_only, excluded=len(results.left_out),
        lowest_rank=_lowest(met.parts.lowest_rank), errors=dict(met.failures),
        tied=int(tied.sum()), tied_queries=int((tied > 0).sum()), holes=hole_counts(scores, s),
        hits=int(met.judged.hit_start[-1]), longest=int(met.judged.returned.max(initial=0)),
        chunks=chunk_counts(met.judged), searches=search_counts(scores, s), record=_record(results),
        groups=group_counts(scores, s), aside=_aside(scores, s, name), candidates=tuple(candidates(met)),
    )  # fmt: skip


def _table(scores: Values, s: int) -> dict[str, Any]:
    """Return what the table is, and what it was read as."""
    met = scores.met[s]
    results = met.results
    orders = {str(m.decisions.order_by): results.order(m.decisions.order_by) for m in scores.measures}
    return {
        "name": results.name, "columns": results.columns, "form": results.form, "read_as": results.source.read_as,
        "orders": orders, "format": results.source.frame.format, "systems": len(results.systems), "order": met.order,
        "pooled": met.pooled, "shared": results.shared, "one_query": results.one_query,
        "reads_ranks": reads_ranks(met), "shown_depths": tuple(depths(scores)),
    }  # fmt: skip


def _account(scores: Values, s: int) -> dict[str, Any]:
    """Sort the queries on either side by what became of them."""
    met, in_scope = scores.met[s], scores.in_scope
    returned, failed = met.judged.returned, met.failed
    empty = (returned == 0) & ~failed & in_scope
    never = empty & ~met.judged.listed if met.results.column("step") is not None else np.zeros_like(empty)
    return {
        "judged_and_returned": int(((returned > 0) & in_scope).sum()),
        "empty": _named(scores, empty & ~never), "never_asked": _named(scores, never),
        "failed": _named(scores, failed & in_scope), "unjudged": scores.unjudged_queries(s, everything=True),
        "in_scope": scores.unjudged_queries(s), "left_out": int((~in_scope).sum()),
    }  # fmt: skip


def _named(scores: Values, which: Mask) -> tuple[str, ...]:
    return tuple(itertools.compress(scores.queries, which))


def _aside(scores: Values, s: int, name: str) -> int:
    failed = _named(scores, scores.met[s].failed & scores.in_scope)
    return scores.met[s].results.set_aside(name, failed) if failed else 0


def _lowest(rank: float) -> float:
    return math.inf if math.isnan(rank) else rank


def _record(results: Results) -> dict[str, Any] | None:
    record = record_of(results)
    return None if record is None else dict(record)
