"""Run the command as a user does: through pipes, or on a terminal of its own."""

from __future__ import annotations

import contextlib
import os
import re
import struct
import subprocess
import sysconfig
from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple

import idealrank as ir
from tests.cli import forks

COMMAND = str(Path(sysconfig.get_path("scripts")) / "idealrank")
SHOP = Path(__file__).parents[2] / "examples" / "shop"
PLAIN = {key: value for key, value in os.environ.items() if key not in ("COLUMNS", "LINES", "NO_COLOR", "TERM")}
"""The environment without what says how to draw."""

PIPED = {**PLAIN, "PYTHONWARNINGS": "error"}
"""The environment of a command whose output is piped."""


def rr_csv(mean: str) -> str:
    """Return the CSV of one mean of RR, with its fingerprint."""
    return f'measure,mean,fingerprint\nRR,{mean},"{ir.measure("RR").fingerprint}"\n'


def plain(text: str) -> str:
    """Remove what makes text bold or coloured."""
    return re.sub(r"\x1b\[[\d;]*m", "", text)


class Said(NamedTuple):
    """What a command printed, and its exit code."""

    code: int
    out: str
    err: str

    @property
    def lines(self) -> list[str]:
        """The lines of standard output."""
        return self.out.splitlines()


STARTED_WITH = ("PYTHON", "LC_", "LANG", "OPENBLAS", "RAYON")
"""What the names of variables begin with that are read when a process starts."""


def run(*words: object, cwd: Path | None = None, stdin: str = "", env: Mapping[str, str] | None = None) -> Said:
    """Run the command with its output piped."""
    command = [COMMAND, *map(str, words)]
    if forks.POSSIBLE and not any(name.startswith(STARTED_WITH) for name in env or ()):
        whole = {**PIPED, **(env or {})}
        template = forks.template(tuple(PIPED.items()))
        code, out, err = template.run(command, str(cwd or Path.cwd()), whole, stdin.encode())
        return Said(code, out.decode(), err.decode())
    return started(*command, cwd=cwd, stdin=stdin, env=env)


def started(*command: str, cwd: Path | None = None, stdin: str = "", env: Mapping[str, str] | None = None) -> Said:
    """Run a command with its output piped, in a process of its own from the start."""
    found = subprocess.run(
        command,
        input=stdin.encode(),
        capture_output=True,
        cwd=cwd,
        env={**PIPED, **(env or {})},
        timeout=forks.PATIENCE,
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
