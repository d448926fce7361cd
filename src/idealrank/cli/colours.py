"""The colours of the terminal: the page's blue for better, its orange for worse; none where none are wanted."""

import os
import re
import sys
from collections.abc import Iterable, Sequence
from itertools import chain, repeat

from idealrank.display import terminal

BOLD, END = "\x1b[1m", "\x1b[0m"
BLUE, ORANGE = "\x1b[38;5;32m", "\x1b[38;5;166m"
"""Both are read on black and on white."""

_SIGNS = {"▲": BLUE, "▼": ORANGE}
_CHANGE = re.compile(r"([▲▼])( [+\-−]?[\d.,]+)?")


def coloured() -> bool:
    """Whether standard output is a terminal that may be written to in bold and in colour."""
    return sys.stdout.isatty() and not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"


def signs(line: str) -> str:
    r"""Colour the signs of better and worse with their numbers.

    Examples
    --------
    >>> signs("RR  ▼ -0.2500")
    'RR  \x1b[38;5;166m▼ -0.2500\x1b[0m'
    """
    return _CHANGE.sub(lambda found: f"{_SIGNS[found[1]]}{found[0]}{END}", line)


def show(blocks: Iterable[list[str]], below: Iterable[str] = (), colours: Sequence[str] = ()) -> None:
    """Write blocks of lines to the terminal, a blank line between; the first line of each is a header, in bold.

    Parameters
    ----------
    below
        Lines that have no header.
    colours
        Of the first headers.
    """
    drawn, rest, paint = [block for block in blocks if block], list(below), signs if coloured() else str
    for block, colour, space in zip(drawn, chain(colours, repeat("")), chain([[]], repeat([""])), strict=False):
        around = (BOLD + colour, END) if coloured() else ("", "")
        terminal.show(space)
        terminal.show(block, *around, paint)
    terminal.show(["", *rest] if drawn and rest else rest, paint=paint)
    sys.stdout.flush()
