"""How much memory files need, how many buckets make that fit, and the temporary folder for copies."""

from __future__ import annotations

import contextlib
import math
import os
import re
import shutil
import signal
import tempfile
import threading
from collections.abc import Iterator, Sequence
from typing import IO, Any

from idealrank._core import BadInput, parquet_size, sniff, unpacked_ratio
from idealrank.data.formats.folders import list_files
from idealrank.data.formats.head import HEAD
from idealrank.errors import DataError, UsageError, option

# A temporary folder that is removed on any end: by its own run, or by the next one if that was killed.


PREFIX = "idealrank-buckets-"

_LOCK = "lock"
"""The file that the run which owns the folder keeps locked. The system unlocks it when a process ends, however."""


@contextlib.contextmanager
def temporary_folder(folder: str | None = None) -> Iterator[str]:
    """Make a folder within `folder`, or within ``TMPDIR``, and remove it at the end.

    Folders of runs that were killed are removed first. SIGTERM and SIGHUP end the program as an exception would.

    Raises
    ------
    UsageError
        If there is no such folder, or it cannot be written to.
    """
    parent = folder or tempfile.gettempdir()
    with _exit_on_signals():
        try:
            remove_abandoned(parent)
            path = tempfile.mkdtemp(prefix=PREFIX, dir=parent)
        except OSError as error:
            raise UsageError(
                f"{parent}: no temporary folder can be made here ({error.strerror or error}). Give another: "
                f"{option('temporary', 'DIR')}, or set TMPDIR."
            ) from None
        try:
            with _hold_lock(path):
                yield path
        finally:
            shutil.rmtree(path, ignore_errors=True)


@contextlib.contextmanager
def _hold_lock(path: str) -> Iterator[None]:
    """Hold the folder's lock. The file gets its name once it is locked, so that no other run finds it unlocked."""
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
        # An error means that it is not our folder, or that another run is removing it at this moment.
        with contextlib.suppress(OSError), open(lock, "r+b") as file:
            if _try_lock(file):
                shutil.rmtree(os.path.dirname(lock), ignore_errors=True)


_ENDING = [getattr(signal, name) for name in ("SIGTERM", "SIGHUP") if hasattr(signal, name)]  # Windows has one


@contextlib.contextmanager
def _exit_on_signals() -> Iterator[None]:
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


def disk_full_error(folder: str, needed: int) -> DataError:
    """Build the error for a temporary folder without enough space."""
    ours = sum(entry.stat().st_size for entry in os.scandir(folder) if entry.is_file())
    free = shutil.disk_usage(folder).free + ours
    return DataError(
        f"{os.path.dirname(folder)}: not enough space for temporary files: about {size_text(needed)} needed, "
        f"{size_text(free)} free. Free some, or give a folder on another disk: {option('temporary', 'DIR')}, or set "
        "TMPDIR."
    )


# How much memory files need when they are evaluated at once, and how many buckets make that fit.


_UNITS = {"K": 1, "M": 2, "G": 3, "T": 4}
_SIZE = re.compile(r"\s*(\d+(?:\.\d+)?)\s*([KMGT])(i?)B?\s*", re.I)

BASE, PER_ROW, PER_BYTE, PER_COLUMNAR_BYTE = 100_000_000, 80, 1.2, 2.0
"""Bytes of memory at the peak of an evaluation: of the program, per row, and per byte of text or of Parquet's columns.

Measured with 5 and 24 million rows of TREC, CSV, JSON lines and Parquet, short ids and long: 77 to 180 bytes per row.
"""

_BUCKETS_IN_MEMORY = 4
"""The memory is so many times what a bucket needs: buckets differ in size, and one is read while one is evaluated."""

MOST_BUCKETS = 1024

SMALLEST_BUCKET = 100_000
"""Bytes of memory that are not worth a bucket of their own."""


def memory_size(text: str) -> int:
    """Read a size such as 500MB, 4GB or 4GiB as bytes.

    Raises
    ------
    UsageError
        If it is not a size.

    Examples
    --------
    >>> memory_size("4GB"), memory_size("1.5 GiB")
    (4000000000, 1610612736)
    """
    found = _SIZE.fullmatch(text)
    if found is None or float(found[1]) == 0:
        raise UsageError(f"{text!r} is not a size of memory. Give a number and a unit: 500MB, 4GB or 4GiB.")
    return int(float(found[1]) * (1024 if found[3] else 1000) ** _UNITS[found[2].upper()])


def size_text(size: float) -> str:
    """Write a number of bytes for people.

    Examples
    --------
    >>> size_text(4_000_000_000), size_text(512)
    ('4.0 GB', '512 bytes')
    """
    units = ("bytes", "kB", "MB", "GB", "TB")
    power = next((power for power in range(4) if size < 1000 ** (power + 1)), 4)
    return f"{size / 1000**power:.{int(power > 0)}f} {units[power]}"


def unpacked_size(path: str) -> int:
    """Estimate the bytes of a file when it is decompressed, by its beginning."""
    try:
        ratio = unpacked_ratio(path)
    except BadInput:  # whoever reads the file says what is wrong with it
        ratio = 1.0
    return math.ceil(os.path.getsize(path) * max(1.0, ratio))


def needed_memory(paths: Sequence[str]) -> int:
    """Estimate the bytes of memory that evaluating these files at once needs at its peak."""
    return BASE + sum(math.ceil(_needed_for_file(file)) for file in list_files(paths) if os.path.isfile(file))


def _needed_for_file(path: str) -> float:
    try:
        start = sniff(path, HEAD)
        if start.startswith(b"PAR1"):
            rows, size = parquet_size(path)
            return PER_ROW * rows + PER_COLUMNAR_BYTE * size
    except BadInput:  # whoever reads the file says what is wrong with it
        return 0
    size = unpacked_size(path)
    return PER_ROW * size * start.count(b"\n") / max(1, len(start)) + PER_BYTE * size


def available_memory() -> int:
    """Return the bytes of memory that can be used now: what the system has free, within a container's limit."""
    limits = [size for path in _LIMITS if (size := _read_number(path)) is not None]
    return min([_free_memory(), *limits])


_LIMITS = ("/sys/fs/cgroup/memory.max", "/sys/fs/cgroup/memory/memory.limit_in_bytes")


def _read_number(path: str) -> int | None:
    try:
        with open(path, encoding="ascii") as file:
            text = file.read().strip()
    except OSError:
        return None
    return int(text) if text.isdigit() else None


def _free_memory() -> int:
    try:
        with open("/proc/meminfo", encoding="ascii") as file:
            found = re.search(r"MemAvailable:\s*(\d+) kB", file.read())
    except OSError:
        found = None
    if found is not None:
        return int(found[1]) * 1024
    names = getattr(os, "sysconf_names", {})  # macOS; Windows has none
    return os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") if "SC_PHYS_PAGES" in names else 1 << 33


def number_of_buckets(paths: Sequence[str], memory: int) -> int:
    """Return how many buckets make the evaluation of these files fit in so many bytes of memory; 1 if they fit."""
    needed = needed_memory(paths)
    if needed <= memory:
        return 1
    fitting = math.ceil(_BUCKETS_IN_MEMORY * (needed - BASE) / max(memory - BASE, 1))
    return max(2, min(fitting, math.ceil((needed - BASE) / SMALLEST_BUCKET), MOST_BUCKETS))
