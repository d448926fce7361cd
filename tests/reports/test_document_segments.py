"""Segments of documents in a report: its part, Markdown, and the page without script."""

from __future__ import annotations

import html
import re

import pytest

import idealrank as ir
from tests.reports.worlds import GARDEN_JUDGED, HOSTILE, SHOP

KINDS = {"hose": {"kind": "goods"}, "reel": {"kind": "goods"}, "seeds": {"kind": "plants"}, "tap": {"kind": "plants"}}
BEFORE = {"q1": {"hose": 3.0, "reel": 2.0, "tap": 1.0}, "q2": {"broom": 2.0, "rake": 1.0}}


def garden(**options: object) -> ir.Report:
    """A report on one system, by the kind of documents."""
    scores = ir.evaluate(GARDEN_JUDGED, BEFORE, ["nDCG@3", "RR"])
    return ir.report(scores, documents=KINDS, by_document="kind", **options)  # type: ignore[arg-type]


def test_the_part_is_the_table() -> None:
    """The part has the column, the rows of `by_document`, and the notes; without a column asked for it is null."""
    scores = ir.evaluate(GARDEN_JUDGED, BEFORE, ["nDCG@3", "RR"])
    part = garden().to_dict()["document_segments"]
    assert part is not None
    assert (part["column"], part["rows"]) == ("kind", scores.by_document("kind", KINDS).table.rows())
    assert part["notes"][1] == "(none): 4 of them not in the table, 0 without a value in it"
    assert ir.report(scores).document_segments is None


def test_markdown() -> None:
    """Markdown has a section with the notes and a row per segment; without a column asked for there is none."""
    text = garden().to_markdown()
    section = text.partition("## Segments of documents\n")[2].partition("\n## ")[0]
    assert [line.split(" | ")[1] for line in section.splitlines() if line.startswith("| nDCG@3")] == [
        "goods", "plants", "(none)",
    ]  # fmt: skip
    assert "- column kind of documents; 8 judged documents" in section
    assert "Segments of documents" not in ir.report(ir.evaluate(GARDEN_JUDGED, BEFORE, ["RR"])).to_markdown()


def test_values_are_only_text() -> None:
    """Values that try to be more than text are escaped on the page."""
    docs = {f"d{i}": {"kind": text} for i, text in enumerate(HOSTILE)}
    scores = ir.evaluate({"q": dict.fromkeys(docs, 1)}, {"q": {"d0": 2.0, "d1": 1.0}}, ["RR"])
    page = ir.report(scores, documents=docs, by_document="kind").to_html()
    panel = page.partition('<section id="document_segments"')[2].partition("</section>")[0]
    assert html.escape(HOSTILE[0]) in panel
    assert not re.search(r"<(script|img)\b", panel)


def test_many_rows_are_cut() -> None:
    """The page shows 200 rows per measure and counts the others."""
    docs = {f"d{i}": {"kind": f"k{i}"} for i in range(100)}
    runs = {f"s{s}": {"q": {f"d{s}": 1.0}} for s in range(3)}
    scores = ir.evaluate({"q": dict.fromkeys(docs, 1)}, runs, ["R"])
    page = ir.report(scores, documents=docs, by_document="kind").to_html()
    panel = page.partition('<section id="document_segments"')[2].partition("</section>")[0]
    assert (panel.count('<th scope="row">'), "<p>100 more rows</p>" in panel) == (200, True)


def test_a_column_without_documents() -> None:
    """A column is one of a table, which must be given."""
    with pytest.raises(ir.UsageError, match=r"by_document='kind' is a column of which table\? Give documents=…"):
        ir.report(ir.evaluate(GARDEN_JUDGED, BEFORE, ["RR"]), by_document="kind")


def test_a_comparison_of_the_shop() -> None:
    """The scores of a comparison are shown by segment, too; shares add up to 1 per system."""
    files = [SHOP / "bm25.csv", SHOP / "hybrid.csv"]
    found = ir.compare(SHOP / "judgments.csv", files, ["nDCG@10"])
    part = ir.report(found, documents=SHOP / "products.csv", by_document="category").document_segments
    assert part is not None
    for system in ("bm25", "hybrid"):
        for share in ("share of score", "share of loss"):
            assert sum(row[share] for row in part["rows"] if row["system"] == system) == pytest.approx(1, abs=1e-12)
