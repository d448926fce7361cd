"""The doctor reads a table of several searches per query as its searches, not as one list with faults."""

from __future__ import annotations

from typing import Any

import idealrank as ir

JUDGMENTS = {"t1": {"a": 1, "b": 1}, "t2": {"c": 1}}
RESULTS: dict[str, list[Any]] = {
    "query": ["t1", "t1", "t1", "t1", "t2", "t2"],
    "step": [1, 1, 2, 2, 1, 1],
    "rank": [1, 2, 1, 4, 1, 2],
    "score": [2.0, 1.0, 2.0, 3.0, 1.0, 2.0],
    "doc": ["a", "x", "x", "b", "c", "y"],
}


def names(**table: Any) -> set[str]:
    """Return the names of what the doctor finds in a table read as one list of all steps."""
    return {finding.name for finding in ir.doctor(JUDGMENTS, RESULTS | table, steps="union").findings}


def test_a_document_in_two_searches_is_no_duplicate() -> None:
    """Document x comes back in step 2, which is no fault; twice in step 1 is one."""
    assert "duplicates" not in names()
    assert "duplicates" in names(doc=["a", "a", "x", "b", "c", "y"])


def test_lists_of_searches_have_no_common_depth() -> None:
    """Two systems whose tasks took one search or two are not cut at different depths; nor are ranks compared."""
    both = {name: cells * 2 for name, cells in RESULTS.items()} | {"system": ["A"] * 6 + ["B"] * 6}
    both["step"] = [1, 1, 2, 2, 1, 1, 1, 1, 1, 1, 1, 1]
    both["doc"] = [*RESULTS["doc"], "a", "x", "z", "b", "c", "y"]
    found = names(**both)
    assert not found & {"lists cut at different depths", "gaps in the ranks", "ranks against scores"}
