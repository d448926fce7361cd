"""Who gave which grade: in an explanation, and in the lists of a report."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import idealrank as ir
from tests.cli.terminal import run

RATINGS = {
    "query": ["q", "q", "q", "q", "q", "r", "r"],
    "doc": ["a", "a", "b", "b", "c", "a", "a"],
    "rater": ["ana", "ben", "ana", "ben", "ana", "ana", "ben"],
    "grade": [3, 1, 2, 2, 0, 0, 1],
    "comment": ["right model", "", "", "", "", "", ""],
}
RESULTS = {"q": {"c": 3.0, "a": 2.0, "x": 1.0}, "r": {"a": 1.0}}


def test_an_explanation_names_raters_who_differ(tmp_path: Path) -> None:
    """Documents of either list whose raters differ, with comments; not those with equal grades or one rating."""
    found = ir.explain(RATINGS, RESULTS, "nDCG@10", query="q")
    assert found.ratings.rows() == [{"doc": "a", "ratings": "ana 3 (right model), ben 1"}]
    assert "raters who differ" in repr(found)
    assert json.loads(found.to_json())["ratings"] == found.ratings.rows()
    wide = {"query": ["q", "q"], "doc": ["a", "b"], "rater_ana": [3, 2], "rater_ben": [1, None]}
    assert ir.explain(wide, RESULTS, "nDCG@10", query="q").ratings["ratings"] == ["ana 3, ben 1"]
    (tmp_path / "j.csv").write_text("query,doc,rater,grade\nq,a,ana,3\nq,a,ben,1\n")
    (tmp_path / "r.csv").write_text("query,doc,score\nq,a,3\n")
    said = json.loads(run("explain", str(tmp_path / "j.csv"), str(tmp_path / "r.csv"), "--query", "q", "--json").out)
    assert said["ratings"] == [{"doc": "a", "ratings": "ana 3, ben 1"}]


def test_an_explanation_of_one_rating_each_says_nothing_of_raters() -> None:
    """Without several raters, or where they agree, there is no such table."""
    for judgments in ({"q": {"a": 1}}, {name: values[2:5] for name, values in RATINGS.items()}):
        found = ir.explain(judgments, RESULTS, "nDCG@10", query="q")
        assert not found.ratings.columns
        assert "ratings" not in found.to_dict()


def ratings_by_document(part: dict[str, Any], lists: dict[str, Any], ids: list[str]) -> list[tuple[str, str | None]]:
    """Return the documents of a list of a report with their ratings in words."""
    return [
        (ids[document], None if place is None else lists["ratings"][place])
        for document, place in zip(part["document"], part["ratings"], strict=True)
    ]


def test_a_report_has_the_ratings_of_each_result() -> None:
    """Each result and each document judged best has its ratings, if it has several: those of its own query."""
    report = ir.report(ir.evaluate(RATINGS, RESULTS, ["nDCG@10"]))
    lists, ids = report.lists, report.documents["id"]
    of_q, of_r = "ana 3 (right model), ben 1", "ana 0, ben 1"
    results = ratings_by_document(lists["systems"]["results"], lists, ids)
    assert results == [("c", None), ("a", of_q), ("x", None), ("a", of_r)]
    best = ratings_by_document(lists["best"], lists, ids)
    assert best == [("a", of_q), ("b", "ana 2, ben 2"), ("c", None), ("a", of_r)]
    alone = ir.report(ir.evaluate({"q": {"a": 1}}, {"q": {"a": 1.0}}, ["nDCG@10"])).lists
    assert "ratings" not in alone
    assert "ratings" not in alone["best"]


def test_of_many_raters_some_are_written_out() -> None:
    """Of more than a dozen ratings the rest are counted."""
    many = {"query": ["q"] * 14, "doc": ["a"] * 14, "rater": [f"r{i:02}" for i in range(14)], "grade": [0, 1] * 7}
    (row,) = ir.explain(many, RESULTS, "nDCG@10", query="q").ratings
    assert row["ratings"].startswith("r00 0, r01 1, ")
    assert row["ratings"].endswith("r11 1, and 2 more")
