"""Ctrl-C in the middle of one long step of the interpreter, which Python would hear only after it."""

import contextlib
import os
import signal
import threading
from collections.abc import Iterator

MESSAGE_INTERRUPTED = "idealrank: interrupted."
EXIT_INTERRUPTED = 130

_PATIENCE = 700
"""Milliseconds that Python has to notice Ctrl-C."""


@contextlib.contextmanager
def end_on_interrupt() -> Iterator[None]:
    """Have Ctrl-C end the process within a second, also in the middle of a long step of the interpreter.

    Python's own handler goes first, and what it does takes as long as it takes. Where it is not called in time, the
    core ends the process: files are written whole or not at all, so that nothing is half written, and what --memory
    leaves behind is removed by the next run, as after a kill.
    """
    # Else Ctrl-C is ignored, as behind nohup, or belongs to the program that called the command line.
    ours = signal.getsignal(signal.SIGINT) is signal.default_int_handler
    if os.name != "posix" or not ours or threading.current_thread() is not threading.main_thread():
        yield
        return
    from idealrank._core import end_when_interrupted, interruption_handled

    def raise_interrupt(number: int, frame: object) -> None:
        interruption_handled()
        raise KeyboardInterrupt

    # Python writes to the pipe when the signal comes, not when it calls the handler: the core waits at the other end.
    reading, writing = os.pipe()
    os.set_blocking(writing, False)
    before = signal.set_wakeup_fd(writing, warn_on_full_buffer=False)
    end_when_interrupted(reading, MESSAGE_INTERRUPTED, EXIT_INTERRUPTED, _PATIENCE)
    signal.signal(signal.SIGINT, raise_interrupt)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, signal.default_int_handler)
        signal.set_wakeup_fd(before)
        os.close(writing)  # the core stops waiting
