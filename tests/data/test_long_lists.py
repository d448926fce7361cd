"""Long lists of Python: what a row costs in calls, which decides how long a million of them take."""

import sys
from collections.abc import Callable
from typing import Any

import pytest

import idealrank as ir


def count_calls(work: Callable[[], object]) -> int:
    """Count the calls of functions and of what is built in."""
    calls = 0

    def note(frame: object, event: str, what: object) -> None:
        nonlocal calls
        calls += event in ("call", "c_call")

    sys.setprofile(note)
    try:
        work()
    finally:
        sys.setprofile(None)
    return calls


def as_rows(count: int) -> Any:
    """Return judgments as a list of dicts."""
    return [{"query_id": f"q{i // 10}", "doc_id": f"d{i}", "grade": i % 3} for i in range(count)]


def as_columns(count: int) -> Any:
    """Return judgments as a dict of columns."""
    rows = as_rows(count)
    return {name: [row[name] for row in rows] for name in rows[0]}


def as_lists(count: int) -> Any:
    """Return judgments as a dict of lists of dicts."""
    rows = as_rows(count)
    queries = dict.fromkeys(row["query_id"] for row in rows)
    return {
        query: [{"doc_id": row["doc_id"], "grade": row["grade"]} for row in rows if row["query_id"] == query]
        for query in queries
    }


@pytest.mark.parametrize(("shape", "most"), [(as_rows, 25), (as_columns, 3), (as_lists, 65)])
def test_a_row_costs_a_few_calls(shape: Callable[[int], Any], most: int) -> None:
    """A row costs so many calls at most: its values are known by their types, and its names are not read again."""
    few, many = shape(200), shape(1200)
    ir.read_judgments(few)  # what is imported is not counted
    assert (count_calls(lambda: ir.read_judgments(many)) - count_calls(lambda: ir.read_judgments(few))) / 1000 <= most
