"""Ctrl-C in the middle of one long step of the interpreter, which Python would hear only after it."""

import contextlib
import os
import signal
import threading
from collections.abc import Iterator

SAID = "idealrank: interrupted."
EXIT_INTERRUPTED = 130

_PATIENCE = 700
"""Milliseconds that Python has to notice Ctrl-C."""


@contextlib.contextmanager
def ended_when_interrupted() -> Iterator[None]:
    """Have Ctrl-C end the process within a second, also in the middle of a long step of the interpreter.

    Python's own handler goes first, and what it does takes as long as it takes. Where it is not called in time, the
    core ends the process: files are written whole or not at all, so that nothing is half written, and what --memory
    leaves behind is removed by the next run, as after a kill.
    """
    ours = signal.getsignal(signal.SIGINT) is signal.default_int_handler  # not ignored, as behind nohup, and no host's
    if os.name != "posix" or not ours or threading.current_thread() is not threading.main_thread():
        yield
        return
    from idealrank._core import end_when_interrupted, interruption_handled

    def interrupted(number: int, frame: object) -> None:
        interruption_handled()
        raise KeyboardInterrupt

    reading, writing = os.pipe()
    os.set_blocking(writing, False)
    before = signal.set_wakeup_fd(writing, warn_on_full_buffer=False)
    end_when_interrupted(reading, SAID, EXIT_INTERRUPTED, _PATIENCE)
    signal.signal(signal.SIGINT, interrupted)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, signal.default_int_handler)
        signal.set_wakeup_fd(before)
        os.close(writing)  # the core stops waiting
