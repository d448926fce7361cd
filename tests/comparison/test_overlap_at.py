"""The overlap of two systems by query is that of `ir.overlap`."""

from __future__ import annotations

import cProfile
import pstats
import random
from typing import Any

import numpy as np
import pytest
from hypothesis import given, strategies as st

import idealrank as ir
from idealrank.comparison.overlap import overlap_at, overlap_table, ranked_lists, same_lists
from idealrank.comparison.pairing import Pair
from idealrank.statistics import rank_overlap
from idealrank.statistics.rank_overlap import ListOverlap
from tests.evaluation.worlds import RANDOMLY, Nested, nested, worlds


@RANDOMLY
@given(worlds(), nested(st.sampled_from([1.0, 2.0, 3.0])), st.sampled_from([1, 2, 3, None]))
def test_as_overlap_has_it(world: tuple[Nested, Nested], other: Nested, k: int | None) -> None:
    """For every judged query it is |A ∩ B| / max(|A|, |B|) of the first k by score, then id, descending."""
    judgments, old = world
    other.setdefault("q0", {})["d0"] = 1.0
    scores = ir.evaluate(judgments, {"old": old, "new": other}, ["RR"])
    found = overlap_at(scores.joins, Pair(0, 1), scores.setting.decisions, k)
    for query, value in zip(scores.queries, found, strict=True):
        first, second = (
            set(sorted(row, key=lambda doc: (row[doc], doc), reverse=True)[:k])
            for row in (old.get(query, {}), other.get(query, {}))
        )
        longer = max(len(first), len(second))
        assert value == (len(first & second) / longer if longer else 1.0)


@pytest.mark.parametrize(
    ("measure", "same"), [("nDCG@3", True), ("nDCG@4", False), ("nDCG", False), ("nDCG(unjudged=filter)@3", False)]
)
def test_same_lists(measure: str, same: bool) -> None:
    """Lists that differ from rank 4 on are the same to a measure that reads three results, and to no other."""
    old = {"q": [{"doc": doc, "rank": rank} for rank, doc in enumerate("abcd", 1)]}
    new = {"q": [{"doc": doc, "rank": rank} for rank, doc in enumerate("abce", 1)]}
    tables = {
        name: [{"query": query, **row} for query, rows in lists.items() for row in rows]
        for name, lists in (("old", old), ("new", new))
    }
    assert same_lists(ir.evaluate({"q": {"a": 1}}, tables, [measure]), Pair(0, 1)) == same


def test_same_lists_of_ties() -> None:
    """A tie across the cutoff belongs to what is read: its other documents may stand in it."""
    old, new = {"q": {"a": 2.0, "b": 1.0, "c": 1.0}}, {"q": {"a": 2.0, "b": 1.0, "d": 1.0}}
    scores = ir.evaluate({"q": {"a": 1}}, {"old": old, "new": new}, ["nDCG@2"])
    assert not same_lists(scores, Pair(0, 1))


def test_the_same_first_results_are_about_the_same() -> None:
    """Ten queries with the same ten results and others below do not differ in nDCG@10: that takes no more queries."""
    queries = [f"q{i}" for i in range(10)]
    old, new = (
        [{"query": q, "doc": f"d{r}" if r <= 10 else f"{name}{r}", "rank": r} for q in queries for r in range(1, 21)]
        for name in ("old", "new")
    )
    found = ir.compare({q: {"d2": 1, "d5": 0} for q in queries}, {"old": old, "new": new}, ["nDCG@10"])
    assert found.verdict.outcome == "ABOUT THE SAME"


def test_many_queries() -> None:
    """10,000 queries of ten results take fewer than ten calls each: none of its results is looked at by itself."""
    rng = np.random.default_rng(0)
    queries = np.repeat(np.arange(10_000), 10)
    docs = [rng.permuted(np.tile(np.arange(20), (10_000, 1)), axis=1)[:, :10].ravel() for _ in range(2)]
    score = np.tile(np.arange(10, 0, -1.0), 10_000)
    systems = {str(i): {"query": queries, "doc": doc, "score": score} for i, doc in enumerate(docs)}
    judgments = {"query": np.arange(10_000), "doc": np.zeros(10_000, np.int64), "grade": np.ones(10_000)}
    scores = ir.evaluate(judgments, systems, ["RR"])
    with cProfile.Profile() as profile:
        found = overlap_at(scores.joins, Pair(0, 1), scores.setting.decisions, 10)
    assert pstats.Stats(profile).total_calls < 10 * 10_000  # type: ignore[attr-defined]
    assert found.mean() == pytest.approx(0.5, abs=0.01)  # ten of twenty, twice at random


def test_untied_lists_are_overlapped_together(monkeypatch: pytest.MonkeyPatch) -> None:
    """Lists without ties are taken together and give the same to the last bit; only those with ties go one by one."""
    rng = random.Random(4)

    def run(tied: int) -> dict[str, dict[str, float]]:
        results: dict[str, dict[str, float]] = {}
        for i in range(80):
            docs = rng.sample(range(60), rng.choice([1, 7, 40]))
            if i % 9:
                results[f"q{i}"] = {f"d{d}": 99.0 - (place // 2 if i < tied else place) for place, d in enumerate(docs)}
        return results

    scores = ir.evaluate({f"q{i}": {"d1": 1} for i in range(80)}, {"a": run(5), "b": run(0)}, ["RR"])
    decisions = scores.setting.decisions
    joined = [join.lists(decisions, "dense") for join in scores.joins]
    pairs = list(map(ListOverlap, *(ranked_lists(each.judged, each.run, 30) for each in joined)))
    expected = [[one.jaccard, one.rbo.extrapolated, one.churn] for one in pairs]
    alone, overlap = list[int](), rank_overlap.overlap_of

    def counted(*about: Any) -> Any:
        alone.append(1)
        return overlap(*about)

    monkeypatch.setattr(rank_overlap, "overlap_of", counted)
    table = overlap_table(scores, Pair(0, 1), 30)
    found = np.stack([table.array(name) for name in ("jaccard", "rbo", "churn")], axis=1)
    assert np.array_equal(found, np.array(expected), equal_nan=True)
    assert 0 < len(alone) <= 5
