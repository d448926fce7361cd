"""replay: a user's search function asked every query."""

from __future__ import annotations

import itertools
import json
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pandas
import pytest

import idealrank as ir

ANSWERS: dict[str, Any] = {
    "ids": ["d1", "d2"],
    "pairs": [("d1", 2.5), ("d2", 1)],
    "mapping": {"d1": 2, "d2": 1},
    "empty": [],
    "array": np.array(["d1", "d2"]),
    "numbers": [7, 8],
}


def search(text: str) -> Any:
    """Answer by text; fail for others."""
    return ANSWERS[text]


def test_ids_pairs_and_mappings() -> None:
    """A search function may return ids, (id, score) pairs, a mapping, an array; ids may be numbers."""
    judgments = {name: {"d2": 1.0, "8": 1.0} for name in ANSWERS}
    for name in ("ids", "pairs", "mapping", "array", "numbers"):
        found = ir.replay([name], search)
        assert ir.evaluate({name: judgments[name]}, found, ["RR"])["RR"] == 0.5, name
        assert found.account["results"] == [2]


def test_failures_do_not_stop_the_others() -> None:
    """A call that fails is counted with its error; the query has no value, and is not one without results."""
    found = ir.replay({"q1": "ids", "q2": "nowhere", "q3": "empty"}, search)
    assert found.account["state"] == ["answered", "failed", "empty"]
    assert found.account["error"] == ["", "KeyError: 'nowhere'", ""]
    assert found.failures["query"] == ["q2"]
    judgments = {q: {"d1": 1.0} for q in ("q1", "q2", "q3")}
    scores = ir.evaluate(judgments, found, ["RR"])
    assert scores["RR"] == 1 / 2
    assert scores.ledger.systems[0].judged_nothing_returned == ("q3",)
    assert scores.ledger.systems[0].failed == ("q2",)


def test_a_text_is_no_list_of_ids() -> None:
    """A search function that returns one text, or nothing at all, has failed."""
    found = ir.replay({"a": "x", "b": "y"}, {"x": "d1", "y": None}.get)
    assert found.account["state"] == ["failed", "failed"]
    assert "returned the text 'd1', not a list" in found.account["error"][0]


def test_interrupting_stops() -> None:
    """An interruption by the user is none of the function's errors."""

    def interrupted(text: str) -> Any:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        ir.replay(["a"], interrupted)


def test_the_first_k() -> None:
    """No more than k results are taken, from a generator no more than k are asked for."""
    asked = []

    def endless(text: str) -> Iterator[str]:
        for i in itertools.count():
            asked.append(i)
            yield f"d{i}"

    found = ir.replay(["a"], endless, k=3)
    assert found.account["results"] == [3]
    assert asked == [0, 1, 2]
    for wrong in (0, 2.5):
        with pytest.raises(ir.UsageError, match="from 1 up"):
            ir.replay(["a"], endless, k=wrong)  # type: ignore[arg-type]


def test_times_are_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    """The time of each call is kept; those that did not fail are summed up in the line."""
    clock = iter([0.0, 0.5, 10.0, 10.25, 20.0, 21.0])
    monkeypatch.setattr("time.perf_counter", lambda: next(clock))
    found = ir.replay({"q1": "ids", "q2": "empty", "q3": "nowhere"}, search)
    assert found.account["seconds"] == [0.5, 0.25, 1.0]
    assert found.line == (
        "3 queries: 1 answered, 1 empty, 1 failed; 0.750 s in all, median 0.375 s, slowest 0.500 s (q1)"
    )
    assert found.line in repr(found)


@pytest.mark.parametrize("kind", ["dict", "table", "frame", "file"])
def test_queries_with_ids(kind: str, tmp_path: Path) -> None:
    """Queries may be ``{id: text}`` or a table with ids and texts: the ids are kept, the texts are asked."""
    (tmp_path / "queries.csv").write_text("query_id,query\n1,ids\n2,pairs\n")
    columns = {"query_id": [1, 2], "query": ["ids", "pairs"]}
    queries = {
        "dict": {1: "ids", 2: "pairs"},
        "table": columns,
        "frame": pandas.DataFrame(columns),
        "file": tmp_path / "queries.csv",
    }[kind]
    found = ir.replay(queries, search, name="mine")
    assert found.account["query"] == ["1", "2"]
    assert found.account["text"] == ["ids", "pairs"]
    scores = ir.evaluate({"1": {"d1": 1.0}, "2": {"d2": 1.0}}, found, ["RR"])
    assert scores.systems == ("mine",)
    assert scores.per_query["text"] == ["ids", "pairs"]
    assert scores.per_query["RR"] == [1.0, 0.5]


def test_a_table_without_texts_is_refused(tmp_path: Path) -> None:
    """A table of queries without their texts cannot be asked; nor can no query."""
    (tmp_path / "queries.csv").write_text("query_id,segment\n1,a\n")
    with pytest.raises(ir.DataError, match="no column with the queries' texts"):
        ir.replay(tmp_path / "queries.csv", search)
    with pytest.raises(ir.DataError, match="No queries to replay"):
        ir.replay([], search)


def test_a_document_returned_twice_is_said() -> None:
    """A document returned twice is refused when evaluated, unless `duplicates` says otherwise."""
    found = ir.replay(["a"], lambda text: ["d1", "d1", "d2"])
    with pytest.raises(ir.DataError, match="d1"):
        ir.evaluate({"a": {"d2": 1.0}}, found, ["RR"])
    assert ir.evaluate({"a": {"d2": 1.0}}, found, ["RR"], duplicates="first")["RR"] == 0.5


def test_progress_is_shown_where_it_is_asked_for(capfd: pytest.CaptureFixture[str]) -> None:
    """Progress goes to standard error, and only if asked for or on a terminal."""
    ir.replay(["ids"], search)
    ir.replay(["ids"], search, progress=False)
    assert capfd.readouterr() == ("", "")
    ir.replay(["ids", "pairs"], search, progress=True)
    out, err = capfd.readouterr()
    assert out == ""
    assert "replaying" in err


@pytest.mark.heavy
@pytest.mark.skipif(os.name != "posix", reason="needs a terminal of its own")
def test_progress_is_shown_on_a_terminal() -> None:
    """On a terminal progress is shown without asking."""
    import pty

    ours, theirs = pty.openpty()
    code = "import idealrank as ir; ir.replay(['a', 'b'], lambda text: ['d1'])"
    subprocess.run([sys.executable, "-c", code], stderr=theirs, stdout=subprocess.DEVNULL, check=True)
    os.close(theirs)
    seen = os.read(ours, 1 << 16)
    os.close(ours)
    assert b"replaying" in seen


def test_the_account_is_a_table() -> None:
    """The account goes out as CSV and JSON like every table."""
    account = ir.replay(["ids"], search).account
    assert account.columns == ["system", "query", "text", "state", "results", "seconds", "took", "error"]
    assert json.loads(account.to_json())[0]["state"] == "answered"
