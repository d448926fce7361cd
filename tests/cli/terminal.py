"""Run the command as a user does: through pipes, or on a terminal of its own."""

from __future__ import annotations

import contextlib
import os
import struct
import subprocess
import sysconfig
from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple

import idealrank as ir

COMMAND = str(Path(sysconfig.get_path("scripts")) / "idealrank")
SHOP = Path(__file__).parents[2] / "examples" / "shop"
PLAIN = {key: value for key, value in os.environ.items() if key not in ("COLUMNS", "LINES", "NO_COLOR", "TERM")}
"""The environment without what says how to draw."""


def rr_csv(mean: str) -> str:
    """Return the CSV of one mean of RR, with its fingerprint."""
    return f'measure,mean,fingerprint\nRR,{mean},"{ir.measure("RR").fingerprint}"\n'


class Said(NamedTuple):
    """What a command printed, and its exit code."""

    code: int
    out: str
    err: str

    @property
    def lines(self) -> list[str]:
        """The lines of standard output."""
        return self.out.splitlines()


def run(*words: object, cwd: Path | None = None, stdin: str = "", env: Mapping[str, str] | None = None) -> Said:
    """Run the command with its output piped."""
    found = subprocess.run(
        [COMMAND, *map(str, words)],
        input=stdin.encode(),
        capture_output=True,
        cwd=cwd,
        env={**PLAIN, "PYTHONWARNINGS": "error", **(env or {})},
        timeout=120,
    )
    return Said(found.returncode, found.stdout.decode(), found.stderr.decode())


def on_terminal(
    *words: object, columns: int = 80, cwd: Path | None = None, env: Mapping[str, str] | None = None
) -> Said:
    """Run the command on a terminal so many columns wide; standard error is piped."""
    import fcntl
    import pty
    import termios

    ours, theirs = pty.openpty()
    fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", 40, columns, 0, 0))
    process = subprocess.Popen(
        [COMMAND, *map(str, words)],
        stdin=subprocess.DEVNULL,
        stdout=theirs,
        stderr=subprocess.PIPE,
        cwd=cwd,
        env={**PLAIN, "PYTHONWARNINGS": "error", "TERM": "xterm", **(env or {})},
    )
    os.close(theirs)
    seen = b""
    with contextlib.suppress(OSError):  # Linux reports the end of a terminal as an error
        while chunk := os.read(ours, 1 << 16):
            seen += chunk
    os.close(ours)
    _, err = process.communicate(timeout=120)
    return Said(process.returncode, seen.decode().replace("\r\n", "\n"), err.decode())
