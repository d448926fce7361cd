"""Which number is this: conventions with files, and reconcile."""

from __future__ import annotations

import json
from pathlib import Path

import idealrank as ir
from tests.cli.terminal import run, tsv


def test_conventions_of_files(folder: Path) -> None:
    """With two files `conventions` gives the measure under every convention, and says the spread."""
    found = run("conventions", "qrels.txt", "up.run", "-m", "RR", "--json", cwd=folder)
    table = ir.conventions_table(folder / "qrels.txt", folder / "up.run", "RR")
    assert [row["convention"] for row in json.loads(found.out)] == table["convention"]
    said = tsv("conventions", "qrels.txt", "up.run", "-m", "RR", cwd=folder)
    assert said.lines[0].split("\t")[:2] == ["convention", "value"]
    assert "conventions, from" in said.err


def test_values_of_queries_in_a_file(folder: Path) -> None:
    """What the drop-in printed with -q explains itself: it is identified, and reconciled with its own convention."""
    printed = run("trec_eval", "-q", "-m", "recip_rank", "qrels.txt", "up.run", cwd=folder)
    (folder / "theirs.txt").write_text(printed.out)
    whole = json.loads(run("identify", "qrels.txt", "up.run", "RR=theirs.txt", "--json", cwd=folder).out)
    assert "trec_eval-9.0.8" in [name for group in whole["classes"] for name in group["settings"]]
    found = tsv("reconcile", "qrels.txt", "up.run", "-m", "RR", "trec_eval-9.0.8", "theirs.txt", cwd=folder)
    assert "as under the convention given" in found.err
