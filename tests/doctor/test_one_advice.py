"""One fault has one finding, and one advice."""

from __future__ import annotations

from typing import Any

import pytest

import idealrank as ir

JUDGED = {f"q{i}": {"a": 1, "b": 0, "c": 0} for i in range(30)}


def _rows(values: dict[str, Any], column: str) -> dict[str, list[Any]]:
    pairs = [(query, doc) for query in JUDGED for doc in values]
    return {
        "query_id": [query for query, _ in pairs], "doc_id": [doc for _, doc in pairs],
        column: [values[doc] for _, doc in pairs],
    }  # fmt: skip


@pytest.mark.parametrize(
    ("results", "finding"),
    [
        (_rows({"a": 0.1, "b": 0.2, "c": 0.4}, "score"), "distances read as scores"),
        (_rows({"a": 3, "b": 4, "c": 6}, "rank"), "gaps in the ranks"),
    ],
)
def test_a_fault_is_found_once(results: dict[str, list[Any]], finding: str) -> None:
    """What a check of its own found is not a warning of the ledger as well, whose advice is another."""
    names = [each.name for each in ir.doctor(JUDGED, results).findings]
    assert names.count(finding) == 1
    assert "warning of the ledger" not in names
    assert ir.evaluate(JUDGED, results, ["RR"]).ledger.warnings  # which evaluate says all the same
