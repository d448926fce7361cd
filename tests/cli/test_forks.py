"""A command says the same in a copy of a process as in one of its own."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.cli import forks
from tests.cli.terminal import COMMAND, SHOP, run, started

pytestmark = pytest.mark.heavy

FILES = ("judgments.csv", "bm25.csv", "hybrid.csv")


@pytest.mark.skipif(not forks.POSSIBLE, reason="commands are started one by one here")
@pytest.mark.parametrize(
    "words",
    [
        ("--version",),
        ("--help",),
        ("evaluate", *FILES),
        ("evaluate", *FILES, "--json"),
        ("compare", *FILES, "-m", "nDCG@10"),
        ("explain", *FILES[:2], "-m", "AP", "--query", "q01"),
        ("evaluate", "no-file.csv", "bm25.csv"),
        ("evaluat",),
    ],
    ids=" ".join,
)
def test_a_copy_says_the_same(words: tuple[str, ...]) -> None:
    """Exit code, standard output and standard error are the same, byte for byte."""
    assert run(*words, cwd=SHOP) == started(COMMAND, *words, cwd=SHOP)


def test_a_copy_reads_its_own_input(folder: Path) -> None:
    """Standard input, the environment and the folder are those of the call, and none is kept for the next."""
    run_text = (folder / "up.run").read_text("utf-8")
    piped = [run("evaluate", "qrels.txt", "-", "-m", "RR", cwd=folder, stdin=text) for text in (run_text, "", run_text)]
    assert (
        piped[0] == piped[2] == started(COMMAND, "evaluate", "qrels.txt", "-", "-m", "RR", cwd=folder, stdin=run_text)
    )
    assert (piped[1].code, piped[1].out) == (3, "")
