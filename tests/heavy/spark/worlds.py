"""Judgments and results as rows, for Spark and for the local path alike."""

from __future__ import annotations

import random
from typing import Any

Rows = list[tuple[Any, ...]]

JUDGED = ("query_id", "doc_id", "grade")
RETURNED = ("query_id", "doc_id", "score", "system")


def columns(names: tuple[str, ...], rows: Rows) -> dict[str, list[Any]]:
    """Return rows as a dict of columns, which the local path reads."""
    return {name: [row[place] for row in rows] for place, name in enumerate(names)}


def judged(seed: int = 1, queries: int = 40) -> Rows:
    """Grades from 0 to 3 for some of 50 documents of each query."""
    rng = random.Random(seed)
    return [
        (str(query), f"d{doc}", rng.randrange(4))
        for query in range(queries)
        for doc in rng.sample(range(50), rng.randrange(1, 20))
    ]


def returned(seed: int = 2, first: int = 5, last: int = 45) -> Rows:
    """Fifteen results of two systems for each query, with equal scores; some queries are only on this side."""
    rng = random.Random(seed)
    return [
        (str(query), f"d{doc}", rng.randrange(8) / 8, system)
        for query in range(first, last)
        for system in ("a", "b")
        for doc in rng.sample(range(50), 15)
    ]


def skewed(seed: int = 3) -> tuple[Rows, Rows]:
    """Judgments and results of which one query has half of all rows."""
    rng = random.Random(seed)
    ours, theirs = judged(), returned()
    big = [("big", f"e{doc}", rng.randrange(4)) for doc in range(len(ours))]
    hits = [("big", f"e{doc}", rng.random(), system) for system in "ab" for doc in range(len(theirs) // 2)]
    return ours + big, theirs + hits
