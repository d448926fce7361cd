"""Times in outputs: they are other ones in every run, and a page keeps those of one run.

A block below ``<!-- times vary -->`` is compared without them. Everything else in it must be what is printed now.
"""

from __future__ import annotations

import re

MARK = "<!-- times vary -->\n"

_RULE = re.compile(r"^─+$", re.MULTILINE)
_GAP = re.compile(r"\s{2,}")
_SAID = re.compile(
    r"Latency( of [^:]+)?: .*?(?:\.(?= |$)|--latency)"
    r"|The p\d\d latency .*? ms\)?\.(?= |$)"
    r"|(?<=p\d\d latency )is [\d.,]+ ms"
)
"""Sentences about times, in a paragraph on one line."""


def timeless(text: str) -> str:
    r"""Return an output without its times.

    Examples
    --------
    >>> timeless("system  failed  p50 ms\n──────\nbm25         0    12.3\n\nLatency: p50 12.3 ms (11 to –).")
    'system failed p50 ms ─ bm25 0 #\n\n#'
    """
    return "\n\n".join(_paragraph(part) for part in text.split("\n\n"))


def _paragraph(text: str) -> str:
    lines = text.split("\n")
    rule = next((place for place, line in enumerate(lines) if _RULE.match(line)), None)
    if rule:
        times = [place for place, name in enumerate(_GAP.split(lines[rule - 1])) if name.endswith(" ms")]
        lines = [*lines[:rule], "─", *(_row(line, times) for line in lines[rule + 1 :])]
    return _SAID.sub("#", " ".join(" ".join(lines).split()))


def _row(line: str, times: list[int]) -> str:
    return " ".join("#" if place in times else text for place, text in enumerate(_GAP.split(line)))
