"""Run the command as a user does: through pipes, or on a terminal of its own."""

from __future__ import annotations

import os
import re
import struct
import subprocess
import sysconfig
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

import idealrank as ir
from tests.cli import forks
from tests.schemas.validation import WRITING, check_files, check_printed, json_files, outputs_of

COMMAND = str(Path(sysconfig.get_path("scripts")) / "idealrank")
SHOP = Path(__file__).parents[2] / "examples" / "shop"
PLAIN = {key: value for key, value in os.environ.items() if key not in ("COLUMNS", "LINES", "NO_COLOR", "TERM")}
"""The environment without what says how to draw."""

PIPED = {**PLAIN, "PYTHONWARNINGS": "error"}
"""The environment of a command whose output is piped."""


def rr_csv(mean: str) -> str:
    """Return the CSV of one mean of RR, with its fingerprint."""
    return f'measure,mean,fingerprint\nRR,{mean},"{ir.measure("RR").fingerprint}"\n'


Begin = Callable[[Sequence[str], str, Mapping[str, str], Sequence[int]], Callable[[], int]]
"""How a command is begun, with its folder, environment and standard streams; it gives what waits for the exit code."""


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
    """Run the command with its output piped; JSON that it prints, or writes in its folder, is checked."""
    call = list(map(str, words))
    before = json_files(cwd)
    said = _run(*words, cwd=cwd, stdin=stdin, env=env)
    if said.code in WRITING:
        check_printed(call, said.out, cwd or Path.cwd())
    if call and outputs_of(call):
        check_files(call, dict(json_files(cwd).items() - before.items()))
    return said


def tsv(*words: object, cwd: Path | None = None, stdin: str = "", env: Mapping[str, str] | None = None) -> Said:
    """Run the command for a table as data, without its fingerprints."""
    return run(*words, "--format", "tsv", cwd=cwd, stdin=stdin, env=env)


def _run(*words: object, cwd: Path | None = None, stdin: str = "", env: Mapping[str, str] | None = None) -> Said:
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
    return drawn([COMMAND, *map(str, words)], copied, columns, cwd or Path.cwd(), env or {})


def drawn(
    command: Sequence[str], begin: Begin, columns: int, cwd: Path, env: Mapping[str, str], apart: bool = True
) -> Said:
    """Run a command that is begun this way on a terminal; standard error is piped where it is to be kept apart."""
    import fcntl
    import pty
    import termios

    terminal, theirs = pty.openpty()
    fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", 40, columns, 0, 0))
    (pipe, error), nothing = os.pipe(), os.open(os.devnull, os.O_RDONLY)
    if not apart:
        os.dup2(theirs, error)
    ended = begin(command, str(cwd), {**PIPED, "TERM": "xterm", **env}, (nothing, theirs, error))
    for end in (nothing, theirs, error):
        os.close(end)
    streams = [forks.Drained(each) for each in (terminal, pipe)]
    out, err = (stream.content().decode() for stream in streams)
    return Said(ended(), out.replace("\r\n", "\n"), err)


def begun(command: Sequence[str], folder: str, env: Mapping[str, str], streams: Sequence[int]) -> Callable[[], int]:
    """Begin a command in a process of its own from the start; return what waits for its exit code."""
    stdin, stdout, stderr = streams
    process = subprocess.Popen(command, cwd=folder, env=env, stdin=stdin, stdout=stdout, stderr=stderr)
    return lambda: process.wait(forks.PATIENCE)


def copied(command: Sequence[str], folder: str, env: Mapping[str, str], streams: Sequence[int]) -> Callable[[], int]:
    """Begin the command in a copy of a process, where there can be one."""
    if not forks.POSSIBLE:
        return begun(command, folder, env, streams)
    template = forks.template(tuple(PIPED.items()))
    template.start(command, folder, env, streams)
    return template.code
