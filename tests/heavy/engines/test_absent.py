"""Where an engine cannot be started, everybody is told."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.heavy.engines.servers import AbsentError
from tests.heavy.engines.servers.java import jdk

ROOT = Path(__file__).parents[3]
ASKS = f"{Path(__file__).with_name('test_servers.py')}::test_opensearch_is_whole"
SAID = "NOT TESTED: OpenSearch (there is no JDK 21 or later. Install one, or name its folder: ENGINE_JAVA_HOME=/path)"


def home(folder: Path, version: str) -> Path:
    """Make what looks like a JDK."""
    for name in ("java", "javac"):
        (folder / "bin").mkdir(parents=True, exist_ok=True)
        (folder / "bin" / name).write_text("#!/bin/sh\n")
        (folder / "bin" / name).chmod(0o755)
    (folder / "release").write_text(f'IMPLEMENTOR="X"\nJAVA_VERSION="{version}"\n')
    return folder


def test_a_jdk_beside_the_one_on_the_path(tmp_path: Path) -> None:
    """The JDK on PATH serves if it is new enough, else the next newer one beside it."""
    old, new, newer = (home(tmp_path / version, version) for version in ("17.0.15", "21", "25.0.1"))
    environ = {"PATH": str(old / "bin")}
    assert (jdk(17, environ), jdk(21, environ), jdk(22, environ)) == (old, new, newer)


def test_a_jdk_that_is_named(tmp_path: Path) -> None:
    """What ENGINE_JAVA_HOME names goes first if it is new enough; without any JDK, the reason says what to do."""
    old, new = home(tmp_path / "a/old", "17"), home(tmp_path / "b/new", "21")
    assert jdk(17, {"PATH": str(old / "bin"), "ENGINE_JAVA_HOME": str(new)}) == new
    assert jdk(21, {"JAVA_HOME": str(new), "ENGINE_JAVA_HOME": str(old)}) == new
    with pytest.raises(AbsentError, match="no JDK 21 or later"):
        jdk(21, {"PATH": str(old / "bin")})


@pytest.mark.parametrize(
    ("ci", "processes", "code", "said"),
    [("true", "0", 1, "1 error"), ("", "1", 0, "1 skipped")],
    ids=["under CI", "elsewhere"],
)
def test_without_java(ci: str, processes: str, code: int, said: str, tmp_path: Path) -> None:
    """Without Java, tests of OpenSearch are skipped and the session says so once; under CI=true they fail."""
    environ = {**os.environ, "PATH": str(tmp_path), "CI": ci, "JAVA_HOME": "", "ENGINE_JAVA_HOME": ""}
    command = [sys.executable, "-m", "pytest", "-n", processes, ASKS]
    done = subprocess.run(command, cwd=ROOT, env=environ, capture_output=True, text=True, check=False)
    assert (done.returncode, said in done.stdout) == (code, True), done.stdout
    assert sum(line.removeprefix("E   ").strip() == f"Failed: {SAID}" for line in done.stdout.splitlines()) == code
    assert (SAID in done.stdout.splitlines()) is not bool(code)
