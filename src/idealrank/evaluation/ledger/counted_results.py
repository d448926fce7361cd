"""Counts in one system's results what the ledger says of them."""

from __future__ import annotations

import itertools
import math
from typing import Any

import numpy as np

from idealrank.arrays import Mask
from idealrank.data.latency_columns import STEMS, latency_column
from idealrank.data.replayed import record_of
from idealrank.data.results import Results
from idealrank.evaluation.counts.result_counts import ResultCounts
from idealrank.evaluation.latency import time_counts
from idealrank.evaluation.ledger.counted_searches import search_counts
from idealrank.evaluation.ledger.group_counts import group_counts
from idealrank.evaluation.ledger.hole_counts import depths, hole_counts
from idealrank.evaluation.ledger.order_counts import order_counts, reads_ranks, row_counts
from idealrank.evaluation.ledger.rank_doubts import rank_counts
from idealrank.evaluation.ledger.score_doubts import score_counts
from idealrank.evaluation.values import Values
from idealrank.judged_lists.near_documents import candidates
from idealrank.judged_lists.spans import chunk_counts


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
        ranks=rank_counts(met, part=scores.is_part), scores=score_counts(met, part=scores.is_part),
        times=time_counts(scores, s) if scores.is_part and _timed(scores) else None,
    )  # fmt: skip


def _timed(scores: Values) -> bool:
    """Whether any table of results has a column of times."""
    names = (meeting.results.roles.names for meeting in scores.meetings)
    return any(latency_column(each, clock) is not None for each in names for clock in STEMS)


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
