"""The queries that lose most, and the documents that moved in their lists."""

from __future__ import annotations

from typing import Any

import idealrank as ir
from tests.regression.worlds import judged, ranked


def test_worst_queries_with_their_moves() -> None:
    """The queries that lose most come first, equal ones by id, each with what moved in its top k."""
    before, after = ranked([1, 1, 1, 2]), ranked([1, 3, 2, 1])
    table = ir.gate(judged(4), before, after, fail_if="RR drops 0.01").worst(2)
    assert table is not None
    assert table["query"] == ["q001", "q002"]
    assert table["moves"][1] == "d (1) 1→2; x1 (–) out→1; x2 (–) 2→out"


def test_moves_within_the_cutoff() -> None:
    """Documents that fall out of the top k, or come into it, say so."""
    found = ir.gate(judged(1), ranked([1]), ranked([3]), fail_if="nDCG@2 drops 0.01")
    table = found.worst()
    assert table is not None
    assert table["moves"] == ["d (1) 1→out; x1 (–) out→1"]


def test_the_best_documents_move_first() -> None:
    """Moves are sorted by grade, unjudged last, then by the better rank; beyond five they are counted."""
    qrels = {"q": {"a": 1, "b": 3, "c": 2, "d": 0}}
    before = {"q": {name: -float(i) for i, name in enumerate("abcdxyz")}}
    after = {"q": {name: -float(i) for i, name in enumerate("zyxdcba")}}
    table = ir.gate(qrels, before, after, fail_if="nDCG drops 0.01").worst()
    assert table is not None
    assert table["moves"] == ["b (3) 2→6; c (2) 3→5; a (1) 1→7; z (–) 7→1; y (–) 6→2; 1 more"]


def test_unjudged_results_are_shown_as_such() -> None:
    """A result without a judgment is shown as one, even where it is given a grade; filtered ones are not shown."""
    asked: dict[str, Any] = {"fail_if": "DCG@2 drops 0"}
    found = [
        ir.gate(judged(1), ranked([1]), {"q000": {"x1": 2.0, "x2": 1.0}}, unjudged=how, **asked)
        for how in (0.5, "filter")
    ]
    tables = [gate.worst() for gate in found]
    assert [table["moves"] for table in tables if table is not None] == [["d (1) 1→out; x1 (–) out→1"], ["d (1) 1→out"]]
