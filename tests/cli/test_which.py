"""Which number is this: conventions with files, and reconcile."""

from __future__ import annotations

import json
import math
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


def test_one_file_is_too_few(folder: Path) -> None:
    """A measure without two files is refused."""
    found = run("conventions", "qrels.txt", "-m", "RR", cwd=folder)
    assert found.code == 2
    assert "two files" in found.err


def test_reconcile(folder: Path) -> None:
    """`reconcile` prints the shares, then the line that sums them and the queries that differ."""
    words = ("reconcile", "qrels.txt", "up.run", "-m", "RR", "idealrank-1", "idealrank-1, unjudged=filter")
    found = tsv(*words, cwd=folder)
    rows = [line.split("\t") for line in found.lines]
    assert rows[0] == ["decision", "from", "to", "share", "first", "last"]
    whole = json.loads(run(*words, "--json", cwd=folder).out)
    assert math.fsum(whole["shares"]["share"]) == whole["gap"]
    assert "differ" in found.err
    assert "differ" not in tsv(*words, "-q", cwd=folder).err


def test_reconcile_refuses_in_words(folder: Path) -> None:
    """A convention that does not know the measure, or does not exist, is refused with what there is."""
    found = run("reconcile", "qrels.txt", "up.run", "-m", "RR", "idealrank-1", "sklearn", cwd=folder)
    assert (found.code, "not supported under sklearn" in found.err) == (2, True)
    misspelt = run("reconcile", "qrels.txt", "up.run", "-m", "RR", "idealrank-1", "sklern", cwd=folder)
    assert "Did you mean" in misspelt.err


def test_identify(folder: Path) -> None:
    """`identify` names the setting behind a number, and says so beside the table of classes."""
    value = ir.evaluate(folder / "qrels.txt", folder / "up.run", ["RR"])["RR"]
    found = run("identify", "qrels.txt", "up.run", f"RR={value:.4f}", "--departures", "0", cwd=folder)
    assert found.code == 0
    assert "idealrank-1" in found.out + found.err
    whole = json.loads(run("identify", "qrels.txt", "up.run", f"RR={value:.4f}", "--json", cwd=folder).out)
    assert "idealrank-1" in [name for group in whole["classes"] for name in group["settings"]]
    assert run("identify", "qrels.txt", "up.run", "RR", cwd=folder).code == 2


def test_a_list_of_conventions_reads_no_other_option() -> None:
    """What only the comparison of files reads is refused where a list or a description is asked for."""
    for words in (("-q",), ("sklearn", "--gain", "exp2"), ("--grade-col", "x")):
        found = run("conventions", *words)
        assert (found.code, "goes with two files" in found.err) == (2, True), words


def test_values_of_queries_in_a_file(folder: Path) -> None:
    """What the drop-in printed with -q explains itself: it is identified, and reconciled with its own convention."""
    printed = run("trec_eval", "-q", "-m", "recip_rank", "qrels.txt", "up.run", cwd=folder)
    (folder / "theirs.txt").write_text(printed.out)
    whole = json.loads(run("identify", "qrels.txt", "up.run", "RR=theirs.txt", "--json", cwd=folder).out)
    assert "trec_eval-9.0.8" in [name for group in whole["classes"] for name in group["settings"]]
    found = tsv("reconcile", "qrels.txt", "up.run", "-m", "RR", "trec_eval-9.0.8", "theirs.txt", cwd=folder)
    assert "as under the convention given" in found.err
