"""Ids that differ only in how they are spelled: letter case, spaces, zeros, encodings."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Collection, Iterable
from typing import NamedTuple
from urllib.parse import unquote

from idealrank.data.formats.messages import quoted

_PAIRS = 500
"""Number of pairs examined for how they differ."""

_ZEROS = re.compile(r"(?<!\d)0+(?=\d)")

_SPELLINGS: dict[str, Callable[[str], str]] = {
    "URL encoding": lambda text: unquote(text) if "%" in text else text,
    "Unicode form": lambda text: text if text.isascii() else unicodedata.normalize("NFKC", text),
    "letter case": str.lower,
    "surrounding spaces": str.strip,
    "leading zeros": lambda text: _ZEROS.sub("", text) if "0" in text else text,
}


class Near(NamedTuple):
    """Ids of results that differ from judged ones only in spelling: how many, an example, and how they differ."""

    many: int
    theirs: str
    ours: str
    by: str
    of: int = 0
    """Number compared, if not all were."""

    @property
    def text(self) -> str:
        """The example in words."""
        return f"{quoted(self.theirs)} returned, {quoted(self.ours)} judged"


def near(theirs: Iterable[str], ours: Collection[str]) -> Near | None:
    """Find ids that differ only in letter case, spaces around them, leading zeros, URL encoding or Unicode form.

    Examples
    --------
    >>> near(["Q1", "q7"], ["q1", "q2"])
    Near(many=1, theirs='Q1', ours='q1', by='letter case', of=0)
    """
    return near_of(pairs_of(theirs, ours))


def pairs_of(theirs: Iterable[str], ours: Collection[str]) -> list[tuple[str, str]]:
    """Pair ids with those of ours that are spelled otherwise, and are not there as they are."""
    mine = set(ours)
    known = {spelt(text): text for text in sorted(mine)}
    return [(text, known[key]) for text in theirs if text not in mine and (key := spelt(text)) in known]


def near_of(pairs: list[tuple[str, str]]) -> Near | None:
    """Count pairs of ids, and say how they differ."""
    if not pairs:
        return None
    causes = dict.fromkeys(differing(*pair) for pair in pairs[:_PAIRS])
    return Near(len(pairs), *pairs[0], " or ".join(causes))


def spelt(text: str, but: str = "") -> str:
    """Return an id in the spelling that all ids that differ only in spelling have in common.

    Parameters
    ----------
    but
        A difference that is left as it is.
    """
    for name, alike in _SPELLINGS.items():
        text = text if name == but else alike(text)
    return text


def differing(theirs: str, ours: str) -> str:
    """Name the differences in spelling between two ids."""
    return " and ".join(name for name in _SPELLINGS if spelt(theirs, but=name) != spelt(ours, but=name))
