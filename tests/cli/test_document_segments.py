"""Segments of documents on the command line: evaluate and report with --documents and --by-document."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path

import pytest

from tests.cli.terminal import run

TYPES = "doc_id,type\nd1,page\nd3,pdf\nd4,pdf\n"
CALL = ("evaluate", "qrels.txt", "up.run", "other.run", "-m", "RR", "-m", "R", "--documents", "docs.csv")


@pytest.fixture
def typed(folder: Path) -> Path:
    """The folder with a table of documents, without titles."""
    (folder / "docs.csv").write_text(TYPES)
    return folder


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
