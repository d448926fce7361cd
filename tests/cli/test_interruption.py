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

# Gets its signal from within a step of days, by a call of C: a signal from outside could come before the step began.
BUSY = """
import collections
import ctypes
import itertools
import os
import signal
from idealrank.cli.interruption import end_on_interrupt
ctrl_c = map(ctypes.CDLL(None).kill, [os.getpid()], [int(signal.SIGINT)])
with end_on_interrupt():
    collections.deque(itertools.chain(ctrl_c, itertools.repeat(0, 10**13)), maxlen=0)
"""
CLEANING = """
import time
from idealrank.cli.interruption import end_on_interrupt
with end_on_interrupt():
    try:
        print("ready", flush=True)
        time.sleep(60)
    except KeyboardInterrupt:
        time.sleep(1.5)  # longer than the core waits for a handler
        print("cleaned")
"""


@pytest.mark.heavy
def test_a_long_step_is_ended() -> None:
    """What cannot hear the signal is ended from outside, with the code and the word of every interruption."""
    run = subprocess.run([sys.executable, "-c", BUSY], capture_output=True, text=True, timeout=60)
    assert (run.returncode, run.stdout, run.stderr) == (130, "", "idealrank: interrupted.\n")


@pytest.mark.heavy
def test_cleaning_up_takes_its_time() -> None:
    """What heard the signal is not cut off while it cleans up."""
    run = subprocess.Popen([sys.executable, "-c", CLEANING], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    assert run.stdout is not None
    assert run.stdout.readline() == "ready\n"
    run.send_signal(signal.SIGINT)
    out, err = run.communicate(timeout=60)
    assert (run.returncode, out, err) == (0, "cleaned\n", "")


def test_a_host_keeps_its_handlers() -> None:
    """After a command that was called within a program, Ctrl-C is again what it was before."""
    before = signal.getsignal(signal.SIGINT)
    CliRunner().invoke(group, ["peek", "missing.csv"])
    assert signal.getsignal(signal.SIGINT) is before
    assert signal.set_wakeup_fd(-1) == -1
