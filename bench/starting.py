"""What starting costs: imports, and the commands that evaluate nothing."""

from __future__ import annotations

import os
import subprocess
import sys

from timing import Command, Series, interleave

from tools import script

QUICK_COMMANDS = ("--help", "measures", "conventions")
IMPORTS = ("import numpy", "import idealrank", "from idealrank import evaluate")


def commands() -> dict[str, Command]:
    """Name → what is timed."""
    named: dict[str, Command] = {line: ([sys.executable, "-c", line], {}) for line in IMPORTS}
    for word in QUICK_COMMANDS:
        named[word] = ([script("idealrank"), word], {})
    return named


def measure_starts(runs: int, said) -> dict[str, Series]:
    """Time all of them in turn."""
    return interleave(commands(), runs, said)


def numpy_modules(word: str) -> int:
    """How many modules of NumPy a command imports."""
    env = {**os.environ, "PYTHONPROFILEIMPORTTIME": "1"}
    done = subprocess.run([script("idealrank"), word], capture_output=True, text=True, env=env, check=False)
    names = [line.rpartition("|")[2].strip() for line in done.stderr.splitlines() if line.startswith("import time:")]
    return sum(name.split(".")[0] == "numpy" for name in names)
