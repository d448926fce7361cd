"""Data that would act on a terminal: on the command line it is text."""

from __future__ import annotations

import csv
import json
import re
from pathlib import Path

import pytest

from tests.cli.terminal import on_terminal, run, tsv
from tests.display.test_hostile import RED, assert_harmless

ID = RED + "\x9b2J\u202e"
SHOWN = r"\x1b[31mq1\x1b[0m\u009b2J\u202e"


@pytest.fixture
def hostile(tmp_path: Path) -> Path:
    """Return a folder of judgments, two systems and queries with hostile ids, texts and names of files."""
    lines = "".join(f"{ID},{doc},{n}\n" for n, doc in enumerate(("a" + ID, "=1+1", "c"), 1))
    (tmp_path / "j.csv").write_text(f"query,doc,grade\n{lines}", "utf-8")
    (tmp_path / "a\x1b[2J.csv").write_text(f"query,doc,score\n{lines}", "utf-8")
    (tmp_path / "b.csv").write_text(f"query,doc,rank\n{lines}", "utf-8")
    return tmp_path


def seen(text: str) -> str:
    """Return what a terminal was sent, without the bold and the two colours that are ours."""
    return re.sub(r"\x1b\[([01]|38;5;(32|166))m", "", text)


@pytest.mark.parametrize(
    "words",
    [
        ("evaluate", "j.csv", "a\x1b[2J.csv", "-m", "RR", "--per-query"),
        ("evaluate", "j.csv", "a\x1b[2J.csv", "-m", "RR", "--csv", "--per-query"),
        ("evaluate", "j.csv", "a\x1b[2J.csv", "-m", "RR", "--ledger"),
        ("explain", "j.csv", "a\x1b[2J.csv", "--query", ID, "-m", "RR"),
        ("compare", "j.csv", "a\x1b[2J.csv", "b.csv", "-m", "RR"),
        ("compare", "j.csv", "a\x1b[2J.csv", "b.csv", "-m", "RR", "--per-query"),
        ("gate", "j.csv", "a\x1b[2J.csv", "b.csv", "--fail-if", "RR drops 0.01", "-v"),
        ("overlap", "a\x1b[2J.csv", "b.csv"),
        ("evaluate", "j.csv", "no\x1b[2J.csv"),
        ("evaluate", "j.csv", "b.csv", "-m", "no\x1b[2J"),
        ("conventions", "no\x1b[2J"),
        ("trec_eval", "no\x1b[2J", "b.csv"),
    ],
)
def test_a_terminal_is_sent_text(words: tuple[str, ...], hostile: Path) -> None:
    """Neither output nor messages hold a control character."""
    said = on_terminal(*words, columns=200, cwd=hostile)
    assert_harmless(seen(said.out))
    assert_harmless(said.err)
    assert r"\x1b[" in said.out + said.err


def test_data_stays_data(hostile: Path) -> None:
    """A pipe carries every id as it is; a terminal shows JSON that is still JSON."""
    words = ("evaluate", "j.csv", "b.csv", "-m", "RR", "--per-query")
    assert tsv(*words, cwd=hostile).out.split("\t")[1].endswith("\n" + ID)
    whole = on_terminal(*words, "--json", columns=200, cwd=hostile).out
    assert_harmless(whole)
    assert list(json.loads(whole)["per_query"]["b"]) == [ID]


@pytest.mark.parametrize("words", [("evaluate", "j.csv", "r.csv", "-m", "RR", "--per-query"),
                                   ("explain", "j.csv", "r.csv", "-m", "RR", "--query", "q")])  # fmt: skip
def test_no_line_of_a_build_log_is_an_order(words: tuple[str, ...], tmp_path: Path) -> None:
    """In a build (CI is set) a line end in an id is text on standard output, and in a file it is as it was."""
    hostile = "q\n::error::all is lost"
    for name, value in (("j", "grade"), ("r", "score")):
        with (tmp_path / f"{name}.csv").open("w", newline="") as file:
            csv.writer(file).writerows(
                [["query", "doc", value], [hostile, "d\n::error::d", 1], ["q", "d\n::error::d", 1]]
            )
    said = run(*words, "--csv", cwd=tmp_path, env={"CI": "true"})
    assert not [line for line in said.out.splitlines() if line.startswith("::error::")]
    assert r"\n::error::" in said.out
    assert "line ends in texts are written as \\n, since a log may obey a line" in said.err
    run(*words, "-o", "x.csv", cwd=tmp_path, env={"CI": "true"})
    plain = run(*words, "--csv", cwd=tmp_path, env={"CI": ""})
    assert "\n::error::" in plain.out
    assert plain.out == (tmp_path / "x.csv").read_text()
    assert "line ends in texts" not in plain.err
