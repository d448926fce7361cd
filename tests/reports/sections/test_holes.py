"""Holes, overlap and lists of small worlds, counted by hand and by the ledger."""

from __future__ import annotations

from typing import Any

import pytest

import idealrank as ir
from tests.reports.sections.test_arithmetic import scored

JUDGED = {"a": {"d": 1}, "b": {"d": 1}, "c": {"d": 1}}
BEFORE = {"a": scored("x", "d"), "b": scored("x", "y", "d"), "c": scored("d", "x")}
AFTER = {"a": scored("d", "z"), "b": scored("d"), "c": scored("d", "y", "z")}


def compared(**options: Any) -> ir.Report:
    """Return the report on both."""
    return ir.report(ir.compare(JUDGED, {"before": BEFORE, "after": AFTER}, ["RR"], draws=100, **options))


def test_queries_that_were_not_asked_for_have_no_holes_and_no_overlap() -> None:
    """Of three queries two are asked for: the third has neither, and is in no mean of them.

    Jaccard is 1/3 and 1/4; of the documents of `after` 1/2 and 2/3 are new.
    """
    report = compared(only=["a", "c"])
    assert report.holes["counts"] == {"before": [1, None, 1], "after": [1, None, 2]}
    (found,) = report.overlap
    assert found["jaccard"] == pytest.approx([1 / 3, None, 1 / 4])
    assert found["churn"] == pytest.approx([1 / 2, None, 2 / 3])
    assert [value is None for value in found["rbo"]] == [False, True, False]
    assert found["summary"]["jaccard"] == pytest.approx((1 / 3 + 1 / 4) / 2)
    assert found["summary"]["churn"] == pytest.approx((1 / 2 + 2 / 3) / 2)
    assert found["summary"]["rbo"] == pytest.approx((found["rbo"][0] + found["rbo"][2]) / 2)


def test_all_queries_are_counted_where_all_are_asked_for() -> None:
    """Jaccard is 1/3, 1/3 and 1/4: `before` has a hole or two in each query, `after` none in the second."""
    report = compared()
    assert report.holes["counts"] == {"before": [1, 2, 1], "after": [1, 0, 2]}
    assert report.overlap[0]["summary"]["jaccard"] == pytest.approx((1 / 3 + 1 / 3 + 1 / 4) / 3)


def test_a_grade_below_zero_is_a_hole_where_it_counts_as_none() -> None:
    """The holes are the ledger's: three with negative=unjudged, one where grades below zero are kept."""
    judged, run = {"q": {"a": 1, "n": -1, "m": -2}}, {"q": scored("n", "a", "x", "m")}
    for negative, holes in (("unjudged", 3), ("zero", 1), ("keep", 1)):
        scores = ir.evaluate(judged, run, ["nDCG@4"], negative=negative)
        (account,) = scores.ledger.systems
        assert ir.report(scores).holes["counts"] == {"results": [holes]}
        assert account.counts["unjudged results"] == holes


def test_what_to_judge_first_is_all_that_would_move_the_mean() -> None:
    """Each hole above the relevant document, or with none above it, could become the first relevant result.

    The mean of three RR moves by (1 - 1/2) / 3 for x of a, (1 - 1/3) / 3 for x of b, (1/2 - 1/3) / 3 for y of b, all in
    favour of `before`; below a relevant document nothing moves.
    """
    rows = compared().holes["to_judge"]
    moves = {(row["query"], row["document"]): row["move"] for row in rows}
    assert moves == pytest.approx({("b", "x"): -2 / 9, ("a", "x"): -1 / 6, ("b", "y"): -1 / 18})
    assert [row["document"] for row in rows] == ["x", "x", "y"]
    assert [(row["baseline rank"], row["rank"]) for row in rows] == [(1, None), (1, None), (2, None)]


def test_ten_are_named_for_each_system() -> None:
    """Of twelve holes that all move as much, ten are named for each of two systems."""
    judged = {f"q{i:02}": {"d": 1} for i in range(12)}
    runs = {
        "base": {query: scored("d") for query in judged},
        "one": {query: scored("x", "d") for query in judged},
        "two": {query: scored("y", "d") for query in judged},
    }
    rows = ir.report(ir.compare(judged, runs, ["RR"], baseline="base", draws=100)).holes["to_judge"]
    assert [row["system"] for row in rows] == ["one"] * 10 + ["two"] * 10


def test_gaps_that_are_kept_are_no_results() -> None:
    """Ranks 1, 3 and 7 are three results of which two are holes; they keep their ranks, and RR is 1/3."""
    run = {"query": ["q"] * 3, "doc": ["x", "a", "y"], "rank": [1, 3, 7]}
    report = ir.report(ir.evaluate({"q": {"a": 1}}, run, ["RR"], rank_gaps="keep"))
    found = report.lists["systems"]["results"]
    assert (found["rank"], found["returned"]) == ([1, 3, 7], [3])
    assert report.holes["counts"] == {"results": [2]}
    assert report.values["RR"]["results"] == [1 / 3]


def test_a_list_that_is_cut_tells_how_many_there_were() -> None:
    """Of five results two are shown; returned counts all five, and only holes that are shown are counted."""
    report = ir.report(ir.evaluate({"q": {"a": 1}}, {"q": scored("x", "a", "y", "z", "u")}, ["RR"]), depth=2)
    assert report.lists["systems"]["results"]["returned"] == [5]
    assert report.holes["counts"] == {"results": [1]}
