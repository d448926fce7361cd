"""The process: what the command ``idealrank`` and ``python -m idealrank`` run."""

import gc
import os
import sys
from typing import NoReturn


def program() -> NoReturn:
    """Run the command line, then end at once, since nothing that is left needs taking apart."""
    _open_streams()
    gc.disable()  # a short-lived process that makes no cycles worth collecting
    # Nothing here multiplies matrices: the threads NumPy starts for that would only take time from the readers.
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    from idealrank.cli import main

    try:
        main()
    except SystemExit as end:
        sys.stderr.flush()
        os._exit(end.code if isinstance(end.code, int) else 2)


def _open_streams() -> None:
    """Give what was started without a standard stream, as by a daemon, an empty one: files would take its number.

    Then a command ends with the exit code of what it found, and what it reads from nowhere is empty.
    """
    for handle, name, mode in ((0, "stdin", "r"), (1, "stdout", "w"), (2, "stderr", "w")):
        try:
            os.fstat(handle)
        except OSError:
            os.open(os.devnull, os.O_RDWR)  # gets the lowest number that is free
        if getattr(sys, name) is None:
            setattr(sys, name, open(handle, mode, encoding="utf-8", closefd=False))  # noqa: SIM115 - stays open


if __name__ == "__main__":
    program()
