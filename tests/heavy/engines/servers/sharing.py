"""One server of an engine for all processes of a test session.

The input of the server is a FIFO, of which every process that uses the server keeps the other end open. So the
server ends with the last of them, even if all are killed. Whoever leaves as the last waits for that end.
"""

from __future__ import annotations

import contextlib
import os
import re
import subprocess
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path

from tests.heavy.engines.servers.locks import locked

LONGEST = 120
"""Seconds a server may take to start, or to end."""

_STARTED: list[subprocess.Popen[bytes]] = []
"""The servers this process started; others may use them for longer."""


@contextlib.contextmanager
def shared(folder: Path, command: Callable[[Path], list[str]], fill: Callable[[str], None]) -> Iterator[str]:
    """Give the address of the server of a folder; the first process to come starts and fills it.

    Parameters
    ----------
    folder
        Where the server's input, log and address are; all processes of the session name the same.
    command
        Takes an empty folder, and returns the command that runs the server in it.
    fill
        Takes the address, and fills the server.
    """
    fifo, lock = folder / "input", folder / "lock"
    with locked(lock):
        kept = joined(fifo)
        kept = _start(folder, command, fill) if kept is None else kept
    try:
        yield (folder / "address").read_text("utf-8")
    finally:
        with locked(lock):
            _leave(kept, fifo)


def joined(fifo: Path) -> int | None:
    """Open the input of a server that runs; None where none does."""
    try:
        return os.open(fifo, os.O_WRONLY | os.O_NONBLOCK)
    except OSError:  # there is no FIFO, or nobody reads it any more
        return None


def _start(folder: Path, command: Callable[[Path], list[str]], fill: Callable[[str], None]) -> int:
    """Start a server and fill it; return its input."""
    home = Path(tempfile.mkdtemp(dir=folder, prefix="home-"))
    kept = _run(command(home), home, folder)
    try:
        address = _address(folder / "log", _STARTED[-1])
        fill(address)
    except BaseException:
        os.close(kept)
        raise
    (folder / "address").write_text(address, "utf-8")
    return kept


def _run(command: list[str], home: Path, folder: Path) -> int:
    """Run a command in its folder, with a new FIFO as its input, and return the other end of that."""
    fifo = folder / "input"
    fifo.unlink(missing_ok=True)
    os.mkfifo(fifo)
    kept = os.open(fifo, os.O_RDWR)  # which, unlike writing alone, does not wait for a reader
    with fifo.open("rb") as read, (folder / "log").open("wb") as log:
        writer = os.open(fifo, os.O_WRONLY)
        os.close(kept)
        _STARTED.append(subprocess.Popen(command, stdin=read, stdout=log, stderr=log, cwd=home, start_new_session=True))
    return writer


def _address(log: Path, process: subprocess.Popen[bytes]) -> str:
    """Wait until a server says that it is ready, and return its address."""
    end = time.monotonic() + LONGEST
    while not (ready := re.search(r"^READY (\S+)\n", said := log.read_text("utf-8", "replace"), re.MULTILINE)):
        if process.poll() is not None or time.monotonic() > end:
            raise RuntimeError(f"{process.args!r} did not start:\n{said[-3000:]}")
        time.sleep(0.05)
    return ready[1]


def _leave(kept: int, fifo: Path) -> None:
    """Close the input; if no other process has it open, wait until the server has ended."""
    with open(os.open(fifo, os.O_RDONLY | os.O_NONBLOCK), "rb", buffering=0) as reader:
        os.close(kept)
        last = reader.read(1) == b""
    if last:
        _await_end(fifo)
        fifo.unlink()


def _await_end(fifo: Path) -> None:
    """Wait until nobody reads the FIFO any more."""
    end = time.monotonic() + LONGEST
    while (kept := joined(fifo)) is not None:
        os.close(kept)
        if time.monotonic() > end:
            raise RuntimeError(f"the server that reads {fifo} does not end")
        time.sleep(0.05)
