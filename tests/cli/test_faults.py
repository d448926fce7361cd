"""What nobody foresaw, and what a process may lack: an exit code that no finding has, and one line."""

from __future__ import annotations

import os
import re
import stat
import subprocess
from pathlib import Path

import pytest

import idealrank as ir
from idealrank.cli import group, main
from tests.cli.terminal import COMMAND, PIPED, SHOP, run

JUDGMENTS, RESULTS = SHOP / "judgments.csv", SHOP / "bm25.csv"


def _ended(monkeypatch: pytest.MonkeyPatch, error: BaseException) -> int | str | None:
    def failed(**_: object) -> None:
        raise error

    monkeypatch.setattr(group, "main", failed)
    with pytest.raises(SystemExit) as stopped:
        main()
    return stopped.value.code


def test_a_fault_ends_with_a_report(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    """It is one line with the name of a private file: the traceback, versions and arguments, without secrets."""
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    monkeypatch.setattr(
        "sys.argv", ["idealrank", "replay", "q.csv", "solr+http://me:hidden1@host/x?key=hidden2", "--header", "hidden3"]
    )
    assert _ended(monkeypatch, ZeroDivisionError("http://me:hidden1@host\nsecond line")) == 70
    said = capsys.readouterr().err
    assert said.count("\n") == 1
    (report,) = tmp_path.iterdir()
    assert str(report) in said
    text = report.read_text()
    assert re.search(r"^idealrank \S+, Python 3\.\d+\.\d+, NumPy ", text)
    assert "ZeroDivisionError" in text
    assert "Traceback" in text
    assert "hidden" not in text + said
    assert os.name != "posix" or stat.S_IMODE(report.stat().st_mode) == 0o600


def test_too_little_memory_is_said(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    """It says what to do, and is no finding either."""
    assert _ended(monkeypatch, MemoryError()) == 70
    assert capsys.readouterr().err.startswith("idealrank: not enough memory for this.")


class PanicError(BaseException):
    """Stands for a panic of the core, which is no Exception."""


def test_a_panic_of_the_core_is_a_fault(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """It ends like any other fault."""
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    assert _ended(monkeypatch, PanicError("index out of bounds")) == 70


@pytest.mark.heavy
@pytest.mark.skipif(os.name != "posix", reason="a shell of POSIX")
@pytest.mark.parametrize("closed", [">&-", "2>&-", "<&-", "<&- >&- 2>&-"])
def test_closed_streams(closed: str) -> None:
    """A process of a daemon may have no standard streams: a gate that passes ends with 0, one that fails with 1."""
    for least, code in (("0.1", 0), ("0.9", 1)):
        words = f"'{COMMAND}' gate '{JUDGMENTS}' '{RESULTS}' --min 'nDCG@10>={least}' {closed}"
        found = subprocess.run(["sh", "-c", words], env=PIPED, capture_output=True, timeout=120, check=False)
        assert (found.returncode, b"Traceback" in found.stderr) == (code, False)


@pytest.mark.heavy
@pytest.mark.skipif(os.name != "posix", reason="a shell of POSIX")
def test_closed_input_is_empty() -> None:
    """What is read from nowhere is empty data."""
    words = f"'{COMMAND}' evaluate '{JUDGMENTS}' - <&-"
    found = subprocess.run(["sh", "-c", words], env=PIPED, capture_output=True, timeout=120, check=False)
    assert (found.returncode, found.stderr.count(b"\n")) == (3, 1)


def test_a_cutoff_beyond_counting() -> None:
    """Ranks are counted in 64 bits: a larger k is refused by every measure, the largest is not."""
    world = {"q": {"d": 1}}
    for measure in ("P", "R", "ERR", "AP", "RBP", "RR", "nDCG", "DCG", "Success"):
        with pytest.raises(ir.UsageError, match=r"a whole number from 1 to 9,223,372,036,854,775,807"):
            ir.evaluate(world, world, [f"{measure}@99999999999999999999"])
        assert ir.evaluate(world, world, [f"{measure}@9223372036854775807"]).queries == ["q"]


@pytest.mark.skipif(not Path("/dev/zero").exists(), reason="no /dev/zero")
@pytest.mark.parametrize("place", ["judgments", "results", "baseline"])
def test_a_device_without_end(place: str, tmp_path: Path) -> None:
    """It is refused in one line, and not read until the memory is full."""
    words = {
        "judgments": ("evaluate", "/dev/zero", RESULTS),
        "results": ("evaluate", JUDGMENTS, "/dev/zero"),
        "baseline": ("gate", JUDGMENTS, RESULTS, "--baseline", "/dev/zero"),
    }[place]
    found = run(*words, cwd=tmp_path)
    assert (found.code, found.err.count("\n")) == (3, 1)
    assert "/dev/zero: a device, which has no end." in found.err


SPLIT = ["\n", "\r", "\r\n", "\x0b", "\x0c", "\x1c", "\x85", "\u2028", "\u2029"]


@pytest.mark.parametrize("words", [("-m", "RR"), ("-m", "RR", "--per-query")])
def test_no_id_begins_a_line(words: tuple[str, ...], tmp_path: Path) -> None:
    """A build obeys lines that begin with ::error::, and people read them: ids of any table stay within a line."""
    ids = ["::error::all is lost", *(f"q{place}{end}::error::all is lost" for place, end in enumerate(SPLIT))]
    rows = [f'"{name}",d1,1\n' for name in ids]
    (tmp_path / "j.csv").write_text("query_id,doc_id,grade\n" + "".join(rows[:-2]), "utf-8", newline="")
    (tmp_path / "r.csv").write_text("query_id,doc_id,rank\n" + "".join(rows[2:]), "utf-8", newline="")
    found = run("evaluate", "j.csv", "r.csv", *words, cwd=tmp_path)
    assert found.code == 0
    lines = (found.out + found.err).splitlines()
    assert any("::error::" in line for line in lines)
    assert not [line for line in lines if line.startswith("::error::")]
