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
        (["compare", "up.scores", "other.run"], "up.scores contains saved scores.*Leave out other.run"),
        (["evaluate", "up.scores", "--gain", "exp2"], "have their measures and decisions already. Leave out --gain"),
        (["evaluate", "up.scores", "-m", "nDCG@10"], "nDCG@10.*RR"),
        (["doctor", "up.scores"], "up.scores: saved scores, which are no table"),
        (["evaluate", "qrels.txt", "up.run", "--save", "up.run"], "up.run: not saved scores"),
        (["evaluate", "qrels.txt", "up.run", "--save", "no/where.scores"], "no/where.scores: cannot be written"),
    ],
)
def test_what_does_not_fit_is_refused(folder: Path, words: list[str], said: str) -> None:
    """With the file and what to leave out."""
    save(folder, "up")
    found = run(*words, cwd=folder)
    assert found.code in (2, 3)
    assert found.out == ""
    assert re.search(said, " ".join(found.err.split()))


def test_peek_knows_them(folder: Path) -> None:
    """By what they are, not as a damaged table."""
    save(folder, "up")
    assert "saved scores" in run("peek", "up.scores", cwd=folder).out
