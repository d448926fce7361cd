"""Counts of rows that are no plain results."""

from __future__ import annotations

from idealrank.judged_lists.meeting import Met


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
