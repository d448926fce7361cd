"""Limits of latency in a gate: what they say, how certain it must be, and where that is written."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import numpy as np
import pytest

import idealrank as ir
from idealrank.errors import NoColumnError, UsageError

QUERIES = [f"q{i:03}" for i in range(60)]
JUDGMENTS = {query: {"d": 1} for query in QUERIES}
TIMES = np.random.default_rng(5).lognormal(3, 0.3, 60)


def system(times: Any, status: list[str] | None = None, queries: list[str] = QUERIES) -> dict[str, Any]:
    """Return results of one document per query, with the time of each."""
    rows = {"query": queries, "doc": ["d"] * len(queries), "rank": [1] * len(queries), "latency_ms": list(times)}
    if status is None:
        return rows
    return rows | {"status": status, "doc": ["" if word == "failed" else "d" for word in status]}


def gated(factor: float, limit: str, **options: Any) -> ir.Gate:
    """Gate a system that needs so much of the baseline's time in every query."""
    return ir.gate(JUDGMENTS, system(TIMES), system(factor * TIMES), minimum=limit, **options)


@pytest.mark.parametrize(
    ("factor", "limit", "outcome"),
    [
        (1.05, "latency_p95 <= +10%", "passed"),
        (1.1, "latency_p95 <= +10%", "passed"),  # exactly the limit is allowed
        (1.1, "latency_p95 < +10%", "failed"),
        (1.2, "latency_p95 <= +10%", "failed"),
        (0.5, "latency_p95 <= +10%", "passed"),
        (1.2, "latency_p50 <= +1000ms", "passed"),
        (1.2, "latency_p50 <= +1ms", "failed"),
        (0.8, "latency_p95 <= -10%", "passed"),
        (0.95, "latency_p95 <= -10%", "failed"),
        (1.0, "latency_p99 <= 1s", "passed"),
        (1.0, "latency_p99 <= 1ms", "failed"),
    ],
)
def test_a_share_of_every_query(factor: float, limit: str, outcome: str) -> None:
    """Where every query takes the same share longer, every quantile does, and the interval of the share is a point."""
    for alpha in (None, 0.05):
        found = gated(factor, limit, alpha=alpha)
        assert found.outcome == outcome
        assert found.code == {"passed": 0, "failed": 1}[outcome]


def test_an_absolute_limit_by_hand() -> None:
    """The p50 of 10, 20 and 60 ms is 20; no baseline is needed."""
    rows = system([10.0, 20.0, 60.0], queries=QUERIES[:3])
    found = ir.gate(JUDGMENTS, None, rows, minimum=["latency_p50 <= 20ms", "latency_p50 < 20ms"])
    assert [finding.outcome for finding in found.findings] == ["passed", "failed"]
    assert found.findings[0].sentence == "p50 latency is 20.0 ms over 3 queries, <= 20ms"
    assert found.findings[0].low == -math.inf


def test_what_cannot_be_told() -> None:
    """Ten queries have no interval for p95: within the limit can't be told, beyond it fails unless alpha is given."""
    queries, slower = QUERIES[:10], 1.2 * TIMES[:10]
    judged = {query: {"d": 1} for query in queries}
    systems = system(TIMES[:10], queries=queries), system(slower, queries=queries)
    within, beyond = "latency_p95 <= +30%", "latency_p95 <= +10%"
    assert ir.gate(judged, *systems, minimum=within).findings[0].outcome == "can't tell"
    assert ir.gate(judged, *systems, minimum=within).code == 0
    assert ir.gate(judged, *systems, minimum=within, strict=True).code == 4
    assert ir.gate(judged, *systems, minimum=beyond).code == 1
    found = ir.gate(judged, *systems, minimum=beyond, alpha=0.05)
    assert found.findings[0].outcome == "can't tell"
    assert "10 queries are too few for an interval" in found.findings[0].sentence


def test_certain_with_alpha() -> None:
    """A rise beyond the limit whose interval includes 0 fails, and with an alpha can't be told."""
    noise = np.random.default_rng(1).lognormal(0, 1.0, 60)
    systems = system(TIMES), system(TIMES * noise)
    limit = "latency_p50 <= +0.1%"
    plain, sure = (ir.gate(JUDGMENTS, *systems, minimum=limit, alpha=alpha).findings[0] for alpha in (None, 0.05))
    assert sure.low < 0 < sure.high
    assert plain.value > 0.001
    assert (plain.outcome, sure.outcome) == ("failed", "can't tell")
    assert "includes 0" in sure.sentence


def test_refused() -> None:
    """No times, no baseline, or a drop of latency: each is refused with what to do."""
    plain = {query: {"d": 1.0} for query in QUERIES}
    with pytest.raises(NoColumnError, match="latency_ms"):
        ir.gate(JUDGMENTS, plain, plain, minimum="latency_p95 <= +10%")
    with pytest.raises(UsageError, match="nothing to be slower than"):
        ir.gate(JUDGMENTS, None, system(TIMES), minimum="latency_p95 <= +10%")
    with pytest.raises(UsageError, match=r"minimum='latency_p95 <= \+10%'"):
        ir.gate(JUDGMENTS, plain, plain, fail_if="latency_p95 drops 10%")
    with pytest.raises(UsageError, match="not a limit of latency"):
        ir.gate(JUDGMENTS, plain, plain, minimum="latency_p95 <= 10")


def test_reports(tmp_path: Path) -> None:
    """JUnit, Markdown and the table have a case for the limit, beside those of measures."""
    found = gated(1.2, "latency_p95 <= +10%", fail_if="RR drops 0.01")
    (case,) = [
        case for case in ElementTree.fromstring(found.to_junit()).iter("testcase") if "latency" in case.get("name", "")
    ]
    assert case.find("failure") is not None
    assert "\n- failed: p95 latency grows by 20.0%" in found.to_markdown()
    row = next(row for row in found.table if row["kind"] == "latency")
    assert (row["outcome"], row["limit"]) == ("failed", pytest.approx(0.1))
    assert row["value"] == pytest.approx(0.2)
