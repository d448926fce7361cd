"""The browser is found as the pages say it is."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.heavy.browser.chromium import executable

ROOT = Path(__file__).parents[3]
OPENS = f"{Path(__file__).with_name('test_axe.py')}::test_what_is_minor"
"""A test that opens a page."""


def outcome_of(*tests: str, **environ: str) -> subprocess.CompletedProcess[str]:
    """Run tests in a process of their own."""
    command = [sys.executable, "-m", "pytest", "-rsE", "--verbose", "-p", "no:xdist", *tests]
    return subprocess.run(command, cwd=ROOT, env={**os.environ, **environ}, capture_output=True, text=True, check=False)


def programs(folder: Path, *names: str) -> str:
    """Put programs of these names into a folder and return it as PATH."""
    folder.mkdir(exist_ok=True)
    for name in names:
        (folder / name).write_text("#!/bin/sh\n")
        (folder / name).chmod(0o755)
    return str(folder)


def test_which_comes_first(tmp_path: Path) -> None:
    """What CHROMIUM names, a path or a program on PATH, goes before Chromium, and that before Chrome."""
    path = programs(tmp_path, "google-chrome", "chromium", "mine")
    assert executable({"PATH": path}) == str(tmp_path / "chromium")
    assert executable({"PATH": path, "CHROMIUM": "mine"}) == str(tmp_path / "mine")
    assert executable({"PATH": path, "CHROMIUM": "/else/where"}) == "/else/where"
    assert executable({"PATH": path, "CHROMIUM": ""}) == str(tmp_path / "chromium")
    assert executable({"PATH": programs(tmp_path / "empty")}) == ""


@pytest.mark.parametrize(("ci", "code", "said"), [("true", 1, "1 error"), ("", 0, "1 skipped")])
def test_without_a_browser(ci: str, code: int, said: str, tmp_path: Path) -> None:
    """Without a browser a test is skipped with the reason; under CI=true it fails with it."""
    done = outcome_of(OPENS, PATH=programs(tmp_path), CI=ci, CHROMIUM="")
    assert (done.returncode, said in done.stdout) == (code, True)
    assert "No Chromium on PATH (chromium, chromium-browser, google-chrome): nothing" in done.stdout
