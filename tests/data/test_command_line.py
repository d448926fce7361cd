"""The inputs of the command line: columns given per table, standard input, one file for both; and an interruption."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from idealrank.cli import main
from tests.cli.terminal import run
from tests.data.refused import QRELS, RUN

PROGRAM = [sys.executable, "-c", "from idealrank.cli import main; main()"]
JUDGMENTS = "Frage,Ware,Note\nq1,a,3\nq1,b,1\n"
RESULTS = "Suche,Artikel,Platz,Motor\nq1,b,1,x\nq1,a,2,x\n"


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder to work in, with judgments and results as TREC text and as CSV."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "qrels").write_bytes(QRELS)
    (tmp_path / "run").write_bytes(RUN)
    (tmp_path / "j.csv").write_text(JUDGMENTS)
    (tmp_path / "r.csv").write_text(RESULTS)
    return tmp_path


Means = Callable[..., dict[str, float]]


@pytest.fixture
def means(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Means:
    """A function that runs ``evaluate … -m RR(rel=2) --json`` in this process and returns the mean by system."""

    def of(*arguments: str) -> dict[str, float]:
        monkeypatch.setattr(sys, "argv", ["idealrank", "evaluate", *arguments, "-m", "RR(rel=2)", "--json"])
        with pytest.raises(SystemExit) as left:
            main()
        said = capsys.readouterr()
        assert left.value.code == 0, said.err
        return {system: row["RR(rel=2)"] for system, row in json.loads(said.out)["means"].items()}

    return of


@pytest.mark.parametrize(
    "columns",
    [
        ["judgments:Frage", "results:Suche", "judgments:Ware", "results:Artikel"],
        ["judgments:frage", "results:SUCHE", "judgments:ware", "results:artikel"],
    ],
)
def test_columns_given_per_table(columns: list[str], folder: Path, means: Means) -> None:
    """Column names may be given for both tables or for one; grade belongs to judgments, rank to results."""
    ours, theirs, our_doc, their_doc = columns
    given = ["--query-col", ours, "--query-col", theirs, "--doc-col", our_doc, "--doc-col", their_doc]
    given += ["--grade-col", "Note", "--rank-col", "Platz", "--system-col", "Motor"]
    assert means("j.csv", "r.csv", *given) == {"r": 0.5}


def test_columns_of_the_project(folder: Path, means: Means) -> None:
    """Column names may be fixed for a project."""
    (folder / "pyproject.toml").write_text(
        '[tool.idealrank.columns]\nquery = "Frage"\ndoc = "Ware"\ngrade = "Note"\nrank = "Platz"\n'
    )
    (folder / "r.csv").write_text(RESULTS.replace("Suche", "Frage").replace("Artikel", "Ware"))
    assert means("j.csv", "r.csv") == {"r": 0.5}


def test_one_file_holds_both(folder: Path, means: Means) -> None:
    """A single file is judgments and results at once, also with a system column that is named."""
    (folder / "both.csv").write_text("queryid,document,position,rating_1,rating_2\nq,a,2,3,3\nq,b,1,0,1\n")
    assert list(means("both.csv").values()) == [0.5]
    (folder / "two.csv").write_text("qid,doc,rank,grade,Motor\nq,a,2,3,x\nq,b,1,0,x\nq,a,1,3,y\n")
    assert means("two.csv", "--system-col", "Motor") == {"x": 0.5, "y": 1.0}


@pytest.mark.parametrize("place", ["judgments", "results"])
def test_standard_input(place: str, folder: Path) -> None:
    """A dash is standard input, for either table; both at once are wrong usage."""
    arguments = ("-", "run") if place == "judgments" else ("qrels", "-")
    stdin = (QRELS if place == "judgments" else RUN).decode()
    done = run("evaluate", *arguments, "-m", "RR", "-q", cwd=folder, stdin=stdin)
    assert (done.code, done.out) == (0, run("evaluate", "qrels", "run", "-m", "RR", "-q", cwd=folder).out)
    assert run("evaluate", "-", "-", cwd=folder).code == 2


def test_standard_input_is_named(folder: Path) -> None:
    """What is wrong with standard input is said of standard input, in one line and without a traceback."""
    done = run("evaluate", "qrels", "-", cwd=folder, stdin="1 Q0 a 1 x t\n")
    assert done == (
        3,
        "",
        "idealrank: standard input line 1: score 'x' is not a number. Give a number, such as 3 or 0.25.\n",
    )
    done = run("evaluate", "qrels", "-", cwd=folder)
    assert done == (3, "", "idealrank: standard input: empty. Give at least one judgment or result.\n")


@pytest.mark.heavy
@pytest.mark.skipif(sys.platform == "win32", reason="signals are sent otherwise there")
def test_interrupted_while_reading(folder: Path) -> None:
    """Ctrl-C while a long input is read ends the run: exit code 130, no output, no partial file, no traceback."""
    (folder / "kept.csv").write_text("as it was")
    before = sorted(os.listdir(folder))
    command = [*PROGRAM, "evaluate", "qrels", "-", "-o", "kept.csv"]
    process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    assert process.stdin is not None
    # More than a pipe holds: it is read when this returns, and the rest is waited for.
    process.stdin.write(RUN * 50_000)
    process.stdin.flush()
    process.send_signal(signal.SIGINT)
    assert process.wait(timeout=60) == 130
    assert process.stdout is not None
    assert process.stderr is not None
    assert process.stdout.read() == b""
    assert b"Traceback" not in process.stderr.read()
    for stream in (process.stdin, process.stdout, process.stderr):
        stream.close()
    assert sorted(os.listdir(folder)) == before
    assert (folder / "kept.csv").read_text() == "as it was"


@pytest.mark.parametrize("moment", ["write", "replace"])
def test_interrupted_while_writing(
    moment: str, folder: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Ctrl-C while the output is written leaves the old file as it was, and nothing half-written beside it."""
    (folder / "kept.csv").write_text("as it was")
    before = sorted(os.listdir(folder))
    opened = os.fdopen

    def interrupt(*_: Any, **__: Any) -> Any:
        raise KeyboardInterrupt

    def half_written(*arguments: Any, **options: Any) -> Any:
        with opened(*arguments, **options) as stream:
            stream.write(b"half")
            raise KeyboardInterrupt

    if moment == "replace":
        monkeypatch.setattr("os.replace", interrupt)
    else:
        monkeypatch.setattr("os.fdopen", half_written)
    monkeypatch.setattr(sys, "argv", ["idealrank", "evaluate", "qrels", "run", "-o", "kept.csv"])
    with pytest.raises(SystemExit) as left:
        main()
    monkeypatch.undo()
    assert left.value.code == 130
    assert capsys.readouterr().out == ""
    assert sorted(os.listdir(folder)) == before
    assert (folder / "kept.csv").read_text() == "as it was"
