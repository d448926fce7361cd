"""Numbers that are traced to how ties are broken."""

from __future__ import annotations

import idealrank as ir
from tests.audit.test_identify import traced


def test_ties_of_single_precision_and_gaps() -> None:
    """Scores that only single precision ties, and ranks that leave gaps, are told from those that do not."""
    qrels = {"q": {"a": 1, "b": 0}}
    close = {"q": {"a": 1.0, "b": 1.0 + 1e-9}}
    half = traced(qrels, close, {"RR": "0.5"}, departures=0)
    assert "trec_eval-10.0" in half
    assert "trec_eval-9.0.8" in half
    whole = traced({"q": {"b": 1, "a": 0}}, {"q": {"b": 1.0 + 1e-9, "a": 1.0, "c": 1.0}}, {"RR": "1.0"}, departures=0)
    assert "trec_eval-10.0" in whole
    assert "trec_eval-9.0.8" not in whole
    gaps = {"query": ["q", "q"], "doc": ["b", "a"], "rank": [1, 4]}
    assert any("rank_gaps=keep" in text for text in traced(qrels, gaps, {"RR": "0.25"}, departures=1))


def test_ties_that_leave_the_order_as_it_is() -> None:
    """Scores tied in single precision alone, in the order of ids too, still make an average of their own."""
    qrels, run = {"q": {"c": 3, "b": 1, "a": 2}}, {"q": {"c": 1.0 + 2e-9, "b": 1.0 + 1e-9, "a": 1.0}}
    values = {
        name: ir.evaluate(qrels, run, ["nDCG@2"], convention=name)["nDCG@2"] for name in ("torchmetrics", "sklearn")
    }
    for name, value in values.items():
        found = traced(qrels, run, {"nDCG@2": f"{value:.6f}"}, departures=0)
        assert [other in found for other in values] == [other == name for other in values]
