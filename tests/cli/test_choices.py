"""What is chosen and named on the command line: systems, columns of one file, files to write."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.cli.terminal import run


def test_a_report_of_what_cannot_be_compared(folder: Path) -> None:
    """Systems under a measure that compare refuses are shown side by side, unless a rule is given."""
    words = ("report", "qrels.txt", "up.run", "other.run", "-m", "NumRel", "--json")
    found = run(*words, cwd=folder)
    assert found.code == 0
    assert '"compared":null' in found.out
    assert found.err.startswith("warning    the systems are shown, not compared. NumRel is a sum")
    assert run(*words, "--margin", "0.1", cwd=folder).code == 2


@pytest.mark.parametrize(
    "words",
    [
        ("evaluate", "no", "no", "-o", "{}"),
        ("compare", "no", "no", "no", "-o", "{}"),
        ("report", "no", "no", "-o", "{}.html"),
        ("explain", "no", "no", "-o", "{}"),
        ("gate", "no", "no", "--junit", "{}", "--min", "RR>=0"),
        ("gate", "no", "no", "--markdown", "{}", "--min", "RR>=0"),
        ("plot", "means", "no", "no", "-o", "{}.svg"),
        ("overlap", "no", "no", "-o", "{}"),
        ("identify", "no", "no", "RR=1", "-o", "{}"),
        ("reconcile", "no", "no", "sklearn", "beir", "-m", "RR", "-o", "{}"),
        ("flavors", "no", "no", "-o", "{}"),
        ("conventions", "no", "no", "-m", "RR", "-o", "{}"),
    ],
    ids=lambda words: words[0],
)
def test_a_file_that_cannot_be_written(words: tuple[str, ...], tmp_path: Path) -> None:
    """What cannot be written is told before anything is read: the inputs here are not even there."""
    (tmp_path / "file").write_text("", "utf-8")
    for folder, why in (("nowhere", "No such file or directory"), ("file", "Not a directory")):
        found = run(*(word.format(tmp_path / folder / "x") for word in words), cwd=tmp_path)
        assert found.code == 2
        assert f"cannot be written: {why}. Give another " in found.err
