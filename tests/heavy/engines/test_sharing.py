"""Processes share one server, and it ends with the last of them."""

from __future__ import annotations

import subprocess
import sys
import time
from pathlib import Path

import pytest

from tests.heavy.engines.servers.sharing import joined, shared

ROOT = Path(__file__).parents[3]

SERVER = "import sys; print('READY here', flush=True); sys.stdin.read()"

USER = """
import pathlib, sys, time
from tests.heavy.engines.servers.sharing import shared
with shared(pathlib.Path(sys.argv[1]), lambda home: [sys.executable, "-c", sys.argv[2]], print) as address:
    print("uses", address, flush=True)
    time.sleep(600)
"""


def run(home: Path) -> list[str]:
    """Return a command that is ready at once, and ends with its input."""
    return [sys.executable, "-c", SERVER]


def runs(folder: Path) -> bool:
    """Whether the server of a folder runs, for as long as another end is awaited."""
    end = time.monotonic() + 20
    while (kept := joined(folder / "input")) is not None and time.monotonic() < end:
        open(kept, "wb").close()
        time.sleep(0.02)
    return kept is not None


def test_who_comes_second_starts_nothing(tmp_path: Path) -> None:
    """Two users get the same address of one server, which only the first fills."""
    filled: list[str] = []
    with shared(tmp_path, run, filled.append) as first, shared(tmp_path, run, filled.append) as second:
        assert (first, second, filled) == ("here", "here", ["here"])


def test_the_last_ends_it(tmp_path: Path) -> None:
    """The server still runs when the first user leaves, and has ended when the last has left."""
    first = shared(tmp_path, run, print)
    first.__enter__()
    with shared(tmp_path, run, print):
        first.__exit__(None, None, None)
        kept = joined(tmp_path / "input")
        assert kept is not None
        open(kept, "wb").close()
    assert not (tmp_path / "input").exists()


def test_it_ends_when_its_users_are_killed(tmp_path: Path) -> None:
    """The server ends when all of its users are killed."""
    command = [sys.executable, "-c", USER, str(tmp_path), SERVER]
    users = [subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, text=True) for _ in range(2)]
    for user in users:
        assert user.stdout
        assert any(line == "uses here\n" for line in user.stdout)
        user.kill()
    for user in users:
        user.communicate()
    assert not runs(tmp_path)


def test_a_server_that_does_not_start(tmp_path: Path) -> None:
    """If a server ends before it is ready, the error has what it printed."""
    command = [sys.executable, "-c", "raise SystemExit('no room')"]
    with pytest.raises(RuntimeError, match="no room"), shared(tmp_path, lambda home: command, print):
        pass
