"""Systems whose searches take times that are given."""

from __future__ import annotations

from typing import Any

import numpy as np

import idealrank as ir

QUERIES = [f"q{i:03}" for i in range(100)]
JUDGMENTS = {query: {"d": 1} for query in QUERIES}
JUDGED = {query: {"d": 1, "x0": 0, "x1": 0, "x2": 0} for query in QUERIES}
TIMES = dict(zip(QUERIES, np.random.default_rng(8).lognormal(3, 0.4, 100).tolist(), strict=True))


def system(rank: int, times: dict[str, float], **more: Any) -> dict[str, Any]:
    """Return results that have the relevant document at a rank, with times."""
    queries = [query for query in times for _ in range(rank)]
    docs = [doc for _ in times for doc in [*(f"x{i}" for i in range(rank - 1)), "d"]]
    ranks = list(range(1, rank + 1)) * len(times)
    return {"query": queries, "doc": docs, "rank": ranks, "latency_ms": [times[query] for query in queries], **more}


def slower(by: float) -> dict[str, float]:
    """Return times that are so much of what they were."""
    return {query: by * time for query, time in TIMES.items()}


def compared(by: float = 1.2, before: int = 2, after: int = 1, **options: Any) -> ir.Comparison:
    """Compare a system with one that has better lists, in so much of the time."""
    return ir.compare(JUDGMENTS, {"old": system(before, TIMES), "new": system(after, slower(by))}, ["RR"], **options)
