"""Changes of latency beside a verdict, and limits that guard it."""

from __future__ import annotations

import json
import math
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import idealrank as ir
from idealrank.comparison.latency import ratio
from idealrank.errors import NoColumnError, UsageError

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


def test_noise_is_no_change() -> None:
    """Where every second time is 1.2 times as long and the others 0.8 times, no difference of p95 can be told."""
    times = {query: time * (1.2 if i % 2 else 0.8) for i, (query, time) in enumerate(TIMES.items())}
    comparison = ir.compare(JUDGMENTS, {"old": system(2, TIMES), "new": system(1, times)}, ["RR"])
    (row,) = [row for row in comparison.latency if row["quantile"] == "p95"]
    assert row["low"] < 0 < row["high"]
    assert comparison.verdict.latency.startswith("p95 latency: no difference that can be told (−")
    assert comparison.verdict.summary[-1].startswith("The p95 latency shows no difference that can be told (change: −")


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


def test_times_that_the_baseline_lacks() -> None:
    """Where the baseline has times for half of the queries only, these could be anything, and it is said."""
    half = {query: TIMES[query] if i % 2 else math.nan for i, query in enumerate(QUERIES)}
    comparison = ir.compare(
        JUDGED, {"old": system(2, half), "new": system(1, TIMES)}, ["RR"], guardrails="latency_p95 <= +10%"
    )
    assert comparison.verdict.outcome == "CAN'T TELL"
    assert "50 of 100 queries have a time in both" in " ".join(comparison.verdict.summary)
    assert "over 50 of 100 queries" in comparison.verdict.latency
    assert "50 of 100" in str(comparison)
    assert (set(comparison.latency["queries"]), set(comparison.latency["asked"])) == ({50}, {100})
    own = ir.compare(comparison.scores, baseline="old", guardrails="latency_p95 <= 1s").verdict
    assert own.outcome == "SHIP"  # the newcomer's own times are all there


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


def test_a_baseline_of_zero() -> None:
    """From 0 ms there is no relative change, whichever queries there are; a limit in milliseconds is decided."""
    systems = {"old": system(2, dict.fromkeys(QUERIES, 0.0)), "new": system(1, dict.fromkeys(QUERIES, 5.0))}
    verdict = ir.compare(JUDGED, systems, ["RR"], guardrails="latency_p95 <= +10%").verdict
    assert verdict.outcome == "CAN'T TELL"
    assert "there is no relative change from 0 ms" in verdict.sentence
    assert verdict.settle == "Set a limit in milliseconds"
    assert "p95 latency +5.00 ms (+5.00 to +5.00)" in verdict.sentence
    assert ir.compare(JUDGED, systems, ["RR"], guardrails="latency_p95 <= +4ms").verdict.outcome == "DON'T"
    sentence = ir.gate(JUDGED, *systems.values(), minimum="latency_p95 <= +10%").findings[0].sentence
    assert sentence.startswith("p95 latency grows from 0 ms to 5.00 ms over 100 queries; the limit is +10%")


def test_the_step_names_only_what_is_broken() -> None:
    """Of two guardrails the step names the broken one."""
    verdict = compared(guardrails=["latency_p50 <= +30%", "latency_p95 <= +10%"]).verdict
    assert verdict.steps == ("Make new faster, or allow a higher latency_p95.",)


def test_two_systems_of_different_clocks() -> None:
    """Wall time and engine time are not compared, which is said, also where a limit needs both."""
    engine = system(1, TIMES)
    engine["took_ms"] = engine.pop("latency_ms")
    systems = {"old": system(2, TIMES), "new": engine}
    verdict = ir.compare(JUDGED, systems, ["RR"]).verdict
    assert "no times are comparable: old says only wall time and new says only the engine's own time" in (
        verdict.sentence
    )
    with pytest.raises(NoColumnError, match="No times are comparable: old says only wall time"):
        ir.compare(JUDGED, systems, ["RR"], guardrails="latency_p95 <= +10%")


def test_a_column_that_was_not_read(tmp_path: Path) -> None:
    """A column called took whose rows disagree is named with line and reason where a limit asks for it."""
    (tmp_path / "new.csv").write_text("query,doc,rank,took\nq000,d,1,30\nq000,x,2,31\n", "utf-8")
    with pytest.raises(NoColumnError, match=r"Not read: .*new\.csv line 3: took 31, and line 2 says 30 for the same"):
        ir.gate(JUDGED, None, str(tmp_path / "new.csv"), minimum="took_p95 <= 1s")


def test_units_that_may_differ() -> None:
    """A median more than 50 times as long is doubted, one 49 times as long is not."""
    for factor, doubted in ((51.0, True), (49.0, False), (0.019, True), (0.021, False)):
        comparison = compared(factor)
        shown = (str(comparison), comparison.to_markdown(), str(comparison.scores))
        assert [("are both in the same unit?" in " ".join(text.split())) for text in shown] == [doubted] * 3


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
