"""What a report says about latency, against the tables it is made of."""

from __future__ import annotations

import json
import math

import numpy as np
import pytest

import idealrank as ir
from tests.reports.drawn_worlds import several, several_timed


def test_no_part_without_times() -> None:
    """Where results say nothing about time, the part is empty, and so are its tab and its section."""
    report = ir.report(several(2))
    assert report.latency is None
    assert 'id="latency"' not in report.to_html()
    assert "## Latency" not in report.to_markdown()


def test_the_part() -> None:
    """The rows of both tables, with None where an end has no bound."""
    scores = several_timed(3)
    comparison = ir.compare(scores, baseline="s00", draws=100)
    part = json.loads(ir.report(comparison).to_json())["latency"]
    assert (part["clock"], part["meaning"], part["p95"]) == ("latency", "wall time", "p95")
    assert [row["p50"] for row in part["systems"]] == [65.0, 66.0, 67.0]  # between 60 and 70
    assert part["systems"][0]["p95 high"] is None
    assert [(row["system"], row["quantile"]) for row in part["differences"]][:2] == [("s01", "p50"), ("s01", "p95")]
    assert part["differences"][0]["difference"] == pytest.approx(1.0)
    assert part["differences"][0]["low"] == pytest.approx(1.0)
    assert ir.report(scores).latency["differences"] == []  # type: ignore[index]


def test_the_engines_own_time_alone() -> None:
    """Where only the engine says how long it took, its time is the one that is drawn."""
    run = {"query": ["q", "r"], "doc": ["d", "d"], "rank": [1, 1], "took": [12, 20]}
    part = ir.report(ir.evaluate({"q": {"d": 1}, "r": {"d": 1}}, run, ["RR"])).latency
    assert part is not None
    assert (part["clock"], part["p95"], part["systems"][0]["took p50"]) == ("took", "took p95", 16.0)


def test_the_page_and_markdown() -> None:
    """The page has the numbers in a tab that is read without script, Markdown in a section."""
    comparison = ir.compare(several_timed(2), draws=100)
    html, text = ir.report(comparison).to_html(), ir.report(comparison).to_markdown()
    assert '<section id="latency" class="panel"' in html
    p95 = float(np.quantile(10.0 * np.arange(1, 13), 0.95))
    assert math.isclose(p95, 114.5)
    assert "<b>114</b>" in html or "<b>115</b>" in html
    assert "## Latency" in text
    assert "114.5" in text
    assert comparison.verdict.summary[-1] in html.replace("&#x27;", "'")
