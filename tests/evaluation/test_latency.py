"""How long the searches of a system took: quantiles over its queries, and where they are shown."""

from __future__ import annotations

import json
import math
from typing import Any

import numpy as np
import pytest
import scipy.stats

import idealrank as ir
from idealrank.evaluation.summary import summary_sentences

JUDGMENTS = {f"q{i:03}": {"d": 1} for i in range(1, 101)}


def timed(times: dict[str, float], **more: list[Any]) -> dict[str, Any]:
    """Return results of one document per query, each with its time."""
    return {"query": list(times), "doc": ["d"] * len(times), "rank": [1] * len(times)} | {
        "latency_ms": list(times.values()),
        **more,
    }


HUNDRED = dict(zip(JUDGMENTS, np.random.default_rng(2).lognormal(3, 0.5, 100).tolist(), strict=True))


def test_by_hand() -> None:
    """Of 10, 20 … 50: the median is 30, p95 is 0.8 of the way from 40 to 50, p99 0.96 of it; five bound nothing."""
    times = {f"q{i:03}": 10.0 * i for i in range(1, 6)}
    (row,) = ir.evaluate(JUDGMENTS, timed(times), ["RR"]).latency
    assert (row["p50"], row["p95"], row["p99"]) == (30.0, pytest.approx(48.0), pytest.approx(49.6))
    assert (row["queries"], row["failed"]) == (5, 0)
    assert (row["p50 low"], row["p50 high"], row["p95 high"]) == (-math.inf, math.inf, math.inf)


@pytest.mark.parametrize(("name", "q"), [("p50", 0.5), ("p95", 0.95), ("p99", 0.99)])
def test_against_numpy_and_scipy(name: str, q: float) -> None:
    """Quantiles are numpy's, their intervals scipy's."""
    (row,) = ir.evaluate(JUDGMENTS, timed(HUNDRED), ["RR"]).latency
    values = list(HUNDRED.values())
    assert row[name] == pytest.approx(np.quantile(values, q))
    span = scipy.stats.quantile_test(values, p=q).confidence_interval()
    assert row[f"{name} low"] == span.low
    assert row[f"{name} high"] == (span.high if math.isfinite(span.high) else math.inf)


def test_which_queries_count() -> None:
    """Queries nobody judged count, empty ones too; failed ones are only counted; `only` leaves out the others."""
    rows = timed({"q001": 10.0, "q002": 20.0, "q003": 9000.0, "stranger": 60.0}, status=["ok", "empty", "failed", "ok"])
    rows["doc"] = ["d", "", "", "d"]
    (row,) = ir.evaluate(JUDGMENTS, rows, ["RR"]).latency
    assert (row["queries"], row["failed"], row["p50"]) == (3, 1, 20.0)
    (row,) = ir.evaluate(JUDGMENTS, rows, ["RR"], only="q001,q002").latency
    assert (row["queries"], row["failed"], row["p50"]) == (2, 0, 15.0)


def test_two_clocks_and_two_systems() -> None:
    """The engine's own time has columns of its own; a system without times has no queries."""
    first = timed({"q001": 10.0, "q002": 20.0}, took_ms=[4, 8])
    scores = ir.evaluate(JUDGMENTS, {"a": first, "b": {"q001": {"d": 1.0}}}, ["RR"])
    one, other = scores.latency
    assert (one["system"], one["p50"], one["took p50"]) == ("a", 15.0, 6.0)
    assert (other["system"], other["queries"], math.isnan(other["p50"])) == ("b", 0, True)


def test_searches_by_themselves() -> None:
    """With steps=each, every search has its own time; otherwise a task has the sum of them."""
    rows = {"query": ["t", "t"], "step": [1, 2], "doc": ["x", "d"], "rank": [1, 1], "latency_ms": [10, 30]}
    judged = {"t": {"d": 1}}
    assert ir.evaluate(judged, rows, ["RR"], steps="union").latency["p50"] == [40.0]
    assert ir.evaluate(judged, rows, ["RR"], steps="each").latency["p50"] == [20.0]


def test_nothing_is_said_without_times() -> None:
    """Results without times have an empty table, and no word about time anywhere."""
    scores = ir.evaluate(JUDGMENTS, {"q001": {"d": 1.0}}, ["RR"])
    assert len(scores.latency) == 0
    assert "latency" not in scores.to_dict()
    assert "atency" not in f"{scores}{scores._repr_html_()}{summary_sentences(scores)}"


def test_shown() -> None:
    """Text, notebook, JSON and the lines of a terminal show the quantiles with their intervals."""
    scores = ir.evaluate(JUDGMENTS, {"a": timed(HUNDRED), "b": timed({q: 2 * t for q, t in HUNDRED.items()})}, ["RR"])
    p95 = np.quantile(list(HUNDRED.values()), 0.95)
    assert f"{p95:.1f} (" in str(scores)
    assert f"{p95:.1f} (" in scores._repr_html_()
    assert json.loads(scores.to_json())["latency"][0]["p95"] == pytest.approx(p95)
    (line,) = [line for line in summary_sentences(scores) if line.startswith("Latency of a: ")]
    assert f"p95 {p95:.1f} ms (" in line


def test_many_systems_in_a_line() -> None:
    """Of more than three systems a terminal says the lowest and the highest p95."""
    runs = {name: timed({"q001": 10.0 * i, "q002": 10.0 * i}) for i, name in enumerate("abcd", 1)}
    (line,) = [line for line in summary_sentences(ir.evaluate(JUDGMENTS, runs, ["RR"])) if line.startswith("Latency")]
    assert line == "Latency: p95 from 10.0 ms (a) to 40.0 ms (d); all: --latency"


def test_queries_without_a_time() -> None:
    """Where 51 of 100 answered queries have a time, that is said beside the quantiles; failed ones have no answer."""
    rows = timed({query: time if i < 51 else math.nan for i, (query, time) in enumerate(HUNDRED.items())})
    scores = ir.evaluate(JUDGMENTS, rows, ["RR"])
    (row,) = scores.latency
    assert (row["queries"], row["failed"], row["untimed"]) == (51, 0, 49)
    for text in (str(scores), scores._repr_html_(), " ".join(summary_sentences(scores)), ir.report(scores).to_html()):
        assert "51 of 100 queries have a time" in " ".join(text.split())
    rows |= {"status": ["ok"] * 51 + ["failed"] * 49}
    assert ir.evaluate(JUDGMENTS, rows, ["RR"]).latency["untimed"] == [0]
