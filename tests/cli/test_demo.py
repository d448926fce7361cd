"""`idealrank demo`: one screen, and a folder to go on with."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import tomllib
from pathlib import Path

import pytest

from idealrank.cli.commands import demo
from tests.cli.terminal import COMMAND, PIPED, SHOP, run

ROOT = SHOP.parents[1]
NEXT = "What to type next; your own files go in the place of these:"
INPUTS = {"judgments.csv", "queries.csv", "products.csv", "bm25.csv", "hybrid.csv", "all.sql", "any.sql"}


def shown(folder: Path, *words: str, path: str = "", columns: str = "80") -> list[str]:
    """Return the lines of the demo; `path` is where commands are found."""
    env = {"PATH": f"{path}{os.pathsep}{os.environ['PATH']}", "COLUMNS": columns}
    done = run("demo", *words, cwd=folder, env=env)
    assert (done.code, done.err) == (0, "")
    return done.lines


def test_one_screen(tmp_path: Path) -> None:
    """The demo prints at most 24 lines of 80 columns: the verdict, both means, the report, what to type next."""
    lines = shown(tmp_path, path=str(Path(COMMAND).parent))
    assert len(lines) <= 24
    assert max(map(len, lines)) <= 80
    text = "\n".join(lines)
    assert "Ship loose" in text
    assert re.search(r"^nDCG@10 +0\.4121 +0\.6478 ", text, re.MULTILINE)  # as the shop's README states
    assert "Report: idealrank-demo/report.html" in text
    assert NEXT in text


def test_a_narrow_screen(tmp_path: Path) -> None:
    """At 60 columns no line is longer, and the commands are still those that work."""
    lines = shown(tmp_path, path=str(Path(COMMAND).parent), columns="60")
    assert max(map(len, lines)) <= 60
    assert "  idealrank compare idealrank-demo/judgments.csv \\" in lines


def test_files_to_go_on_with(tmp_path: Path) -> None:
    """The folder gets the shop's files as they are, both results with the titles, and the page."""
    shown(tmp_path, "here")
    folder = tmp_path / "here"
    assert all((folder / name).read_bytes() == (SHOP / name).read_bytes() for name in INPUTS)
    assert {path.name for path in folder.iterdir()} == {*INPUTS, "results", "report.html"}
    assert {path.name for path in (folder / "results").glob("*.csv")} == {"strict.csv", "loose.csv"}
    assert "Ship loose" in (folder / "report.html").read_text("utf-8")


@pytest.mark.heavy
def test_what_to_type_next_works(tmp_path: Path) -> None:
    """What is to be typed next works from where the user is, also where the program is not found by its name."""
    for name, path in (("a", str(Path(COMMAND).parent)), ("b c", "")):
        lines = shown(tmp_path, name, path=path)
        start = lines.index(NEXT)
        said = "\n".join(line for line in lines[start + 1 :] if line.startswith("  "))
        assert said.count("idealrank") >= 2
        env = {**PIPED, "PATH": f"{path}{os.pathsep}{os.environ['PATH']}"}
        done = subprocess.run(["sh", "-ec", said], cwd=tmp_path, env=env, capture_output=True, text=True, check=False)
        assert (done.returncode, "running shoes" in done.stdout + done.stderr) == (0, True), done.stderr
        assert (
            "Do not ship loose" in done.stdout
            or "Not enough evidence to ship loose" in done.stdout
            or "Ship loose" in done.stdout
        )


def test_a_second_time(tmp_path: Path) -> None:
    """A folder of an earlier demo is written again; with an edited or a foreign file, nothing is touched."""
    assert run("demo", "d", cwd=tmp_path).code == 0
    assert run("demo", "d", cwd=tmp_path).code == 0
    edited = tmp_path / "d" / "judgments.csv"
    edited.write_text("query,doc,grade\nq1,a,1\n")
    before = (tmp_path / "d" / "report.html").stat().st_mtime_ns
    refused = run("demo", "d", cwd=tmp_path)
    assert (refused.code, refused.out) == (2, "")
    assert "d has other files in it. Name a new folder: idealrank demo FOLDER." in refused.err
    assert edited.read_text() == "query,doc,grade\nq1,a,1\n"
    assert (tmp_path / "d" / "report.html").stat().st_mtime_ns == before


def test_other_folders_are_left_alone(tmp_path: Path) -> None:
    """A folder with anything else in it is refused; an empty one is used, and a file is no folder."""
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "report.html").write_text("mine")
    assert run("demo", "mine", cwd=tmp_path).code == 2
    assert [path.name for path in (tmp_path / "mine").iterdir()] == ["report.html"]
    (tmp_path / "empty").mkdir()
    assert run("demo", "empty", cwd=tmp_path).code == 0
    assert run("demo", "mine/report.html", cwd=tmp_path).code == 2


def test_a_shop_that_is_missing_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """An installation without the shop says so."""
    monkeypatch.setattr(demo, "_PLACES", (tmp_path / "shop",))
    with pytest.raises(Exception, match="the example shop is missing"):
        demo._shop()


def test_the_wheel_gets_the_same_files() -> None:
    """The build script hands over what the demo reads, into the folder of the package where the demo looks first."""
    script = (ROOT / "rust" / "build.rs").read_text("utf-8")
    names = re.search(r"FILES: \[&str; \d+\] =\s+\[(.*?)\]", script, re.DOTALL)
    assert names is not None
    assert tuple(re.findall(r'"(.*?)"', names[1])) == demo._FILES
    (include,) = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["tool"]["maturin"]["include"]
    assert include == {"path": "shop/*", "from": "out-dir", "to": "idealrank/"}
    assert demo._PLACES[0] == Path(demo.__file__).parents[2] / "shop"


def test_the_shop_of_a_package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The files of the package are taken before those of a checkout."""
    shutil.copytree(SHOP, tmp_path / "shop")
    monkeypatch.setattr(demo, "_PLACES", (tmp_path / "shop", SHOP))
    assert demo._shop()[0].parent == tmp_path / "shop"
