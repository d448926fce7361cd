"""`idealrank` alone: what is in the folder, and a next command that works as it stands."""

from __future__ import annotations

import json
import os
import re
import shlex
import shutil
from pathlib import Path

import idealrank as ir
from tests.cli.terminal import on_terminal, plain, run


def steps(out: str) -> dict[str, list[str]]:
    """Return the texts of the last lines by their label."""
    found: dict[str, list[str]] = {}
    for line in out.rpartition("\n\n")[2].replace("\\\n", "").splitlines():
        label, text = re.split(r"  +", line, maxsplit=1)
        found.setdefault(label, []).append(text)
    return found


def test_the_next_command_works_as_it_stands(folder: Path) -> None:
    """The commands named under next and then end with 0."""
    done = run(cwd=folder)
    assert done.code == 0, done.err
    said = steps(done.out)
    assert said["next"] == ["idealrank compare qrels.txt other.run up.run --queries-table queries.csv"]
    for label in ("next", "then"):
        words = shlex.split(said[label][0])[1:]
        assert run(*words, cwd=folder).code == 0, said[label]
    assert (folder / "report.html").is_file()


def test_what_is_missing_is_said(folder: Path) -> None:
    """Without results, or without judgments, a line says what these are."""
    (folder / "up.run").unlink()
    (folder / "other.run").unlink()
    said = steps(run(cwd=folder).out)
    assert said["missing"][0].startswith("results: what your engine returns for a query")
    assert said["next"] == ["idealrank replay queries.csv ENGINE -j qrels.txt"]
    (folder / "qrels.txt").unlink()
    assert steps(run(cwd=folder).out)["next"] == ["idealrank replay queries.csv ENGINE"]


def test_an_empty_folder_is_told_what_to_try(tmp_path: Path) -> None:
    """With nothing to read, the demo is what comes next."""
    done = run(cwd=tmp_path)
    assert done.code == 0
    assert steps(done.out) == {"try": ["idealrank demo"], "help": ["idealrank --help"]}


def test_a_rank_that_is_no_number(folder: Path) -> None:
    """Results with a word in the place of a rank stop nothing: the other files are shown, and `peek` says the fault."""
    (folder / "bad.csv").write_text("query,doc,rank\nq1,d1,first\n", "utf-8")
    done = run(cwd=folder)
    assert done.code == 0, done.err
    assert "Not read: bad.csv. idealrank peek FILE says why." in done.out
    assert "next  idealrank compare qrels.txt" in done.out
    (fault,) = json.loads(run("peek", "bad.csv", "--json", cwd=folder).out)["files"][0]["faults"]
    assert fault.startswith("bad.csv line 2: rank 'first' is not a number.")


def test_names_are_quoted(tmp_path: Path) -> None:
    """Files with blanks and quotes in their names give commands that work as they stand."""
    (tmp_path / "my j'udgments.csv").write_text("query,doc,grade\nq1,d1,1\n", "utf-8")
    (tmp_path / "my results.csv").write_text("query,doc,rank\nq1,d1,1\n", "utf-8")
    said = steps(run(cwd=tmp_path).out)
    for label in ("next", "then"):
        assert run(*shlex.split(said[label][0])[1:], cwd=tmp_path).code == 0, said[label]


def blessed(folder: Path, results: str, **files: int) -> None:
    """Bless results under names of files, each written at its second."""
    for name, second in files.items():
        ir.bless(ir.evaluate(folder / "qrels.txt", folder / results, ["RR"]), folder / f"{name}.json")
        os.utime(folder / f"{name}.json", (second, second))


def bless_dated(folder: Path, dates: dict[str, str]) -> None:
    """Bless results of dates under names of files, one after the other."""
    for second, (name, date) in enumerate(dates.items()):
        shutil.copy(folder / "up.run", folder / f"up_{date}.run")
        blessed(folder, f"up_{date}.run", **{name: second})
        (folder / f"up_{date}.run").unlink()


def test_results_are_checked_against_the_newest_baseline(folder: Path) -> None:
    """Of two baselines the one with the later date counts, though written first; each of two results is checked."""
    bless_dated(folder, {"a": "2026-11-23", "z": "2026-11-20"})
    said = steps(run(cwd=folder).out)
    assert said["history"] == ["idealrank history z.json a.json"]
    assert said["gate"] == [
        "idealrank gate qrels.txt other.run --baseline a.json",
        "idealrank gate qrels.txt up.run --baseline a.json",
    ]
    assert run(*shlex.split(said["gate"][1])[1:], cwd=folder).code == 0


def test_the_date_in_the_name_of_a_baseline_counts(folder: Path) -> None:
    """A date in the name of a baseline's file goes before that of its results, as in a history."""
    bless_dated(folder, {"2026-01-31": "2026-11-23", "a": "2026-11-20"})
    assert steps(run(cwd=folder).out)["history"] == ["idealrank history 2026-01-31.json a.json"]


def test_the_results_of_the_baseline_are_checked(folder: Path) -> None:
    """Without dates the baseline that was written last counts; only the results of its system are checked."""
    blessed(folder, "other.run", z=1, a=2)
    said = steps(run(cwd=folder).out)
    assert said["gate"] == ["idealrank gate qrels.txt other.run --baseline a.json"]
    assert said["history"] == ["idealrank history z.json a.json"]


def test_a_damaged_baseline_is_not_proposed(folder: Path) -> None:
    """A baseline that is cut off is named among the baselines, and no command has it."""
    blessed(folder, "up.run", base=1)
    text = (folder / "base.json").read_text("utf-8")
    (folder / "base.json").write_text(text[: len(text) // 2], "utf-8")
    done = run(cwd=folder)
    assert "Baselines of idealrank gate: base.json." in done.out
    assert not {"gate", "history"} & steps(done.out).keys()


def test_of_many_results_one_is_to_be_chosen(folder: Path) -> None:
    """Where more than three results might be checked, the command has a word in the place of the file."""
    blessed(folder, "up.run", base=1)
    text = (folder / "up.run").read_text("utf-8")
    (folder / "up.run").unlink()
    for number in range(4):
        (folder / f"v{number}.run").write_text(text.replace(" up", f" v{number}"), "utf-8")
    assert steps(run(cwd=folder).out)["gate"] == ["idealrank gate qrels.txt RESULTS --baseline base.json"]


def test_commands_fit_a_narrow_terminal(folder: Path) -> None:
    """At 60 columns a command goes on below, after a backslash, and is the same when it is pasted."""
    said = plain(on_terminal(columns=60, cwd=folder).out)
    begun = said.partition("next  ")[2].partition("then ")[0]
    assert max(map(len, begun.splitlines())) <= 60
    words = shlex.split(begun.replace("\\\n", " "))
    assert words == shlex.split("idealrank compare qrels.txt other.run up.run --queries-table queries.csv")
