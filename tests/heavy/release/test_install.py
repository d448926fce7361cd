"""What pages and the Makefile say of installing is so today, or marked."""

from __future__ import annotations

import os
import re
import subprocess
import tomllib
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[3]
PAGES = sorted([*(ROOT / "docs").glob("*.md"), *(ROOT / "examples").rglob("*.md"), ROOT / "CONTRIBUTING.md"])
FROM_THE_INDEX = re.compile(r"pip install [^`\n]*\bidealrank\b")
MARK = re.compile(r"once(?: it is| idealrank is)? released", re.IGNORECASE)


def unmarked(text: str) -> list[str]:
    """Return the lines that install idealrank by its name, with no mark in their section before them."""
    found, marked = [], False
    for line in text.splitlines():
        marked = bool(MARK.search(line)) or (marked and not line.startswith("#"))
        if FROM_THE_INDEX.search(line) and not marked:
            found.append(line)
    return found


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_no_page_promises_a_release(page: Path) -> None:
    """`pip install idealrank` is marked as something that works once there is a release."""
    assert unmarked(page.read_text("utf-8")) == []


def test_the_guard_sees_it() -> None:
    """A line without the mark is found, also in a code block and under another heading; a clone needs none."""
    assert unmarked("pip install 'idealrank[plot]'") != []
    assert unmarked("# Once released\n```sh\npip install idealrank\n```\n") == []
    assert unmarked("# Once released\n# Today\npip install -U idealrank\n") != []
    assert unmarked("pip install '.[plot]'") == []


def test_every_extra_is_on_the_page() -> None:
    """The page about installing has each extra of the package."""
    page = (ROOT / "docs" / "install.md").read_text("utf-8")
    extras = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]["optional-dependencies"]
    assert set(re.findall(r"^\| `(\w+)` \|", page, re.MULTILINE)) == set(extras)


def test_rust_is_as_old_as_the_crates_allow() -> None:
    """The page and the Makefile state the Rust of Cargo.toml, which is the newest that a locked crate asks for."""
    stated = tomllib.loads((ROOT / "Cargo.toml").read_text("utf-8"))["package"]["rust-version"]
    assert f"Rust {stated} or later" in (ROOT / "docs" / "install.md").read_text("utf-8")
    command = ["cargo", "metadata", "--locked", "--offline", "--format-version", "1"]
    told = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    if told.returncode:
        pytest.skip("the crates are not here")
    import json

    packages = [package for package in json.loads(told.stdout)["packages"] if package["name"] != "idealrank-core"]
    asked = [tuple(map(int, p["rust_version"].split(".")[:2])) for p in packages if p["rust_version"]]
    assert max(asked) == tuple(map(int, stated.split(".")))


@pytest.mark.skipif(os.name == "nt", reason="a shell script stands for cargo")
@pytest.mark.parametrize("version", ["", "1.84.9", "1.9.0"])
def test_a_missing_or_old_rust_is_told_in_one_line(version: str, tmp_path: Path) -> None:
    """The Makefile says in one line how to get Rust where there is none, or one that is too old."""
    done = make_rust(version, tmp_path)
    assert done.returncode != 0
    said = [line for line in done.stderr.splitlines() if not line.startswith("make")]
    assert len(said) == 1
    assert said[0].startswith("Rust 1.85 or later is needed: curl https://sh.rustup.rs")


@pytest.mark.skipif(os.name == "nt", reason="a shell script stands for cargo")
@pytest.mark.parametrize("version", ["1.85.0", "1.100.0"])
def test_a_rust_that_is_new_enough(version: str, tmp_path: Path) -> None:
    """With the Rust of Cargo.toml or a later one nothing is said."""
    done = make_rust(version, tmp_path)
    assert (done.returncode, done.stderr) == (0, "")


def make_rust(version: str, folder: Path) -> subprocess.CompletedProcess[str]:
    """Run `make rust` where cargo is of a version; "": where there is none."""
    cargo = folder / "cargo"
    cargo.write_text(f"#!/bin/sh\necho 'cargo {version} (0 2025-01-01)'\n" if version else "#!/bin/sh\nexit 127\n")
    cargo.chmod(0o755)
    env = {**os.environ, "PATH": f"{folder}{os.pathsep}{os.environ['PATH']}", "MAKEFLAGS": ""}
    return subprocess.run(["make", "rust"], cwd=ROOT, env=env, capture_output=True, text=True, check=False)
