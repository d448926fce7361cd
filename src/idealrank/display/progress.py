"""Progress on long work: on a terminal only, on standard error."""

import contextlib
import os
import sys
import threading
import time
from collections.abc import Iterable, Iterator
from typing import Any, TypeVar

from idealrank.display.terminal import safe, say

T = TypeVar("T")

LARGE_FILE = 100_000_000
"""Bytes from which reading a file shows progress."""


def tracked(items: Iterable[T], total: int, what: str, show: bool | None = None) -> Iterator[T]:
    """Yield items, with a progress bar if asked for or on a terminal."""
    if not (sys.stderr.isatty() if show is None else show):
        yield from items
        return
    from rich.console import Console
    from rich.progress import track

    console = Console(stderr=True)
    yield from track(items, description=_plain(what), total=total, console=console, transient=console.is_terminal)


SOON = 1.0
"""Seconds after which work shows a bar."""

SLOW = 5.0
"""Seconds from which a job says beforehand how long it will take."""


@contextlib.contextmanager
def working(what: str = "drawing") -> Iterator[Any]:
    """Give a function to call with what is done, what there is in all, and what comes next.

    On a terminal it shows a bar, if the work takes longer than `SOON`; else there is None to call.
    """
    if not sys.stderr.isatty():
        yield None
        return
    with contextlib.ExitStack() as stack:
        bars: list[Any] = []
        begun = time.monotonic()

        def update(done: int, total: int, now: str = what) -> None:
            if not bars and time.monotonic() - begun > SOON:
                bars.append(stack.enter_context(_bar()))
                bars[0].add_task(_plain(now), total=total)
            for bar in bars:
                bar.update(bar.task_ids[0], completed=done, total=total, description=_plain(now))

        yield update


def _bar() -> Any:
    from rich.console import Console
    from rich.progress import Progress

    return Progress(console=Console(stderr=True), transient=True)


def _plain(text: str) -> str:
    """Return a text, as the name of a file, that is neither a control character nor a colour to a bar."""
    from rich.markup import escape

    return escape(safe(text))


def expect(seconds: float) -> None:
    """Say on standard error how long a job will take, if that is long."""
    if seconds >= SLOW:
        say(f"drawing    about {seconds:.0f} s")


def shows(path: Any) -> bool:
    """Whether reading a file is worth a bar, and there is a terminal to draw it on."""
    size = os.path.getsize(path) if isinstance(path, str) and os.path.isfile(path) else 0
    return size >= LARGE_FILE and sys.stderr.isatty()


@contextlib.contextmanager
def reading(path: Any) -> Iterator[Any]:
    """Give a counter the reader adds bytes to, shown as a bar for large files on a terminal."""
    if not shows(path):
        yield None
        return
    size = os.path.getsize(path)
    from idealrank._core import Progress

    counter, done = Progress(), threading.Event()
    watcher = threading.Thread(target=_watch, args=(counter, done, size, os.path.basename(path)), daemon=True)
    watcher.start()
    try:
        yield counter
    finally:
        done.set()
        watcher.join()


def _watch(counter: Any, done: threading.Event, size: int, name: str) -> None:
    from rich.console import Console
    from rich.progress import BarColumn, DownloadColumn, Progress, TextColumn, TimeRemainingColumn

    columns = (TextColumn("reading {task.description}"), BarColumn(), DownloadColumn(), TimeRemainingColumn())
    with Progress(*columns, console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task(_plain(name), total=size)
        while not done.wait(0.1):
            bar.update(task, completed=counter.done)
