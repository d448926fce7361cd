"""A temporary folder that is removed on any end: by its own run, or by the next one if that was killed."""

from __future__ import annotations

import contextlib
import errno
import os
import shutil
import signal
import tempfile
import threading
from collections.abc import Iterator
from typing import IO, Any

from idealrank.errors import DataError, UsageError, option

PREFIX = "idealrank-buckets-"

_LOCK = "lock"
"""The file that the run which owns the folder keeps locked. The system unlocks it when a process ends, however."""

FULL = frozenset({errno.ENOSPC, errno.EDQUOT, errno.EFBIG})
"""Errors of a disk that is full, or of a limit."""


@contextlib.contextmanager
def temporary_folder(folder: str | None = None) -> Iterator[str]:
    """Give a new folder within `folder`, or within ``TMPDIR``, and remove it at the end.

    Folders of runs that were killed are removed first. SIGTERM and SIGHUP end the program as an exception would.

    Raises
    ------
    UsageError
        If there is no such folder, or it cannot be written to.
    """
    parent = folder or tempfile.gettempdir()
    with _ended_by_signal():
        try:
            remove_abandoned(parent)
            path = tempfile.mkdtemp(prefix=PREFIX, dir=parent)
        except OSError as error:
            raise UsageError(
                f"{parent}: no temporary folder can be made here ({error.strerror or error}). Give another: "
                f"{option('temporary', 'DIR')}, or set TMPDIR."
            ) from None
        try:
            with _locked(path):
                yield path
        finally:
            shutil.rmtree(path, ignore_errors=True)


@contextlib.contextmanager
def _locked(path: str) -> Iterator[None]:
    """Keep the folder's lock. It has its name only once it is locked, so that nobody finds it open."""
    name = os.path.join(path, _LOCK)
    with open(f"{name}.new", "wb") as lock:
        _try_lock(lock)
        os.rename(lock.name, name)
        yield


def _try_lock(lock: IO[bytes]) -> bool:
    """Lock a file, unless a running process has locked it."""
    try:
        import fcntl
    except ImportError:  # Windows, where an open file cannot be removed
        return True
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        return False
    return True


def remove_abandoned(parent: str) -> None:
    """Remove the folders of runs that no longer run."""
    for name in os.listdir(parent):
        lock = os.path.join(parent, name, _LOCK)
        if not name.startswith(PREFIX):
            continue
        with contextlib.suppress(OSError), open(lock, "r+b") as file:  # not ours, or another run removes it just now
            if _try_lock(file):
                shutil.rmtree(os.path.dirname(lock), ignore_errors=True)


_ENDING = [getattr(signal, name) for name in ("SIGTERM", "SIGHUP") if hasattr(signal, name)]  # Windows has one


@contextlib.contextmanager
def _ended_by_signal() -> Iterator[None]:
    """Make the signals that end a program raise SystemExit, so that what is open is closed, unless it handles them."""
    main = threading.current_thread() is threading.main_thread()
    ours = [each for each in _ENDING if main and signal.getsignal(each) is signal.SIG_DFL]
    for each in ours:
        signal.signal(each, _exit)
    try:
        yield
    finally:
        for each in ours:
            signal.signal(each, signal.SIG_DFL)


def _exit(number: int, _: Any) -> None:
    raise SystemExit(128 + number)


def full(folder: str, needed: int) -> DataError:
    """Build the error for a temporary folder without enough space."""
    from idealrank.distributed.buckets.sizes import size_text

    ours = sum(entry.stat().st_size for entry in os.scandir(folder) if entry.is_file())
    free = shutil.disk_usage(folder).free + ours
    return DataError(
        f"{os.path.dirname(folder)}: not enough space for temporary files: about {size_text(needed)} needed, "
        f"{size_text(free)} free. Free some, or give a folder on another disk: {option('temporary', 'DIR')}, or set "
        "TMPDIR."
    )
