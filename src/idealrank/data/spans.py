"""Spans: the part of a document's text that a row names, from one character to another, or from token to token."""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import dataclass, fields, replace
from typing import Any, Generic, NamedTuple, Self, TypeVar

import numpy as np

from idealrank._core import Column, from_columns
from idealrank.arrays import Floats, Ints, Kept
from idealrank.data.formats.source import Source
from idealrank.data.ids import Keyed, id_text, there
from idealrank.data.judgments import Judgments
from idealrank.data.results import Results
from idealrank.data.roles import PARTS, Roles, fold
from idealrank.data.span_checks import Offsets, refuse_bad_offsets
from idealrank.errors import NoColumnError, option

SPANS = "spans"
"""The unit of those who judge spans of text."""

Table = TypeVar("Table", bound=Judgments | Results)

_TEXTS = ("text", "content", "contents", "pagecontent", "chunktext", "chunk", "passage", "excerpt", "quote", "body")
"""Names of columns with the text of a span, folded by `fold`; the first one found is used."""


class Stretches(NamedTuple):
    """Stretches of text: (N,) number of the document, first character, and the one after the last."""

    doc: Ints
    begin: Ints
    end: Ints

    def at(self, rows: Ints) -> Stretches:
        """Return those of some rows."""
        return Stretches(*(values[rows] for values in self))

    @property
    def size(self) -> Ints:
        """(N,) characters in each."""
        return self.end - self.begin


class Spans(NamedTuple):
    """The judged spans by entry of the pool, and the chunks by row of the results; documents have the same numbers."""

    judged: Stretches
    chunks: Stretches


@dataclass(frozen=True, eq=False)
class InSpans(Generic[Table]):
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
    offsets: Offsets

    def stretches(self, numbers: dict[str, int]) -> Stretches:
        """Return them as numbers, the documents by the numbers given; new documents get the next ones."""
        code, names = self.docs.codes()
        ours: list[int] = [numbers.setdefault(id_text(name), len(numbers)) for name in names.to_list()]
        doc = np.array([*ours, -1], np.int64)[code]
        whole = np.nan_to_num(np.stack((self.offsets.begin, self.offsets.end))).astype(np.int64)
        return Stretches(doc, *whole)


@dataclass(frozen=True, eq=False)
class _InSpans(Source):
    """A source whose documents are the spans of its rows; all else is as in the one it was made of."""

    doc: int = -1
    spans: Column | None = None
    whole: Source | None = None

    @classmethod
    def made(cls, source: Source, doc: int, spans: Column) -> Self:
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


def spans_of(table: Table) -> InSpans[Table]:
    """Return the spans of judgments or results; found once.

    Raises
    ------
    DataError
        If a row has no offsets, or they are no span; the message counts such rows and shows three.
    NoColumnError
        If there are no columns for the begin and the end.
    """
    return table.kept.once("spans", lambda: _found(table))


class _Found(NamedTuple):
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


def _found(table: Table) -> InSpans[Table]:
    beside = _beside(table)
    document, own = _documents(table, beside)
    docs = document.source.ids(document.place)
    offsets = _offsets(table, beside, docs)
    refuse_bad_offsets(offsets)
    roles = table.roles.without("begin", "end")
    if own is not None and isinstance(table, Results) and not _nameless(table.source.ids(own), docs):
        return InSpans(replace(table, doc=own, roles=roles, kept=Kept()), docs, offsets)
    spans = from_columns(["span"], [offsets.names]).column(0)
    source = _InSpans.made(table.source, table.doc, spans)
    return InSpans(replace(table, source=source, roles=roles, kept=Kept()), docs, offsets)


def _nameless(own: Column, docs: Column) -> bool:
    """Whether a chunk of a document has no id of its own: then all are called after their spans."""
    every = np.arange(len(docs))
    return bool(own.missing or "" in own.distinct(1 << 20)) and bool((there(docs, every) & ~there(own, every)).any())


def _offsets(table: Keyed, beside: _Beside | None, docs: Column) -> Offsets:
    if not table.source.frame.rows:
        nothing = np.zeros(0)
        return Offsets(table.source, [], nothing.astype(np.bool_), nothing, nothing, None, ("begin", "end"), None)
    begin, end = (_role(table, beside, role) for role in ("begin", "end"))
    text = _text(table)
    if begin is None or (end is None and text is None):
        raise _no_columns(table, beside)
    texts = None if text is None else [None if value is None else str(value) for value in text.texts()]
    first = begin.floats()
    last = end.floats() if end is not None else first + [len(words or "") for words in texts or ()]
    named = there(docs, np.arange(len(docs)))
    said = _role(table, beside, "offsets")
    words = [str(word or "") for word in said.texts()] if said is not None else None
    names = (begin.name, end.name if end is not None else begin.name)
    ids = [id_text(doc) for doc in docs.to_list(None)]
    return Offsets(table.source, ids, named, first, last, texts if end is not None else None, names, words)


def _role(table: Keyed, beside: _Beside | None, role: str) -> _Found | None:
    """Find the column of a role in the table, else in its metadata."""
    if (place := table.roles.find(role)) is not None:
        return _Found(table.source, place)
    return None if beside is None else beside.find(role)


def _text(table: Keyed) -> _Found | None:
    folded = {fold(name): place for place, name in reversed(list(enumerate(table.source.frame.names)))}
    place = next((folded[name] for name in _TEXTS if name in folded), None)
    taken = place in (table.roles.find("doc"), table.roles.key)
    return None if place is None or taken else _Found(table.source, place)


def _documents(table: Judgments | Results, beside: _Beside | None) -> tuple[_Found, int | None]:
    """Find the column of the documents that spans are of, and that of the spans' own ids, if they have some."""
    mine, names = table.doc, table.source.frame.names
    if table.roles.chosen.get("doc") == mine or table.form:
        return _Found(table.source, mine), None
    part = fold(names[mine]) in PARTS
    other = table.roles.find("doc", but=mine)
    if part and other is not None:
        return _Found(table.source, other), mine
    inside = beside.find("doc") if beside is not None and (part or fold(names[mine]) in ("id", "docid")) else None
    if inside is not None:
        return inside, mine
    return _Found(table.source, mine), other if other is not None and fold(names[other]) in PARTS else None


class _Beside(NamedTuple):
    """What the rows of a table say within objects: LangChain and LlamaIndex name documents and offsets there."""

    source: Source
    names: list[str]

    def find(self, role: str) -> _Found | None:
        """Find the column of a role; ids of the rows themselves are not their documents'."""
        names = ["" if fold(name) in {"id", *PARTS} else name for name in self.names]
        place = Roles(self.source.name, names, {}).find(role)
        return None if place is None else _Found(self.source, place)


def _beside(table: Keyed) -> _Beside | None:
    """Return the columns that were read from objects of a row, or a column of JSON objects called metadata."""
    names = table.source.frame.names
    if any("/" in name for name in names):
        return _Beside(table.source, [name.rpartition("/")[2] if "/" in name else "" for name in names])
    place = next((place for place, name in enumerate(names) if fold(name) in ("metadata", "meta")), None)
    if place is None:
        return None
    rows = [_object(value) for value in table.source.frame.column(place).to_list(None)]
    flat = (key for row in rows for key, value in row.items() if isinstance(value, (str, int, float)))
    keys = list(dict.fromkeys(flat))
    values = [_plain(row.get(key) for row in rows) for key in keys]
    source = Source(f"{table.name} ({names[place]})", from_columns(keys, values)) if keys else None
    return None if source is None else _Beside(source, keys)


def _object(value: Any) -> dict[str, Any]:
    if isinstance(value, str) and value.lstrip().startswith("{"):
        try:
            value = json.loads(value)
        except ValueError:
            return {}
    return value if isinstance(value, dict) else {}


def _plain(values: Iterable[Any]) -> list[Any]:
    """Return values of one type: numbers, or texts."""
    found = list(values)
    numbers = all(value is None or (isinstance(value, (int, float)) and not isinstance(value, bool)) for value in found)
    return found if numbers else [None if value is None else str(value) for value in found]


def _no_columns(table: Keyed, beside: _Beside | None) -> NoColumnError:
    needs = "unit=spans needs both (start_index and end_index, start and end …)"
    whole = f"or judge whole results: {option('unit', 'as_returned')}"
    if table.form:
        way = "Give a table with named columns for the document, the begin and the end"
        return NoColumnError(f"{table.name}: {table.form}, without a begin and an end, and {needs}. {way}, {whole}.")
    inside = "" if beside is None else f", and in its metadata: {', '.join(filter(None, beside.names))}"
    way = f"Name them: {table.roles.way('begin', 'end')}, {whole}"
    return NoColumnError(f"{table.name}: no begin or end column, and {needs}. {table.roles.columns}{inside}. {way}.")
