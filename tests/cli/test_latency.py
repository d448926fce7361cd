"""How long searches took, on the command line."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path

from tests.cli.terminal import run

TIMED = "query,doc,rank,latency_ms,took_ms\nq1,d3,1,12.5,8\nq1,d1,2,12.5,8\nq2,d1,1,20.5,9\n"


def test_the_view(folder: Path) -> None:
    """--latency writes one row per system, as CSV and as JSON."""
    (folder / "timed.csv").write_text(TIMED, "utf-8")
    shown = run("evaluate", "qrels.txt", "timed.csv", "--latency", "--csv", cwd=folder)
    (row,) = csv.DictReader(io.StringIO(shown.out))
    assert (row["system"], row["queries"], row["p50"], row["took p50"]) == ("timed", "2", "16.5", "8.5")
    whole = json.loads(run("evaluate", "qrels.txt", "timed.csv", "--json", cwd=folder).out)
    assert whole["latency"][0]["p50"] == 16.5


def test_no_times(folder: Path) -> None:
    """Without times, --latency says which column to add."""
    shown = run("evaluate", "qrels.txt", "up.run", "--latency", cwd=folder)
    assert shown.code == 3
    assert "latency_ms" in shown.err


def test_a_column_that_was_not_read(folder: Path) -> None:
    """Where the only column may be about something else and its rows disagree, --latency names column and line."""
    (folder / "films.csv").write_text("query,doc,rank,took\nq1,d3,1,90\nq1,d1,2,125\n", "utf-8")
    shown = run("evaluate", "qrels.txt", "films.csv", "--latency", cwd=folder)
    assert shown.code == 3
    assert "Not read: films.csv line 3: took 125, and line 2 says 90 for the same search" in " ".join(shown.err.split())
