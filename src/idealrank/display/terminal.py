"""The terminal: the one door through which text goes to people; nothing in it can act on their screen."""

import contextlib
import os
import sys
from collections.abc import Callable, Iterable
from typing import TextIO

from idealrank.errors import isolated, visible_line, visible_lines


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
    _write(f"{one_line(line)}\n", sys.stderr)


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
        _write(f"{before}{one_line(line)}{after}\n" if first else f"{paint(one_line(line))}\n", sys.stdout)


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
    """Write data to standard output: as it is to a pipe or a file, safely to a terminal."""
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
