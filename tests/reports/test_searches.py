"""A report of several searches per query: the steps one under the other, and what was never asked for."""

from __future__ import annotations

from typing import Any

import idealrank as ir
from idealrank.reports.page.page import render
from idealrank.reports.sections.lists import ranked_lists
from tests.reports.test_markdown import written

JUDGMENTS = {"t1": {"a": 1, "b": 1}, "t2": {"c": 1}, "t3": {"d": 1}}
RESULTS: dict[str, list[Any]] = {
    "query": ["t1"] * 5 + ["t2"] * 3,
    "step": [1, 1, 4, 4, 4, 1, 2, 3],
    "rank": [1, 2, 1, 2, 3, 1, 1, 1],
    "doc": ["x", "a", "a", "b", "z", "w", "w", "c"],
}
SCORES = ir.evaluate(JUDGMENTS, RESULTS, ["R@5", "AllRecall"], steps="union")


def test_each_result_has_its_step() -> None:
    """By hand, t1 is x a of step 1 and b z of step 4, t2 is w of step 1 and c of step 3, and t3 is nothing."""
    (lists,) = ranked_lists(SCORES).values()
    assert lists.documents == ["x", "a", "b", "z", "w", "c"]
    assert lists.step is not None
    assert lists.step.tolist() == [1, 1, 4, 4, 1, 3]
    assert ir.report(SCORES).lists["systems"]["results"]["step"] == [1, 1, 4, 4, 1, 3]


def test_one_search_each_has_no_steps() -> None:
    """Where no query has several searches, results have no step."""
    plain = ir.evaluate({"q": {"a": 1}}, {"q": {"a": 1.0}}, ["RR"])
    assert ranked_lists(plain)["results"].step is None
    assert "step" not in ir.report(plain).lists["systems"]["results"]


def test_as_many_results_per_search() -> None:
    """A depth of 1 shows one result per search: t1 has three searches at most, so three results, and b is seen."""
    assert ir.report(SCORES, depth=1).depth == 3
    last = ir.evaluate(JUDGMENTS, RESULTS, ["R@5"], steps="last")
    assert ir.report(last, depth=1).depth == 1


def test_steps_in_markdown() -> None:
    """The list of a query names the step of each result, in order."""
    shown = " ".join(each.text for each in written(SCORES).all("td"))
    places = [shown.index(text) for text in ("step 1: x (–)", "step 1: a (1)", "step 4: b (1)", "step 4: z (–)")]
    assert places == sorted(places)


def test_a_task_that_was_never_asked() -> None:
    """The page and its checks tell it from a query without results."""
    report = ir.report(SCORES)
    assert "judged, never asked" in {row["state"] for row in report.to_dict()["states"]}
    assert "no search</span>" in render("changes.html", report=report.to_dict())
    assert [account["never_asked"] for account in report.to_dict()["ledger"]["systems"]] == [["t3"]]
    assert any(check["text"] == "no search for t3 (results)" for check in report.to_dict()["summary"]["checks"])
    plain = ir.report(ir.evaluate({"q": {"a": 1}}, {"q": {"a": 1.0}}, ["RR"])).to_dict()
    assert "judged, never asked" not in {row["state"] for row in plain["states"]}
