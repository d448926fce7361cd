"""compare --hold-out, --tuning and --grid on the command line."""

from __future__ import annotations

import csv
import json
from pathlib import Path

import pytest

import idealrank as ir
from tests.cli.terminal import run, tsv

RANKS = {"q boost=1": 3, "q boost=2": 1, "q boost=4": 2}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Judgments of 24 queries, and a file of results per setting, as a sweep writes them."""
    (tmp_path / "results").mkdir()
    queries = [f"q{i:02}" for i in range(24)]
    lines = ["query_id,doc_id,grade", *(f"{q},d,1" for q in queries), *(f"{q},x{i},0" for q in queries for i in "123")]
    (tmp_path / "judgments.csv").write_text("\n".join(lines) + "\n", "utf-8")
    for name, rank in RANKS.items():
        docs = {q: [*["x1", "x2", "x3"][: rank - (place % 3 == 0)], "d"] for place, q in enumerate(queries)}
        rows = [f"{q},{doc},{i},{10 - i}" for q, each in docs.items() for i, doc in enumerate(each, 1)]
        text = "\n".join(["query_id,doc_id,rank,score", *rows])
        (tmp_path / "results" / f"{name}.csv").write_text(f"{text}\n", "utf-8")
    return tmp_path


CALL = ("compare", "judgments.csv", "results", "-m", "RR", "--baseline", "q boost=1")


def test_same_as_the_library(folder: Path) -> None:
    """The JSON of the command is that of the library; the verdict is said beside a table."""
    found = run(*CALL, "--hold-out", "0.5", "--seed", "3", "--json", cwd=folder)
    runs = {name: folder / "results" / f"{name}.csv" for name in RANKS}
    theirs = ir.compare(folder / "judgments.csv", runs, ["RR"], baseline="q boost=1", hold_out=0.5, seed=3)
    ours = json.loads(found.out)
    for part in ("differences", "verdicts", "tuning", "grid"):
        assert ours[part] == json.loads(theirs.to_json())[part]
    piped = tsv(*CALL, "--hold-out", "0.5", "-v", cwd=folder)
    assert "q boost=2 was the best of 3 systems on the 12 tuning queries" in " ".join(piped.err.split())
    assert "\ntuning     50% of the queries held out" in piped.err
    assert len(piped.lines) == 2


def test_views(folder: Path) -> None:
    """--grid has a line per setting, --tuning one per system on the tuning queries, which --hold-out asks for."""
    refused = run(*CALL, "--tuning", cwd=folder)
    assert "--tuning shows what the best system was chosen by. Add --hold-out 0.5." in refused.err
    grid = list(csv.DictReader(run(*CALL, "--grid", "--csv", cwd=folder).lines))
    assert [(row["boost"], row["standing"]) for row in grid] == [("1", ""), ("2", "best"), ("4", "")]
    chosen = list(csv.DictReader(run(*CALL, "--hold-out", "0.5", "--tuning", "--csv", cwd=folder).lines))
    assert {row["system"]: row["chosen"] for row in chosen} == {"q boost=1": "", "q boost=2": "best", "q boost=4": ""}


def test_no_grid(folder: Path) -> None:
    """--grid without settings says how files are named."""
    for name in RANKS:
        (folder / "results" / f"{name}.csv").rename(folder / "results" / f"{name[-1]}.csv")
    found = run("compare", "judgments.csv", "results", "-m", "RR", "--grid", cwd=folder)
    assert "--grid: no two systems are settings of one template: 1, 2, 4. Name their files by" in found.err
