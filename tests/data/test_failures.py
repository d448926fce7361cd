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
    assert scores.ledger.warnings == ("the search failed for 1 query, which is left out: q2 (HTTP 503: busy)",)
    assert scores.ledger.tables[1].columns["error"] == "error"


def test_what_came_before_the_failure_is_no_result() -> None:
    """Results of a query that failed halfway are set aside: nobody knows what would have come."""
    rows = {"query": ["q1", "q2", "q2"], "doc": ["d", "d", ""], "rank": [1, 1, 2], "error": ["", "", "timeout"]}
    scores = ir.evaluate(JUDGMENTS, rows, ["RR"])
    assert states(scores)["q2"] == "judged, search failed"
    assert scores.ledger.systems[0].results == 1
    assert scores.ledger.warnings[0].endswith("; 1 result that came back for it set aside")


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
    with pytest.raises(ir.DataError, match=r"results row 1: the status 'sold out' means neither failed nor fine"):
        ir.evaluate(JUDGMENTS, rows, ["RR"])
    rows = {"query": ["q1", "q2"], "doc": ["d", "d"], "rank": [1, 1], "status": ["ok", "partial"]}
    with pytest.raises(ir.DataError, match=r"results row 1: the status 'partial' means neither failed nor fine"):
        ir.evaluate(JUDGMENTS, rows, ["RR"])


def test_an_error_of_measurement_is_no_failure() -> None:
    """A column of errors that holds small numbers is about something else."""
    rows = {"query": ["q1", "q2"], "doc": ["d", "d"], "score": [1.0, 2.0], "error": [0.03, 0.1]}
    assert ir.evaluate(JUDGMENTS, rows, ["RR"])["RR"] == 2 / 4


@pytest.mark.parametrize("pair", [("status_code", "http_status"), ("error_message", "exception")])
def test_two_columns_of_one_kind(pair: tuple[str, str]) -> None:
    """Of two columns that could both say it the first by name counts: nothing has to be chosen."""
    rows = {"query": ["q1", "q2"], "doc": ["d", ""], "rank": [1, 1], pair[1]: ["", ""], pair[0]: ["", "timeout 504"]}
    scores = ir.evaluate(JUDGMENTS, rows, ["RR"])
    assert states(scores)["q2"] == "judged, search failed"
    assert pair[0] in scores.ledger.tables[1].columns.values()


def test_two_columns_of_one_name() -> None:
    """Where names differ in their separators alone, the message asks to rename one: no option names this column."""
    rows = {"query": ["q1"], "doc": ["d"], "rank": [1], "http_status": [200], "HTTP-Status": [200]}
    with pytest.raises(ir.DataError, match=r"'http_status', 'HTTP-Status' could each be the status\. Rename one\.$"):
        ir.evaluate(JUDGMENTS, rows, ["RR"])


def test_a_failure_without_a_query_in_files(tmp_path: Path) -> None:
    """An empty cell and a null of JSON are no id either; the message names the file and the line."""
    (tmp_path / "run.csv").write_text("query,doc,rank,error\nq1,d,1,\n,,,boom\n", "utf-8")
    lines = '{"query": "q1", "doc": "d", "rank": 1}\n{"query": null, "doc": null, "status": 503}\n'
    (tmp_path / "run.jsonl").write_text(lines, "utf-8")
    for name, line in (("run.csv", 3), ("run.jsonl", 2)):
        with pytest.raises(ir.DataError, match=rf"{name} line {line}: the query id is missing\. Give every row one\.$"):
            ir.evaluate(JUDGMENTS, str(tmp_path / name), ["RR"])


def test_a_row_without_a_query_beside_a_failure() -> None:
    """The failure of one system's last query takes no row of the next system with it that names no query."""
    rows = {"system": ["a", "a", "b", "b"], "query": ["q1", "q2", "q1", None], "doc": ["d", "", "d", "x"]}
    rows |= {"rank": [1, 1, 1, 1], "error": ["", "boom", "", ""]}
    with pytest.raises(ir.DataError, match=r"^results row 3: the query id is missing\."):
        ir.evaluate(JUDGMENTS, rows, ["RR"])


@pytest.mark.parametrize("system", [None, ""])
def test_a_failure_without_a_system(system: str | None) -> None:
    """Among several systems a failed row must name its own: nobody else can say whose search it was."""
    rows = {"system": ["a", "b", system], "query": ["q1", "q1", "q2"], "doc": ["d", "d", ""]}
    rows |= {"rank": [1, 1, 1], "error": ["", "", "boom"]}
    said = "results row 2: the system is missing, and the table has 2 systems: a, b. Name the system in every row."
    with pytest.raises(ir.DataError) as refused:
        ir.evaluate(JUDGMENTS, rows, ["RR"])
    assert str(refused.value) == said
    alone = {**rows, "system": ["a", "a", None], "query": ["q1", "q3", "q2"]}
    assert states(ir.evaluate(JUDGMENTS, alone, ["RR"]))["q2"] == "judged, search failed"


SHARED = {
    "query": ["q1", "q1", "q2", "q2", "q3", "q3"],
    "doc": ["d", "x", "d", "", "d", "x"],
    "grade": [1, 0, 1, None, 1, 0],
    "rank": [2, 1, None, None, 1, None],
    "error": ["", "", "", "timeout", "", ""],
}
"""Judgments and results in one table: RR 1/2 and 1 by hand; the search of q2 failed; x of q3 was not returned."""


def test_judgments_and_results_in_one_table() -> None:
    """A failure in a table of both is no empty result: RR is the mean of two queries, and of three with failed=0."""
    scores = ir.evaluate(SHARED, measures=["RR"])
    assert states(scores)["q2"] == "judged, search failed"
    assert (scores["RR"], scores.ledger.systems[0].results) == (0.75, 3)
    assert scores.ledger.warnings[0] == "the search failed for 1 query, which is left out: q2"
    assert ir.evaluate(SHARED, measures=["RR"], failed="0")["RR"] == 0.5


def test_an_error_beside_each_judgment() -> None:
    """Judgments joined with a log repeat its error in every row of a query: its grades count on, and nothing came."""
    rows = {**SHARED, "doc": ["d", "x", "d", "x", "d", "x"], "grade": [1, 0, 1, 0, 1, 0]}
    rows["error"] = ["", "", "timeout", "timeout", "", ""]
    scores = ir.evaluate(rows, measures=["RR", "NumRel"])
    assert states(scores)["q2"] == "judged, search failed"
    assert scores.ledger.warnings[0] == "the search failed for 1 query, which is left out: q2"
    assert len(scores.queries) == 3


def test_what_came_back_in_one_table() -> None:
    """What came back for a failed query is counted once, whoever rated it; what did not come back is not counted."""
    rows = {
        "query": ["q1", "q2", "q2", "q2", "q2"],
        "doc": ["d", "d", "d", "x", ""],
        "grade": [1, 1, 1, 0, None],
        "rater": ["ana", "ana", "bob", "ana", None],
        "rank": [1, 1, 1, None, None],
        "status": ["ok", "ok", "ok", "ok", "failed"],
    }
    warnings = ir.evaluate(rows, measures=["RR"]).ledger.warnings
    assert warnings[0].endswith("; 1 result that came back for it set aside")


def test_every_word_a_message_names_is_one_of_failure() -> None:
    """The message names words of failure: each of them is one, and none is after "no"."""
    rows = {"query": ["q1", "q2"], "doc": ["d", ""], "rank": [1, 1], "status": ["ok", "odd"]}
    with pytest.raises(ir.DataError) as refused:
        ir.evaluate(JUDGMENTS, rows, ["RR"])
    words = str(refused.value).partition("contains one of ")[2].partition(", or a number")[0].split(", ")
    assert len(words) > 8
    for word in words:
        rows["status"][1] = f"Search_{word.upper()}"
        assert states(ir.evaluate(JUDGMENTS, rows, ["RR"]))["q2"] == "judged, search failed"
        rows["status"][1] = f"ok: no {word}"
        with pytest.raises(ir.DataError, match="neither failed nor fine"):
            ir.evaluate(JUDGMENTS, rows, ["RR"])
