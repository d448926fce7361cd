"""What is wrong with offsets: each fault is refused with a count and three examples."""

from __future__ import annotations

import functools
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from idealrank.arrays import Floats, Mask
from idealrank.data.formats.source import Source
from idealrank.data.roles import fold
from idealrank.decisions import answer_text
from idealrank.errors import DataError, listed, plural

_WAY = "Offsets count from 0: begin is the first character, end the one after the last"


@dataclass(frozen=True, eq=False)
class Offsets:
    """Where the spans of a table begin and end, as they were given.

    Attributes
    ----------
    source
        The table.
    docs, named
        (N,) the document of each row, and whether it has one.
    begin, end
        (N,) first character, and the one after the last; NaN where there is none.
    texts
        (N,) the text of each span; None if the table has no texts.
    columns
        Names of the columns of begin and end.
    said
        (N,) what the offsets of each row count, in words; None if no column says so.
    """

    source: Source
    docs: Sequence[str]
    named: Mask
    begin: Floats
    end: Floats
    texts: Sequence[str | None] | None
    columns: tuple[str, str]
    said: Sequence[str] | None

    @property
    def names(self) -> list[str | None]:
        """(N,) each span as text: ``d1[120:180]``; None for a row without a document."""
        return [self.name(row) if named else None for row, named in enumerate(self.named.tolist())]

    def name(self, row: int) -> str:
        """Write one span as text."""
        begin, end = ("?" if np.isnan(x) else answer_text(float(x)) for x in (self.begin[row], self.end[row]))
        return f"{self.docs[row]}[{begin}:{end}]"

    @functools.cached_property
    def in_tokens(self) -> Mask:
        """(N,) which offsets count tokens."""
        if self.said is not None:
            return np.array([word.strip().lower().startswith("token") for word in self.said], np.bool_) & self.named
        return np.full(len(self.named), "token" in fold(self.columns[0])) & self.named

    @property
    def is_said(self) -> bool:
        """Whether the table says what its offsets count."""
        return self.said is not None or any("token" in fold(name) or "char" in fold(name) for name in self.columns)

    def examples(self, wrong: Mask) -> str:
        """Show three of some rows, with their places."""
        rows = np.flatnonzero(wrong).tolist()
        return listed(f"{self.name(row)} in {self.source.where(row).partition(' (')[0]}" for row in rows)

    def refuse(self, wrong: Mask, what: str, way: str = _WAY) -> None:
        """Refuse rows, if there are any, with their number and three of them."""
        if wrong.any():
            raise DataError(
                f"{self.source.name}: {plural(int(wrong.sum()), 'span')} {what}: {self.examples(wrong)}. {way}."
            )


def refuse_bad_offsets(offsets: Offsets) -> None:
    """Refuse offsets that are missing, no spans, beyond the text, or some in characters and some in tokens.

    Raises
    ------
    DataError
        With how many spans are wrong, and three of them.
    """
    begin, end, named = offsets.begin, offsets.end, offsets.named
    offsets.refuse(named & (np.isnan(begin) | np.isnan(end)), "without a begin or an end", "Give every span both")
    broken = named & ~(_is_place(begin) & _is_place(end))
    offsets.refuse(broken, "with an offset below 0, not whole, or beyond 2^53")
    _refuse_other_kinds(offsets)
    offsets.refuse(named & (end <= begin), "with an end that is not after its begin")
    _refuse_mixed(offsets)
    if offsets.texts is not None and not offsets.in_tokens.any():
        _refuse_unlike_texts(offsets, offsets.texts)


def _is_place(values: Floats) -> Mask:
    """Whether numbers are places in a text: whole, from 0 on, and told apart as floats."""
    finite = np.where(np.isfinite(values), values, -1.0)
    place: Mask = (finite >= 0) & (finite < 2.0**53) & (finite % 1 == 0)
    return place


_KINDS = ("char", "token")


def _refuse_other_kinds(offsets: Offsets) -> None:
    """Refuse offsets that count neither characters nor tokens, as a column of the table says."""
    if offsets.said is None:
        return
    odd = [bool(word.strip()) and not word.strip().lower().startswith(_KINDS) for word in offsets.said]
    wrong = np.array(odd, np.bool_) & offsets.named
    if wrong.any():
        word = offsets.said[int(np.argmax(wrong))]
        offsets.refuse(wrong, f"with offsets in {word!r}", "Give them in characters or tokens")


def _refuse_mixed(offsets: Offsets) -> None:
    """Refuse a table in which some offsets count characters and others tokens."""
    tokens = ["token" in fold(name) for name in offsets.columns]
    if offsets.said is None and tokens[0] != tokens[1]:
        raise DataError(
            f"{offsets.source.name}: {offsets.columns[tokens.index(True)]} counts tokens and "
            f"{offsets.columns[tokens.index(False)]} characters. Give both of one kind."
        )
    kinds = {False: offsets.named & ~offsets.in_tokens, True: offsets.in_tokens}
    if kinds[False].any() and kinds[True].any():
        raise DataError(mixed(offsets, kinds[False], offsets, kinds[True]))


def mixed(characters: Offsets, in_characters: Mask, tokens: Offsets, in_tokens: Mask) -> str:
    """Say that some spans are in characters and some in tokens."""
    many = [plural(int(one.sum()), "span") for one in (in_characters, in_tokens)]
    where = characters.source.name
    other = "" if tokens is characters else f" in {tokens.source.name}"
    return (
        f"{where}: {many[0]} in characters ({characters.examples(in_characters)}), and {many[1]} in tokens{other} "
        f"({tokens.examples(in_tokens)}). Offsets of one kind are needed everywhere: convert one of them. If a table "
        "does not count what its column names say, give it a column offsets that says characters or tokens."
    )


def _refuse_unlike_texts(offsets: Offsets, texts: Sequence[str | None]) -> None:
    """Refuse spans longer than their own texts, and lengths that look like counts of tokens."""
    has = offsets.named & np.array([bool(text) for text in texts], np.bool_)
    size = offsets.end - offsets.begin
    characters = np.array([len(text or "") for text in texts], np.float64)
    long = has & (size > characters)
    offsets.refuse(long, "beyond the end of their own text", f"{_WAY}; bytes or tokens are no characters")
    words = np.array([len((text or "").split()) for text in texts], np.float64)
    if has.any() and not offsets.is_said and ((2 * size <= characters) & (2 * size >= words))[has].all():
        way = "If they count tokens, give every table a column offsets that says tokens; else one that says characters"
        offsets.refuse(has, "of which none is half as long as its text, as if they counted tokens", way)


def refuse_beyond(offsets: Offsets, texts: Mapping[str, str]) -> None:
    """Refuse spans in characters that end beyond the text of their document, where it is known.

    Raises
    ------
    DataError
        With how many, and three of them.
    """
    size = np.array([len(texts[doc]) if doc in texts else np.inf for doc in offsets.docs])
    beyond = offsets.named & ~offsets.in_tokens & (offsets.end > size)
    way = f"{_WAY}; bytes or tokens are no characters"
    offsets.refuse(beyond, "beyond the end of the document", way)
