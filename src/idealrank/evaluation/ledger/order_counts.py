"""Counts of what the order of results rests on, and of rows that are no plain results."""

from __future__ import annotations

from typing import Any

import numpy as np

from idealrank.arrays import Mask
from idealrank.data.ids import codes, there
from idealrank.data.results import Results
from idealrank.data.units import AS_RETURNED
from idealrank.decisions import Decisions
from idealrank.evaluation.values import Values
from idealrank.judged_lists.meeting import Meeting, Met


def order_counts(scores: Values, s: int) -> dict[str, Any]:
    """Count the queries in which rank and score disagree, and what either leaves tied."""
    meeting, decisions, met = scores.meetings[s], scores.setting.decisions, scores.met[s]
    results = meeting.results
    if results.rank is None or results.score is None:
        return {}
    counted: dict[str, Any] = {"unscored": bool(met.parts.missing_scores) and _without_scores(results)}
    if decisions.unit == AS_RETURNED or decisions.roll_up == "first":  # else units are ordered by their own scores
        conflict, _ = met.parts.order_conflict()
        counted |= {"conflicting": int((conflict > 0).sum()), "opposite": int((conflict == 2).sum())}
        counted["compared"] = len(conflict)
    return counted if counted.get("conflicting") else counted | {"tied_by": _tied(meeting, decisions, scores.in_scope)}


def _orders(results: Results, decisions: Decisions) -> tuple[str, ...]:
    """Return the orders in which ties are looked for: the ranks of a TREC run break ties of its scores only."""
    trec = results.source.frame.format == "trec-run" and results.order(decisions.order_by) == "score"
    return ("score",) if trec else ("score", "rank")


def _tied(meeting: Meeting, decisions: Decisions, in_scope: Mask) -> dict[str, int]:
    """Count the results tied by score, or else by rank."""
    for order in _orders(meeting.results, decisions):
        tied = int(meeting.met(decisions.but(order_by=order)).judged.tied[in_scope].sum())
        if tied:
            return {order: tied}
    return {}


def _without_scores(results: Results) -> bool:
    """Whether a query has results, but no score for any, so that scores could not order it."""
    assert results.score is not None
    query = codes(results.keys.query)
    rows = np.flatnonzero(there(results.source.ids(results.doc), np.arange(len(query))))
    scored = rows[~np.isnan(results.score.floats()[rows])]
    return len(np.setdiff1d(query[rows], query[scored])) > 0


def row_counts(met: Met) -> dict[str, int]:
    """Count the rows that are no plain results, by what they are."""
    run, trec = met.parts, met.results.source.frame.format == "trec-run"
    # A TREC run without a score is refused, and its rank column is not read where the score counts.
    scored, ranked = met.results.score is not None and not trec, reads_ranks(met)
    return {
        "placeholder rows": run.placeholders,
        "duplicates dropped": run.dropped,
        "results without a score": run.missing_scores if scored else 0,
        "results without a rank": run.missing_ranks if ranked else 0,
        "queries with repeated ranks": run.rank_repeats if ranked else 0,
        "queries with gaps in the ranks": run.rank_gaps if ranked else 0,
    }


def reads_ranks(met: Met) -> bool:
    """Whether the rank column says anything: that of a TREC run does only where results are ordered by it."""
    return met.results.rank is not None and (met.order == "rank" or met.results.source.frame.format != "trec-run")
