"""The inputs of the command line: columns given per table, standard input, one file for both; and an interruption."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from pathlib import Path

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
