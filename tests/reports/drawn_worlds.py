"""Small worlds to draw, their numbers worked out by hand."""

from __future__ import annotations

from typing import Any

import idealrank as ir
from tests.comparison.worlds import one_relevant, reciprocal

RANKS = {"old": {"q000": 1, "q001": 2, "q002": 4, "q003": 2}, "new": {"q000": 1, "q001": 1, "q002": 2, "q003": 4}}
"""The rank of the one relevant document: RR is 1 over it."""

OLD, NEW = [1.0, 0.5, 0.25, 0.5], [1.0, 1.0, 0.5, 0.25]
KINDS = {"query_id": ["q000", "q001", "q002", "q003"], "kind": ["brand", "brand", "other", "other"]}


def two(measures: tuple[str, ...] = ("RR",), **options: Any) -> ir.Comparison:
    """Compare the two systems."""
    runs = {name: reciprocal(ranks) for name, ranks in RANKS.items()}
    return ir.compare(one_relevant(4), runs, list(measures), queries=KINDS, draws=200, **options)


def several(systems: int, queries: int = 12) -> ir.Scores:
    """Evaluate systems that find the relevant document a rank later each, and one query more at the first rank."""
    ranks = {
        f"s{s:02}": {f"q{q:03}": 1 if q <= s % queries else 2 + (s + q) % 5 for q in range(queries)}
        for s in range(systems)
    }
    kinds = {"query_id": list(ranks["s00"]), "kind": ["brand", "other"] * (queries // 2)}
    runs = {name: reciprocal(found) for name, found in ranks.items()}
    return ir.evaluate(one_relevant(queries), runs, ["RR", "P@5"], queries=kinds)


def several_timed(systems: int, queries: int = 12) -> ir.Scores:
    """Evaluate systems whose query q takes 10 (q + 1) + s ms, and finds the relevant document one rank later each."""
    names = [f"q{q:03}" for q in range(queries)]
    runs = {
        f"s{s:02}": {
            "query": [query for query in names for _ in range(s + 1)],
            "doc": ["d" if rank == s else f"x{rank}" for _ in names for rank in range(s + 1)],
            "rank": [rank + 1 for _ in names for rank in range(s + 1)],
            "latency_ms": [10.0 * (q + 1) + s for q in range(queries) for _ in range(s + 1)],
        }
        for s in range(systems)
    }
    return ir.evaluate({query: {"d": 1} for query in names}, runs, ["RR", "P@5"])


def several_of_spans(systems: int) -> ir.Scores:
    """Evaluate the same systems, every document being one chunk of ten characters, and the relevant one a span."""

    def table(nested: dict[str, dict[str, float]], value: str) -> dict[str, list[Any]]:
        rows = [(q, doc, 0, 10, number) for q, docs in nested.items() for doc, number in docs.items()]
        return dict(zip(("query", "doc", "begin", "end", value), map(list, zip(*rows, strict=True)), strict=True))

    ranks = {f"s{s:02}": {f"q{q:03}": 1 if q <= s % 12 else 2 + (s + q) % 5 for q in range(12)} for s in range(systems)}
    runs = {name: table(reciprocal(found), "score") for name, found in ranks.items()}
    return ir.evaluate(table(one_relevant(12), "grade"), runs, ["RR", "P@5"], unit="spans")
