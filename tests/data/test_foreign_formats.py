"""Another package adds a format by an entry point."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

import idealrank as ir
from idealrank.data.formats.sniff import foreign_formats
from tests.cli.terminal import run

PACKAGE = """
import pathlib

def looks_like(start, name):
    return start.startswith(b"!stars")

def read(source):
    text = source.decode() if isinstance(source, bytes) else pathlib.Path(source).read_text()
    if "broken" in text:
        raise KeyError("no stars")
    rows = [line.split(":") for line in text.split("\\n")[1:] if line]
    judged = {"query": [r[0] for r in rows], "doc": [r[1] for r in rows], "grade": [r[2].count("*") for r in rows]}
    return {"judgments": judged} if text.startswith("!stars in parts") else judged

endings = (".stars",)

def write(kind, columns):
    rows = zip(columns["query_id"], columns["doc_id"], columns["grade"])
    return "!stars\\n" + "".join(f"{q}:{d}:{'*' * int(g)}\\n" for q, d, g in rows)
"""
"""A format of one line per judgment, whose grade is a number of stars."""


@pytest.fixture
def installed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """Return a folder of packages that has one with a format."""
    folder = tmp_path / "packages"
    info = folder / "stars-1.0.dist-info"
    info.mkdir(parents=True)
    (folder / "stars_format.py").write_text(PACKAGE)
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: stars\nVersion: 1.0\n")
    (info / "entry_points.txt").write_text("[idealrank.formats]\nstars = stars_format\n")
    monkeypatch.syspath_prepend(str(folder))
    monkeypatch.setenv("PYTHONPATH", str(folder))
    foreign_formats.cache_clear()
    yield folder
    foreign_formats.cache_clear()
    sys.modules.pop("stars_format", None)


@pytest.mark.parametrize("first", ["!stars", "!stars in parts", "!stars, with, commas"])
def test_it_is_read(first: str, installed: Path, tmp_path: Path) -> None:
    """A file that no format here knows is read by the package, also where its first line has commas."""
    (tmp_path / "j").write_text(f"{first}\nq1:a:***\nq1:b:*\n")
    run = {"q1": {"b": 2.0, "a": 1.0}}
    assert ir.evaluate(tmp_path / "j", run, ["DCG(discount=none)@2"])["DCG(discount=none)@2"] == 4.0
    assert ir.peek(tmp_path / "j").files[0].format == "a file of the format stars"


def test_it_is_written(installed: Path, tmp_path: Path) -> None:
    """Judgments are written by the package, by the ending of the file or by the format's name."""
    judgments = ir.read_judgments({"q1": {"a": 3, "b": 0}})
    judgments.write(tmp_path / "j.stars")
    assert (tmp_path / "j.stars").read_text() == "!stars\nq1:a:***\nq1:b:\n"
    judgments.write(tmp_path / "k", format="stars")
    assert (tmp_path / "k").read_text() == (tmp_path / "j.stars").read_text()


def test_the_command_line_reads_it(installed: Path, tmp_path: Path) -> None:
    """The command reads and writes the format."""
    (tmp_path / "j.txt").write_text("!stars\nq1:a:**\n")
    assert run("convert", "j.txt", "q.qrels", cwd=tmp_path, env={"PYTHONPATH": str(installed)}).code == 0
    assert (tmp_path / "q.qrels").read_text() == "q1 0 a 2\n"
    assert run("convert", "q.qrels", "k", "--to", "stars", cwd=tmp_path, env={"PYTHONPATH": str(installed)}).code == 0
    assert (tmp_path / "k").read_text() == "!stars\nq1:a:**\n"


def test_a_fault_of_the_package_is_told(installed: Path, tmp_path: Path) -> None:
    """What the package raises becomes a message with the file; one that cannot be imported is named."""
    (tmp_path / "j").write_text("!stars broken\n")
    with pytest.raises(ir.DataError, match="j: the package that reads the format stars failed: 'no stars'"):
        ir.read_judgments(tmp_path / "j")
    (installed / "stars_format.py").write_text("import nothing_of_the_kind")
    foreign_formats.cache_clear()
    sys.modules.pop("stars_format", None)
    with pytest.raises(ir.UsageError, match=r"format 'stars' of another package .* cannot be imported: No module"):
        ir.read_judgments(tmp_path / "j")


def test_others_are_refused_as_before(installed: Path, tmp_path: Path) -> None:
    """A file that the package does not know either is refused with the message of idealrank."""
    (tmp_path / "j").write_text("nothing in here\n")
    with pytest.raises(ir.DataError, match="is not a line of TREC text"):
        ir.read_judgments(tmp_path / "j")


def test_packages_are_not_looked_up_for_known_files(installed: Path, tmp_path: Path) -> None:
    """TREC text, JSON and tables with known columns are read without a look at other packages."""
    (tmp_path / "q.txt").write_text("q1 0 a 2\n")
    (tmp_path / "j.csv").write_text("query,doc,grade\nq1,a,2\n")
    (tmp_path / "j.json").write_text('{"q1": {"a": 2}}')
    for name in ("q.txt", "j.csv", "j.json"):
        ir.read_judgments(tmp_path / name).write(tmp_path / "out.csv")
    assert foreign_formats.cache_info().misses == 0
