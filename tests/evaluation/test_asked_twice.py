"""A golden set that asks the same question twice."""

from __future__ import annotations

from pathlib import Path

import idealrank as ir


def test_another_letter_case_is_warned_of(tmp_path: Path) -> None:
    """Two questions that differ by letter case and spaces count twice, and a warning names both."""
    judged = {"How do I return shoes?": {"a": 1}, "how do I  return Shoes?": {"a": 1}, "what is new": {"b": 1}}
    (warning,) = ir.evaluate(judged, {query: {"a": 1.0} for query in judged}, ["RR"]).ledger.warnings
    assert warning == (
        "the same question but for letter case or spaces, judged as different queries: "
        "How do I return shoes?, how do I  return Shoes?; keep one of each"
    )


def test_texts_of_ids(tmp_path: Path) -> None:
    """Ids with the same text are warned of; different questions are not."""
    rows = "q1,Red shoes,a,1\nq2,red shoes,b,1\nq3,blue shoes,a,1\n"
    (tmp_path / "j.csv").write_text(f"query_id,query,doc_id,grade\n{rows}")
    run = {"q1": {"a": 1.0}, "q2": {"b": 1.0}, "q3": {"a": 1.0}}
    (warning,) = ir.evaluate(str(tmp_path / "j.csv"), run, ["RR"]).ledger.warnings
    assert "different queries: q1, q2; keep one of each" in warning
    del run["q2"]
    rows = rows.replace("q2,red shoes", "q2,green shoes")
    (tmp_path / "j.csv").write_text(f"query_id,query,doc_id,grade\n{rows}")
    assert not ir.evaluate(str(tmp_path / "j.csv"), run, ["RR"]).ledger.warnings
