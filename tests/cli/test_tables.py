"""Columns, queries and weights on the command line."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path

import pytest

from tests.cli.terminal import run, tsv

QUERIES = "Suche,Wort,frequency\nq1,red shoes,10\nq2,blue shoes,100\nq3,green shoes,4\n"


@pytest.fixture
def tables(folder: Path) -> Path:
    """Return a folder whose queries table has columns of its own names."""
    (folder / "words.csv").write_text(QUERIES)
    (folder / "j.csv").write_text("Suche,doc_id,grade\nq1,d1,3\nq2,d1,1\n")
    (folder / "r.csv").write_text("Suche,doc_id,rank\nq1,d1,1\nq2,d2,1\n")
    return folder


def rows(text: str) -> list[list[str]]:
    """Read TSV."""
    return list(csv.reader(io.StringIO(text), delimiter="\t"))


def test_the_query_column_of_every_table(tables: Path) -> None:
    """--query-col and --text-col reach the queries table and the weights too."""
    words = ("evaluate", "j.csv", "r.csv", "-m", "RR", "--query-col", "Suche", "--text-col", "Wort", "--worst", 1)
    for more in (("--queries-table", "words.csv"), ("--weights", "words.csv")):
        found = tsv(*words, *more, cwd=tables)
        assert rows(found.out)[1] == ["q2", "blue shoes", "0.0"], found.err


def test_a_text_column_of_no_table(tables: Path) -> None:
    """A text column need not be in every table, but in one."""
    found = run("evaluate", "j.csv", "r.csv", "--query-col", "Suche", "--text-col", "Wrot", cwd=tables)
    assert found.code == 3
    assert found.err.startswith("idealrank: --text-col Wrot: no table has such a column. Found: Suche, doc_id, grade")
    found = run("overlap", "r.csv", "r.csv", "--query-col", "Suche", "--text-col", "Wrot", cwd=tables)
    assert "no table has such a column" in found.err
    (tables / "pyproject.toml").write_text('[tool.idealrank.columns]\nquery = "Suche"\ntext = "Wrot"\n')
    assert run("evaluate", "j.csv", "r.csv", "-m", "RR", cwd=tables).code == 0


def test_a_queries_table_with_an_id(folder: Path) -> None:
    """In a table of queries, id is the query's."""
    (folder / "ids.csv").write_text("id,text,segment\nq1,red,a\nq2,blue,b\nq3,green,b\n")
    found = tsv(
        "evaluate", "qrels.txt", "up.run", "-m", "RR", "--queries-table", "ids.csv", "--by", "segment", cwd=folder
    )
    assert [row[0] for row in rows(found.out)] == ["group", "a", "b"]


def test_lost_value_by_the_frequencies_of_the_queries_table(folder: Path) -> None:
    """Frequencies of the queries table rank queries by lost value and leave the means unweighted."""
    words = ("evaluate", "qrels.txt", "up.run", "-m", "RR", "--queries-table", "queries.csv")
    found = tsv(*words, "--lost-value", 2, "-v", cwd=folder)
    assert [row[0] for row in rows(found.out)] == ["query", "q2", "q3"]
    assert "weights=equal" in found.err
    assert len(rows(tsv(*words, "--lost-value", cwd=folder).out)) == 4
    assert json.loads(run(*words, "--lost-value", 1, "--json", cwd=folder).out)["means"] == {"up": {"RR": 0.5}}


def test_weights_of_queries_left_out_are_not_needed(folder: Path) -> None:
    """Only the queries that count need a weight."""
    (folder / "w.csv").write_text("query_id,weight\nq1,3\nq2,1\n")
    words = ("evaluate", "qrels.txt", "up.run", "-m", "RR", "--weights", "w.csv")
    assert "1 of 3 queries has no weight: 'q3'" in tsv(*words, cwd=folder).err
    found = tsv(*words, "--queries", "q1,q2", "--lost-value", cwd=folder)
    assert [row[0] for row in rows(found.out)[1:]] == ["q2", "q1"]
    assert float(rows(tsv(*words, "--queries", "q1,q2", cwd=folder).out)[1][1]) == 0.875


@pytest.mark.parametrize("command", ["evaluate", "flavors"])
def test_warnings_are_no_chatter(command: str, folder: Path) -> None:
    """A query asked for that is not there is told under -q too."""
    found = run(command, "qrels.txt", "up.run", "--queries", "q1,q77", "-q", cwd=folder)
    assert found.code == 0
    assert found.err == "warning    1 query asked for, but neither judged nor returned: q77\n"


def test_flavors_have_a_ledger(folder: Path) -> None:
    """`flavors` tells the account, the tables and what moves the means under the flavours' names; JSON too."""
    found = run("flavors", "qrels.txt", "up.run", "-k", 2, "-v", cwd=folder).out
    assert "ledger     3 judged queries" in found
    moves = found.partition("How much each choice matters")[2]
    assert "DCG-z@2" in moves
    assert "no_results=skip" in moves
    assert "unjudged=filter" not in moves
    ledger = json.loads(run("flavors", "qrels.txt", "up.run", "--json", cwd=folder).out)["ledger"]
    assert ledger["judged_queries"] == 3
    assert {account["measure"] for account in ledger["measures"]} >= {"DCG-z", "NDCG-fg"}


def test_explain_by_a_text_nobody_gave(folder: Path) -> None:
    """Where no table has texts, the refusal says where to give them, and names a table that is there; case counts."""
    words = ("explain", "qrels.txt", "up.run", "--query")
    assert "give one with --queries-table queries.csv" in run(*words, "red shoes", cwd=folder).err
    known = (*words, "Red Shoes", "--queries-table", "queries.csv")
    assert "Did you mean red shoes?" in run(*known, cwd=folder).err
    (folder / "queries.csv").unlink()
    assert "give one with --queries-table FILE" in run(*words, "red shoes", cwd=folder).err


def test_two_systems_of_one_name(folder: Path) -> None:
    """Files of one name in two folders are called after these; one file twice is refused with the way out."""
    for name in ("main", "new"):
        (folder / name).mkdir()
        (folder / name / "b.csv").write_text("query_id,doc_id,rank\nq1,d1,1\n")
    found = tsv("evaluate", "qrels.txt", "main/b.csv", "new/b.csv", cwd=folder)
    assert found.lines[0].split("\t") == ["measure", "main", "new"]
    found = tsv("evaluate", "qrels.txt", "new/b.csv", "new/b.csv", cwd=folder)
    assert found.err == (
        "idealrank: 2 systems are called 'new/b' (in 'new/b.csv'). The same file is given twice. Give it once.\n"
    )


def test_overlap_names_the_systems_in_natural_order(folder: Path) -> None:
    """The sets stand under the systems' names; q2 comes before q10."""
    for name, queries in (("one", (10, 2)), ("two", (2, 1))):
        (folder / f"{name}.csv").write_text("query_id,doc_id,rank\n" + "".join(f"q{q},d,1\n" for q in queries))
    found = tsv("overlap", "one.csv", "two.csv", cwd=folder)
    header = rows(found.out)[0]
    assert header[:5] + header[-5:] == [
        "query", "jaccard", "overlap", "rbo", "rbo_low", "one", "two", "intersection", "union", "note",
    ]  # fmt: skip
    assert [row[0] for row in rows(found.out)[1:]] == ["q1", "q2", "q10"]
    assert "1 answered by one alone; 1 answered by two alone" in found.err


def test_the_form_for_people_goes_to_standard_output(folder: Path) -> None:
    """-o - is no file, so --format table is written there as without it."""
    words = ("evaluate", "qrels.txt", "up.run")
    found = run(*words, "--format", "table", "-o", "-", cwd=folder)
    assert (found.code, found.out) == (0, run(*words, cwd=folder).out)
