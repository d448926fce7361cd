"""idealrank convert and idealrank peek."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.cli.terminal import run, tsv


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Return a folder with judgments, two runs and a table of both."""
    (tmp_path / "j.csv").write_text("query,doc,rating\nq1,a,0.5\nq1,b,1\n")
    (tmp_path / "r.run").write_text("q1 Q0 a 1 2.0 x\n")
    (tmp_path / "s.run").write_text("q1 Q0 b 1 3.0 x\n")
    (tmp_path / "t.csv").write_text("query,doc,rank,rating\nq1,a,1,2\nq1,b,2,0\n")
    return tmp_path


def test_convert(folder: Path) -> None:
    """Grades are scaled on request, and the command says what it wrote."""
    found = run("convert", "j.csv", "q.txt", "--scale-grades", "2", cwd=folder)
    assert (found.code, found.out) == (0, "wrote      q.txt: TREC text, 2 rows\n")
    assert (folder / "q.txt").read_text() == "q1 0 a 1\nq1 0 b 2\n"


def test_the_way_is_a_flag(folder: Path) -> None:
    """A refusal names the flag, exits with 3 and writes nothing."""
    found = run("convert", "j.csv", "q.txt", cwd=folder)
    assert (found.code, (folder / "q.txt").exists()) == (3, False)
    assert "Scale the grades: --scale-grades 2" in found.err


def test_files_of_results_are_systems(folder: Path) -> None:
    """Two files with the same tag become two systems, called after their files."""
    assert run("convert", "r.run", "s.run", "both.csv", cwd=folder).code == 0
    assert (folder / "both.csv").read_text() == ("query_id,doc_id,score,system\nq1,a,2,r\nq1,b,3,s\n")


def test_a_table_of_both_needs_the_kind(folder: Path) -> None:
    """One table with grades and ranks is asked about, unless the format has a place for one of them only."""
    assert "Say which to convert: --kind" in run("convert", "t.csv", "x.csv", cwd=folder).err
    assert run("convert", "t.csv", "x.csv", "--kind", "results", cwd=folder).code == 0
    assert (folder / "x.csv").read_text() == "query_id,doc_id,rank,system\nq1,a,1,t\nq1,b,2,t\n"
    assert run("convert", "t.csv", "x.json", "--to", "opensearch", cwd=folder).code == 0


def test_columns_are_named_as_elsewhere(folder: Path) -> None:
    """--grade-col names the column of the grades, and --grades says what labels are worth."""
    (folder / "k.csv").write_text("query,doc,how good\nq1,a,Exact\nq1,b,Partial\n")
    found = run("convert", "k.csv", "q.txt", "--grade-col", "how good", "--grades", "Exact=2,Partial=1", cwd=folder)
    assert found.code == 0, found.err
    assert (folder / "q.txt").read_text() == "q1 0 a 2\nq1 0 b 1\n"


def test_one_file_is_too_few(folder: Path) -> None:
    """A single file has nothing to be written to."""
    assert "a file to read and one to write" in run("convert", "j.csv", cwd=folder).err


def test_every_format_is_named_in_the_help() -> None:
    """The help of --to and the docstrings of `write` name each format that is written, of their kind."""
    from idealrank.data.judgments import Judgments
    from idealrank.data.results import Results
    from idealrank.data.writing import WRITERS

    told = " ".join(run("convert", "--help").out.split())
    for writer in WRITERS:
        assert f" {writer.name}" in told
        for kind, write in (("judgments", Judgments.write), ("results", Results.write)):
            assert kind not in writer.layouts or writer.name in (write.__doc__ or "")


def test_peek(folder: Path) -> None:
    """A pipe gets a line per file, JSON everything; what is wrong with a file does not fail."""
    found = tsv("peek", "j.csv", "r.run", cwd=folder)
    assert (found.code, found.err) == (0, "")
    assert found.out.splitlines()[1].split("\t")[:6] == ["j.csv", "CSV", "judgments", "2", "1", "2"]
    told = json.loads(run("peek", "j.csv", "r.run", "--json", cwd=folder).out)
    assert told["next"] == "idealrank evaluate j.csv r.run"
    (folder / "bad.txt").write_text("nothing in here\n")
    assert tsv("peek", "bad.txt", cwd=folder).code == 0
    assert tsv("peek", "none.txt", cwd=folder).code == 3


@pytest.mark.parametrize(("keep", "grade", "score"), [("first", "1", "5.5"), ("last", "2", "7.5"), ("max", "3", "9.5")])
def test_a_document_that_comes_twice(folder: Path, keep: str, grade: str, score: str) -> None:
    """The row that is asked for is kept, of judgments and of results, and the others are counted."""
    (folder / "j.csv").write_text("query,doc,grade\nq1,a,1\nq1,b,0\nq1,a,3\nq1,a,2\n")
    (folder / "r.csv").write_text("query,doc,score\nq1,a,5.5\nq1,b,0\nq1,a,9.5\nq1,a,7.5\n")
    found = run("convert", "j.csv", "q.txt", "--duplicates", keep, cwd=folder)
    assert "note       2 rows left out: the document comes twice" in found.out
    assert sorted((folder / "q.txt").read_text().splitlines()) == [f"q1 0 a {grade}", "q1 0 b 0"]
    assert run("convert", "r.csv", "r.txt", "--duplicates", keep, cwd=folder).code == 0
    lines = [line.split() for line in (folder / "r.txt").read_text().splitlines()]
    assert [line[4] for line in lines if line[2] == "a"] == [score]


def test_a_document_that_comes_twice_is_refused(folder: Path) -> None:
    """Without an answer a format with one place refuses it, and names the flag; no score is no highest one."""
    (folder / "j.csv").write_text("query,doc,grade\nq1,a,1\nq1,a,3\n")
    refused = run("convert", "j.csv", "q.txt", cwd=folder)
    assert refused.code == 3
    assert "Remove one, or keep one: --duplicates first, last or max." in refused.err
    (folder / "r.csv").write_text("query,doc,rank\nq1,a,1\nq1,a,2\n")
    refused = run("convert", "r.csv", "s.csv", "--duplicates", "max", cwd=folder)
    assert "r.csv: no score, so none is the highest. Use --duplicates first or last." in refused.err
