"""What is said about spans: in the ledger, in explanations, by documents, in comparisons and reports."""

from __future__ import annotations

from typing import Any

import pytest

import idealrank as ir
from tests.judged_lists.test_spans import SPANS, Columns, chunks

FOUND = chunks((0, 15), (12, 18), (60, 70), (15, 45))
"""Hits the first span, repeats it, hits nothing, hits the second span."""

TWO: Columns = {
    "query": ["q", "q", "q"],
    "doc": ["d", "d", "e"],
    "begin": [10, 40, 0],
    "end": [20, 50, 10],
    "grade": [1, 1, 1],
}
"""Two spans in one document, one in another."""


def scored(judged: Columns, measures: list[str], **answers: Any) -> ir.Scores:
    """Evaluate the chunks."""
    return ir.evaluate(judged, FOUND, measures, unit="spans", **answers)


@pytest.mark.parametrize(("counts", "fate"), [("units", "takes no rank"), ("returned", "keeps its rank")])
def test_the_ledger(counts: str, fate: str) -> None:
    """It counts the chunks that hit spans, and those that only repeat, and says what becomes of them."""
    text = (
        f"3 of 4 chunks hit judged spans; 1 hits only spans that come before and {fate} (overlap=any, counts={counts})"
    )
    scores = scored(SPANS, ["R"], counts=counts)
    assert any(text in note for note in scores.ledger.notes)
    assert any(text in note for note in scores.explain("R", "q").notes)


def test_an_explanation_names_the_spans() -> None:
    """Each credited chunk stands beside its span; a chunk of a document that was read counts as judged."""
    explained = scored(SPANS, ["nDCG@5"]).explain("nDCG@5", "q")
    assert explained.steps["doc"] == ["d[0:15]", "d[60:70]", "d[15:45]"]
    assert explained.steps["span"] == ["d[10:20]", None, "d[40:50]"]
    assert explained.steps["grade"] == [1, 0, 2]
    assert not any("unjudged" in note for note in explained.notes)


def test_by_document() -> None:
    """Segments of documents are those of the documents that spans are of: two of two found in d, none of one in e."""
    table = {"id": ["d", "e"], "type": ["pdf", "page"]}
    found = scored(TWO, ["R", "CharR"]).by_document("type", table)
    recall = {(row["measure"], row["segment"]): row["recall"] for row in found.table.rows()}
    assert recall["R", "pdf"] == 1
    assert recall["R", "page"] == 0
    shares = {(row["measure"], row["segment"]): row["share of score"] for row in found.table.rows()}
    assert [shares[name, "pdf"] for name in ("R", "CharR")] == [1, 1]


def test_the_fingerprint() -> None:
    """The threshold is part of the fingerprint, which gives the same number again."""
    measure = scored(SPANS, ["R@2"], overlap="span(0.6)").measures[0]
    assert "unit=spans" in measure.fingerprint
    assert "overlap=span(0.6)" in measure.fingerprint
    again = ir.evaluate(SPANS, FOUND, [measure.fingerprint], unit="spans")
    assert again.values.tolist() == scored(SPANS, ["R@2"], overlap="span(0.6)").values.tolist()
    assert "overlap" not in ir.measure("R@2").fingerprint


@pytest.mark.parametrize("counts", ["units", "returned"])
def test_a_comparison_and_its_report(counts: str) -> None:
    """Two chunkings are compared under one table of spans, and the report is written in every form."""
    systems = {"long": chunks((0, 60), (60, 90)), "short": FOUND}
    comparison = ir.compare(TWO, systems, ["R@1", "CharP@2"], unit="spans", counts=counts, draws=100)
    whole = {"units": 1 / 3, "returned": 2 / 3}
    assert comparison.scores["R@1", "long"] == pytest.approx(whole[counts])
    assert comparison.scores["CharP@2", "long"] == 20 / 90
    report = ir.report(comparison)
    assert report.to_html().startswith("<!doctype html>")
    assert "## Thresholds of overlap" in report.to_markdown()
    assert '<section id="thresholds"' in report.to_html()
    part = report.to_dict()["thresholds"]
    assert part is not None
    assert part["systems"]["short"] == ir.thresholds(comparison.scores)["short"]
    assert ir.report(ir.evaluate({"q": {"d": 1}}, {"q": {"d": 1.0}}, ["RR"])).thresholds is None
    assert report.to_dict()["values"]["R@1"]["long"] == [pytest.approx(whole[counts])]
