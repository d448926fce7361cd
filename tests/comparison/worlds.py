"""Small worlds to compare systems in: judgments and results whose values are known."""

from __future__ import annotations

import random

Judged = dict[str, dict[str, int]]
Run = dict[str, dict[str, float]]


def reciprocal(ranks: dict[str, int]) -> Run:
    """Return results whose RR is 1 over the rank given for each query: the one relevant document is `d`."""
    return {
        query: {("d" if place == rank else f"x{place}"): -float(place) for place in range(1, max(rank, 3) + 1)}
        for query, rank in ranks.items()
    }


def one_relevant(queries: int) -> Judged:
    """Return judgments with one relevant document a query, and all others of `reciprocal` judged 0."""
    return {f"q{i:03}": {"d": 1} | {f"x{place}": 0 for place in range(1, 12)} for i in range(queries)}


def random_world(seed: int, queries: int = 40, systems: int = 2, holes: float = 0.0) -> tuple[Judged, dict[str, Run]]:
    """Return judgments of grades 0 to 3 of 15 documents a query, some left out as holes, and systems of 8 results."""
    rng = random.Random(seed)
    judgments: Judged = {}
    runs: dict[str, Run] = {f"s{s}": {} for s in range(systems)}
    for i in range(queries):
        query, docs = f"q{i:03}", [f"d{j}" for j in range(15)]
        judgments[query] = {d: rng.choice((0, 0, 1, 2, 3)) for d in docs if rng.random() >= holes} | {"top": 3}
        for run in runs.values():
            run[query] = {d: rng.random() for d in rng.sample(docs, 8)}
    return judgments, runs
