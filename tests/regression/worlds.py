"""Small worlds in which a reader can compute every mean: one relevant document, at a rank that is given."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import idealrank as ir
from idealrank.regression.baseline import baseline_of

Lists = dict[str, dict[str, float]]


def judged(queries: int, grade: int = 1) -> dict[str, dict[str, int]]:
    """Return judgments of so many queries: document d alone is relevant, and nothing else is judged."""
    return {f"q{i:03}": {"d": grade} for i in range(queries)}


def ranked(ranks: Sequence[int]) -> Lists:
    """Return results in which d stands at the rank given for each query; RR is one over it."""
    return {
        f"q{i:03}": {("d" if place == rank else f"x{place}"): -float(place) for place in range(1, max(rank, 3) + 1)}
        for i, rank in enumerate(ranks)
    }


def known(queries: int) -> dict[str, dict[str, int]]:
    """Return the same with every document judged that `ranked` may return in the first nine places."""
    return {query: {"d": 1} | {f"x{place}": 0 for place in range(1, 10)} for query in judged(queries)}


def kept(ranks: list[int], measures: Any = "RR", **options: Any) -> Any:
    """Return the baseline of results in which d stands at these ranks."""
    return baseline_of(ir.evaluate(known(len(ranks)), ranked(ranks), measures, **options))


def gated(before: list[int], after: list[int], **options: Any) -> Any:
    """Gate ranks against the baseline of others, under RR."""
    return ir.gate(known(len(after)), kept(before), ranked(after), **options)


def failing(ranks: list[int], failed: int) -> dict[str, list[Any]]:
    """Return results as a table in which the search for one query failed."""
    rows = [
        (q, doc, -score, "ok")
        for i, (q, docs) in enumerate(ranked(ranks).items())
        if i != failed
        for doc, score in docs.items()
    ]
    rows.append((f"q{failed:03}", None, None, "timeout"))
    return {
        name: list(values)
        for name, values in zip(("query", "doc", "rank", "status"), zip(*rows, strict=True), strict=True)
    }
