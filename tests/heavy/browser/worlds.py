"""Worlds of a thousand queries and more: random, and the same every time."""

from __future__ import annotations

import functools
import random
from typing import Any

import idealrank as ir
from idealrank.data.documents import Documents
from idealrank.reports.report import Report

SIGNS = "aeioubcdfglmnprst"
UNJUDGED = 3

World = tuple[dict[str, Any], dict[str, Any], dict[str, Any], dict[str, str]]


def world(queries: int, systems: int, returned: int = 10) -> World:
    """Return judgments, results, a table of queries and titles; every query has documents of its own."""
    rng = random.Random(7)
    words = ["".join(rng.choice(SIGNS) for _ in range(rng.randint(3, 9))) for _ in range(4000)]
    ids = [f"q{place:05d}" for place in range(queries)]
    pools = {key: [f"D{rng.randrange(10**7):07d}" for _ in range(returned + 6)] for key in ids}
    judgments = {key: {doc: rng.choice((0, 0, 1, 2, 3)) for doc in pools[key][UNJUDGED:]} for key in ids}
    results = {
        f"sys{s}": {key: _scored(_ranked(rng, pools[key], judgments[key], s)[:returned]) for key in ids}
        for s in range(systems)
    }
    table = {
        "query_id": ids,
        "query": [" ".join(rng.choices(words, k=rng.randint(1, 5))) for _ in ids],
        "segment": [rng.choice(("brand", "category", "problem")) for _ in ids],
    }
    titles = {doc: " ".join(rng.choices(words, k=rng.randint(4, 9))) for pool in pools.values() for doc in pool}
    return judgments, results, table, titles


def _ranked(rng: random.Random, pool: list[str], grades: dict[str, int], system: int) -> list[str]:
    """Rank documents by grade and luck; later systems trust the grade more."""
    worth = {doc: grades.get(doc, 0) * (1 + 0.2 * system) * rng.random() + rng.random() / 9 for doc in pool}
    return sorted(pool, key=worth.__getitem__, reverse=True)


def _scored(documents: list[str]) -> dict[str, float]:
    return {doc: -float(place) for place, doc in enumerate(documents)}


@functools.cache
def thousand() -> Report:
    """The report on 1,000 queries and three systems, ten results each, under the usual five measures."""
    judgments, results, table, titles = world(1000, 3)
    found = ir.compare(judgments, results, queries=table, baseline="sys0")
    return Report(found.scores, found, titles=Documents(titles, {}, "titles"))


@functools.cache
def crowd(queries: int) -> Report:
    """The report on many queries and two systems under one measure, five results each, without titles."""
    judgments, results, table, _ = world(queries, 2, returned=5)
    found = ir.compare(judgments, results, ["nDCG@10"], queries=table)
    return Report(found.scores, found)
