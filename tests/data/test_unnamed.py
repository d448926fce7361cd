"""Tables without column names: what the third column is, and what is asked."""

from __future__ import annotations

import io
from pathlib import Path

import pytest

import idealrank as ir
from tests.cli.terminal import run
from tests.data.test_columns import refusal

JUDGED = "q1 a 0\nq1 b 2\nq2 a 1\n"


def tables(judgments: str, results: str) -> list[str]:
    """Return what two files were read as."""
    scores = ir.evaluate(io.StringIO(judgments), io.StringIO(results), ["RR"])
    return [table.text for table in scores.ledger.tables]


@pytest.mark.parametrize(
    ("results", "value", "reciprocal"),
    [
        ("q1 b 1\nq1 a 2\nq2 a 1\n", "rank", 1.0),
        ("q1 b 1\nq2 a 1\nq1 a 2\n", "rank", 1.0),
        ("q1 b 1\nq1 a 3\nq2 a 1\n", "score", 0.75),
        ("q1 b 2\nq1 a 1\nq2 a 1\n", "score", 1.0),
        ("q1 a 0.5\nq1 b 0.25\nq2 a 1\n", "score", 0.75),
    ],
)
def test_rank_or_score(results: str, value: str, reciprocal: float) -> None:
    """The third number is the rank if it counts the rows of every query from 1, else the score; it is said which."""
    assert tables(JUDGED, results) == [
        "3 columns without names (query, document, grade), grades 0 to 2",
        f"3 columns without names (query, document, {value}), ordered by {value}",
    ]
    assert ir.evaluate(io.StringIO(JUDGED), io.StringIO(results), ["RR"])["RR"] == reciprocal


def test_positives_without_names() -> None:
    """Two columns without names are the relevant documents of queries."""
    scores = ir.evaluate(io.StringIO("q1 a\nq1 b\nq2 a\n"), {"q1": {"a": 1}, "q2": {"x": 2, "a": 1}}, ["R", "RR"])
    assert (scores["R"], scores["RR"]) == (0.75, 0.75)
    assert scores.ledger.tables[0].text == (
        "2 columns without names (query, document), no grade column: each of the 3 rows counts as grade 1"
    )


def test_words_of_ntcir() -> None:
    """TREC judgments with levels L0 to L3 are read with the scale ntcir, and refused without one."""
    text = "q1 0 a L2\nq1 0 b L0\n# by hand\nq2 0 a L3\n"
    judgments = ir.read_judgments(io.StringIO(text), grades="ntcir")
    assert ir.evaluate(judgments, {"q1": {"b": 2, "a": 1}, "q2": {"a": 1}}, ["CG"])["CG"] == 2.5
    assert refusal(lambda: ir.evaluate(io.StringIO(text), {"q1": {"a": 1}}, ["CG"])) == (
        "judgments line 1: grade 'L2' is a word, not a number. Say what each label is worth: grades={'L3': 3, 'L2': 2, "
        "'L0': 0}; grades='ntcir' means the same."
    )


def test_exchanged_files(tmp_path: Path) -> None:
    """Ranks given as judgments, with grades as results, are refused; ranks given as judgments alone are doubted."""
    (tmp_path / "run.tsv").write_text("q1\tb\t1\nq1\ta\t2\n")
    (tmp_path / "qrels.tsv").write_text("q1\tb\t3\nq1\ta\t0\n")
    found = run("evaluate", "run.tsv", "qrels.tsv", "-m", "RR", cwd=tmp_path)
    assert (found.code, "Judgments come first, then results" in found.err) == (3, True)
    found = run("evaluate", "run.tsv", "run.tsv", "-m", "RR", "-q", cwd=tmp_path)
    assert "are these results? Judgments come first" in found.err


def test_run_without_q0() -> None:
    """A run of five fields is a TREC run without Q0, ordered by its score; a line of six is refused with its number."""
    text = "q1 a 1 1.5 bm25\nq1 b 2 9.5 bm25\n"
    assert tables(JUDGED, text)[1] == "TREC run without Q0 (5 fields), ordered by score"
    assert ir.evaluate(io.StringIO(JUDGED), io.StringIO(text), ["RR"], queries=None)["RR"] == 0.5
    longer = text * 20 + "\nq1 Q0 c 3 7.5 bm25\n"
    assert "line 42: 6 of 5 fields" in refusal(lambda: ir.read_results(io.StringIO(longer)))


REFUSED = {
    "q1 a 1\n" * 30 + "q1 a\n": "judgments line 31: 2 fields, but the header has 3.",
    "q1,a,1\n" * 30 + "q1,b,x\n": "judgments line 31: number 'x' is not a number.",
}


@pytest.mark.parametrize("text", REFUSED)
def test_what_is_refused(text: str) -> None:
    """A line unlike the first is refused with its number; a line of unknown names is not taken for a row."""
    assert refusal(lambda: ir.evaluate(io.StringIO(text), {"q1": {"a": 1}}, ["RR"])).startswith(REFUSED[text])


@pytest.mark.parametrize(
    ("text", "rows"),
    [
        ("red shoe\td1\t2\nred hat\td1\t1\n", [("red shoe", "d1", 2.0), ("red hat", "d1", 1.0)]),
        ("q1\tred shoe\t2\nq1\tshoe\t1\n", [("q1", "red shoe", 2.0), ("q1", "shoe", 1.0)]),
        ("q1 0\td1\t2\nq1 0\td2\t1\n", [("q1", "d1", 2.0), ("q1", "d2", 1.0)]),
    ],
)
def test_blanks_between_tabs(text: str, rows: list[tuple[str, str, float]]) -> None:
    """Tabs that separate three columns do so: "red shoe" is one query, not the query "red" with a second field."""
    written = ir.read_judgments(io.StringIO(text)).rows_to_write()
    assert list(zip(written.query, written.doc, written.grade.tolist(), strict=True)) == rows


def test_blanks_between_tabs_of_two_columns() -> None:
    """A query with a blank and a document's number are no query, document and grade."""
    with pytest.raises(ir.DataError, match="no query, doc or grade column"):
        ir.read_judgments(io.StringIO("red shoe\t42\nblue hat\t43\n"))


@pytest.mark.parametrize(
    ("line", "score", "system"),
    [
        ("q1 Q0 red shoe 1 9.5 tag", "1", "9.5"),
        ("q1 Q0 shoe 42 1 9.5 tag", "1", "9.5"),
        ("q1 Q0 red shoe 1 9.5", "1", "9.5"),
    ],
)
def test_a_run_whose_ids_contain_blanks(line: str, score: str, system: str) -> None:
    """It is refused: the rank would be read as the score, so that the order is turned around."""
    with pytest.raises(ir.DataError) as caught:
        ir.read_results(io.StringIO(line + "\n"))
    assert f"{score!r} where the score should be and {system!r} where the system should be" in str(caught.value)
    assert "Use ids without blanks" in str(caught.value)


def test_a_tag_with_a_blank_or_a_number() -> None:
    """A run's tag may have blanks, or be a number."""
    for tag in ("my tag", "42"):
        rows = ir.read_results(io.StringIO(f"q1 Q0 d1 1 9.5 {tag}\n")).rows_to_write()
        assert (rows.doc, rows.numbers["score"].tolist()) == (["d1"], [9.5])


@pytest.mark.parametrize("text", ["a|b,x,2\na|b,y,3\n", "a,b;x;2\na,b;y;3\n"])
def test_the_separator_before_a_number(text: str) -> None:
    """A sign within the ids that splits every line in two is no separator where another leaves a number at the end."""
    rows = ir.read_judgments(io.StringIO(text)).rows_to_write()
    assert (rows.query, rows.doc, rows.grade.tolist()) == ([text[:3]] * 2, ["x", "y"], [2, 3])


@pytest.mark.parametrize(("between", "first"), [("\t", 1), (" ", 1), ("\t", 0)])
def test_query_document_rank_and_score(tmp_path: Path, between: str, first: int) -> None:
    """Four fields of which the third counts from 0 or 1 in each query and the last has fractions are results.

    Where all fields are whole, they may be judgments, and the refusal says how to name them.
    """
    rows = (("1", "d9", f"{first}", "22.5"), ("1", "d2", f"{first + 1}", "21.0"), ("2", "d3", f"{first}", "19"))
    (tmp_path / "ranking.tsv").write_text("".join(f"{between.join(row)}\n" for row in rows))
    (tmp_path / "qrels.txt").write_text("1 0 d2 1\n2 0 d3 1\n")
    assert ir.evaluate(tmp_path / "qrels.txt", tmp_path / "ranking.tsv", ["RR"])["RR"] == 0.75
    assert "results" in str(ir.peek(tmp_path / "ranking.tsv"))
    (tmp_path / "whole.tsv").write_text("".join(f"{between.join(row).replace('.', '')}\n" for row in rows))
    with pytest.raises(ir.DataError, match="If the fields are query, document, rank and score, add a first line"):
        ir.evaluate(tmp_path / "qrels.txt", tmp_path / "whole.tsv", ["RR"])
    text = f"query doc rank score\n{(tmp_path / 'whole.tsv').read_text()}"
    (tmp_path / "whole.tsv").write_text(text.replace(" ", "\t"))
    assert ir.evaluate(tmp_path / "qrels.txt", tmp_path / "whole.tsv", ["RR"])["RR"] == 0.75
