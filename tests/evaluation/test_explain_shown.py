"""An explanation shown: JSON, CSV, text and HTML."""

from __future__ import annotations

import json

import pytest

import idealrank as ir
from tests.evaluation.worlds import JUDGMENTS, RESULTS


def test_json_is_complete() -> None:
    """JSON has the value, its sum, the fingerprint, both tables and the notes in full precision."""
    found = ir.explain(JUDGMENTS, RESULTS, "nDCG@10", query="q1")
    whole = json.loads(found.to_json())
    assert whole["score"] == found.score
    assert whole["total"] / whole["normaliser"] == pytest.approx(whole["score"], abs=1e-15)
    assert whole["decisions"] == found.measure.fingerprint
    assert [row["doc"] for row in whole["steps"]] == ["d1", "d2", "d3"]
    assert whole["steps"][1]["grade"] is None
    assert [row["rank"] for row in whole["ideal"]] == [1, 2, 3]
    assert whole["notes"] == list(found.notes)


def test_csv_of_both_tables() -> None:
    """The steps and the ideal are tables with CSV of their own."""
    found = ir.explain(JUDGMENTS, RESULTS, "nDCG@10", query="q1")
    assert found.steps.to_csv().splitlines()[0] == "rank,doc,grade,gain,discount,contribution,running,fingerprint"
    assert found.steps.to_csv().splitlines()[2].startswith("2,d2,,0.0,")
    assert found.ideal.to_csv().splitlines()[1] == f'1,d1,3.0,1,3.0,1.0,3.0,3.0,"{found.measure.fingerprint}"'


def test_text_shows_the_arithmetic(monkeypatch: pytest.MonkeyPatch) -> None:
    """The text has the value, both lists, the quotient, the notes and the decisions; side by side where they fit."""
    found = ir.explain(JUDGMENTS, RESULTS, "nDCG@10", query="q1")
    monkeypatch.setenv("COLUMNS", "140")
    wide = repr(found).splitlines()
    assert wide[0] == "query q1, results: nDCG@10 = 0.7350"
    assert wide[2].split() == ["results", "ideal", "list"]
    assert wide[6].split()[:7] == ["2", "d2", "–", "0", "0.6309", "0.0000", "3.0000"]
    assert "contributions 3.5000 / 4.7619 = 0.7350" in wide
    assert "decisions  idealrank-1" in wide
    monkeypatch.setenv("COLUMNS", "80")
    narrow = repr(found).splitlines()
    assert narrow.index("ideal list") > narrow.index("results")
    assert max(map(len, narrow)) <= 80


def test_text_cuts_what_contributes_nothing() -> None:
    """Long lists are shown to the last result that contributes, and ten at least; the rest is counted."""
    results = {"q": {f"d{i:03}": 1000.0 - i for i in range(100)}}
    text = repr(ir.explain({"q": {"d020": 1.0, "d000": 0.0}}, results, "AP", query="q"))
    assert "79 more results contribute nothing" in text
    assert "d020" in text
    assert "d021" not in text
    assert "90 more results contribute nothing" in repr(ir.explain({"q": {"d000": 1.0}}, results, "AP", query="q"))


def test_html_escapes_ids_and_texts() -> None:
    """Ids and texts are text in HTML, whatever they hold."""
    judgments = {"query_id": ["<q>"], "query": ["<script>"], "doc": ["<img>"], "grade": [1]}
    html = ir.explain(
        judgments, {"query_id": ["<q>"], "doc": ["<img>"], "rank": [1]}, "nDCG", query="<q>"
    )._repr_html_()
    for raw in ("<q>", "<script>", "<img>"):
        assert raw not in html
    assert "&lt;script&gt;" in html
    assert "ideal list" in html


def test_grades_side_by_side_are_written_alike() -> None:
    """A fraction in the ideal gives the results as many decimals: 3.0 stands beside 1.5."""
    from idealrank.display.text import paragraphs

    found = ir.explain({"q": {"a": 3, "b": 1.5}}, {"q": {"a": 1.0}}, "nDCG@10")
    (row,) = [line for line in paragraphs(found.shown(), 200)[1] if " a " in line]
    assert (row.split().count("3.0"), row.split().count("3.0000")) == (4, 4)
    assert "3" not in row.split()
