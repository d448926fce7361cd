"""Segments and frequencies beside judgments or results are those of their queries."""

from __future__ import annotations

import idealrank as ir

TABLE = {
    "query_id": [1, 1, 2],
    "doc_id": ["a", "b", "c"],
    "grade": [1, 0, 1],
    "rank": [2, 1, 1],
    "segment": ["head", "head", "tail"],
    "frequency": [30, 30, 10],
}


def test_segments_and_weights_of_one_table() -> None:
    """Reciprocal ranks 1/2 and 1 of weights 30 and 10, and one per segment."""
    scores = ir.evaluate(TABLE, measures=["RR"], weights="frequency")
    assert scores["RR"] == (30 * 0.5 + 10 * 1) / 40
    described = scores.describe(by="segment")
    assert "head" in str(described)
    assert "tail" in str(described)


def test_a_column_of_documents_is_none_of_queries() -> None:
    """A column with several values for a query is no attribute of it."""
    table = {**TABLE, "segment": ["x", "y", "z"]}
    assert "segment" not in ir.evaluate(table, measures=["RR"]).table.attributes


def test_a_table_of_queries_goes_first() -> None:
    """Where a table of queries is given, it alone says what their segments are."""
    queries = {"query_id": [1, 2], "segment": ["one", "two"]}
    scores = ir.evaluate(TABLE, measures=["RR"], queries=queries)
    assert scores.table.values("segment", ["1", "2"]) == ["one", "two"]
