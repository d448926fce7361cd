"""Standard output whose encoding lacks signs of a table, as a pipe or a file has on Windows."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = pytest.mark.heavy


def piped(encoding: str, *words: str, folder: Path) -> bytes:
    """Run a command whose standard streams have an encoding; return what it wrote."""
    environ = {**os.environ, "PYTHONIOENCODING": encoding, "COLUMNS": "80"}
    call = [sys.executable, "-m", "idealrank", *words]
    return subprocess.run(call, capture_output=True, env=environ, cwd=folder, check=True).stdout


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Return a folder of judgments and two systems, with a query that cp1252 has no letters for."""
    queries = ("žluť", "q2", "q3")
    (tmp_path / "j.csv").write_text("query,doc,grade\n" + "".join(f"{q},a,1\n{q},b,0\n" for q in queries), "utf-8")
    (tmp_path / "x.csv").write_text("query,doc,rank\n" + "".join(f"{q},b,1\n{q},a,2\n" for q in queries), "utf-8")
    (tmp_path / "y.csv").write_text("query,doc,rank\n" + "".join(f"{q},a,1\n{q},b,2\n" for q in queries), "utf-8")
    return tmp_path


@pytest.mark.parametrize("encoding", ["cp1252", "ascii", "cp437"])
def test_a_table_for_people_is_written_in_any_encoding(encoding: str, folder: Path) -> None:
    """Lines, arrows and the minus sign become ASCII where there is none; a letter that is lacking is its number."""
    text = piped(encoding, "compare", "j.csv", "x.csv", "y.csv", "-m", "RR", folder=folder).decode(encoding)
    assert "RR       0.5000  1.0000" in text
    assert "?" not in text
    table = piped(encoding, "evaluate", "j.csv", "x.csv", "-m", "RR", "--per-query", folder=folder).decode(encoding)
    assert r"lu\u0165" in table


def test_data_is_the_same_in_any_encoding(folder: Path) -> None:
    """CSV and JSON are UTF-8 wherever they go, as files written by -o are."""
    for form in ("csv", "json"):
        words = ("evaluate", "j.csv", "x.csv", "-m", "RR", "--per-query", "--format", form)
        written = piped("cp1252", *words, folder=folder)
        assert written == piped("utf-8", *words, folder=folder)
        assert "žluť".encode() in written
