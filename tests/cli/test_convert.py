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
