"""Limits of latency that guard a verdict: kept, broken, or not to be told."""

from __future__ import annotations

import math

import numpy as np
import pytest

import idealrank as ir
from idealrank.errors import NoColumnError, UsageError
from tests.comparison.timed import JUDGED, JUDGMENTS, QUERIES, TIMES, compared, system


@pytest.mark.parametrize(
    ("limit", "outcome"),
    [
        ("latency_p95 <= +10%", "DON'T"),
        ("latency_p95 <= +30%", "SHIP"),
        ("latency_p95<=+0.5ms", "DON'T"),
        ("latency_p95 <= +500ms", "SHIP"),
        ("latency_p50 <= 1ms", "DON'T"),
        ("latency_p50 <= 1s", "SHIP"),
        ("latency_p99 <= +1%", "CAN'T TELL"),  # beyond it by 19 points, and so rare searches have no interval
        ("latency_p99 <= +30%", "SHIP"),  # within it, without an interval
    ],
)
def test_guardrails(limit: str, outcome: str) -> None:
    """A limit that the interval wholly breaks turns SHIP into DON'T, one beyond without an interval into CAN'T TELL."""
    verdict = compared(guardrails=limit).verdict
    assert verdict.outcome == outcome
    if outcome == "DON'T":
        assert verdict.headline == "Do not ship new"
        assert "allowed" in verdict.sentence
        assert "faster" in verdict.steps[0]
    assert "DON'T if an interval wholly breaks latency" in verdict.rule


def test_a_guardrail_that_cannot_be_told_is_named() -> None:
    """A limit that few queries neither keep nor break is said; where the quantile is beyond it, SHIP is not."""
    within = compared(guardrails="latency_p99 <= +30%").verdict
    assert "p99 latency is within +30% (+20.0%), but 100 queries are too few for an interval" in within.sentence
    beyond = compared(guardrails="latency_p99 <= +1%").verdict
    assert "p99 latency is beyond +1% (+20.0%), but 100 queries are too few for an interval" in beyond.sentence
    assert (beyond.headline, beyond.outcome) == ("Not enough evidence to ship new", "CAN'T TELL")
    assert beyond.steps == ("Measure the p99 latency with more queries.",)


def test_39_queries_have_no_interval() -> None:
    """39 queries that take ten times as long have no interval for p95; 40 have one, 10 to 10 times."""
    for count, outcome in ((39, "CAN'T TELL"), (40, "DON'T")):
        times = {query: TIMES[query] for query in QUERIES[:count]}
        systems = {"old": system(2, times), "new": system(1, {query: 10 * time for query, time in times.items()})}
        judged = {query: {"d": 1, "x0": 0} for query in times}
        assert ir.compare(judged, systems, ["RR"], guardrails="latency_p95 <= +10%").verdict.outcome == outcome


def test_an_interval_that_includes_the_limit() -> None:
    """A p95 beyond the limit whose interval includes it changes nothing, and is said."""
    noise = np.random.default_rng(1).lognormal(0.1, 0.8, 100)
    noisy = {query: time * x for (query, time), x in zip(TIMES.items(), noise, strict=True)}
    systems = {"old": system(2, TIMES), "new": system(1, noisy)}
    (row,) = [row for row in ir.compare(JUDGED, systems, ["RR"]).latency if row["quantile"] == "p95"]
    limit = (row["percent low"] + row["percent"]) / 2
    verdict = ir.compare(JUDGED, systems, ["RR"], guardrails=f"latency_p95 <= +{limit:.6f}%").verdict
    assert verdict.outcome == "SHIP"
    assert "100 queries cannot say that for sure" in verdict.sentence


def slowest(count: int) -> list[str]:
    """Return the queries that take longest, the slowest first."""
    return sorted(QUERIES, key=lambda query: -TIMES[query])[:count]


@pytest.mark.parametrize("count", [0, 1, 4, 5, 12])
@pytest.mark.parametrize("how", ["failed", "blank", "absent"])
def test_times_that_are_not_known(how: str, count: int) -> None:
    """Where the slowest have no time, p95 at their slowest by hand decides: from 5 of 100 on it is theirs."""
    lost = set(slowest(count))
    new = system(1, {query: TIMES[query] for query in QUERIES if how != "absent" or query not in lost})
    if how == "failed":
        new["status"] = ["failed" if query in lost else "ok" for query in new["query"]]
        new["doc"] = ["" if query in lost else "d" for query in new["query"]]
    if how == "blank":
        new["latency_ms"] = [math.nan if query in lost else TIMES[query] for query in new["query"]]
    by_hand = np.quantile([math.inf if query in lost else TIMES[query] for query in QUERIES], 0.95, method="higher")
    limit = "latency_p95 <= +10%"
    verdict = ir.compare(JUDGED, {"old": system(4, TIMES), "new": new}, ["RR"], guardrails=limit).verdict
    assert verdict.outcome == ("SHIP" if math.isfinite(by_hand) else "CAN'T TELL")
    found = ir.gate(JUDGED, system(4, TIMES), new, minimum=limit)
    if not math.isfinite(by_hand):
        many = f"{count} searches failed" if how == "failed" else f"{count} queries have no time"
        assert f"{many}; at their slowest they would break it" in verdict.sentence
        assert "SHIP" not in verdict.sentence
        assert verdict.settle == "Search again for the queries without a time"
        assert (found.outcome, found.code) == ("can't tell", 4)
        assert f"{many} (q" in found.findings[0].sentence
        assert f"over {100 - count} of 100 queries" in found.findings[0].sentence


def test_a_broken_limit_that_unknown_times_could_keep() -> None:
    """Sixty fast searches without a time may make up for forty slow ones under p50, ten may not."""
    for lost, outcome in ((60, "CAN'T TELL"), (10, "DON'T")):
        times = {query: 10.0 * (i // 40 + 1) for i, query in enumerate(QUERIES)}
        new = system(1, {query: math.nan if i < lost else 100.0 for i, query in enumerate(times)})
        systems = {"old": system(2, times), "new": new}
        verdict = ir.compare(JUDGED, systems, ["RR"], guardrails="latency_p50 <= +10%").verdict
        assert verdict.outcome == outcome
        assert ("60 queries have no time; at their fastest they would keep it" in verdict.sentence) == (lost == 60)


@pytest.mark.parametrize(
    ("factor", "limit", "words"),
    [
        (0.95, "latency_p95 <= -10%", "changes by −5.0% (95% interval), where at most -10% is allowed"),
        (1.0, "latency_p95 < +0%", "changes by 0.0% (95% interval), where less than +0% is allowed"),
        (1.100001, "latency_p95 <= +10%", "grows by +10.0001% (95% interval), more than the +10% allowed"),
        (1.2, "latency_p95 <= +10%", "grows by +20.0% (95% interval), more than the +10% allowed"),
    ],
)
def test_how_a_broken_limit_is_said(factor: float, limit: str, words: str) -> None:
    """A broken limit says how much changes in as many digits as tell it from the limit, and what is allowed."""
    assert f"but p95 latency {words}" in compared(factor, guardrails=limit).verdict.sentence


def test_the_step_names_only_what_is_broken() -> None:
    """Of two guardrails the step names the broken one."""
    verdict = compared(guardrails=["latency_p50 <= +30%", "latency_p95 <= +10%"]).verdict
    assert verdict.steps == ("Make new faster, or allow a higher latency_p95.",)


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
    untimed = [{"query": "q000", "doc": "d", "rank": 1, "latency_ms": 0}]
    with pytest.raises(ir.DataError, match="every search of new took 0 ms, so none was measured"):
        ir.compare(JUDGMENTS, {"old": untimed, "new": untimed}, ["RR"], guardrails="latency_p95 <= 200ms")


@pytest.mark.parametrize(
    "text", ["latency_p95 <= 10", "latency_p95 >= +10%", "latency_p90 <= +10%", "p95 <= 3ms", "latency_p95 <= 10%"]
)
def test_limits_that_cannot_be_read(text: str) -> None:
    """A limit without a unit, of another quantile or the wrong way round is refused with how to write it."""
    with pytest.raises(UsageError, match=r"latency_p95 <= \+10%"):
        compared(guardrails=text)
