"""What an evaluation says about results that a replay wrote."""

from __future__ import annotations

from pathlib import Path

import idealrank as ir


def test_lists_that_end_before_the_measure(tmp_path: Path) -> None:
    """R@100 over lists of two results that are all that was asked for is said; shorter lists are whole."""
    judgments = {"a": {"d1": 1.0, "d9": 1.0}, "b": {"d1": 1.0}}
    ir.replay({"a": "x", "b": "y"}, lambda text: ["d1", "d2"], k=2, name="cut", output=tmp_path)
    ir.replay({"a": "x", "b": "y"}, lambda text: ["d1", "d2"], k=3, name="whole", output=tmp_path)
    ledger = ir.evaluate(judgments, tmp_path / "cut.csv", ["R@100", "R@2"]).ledger
    assert "only 2 results were asked for: R@100 cannot see more. Ask for more: replay -k" in ledger.notes
    for file, measure in (("cut.csv", "R@2"), ("whole.csv", "R@100")):
        ledger = ir.evaluate(judgments, tmp_path / file, [measure]).ledger
        assert not any("asked for" in line for line in ledger.notes)
    both = ir.compare(judgments, [tmp_path / "cut.csv", tmp_path / "whole.csv"], measures=["R@2"]).ledger
    assert "the systems were not asked alike: results per query: 2 (cut), 3 (whole)" in both.warnings
