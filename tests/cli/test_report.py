"""report on the command line."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

import idealrank as ir
from tests.cli.terminal import SHOP, on_terminal, run

FILES = ("judgments.csv", "bm25.csv", "hybrid.csv")
MEASURES = ("-m", "nDCG@10", "-m", "RR")


def test_html_is_written_whole(tmp_path: Path) -> None:
    """The page is written to the file, and it is said where it lies and how large it is; nothing else is left there."""
    target = tmp_path / "report.html"
    found = run("report", *FILES, *MEASURES, "-o", str(target), cwd=SHOP)
    assert (found.code, found.out) == (0, "")
    assert found.err == f"report     {target} ({target.stat().st_size / 1000:,.0f} kB)\n"
    assert target.read_text("utf-8").startswith("<!doctype html>")
    assert os.listdir(tmp_path) == ["report.html"]
    assert run("report", *FILES, *MEASURES, "-o", str(target), "-q", cwd=SHOP).err == ""


def test_json_is_the_librarys() -> None:
    """The JSON of the command holds what the library's report holds, under the same options."""
    words = ("--margin", 0.02, "--title", "Week 47", "--depth", 5)
    found = run("report", *FILES, *MEASURES, *words, "--json", cwd=SHOP)
    judgments, *results = (SHOP / name for name in FILES)
    theirs = ir.compare(judgments, results, ["nDCG@10", "RR"], margin=0.02).report(title="Week 47", depth=5)
    ours = json.loads(found.out)
    expected = json.loads(theirs.to_json())
    assert [entry["sha256"] for entry in ours.pop("inputs")] == [e["sha256"] for e in expected.pop("inputs")]
    assert ours == expected | {"ledger": expected["ledger"] | ours["ledger"]}
    assert ours["ledger"]["systems"] == expected["ledger"]["systems"]


def test_numbers_are_those_of_compare() -> None:
    """Means and differences of the report are those `compare` prints."""
    report = json.loads(run("report", *FILES, *MEASURES, "--json", cwd=SHOP).out)
    compare = json.loads(run("compare", *FILES, *MEASURES, "--json", cwd=SHOP).out)
    numbers = {(row["system"], row["measure"]): row["mean"] for row in report["means"]}
    assert numbers == {(row["system"], row["measure"]): row["mean"] for row in compare["means"]}
    for ours, theirs in zip(report["compared"]["differences"], compare["differences"], strict=True):
        assert ours == {name: theirs[name] for name in ours}


def test_markdown_has_the_parts() -> None:
    """Markdown has a section for each part that holds something, and says how many rows it leaves out."""
    found = run("report", *FILES, "--queries-table", "queries.csv", "--markdown", cwd=SHOP)
    heads = [line[3:] for line in found.lines if line.startswith("## ")]
    assert heads == [
        "Means", "Segments", "Queries", "Queries that are not simply computed", "Lists", "Holes", "Overlap",
        "Cut at k", "Distribution", "Decisions", "Ledger", "Inputs",
    ]  # fmt: skip
    assert "15 more rows" in found.lines
    assert any(line.startswith("- **hybrid** instead of bm25: **CAN'T TELL**. ") for line in found.lines)


def test_markdown_lists_are_the_files() -> None:
    """The lists in Markdown name the documents of the files by rank, with their grades."""
    found = run("report", *FILES, "-m", "nDCG@10", "--markdown", cwd=SHOP)
    place = next(i for i, line in enumerate(found.lines) if line.startswith("### q40"))
    rows = [[cell.strip() for cell in line.split("|")[1:-1]] for line in found.lines[place + 4 : place + 6]]
    assert rows == [
        ["1", "P1066 (0) 0.0000", "P1077 (2) 2.0000", "P1099 (2.5)"],
        ["2", "P1077 (2) 1.2619", "P1034 (–) 0.0000", "P1077 (2)"],
    ]


def test_one_system() -> None:
    """One system alone is described; what only a comparison reads is refused."""
    found = run("report", *FILES[:2], *MEASURES, "--json", cwd=SHOP)
    assert (json.loads(found.out)["compared"], json.loads(found.out)["pairs"]) == (None, [])
    refused = run("report", *FILES[:2], "--margin", 0.1, "--json", cwd=SHOP)
    assert refused.code == 2
    assert "--margin: there is one system, bm25, and nothing to compare." in refused.err


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("-o", "r.xlsx"), "-o r.xlsx: name it .html, .md or .json, or say --html, --markdown or --json."),
        (("-o", "r.txt"), "-o r.txt: name it .html, .md or .json, or say --html, --markdown or --json."),
        (("-o", "r.md", "--json"), "--json and -o r.md: the file's ending says md. Leave one of them out."),
        (("--depth", "0"), "Invalid value for '--depth': 0 is not in the range x>=1."),
    ],
)
def test_refused(words: tuple[str, ...], said: str, tmp_path: Path) -> None:
    """A form that is not written, or two that differ, are refused in one line, and nothing is written."""
    found = run("report", *(str(SHOP / name) for name in FILES), *words, cwd=tmp_path)
    assert found.code == 2
    assert said in found.err
    assert os.listdir(tmp_path) == []


def test_a_page_is_not_written_onto_a_terminal() -> None:
    """On a terminal without a file the command asks where to write; piped, it writes the page."""
    assert "Say where to: -o report.html." in on_terminal("report", *FILES, cwd=SHOP).err
    assert run("report", *FILES, cwd=SHOP).out.startswith("<!doctype html>")
