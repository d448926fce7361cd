"""-o FILE: a whole file or none; pipes that close."""

from __future__ import annotations

import json
import os
import stat
import subprocess
from pathlib import Path

import pytest

from idealrank.display.files import whole_file
from tests.cli.terminal import COMMAND, rr_csv, run

WORDS = ("evaluate", "qrels.txt", "up.run", "-m", "RR")


def test_the_ending_says_the_form(folder: Path) -> None:
    """A file is JSON, CSV or TSV by its ending, or as a flag says where the ending says nothing."""
    for name, begin in (
        ("out.json", "{\n"),
        ("out.csv", "measure,mean"),
        ("out.tsv", "measure\tmean"),
        ("out", "measure\t"),
    ):
        found = run(*WORDS, "-o", name, cwd=folder)
        assert (found.code, found.out) == (0, "")
        assert (folder / name).read_text().startswith(begin)
    run(*WORDS, "--csv", "-o", "other.txt", cwd=folder)
    assert (folder / "other.txt").read_text() == rr_csv("0.5")
    assert json.loads((folder / "out.json").read_text())["means"] == {"up": {"RR": 0.5}}
    assert run(*WORDS, "--csv", "-o", "-", cwd=folder).out == rr_csv("0.5")


def test_a_failure_leaves_the_file_as_it_was(folder: Path) -> None:
    """A file that is there is replaced only when all went well, and nothing is left beside it."""
    (folder / "out.csv").write_text("before")
    (folder / "bad.run").write_text("q1 Q0 d1 1 abc up\n")
    before = sorted(os.listdir(folder))
    found = run("evaluate", "qrels.txt", "bad.run", "-o", "out.csv", cwd=folder)
    assert found.code == 3
    assert (folder / "out.csv").read_text() == "before"
    assert sorted(os.listdir(folder)) == before


def test_an_interruption_leaves_nothing(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where writing breaks off, the old file stands and the temporary one is gone."""
    from idealrank.display.files import write_file

    (folder / "out.csv").write_text("before")

    def interrupted(*paths: object) -> None:
        raise KeyboardInterrupt

    before = sorted(os.listdir(folder))
    monkeypatch.setattr("os.replace", interrupted)
    with pytest.raises(KeyboardInterrupt):
        write_file(str(folder / "out.csv"), "after", "-o FILE")
    assert (folder / "out.csv").read_text() == "before"
    assert sorted(os.listdir(folder)) == before


@pytest.mark.skipif(os.name != "posix", reason="permissions and links of POSIX")
def test_permissions_stay_and_links_are_refused(folder: Path) -> None:
    """A replaced file keeps its permissions, a new one has those of the umask; nothing is written through a link."""
    target, link = folder / "real.csv", folder / "link.csv"
    target.write_text("before")
    target.chmod(0o640)
    link.symlink_to(target)
    found = run(*WORDS, "-o", "link.csv", cwd=folder)
    assert (found.code, target.read_text()) == (2, "before")
    assert "link.csv: cannot be written: it is a symbolic link to" in found.err
    run(*WORDS, "-o", "real.csv", cwd=folder)
    assert target.read_text().startswith("measure")
    assert stat.S_IMODE(target.stat().st_mode) == 0o640
    mask = os.umask(0)
    os.umask(mask)
    run(*WORDS, "-o", "new.csv", cwd=folder)
    assert stat.S_IMODE((folder / "new.csv").stat().st_mode) == 0o666 & ~mask


@pytest.mark.skipif(not Path("/dev/stdout").exists(), reason="no /dev/stdout")
def test_a_device_is_written_to(folder: Path) -> None:
    """/dev/stdout is written to, not replaced."""
    assert run(*WORDS, "--csv", "-o", "/dev/stdout", cwd=folder).out == rr_csv("0.5")


@pytest.mark.heavy
@pytest.mark.skipif(os.name != "posix", reason="pipes of POSIX")
@pytest.mark.parametrize(
    "words",
    ["evaluate qrels.txt up.run --per-query", "evaluate qrels.txt up.run --json", "evaluate --help", "measures"],
)
def test_a_closed_pipe_ends_quietly(words: str, folder: Path) -> None:
    """Where the reader goes away after a line, or before any, nothing is complained about."""
    for reader in ("head -1", "true"):
        script = f"{COMMAND} {words} | {reader}; echo code ${{PIPESTATUS[0]}} >&2"
        found = subprocess.run(["bash", "-c", script], cwd=folder, capture_output=True, text=True, timeout=60)
        *said, code = found.stderr.splitlines()
        assert code == "code 0"
        assert not [line for line in said if "Error" in line or "rror:" in line or "Traceback" in line]


@pytest.mark.heavy
@pytest.mark.skipif(os.name != "posix", reason="pipes of POSIX")
@pytest.mark.parametrize(
    ("words", "code"),
    [
        ("gate qrels.txt up.run --min 'RR>=2'", 1),
        ("gate qrels.txt up.run --min 'RR>=2' --json", 1),
        ("gate qrels.txt up.run --min 'RR>=0'", 0),
        ("evaluate missing.txt up.run 2>&1", 3),
    ],
)
def test_a_closed_pipe_hides_no_exit_code(words: str, code: int, folder: Path) -> None:
    """A gate that fails fails its build, also where a reader took the first lines and went: pipefail sees the code."""
    script = f"{COMMAND} {words} | true; exit ${{PIPESTATUS[0]}}"
    found = subprocess.run(["bash", "-c", script], cwd=folder, capture_output=True, text=True, timeout=60)
    assert (found.returncode, found.stderr) == (code, "")


@pytest.mark.heavy
@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no /dev/full")
@pytest.mark.parametrize(("words", "code"), [("evaluate qrels.txt up.run", 2), ("evaluate missing.txt up.run", 3)])
@pytest.mark.parametrize("streams", ["2>/dev/full", ">/dev/full 2>/dev/full"])
def test_messages_that_cannot_be_written(words: str, code: int, streams: str, folder: Path) -> None:
    """Nobody can be told, but the exit code is not that of a finding."""
    found = subprocess.run(["sh", "-c", f"{COMMAND} {words} {streams}"], cwd=folder, timeout=60)
    assert found.returncode == code


@pytest.mark.heavy
@pytest.mark.skipif(os.name != "posix", reason="pipes of POSIX")
def test_both_pipes_closed(folder: Path) -> None:
    """Where standard error goes into the same closed pipe, the command ends all the same."""
    script = f"{COMMAND} evaluate qrels.txt up.run --per-query 2>&1 | head -1; exit ${{PIPESTATUS[0]}}"
    found = subprocess.run(["bash", "-c", script], cwd=folder, capture_output=True, text=True, timeout=60)
    assert found.returncode == 0
    assert found.stderr == ""


@pytest.mark.heavy
@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no /dev/full")
def test_a_full_disk_is_told(folder: Path) -> None:
    """Output that cannot be written is an error, not a silence."""
    script = f"{COMMAND} evaluate qrels.txt up.run -q >/dev/full"
    found = subprocess.run(["bash", "-c", script], cwd=folder, capture_output=True, text=True, timeout=60)
    assert found.returncode == 2
    assert "output cannot be written: No space left on device" in found.stderr
    assert "Traceback" not in found.stderr


@pytest.mark.parametrize("name", ["out.xlsx", "out.csv.gz", "out.svg"])
def test_endings_that_are_not_written(name: str, folder: Path) -> None:
    """A file whose ending promises a form that is not written is refused, and not filled with TSV."""
    found = run("evaluate", "qrels.txt", "up.run", "-o", name, cwd=folder)
    assert (found.code, (folder / name).exists()) == (2, False)
    assert "is not written. Name it .json, .csv or .tsv." in found.err


@pytest.mark.skipif(os.name != "posix", reason="links of POSIX")
def test_a_link_planted_where_the_doctor_writes(folder: Path) -> None:
    """A file of `--fix DIR` that is a link is refused, and what it leads to is left alone; so is a link to itself."""
    (folder / "j.csv").write_text("query_id,doc_id,grade\nq1,d1,1\nq1,d2,0\n")
    (folder / "r.csv").write_text("query_id,doc_id,score\nq1,d1 ,2\nq1,d2 ,1\n")
    (folder / "mend").mkdir()
    (folder / "victim").write_text("before")
    (folder / "mend" / "changes.txt").symlink_to("../victim")
    found = run("doctor", "j.csv", "r.csv", "--fix", "mend", cwd=folder)
    assert (found.code, (folder / "victim").read_text()) == (2, "before")
    (folder / "loop.csv").symlink_to("loop.csv")
    found = run(*WORDS, "-o", "loop.csv", cwd=folder)
    assert (found.code, found.err.count("\n")) == (2, 1)


@pytest.mark.skipif(os.name != "posix", reason="permissions of POSIX")
def test_a_file_is_written_without_asking_for_the_umask(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Asking changes the umask of every thread for a moment; and a private file is never wider while it is written."""
    monkeypatch.setattr(os, "umask", lambda mask: pytest.fail("the umask was changed"))
    private = folder / "private.csv"
    private.write_text("before")
    private.chmod(0o600)
    with whole_file(private) as out:
        assert {stat.S_IMODE(each.stat().st_mode) for each in folder.glob(".private.csv.*")} == {0o600}
        out.write(b"after")
    assert (private.read_text(), stat.S_IMODE(private.stat().st_mode)) == ("after", 0o600)
