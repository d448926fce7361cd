"""The terminal: the one door through which text goes to people; nothing in it can act on their screen."""

import codecs
import contextlib
import io
import itertools
import os
import sys
import threading
import time
from collections.abc import Callable, Iterable, Iterator
from typing import Any, TextIO

from idealrank.errors import isolated, visible_line, visible_lines

_PLAIN = {
    "─": "-", "━": "-", "−": "-", "–": "-", "→": ">", "←": "<", "▲": "^", "▼": "v", "●": "o", "█": "#", "…": "~",
    "≥": ">", "≤": "<", "×": "x", "·": ".", "’": "'", "“": '"', "”": '"',
}  # fmt: skip
"""What stands for a sign of this program where the encoding of a stream has none; as wide, so that tables stay."""

_ENCODING_ERRORS = "idealrank.plain"


def _encode_plainly(error: UnicodeError) -> tuple[str | bytes, int]:
    if not isinstance(error, UnicodeEncodeError):
        raise error
    signs = error.object[error.start : error.end]
    return "".join(_PLAIN.get(s, s.encode("ascii", "backslashreplace").decode()) for s in signs), error.end


def allow_any_encoding() -> None:
    """Let the standard streams write every text, also where their encoding is not UTF-8.

    A pipe or a file on Windows has the encoding of the country, which has no minus sign and no line of a table: these
    become ASCII, and a letter that it lacks is written as its number.
    """
    codecs.register_error(_ENCODING_ERRORS, _encode_plainly)
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper) and not _is_utf8(stream):
            stream.reconfigure(errors=_ENCODING_ERRORS)


def _is_utf8(stream: TextIO) -> bool:
    try:
        return codecs.lookup(stream.encoding).name.startswith("utf")
    except (LookupError, TypeError):
        return True


def safe(text: str) -> str:
    r"""Return a text as a screen may have it: control characters as text, right-to-left set apart.

    Examples
    --------
    >>> print(safe("\x1b]0;title\x07q1"))
    \x1b]0;title\x07q1
    """
    return isolated(visible_lines(text))


def one_line(text: str) -> str:
    r"""Return a text as one line of a screen or a log: a line end in an id begins no line that this program did not.

    Examples
    --------
    >>> print(one_line("shoes\n::error::all is lost"))
    shoes\n::error::all is lost
    """
    return isolated(visible_line(text))


def say(line: str) -> None:
    """Say a line on standard error: a message, a warning, a note beside the numbers."""
    _write(f"{_as_text(one_line(line), sys.stderr)}\n", sys.stderr)


def say_to_server(line: str, data: bool) -> None:
    """Write a command that a build server obeys; where standard output has data, to standard error."""
    _write(f"{line}\n", sys.stderr if data else sys.stdout)


def _as_text(line: str, stream: TextIO) -> str:
    """Return a line that a runner of GitHub Actions takes for text in a log: one that begins with :: is a command."""
    return f"\\{line}" if line.lstrip().startswith("::") and not stream.isatty() else line


def show(lines: Iterable[str], before: str = "", after: str = "", paint: Callable[[str], str] = str) -> None:
    """Write lines for people to standard output.

    Parameters
    ----------
    before, after
        What goes around the first, as the codes of bold.
    paint
        What colours the others, once nothing in them can act on the screen.
    """
    for i, line in enumerate(lines):
        first = before and not i
        text = _as_text(one_line(line), sys.stdout)
        _write(f"{before}{text}{after}\n" if first else f"{paint(text)}\n", sys.stdout)


def print_text(text: str) -> None:
    """Write a text of this program, of one line or more, to standard output."""
    show(text.split("\n"))


def give_lines(lines: Iterable[bytes]) -> None:
    """Write lines of bytes to standard output: as they are to a pipe or a file, safely to a terminal."""
    if not sys.stdout.isatty():
        try:
            sys.stdout.buffer.writelines(lines)
        except BrokenPipeError:
            silence(sys.stdout)
        return
    for line in lines:
        give(line.decode("utf-8", "backslashreplace"))


def give(text: str) -> None:
    """Write data to standard output: as it is, and in UTF-8, to a pipe or a file, safely to a terminal."""
    if not sys.stdout.isatty() and isinstance(sys.stdout, io.TextIOWrapper) and not _is_utf8(sys.stdout):
        flush()
        give_lines([text.encode()])
        return
    _write(safe(text) if sys.stdout.isatty() else text, sys.stdout)
    flush()


def flush() -> None:
    """Hand what was written to standard output to its reader, if there still is one."""
    try:
        sys.stdout.flush()
    except BrokenPipeError:
        silence(sys.stdout)


def silence(stream: TextIO) -> None:
    """Send the rest of a standard stream nowhere, also what is left in its buffer.

    A reader that went away, such as `head`, ends no command: its exit code is that of what it found.
    """
    nowhere = os.open(os.devnull, os.O_WRONLY)
    with contextlib.suppress(OSError, ValueError):
        os.dup2(nowhere, stream.fileno())
    os.close(nowhere)


def _write(text: str, stream: TextIO) -> None:
    try:
        stream.write(text)
    except BrokenPipeError:
        silence(stream)


# Progress.


LARGE_FILE = 100_000_000
"""Bytes from which reading a file shows progress."""

SOON = 1.0
"""Seconds after which work shows a bar."""

SLOW = 5.0
"""Seconds from which a job says beforehand how long it will take."""


@contextlib.contextmanager
def progress_bar(what: str, then: str = "") -> Iterator[Any]:
    """Give a function to call with what is done, what there is in all, and the name of the step that begins.

    On a terminal it shows a bar, if the work takes longer than `SOON`; else there is None to call. The bar fills only
    where steps are alike: named steps take as long as they take, so their bar moves without filling, beside their
    count and the time that has passed.

    Parameters
    ----------
    what, then
        What is done, and what is done when all steps are.
    """
    if not sys.stderr.isatty():
        yield None
        return
    with _shown_on(_ScreenBar(), what, then) as update:
        yield update


@contextlib.contextmanager
def cell_bar(what: str, then: str = "") -> Iterator[Any]:
    """Give the same below a cell of a notebook; None to call where there is none, or where its bar is shown already.

    A call that makes others, as a report that evaluates and compares, shows one bar for all of it.
    """
    if _CellBar.taken or not in_notebook():
        yield None
        return
    _CellBar.taken = True
    try:
        with _shown_on(_CellBar(), what, then) as update:
            yield update
    finally:
        _CellBar.taken = False


def in_notebook() -> bool:
    """Whether a kernel runs this, so that what is displayed appears below a cell."""
    ipython = sys.modules.get("IPython")
    return ipython is not None and hasattr(ipython.get_ipython(), "kernel")


@contextlib.contextmanager
def _shown_on(place: "_ScreenBar | _CellBar", what: str, then: str) -> Iterator[Any]:
    bar = _Bar(place, what, then or what)
    try:
        yield bar.update
    finally:
        bar.stop()


class _Bar:
    """A bar that appears when work has taken longer than `SOON`, whether it reports or not."""

    def __init__(self, place: "_ScreenBar | _CellBar", what: str, then: str) -> None:
        self._place, self._what, self._then = place, what, then
        self._lock, self._begun, self._over = threading.Lock(), False, False
        self._state: tuple[str, int, int | None] = (what, 0, None)
        self._timer = threading.Timer(SOON, self._start)
        self._timer.daemon = True
        self._timer.start()

    def update(self, done: int, total: int, step: str = "") -> None:
        """Say what is done, of how much, and which step begins; steps without a name are alike."""
        text = f"{self._what}: {step} ({done + 1} of {total})" if step else self._then if done >= total else self._what
        with self._lock:
            self._state = (text, done, None if step or done >= total else total)
            if self._begun:
                self._place.draw(*self._state)

    def _start(self) -> None:
        with self._lock:
            if not self._over:
                self._begun = True
                self._place.draw(*self._state)

    def stop(self) -> None:
        """Take the bar away."""
        self._timer.cancel()
        with self._lock:
            self._over = True
            if self._begun:
                self._place.clear()


class _ScreenBar:
    """The line of a terminal on which a bar is drawn."""

    _bar: Any = None
    _filling = False

    def draw(self, text: str, done: int, total: int | None) -> None:
        """Draw it; a bar that filled cannot become one that only moves, so it makes room for another."""
        state = {"description": _escape(text), "completed": done, "total": total}
        if self._bar is None:
            self._bar = _make_progress()
            self._bar.add_task(**state)
            self._bar.start()
        elif self._filling == (total is not None):
            self._bar.update(self._bar.task_ids[0], **state)
        else:
            self._bar.remove_task(self._bar.task_ids[0])
            self._bar.add_task(**state)
        self._filling = total is not None

    def clear(self) -> None:
        """Take it away."""
        self._bar.stop()


def _make_progress() -> Any:
    from rich.console import Console
    from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn

    columns = (TextColumn("{task.description}"), BarColumn(), TimeElapsedColumn())
    return Progress(*columns, console=Console(stderr=True), transient=True)


_PAUSE = 0.1
"""Seconds between two drawings below a cell: each is a message to the notebook."""


class _CellBar:
    """A place below the cell of a notebook. rich draws there only where ipywidgets is installed; IPython always does.

    Attributes
    ----------
    taken
        Whether a bar is there: a notebook runs one cell at a time.
    """

    taken = False
    _handle: Any = None
    _drawn = 0.0

    def draw(self, text: str, done: int, total: int | None) -> None:
        """Draw the bar that browsers have; it moves without filling where nobody knows how much there is."""
        from html import escape

        now = time.monotonic()
        if now - self._drawn < _PAUSE and done != total:
            return
        self._drawn = now
        filled = "" if total is None else f' value="{done}" max="{total}"'
        line = safe(text) if total is None else f"{safe(text)}: {done:,} of {total:,}"
        self._show(f'<div>{escape(line)} <progress style="vertical-align:middle"{filled}></progress></div>', line)

    def clear(self) -> None:
        """Take it away: nothing of it is kept in the file of the notebook."""
        self._show("", "")

    def _show(self, html: str, text: str) -> None:
        from IPython.display import display

        drawn = {"text/html": html, "text/plain": text}
        if self._handle is None:
            self._handle = display(drawn, raw=True, display_id=True)  # type: ignore[no-untyped-call]
        else:
            self._handle.update(drawn, raw=True)


@contextlib.contextmanager
def step_counter(what: str, total: int, done: int, show: bool | None = None) -> Iterator[Callable[[], None]]:
    """Give a function to call for each step that is done; a bar shows their rate and the time left.

    Parameters
    ----------
    done
        The steps that were done before.
    show
        Whether to show the bar; None: on a terminal, and below the cell of a notebook.
    """
    if show is not False and in_notebook():
        with cell_bar(what) as update:
            counted = itertools.count(done + 1)
            yield lambda: update(next(counted), total) if update else None
        return
    if not (sys.stderr.isatty() if show is None else show):
        yield lambda: None
        return
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    rate = TextColumn("{task.fields[rate]}")
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), rate, TimeRemainingColumn())
    console = Console(stderr=True)
    with Progress(*columns, console=console, transient=console.is_terminal) as bar:
        task = bar.add_task(_escape(what), total=total, completed=done, rate="")

        def step() -> None:
            speed = bar.tasks[0].speed
            bar.update(task, advance=1, rate=f"{speed:.0f}/s" if speed else "")

        yield step


def _escape(text: str) -> str:
    """Return a text, as the name of a file, that is neither a control character nor a colour to a bar."""
    from rich.markup import escape

    return escape(safe(text))


def announce_seconds(seconds: float) -> None:
    """Say on standard error how long a job will take, if that is long."""
    if seconds >= SLOW:
        say(f"comparing takes about {seconds:.0f} s")


def has_terminal(path: Any) -> bool:
    """Whether reading a file is worth a bar, and there is a terminal to draw it on."""
    size = os.path.getsize(path) if isinstance(path, str) and os.path.isfile(path) else 0
    return size >= LARGE_FILE and sys.stderr.isatty()


@contextlib.contextmanager
def reading_progress(path: Any) -> Iterator[Any]:
    """Give a counter the reader adds bytes to, shown as a bar for large files on a terminal."""
    if not has_terminal(path):
        yield None
        return
    from idealrank._core import Progress

    counter = Progress()
    with byte_progress(f"reading {os.path.basename(path)}", counter):
        yield counter


@contextlib.contextmanager
def byte_progress(what: str, counter: Any) -> Iterator[None]:
    """Show a bar of the bytes that a core ``Progress`` counts, on a terminal, if it takes longer than `SOON`."""
    if not sys.stderr.isatty():
        yield
        return
    done = threading.Event()
    watcher = threading.Thread(target=_watch, args=(what, counter, done), daemon=True)
    watcher.start()
    try:
        yield
    finally:
        done.set()
        watcher.join()


def _watch(what: str, counter: Any, done: threading.Event) -> None:
    if done.wait(SOON):
        return
    from rich.console import Console
    from rich.progress import BarColumn, DownloadColumn, Progress, TextColumn, TimeRemainingColumn

    columns = (TextColumn("{task.description}"), BarColumn(), DownloadColumn(), TimeRemainingColumn())
    with Progress(*columns, console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task(_escape(what), total=None)
        while not done.wait(0.1):
            bar.update(task, completed=counter.done, total=counter.total or None)
