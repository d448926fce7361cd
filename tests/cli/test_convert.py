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


def test_the_output_is_named_as_elsewhere(folder: Path) -> None:
    """-o FILE is OUT, as of every other command; without it the last file is."""
    (folder / "in.csv").write_text("query_id,doc_id,grade\nq,a,2\nq,b,0\n")
    for words in (("in.csv", "-o", "one.txt"), ("in.csv", "two.txt")):
        assert run("convert", *words, cwd=folder).code == 0
    assert (folder / "one.txt").read_text() == (folder / "two.txt").read_text() == "q 0 a 2\nq 0 b 0\n"
    assert "a file to read and one to write" in run("convert", "in.csv", cwd=folder).err


def test_a_table_with_both_is_reconciled_by_itself(folder: Path) -> None:
    """A ranker's table is given once, as to evaluate; a forgotten convention is asked for, no file taken for one."""
    (folder / "both.csv").write_text("group,label,prediction\n1,2,0.1\n1,0,0.9\n2,0,0.5\n")
    words = ("-m", "nDCG@5", "lightgbm", "idealrank-1")
    once, twice = (run("reconcile", *["both.csv"] * times, *words, "--csv", cwd=folder) for times in (1, 2))
    assert once.code == 0
    assert once.out == twice.out
    asked = run("reconcile", "both.csv", "both.csv", "-m", "nDCG@5", "lightgbm", cwd=folder)
    assert "idealrank reconcile JUDGMENTS RESULTS CONVENTION OTHER" in asked.err
    lost = run("reconcile", "both.csv", "lost.csv", "-m", "nDCG@5", "lightgbm", cwd=folder)
    assert "lost.csv: neither a convention nor an existing file." in lost.err
