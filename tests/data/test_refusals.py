"""Bad files are refused with their exact message, by the library and on the command line, and leave nothing behind."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import Any

import pytest

import idealrank as ir
from idealrank.cli import main
from tests.data.refused import CASES, QRELS, RUN, Refused
from tests.data.test_columns import refusal

EVERY = pytest.mark.parametrize("case", [pytest.param(case, id=name) for name, case in CASES.items()])


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder to work in, with good judgments and results, so that messages name plain files."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "argv", [])
    (tmp_path / "judgments").write_bytes(QRELS)
    (tmp_path / "results").write_bytes(RUN)
    return tmp_path


def command(*arguments: str) -> int:
    """Run the command line in this process and return its exit code."""
    sys.argv = ["idealrank", *arguments]
    with pytest.raises(SystemExit) as left:
        main()
    return int(left.value.code or 0)


def flags(options: dict[str, Any]) -> list[str]:
    """Write options as the command line takes them."""
    return [f"--{name.replace('_', '-')}={value}" for name, value in options.items()]


@EVERY
def test_refused_by_the_library(case: Refused, folder: Path) -> None:
    """A DataError says where, what is wrong, what is allowed and what to do next, on one line."""
    (folder / case.side).write_bytes(case.data)
    assert refusal(lambda: ir.evaluate("judgments", "results", **case.options)) == case.message


TYPED = {name: case for name, case in CASES.items() if case.typed != case.message}
"""What the command line says in its own words."""

ALIKE = ["empty", "truncated gz", "not UTF-8, CSV", "NaN score", "ragged", "duplicate result", "nothing matches"]
"""Some of what it says as the library does."""


@pytest.mark.parametrize("case", [pytest.param(CASES[name], id=name) for name in [*TYPED, *ALIKE] if name in CASES])
def test_refused_on_the_command_line(case: Refused, folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The command says the same, with flags, on one line of standard error, exits with 3, and writes nothing."""
    (folder / case.side).write_bytes(case.data)
    (folder / "kept.csv").write_text("as it was")
    before = sorted(os.listdir(folder))
    for output in ((), ("-o", "new.csv"), ("-o", "kept.csv"), ("--json",)):
        assert command("evaluate", "judgments", "results", *flags(case.options), *output) == 3
        said = capsys.readouterr()
        assert (said.out, said.err) == ("", f"idealrank: {case.typed}\n")
    assert sorted(os.listdir(folder)) == before
    assert (folder / "kept.csv").read_text() == "as it was"


NEAR = os.path.join("sub", "qrels")
PLACES = {
    "runs": "runs: this is a folder. Give a file with judgments or results.",
    "judgmnts": "judgmnts: no such file. Did you mean judgments?",
    f"{NEAR}.tx": f"{NEAR}.tx: no such file. Did you mean {NEAR}.txt?",
    "zzz": "zzz: no such file. Check the path.",
    os.path.join(
        "gone", "q"
    ): f"{os.path.join('gone', 'q')}: no such file; the folder gone does not exist either. Check the path.",
}


@pytest.mark.parametrize("path", PLACES)
def test_places_refused(path: str, folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A folder (of results: one without files), and a file that is not there, are refused with the nearest name."""
    (folder / "runs").mkdir()
    (folder / "sub").mkdir()
    (folder / f"{NEAR}.txt").write_bytes(QRELS)
    assert refusal(lambda: ir.evaluate(path, "results")) == PLACES[path]
    empty = {"runs": "runs: this folder contains no files. Give one file of results per system."}
    for arguments, message in (((path, "results"), PLACES[path]), (("judgments", path), empty.get(path, PLACES[path]))):
        assert command("evaluate", *arguments) == 3
        said = capsys.readouterr()
        assert (said.out, said.err) == ("", f"idealrank: {message}\n")


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() == 0, reason="whoever runs this may read every file")
def test_forbidden_file(folder: Path) -> None:
    """A file that may not be read is refused with the system's reason."""
    (folder / "judgments").chmod(0)
    assert refusal(lambda: ir.evaluate("judgments", "results")) == "judgments: cannot be read: Permission denied."


def test_text_that_is_no_path() -> None:
    """Content where a path is expected is refused on one line."""
    message = refusal(lambda: ir.evaluate("1 0 a 3\n" * 1000, {"1": {"a": 1.0}}))
    assert "cannot be read: " in message
    assert "\n" not in message
    assert refusal(lambda: ir.evaluate("a\0b", {"1": {"a": 1.0}})).startswith("'a\\x00b': cannot be read: ")


@pytest.mark.parametrize("measure", ["nDCG@0", "P@-1", "AP@0", "nDCG@1.5"])
def test_cutoffs_below_one(measure: str, folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A cutoff is a whole number from 1 up; anything else is wrong usage, said before a file is read."""
    with pytest.raises(ir.UsageError) as refused:
        ir.evaluate("judgments", "results", [measure])
    assert command("evaluate", "judgments", "results", "-m", measure) == 2
    said = capsys.readouterr()
    assert (said.out, said.err) == ("", f"idealrank: {refused.value}\n")


@pytest.mark.parametrize(("rule", "value"), [("first", 3.0), ("last", 1.0), ("max", 3.0)])
def test_duplicates_on_request(rule: str, value: float, folder: Path) -> None:
    """With duplicates=first, last or max one of them counts, and the others are counted."""
    (folder / "judgments").write_bytes(QRELS + b"1 0 a 0\n")
    (folder / "results").write_bytes(RUN + b"1 Q0 a 3 1.5 t\n")
    scores = ir.evaluate("judgments", "results", ["CG@1"], duplicates=rule)
    assert scores.values[0, 0, 0] == value
    assert any("1 duplicate judgment dropped" in note for note in scores.ledger.notes)
    assert any("1 duplicate result dropped" in note for note in scores.ledger.notes)
