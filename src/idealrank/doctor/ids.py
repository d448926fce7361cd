"""The ids of tables, by row, and which of them would meet the judged ones if they were written alike."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import NamedTuple

from idealrank._core import Column
from idealrank.arrays import Ints
from idealrank.data.ids import id_text
from idealrank.data.judgments import Judgments
from idealrank.data.results import Results
from idealrank.judged_lists.near_spellings import differing, spelt

FEWEST = 3
"""Ids that must meet without a prefix, at least."""


class Ids(NamedTuple):
    """The ids of a column: a number per row, -1 where there is none, and the ids they stand for."""

    code: Ints
    names: list[str]

    @classmethod
    def of(cls, column: Column) -> Ids:
        """Read the ids of a column."""
        code, distinct = column.codes()
        return cls(code, [id_text(name) for name in distinct.to_list()])

    def at(self, row: int) -> str:
        """Return the id of a row; "" where there is none."""
        return self.names[self.code[row]] if self.code[row] >= 0 else ""


def queries_of(table: Judgments | Results) -> Ids:
    """Return the queries of a table."""
    return table.kept.once("ids of queries", lambda: Ids.of(table.keys.query))


def documents_of(table: Judgments | Results) -> Ids:
    """Return the documents of a table."""
    return table.kept.once("ids of documents", lambda: Ids.of(table.source.ids(table.doc)))


class Alike(NamedTuple):
    """Ids that would meet judged ones: the judged id of each, and in what they differ."""

    ours: Mapping[str, str]
    by: str


def alike_spelt(theirs: Iterable[str], ours: Iterable[str]) -> Alike:
    """Match ids that differ only in how they are spelled; those that could be two judged ids are left alone.

    Examples
    --------
    >>> alike_spelt(["A1", "b"], ["a1", "c"])
    Alike(ours={'A1': 'a1'}, by='letter case')
    >>> alike_spelt(["A1"], ["a1", "a01"]).ours
    {}
    """
    mine = set(ours)
    known, twice = _once(mine)
    missing = [text for text in theirs if text and text not in mine]
    found = {text: known[key] for text in missing if (key := spelt(text)) in known and key not in twice}
    causes = dict.fromkeys(differing(*pair) for pair in found.items())
    return Alike(found, " or ".join(causes))


def _once(ids: Iterable[str]) -> tuple[dict[str, str], set[str]]:
    """Return the id of each spelling, and the spellings of several ids."""
    known: dict[str, str] = {}
    twice: set[str] = set()
    for text in ids:
        if known.setdefault(spelt(text), text) != text:
            twice.add(spelt(text))
    return known, twice


def alike_prefixed(theirs: Iterable[str], ours: Iterable[str]) -> Alike:
    """Match ids that all begin with the same text, which the judged ones lack, or the other way round.

    Examples
    --------
    >>> alike_prefixed(["doc:1", "doc:2", "doc:3"], ["1", "2", "3"])
    Alike(ours={'doc:1': '1', 'doc:2': '2', 'doc:3': '3'}, by='the prefix doc:')
    >>> alike_prefixed(["1", "2", "3"], ["p-1", "p-2", "p-3"]).by
    'the prefix p-'

    Digits are no prefix of a number.

    >>> alike_prefixed(["12", "13", "14"], ["2", "3", "4"]).ours
    {}
    """
    mine = set(ours)
    missing = [text for text in theirs if text and text not in mine]
    longer, start = _without_prefix(missing, mine)
    if longer:
        return Alike(longer, f"the prefix {start}")
    shorter, start = _without_prefix(mine, set(missing))
    return Alike({short: long for long, short in shorter.items()}, f"the prefix {start}" if shorter else "")


def _without_prefix(long: Iterable[str], short: set[str]) -> tuple[dict[str, str], str]:
    """Return the short id of each long one under the prefix that most of them lose, and the prefix."""
    words = list(long)
    first, last = min(words, default=""), max(words, default="")
    alike = [a == b for a, b in zip(first, last, strict=False)]
    start = first[: [*alike, False].index(False)]
    best: dict[str, str] = {}
    at = 0
    for size in range(1, len(start) + 1):
        found = {word: word[size:] for word in words if word[size:] in short and _ends(word, size)}
        if len(found) > len(best):
            best, at = found, size
    return (best, start[:at]) if len(best) >= FEWEST else ({}, "")


def _ends(word: str, size: int) -> bool:
    return not (word[size - 1].isdigit() and word[size : size + 1].isdigit())
