"""Several searches per query on the command line: the message, the flag, and the step of each result."""

from __future__ import annotations

from pathlib import Path

from tests.cli.terminal import run, tsv

JUDGMENTS = "query_id,doc_id,grade\nt1,a,1\nt1,b,1\n"
RESULTS = "query_id,{step},rank,doc_id\nt1,1,1,x\nt1,1,2,a\nt1,2,1,a\nt1,2,2,b\n"


def files(folder: Path, step: str) -> None:
    """Write judgments, and results with a column of steps of this name."""
    (folder / "judgments.csv").write_text(JUDGMENTS, "utf-8")
    (folder / "agent.csv").write_text(RESULTS.format(step=step), "utf-8")


def test_the_message_names_the_flag(tmp_path: Path) -> None:
    """A table of several steps is refused as bad data, with the flags that read it."""
    files(tmp_path, "step")
    said = run("evaluate", "judgments.csv", "agent.csv", cwd=tmp_path)
    assert said.code == 3
    assert "1 query has several steps (t1)" in said.err
    assert "--steps union" in said.err


def test_a_column_that_is_named(tmp_path: Path) -> None:
    """A column called turn is the step only if it is named; without it a comes twice for the query."""
    files(tmp_path, "turn")
    bare = tsv("evaluate", "judgments.csv", "agent.csv", "-m", "R@3", cwd=tmp_path)
    assert "document 'a' is returned a second time for query 't1'" in bare.err
    named = ("--step-col", "turn", "--steps", "union")
    said = tsv("evaluate", "judgments.csv", "agent.csv", "-m", "R@3", *named, cwd=tmp_path)
    assert said.out.splitlines() == ["measure\tmean", "R@3\t1.0"]


def test_explain_shows_the_step(tmp_path: Path) -> None:
    """Each result stands with the step that returned it first: x and a in step 1, b in step 2."""
    files(tmp_path, "step")
    asked = ("-m", "R", "--query", "t1", "--steps", "union", "--csv")
    said = run("explain", "judgments.csv", "agent.csv", *asked, cwd=tmp_path)
    rows = [line.split(",")[:3] for line in said.out.splitlines()]
    assert rows == [["step", "rank", "doc"], ["1", "1", "x"], ["1", "2", "a"], ["2", "3", "b"]]
