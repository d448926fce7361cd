"""A studio that runs: in a notebook, and from the command line."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

import idealrank as ir
from tests.studio.worlds import SHOP


def read(address: str) -> str:
    """Return a page."""
    with urllib.request.urlopen(address, timeout=60) as answer:
        return str(answer.read().decode())


def test_a_comparison_in_memory_is_served_with_its_numbers() -> None:
    """`ir.studio(comparison)` shows the difference of the comparison, under its convention and by its raters."""
    systems = {
        "old": {"q1": {"a": 2.0, "b": 1.0}, "q2": {"c": 1.0}},
        "new": {"q1": {"b": 2.0, "a": 1.0}, "q2": {"c": 1.0}},
    }
    judged = [("q1", "a", "ann", 3), ("q1", "a", "bob", 1), ("q1", "b", "ann", 1), ("q2", "c", "ann", 1)]
    table = dict(zip(("query", "doc", "rater", "grade"), map(list, zip(*judged, strict=True)), strict=True))
    found = ir.compare(table, systems, ["nDCG@2"], gain="exp2", raters="max")
    running = ir.studio(found)
    try:
        text = read(running.address)
        assert f"{found['nDCG@2'].difference:+.3f}".replace("-", "−") in text
        assert "gain=exp2" in text
        assert "ann" in running.project.judgments().raters
        assert running.address in running._repr_html_()
    finally:
        running.stop()
    with pytest.raises(urllib.error.URLError):
        read(running.address)


def test_a_studio_without_a_project_leaves_nothing_behind(tmp_path: Path) -> None:
    """Its file goes with the program, also if nobody kept hold of the studio or stopped it."""
    script = (
        "import os, idealrank as ir, urllib.request\n"
        "one = {'q': {'a': 1.0, 'b': 0.5}}\n"
        "address = ir.studio({'q': {'a': 1}}, {'x': one, 'y': one}).address\n"
        "urllib.request.urlopen(address, timeout=60).read()\n"
        "print(any(name.startswith('idealrank-studio-') for name in os.listdir(os.environ['TMPDIR'])))\n"
    )
    env = {**os.environ, "TMPDIR": str(tmp_path)}
    done = subprocess.run([sys.executable, "-c", script], env=env, text=True, capture_output=True, timeout=120)
    assert (done.returncode, done.stdout.strip()) == (0, "True"), done.stderr
    assert not list(tmp_path.iterdir())


def test_what_is_missing_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    """Without one of its parts the studio says in a line what to install."""
    monkeypatch.setitem(sys.modules, "uvicorn", None)
    with pytest.raises(ir.UsageError, match=r"pip install 'idealrank\[studio\]'"):
        ir.studio({"q": {"a": 1}}, {"x": {"q": {"a": 1.0}}, "y": {"q": {"a": 1.0}}})


@contextmanager
def command(folder: Path, *words: str) -> Iterator[tuple[subprocess.Popen[str], str]]:
    """Run `idealrank studio`, and yield it with the address that it prints."""
    process = subprocess.Popen(
        [sys.executable, "-m", "idealrank", "studio", *words, "--no-browser", "--port", "0"], cwd=folder, text=True,
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, env={**os.environ, "PYTHONUNBUFFERED": "1"},
    )  # fmt: skip
    assert process.stdout is not None
    try:
        yield process, process.stdout.readline().strip()
    finally:
        process.kill()
        process.communicate()


def test_the_command_serves_files_and_goes_on_where_it_was(tmp_path: Path) -> None:
    """Files come into a project beside the work; Ctrl-C ends it; the same project shows the same numbers again."""
    files = [str(SHOP.resolve() / name) for name in ("judgments.csv", "bm25.csv", "hybrid.csv")]
    with command(tmp_path, *files, "-m", "P@5", "--gain", "exp2") as (process, address):
        assert "P@5" in read(address)
        process.send_signal(signal.SIGINT)
        assert process.wait(30) == 0
        said = process.stderr.read() if process.stderr is not None else ""
    assert "judgments.studio.db" in said
    with command(tmp_path, "judgments.studio.db") as (_, address):
        text = read(address)
        assert "P@5" in text
        assert "gain=exp2" in text


@pytest.mark.parametrize(("beside", "named"), [("shop", "."), ("", "shop")])
def test_a_folder_is_looked_through(tmp_path: Path, beside: str, named: str) -> None:
    """Of a folder, this one or another, its judgments, results, queries and documents are read."""
    folder = tmp_path / "shop"
    folder.mkdir()
    for file in SHOP.glob("*.csv"):
        (folder / file.name).write_bytes(file.read_bytes())
    with command(tmp_path / beside, named) as (_, address):
        assert "torquill socket set" in read(address)
    assert (folder / "studio.db").is_file()


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("nowhere.db",), "no such project"),
        (("judgments.csv",), "no results given"),
        ((), "The studio of what?"),
        (("judgments.csv", "a.csv", "a.csv"), "Two systems would be called"),
        (("a.csv", "judgments.csv", "b.csv"), "judgments"),
        (("judgments.csv", "a.csv", "b.csv", "--host", "192.0.2.1"), "cannot be listened at"),
    ],
)
def test_a_call_that_cannot_work_says_why(tmp_path: Path, words: tuple[str, ...], said: str) -> None:
    """Each is one line and an exit code."""
    (tmp_path / "judgments.csv").write_text("query,doc,grade\nq,a,1\n")
    for name in "ab":
        (tmp_path / f"{name}.csv").write_text("query,doc,rank\nq,a,1\n")
    found = subprocess.run(
        [sys.executable, "-m", "idealrank", "studio", *words, "--no-browser"], cwd=tmp_path, text=True,
        capture_output=True, timeout=120, check=False,
    )  # fmt: skip
    assert found.returncode in (2, 3)
    assert said in found.stderr
    assert found.stderr.count("\n") == 1
    if "--host" not in words:  # else the tables were read, and the project is sound
        assert not [path for path in tmp_path.iterdir() if ".db" in path.name]
