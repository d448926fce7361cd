"""Saved scores on the command line: written by evaluate, and taken in place of judgments and results."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.cli.terminal import run


def save(folder: Path, *runs: str) -> None:
    """Save the scores of each run under its name."""
    for name in runs:
        found = run(
            "evaluate", "qrels.txt", f"{name}.run", "-m", "RR", "-m", "AP", "--save", f"{name}.scores", cwd=folder
        )
        assert found.code == 0
        assert f"saved      {name}.scores" in found.err


def test_saved_scores_say_what_fresh_ones_say(folder: Path) -> None:
    """Compare, evaluate and leaderboard print what they print of the files that the scores are from."""
    save(folder, "up", "other")
    for command in ("compare", "leaderboard"):
        fresh = run(command, "qrels.txt", "up.run", "other.run", "-m", "RR", "-m", "AP", cwd=folder)
        saved = run(command, "up.scores", "other.scores", "-m", "RR", "-m", "AP", cwd=folder)
        assert saved.out == fresh.out
        assert saved.code == fresh.code
    fresh = run("evaluate", "qrels.txt", "up.run", "-m", "AP", "--per-query", "--csv", cwd=folder)
    assert run("evaluate", "up.scores", "-m", "AP", "--per-query", "--csv", cwd=folder).out == fresh.out


def test_a_gate_compares_with_saved_scores(folder: Path) -> None:
    """No measure in them may drop."""
    save(folder, "up")
    same = run("gate", "qrels.txt", "up.run", "--baseline", "up.scores", cwd=folder)
    assert same.code == 0
    fresh = run("gate", "qrels.txt", "up.run", "other.run", "--fail-if", "RR drops 0.01", "--fail-if", "AP drops 0.01",
                cwd=folder)  # fmt: skip
    saved = run("gate", "qrels.txt", "other.run", "--baseline", "up.scores", cwd=folder)
    assert (saved.code, saved.out.splitlines()[0]) == (fresh.code, fresh.out.splitlines()[0])


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["compare", "up.scores", "other.run"], "up.scores contains saved scores.*Leave out other.run; .*--save FILE"),
        (["compare", "up.scores", "-"], "up.scores contains saved scores.*Leave out -;"),
        (["compare", "up.scores", "gone.scores"], "gone.scores: no such file"),
        (["compare", "up.scores", "cut.scores"], "cut.scores: no saved scores, or damaged ones"),
        (["evaluate", "qrels.txt", "up.run", "--save", "-"], "--save -: scores are saved to a file"),
        (["evaluate", "qrels.txt", "up.run", "-o", "up.scores"], "-o up.scores: contains saved scores, which only ev"),
        (["gate", "qrels.txt", "up.run", "--baseline", "up.scores", "--bless"], "^idealrank: up.scores: saved scores"),
        (["gate", "qrels.txt", "up.run", "--baseline", "up.scores", "--ties", "given"], "current values with .*--save"),
        (["evaluate", "up.scores", "--gain", "exp2"], "have their measures and decisions already. Leave out --gain"),
        (["evaluate", "up.scores", "-m", "nDCG@10"], "nDCG@10.*RR"),
        (["doctor", "up.scores"], "up.scores: saved scores, which are no table"),
        (["evaluate", "qrels.txt", "up.run", "--save", "up.run"], "up.run: not saved scores"),
        (["evaluate", "qrels.txt", "up.run", "--save", "up.run/a.scores"], "up.run/a.scores: cannot be written"),
        (["evaluate", "qrels.txt", "up.run", "-o", "new.scores"], "Scores are saved by idealrank evaluate --save"),
        (["compare", "up.scores", "./up.scores"], "the same file is given twice"),
    ],
)
def test_what_does_not_fit_is_refused(folder: Path, words: list[str], said: str) -> None:
    """With the file and what to leave out."""
    save(folder, "up")
    (folder / "cut.scores").write_bytes((folder / "up.scores").read_bytes()[:20])
    found = run(*words, cwd=folder)
    assert found.code in (2, 3)
    assert found.out == ""
    assert re.search(said, " ".join(found.err.split()))


def test_one_of_several_systems_is_chosen(folder: Path) -> None:
    """By name, to be compared with the same system of another file, and to be saved alone for a gate."""
    for name in ("before", "after"):
        order = ("up.run", "other.run") if name == "before" else ("other.run", "up.run")
        run("evaluate", "qrels.txt", *order, "-m", "RR", "--save", f"{name}.scores", cwd=folder)
    both = run("compare", "before.scores", "after.scores", cwd=folder)
    assert "before.scores contains 2 systems: up, other." in " ".join(both.err.split())
    assert "--system up" in both.err
    assert run("compare", "before.scores", "after.scores", "--system", "other", cwd=folder).code == 0
    save(folder, "other")
    chosen = run("evaluate", "before.scores", "--system", "other", "--per-query", "--csv", cwd=folder)
    assert chosen.out == run("evaluate", "other.scores", "-m", "RR", "--per-query", "--csv", cwd=folder).out
    refused = run("gate", "qrels.txt", "other.run", "--baseline", "before.scores", cwd=folder)
    assert "idealrank evaluate before.scores --system up --save FILE" in " ".join(refused.err.split())
    run("evaluate", "before.scores", "--system", "other", "--save", "one.scores", cwd=folder)
    assert run("gate", "qrels.txt", "other.run", "--baseline", "one.scores", cwd=folder).code == 0


def test_tables_that_name_the_same_systems_are_compared_by_what_was_saved(folder: Path) -> None:
    """The message names the way, and the way works."""
    rows = [
        line.split() for name in ("up", "other") for line in (folder / f"{name}.run").read_text("utf-8").split("\n")
    ]
    table = "\n".join(["system,query,doc,rank", *(f"{row[5]},{row[0]},{row[2]},{row[3]}" for row in rows if row)])
    for name in ("old", "new"):
        (folder / f"{name}.csv").write_text(table + "\n", "utf-8")
        run("evaluate", "qrels.txt", f"{name}.csv", "-m", "RR", "--save", f"{name}.scores", cwd=folder)
    refused = run("compare", "qrels.txt", "old.csv", "new.csv", cwd=folder)
    assert "idealrank compare FILE FILE --system up" in " ".join(refused.err.split())
    assert run("compare", "old.scores", "new.scores", "--system", "up", cwd=folder).code == 0


def test_parts_are_not_compared_with_saved_scores(folder: Path) -> None:
    """A baseline of hashes is."""
    save(folder, "up")
    call = ("gate", "qrels.txt", "up.run", "--memory", "100MB", "--baseline")
    assert "gate JUDGMENTS OLD --baseline FILE --bless" in " ".join(run(*call, "up.scores", cwd=folder).err.split())
    assert run(*call, "base.json", "--bless", cwd=folder).code == 0
    assert run(*call, "base.json", cwd=folder).code == 0


def test_a_measure_that_all_have_is_chosen(folder: Path) -> None:
    """The others need not be the same."""
    run("evaluate", "qrels.txt", "up.run", "-m", "RR", "--save", "one.scores", cwd=folder)
    save(folder, "other")
    assert "AP is only in other" in run("compare", "one.scores", "other.scores", cwd=folder).err
    assert run("compare", "one.scores", "other.scores", "-m", "RR", cwd=folder).code == 0


def test_a_hyphen_is_standard_input(folder: Path) -> None:
    """Even beside a file of that name."""
    save(folder, "up")
    (folder / "up.scores").rename(folder / "-")
    piped = run("evaluate", "qrels.txt", "-", "-m", "RR", cwd=folder, stdin=(folder / "up.run").read_text("utf-8"))
    assert piped.code == 0


def test_peek_knows_them(folder: Path) -> None:
    """By what they are, not as a damaged table."""
    save(folder, "up")
    assert "saved scores" in run("peek", "up.scores", cwd=folder).out
