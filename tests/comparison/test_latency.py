"""Changes of latency beside a verdict."""

from __future__ import annotations

import json
import math
from pathlib import Path

import numpy as np
import pytest

import idealrank as ir
from idealrank.errors import NoColumnError
from tests.comparison.timed import JUDGED, JUDGMENTS, QUERIES, TIMES, compared, system


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
    assert comparison.verdict.latency.startswith("p95 latency: may be unchanged (−")
    assert comparison.verdict.summary[-1].startswith("The p95 latency may be unchanged (change: −")


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
