"""What a format has no place for is refused, with the way to write it, and so are faults, with their place."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import idealrank as ir

HALF = {"q1": {"d1": 0.5, "d2": 1}}
RATED = {"query_id": ["q"] * 2, "doc_id": ["a", "a"], "grade": [2, 3], "rater": ["ana", "bo"]}


def refused(judgments: Any, path: Path, **how: Any) -> str:
    """Return the message with which judgments are not written, and nothing is."""
    with pytest.raises((ir.DataError, ir.UsageError)) as caught:
        ir.read_judgments(judgments).write(path, **how)
    assert not path.exists()
    return str(caught.value)


@pytest.mark.parametrize("form", ["trec", "svmlight", "beir", "rre", "rank_eval", "pytrec_eval"])
def test_fractions(form: str, tmp_path: Path) -> None:
    """A format of whole grades refuses a fraction with its place, and says by what to scale."""
    said = refused(HALF, tmp_path / "out", format=form)
    assert said.startswith("judgments: the grade 0.5 is a fraction, and ")
    assert "(query 'q1', document 'd1'). Scale the grades: scale_grades=2; or write a table, such as CSV." in said


def test_fractions_that_no_factor_makes_whole(tmp_path: Path) -> None:
    """Where no small factor helps, grades are to be rounded."""
    assert "Round the grades" in refused({"q": {"a": 0.123456789}}, tmp_path / "q.txt")


def test_a_factor_is_above_zero(tmp_path: Path) -> None:
    """Grades times 0 would all be the same."""
    assert "give a number above 0" in refused(HALF, tmp_path / "q.txt", scale_grades=0)


@pytest.mark.parametrize(
    "form", ["trec", "svmlight", "beir", "quepid", "rre", "opensearch", "rank_eval", "pytrec_eval"]
)
def test_raters(form: str, tmp_path: Path) -> None:
    """A format with one grade per document refuses several ratings, and combines them on request."""
    said = refused(RATED, tmp_path / "out", format=form)
    assert "Make it one: raters=median, mean, majority, max or min" in said
    assert ir.read_judgments(RATED).write(tmp_path / "out", format=form, raters="max").rows == 1


@pytest.mark.parametrize("form", ["svmlight", "beir", "quepid", "quepid-book", "rre", "opensearch", "pytrec_eval"])
def test_subtopics(form: str, tmp_path: Path) -> None:
    """Only TREC text and tables have a place for subtopics."""
    rows = {"query_id": ["q"], "doc_id": ["a"], "subtopic": ["1"], "grade": [1]}
    assert "has no place for subtopics. Write TREC text or CSV." in refused(rows, tmp_path / "out", format=form)


@pytest.mark.parametrize("blank", [" ", "\t", "\n", "\u00a0", "\u2003"])
def test_blanks_in_trec(blank: str, tmp_path: Path) -> None:
    """An id with whitespace would end its field, so it is refused in TREC text; so is a query that begins with #."""
    said = refused({f"red{blank}shoes": {"d": 1}}, tmp_path / "q.txt")
    assert said.startswith(f"judgments: the query id {f'red{blank}shoes'!r} contains whitespace") or "\\t" in said
    assert "begins with #" in refused({"#1": {"d": 1}}, tmp_path / "q.txt")


@pytest.mark.parametrize(
    ("form", "place"),
    [("csv", "query"), ("tsv", "document"), ("beir", "query"), ("quepid", "document"), ("trec", "query"),
     ("trec", "document"), ("svmlight", "document")],
)  # fmt: skip
def test_nul_bytes(form: str, place: str, tmp_path: Path) -> None:
    """A NUL byte makes a file no text, so an id with one is refused with its row, and called a NUL."""
    ids = {"query": "q1", "document": "d1", place: "a\0b"}
    judged = {"q0": {"d0": 1}, ids["query"]: {ids["document"]: 1}}
    said = refused(judged, tmp_path / "out", format=form)
    assert "a NUL byte" in said
    assert "'a\\x00b'" in said
    assert "whitespace" not in said
    assert said.endswith("Remove it, or write JSON lines or Parquet.")
    assert ir.read_judgments(judged).write(tmp_path / "out.jsonl").rows == 2
    assert ir.evaluate(tmp_path / "out.jsonl", {ids["query"]: {ids["document"]: 1.0}}, ["RR"])["RR"] == 0.5


def test_nul_bytes_beside_ids(tmp_path: Path) -> None:
    """So is one in the text of a query, in another column, in the name of a column, and in results."""
    table = {"query_id": ["q", "r"], "query": ["shoes", "red\0hats"], "doc_id": ["a", "b"], "grade": [1, 2]}
    place = "a NUL byte in query, 'red\\x00hats', which no text can contain (query 'r', document 'b')"
    assert place in refused(table, tmp_path / "q.csv")
    assert "contains a NUL byte" in refused(table, tmp_path / "q.svm")
    rest = {"query_id": ["q"], "doc_id": ["a"], "grade": [1]}
    assert "a NUL byte in note, 'x\\x00'" in refused({**rest, "note": ["x\0"]}, tmp_path / "q.csv")
    assert "the name of the column 'no\\x00te'" in refused({**rest, "no\0te": ["x"]}, tmp_path / "q.csv")
    with pytest.raises(ir.DataError, match="a NUL byte in doc_id"):
        ir.read_results({"q": {"a\0": 1.0}}).write(tmp_path / "r.tsv")


def test_duplicates(tmp_path: Path) -> None:
    """A document that is judged twice is refused where one grade has a place, and kept in a table."""
    rows = {"query_id": ["q"] * 2, "doc_id": ["a", "a"], "grade": [2, 3]}
    assert "a document comes twice" in refused(rows, tmp_path / "q.txt")
    assert ir.read_judgments(rows).write(tmp_path / "q.csv").rows == 2


def test_formats(tmp_path: Path) -> None:
    """An unknown format, an ending that says none, and a format of the other kind are refused by name."""
    assert "No format called 'treck'. Did you mean trec?" in refused(HALF, tmp_path / "out", format="treck")
    assert "the ending says no format. Name one: format=trec, csv" in refused(HALF, tmp_path / "out.json")
    with pytest.raises(ir.UsageError, match=r"RRE ratings has no place for results. Choose another format"):
        ir.read_results({"q": {"a": 1.0}}).write(tmp_path / "r", format="rre")
    assert "Allowed: keep, escape" in refused(HALF, tmp_path / "out.csv", formulas="run")


def test_one_system(tmp_path: Path) -> None:
    """JSON of one run refuses two systems, and an unknown name is told with the nearest."""
    rows = {"query_id": ["q"] * 2, "doc_id": ["a", "a"], "score": [2, 3], "system": ["bm25", "dense"]}
    results = ir.read_results(rows)
    with pytest.raises(
        ir.DataError, match=r"2 systems, and pytrec_eval JSON has a place for one. Choose it: system=bm25"
    ):
        results.write(tmp_path / "r", format="pytrec_eval")
    with pytest.raises(ir.UsageError, match=r"no system called 'bm24'. Did you mean bm25"):
        results.write(tmp_path / "r", format="pytrec_eval", system="bm24")


def test_a_folder_that_cannot_be(tmp_path: Path) -> None:
    """A BEIR folder under a file, and a file in no folder, are refused before anything is written."""
    (tmp_path / "file").write_text("")
    judgments = ir.read_judgments({"q": {"a": 1}})
    with pytest.raises(ir.UsageError, match="cannot be written: Not a directory"):
        judgments.write(tmp_path / "file" / "set", format="beir")
    with pytest.raises(ir.UsageError, match="cannot be written: No such file or directory"):
        judgments.write(tmp_path / "none" / "q.txt")


def test_a_file_is_replaced_whole(tmp_path: Path) -> None:
    """A refusal leaves an earlier file as it was, and nothing beside it."""
    (tmp_path / "q.txt").write_text("before")
    with pytest.raises(ir.DataError):
        ir.read_judgments(HALF).write(tmp_path / "q.txt")
    assert [(path.name, path.read_text()) for path in tmp_path.iterdir()] == [("q.txt", "before")]


def test_a_grade_without_a_document(tmp_path: Path) -> None:
    """A grade that is of no document is refused with its line, as evaluate refuses it."""
    (tmp_path / "j.csv").write_text("query,docid,rating\nshoe,a,3\nlamp,,2\n")
    with pytest.raises(ir.DataError, match=r"j\.csv line 3: the doc id is missing"):
        ir.read_judgments(tmp_path / "j.csv").write(tmp_path / "out.csv")


def test_a_fault_is_not_written(tmp_path: Path) -> None:
    """A missing score, of which peek tells, is refused with its line; nothing is written."""
    (tmp_path / "r.csv").write_text("query_id,doc_id,score\nq1,a,0.5\nq1,b,\n")
    (fault,) = ir.peek(tmp_path / "r.csv").faults
    with pytest.raises(ir.DataError, match=r"line 3: the score is missing or NaN") as caught:
        ir.read_results(tmp_path / "r.csv").write(tmp_path / "out.csv")
    assert str(caught.value) == fault
    assert not (tmp_path / "out.csv").exists()
