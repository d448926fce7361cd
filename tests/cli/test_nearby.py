"""`idealrank` alone: what is in the folder, and a next command that works as it stands."""

from __future__ import annotations

import shlex
from pathlib import Path

from tests.cli.terminal import on_terminal, plain, run


def steps(out: str) -> dict[str, str]:
    """Return the last lines by their label."""
    return {line[:8].strip(): line[8:] for line in out.splitlines() if line[:8].strip() in LABELS}


LABELS = ("missing", "next", "then", "try", "help")


def test_the_next_command_works_as_it_stands(folder: Path) -> None:
    """The commands named under next and then end with 0."""
    done = run(cwd=folder)
    assert done.code == 0, done.err
    said = steps(done.out)
    assert said["next"] == "idealrank compare qrels.txt other.run up.run --queries-table queries.csv"
    for label in ("next", "then"):
        words = shlex.split(said[label])[1:]
        assert run(*words, cwd=folder).code == 0, said[label]
    assert (folder / "report.html").is_file()


def test_what_is_missing_is_said(folder: Path) -> None:
    """Without results, or without judgments, a line says what these are."""
    (folder / "up.run").unlink()
    (folder / "other.run").unlink()
    said = steps(run(cwd=folder).out)
    assert said["missing"].startswith("results: what your engine returns for a query")
    assert said["next"] == "idealrank replay queries.csv ENGINE -j qrels.txt"
    (folder / "qrels.txt").unlink()
    assert steps(run(cwd=folder).out)["next"] == "idealrank replay queries.csv ENGINE"


def test_an_empty_folder_is_told_what_to_try(tmp_path: Path) -> None:
    """With nothing to read, the demo is what comes next."""
    done = run(cwd=tmp_path)
    assert done.code == 0
    assert steps(done.out) == {"try": "idealrank demo", "help": "idealrank --help"}


def test_faults_and_other_tables_are_named(folder: Path) -> None:
    """A document judged twice is told with its line, and a table of something else is named."""
    (folder / "twice.csv").write_text("query,doc,grade\nq1,d1,1\nq1,d1,2\n", "utf-8")
    (folder / "sales.csv").write_text("month,amount\nmay,3\n", "utf-8")
    out = run(cwd=folder).out
    assert "twice.csv line 3: document 'd1' is judged a second time" in out
    assert "Not for idealrank, it seems: sales.csv." in out


def test_commands_fit_a_narrow_terminal(folder: Path) -> None:
    """At 60 columns a command goes on below, after a backslash, and is the same when it is pasted."""
    said = plain(on_terminal(columns=60, cwd=folder).out)
    begun = said.partition("next    ")[2].partition("then ")[0]
    assert max(map(len, begun.splitlines())) <= 60
    words = shlex.split(begun.replace("\\\n", " "))
    assert words == shlex.split("idealrank compare qrels.txt other.run up.run --queries-table queries.csv")
