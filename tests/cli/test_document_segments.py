"""Segments of documents on the command line: evaluate and report with --documents and --by-document."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path

import pytest

import idealrank as ir
from tests.cli.terminal import SHOP, on_terminal, plain, run, tsv

TYPES = "doc_id,type\nd1,page\nd3,pdf\nd4,pdf\n"
CALL = ("evaluate", "qrels.txt", "up.run", "other.run", "-m", "RR", "-m", "R", "--documents", "docs.csv")


@pytest.fixture
def typed(folder: Path) -> Path:
    """The folder with a table of documents, without titles."""
    (folder / "docs.csv").write_text(TYPES)
    return folder


def test_the_table_of_the_library(typed: Path) -> None:
    """Piped, it is the table of `by_document` as TSV; what its numbers are is said on standard error, unless -q."""
    found = tsv(*CALL, "--by-document", "type", "-v", cwd=typed)
    assert found.code == 0, found.err
    scores = ir.evaluate(typed / "qrels.txt", [typed / "up.run", typed / "other.run"], ["RR", "R"])
    segments = scores.by_document("type", typed / "docs.csv")
    assert found.out == segments.table.with_fingerprints({}).to_csv("\t")
    assert found.err.startswith("segments   column type of docs.csv; 3 judged documents\n")
    assert "\ndecisions  idealrank-1" in found.err
    assert tsv(*CALL, "--by-document", "type", "-q", cwd=typed).err == ""


def test_csv_has_fingerprints_and_json_everything(typed: Path) -> None:
    """A CSV file has a fingerprint per row, JSON the column, the rows and the notes beside means and ledger."""
    run(*CALL, "--by-document", "type", "-o", "s.csv", cwd=typed)
    rows = list(csv.DictReader(io.StringIO((typed / "s.csv").read_text())))
    assert {row["fingerprint"].partition("[")[0] for row in rows} == {"RR", "R"}
    whole = json.loads(run(*CALL, "--by-document", "type", "--json", cwd=typed).out)
    assert {"means", "decisions", "ledger"} < whole.keys()
    assert whole["by_document"]["column"] == "type"
    assert [row["segment"] for row in whole["by_document"]["rows"]] == ["page", "pdf"] * 4
    assert whole["by_document"]["notes"][0] == "column type of docs.csv; 3 judged documents"


def test_on_a_terminal() -> None:
    """There is a table per measure and system, 100 columns wide, and below it what the numbers are."""
    files = (SHOP / "judgments.csv", SHOP / "bm25.csv", SHOP / "hybrid.csv")
    words = ("--documents", SHOP / "products.csv", "--by-document", "category")
    said = on_terminal("evaluate", *files, "-m", "nDCG@10", *words, columns=100)
    lines = plain(said.out).splitlines()
    assert [line for line in lines if line.startswith("nDCG@10, ")] == ["nDCG@10, bm25", "nDCG@10, hybrid"]
    assert any(line.startswith("segments   column category of") for line in lines)
    assert max(map(len, lines)) <= 100


@pytest.mark.parametrize(
    ("words", "code", "message"),
    [
        (("--by-document", "typ"), 3, "docs.csv: no column called 'typ' for the segments. Did you mean type? Found: "),
        ((), 2, "--documents: a table to do what with? Name a column: --by-document type."),
        (("--by-document", "type", "--worst", "3"), 2, "--worst and --by-document are different tables."),
        (("--by-document", "type", "--doc-col", "documents:id"), 3, "docs.csv: no column called 'id' for the doc."),
    ],
)  # fmt: skip
def test_what_is_refused(typed: Path, words: tuple[str, ...], code: int, message: str) -> None:
    """A wrong column, a table for nothing, and two views at once are refused with what to do next."""
    found = run(*CALL, *words, cwd=typed)
    assert found.code == code
    assert message in found.err


@pytest.mark.parametrize("command", ["evaluate", "report"])
def test_a_column_without_a_table(typed: Path, command: str) -> None:
    """--by-document without --documents is refused before anything is read."""
    found = run(command, "qrels.txt", "up.run", "--by-document", "type", "-o", "x.json", cwd=typed)
    assert found.code == 2
    assert "--by-document type: a column of which table? Give --documents FILE." in found.err


def test_two_types_of_a_document(typed: Path) -> None:
    """A document with two types is refused with both lines; --duplicates chooses."""
    (typed / "docs.csv").write_text(TYPES + "d1,pdf\n")
    found = run(*CALL, "--by-document", "type", cwd=typed)
    assert "docs.csv line 5: document 'd1' has the type 'pdf', but 'page' in line 2." in found.err
    assert "--duplicates first or last" in found.err
    assert run(*CALL, "--by-document", "type", "--duplicates", "last", cwd=typed).out.count("page") == 0
