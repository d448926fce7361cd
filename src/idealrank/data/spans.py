"""Spans: the part of a document's text that a row names, from one character to another, or from token to token."""

from __future__ import annotations

import functools
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from typing import Any, Generic, NamedTuple, Self, TypeVar

import numpy as np

from idealrank._core import Column, from_columns
from idealrank.arrays import Cache, Floats, Ints, Mask
from idealrank.data.formats.source import Source
from idealrank.data.ids import Keyed, id_text, present_ids
from idealrank.data.judgments import Judgments
from idealrank.data.results import Results
from idealrank.data.roles import PART_IDS, Roles, first_named, fold
from idealrank.decisions.question import answer_text
from idealrank.errors import DataError, NoColumnError, listed, option, plural

Table = TypeVar("Table", bound=Judgments | Results)

_TEXTS = ("text", "content", "contents", "pagecontent", "chunktext", "chunk", "passage", "excerpt", "quote", "body")
"""Names of columns with the text of a span, folded by `fold`; the first one found is used."""


class SpanBounds(NamedTuple):
    """Stretches of text: (N,) number of the document, first character, and the one after the last."""

    doc: Ints
    begin: Ints
    end: Ints

    def at(self, rows: Ints) -> SpanBounds:
        """Return those of some rows."""
        return SpanBounds(*(values[rows] for values in self))

    @property
    def size(self) -> Ints:
        """(N,) characters in each."""
        return self.end - self.begin


class Spans(NamedTuple):
    """The judged spans by entry of the pool, and the chunks by row of the results; documents have the same numbers."""

    judged: SpanBounds
    chunks: SpanBounds


@dataclass(frozen=True, eq=False)
class TableSpans(Generic[Table]):
    """The spans of a table's rows.

    Attributes
    ----------
    table
        The table, with spans as its documents: chunks by their own ids, other spans as ``d1[120:180]``.
    docs
        (N,) the document of each row; none where a row only names a query.
    offsets
        Where the span of each row begins and ends.
    """

    table: Table
    docs: Column
    offsets: SpanOffsets

    def bounds(self, numbers: dict[str, int]) -> SpanBounds:
        """Return them as numbers, the documents by the numbers given; new documents get the next ones."""
        code, names = self.docs.codes()
        ours: list[int] = [numbers.setdefault(id_text(name), len(numbers)) for name in names.to_list()]
        doc = np.array([*ours, -1], np.int64)[code]
        whole = np.nan_to_num(np.stack((self.offsets.begin, self.offsets.end))).astype(np.int64)
        return SpanBounds(doc, *whole)


def spans_of(table: Table) -> TableSpans[Table]:
    """Return the spans of judgments or results; found once.

    Raises
    ------
    DataError
        If a row has no offsets, or they are no span; the message counts such rows and shows three.
    NoColumnError
        If there are no columns for the begin and the end.
    """
    return table.kept.once("spans", lambda: _read_spans(table))


class _FoundColumn(NamedTuple):
    """A column that was found: in the table itself, or in its metadata."""

    source: Source
    place: int

    @property
    def name(self) -> str:
        return self.source.frame.names[self.place]

    def floats(self) -> Floats:
        column = self.source.number(self.place)
        assert column is not None
        return column.floats()

    def texts(self) -> list[Any]:
        return self.source.frame.column(self.place).to_list(None)


def _read_spans(table: Table) -> TableSpans[Table]:
    metadata = _row_metadata(table)
    document, own = _find_documents(table, metadata)
    docs = document.source.ids(document.place)
    offsets = _read_offsets(table, metadata, docs)
    refuse_bad_offsets(offsets)
    roles = table.roles.without_columns_of("begin", "end")
    if own is not None and isinstance(table, Results) and not _lacks_own_ids(table.source.ids(own), docs):
        return TableSpans(replace(table, doc=own, roles=roles, kept=Cache()), docs, offsets)
    spans = from_columns(["span"], [offsets.names]).column(0)
    source = _SpanSource.wrap(table.source, table.doc, spans)
    return TableSpans(replace(table, source=source, roles=roles, kept=Cache()), docs, offsets)


@dataclass(frozen=True, eq=False)
class _SpanSource(Source):
    """A source in which each row's document is its span; everything else is as in the original source."""

    doc: int = -1
    spans: Column | None = None
    whole: Source | None = None

    @classmethod
    def wrap(cls, source: Source, doc: int, spans: Column) -> Self:
        """Return a source with these spans in the column of its documents."""
        parts = {part.name: getattr(source, part.name) for part in fields(Source)}
        return cls(**parts, doc=doc, spans=spans, whole=source)

    def ids(self, index: int) -> Column:
        """Return a column of ids; of the documents, their spans."""
        if self.whole is None or self.spans is None or self.frame is not self.whole.frame:
            return super().ids(index)
        return self.spans if index == self.doc else self.whole.ids(index)

    def where(self, row: int) -> str:
        """Say where in the table a row is."""
        return super().where(row) if self.whole is None else self.whole.where(row)


def _lacks_own_ids(own: Column, docs: Column) -> bool:
    """Whether a chunk of a document has no id of its own: then all are called after their spans."""
    every = np.arange(len(docs))
    # Asking the column first costs little; the texts of all rows are compared only if an id is missing somewhere.
    return bool(own.missing or "" in own.distinct(1 << 20)) and bool(
        (present_ids(docs, every) & ~present_ids(own, every)).any()
    )


def _read_offsets(table: Keyed, metadata: _RowMetadata | None, docs: Column) -> SpanOffsets:
    if not table.source.frame.rows:
        nothing = np.zeros(0)
        return SpanOffsets(table.source, [], nothing.astype(np.bool_), nothing, nothing, None, ("begin", "end"), None)
    begin, end = (_find_role(table, metadata, role) for role in ("begin", "end"))
    text = _find_text(table)
    if begin is None or (end is None and text is None):
        raise _no_offsets(table, metadata)
    texts = None if text is None else [None if value is None else str(value) for value in text.texts()]
    first = begin.floats()
    last = end.floats() if end is not None else first + [len(words or "") for words in texts or ()]
    named = present_ids(docs, np.arange(len(docs)))
    unit = _find_role(table, metadata, "offsets")
    words = [str(word or "") for word in unit.texts()] if unit is not None else None
    names = (begin.name, end.name if end is not None else begin.name)
    ids = [id_text(doc) for doc in docs.to_list(None)]
    return SpanOffsets(table.source, ids, named, first, last, texts if end is not None else None, names, words)


def _find_role(table: Keyed, metadata: _RowMetadata | None, role: str) -> _FoundColumn | None:
    """Find the column of a role in the table, else in its metadata."""
    if (place := table.roles.find(role)) is not None:
        return _FoundColumn(table.source, place)
    return None if metadata is None else metadata.find(role)


def _find_text(table: Keyed) -> _FoundColumn | None:
    place = first_named(table.source.frame.names, _TEXTS)
    taken = place in (table.roles.find("doc"), table.roles.key)
    return None if place is None or taken else _FoundColumn(table.source, place)


def _find_documents(table: Judgments | Results, metadata: _RowMetadata | None) -> tuple[_FoundColumn, int | None]:
    """Find the column of the documents that spans are of, and that of the spans' own ids, if they have some."""
    mine, names = table.doc, table.source.frame.names
    if table.roles.chosen.get("doc") == mine or table.form:
        return _FoundColumn(table.source, mine), None
    part = fold(names[mine]) in PART_IDS
    other = table.roles.find("doc", but=mine)
    if part and other is not None:
        return _FoundColumn(table.source, other), mine
    inside = metadata.find("doc") if metadata is not None and (part or fold(names[mine]) in ("id", "docid")) else None
    if inside is not None:
        return inside, mine
    return _FoundColumn(table.source, mine), other if other is not None and fold(names[other]) in PART_IDS else None


class _RowMetadata(NamedTuple):
    """What the rows of a table say within objects: LangChain and LlamaIndex name documents and offsets there."""

    source: Source
    names: list[str]

    def find(self, role: str) -> _FoundColumn | None:
        """Find the column of a role; ids of the rows themselves are not their documents'."""
        names = ["" if fold(name) in {"id", *PART_IDS} else name for name in self.names]
        place = Roles(self.source.name, names, {}).find(role)
        return None if place is None else _FoundColumn(self.source, place)


def _row_metadata(table: Keyed) -> _RowMetadata | None:
    """Return the columns that were read from objects of a row, or a column of JSON objects called metadata."""
    names = table.source.frame.names
    if any("/" in name for name in names):
        return _RowMetadata(table.source, [name.rpartition("/")[2] if "/" in name else "" for name in names])
    place = next((place for place, name in enumerate(names) if fold(name) in ("metadata", "meta")), None)
    if place is None:
        return None
    rows = [_parse_object(value) for value in table.source.frame.column(place).to_list(None)]
    flat = (key for row in rows for key, value in row.items() if isinstance(value, (str, int, float)))
    keys = list(dict.fromkeys(flat))
    values = [_numbers_or_texts(row.get(key) for row in rows) for key in keys]
    source = Source(f"{table.name} ({names[place]})", from_columns(keys, values)) if keys else None
    return None if source is None else _RowMetadata(source, keys)


def _parse_object(value: Any) -> dict[str, Any]:
    if isinstance(value, str) and value.lstrip().startswith("{"):
        import json

        try:
            value = json.loads(value)
        except ValueError:
            return {}
    return value if isinstance(value, dict) else {}


def _numbers_or_texts(values: Iterable[Any]) -> list[Any]:
    """Return values of one type: numbers, or texts."""
    found = list(values)
    numbers = all(value is None or (isinstance(value, (int, float)) and not isinstance(value, bool)) for value in found)
    return found if numbers else [None if value is None else str(value) for value in found]


def _no_offsets(table: Keyed, metadata: _RowMetadata | None) -> NoColumnError:
    needs = "unit=spans needs both (start_index and end_index, start and end …)"
    whole = f"or judge whole results: {option('unit', 'as_returned')}"
    if table.form:
        way = "Give a table with named columns for the document, the begin and the end"
        return NoColumnError(f"{table.name}: {table.form}, without a begin and an end, and {needs}. {way}, {whole}.")
    inside = "" if metadata is None else f", and in its metadata: {', '.join(filter(None, metadata.names))}"
    way = f"Name them: {table.roles.suggest_naming('begin', 'end')}, {whole}"
    return NoColumnError(f"{table.name}: no begin or end column, and {needs}. {table.roles.columns}{inside}. {way}.")


# What is wrong with offsets: each fault is refused with a count and three examples.


_WAY = "Offsets count from 0: begin is the first character, end the one after the last"


@dataclass(frozen=True, eq=False)
class SpanOffsets:
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
    unit_words
        (N,) what the offsets of each row count, in words; None if no column says so.
    """

    source: Source
    docs: Sequence[str]
    named: Mask
    begin: Floats
    end: Floats
    texts: Sequence[str | None] | None
    columns: tuple[str, str]
    unit_words: Sequence[str] | None

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
        if self.unit_words is not None:
            return (
                np.array([word.strip().lower().startswith("token") for word in self.unit_words], np.bool_) & self.named
            )
        return np.full(len(self.named), "token" in fold(self.columns[0])) & self.named

    @property
    def names_unit(self) -> bool:
        """Whether the table says what its offsets count."""
        return self.unit_words is not None or any(
            "token" in fold(name) or "char" in fold(name) for name in self.columns
        )

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


def refuse_bad_offsets(offsets: SpanOffsets) -> None:
    """Refuse offsets that are missing, no spans, beyond the text, or some in characters and some in tokens.

    Raises
    ------
    DataError
        With how many spans are wrong, and three of them.
    """
    begin, end, named = offsets.begin, offsets.end, offsets.named
    offsets.refuse(named & (np.isnan(begin) | np.isnan(end)), "without a begin or an end", "Give every span both")
    broken = named & ~(_are_offsets(begin) & _are_offsets(end))
    offsets.refuse(broken, "with an offset below 0, not whole, or beyond 2^53")
    _refuse_other_kinds(offsets)
    offsets.refuse(named & (end <= begin), "with an end that is not after its begin")
    _refuse_mixed(offsets)
    if offsets.texts is not None and not offsets.in_tokens.any():
        _refuse_unlike_texts(offsets, offsets.texts)


def _are_offsets(values: Floats) -> Mask:
    """Whether numbers are places in a text: whole, from 0 on, and told apart as floats."""
    finite = np.where(np.isfinite(values), values, -1.0)
    place: Mask = (finite >= 0) & (finite < 2.0**53) & (finite % 1 == 0)
    return place


_KINDS = ("char", "token")


def _refuse_other_kinds(offsets: SpanOffsets) -> None:
    """Refuse offsets that count neither characters nor tokens, as a column of the table says."""
    if offsets.unit_words is None:
        return
    odd = [bool(word.strip()) and not word.strip().lower().startswith(_KINDS) for word in offsets.unit_words]
    wrong = np.array(odd, np.bool_) & offsets.named
    if wrong.any():
        word = offsets.unit_words[int(np.argmax(wrong))]
        offsets.refuse(wrong, f"with offsets in {word!r}", "Give them in characters or tokens")


def _refuse_mixed(offsets: SpanOffsets) -> None:
    """Refuse a table in which some offsets count characters and others tokens."""
    tokens = ["token" in fold(name) for name in offsets.columns]
    if offsets.unit_words is None and tokens[0] != tokens[1]:
        raise DataError(
            f"{offsets.source.name}: {offsets.columns[tokens.index(True)]} counts tokens and "
            f"{offsets.columns[tokens.index(False)]} characters. Give both of one kind."
        )
    kinds = {False: offsets.named & ~offsets.in_tokens, True: offsets.in_tokens}
    if kinds[False].any() and kinds[True].any():
        raise DataError(mixed_offsets(offsets, kinds[False], offsets, kinds[True]))


def mixed_offsets(characters: SpanOffsets, in_characters: Mask, tokens: SpanOffsets, in_tokens: Mask) -> str:
    """Say that some spans are in characters and some in tokens."""
    many = [plural(int(one.sum()), "span") for one in (in_characters, in_tokens)]
    where = characters.source.name
    other = "" if tokens is characters else f" in {tokens.source.name}"
    return (
        f"{where}: {many[0]} in characters ({characters.examples(in_characters)}), and {many[1]} in tokens{other} "
        f"({tokens.examples(in_tokens)}). Offsets of one kind are needed everywhere: convert one of them. If a table "
        "does not count what its column names say, give it a column offsets that says characters or tokens."
    )


def _refuse_unlike_texts(offsets: SpanOffsets, texts: Sequence[str | None]) -> None:
    """Refuse spans longer than their own texts, and lengths that look like counts of tokens."""
    has = offsets.named & np.array([bool(text) for text in texts], np.bool_)
    size = offsets.end - offsets.begin
    characters = np.array([len(text or "") for text in texts], np.float64)
    long = has & (size > characters)
    way = f"{_WAY}; bytes or tokens are no characters. If the text is only the beginning of a chunk, leave it out"
    offsets.refuse(long, "beyond the end of their own text", way)
    words = np.array([len((text or "").split()) for text in texts], np.float64)
    if has.any() and not offsets.names_unit and ((2 * size <= characters) & (2 * size >= words))[has].all():
        way = "If they count tokens, give every table a column offsets that says tokens; else one that says characters"
        offsets.refuse(has, "of which none is half as long as its text, as if they counted tokens", way)


def refuse_beyond(offsets: SpanOffsets, texts: Mapping[str, str]) -> None:
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
