"""Changes of latency beside a verdict, and limits that guard it."""

from __future__ import annotations

import json
import math
from typing import Any

import numpy as np
import pytest

import idealrank as ir
from idealrank.comparison.latency import ratio
from idealrank.errors import NoColumnError, UsageError

QUERIES = [f"q{i:03}" for i in range(100)]
JUDGMENTS = {query: {"d": 1} for query in QUERIES}
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


def test_the_table_by_hand() -> None:
    """A system that needs 1.2 times as long differs by a fifth of the first one's quantile, and by exactly 20%."""
    rows = {row["quantile"]: row for row in compared().latency}
    for name, q in (("p50", 0.5), ("p95", 0.95), ("p99", 0.99)):
        before = np.quantile(list(TIMES.values()), q)
        assert rows[name]["baseline ms"] == pytest.approx(before)
        assert rows[name]["difference"] == pytest.approx(0.2 * before)
        assert rows[name]["percent"] == pytest.approx(20)
    assert rows["p95"]["percent low"] == pytest.approx(20)
    assert 0 < rows["p95"]["low"] < rows["p95"]["difference"] < rows["p95"]["high"]
    assert rows["p99"]["high"] == math.inf  # one query is expected beyond the 99th percentile of 100
    assert (rows["p50"]["system"], rows["p50"]["baseline"], rows["p50"]["queries"]) == ("new", "old", 100)


def test_the_verdict_says_it() -> None:
    """The sentence of a verdict has a clause about p95, its summary a sentence; the outcome stays."""
    verdict = compared().verdict
    (row,) = [row for row in compared().latency if row["quantile"] == "p95"]
    assert verdict.outcome == "SHIP"
    assert verdict.latency.startswith(f"p95 latency +{row['difference']:.1f} ms (+")
    assert f"; {verdict.latency}." in verdict.sentence
    assert verdict.summary[-1].startswith(f"The p95 latency changes by +{row['difference']:.1f} ms (+")


def test_nothing_is_said_without_times() -> None:
    """Without times the table is empty and the verdict says nothing about latency."""
    plain = {"old": {"q000": {"d": 1.0}}, "new": {"q000": {"d": 1.0}}}
    comparison = ir.compare(JUDGMENTS, plain, ["RR"])
    assert len(comparison.latency) == 0
    assert comparison.verdict.latency == ""
    assert "atency" not in f"{comparison}{comparison._repr_html_()}{comparison.to_markdown()}"
    assert "latency" not in comparison.to_dict()


def test_too_few_queries() -> None:
    """With ten queries the difference is said without an interval."""
    times = {query: TIMES[query] for query in QUERIES[:10]}
    comparison = ir.compare(JUDGMENTS, {"old": system(2, times), "new": system(1, times)}, ["RR"])
    assert "p95 latency 0 ms (too few queries for an interval)" in comparison.verdict.sentence


def test_shown() -> None:
    """Text, notebook, Markdown and JSON have the changes."""
    comparison = compared()
    for text in (str(comparison), comparison._repr_html_(), comparison.to_markdown()):
        assert "p95 latency" in text
        assert "+20.0" in text
    whole = json.loads(comparison.to_json())
    assert [row["quantile"] for row in whole["latency"]] == ["p50", "p95", "p99"]
    assert whole["latency"][2]["high"] is None


@pytest.mark.parametrize(
    ("limit", "outcome"),
    [
        ("latency_p95 <= +10%", "DON'T"),
        ("latency_p95 <= +30%", "SHIP"),
        ("latency_p95<=+0.5ms", "DON'T"),
        ("latency_p95 <= +500ms", "SHIP"),
        ("latency_p50 <= 1ms", "DON'T"),
        ("latency_p50 <= 1s", "SHIP"),
        ("latency_p99 <= +1%", "SHIP"),  # nothing is known of so rare searches
    ],
)
def test_guardrails(limit: str, outcome: str) -> None:
    """A limit that the interval wholly breaks turns SHIP into DON'T; one that holds or cannot be told does not."""
    verdict = compared(guardrails=limit).verdict
    assert verdict.outcome == outcome
    if outcome == "DON'T":
        assert verdict.headline == "Do not ship new"
        assert "allowed" in verdict.sentence
        assert "faster" in verdict.steps[0]
    assert "DON'T if an interval wholly breaks latency" in verdict.rule


def test_a_guardrail_that_cannot_be_told_is_named() -> None:
    """A limit that few queries neither keep nor break is said."""
    assert "100 queries cannot say that for sure" in compared(guardrails="latency_p99 <= +1%").verdict.sentence


def test_a_guardrail_never_ships() -> None:
    """A faster system with worse lists is not shipped; one with the same lists that is slower is not, either."""
    worse = compared(0.5, 1, 2, guardrails="latency_p95 <= +10%").verdict
    assert worse.outcome == "DON'T"
    assert worse.headline == "Do not ship new"
    assert compared(1.2, 1, 1, guardrails="latency_p95 <= +10%").verdict.outcome == "DON'T"
    assert compared(1.2, 1, 1).verdict.outcome == "ABOUT THE SAME"


def test_a_guardrail_without_times() -> None:
    """A limit of what no results say is refused with the column to add."""
    plain = {"old": {"q000": {"d": 1.0}}, "new": {"q000": {"d": 1.0}}}
    with pytest.raises(NoColumnError, match="latency_ms"):
        ir.compare(JUDGMENTS, plain, ["RR"], guardrails="latency_p95 <= +10%")
    with pytest.raises(NoColumnError, match="took_ms"):
        compared(guardrails=["took_p95 <= 10ms"])


@pytest.mark.parametrize(
    "text", ["latency_p95 <= 10", "latency_p95 >= +10%", "latency_p90 <= +10%", "p95 <= 3ms", "latency_p95 <= 10%"]
)
def test_limits_that_cannot_be_read(text: str) -> None:
    """A limit without a unit, of another quantile or the wrong way round is refused with how to write it."""
    with pytest.raises(UsageError, match=r"latency_p95 <= \+10%"):
        compared(guardrails=text)


def test_pairs_over_the_same_queries() -> None:
    """Queries that one system has no time for are in neither quantile."""
    few = {query: TIMES[query] for query in QUERIES[:60]}
    comparison = ir.compare(JUDGMENTS, {"old": system(1, TIMES), "new": system(1, few)}, ["RR"])
    assert [row["difference"] for row in comparison.latency] == [0.0, 0.0, 0.0]
    assert set(comparison.latency["queries"]) == {60}


def test_order_of_rows_and_seed() -> None:
    """Intervals do not depend on the order of the queries, and depend on the seed."""
    turned = dict(reversed(TIMES.items()))
    noisy = {query: time * (1 + 0.1 * (i % 7)) for i, (query, time) in enumerate(TIMES.items())}
    systems = [{"old": system(1, times), "new": system(1, noisy)} for times in (TIMES, turned)]
    first, second = (ir.compare(JUDGMENTS, each, ["RR"]).latency["low"] for each in systems)
    assert first == second
    assert ir.compare(JUDGMENTS, systems[0], ["RR"], seed=1).latency["low"] != first


def test_a_quantile_of_nothing() -> None:
    """From 0 ms to some is infinitely more, to 0 ms no more."""
    assert (ratio(0.0, 2.0), ratio(0.0, 0.0), ratio(4.0, 3.0)) == (math.inf, 0.0, -0.25)
