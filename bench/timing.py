"""Run a command and see what it cost: wall time, processor time, peak memory.

Uses the standard library only and stays small: a child's peak memory is counted from the
memory of the process that started it.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from dataclasses import asdict, dataclass, field
from statistics import median

Command = tuple[Sequence[str], dict[str, str]]

RSS_UNIT = 1 if sys.platform == "darwin" else 1024  # getrusage(2): bytes on macOS, KiB on Linux


@dataclass(frozen=True)
class Sample:
    """What one process cost."""

    wall: float
    cpu: float
    peak: int
    start_up: float | None = None


@dataclass
class Series:
    """The counted runs of one tool on one data set."""

    samples: list[Sample] = field(default_factory=list)
    error: str = ""

    def middle(self, name: str) -> float | None:
        """The median of one cost, None when it is not known for every run."""
        values = [getattr(s, name) for s in self.samples]
        return median(values) if values and None not in values else None

    def to_dict(self) -> dict:
        """For the JSON file."""
        names = ("wall", "cpu", "peak", "start_up")
        return {
            "error": self.error,
            "median": {n: self.middle(n) for n in names},
            "samples": [asdict(s) for s in self.samples],
        }


class CommandError(Exception):
    """The command ended with an error; the text is its last words."""


def spawn(command: Sequence[str], stdout: int, stderr: int, env: dict[str, str]) -> int:
    """Start a command without a shell."""
    actions = [(os.POSIX_SPAWN_DUP2, stdout, 1), (os.POSIX_SPAWN_DUP2, stderr, 2)]
    return os.posix_spawn(command[0], list(command), {**os.environ, **env}, file_actions=actions)


def measure(command: Sequence[str], env: dict[str, str] | None = None) -> Sample:
    """Run a command to its end with its output in a temporary file."""
    with tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as err:
        began = time.perf_counter()
        child = spawn(command, out.fileno(), err.fileno(), env or {})
        _, status, usage = os.wait4(child, 0)
        wall = time.perf_counter() - began
        err.seek(0)
        words = err.read().decode("utf-8", "replace").strip().splitlines()
    if status:
        raise CommandError(words[-1] if words else f"status {status}")
    return Sample(wall, usage.ru_utime + usage.ru_stime, usage.ru_maxrss * RSS_UNIT, _start_up(words))


def _start_up(words: list[str]) -> float | None:
    """The seconds a script says it spent on importing and compiling."""
    for line in words:
        if line.startswith("start-up "):
            return float(line.split()[1])
    return None


def output(command: Sequence[str], env: dict[str, str] | None = None) -> str:
    """The standard output of a command, untimed."""
    done = subprocess.run(command, capture_output=True, text=True, env={**os.environ, **(env or {})}, check=False)
    if done.returncode:
        words = done.stderr.strip().splitlines()
        raise CommandError(words[-1] if words else f"status {done.returncode}")
    return done.stdout


def interleave(commands: dict[str, Command], runs: int, said) -> dict[str, Series]:
    """One warm-up of every command, then `runs` rounds of all, each round begun by another one."""
    series = {name: Series() for name in commands}
    names = list(commands)
    for turn in range(runs + 1):
        shift = turn % len(names)
        for name in names[shift:] + names[:shift]:
            _one(name, commands[name], series[name], turn, said)
    return series


def _one(name: str, command: Command, series: Series, turn: int, said) -> None:
    """One run of one command; a command that failed is not tried again."""
    if series.error:
        return
    try:
        sample = measure(*command)
    except (CommandError, OSError) as error:
        series.error = str(error)
        said(f"{name}: failed: {error}")
        return
    said(f"{name}: {'warm-up' if turn == 0 else f'run {turn}'} {sample.wall:.2f} s")
    if turn:
        series.samples.append(sample)
