"""Delimited text: CSV, which no spreadsheet runs anything of, and TSV, which carries every text as it is."""

import csv
import io
import math
import re
from collections.abc import Mapping, Sequence
from types import SimpleNamespace
from typing import Any

_FORMULA = re.compile(r"[=\uff1d\t\r\n]|[-+@\uff0d\uff0b\uff20](?![\w.-]*\Z)")
"""How a text begins that a spreadsheet would run; a sign and one word, as in an id, calls nothing.

Some read the full-width forms of these signs as =, +, - and @, and go past a line end at the beginning.
"""


def delimited(columns: Mapping[str, Sequence[Any]], separator: str) -> str:
    r"""Write columns with a header; a text that a spreadsheet would run has an apostrophe before it, but for tabs.

    Examples
    --------
    >>> print(delimited({"doc": ["=1+1", "-5", "@a"], "n": [-1.5, 2.0, None]}, ","), end="")
    doc,n
    '=1+1,-1.5
    -5,2.0
    @a,
    """
    out = io.StringIO()
    lines = SimpleNamespace(write=lambda line: out.write(f"{line[:-2]}\n"))
    writer = csv.writer(lines, delimiter=separator, lineterminator="\r\n")  # so that it quotes cells with either
    for row in (columns, *zip(*columns.values(), strict=True)):
        cells = map(_cell, row)
        writer.writerow(cells if separator == "\t" else map(harmless, cells))
    return out.getvalue()


def _cell(value: Any) -> Any:
    if value is None or (isinstance(value, float) and math.isnan(value)):
        return ""
    return " ".join(map(str, value)) if isinstance(value, (list, tuple, set, frozenset)) else value


def harmless(cell: Any) -> Any:
    r"""Return a cell that no spreadsheet runs: a text that it would run gets an apostrophe in front.

    Examples
    --------
    >>> harmless("=1+1"), harmless("-5"), harmless(-5)
    ("'=1+1", '-5', -5)
    >>> harmless("\n=1+1"), harmless("\uff1d1+1"), harmless("\uff0b1+1"), harmless("\uff0d5")
    ("'\n=1+1", "'\uff1d1+1", "'\uff0b1+1", '\uff0d5')
    """
    return f"'{cell}" if isinstance(cell, str) and _FORMULA.match(cell) else cell
