"""Queries whose search failed: read from a column of states or of errors, and kept apart from those with nothing."""

from pathlib import Path

import pytest

import idealrank as ir

JUDGMENTS = {f"q{i}": {"d": 1, "x": 0} for i in range(1, 5)}


def states(scores: ir.Scores) -> dict[str, str]:
    """Return the state of every query in the first account."""
    return dict(zip(scores.ledger.queries["query"], scores.ledger.queries["state"], strict=True))


@pytest.mark.parametrize(
    "state",
    ["failed", "ERROR", "timed_out", "503", "Timeout", "HTTP 503", "503 Service Unavailable", "Too Many Requests"],
)
def test_a_state_of_failure(state: str) -> None:
    """A row without a document whose state says so is a query that failed; one that is fine found nothing."""
    rows = {"query": ["q1", "q2", "q3"], "doc": ["d", "", ""], "rank": [1, 1, 1], "status": ["ok", state, "200"]}
    scores = ir.evaluate(JUDGMENTS, rows, ["RR"])
    assert states(scores) == {
        "q1": "judged and returned",
        "q2": "judged, search failed",
        "q3": "judged, nothing returned",
        "q4": "judged, nothing returned",
    }
    assert scores["RR"] == 1 / 3


def test_an_error_in_a_file(tmp_path: Path) -> None:
    """A text in the column of errors is a failure, the words for no error are none."""
    (tmp_path / "run.csv").write_text(
        "query,doc,rank,error\nq1,d,1,\nq2,,,HTTP 503: busy\nq3,x,1,None\nq4,d,1,No error\n", "utf-8"
    )
    scores = ir.evaluate(JUDGMENTS, str(tmp_path / "run.csv"), ["RR"])
    assert scores.ledger.systems[0].failed == ("q2",)
    assert scores.ledger.warnings == ("the search failed for 1 query (q2; q2 says: HTTP 503: busy): failed=skip",)
    assert scores.ledger.tables[1].columns["error"] == "error"


def test_what_came_before_the_failure_is_no_result() -> None:
    """Results of a query that failed halfway are set aside: nobody knows what would have come."""
    rows = {"query": ["q1", "q2", "q2"], "doc": ["d", "d", ""], "rank": [1, 1, 2], "error": ["", "", "timeout"]}
    scores = ir.evaluate(JUDGMENTS, rows, ["RR"])
    assert states(scores)["q2"] == "judged, search failed"
    assert scores.ledger.systems[0].results == 1
    assert scores.ledger.warnings[0].endswith("failed=skip; 1 result that came back for them set aside")


def test_a_failure_with_a_document() -> None:
    """A row that names a document and says its search failed is no result: the query failed."""
    rows = {"query": ["q1", "q2"], "doc": ["d", "d"], "rank": [1, 1], "status": ["ok", "HTTP 503"]}
    assert states(ir.evaluate(JUDGMENTS, rows, ["RR"]))["q2"] == "judged, search failed"


@pytest.mark.parametrize("name", ["http_status", "status_code", "Status"])
def test_names_of_the_column(name: str) -> None:
    """HTTP's codes count under the names people give them."""
    rows = {"query": ["q1", "q2"], "doc": ["d", ""], "rank": [1, 1], name: [200, 503]}
    assert states(ir.evaluate(JUDGMENTS, rows, ["RR"]))["q2"] == "judged, search failed"


def test_each_system_fails_for_itself() -> None:
    """In a table of several systems, a query fails in the system whose row says so."""
    rows = {
        "system": ["a", "a", "b", "b"],
        "query": ["q1", "q2", "q1", "q2"],
        "doc": ["d", "d", "d", ""],
        "rank": [1, 1, 1, 1],
        "error": ["", "", "", "boom"],
    }
    scores = ir.evaluate(JUDGMENTS, rows, ["RR"])
    assert [account.failed for account in scores.ledger.systems] == [(), ("q2",)]
    assert (scores["RR", "a"], scores["RR", "b"]) == (2 / 4, 1 / 3)


def test_a_word_nobody_knows() -> None:
    """A state that is neither failed nor fine is refused without a document, and among states that are known.

    Where all rows have a document and no word is known, the column is about something else.
    """
    rows = {"query": ["q1", "q2"], "doc": ["d", "d"], "rank": [1, 1], "status": ["active", "sold out"]}
    assert ir.evaluate(JUDGMENTS, rows, ["RR"])["RR"] == 2 / 4
    rows["doc"][1] = ""
    with pytest.raises(ir.DataError, match=r"results row 1: the state 'sold out' is neither failed nor fine"):
        ir.evaluate(JUDGMENTS, rows, ["RR"])
    rows = {"query": ["q1", "q2"], "doc": ["d", "d"], "rank": [1, 1], "status": ["ok", "partial"]}
    with pytest.raises(ir.DataError, match=r"results row 1: the state 'partial' is neither failed nor fine"):
        ir.evaluate(JUDGMENTS, rows, ["RR"])


def test_an_error_of_measurement_is_no_failure() -> None:
    """A column of errors that holds small numbers is about something else."""
    rows = {"query": ["q1", "q2"], "doc": ["d", "d"], "score": [1.0, 2.0], "error": [0.03, 0.1]}
    assert ir.evaluate(JUDGMENTS, rows, ["RR"])["RR"] == 2 / 4
