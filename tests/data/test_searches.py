"""A column of steps says which search returned a row: found by name, checked where queries have several, written."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

import idealrank as ir
from idealrank.data.searches import Searches

TABLE: dict[str, list[Any]] = {
    "query": ["t1", "t1", "t1", "t2"],
    "step": [1, 2, 2, 1],
    "rank": [1, 1, 2, 1],
    "doc": ["a", "a", "b", "c"],
}
JUDGMENTS = {"t1": {"a": 1, "b": 1}, "t2": {"c": 1}}


def found(table: dict[str, list[Any]], system: str = "") -> Searches:
    """Return the searches of a table that has several per query."""
    searches = ir.read_results(table).searches(system)
    assert searches is not None
    return searches


@pytest.mark.parametrize("name", ["step", "Step No", "hop", "hop_number", "search_no", "call-number", "search.call"])
def test_names_of_the_column(name: str) -> None:
    """The column of steps is found by its usual names."""
    table = {name if key == "step" else key: cells for key, cells in TABLE.items()}
    assert found(table).place.tolist() == [1, 2, 2, 1]


@pytest.mark.parametrize("name", ["turn", "turn_id", "iteration", "search", "call"])
def test_names_that_mean_something_else(name: str) -> None:
    """A turn is part of a conversation, a search or a call may be its text: such a column is not the step by itself."""
    table = {name if key == "step" else key: cells for key, cells in TABLE.items()}
    assert ir.read_results(table).searches("") is None
    assert ir.evaluate(JUDGMENTS, ir.read_results(table, step=name), ["R"], steps="union")["R"] == 1


def test_searches_count_per_query_and_system() -> None:
    """Each system has searches of its own; all systems as one have those of any."""
    table = {
        "query": ["t"] * 4, "step": [1, 4, 2, 4], "system": ["A", "A", "B", "B"], "rank": [1] * 4, "doc": list("abcd"),
    }  # fmt: skip
    assert (found(table, "A").place.tolist(), found(table, "A").made.tolist()) == ([1, 2, 1, 2], [2, 2, 2, 2])
    assert found(table).place.tolist() == [1, 3, 2, 3]
    assert found(table).names.to_list() == ["t/1", "t/4", "t/2", "t/4"]


@pytest.mark.parametrize(
    ("steps", "said"),
    [
        ([1, 2, None, 1], "row 2: step is missing, in a table with several steps per query"),
        ([1, 2, 2.5, 1], r"row 2: step 2\.5 is not a whole number"),
        (["1", "two", "2", "1"], "row 1: step 'two' is not a whole number"),
        ([1, float("inf"), 2, 1], "row 1: step inf is not a whole number"),
    ],
)
def test_a_step_that_cannot_be_used(steps: list[Any], said: str) -> None:
    """The message names the row, what is wrong with its step, and how to name another column."""
    with pytest.raises(ir.DataError, match=rf"{said}.*such as 1, 2, 3, or name the column that does: step="):
        ir.evaluate(JUDGMENTS, TABLE | {"step": steps}, steps="union")


def test_the_line_of_a_file(tmp_path: Path) -> None:
    """In a file the message gives the line."""
    path = tmp_path / "agent.csv"
    path.write_text("query,step,rank,doc\nt1,1,1,a\nt1,x,1,b\n", "utf-8")
    with pytest.raises(ir.DataError, match=r"agent\.csv line 3: step 'x' is not a whole number"):
        ir.evaluate(JUDGMENTS, path, steps="last")


def test_a_document_twice_in_one_search() -> None:
    """It is refused with its search and its row, whatever the reading, and `duplicates` chooses."""
    table = TABLE | {"doc": ["a", "b", "b", "c"]}
    for steps in ("union", "last", "each"):
        with pytest.raises(ir.DataError, match=r"row 2: document 'b' is returned a second time for query 't1/2'"):
            ir.evaluate(JUDGMENTS, table, steps=steps)
    first = ir.evaluate(JUDGMENTS, table, ["NumRet", "RR"], steps="last", duplicates="first")
    assert list(first.values[0, :, 0]) == [1, 1]


def test_duplicates_are_those_of_one_search() -> None:
    """The highest score counts within a search; a document of an earlier search stays where it was first seen."""
    table = {
        "query": ["t"] * 5, "step": [1, 1, 1, 2, 2], "doc": [*"xaxxb"], "score": [1.0, 2.0, 3.0, 9.0, 1.0],
    }  # fmt: skip
    scores = ir.evaluate({"t": {"a": 1, "b": 1}}, table, ["AP"], steps="union", duplicates="max")
    assert scores["AP"] == pytest.approx((1 / 2 + 2 / 3) / 2)  # x a b


def test_a_log_of_lists(tmp_path: Path) -> None:
    """A JSON line per search, with its step and a list of documents, says the same as a row per result."""
    lists = [("t1", 1, ["a", "x"]), ("t1", 2, ["b"]), ("t2", 1, ["c"])]
    rows = [{"query": query, "step": step, "doc_ids": docs} for query, step, docs in lists]
    path = tmp_path / "log.jsonl"
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), "utf-8")
    assert ir.evaluate(JUDGMENTS, path, ["R", "NumRet"], steps="union").values[0].tolist() == [[1, 1], [3, 1]]


def test_steps_are_written(tmp_path: Path) -> None:
    """A table keeps the steps, and is read back the same; a TREC run has one list per query and refuses them."""
    results = ir.read_results(TABLE)
    results.write(tmp_path / "agent.csv")
    again = ir.evaluate(JUDGMENTS, tmp_path / "agent.csv", ["R", "NumRet"], steps="union")
    assert again.values.tolist() == ir.evaluate(JUDGMENTS, TABLE, ["R", "NumRet"], steps="union").values.tolist()
    with pytest.raises(ir.DataError, match=r"several steps per query, and .* has a place for one list. Write a table"):
        results.write(tmp_path / "agent.run")


def test_peek_reads_the_searches(tmp_path: Path) -> None:
    """A table of several searches is no table with duplicates."""
    path = tmp_path / "agent.csv"
    ir.read_results(TABLE).write(path)
    assert "second time" not in str(ir.peek(path))
