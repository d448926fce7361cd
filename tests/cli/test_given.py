"""What is given on the command line: once or several times, for one table or all, typed or fixed by a project."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.cli.terminal import run, tsv

RATED = "query_id,doc_id,Anna,Ben\nq1,a,3,1\nq1,b,0,1\n"
RESULTS = "query_id,doc_id,rank\nq1,b,1\nq1,a,2\n"


@pytest.fixture
def rated(tmp_path: Path) -> Path:
    """Return a folder with judgments by two raters, and results."""
    (tmp_path / "j.csv").write_text(RATED)
    (tmp_path / "r.csv").write_text(RESULTS)
    return tmp_path


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ("--worst 2 --worst 3", "--worst is given twice"),
        ("--system up --system other", "--system is given twice"),
        ("--as sklearn --convention sklearn", "--convention is given twice"),
        ("--ties given --ties average", "--ties is given twice"),
        ("--json --csv", "--json and --csv exclude each other"),
        ("--rank-col a --rank-col b", "--rank-col is given twice (a, b). Give one name."),
        ("--doc-col results:a --doc-col results:b", "Give one name, or say which table has it"),
        ("--rank-col judgments:a", "judgments have no rank column"),
    ],
)
def test_given_twice(words: str, message: str, folder: Path) -> None:
    """A value given twice is refused in one line; the last one is not just taken."""
    found = run("evaluate", "qrels.txt", "up.run", *words.split(), cwd=folder)
    assert message in found.err
    assert (found.code, len(found.err.splitlines()), found.out) == (2, 1, "")


def test_measures_and_flags_may_come_again(folder: Path) -> None:
    """What may be repeated, and a flag that says the same again, are no mistake; one value to explain is one."""
    assert run("evaluate", "qrels.txt", "up.run", "-m", "RR", "-m", "AP", "-q", "-q", cwd=folder).code == 0
    found = run("explain", "qrels.txt", "up.run", "-m", "RR", "-m", "AP", "--query", "q1", cwd=folder)
    assert (found.code, "--measure is given twice" in found.err) == (2, True)


def test_several_raters(rated: Path) -> None:
    """Several grade columns are several ratings of a row, typed or fixed by the project; the error says so."""
    found = tsv("evaluate", "j.csv", "r.csv", "-m", "RR(rel=2)", "-q", cwd=rated)
    assert (found.code, "several raters: --grade-col A --grade-col B" in found.err) == (3, True)
    typed = ("--grade-col", "Anna", "--grade-col", "Ben")
    assert tsv("evaluate", "j.csv", "r.csv", "-m", "RR(rel=2)", "-q", *typed, cwd=rated).lines[1] == "RR(rel=2)\t0.5"
    (rated / "pyproject.toml").write_text('[tool.idealrank]\ncolumns = {grade = ["Anna", "Ben"]}\n')
    found = tsv("evaluate", "j.csv", "r.csv", "-m", "RR(rel=2)", "-v", cwd=rated)
    assert found.lines[1] == "RR(rel=2)\t0.5"
    assert "grade=Anna,Ben" in found.err
    found = tsv("evaluate", "j.csv", "r.csv", "-m", "RR(rel=3)", "--grade-col", "Anna", "-v", cwd=rated)
    assert (found.lines[1], "grade=Anna," in found.err) == ("RR(rel=3)\t0.5", True)


def test_columns_of_one_table(rated: Path) -> None:
    """A column that one table alone has is named for that table, on the command line and in the project."""
    (rated / "j.csv").write_text(RATED.replace("query_id", "Frage"))
    found = run("evaluate", "j.csv", "r.csv", "--grade-col", "Ben", "--query-col", "Frage", cwd=rated)
    assert "no column called 'Frage' for the query" in found.err
    assert "--query-col judgments:NAME or results:NAME" in found.err
    (rated / "pyproject.toml").write_text('[tool.idealrank]\ncolumns = {grade = "Ben", query = ["judgments:Frage"]}\n')
    assert run("evaluate", "j.csv", "r.csv", cwd=rated).code == 0


def test_columns_of_the_queries_table(rated: Path) -> None:
    """The columns of the queries table are named as those of the others."""
    (rated / "q.csv").write_text("Nr,Wort,segment\nq1,shoes,head\n")
    call = ("evaluate", "j.csv", "r.csv", "--grade-col", "Ben", "--queries-table", "q.csv", "-q")
    assert "--query-col queries:NAME" in run(*call, cwd=rated).err
    named = ("--query-col", "queries:Nr", "--text-col", "queries:Wort")
    assert run(*call, *named, "--per-query", "-m", "RR", cwd=rated).lines[0].split() == ["query", "text", "RR"]
    found = run(*call, "--query-col", "queries:Nummer", cwd=rated)
    assert "q.csv: no column called 'Nummer' for the query. Found: Nr, Wort, segment." in found.err


@pytest.mark.parametrize(
    ("table", "words"),
    [
        ('convention = "trec_evl"', "convention=trec_evl."),
        ('measures = ["NDGC"]', "measures=NDGC."),
        ('columns = {doc = "Artikel"}', "columns.doc=Artikel."),
        ('convention = "idealrank-1, order_by=score"', "convention=idealrank-1, order_by=score."),
    ],
)
def test_mistakes_in_defaults(table: str, words: str, rated: Path) -> None:
    """A mistake that comes from the project's defaults names the file and the key."""
    (rated / "pyproject.toml").write_text(f"[tool.idealrank]\n{table}\n")
    found = run("evaluate", "j.csv", "r.csv", "--grade-col", "Ben", cwd=rated)
    assert found.err.splitlines()[0].endswith(f"Defaults were taken from pyproject.toml [tool.idealrank]: {words}")
    assert (found.code in (2, 3), len(found.err.splitlines())) == (True, 1)
