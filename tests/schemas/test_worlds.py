"""What values of the library write as JSON is what the command's schema says, in awkward worlds."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings, strategies as st

import idealrank as ir
from idealrank import IdealrankError
from idealrank.regression.baseline import Baseline, baseline_of
from tests.amounts import tried
from tests.schemas.validation import check

DOCS = st.sampled_from(["a", "b", "c", "d", "e"])
GRADES = st.dictionaries(DOCS, st.integers(-1, 3), min_size=1, max_size=4)
QUERIES = st.sampled_from(["q1", "q2", "q3", "q4"])
ROW = st.tuples(QUERIES, DOCS, st.integers(0, 3))


def _results(rows: list[tuple[str, str, int]], failed: str, timed: bool) -> dict[str, list[Any]]:
    """Return results: ties, a query whose search failed, one answered by nothing, times or none."""
    once = {(query, doc): score for query, doc, score in rows if query != failed}
    table: dict[str, list[Any]] = {name: [] for name in ("query", "doc", "score", "status", "error")}
    if timed:
        table["latency_ms"] = []
    for (query, doc), score in sorted(once.items(), key=lambda one: (one[0][0], -one[1])):
        for name, value in zip(table, (query, doc, float(score), "answered", "", 7.0 * int(query[1])), strict=False):
            table[name].append(value)
    if failed:
        for name, value in zip(table, (failed, None, None, "failed", "HTTP 500", None), strict=False):
            table[name].append(value)
    return table


WORLDS = {
    "judgments": st.dictionaries(QUERIES, GRADES, min_size=1, max_size=4),
    "first": st.lists(ROW, min_size=1, max_size=14),
    "second": st.lists(ROW, min_size=1, max_size=14),
    "failed": st.sampled_from(["", "q1", "q2"]),
    "timed": st.booleans(),
    "answers": st.sampled_from(
        [
            {},
            {"no_results": "skip"},
            {"failed": "skip"},
            {"no_relevant": "skip"},
            {"ties": "average"},
            {"unjudged": "filter"},
        ]
    ),
}


@settings(max_examples=tried(120), deadline=None)
@given(**WORLDS)
def test_scores_and_comparisons(
    judgments: dict[str, dict[str, int]], first: Any, second: Any, failed: str, timed: bool, answers: dict[str, Any]
) -> None:
    """Scores, their views, comparisons and reports of any small world write what their schemas say."""
    runs = {"x": _results(first, failed, timed), "y": _results(second, "", timed)}
    try:
        scores = ir.evaluate(judgments, runs, ["nDCG@3", "RR", "AP"], **answers)
    except IdealrankError:
        return
    check("evaluate", scores.to_json())
    check("evaluate-per-query", scores.to_json(per_query=True))
    for name, table in (("describe", scores.describe()), ("tie_range", scores.tie_ranges), ("worst", scores.worst(3))):
        check(f"evaluate-{name.replace('_', '-')}", json.dumps({**scores.to_dict(), name: table.rows()}))
    check("explain", scores.explain("nDCG@3", next(iter(judgments)), "x").to_json())
    check("report", ir.report(scores).to_json())
    try:
        comparison = ir.compare(scores, draws=100)
    except IdealrankError:
        return
    check("compare", comparison.to_json())
    check("compare-per-query", comparison.to_json(per_query=True))
    check("compare-losses", comparison.losses(3).to_json())
    check("compare-latency", comparison.latency.to_json())
    check("compare-by-segment", json.dumps(comparison.segments.to_dict()))
    check("compare-changes", json.dumps(comparison.changes(next(iter(judgments))).to_dict()))
    check("report", ir.report(comparison).to_json())


@settings(max_examples=tried(60), deadline=None)
@given(**{name: WORLDS[name] for name in ("judgments", "first", "second", "failed", "timed")})
def test_gates(judgments: dict[str, dict[str, int]], first: Any, second: Any, failed: str, timed: bool) -> None:
    """Gates, baselines, boards, histories, diagnoses, overlaps and flavours of any small world fit their schemas."""
    runs = [_results(first, failed, timed), _results(second, "", timed)]
    makers = {
        "gate": lambda: ir.gate(judgments, *runs, fail_if=["nDCG@3 drops 0.1"], minimum=["RR>=0.5"]),
        "gate-baseline": lambda: ir.gate(judgments, _baseline(judgments, runs[0]), runs[1]),
        "leaderboard": lambda: ir.leaderboard(judgments, dict(zip("xy", runs, strict=True)), ["RR", "AP"], draws=100),
        "history": lambda: ir.history({"2026-11": runs[0], "x": runs[1]}, judgments=judgments, measures=["AP"]),
        "overlap": lambda: ir.overlap(*runs),
        "doctor": lambda: ir.doctor(judgments, runs[0]),
        "flavors": lambda: ir.flavors(judgments, runs[0], k=3),
    }
    for name, make in makers.items():
        try:
            value = make()
        except IdealrankError:
            continue
        check(name, value.to_json())


def _baseline(judgments: dict[str, dict[str, int]], results: Any) -> Baseline:
    """Return the baseline of results, whose file is what its schema says."""
    kept = baseline_of(ir.evaluate(judgments, results, ["nDCG@3", "RR"]))
    check("baseline", kept.text())
    return kept


def test_one_query() -> None:
    """One query tells nothing of others: the ends of its interval, which are infinite, are null."""
    comparison = ir.compare({"q": {"a": 1}}, {"x": {"q": {"a": 1.0}}, "y": {"q": {"b": 1.0}}}, ["RR"])
    (row,) = check("compare", comparison.to_json())["differences"]
    assert (row["difference"], row["low"], row["high"]) == (-1.0, None, None)


def test_robustness_of_one_query() -> None:
    """What no flavour can bound is null in the table of flavours, too."""
    comparison = ir.compare({"q": {"a": 1}}, {"x": {"q": {"a": 1.0}}, "y": {"q": {"b": 1.0}}}, ["nDCG@10"])
    found = check("compare-robustness", json.dumps(comparison.robustness.to_dict()))
    assert {row["low"] for row in found["flavors"]} == {None}


@pytest.mark.parametrize("measures", [["CharR@5", "CharIoU"], ["nDCG@3", "RR"]])
def test_spans(measures: list[str]) -> None:
    """Spans, the characters of chunks and the thresholds of their overlap are described, too."""
    judgments = {"query": ["q", "q"], "doc": ["d", "d"], "begin": [0, 50], "end": [10, 60], "grade": [1, 2]}
    chunks = {"query": ["q", "q"], "doc": ["d", "d"], "begin": [5, 40], "end": [20, 55], "score": [2.0, 1.0]}
    scores = ir.evaluate(judgments, chunks, measures, unit="spans")
    check("evaluate", scores.to_json())
    check("report", ir.report(scores).to_json())
    check("explain", scores.explain(measures[0], "q").to_json())


def test_steps() -> None:
    """Tasks of several searches are described: the step of each result, and queries nobody searched for."""
    judgments = {"t1": {"a": 1, "b": 2}, "t2": {"c": 1}}
    results = {"query": ["t1", "t1", "t1"], "step": [1, 1, 2], "doc": ["x", "a", "b"], "score": [2.0, 1.0, 1.0]}
    scores = ir.evaluate(judgments, results, ["nDCG@3"], steps="union")
    assert check("evaluate", scores.to_json())["ledger"]["systems"][0]["never_asked"] == ["t2"]
    part = check("report", ir.report(scores).to_json())
    assert "step" in part["lists"]["systems"]["results"]
    check("explain", scores.explain("nDCG@3", "t1").to_json())


def test_parts_of_units() -> None:
    """An explanation of parts of units has the results as they were returned."""
    judgments, results = {"q": {"d": 1, "e": 1}}, {"q": {"d#1": 3.0, "d#2": 2.0, "e#1": 1.0}}
    scores = ir.evaluate(judgments, results, ["RR"], unit="before(#)")
    found = check("explain", scores.explain("RR", "q").to_json())
    assert [row["unit"] for row in found["parts"]] == ["d", "d", "e"]


def test_reconciled_values() -> None:
    """A query that one setting leaves out has no value there: null, which is JSON, where NaN is none."""
    answer = ir.reconcile(
        {"q": {"a": 1}, "r": {"a": 1}}, {"q": {"a": 1.0}}, "RR", "idealrank-1", "idealrank-1, no_results=skip"
    )
    found = check("reconcile", json.dumps(answer.to_dict()))
    assert (found["queries"]["query"], found["queries"]["before"], found["queries"]["after"]) == (["r"], [0.0], [None])


def test_baselines_without_a_value(tmp_path: Path) -> None:
    """A mean over no query is null: in a baseline, in what blessing it says, and in a history of it."""
    scores = ir.evaluate({"q": {"a": 0}}, {"q": {"a": 1.0}}, ["nDCG@3"], no_relevant="skip")
    file = tmp_path / "base.json"
    for before in (None, {"nDCG@3": None}):
        blessed = check("gate-baseline-bless", json.dumps(ir.bless(scores, file).to_dict()))
        assert (blessed["means"], blessed["before"]) == ({"nDCG@3": None}, before)
    assert check("baseline", file.read_text("utf-8"))["means"] == {"nDCG@3": None}
    (row,) = check("history", ir.history([file], measures="nDCG@3").to_json())["history"]
    assert (row["mean"], row["queries"]) == (None, 0)
