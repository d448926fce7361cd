"""The documents table: a title for each id, and the addresses of the document and of a picture of it where given."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from idealrank.data.formats.messages import quoted
from idealrank.data.formats.objects import is_row
from idealrank.data.formats.origin import Origin
from idealrank.data.formats.reader import read_frame
from idealrank.data.formats.source import Source
from idealrank.data.ids import id_text
from idealrank.data.roles import Roles, fold
from idealrank.errors import DataError, NoColumnError, either, option

_TITLES = (
    *("title", "producttitle", "itemtitle", "documenttitle", "doctitle", "articletitle", "pagetitle"),
    *("name", "productname", "itemname", "documentname", "headline", "heading", "subject", "product", "item"),
)
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
"""Accepted names, folded by `fold`; the first that is there is taken."""

_ID_TIERS = (slice(0, 1), slice(2, 3), slice(1, 2))
"""Where ids are looked for: here a column called document or product beside one called id is a text."""

_WEB = re.compile(r"https?://\S+", re.IGNORECASE)
_SAFE = re.compile(r"https://\S+", re.IGNORECASE)
_SHOWN = 200
"""Characters of a text that stands for a title."""

_KEY = "(key)"
"""What the keys of a dict are called as a column."""


@dataclass(frozen=True, eq=False)
class Documents:
    """What is known of documents.

    Attributes
    ----------
    titles
        ``{document id: title}``, None where there is neither title nor text.
    urls
        ``{document id: address}`` of those with an address of the web (http, https).
    name
        What the table is called.
    origin
        The file it was read from, if any.
    pictures
        ``{document id: address}`` of those with a picture on the web that is read encrypted (https).
    """

    titles: Mapping[str, str | None]
    urls: Mapping[str, str]
    name: str = ""
    origin: Origin | None = None
    pictures: Mapping[str, str] = field(default_factory=dict)

    @property
    def untitled(self) -> int:
        """How many documents have no title."""
        return sum(title is None for title in self.titles.values())


def read_documents(
    source: Any, *, doc: str | None = None, title: str | None = None, duplicates: str = "error"
) -> Documents:
    """Read a documents table.

    Parameters
    ----------
    source
        A path, a dataframe, ``{id: title}``, or ``{id: {"title": title, …}}``. Documents are
        returned as they are. A document may have several rows if they do not contradict each other.
    doc, title
        Names of the columns that hold the id and the title, where they are not found. Without a title
        its place is taken by the first 200 characters of a column called text, body or the like.
    duplicates
        Which title counts where a document has several: ``first`` or ``last``; any other answer refuses them.

    Raises
    ------
    DataError
        If it cannot be read, a row has no id, or a document has two titles: with the line.
    NoColumnError
        If there is no column of ids, none of titles or texts, or none of a name given.

    Examples
    --------
    >>> found = read_documents({"id": ["a", "b"], "name": ["Red shoe", None], "url": ["https://shop.test/a", ""]})
    >>> found.titles, found.urls, found.untitled
    ({'a': 'Red shoe', 'b': None}, {'a': 'https://shop.test/a'}, 1)
    """
    if isinstance(source, Documents):
        return source
    if isinstance(source, Mapping) and source and (columns := _keyed(source)) is not None:
        source, doc = columns, doc or _KEY
    table = read_frame(source, "documents")
    if table.frame.format.startswith("trec-"):
        raise DataError(f"{table.name}: TREC text, not a table of documents. Give one with a document id and a title.")
    names = table.frame.names
    address = _called(names, _ADDRESSES)
    key = _key(Roles(table.name, names, {"doc": doc, "title": title}, () if address is None else (address,)), address)
    ids = _ids(table, key)
    titles = _titles(table, key, title)
    pictures = _urls(ids, _texts(table, _called(names, _PICTURES, key)), _SAFE)
    urls = _urls(ids, _texts(table, address), _WEB)
    return Documents(_one_each(table, ids, titles, duplicates), urls, table.name, table.origin, pictures)


def _keyed(source: Mapping[Any, Any]) -> Any:
    """Return a dict by document id as a table; None for a dict of columns."""
    if is_row(source):
        return {_KEY: list(source), "title": list(source.values())}
    rows = [isinstance(row, Mapping) for row in source.values()]
    if any(rows) and not all(rows):
        raise DataError("documents: a dict of titles and rows. Give {id: title}, or {id: {'title': title, …}}.")
    return [{**row, _KEY: key} for key, row in source.items()] if all(rows) else None


def _called(names: Sequence[str], wanted: Sequence[str], but: int | None = None) -> int | None:
    """Return the column with the first of these names that there is."""
    folded = {fold(name): place for place, name in reversed(list(enumerate(names))) if place != but}
    return next((folded[name] for name in wanted if name in folded), None)


def _key(roles: Roles, address: int | None) -> int:
    """Find the column of ids; an address is one where there is no other."""
    places = (roles.find("doc", tiers) for tiers in _ID_TIERS)
    key = next((place for place in places if place is not None), address)
    if key is None:
        raise roles.missing("doc")
    return key


def _ids(table: Source, key: int) -> list[str]:
    ids = table.ids(key).to_list(None)
    for row, value in enumerate(ids):
        if value in (None, ""):
            raise table.bad_row("missing_id", row, "document", "", "", -1)
    return list(map(id_text, ids))


def _titles(table: Source, key: int, title: str | None) -> list[str | None]:
    """Return the title of each row: from the column of titles, else the beginning of its text."""
    names = table.frame.names
    if title is not None:
        return _texts(table, Roles(table.name, names, {"title": title}).find("title"))
    column, text = _called(names, _TITLES, key), _called(names, _TEXTS, key)
    if column is None and text is None:
        way = either("title=…", "a column called title")
        raise NoColumnError(f"{table.name}: no title column. {Roles(table.name, names, {}).columns}. Name it: {way}.")
    titles = _texts(table, column)
    rows = [row for row, words in enumerate(titles) if words is None]
    for row, words in zip(rows, _texts(table, text, rows), strict=True):
        titles[row] = words if words is None or len(words) <= _SHOWN else words[:_SHOWN] + "…"
    return titles


def _texts(table: Source, place: int | None, rows: Sequence[int] | None = None) -> list[str | None]:
    """Return the texts of a column, of some rows; None where there is none, or blanks alone."""
    column = table.column(place)
    if column is None:
        return [None] * (table.frame.rows if rows is None else len(rows))
    values = column.to_list(None if rows is None else np.array(rows, np.int64))
    return [None if value is None or value != value or not str(value).strip() else id_text(value) for value in values]


def _one_each(
    table: Source, ids: Sequence[str], titles: Sequence[str | None], duplicates: str
) -> dict[str, str | None]:
    """Return the title of each document; refuse two of one, unless it is said which counts."""
    titles_by_id: dict[str, str | None] = {}
    for row, (key, title) in enumerate(zip(ids, titles, strict=True)):
        before = titles_by_id.setdefault(key, title)
        if before is None or (duplicates == "last" and title is not None):
            titles_by_id[key] = title
        elif duplicates != "first" and title is not None and title != before:
            first = next(place for place, same in enumerate(ids) if same == key and titles[place] == before)
            raise DataError(
                f"{table.place(row)}: document {quoted(key)} has the title {quoted(title)}, and had {quoted(before)} "
                f"({table.where(first)}). Give each document one title, or say which counts: "
                f"{option('duplicates', 'first')} or last."
            )
    return titles_by_id


def _urls(ids: Sequence[str], addresses: Sequence[str | None], allowed: re.Pattern[str]) -> dict[str, str]:
    """Return the first allowed address of each document; others are no links that a page should contain."""
    urls: dict[str, str] = {}
    for key, address in zip(ids, addresses, strict=True):
        if address is not None and allowed.fullmatch(address.strip()):
            urls.setdefault(key, address.strip())
    return urls
