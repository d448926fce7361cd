"""Ctrl-C: it ends a command also while the interpreter hears nothing."""

from __future__ import annotations

import os
import signal
import subprocess
import sys

import pytest
from click.testing import CliRunner

from idealrank.cli import group

pytestmark = pytest.mark.skipif(os.name != "posix", reason="signals of POSIX")

BUSY = """
import collections
import itertools
from idealrank.cli.interruption import ended_when_interrupted
with ended_when_interrupted():
    print("ready", flush=True)
    collections.deque(itertools.repeat(0, 10**13), maxlen=0)  # one step of days: no handler of Python is called
"""
CLEANING = """
import time
from idealrank.cli.interruption import ended_when_interrupted
with ended_when_interrupted():
    try:
        print("ready", flush=True)
        time.sleep(60)
    except KeyboardInterrupt:
        time.sleep(1.5)  # longer than the core waits for a handler
        print("cleaned")
"""


def interrupted(code: str) -> tuple[int, str, str]:
    """Return how a program ends that gets Ctrl-C once it is ready, and what it says."""
    run = subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    assert run.stdout is not None
    assert run.stdout.readline() == "ready\n"
    run.send_signal(signal.SIGINT)
    out, err = run.communicate(timeout=60)
    return run.returncode, out, err


def test_a_long_step_is_ended() -> None:
    """What cannot hear the signal is ended from outside, with the code and the word of every interruption."""
    assert interrupted(BUSY) == (130, "", "idealrank: interrupted.\n")


def test_cleaning_up_takes_its_time() -> None:
    """What heard the signal is not cut off while it cleans up."""
    assert interrupted(CLEANING) == (0, "cleaned\n", "")


def test_a_host_keeps_its_handlers() -> None:
    """After a command that was called within a program, Ctrl-C is again what it was before."""
    before = signal.getsignal(signal.SIGINT)
    CliRunner().invoke(group, ["peek", "missing.csv"])
    assert signal.getsignal(signal.SIGINT) is before
    assert signal.set_wakeup_fd(-1) == -1
