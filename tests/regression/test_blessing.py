"""Blessing: what is accepted, what is said of it, and what is not written; gates never write."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import pytest

import idealrank as ir
from tests.regression.worlds import failing, known, ranked


def test_failed_searches_are_not_blessed(tmp_path: Path) -> None:
    """A search that failed leaves nothing to bless, unless a decision says that it counts 0; nothing is written."""
    base = tmp_path / "base.json"
    with pytest.raises(ir.DataError, match=r"failed for 1 query \(q002\), so there is no value to bless.*failed=0"):
        ir.bless(ir.evaluate(known(4), failing([1, 1, 1, 1], 2), "RR"), base)
    assert not base.exists()
    ir.bless(ir.evaluate(known(4), failing([1, 1, 1, 1], 2), "RR", failed="0"), base)
    assert base.exists()


def test_gates_never_write(tmp_path: Path) -> None:
    """A gate that passes, fails or sees a gain leaves the bytes of its baseline as they are."""
    base = tmp_path / "base.json"
    ir.bless(ir.evaluate(known(2), ranked([2, 2]), "RR"), base)
    before, when = base.read_bytes(), os.stat(base).st_mtime_ns
    for ranks in ([1, 1], [2, 2], [3, 3]):
        ir.gate(known(2), base, ranked(ranks))
    assert (base.read_bytes(), os.stat(base).st_mtime_ns) == (before, when)


def test_blessing_says_what_it_changes(tmp_path: Path) -> None:
    """Means from what to what, lists, judgments and decisions; the same again says that nothing changed."""
    base = tmp_path / "eval" / "base.json"
    first = ir.bless(ir.evaluate(known(3), ranked([1, 2, 2]), ["RR", "P@1"]), base)
    assert first.before is None
    assert "RR          0.6667" in str(first)
    again = ir.bless(ir.evaluate(known(3), ranked([1, 2, 2]), ["RR", "P@1"]), base)
    assert "the same lists and judgments as before" in str(again)
    second = str(ir.bless(ir.evaluate(known(4), ranked([1, 1, 2, 1]), ["RR"]), base))
    assert "RR          0.6667 → 0.8750" in second
    assert "P@1         no longer guarded" in second
    assert "results changed in 1 query: q001" in second
    assert "1 query not in the baseline, so not guarded: q003" not in second
    assert "1 query added: q003" in second


@pytest.mark.parametrize(
    ("measures", "options", "said"),
    [
        ("ARP", {}, "lower ARP is better, so it has no drop to guard against"),
        ("IDCG", {}, "neither good nor bad"),
        ("RR", {"average": "median"}, "is averaged with average=median"),
    ],
)
def test_what_cannot_be_guarded_is_not_blessed(tmp_path: Path, measures: str, options: Any, said: str) -> None:
    """A measure that no gate could check is refused when it is blessed, not when the first build fails."""
    with pytest.raises(ir.UsageError, match=said):
        ir.bless(ir.evaluate(known(2), ranked([1, 1]), measures, **options), tmp_path / "base.json")


def test_only_a_baseline_is_written_over(tmp_path: Path) -> None:
    """Blessing over another file is refused; over a damaged baseline it is the way out."""
    path = tmp_path / "judgments.csv"
    path.write_text("query,doc,grade\nq000,d,1\n")
    scores = ir.evaluate(known(2), ranked([1, 1]), "RR")
    with pytest.raises(ir.UsageError, match="not a baseline, so it is not written over"):
        ir.bless(scores, path)
    base = tmp_path / "base.json"
    ir.bless(scores, base)
    base.write_text(f"<<<<<<< ours\n{base.read_text()}")
    blessed = ir.bless(scores, base)
    assert blessed.before is None
    said = f"the file replaced could not be read, so nothing says what changed: {base} line 1: not a baseline"
    assert blessed.to_dict()["changed"][0].startswith(said)
    assert said in " ".join(str(blessed).split())
    assert ir.gate(known(2), base, ranked([1, 1])).code == 0
