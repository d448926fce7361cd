"""The documents table: a title for each id, and the addresses of the document and of a picture of it where given."""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from idealrank.data.formats.messages import quoted
from idealrank.data.formats.objects import is_row
from idealrank.data.formats.reader import read_frame
from idealrank.data.formats.source import Origin, Source
from idealrank.data.ids import Keyed, id_text
from idealrank.data.roles import Roles, first_named, fold
from idealrank.decisions.fields import AS_RETURNED, SPANS
from idealrank.errors import DataError, NoColumnError, UsageError, either, option

_TITLES = (
    *("title", "producttitle", "itemtitle", "documenttitle", "doctitle", "articletitle", "pagetitle"),
    *("name", "productname", "itemname", "documentname", "headline", "heading", "subject", "product", "item"),
)
_CLEAR_TITLES = frozenset(_TITLES[:7])
"""Names that mean a title beside judgments and results, too."""

_TEXTS = ("text", "body", "content", "contents", "passage", "description", "abstract", "snippet", "document", "doc")
_ADDRESSES = ("url", "link", "href", "uri", "producturl", "itemurl", "documenturl", "docurl", "pageurl", "weburl")
_PICTURES = (
    "image",
    "imageurl",
    "imagelink",
    "picture",
    "pictureurl",
    "photo",
    "photourl",
    "thumbnail",
    "thumbnailurl",
    "img",
    "imgurl",
    "mainimage",
)
"""Accepted names, folded by `fold`; the first one found is used."""

_ID_TIERS = (slice(0, 1), slice(2, 3), slice(1, 2))
"""Column names for ids; here a column called document or product next to one called id is a text."""

_WEB = re.compile(r"https?://\S+", re.IGNORECASE)
_SAFE = re.compile(r"https://\S+", re.IGNORECASE)
_TITLE_LENGTH = 200
"""Characters of a text used as a title."""

_KEY = "(key)"
"""Column name for the keys of a dict."""


@dataclass(frozen=True, eq=False)
class Documents:
    """What is known about documents.

    Attributes
    ----------
    titles
        ``{document id: title}``, None if there is neither title nor text.
    urls
        ``{document id: URL}`` of those with a web address (http, https).
    name
        The table's name.
    origin
        The file it was read from, if any.
    pictures
        ``{document id: address}`` of those with a picture on the web that is read encrypted (https).
    table, key
        The table they were read from, and its column of ids.
    """

    titles: Mapping[str, str | None]
    urls: Mapping[str, str]
    name: str = ""
    origin: Origin | None = None
    pictures: Mapping[str, str] = field(default_factory=dict)
    table: Source | None = field(default=None, repr=False)
    key: int = -1

    def texts(self) -> dict[str, str]:
        """Return the whole text of each document that has one in its table."""
        place = None if self.table is None else first_named(self.table.frame.names, _TEXTS, self.key)
        if self.table is None or place is None or self.table.frame.nested(place) is not None:
            return {}
        rows = zip(_document_ids(self.table, self.key), column_texts(self.table, place), strict=True)
        return {key: text for key, text in reversed(list(rows)) if text is not None}

    def column(self, name: str, duplicates: str = "error") -> dict[str, str | None]:
        """Return the value of each document in a column of its table, as text; None where it is empty.

        Parameters
        ----------
        duplicates
            As for `read_documents`.

        Raises
        ------
        UsageError
            If the documents were not read from a table.
        NoColumnError
            If there is no such column.
        DataError
            If a document has two values.
        """
        if self.table is None:
            raise UsageError(f"{self.name or 'documents'}: these documents have titles only. Give their table.")
        place = Roles(self.table.name, self.table.frame.names, {"segments": name}).find("segments")
        return _value_per_document(
            self.table, _document_ids(self.table, self.key), column_texts(self.table, place), duplicates, name
        )

    @property
    def untitled(self) -> int:
        """Number of documents without a title."""
        return sum(title is None for title in self.titles.values())


def read_documents(
    source: Any,
    *,
    doc: str | None = None,
    title: str | None = None,
    duplicates: str = "error",
    column: str | None = None,
) -> Documents:
    """Read a documents table.

    Parameters
    ----------
    source
        A path, a dataframe, ``{id: title}``, or ``{id: {"title": title, …}}``. Documents are
        returned as they are. A document may have several rows if they do not contradict each other.
    doc, title
        Names of the id and title columns, if they are not found automatically. Without a title column, the
        first 200 characters of a column called text, body or the like are used.
    duplicates
        Which title counts if a document has several: ``first`` or ``last``; any other answer refuses them.
    column
        A column that is needed instead of titles, for `Documents.column`.

    Raises
    ------
    DataError
        If it cannot be read, a row has no id, or a document has two titles; the message gives the line.
    NoColumnError
        If there is no id column, no column with a name given, or neither a title or text column nor `column`.

    Examples
    --------
    >>> found = read_documents({"id": ["a", "b"], "name": ["Red shoe", None], "url": ["https://shop.test/a", ""]})
    >>> found.titles, found.urls, found.untitled
    ({'a': 'Red shoe', 'b': None}, {'a': 'https://shop.test/a'}, 1)
    """
    if isinstance(source, Documents):
        return source
    if isinstance(source, Mapping) and source and (columns := _dict_as_table(source)) is not None:
        source, doc = columns, doc or _KEY
    table = read_frame(source, "documents")
    if table.nameless:
        raise DataError(
            f"{table.name}: this is text without column names, not a table of documents. Give a table with a document "
            "id and a title."
        )
    names = table.frame.names
    address = first_named(names, _ADDRESSES)
    key = _find_id_column(
        Roles(table.name, names, {"doc": doc, "title": title}, () if address is None else (address,)), address
    )
    ids = _document_ids(table, key)
    titles = _row_titles(table, key, title, column is None)
    pictures = _allowed_urls(ids, column_texts(table, first_named(names, _PICTURES, key)), _SAFE)
    urls = _allowed_urls(ids, column_texts(table, address), _WEB)
    return Documents(
        _value_per_document(table, ids, titles, duplicates), urls, table.name, table.origin, pictures, table, key
    )


def is_clear_title(name: str) -> bool:
    """Whether a column of this name contains titles beside judgments and results, too."""
    return fold(name) in _CLEAR_TITLES


def is_title(name: str) -> bool:
    """Whether a column of this name may contain titles."""
    return fold(name) in _TITLES


def _dict_as_table(source: Mapping[Any, Any]) -> Any:
    """Return a dict keyed by document id as a table; None for a dict of columns."""
    if is_row(source):
        return {_KEY: list(source), "title": list(source.values())}
    rows = [isinstance(row, Mapping) for row in source.values()]
    if any(rows) and not all(rows):
        raise DataError("documents: this dict mixes titles and rows. Give {id: title}, or {id: {'title': title, …}}.")
    return [{**row, _KEY: key} for key, row in source.items()] if all(rows) else None


def _find_id_column(roles: Roles, address: int | None) -> int:
    """Find the id column; without another one, URLs are ids."""
    places = (roles.find("doc", tiers) for tiers in _ID_TIERS)
    key = next((place for place in places if place is not None), address)
    if key is None:
        raise roles.missing_columns("doc")
    return key


def _document_ids(table: Source, key: int) -> list[str]:
    ids = table.ids(key).to_list(None)
    for row, value in enumerate(ids):
        if value in (None, ""):
            raise table.bad_row("missing_id", row, "document", "", "", -1)
    return list(map(id_text, ids))


def _row_titles(table: Source, key: int, title: str | None, needed: bool) -> list[str | None]:
    """Return the title of each row: from the title column, else the beginning of its text."""
    names = table.frame.names
    if title is not None:
        return column_texts(table, Roles(table.name, names, {"title": title}).find("title"))
    column, text = first_named(names, _TITLES, key), first_named(names, _TEXTS, key)
    if column is None and text is None and needed:
        way = either("title=…", "a column called title")
        raise NoColumnError(f"{table.name}: no title column. {Roles(table.name, names, {}).columns}. Name it: {way}.")
    titles = column_texts(table, column)
    # Texts may be long: only those of documents without a title are read.
    rows = [row for row, words in enumerate(titles) if words is None]
    for row, words in zip(rows, column_texts(table, text, rows), strict=True):
        titles[row] = words if words is None else title_of_text(words)
    return titles


def _allowed_urls(ids: Sequence[str], addresses: Sequence[str | None], allowed: re.Pattern[str]) -> dict[str, str]:
    """Return the first address of each document that matches a pattern: a page should not contain other links."""
    urls: dict[str, str] = {}
    for key, address in zip(ids, addresses, strict=True):
        if address is not None and allowed.fullmatch(address.strip()):
            urls.setdefault(key, address.strip())
    return urls


def title_of_text(text: str) -> str:
    """Return the beginning of a text, which is shown where there is no title."""
    return text if len(text) <= _TITLE_LENGTH else text[:_TITLE_LENGTH] + "…"


def column_texts(table: Source, place: int | None, rows: Sequence[int] | None = None) -> list[str | None]:
    """Return the texts of a column, of some rows; None if there is none, or only whitespace."""
    column = table.column(place)
    if column is None:
        return [None] * (table.frame.rows if rows is None else len(rows))
    values = column.to_list(None if rows is None else np.array(rows, np.int64))
    return [None if value is None or value != value or not str(value).strip() else id_text(value) for value in values]


def _value_per_document(
    table: Source, ids: Sequence[str], titles: Sequence[str | None], duplicates: str, what: str = "title"
) -> dict[str, str | None]:
    """Return the title (or another value) of each document; refuse two unless `duplicates` says which counts."""
    titles_by_id: dict[str, str | None] = {}
    for row, (key, title) in enumerate(zip(ids, titles, strict=True)):
        before = titles_by_id.setdefault(key, title)
        if before is None or (duplicates == "last" and title is not None):
            titles_by_id[key] = title
        elif duplicates != "first" and title is not None and title != before:
            first = next(place for place, same in enumerate(ids) if same == key and titles[place] == before)
            raise DataError(
                f"{table.place(row)}: document {quoted(key)} has the {what} {quoted(title)}, but {quoted(before)} in "
                f"{table.where(first)}. Give each document one {what}, or choose which counts: "
                f"{option('duplicates', 'first')} or last."
            )
    return titles_by_id


# Titles and addresses of documents that stand beside judgments or results.


def texts_beside(table: Source, doc: int) -> tuple[dict[str, str], dict[str, str]]:
    """Return titles and whole texts by document, from the columns of a table of pairs; of two, the first counts.

    Parameters
    ----------
    doc
        The place of the column of ids; a row without one, such as a search that found nothing, is about no document.
    """
    place = first_named(table.frame.names, _TEXTS, doc)
    place = None if place is None or table.frame.nested(place) is not None else place
    ids = table.ids(doc).to_list(None)
    columns = _row_titles(table, doc, None, needed=False), column_texts(table, place)
    titles, bodies = (
        {
            id_text(key): text
            for key, text in reversed(list(zip(ids, texts, strict=True)))
            if key not in (None, "") and text is not None
        }
        for texts in columns
    )
    return titles, bodies


def documents_in(tables: Iterable[Keyed]) -> Documents | None:
    """Return what tables of judgments and results say about their documents: titles and addresses; None for nothing.

    Of two titles for a document, the first counts.
    """
    found = [documents for table in tables if (documents := _documents_in_table(table)) is not None]
    if len(found) < 2:
        return found[0] if found else None
    titles: dict[str, str | None] = {}
    for documents in found:
        titles |= {key: title for key, title in documents.titles.items() if titles.get(key) is None}
    urls = {key: url for documents in reversed(found) for key, url in documents.urls.items()}
    pictures = {key: url for documents in reversed(found) for key, url in documents.pictures.items()}
    return Documents(titles, urls, found[0].name, found[0].origin, pictures)


def documents_of_unit(judgments: Keyed, results: Iterable[Keyed], unit: object) -> Documents | None:
    """Return what tables say about the documents that are judged, whose titles are not those of returned parts.

    Parameters
    ----------
    unit
        The answer to the decision: under any but as_returned and spans, the rows of results are about parts.
    """
    return documents_in([judgments, *(results if unit in (AS_RETURNED, SPANS) else ())])


def _documents_in_table(table: Keyed) -> Documents | None:
    if (part := table.source.part("documents")) is not None:
        return read_documents(part, duplicates="first")
    names, key = table.roles.names, None if table.form else table.roles.find("doc")
    title = next(filter(is_clear_title, names), None)
    if key is None or title is None or names.index(title) == key:
        return None
    ids, titles = table.source.ids(key).to_list(None), column_texts(table.source, names.index(title))
    rows = [row for row, value in enumerate(ids) if value not in (None, "")]
    known: dict[str, str | None] = {}
    for row in rows:
        known[id_text(ids[row])] = known.get(id_text(ids[row])) or titles[row]
    return Documents(known, {}, table.name, table.source.origin)
