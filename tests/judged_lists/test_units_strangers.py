"""What strangers met with chunks, spans and several searches: nothing is dropped, and nothing counts too much."""

from __future__ import annotations

from typing import Any

import pytest

import idealrank as ir

SPANS = {"query_id": ["q", "q"], "doc_id": ["d", "d"], "begin": [0, 150], "end": [100, 250], "grade": [1, 2]}
CHUNKS: dict[str, list[Any]] = {
    "query_id": ["q", "q"], "rank": [1, 2], "chunk_id": ["c0", "c1"], "doc_id": ["d", "d"], "begin": [50, 140],
    "end": [120, 260],
}  # fmt: skip


def test_a_chunk_without_an_id_is_called_after_its_span() -> None:
    """One chunk that lacks an id among others still hits what it overlaps: 50 + 100 of 200 characters."""
    scores = ir.evaluate(SPANS, CHUNKS | {"chunk_id": ["c0", None]}, ["R", "CharR"], unit="spans")
    assert (scores["R"], scores["CharR"]) == (1.0, 0.75)


@pytest.mark.parametrize("end", [9.3e18, float("inf"), -float("inf")])
def test_offsets_that_are_no_places(end: float) -> None:
    """An offset that is infinite, or too large to be told from its neighbours, is refused."""
    with pytest.raises(ir.DataError, match=r"1 span with an offset below 0, not whole, or beyond 2\^53: d\[140:"):
        ir.evaluate(SPANS, CHUNKS | {"end": [120.0, end]}, ["R"], unit="spans")


def test_offsets_in_bytes() -> None:
    """A column that says what offsets count may say characters or tokens, and nothing else."""
    with pytest.raises(ir.DataError, match=r"2 spans with offsets in 'bytes': .* Give them in characters or tokens"):
        ir.evaluate(SPANS, CHUNKS | {"offsets": ["bytes", "bytes"]}, ["R"], unit="spans")


def test_no_bounds_where_one_chunk_may_show_several_spans() -> None:
    """An unjudged chunk may turn out to show any number of spans, so a comparison of spans has no bounds."""
    judged = {name: cells[:1] for name, cells in SPANS.items()}
    other = {"query_id": ["q", "q"], "rank": [1, 2], "doc_id": ["e", "d"], "begin": [0, 500], "end": [400, 600]}
    mine = {name: cells[:1] for name, cells in CHUNKS.items() if name != "chunk_id"}
    said = str(ir.compare(judged, {"A": mine, "B": other}, ["R@5"], unit="spans"))
    assert "no bounds known for R@5: unit=spans" in said


def test_the_doctor_leaves_spans_alone() -> None:
    """Rows of one document with other offsets are no duplicates to be removed."""
    repeated = {name: cells for name, cells in CHUNKS.items() if name != "chunk_id"}
    found = ir.doctor(SPANS, repeated)
    assert "duplicates" not in [finding.name for finding in found.findings]


@pytest.mark.parametrize("steps", ["one", "union", "last", "each"])
def test_a_step_that_only_some_rows_have(steps: Any) -> None:
    """Rows without a step beside rows with one are searches of their own that lack a number: refused."""
    results = {"query_id": ["q", "q"], "step": [None, 2], "rank": [1, 1], "doc_id": ["x", "a"]}
    with pytest.raises(ir.DataError, match="row 0: step is missing, in a table with several steps"):
        ir.evaluate({"q": {"a": 1}}, results, ["RR"], steps=steps)


def test_no_searches_for_queries_without_judgments_are_not_offered() -> None:
    """no_judgments=0 would be better than the best number of searches, so the ledger does not offer it."""
    results = {"query_id": ["q", "p"], "step": [1, 1], "rank": [1, 1], "doc_id": ["a", "x"]}
    scores = ir.evaluate({"q": {"a": 1}}, results, ["StepsToFirst"], steps="union")
    assert scores["StepsToFirst"] == 1.0
    assert not [move for move in scores.ledger.moves if move.decision == "no_judgments"]


def test_judgments_whose_documents_are_the_unit() -> None:
    """Judgments of pages need no other column for documents than the one that --unit names."""
    judged = {"query": ["a b"], "page": ["p2"], "grade": [1]}
    results = {"query": ["a b"] * 2, "chunk_id": ["c1", "c2"], "page": ["p1", "p2"], "score": [2.0, 1.0]}
    assert ir.evaluate(judged, results, ["RR"], unit="page")["RR"] == 0.5
    with pytest.raises(ir.DataError, match="no doc column"):
        ir.evaluate(judged, results, ["RR"], unit="leaf")
