"""A lock that processes share: it is a file's, and ends with the process that has it."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Iterator
from pathlib import Path

from tests.heavy.engines.servers import AbsentError


@contextlib.contextmanager
def locked(file: Path) -> Iterator[None]:
    """Let one process at a time in; the others wait."""
    try:
        import fcntl
    except ImportError:
        raise AbsentError("Windows has neither the locks nor the FIFOs that processes share it by") from None
    file.parent.mkdir(parents=True, exist_ok=True)
    number = os.open(file, os.O_RDWR | os.O_CREAT)
    try:
        fcntl.flock(number, fcntl.LOCK_EX)
        yield
    finally:
        os.close(number)
