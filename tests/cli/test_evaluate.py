"""idealrank evaluate: forms of output, what to show, which queries and systems."""

from __future__ import annotations

import csv
import gzip
import io
import json
from pathlib import Path

import pytest

import idealrank as ir
from tests.cli.terminal import rr_csv, run, tsv


def rows_of(text: str) -> list[list[str]]:
    """Read TSV."""
    return list(csv.reader(io.StringIO(text), delimiter="\t"))


def test_tsv_on_request(folder: Path) -> None:
    """TSV is in full precision with a header, a column per system; the talk is on standard error."""
    found = tsv("evaluate", "qrels.txt", "up.run", "other.run", "-m", "RR", "-m", "AP", cwd=folder)
    assert found.code == 0
    rows = rows_of(found.out)
    assert rows[0] == ["measure", "up", "other"]
    scores = ir.evaluate(folder / "qrels.txt", [folder / "up.run", folder / "other.run"], ["RR", "AP"])
    for name, *values in rows[1:]:
        assert [float(value) for value in values] == [scores[name, system] for system in ("up", "other")]
    assert found.err.splitlines()[-1] == "Convention idealrank-1. All choices and the full ledger: --verbose"


def test_csv_and_json(folder: Path) -> None:
    """--csv is the table, --json everything: means, fingerprints, ledger; then nothing is left to talk about."""
    found = run("evaluate", "qrels.txt", "up.run", "-m", "RR", "--csv", cwd=folder)
    assert found.out == rr_csv("0.5")
    found = run("evaluate", "qrels.txt", "up.run", "-m", "RR", "--json", cwd=folder)
    whole = json.loads(found.out)
    assert whole["means"] == {"up": {"RR": 0.5}}
    assert whole["decisions"]["RR"].startswith("RR[raters=median")
    assert whole["ledger"]["systems"][0]["judged_nothing_returned"] == ["q3"]
    assert found.err == ""


@pytest.mark.parametrize(
    ("words", "view"),
    [("--worst 2", "worst"), ("--best 1", "best"), ("--describe", "describe"), ("--lost-value", "lost_value")],
)
def test_every_view_as_json(words: str, view: str, folder: Path) -> None:
    """JSON of any view has the same rows, with the means, the decisions and the ledger, and no talk beside it."""
    call = ("evaluate", "qrels.txt", "up.run", "-m", "RR", "--weights", "queries.csv", *words.split())
    found = run(*call, "--json", cwd=folder)
    whole = json.loads(found.out)
    rows = rows_of(tsv(*call, cwd=folder).out)
    assert [list(map(str, row.values())) for row in whole[view]] == rows[1:]
    assert whole.keys() == {"convention", "decisions", "means", "ledger", view}
    assert found.err == ""


def test_standard_input(folder: Path) -> None:
    """- is standard input, on either side but not on both; compressed or not."""
    text = (folder / "up.run").read_text()
    assert run("evaluate", "qrels.txt", "-", "-m", "RR", "--csv", cwd=folder, stdin=text).out == rr_csv("0.5")
    qrels = (folder / "qrels.txt").read_text()
    assert run("evaluate", "-", "up.run", "-m", "RR", "--csv", cwd=folder, stdin=qrels).out == rr_csv("0.5")
    found = tsv("evaluate", "-", "-", cwd=folder, stdin=qrels)
    assert (found.code, found.out) == (2, "")
    assert "Standard input (-) can be read once" in found.err
    (folder / "up.run.gz").write_bytes(gzip.compress(text.encode()))
    assert rows_of(tsv("evaluate", "qrels.txt", "up.run.gz", "-m", "RR", cwd=folder).out)[1] == ["RR", "0.5"]


def test_the_shop() -> None:
    """The example shop gives the numbers its README states."""
    from tests.cli.terminal import SHOP

    found = tsv("evaluate", "judgments.csv", "bm25.csv", "hybrid.csv", "-m", "nDCG@10", "-v", cwd=SHOP)
    assert [round(float(value), 4) for value in rows_of(found.out)[1][1:]] == [0.73, 0.7712]
    assert "0.7353" in next(line for line in found.err.splitlines() if "order_by=score" in line)
    words = ("--queries-table", "queries.csv", "--by", "segment", "-m", "nDCG@10")
    table = rows_of(tsv("evaluate", "judgments.csv", "bm25.csv", *words, cwd=SHOP).out)
    assert {row[0]: round(float(row[3]), 4) for row in table[1:]} == {
        "brand": 0.7318, "category": 0.7382, "problem": 0.7173,
    }  # fmt: skip
    words = ("--weights", "queries.csv", "-m", "nDCG@10")
    table = rows_of(tsv("evaluate", "judgments.csv", "bm25.csv", "hybrid.csv", *words, cwd=SHOP).out)
    assert [round(float(value), 4) for value in table[1][1:]] == [0.7788, 0.8138]
