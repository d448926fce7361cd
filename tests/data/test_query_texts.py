"""Queries that one side knows by id and the other by text meet where a table says how."""

from __future__ import annotations

from typing import Any

import pytest

import idealrank as ir

BY_ID = {"query_id": [1, 1, 2], "doc_id": ["a", "b", "c"], "score": [2.0, 1.0, 1.0]}
BY_TEXT = {"query": ["red shoes", "hat"], "doc_id": ["b", "c"], "grade": [1, 1]}
QUERIES = {"query_id": [1, 2], "query": ["red shoes", "hat"], "segment": ["long", "short"]}


def test_judgments_by_text_and_results_by_id() -> None:
    """The table of queries says which text each id has: ranks 2 and 1."""
    scores = ir.evaluate(BY_TEXT, BY_ID, ["RR"], queries=QUERIES)
    assert scores["RR"] == 0.75
    assert "queries joined by their texts in the table of queries" in scores.ledger.tables[1].text
    assert scores.table.values("segment", ["red shoes", "hat"]) == ["long", "short"]


def test_judgments_by_id_and_results_by_text() -> None:
    """Results by text meet judgments that have both."""
    judgments = {"query_id": [1, 2], "query": ["red shoes", "hat"], "doc_id": ["b", "c"], "grade": [1, 1]}
    results = {"query": ["red shoes", "red shoes", "hat"], "doc_id": ["a", "b", "c"], "score": [2.0, 1.0, 1.0]}
    assert ir.evaluate(judgments, results, ["RR"])["RR"] == 0.75


def test_results_with_both() -> None:
    """Judgments by text meet results that have ids and texts."""
    assert ir.evaluate(BY_TEXT, {**BY_ID, "query": ["red shoes", "red shoes", "hat"]}, ["RR"])["RR"] == 0.75


@pytest.mark.parametrize("queries", [None, {"query_id": [1, 2], "query": ["hat", "hat"]}])
def test_no_way_to_join(queries: Any) -> None:
    """Without a table that says how, or with one whose texts belong to two ids, they do not meet."""
    judgments = {"query_id": [1, 2], "doc_id": ["b", "c"], "grade": [1, 1]}
    results = {"query": ["hat", "hat", "hat"], "doc_id": ["a", "b", "c"], "score": [2.0, 1.0, 1.0]}
    with pytest.raises(ir.DataError, match="has no judgments"):
        ir.evaluate(judgments, results, ["RR"], queries=queries)


def test_ids_that_meet_are_left_alone() -> None:
    """Where one query meets by its id, texts change nothing."""
    judgments = {"query_id": [1, 2], "query": ["2", "1"], "doc_id": ["b", "c"], "grade": [1, 1]}
    assert ir.evaluate(judgments, BY_ID, ["RR"])["RR"] == 0.75


def test_weights_by_text() -> None:
    """Weights of texts meet judgments that have ids and texts: (3 * 1 + 1 * 1/2) / 4."""
    judgments = {"query_id": ["q1", "q2"], "query": ["red", "blue"], "doc_id": ["a", "b"], "grade": [1, 1]}
    results = {"query_id": ["q1", "q2", "q2"], "doc_id": ["a", "c", "b"], "score": [1.0, 2.0, 1.0]}
    weights = {"query": ["red", "blue"], "frequency": [3, 1]}
    scores = ir.evaluate(judgments, results, ["RR"], weights=weights)
    assert scores["RR"] == 0.875
    assert "not in weights" not in str(scores.ledger)
    assert ir.evaluate(judgments, results, ["RR"], weights={"red": 3, "blue": 1})["RR"] == 0.875
