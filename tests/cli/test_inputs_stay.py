"""What is read is never written over, whichever command reads it and by whatever flag it would be written."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from tests.cli.terminal import SHOP, run

TWO = ("judgments.csv", "bm25.csv", "hybrid.csv")
GATE = ("gate", *TWO, "--fail-if", "RR drops 0.01")
DRAW = ("sample", "judgments.csv", "-n", "5", "--changed", *TWO[1:], "--documents", "products.csv")
CALLS = [
    (("evaluate", *TWO[:2]), "-o", "judgments.csv"),
    (("evaluate", *TWO[:2], "--queries", "queries.csv"), "-o", "queries.csv"),
    (("compare", *TWO, "--segments", "queries.csv", "--by-segment"), "-o", "queries.csv"),
    (("report", *TWO, "--documents", "d.json"), "-o", "d.json"),
    (("convert", "judgments.csv"), "--to=tsv", "judgments.csv"),
    (("combine", "judgments.csv"), "-o", "judgments.csv"),
    (("agreement", "judgments.csv", "--results", "bm25.csv"), "-o", "bm25.csv"),
    ((*DRAW, "--sheet", "people.csv"), "-o", "products.csv"),
    ((*DRAW, "-o", "sample.csv"), "--sheet", "hybrid.csv"),
    (("plot", "means", "judgments.csv", "up.svg"), "-o", "up.svg"),
    *((GATE, flag, "bm25.csv") for flag in ("-o", "--junit", "--markdown")),
]


@pytest.mark.parametrize(("words", "flag", "file"), CALLS, ids=lambda part: part if isinstance(part, str) else part[0])
def test_an_input_is_not_written_over(words: tuple[str, ...], flag: str, file: str, tmp_path: Path) -> None:
    """The call is refused with the name of the file, before anything is written."""
    for name in (*TWO, "queries.csv", "products.csv"):
        shutil.copy(SHOP / name, tmp_path)
    shutil.copy(SHOP / "bm25.csv", tmp_path / "up.svg")
    (tmp_path / "d.json").write_text('{"id": "P1001", "title": "Alpha"}\n')
    before = {path.name: path.read_bytes() for path in tmp_path.iterdir()}
    found = run(*words, *((file, flag) if "=" in flag else (flag, file)), cwd=tmp_path)
    assert (found.code, f"{file}: also an input of this call. Give another name." in found.err) == (2, True), found.err
    assert {path.name: path.read_bytes() for path in tmp_path.iterdir()} == before


def test_only_bless_writes_a_baseline(tmp_path: Path) -> None:
    """A table that another command writes is given another name."""
    for name in TWO:
        shutil.copy(SHOP / name, tmp_path)
    run("gate", *TWO[:2], "--baseline", "base.json", "--bless", cwd=tmp_path)
    before = (tmp_path / "base.json").read_bytes()
    found = run("evaluate", *TWO[:2], "-o", "base.json", cwd=tmp_path)
    assert found.code == 2
    assert "-o base.json: contains a baseline, which only gate --bless writes over." in found.err
    assert (tmp_path / "base.json").read_bytes() == before
