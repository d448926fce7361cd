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
    theirs = ir.report(ir.compare(judgments, results, ["nDCG@10", "RR"], margin=0.02), title="Week 47", depth=5)
    ours = json.loads(found.out)
    expected = json.loads(theirs.to_json())
    assert [entry["sha256"] for entry in ours.pop("inputs")] == [e["sha256"] for e in expected.pop("inputs")]
    assert ours == expected | {"ledger": expected["ledger"] | ours["ledger"]}
    assert ours["ledger"]["systems"] == expected["ledger"]["systems"]


def test_markdown_has_the_parts() -> None:
    """Markdown has a section for each part that holds something, and says how many rows it leaves out."""
    found = run("report", *FILES, "--queries-table", "queries.csv", "--markdown", cwd=SHOP)
    heads = [line[3:] for line in found.lines if line.startswith("## ")]
    assert heads == [
        "Means", "Segments", "Queries", "Queries with special handling", "Lists", "Holes", "Grades", "Overlap",
        "Cut at k", "Distribution", "Decisions", "Ledger", "Inputs",
    ]  # fmt: skip
    assert "15 more rows" in found.lines
    assert found.lines[2] == "**CAN'T TELL: Not enough evidence to ship hybrid**"
    assert any(line.startswith("- **hybrid** instead of bm25: CAN'T TELL: ") for line in found.lines)


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
        (("-o", "r.md", "--json"), "--format json and -o r.md: the file's ending says md. Leave one of them out."),
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


def awkward(folder: Path) -> list[str]:
    """Write a small world with odd names of columns, and return the words of a call."""
    (folder / "j.csv").write_text("q,Item No.,grade\nq1,a,1\nq1,b,0\nq2,a,1\n")
    (folder / "r.csv").write_text("q,Item No.,rank\nq1,b,1\nq1,a,2\nq2,a,1\n")
    (folder / "d.csv").write_text("sku,Title,url\na,Alpha,https://shop.test/a\nb,Beta,\n")
    return ["report", "j.csv", "r.csv", "--query-col", "q", "--doc-col", "Item No.", "-m", "RR", "--json"]


def test_the_id_column_of_documents_can_be_named(tmp_path: Path) -> None:
    """The column of ids is named for the table of documents; a name given for all tables need not be in it."""
    found = run(*awkward(tmp_path), "--doc-col", "documents:sku", "--documents", "d.csv", cwd=tmp_path)
    documents = json.loads(found.out)["documents"]
    assert dict(zip(documents["id"], documents["title"], strict=True)) == {"a": "Alpha", "b": "Beta"}
    assert documents["url"][documents["id"].index("a")] == "https://shop.test/a"
    assert run(*awkward(tmp_path), "--documents", "d.csv", cwd=tmp_path).code == 0


def test_documents_of_others_are_said(tmp_path: Path) -> None:
    """Where no document shown has a title, standard error says so, with an id of each side."""
    words = awkward(tmp_path)
    (tmp_path / "d.csv").write_text("id,title\nX-1,Other\n")
    found = run(*words, "--documents", "d.csv", cwd=tmp_path)
    assert "warning    d.csv: no title of any document shown. Ids look like 'b' in the results, like 'X-1'" in found.err


def test_every_table_is_named(tmp_path: Path) -> None:
    """Texts from one file and weights from another: both are among the inputs, each with its own hash."""
    import hashlib

    weights = tmp_path / "weights.csv"
    weights.write_text("query_id,weight\n" + "".join(f"q{i:02},2\n" for i in range(1, 43)))
    words = ("--queries-table", "queries.csv", "--weights", str(weights), "-m", "RR", "--json")
    inputs = json.loads(run("report", *FILES, *words, cwd=SHOP).out)["inputs"]
    found = {entry["name"]: entry["sha256"] for entry in inputs if entry["role"] == "queries"}
    assert found == {
        "queries.csv": hashlib.sha256((SHOP / "queries.csv").read_bytes()).hexdigest(),
        str(weights): hashlib.sha256(weights.read_bytes()).hexdigest(),
    }
