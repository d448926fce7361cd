"""The command that stands on the paper writes the report again."""

from __future__ import annotations

import shlex
import shutil
from pathlib import Path
from typing import Any

import pytest

import idealrank as ir
from idealrank.reports.page.page import render
from tests.cli.terminal import run
from tests.comparison.pairs import SHOP
from tests.reports.reading import read

FILES = ("judgments.csv", ["bm25.csv", "hybrid.csv"])


def command(report: ir.Report) -> str:
    """Return the command on the paper; "" where there is none."""
    found = read(render("made.html", report=report.to_dict())).all("code")
    return found[0].text if found else ""


@pytest.mark.parametrize(
    ("measures", "options"),
    [
        (None, {}),
        (["RR", "nDCG@10"], {"baseline": "hybrid"}),
        (["nDCG@10"], {"margin": 0.02, "gain": "exp2", "no_results": "skip"}),
        (["nDCG@10", "RR"], {"margin": 0.0123456789, "rule": "not_worse", "level": 0.9}),
        (["nDCG@10"], {"only": ["q01", "q02", "q03", "q05"], "equivalence": 0.05}),
    ],
)
def test_it_writes_the_same_report(
    measures: list[str] | None, options: dict[str, Any], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """Run beside the files, it gives the same verdicts, differences and values."""
    monkeypatch.chdir(SHOP)
    written = ir.report(ir.compare(*FILES, measures, queries="queries.csv", **options))
    words = shlex.split(command(written))
    assert words[0] == "idealrank"
    assert words[-2:] == ["-o", "report.html"]
    assert run(*words[1:-1], tmp_path / "again.json", cwd=SHOP).code == 0
    again = (tmp_path / "again.json").read_text("utf-8")
    assert again == written.to_json()


@pytest.mark.parametrize(
    "options",
    [
        {"test": "wilcoxon"},
        {"interval": "bca"},
        {"looks": 2},
        {"seed": 1},
        {"tolerance": 0.01},
        {"holes": "worst_case"},
        {"weights": "frequency"},
        {"only": [f"q{number:02}" for number in range(1, 31)]},
    ],
)
def test_what_the_report_has_in_words_alone_has_no_command(
    options: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Without its options the command would give other numbers or another verdict, so there is none."""
    monkeypatch.chdir(SHOP)
    written = ir.report(ir.compare(*FILES, ["nDCG@10", "RR"], queries="queries.csv", **options))
    assert command(written) == ""


def test_a_pattern_finds_results_alone(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Very many systems are a pattern of their folder, but not where that would find the judgments, too."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "runs").mkdir()
    (tmp_path / "judgments.csv").write_bytes((SHOP / "judgments.csv").read_bytes())
    names = [f"s{number}.csv" for number in range(8)]
    for folder in (tmp_path, tmp_path / "runs"):
        for name in names:
            (folder / name).write_bytes((SHOP / "bm25.csv").read_bytes())
    beside = command(ir.report(ir.compare("judgments.csv", names, ["RR"])))
    assert beside.startswith("idealrank report judgments.csv s*.csv -m RR ")
    apart = command(ir.report(ir.compare("judgments.csv", [f"runs/{name}" for name in names], ["RR"])))
    assert apart.startswith("idealrank report judgments.csv runs/s*.csv -m RR ")


def test_tables_in_memory_have_no_command() -> None:
    """Where no file was read nothing is promised; the tables are named with their sums."""
    judgments = {"q": {"d": 1}}
    report = ir.report(ir.compare(judgments, {"a": {"q": {"d": 1.0}}, "b": {"q": {"x": 1.0}}}, ["RR"]))
    assert command(report) == ""
    assert "judgments (1 row, SHA-256 " in read(render("made.html", report=report.to_dict())).all("dd")[1].text


def test_the_folder_is_named_once() -> None:
    """Files of one folder are named from there, and the command is to be run in it."""
    report = ir.report(SHOP / "judgments.csv", [SHOP / "bm25.csv", SHOP / "hybrid.csv"])
    assert command(report) == "idealrank report judgments.csv bm25.csv hybrid.csv --baseline bm25 -o report.html"
    assert (
        read(render("made.html", report=report.to_dict()))
        .all("dd")[1]
        .text.startswith(f"in {SHOP}: judgments.csv (514 rows, SHA-256 ")
    )


@pytest.mark.parametrize(
    ("names", "words"),
    [
        ([f"run_{i}.csv" for i in range(7)], "run_*.csv"),
        ([f"{word}.csv" for word in "abcdefg"], " ".join(f"{word}.csv" for word in "abcdefg")),
        ([f"j{i}.csv" for i in range(7)], " ".join(f"j{i}.csv" for i in range(7))),
    ],
)
def test_a_pattern_is_of_the_results_alone(names: list[str], words: str, tmp_path: Path) -> None:
    """Many results whose names begin alike are a pattern, unless it is also of the judgments or another table."""
    shutil.copy(SHOP / "judgments.csv", tmp_path)
    for i, name in enumerate(names):
        shutil.copy(SHOP / FILES[1][i % 2], tmp_path / name)
    report = ir.report(tmp_path / "judgments.csv", [tmp_path / name for name in names])
    assert command(report).startswith(f"idealrank report judgments.csv {words} -")
