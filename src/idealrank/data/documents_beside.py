"""Titles and addresses of documents that stand beside judgments or results."""

from collections.abc import Iterable

from idealrank.data.documents import Documents, column_texts, is_clear_title, read_documents
from idealrank.data.ids import Keyed, id_text


def documents_in(tables: Iterable[Keyed]) -> Documents | None:
    """Return what tables of judgments and results say about their documents: titles and addresses; None for nothing.

    Of two titles for a document, the first counts.
    """
    found = [documents for table in tables if (documents := _documents_of(table)) is not None]
    if len(found) < 2:
        return found[0] if found else None
    titles: dict[str, str | None] = {}
    for documents in found:
        titles |= {key: title for key, title in documents.titles.items() if titles.get(key) is None}
    urls = {key: url for documents in reversed(found) for key, url in documents.urls.items()}
    pictures = {key: url for documents in reversed(found) for key, url in documents.pictures.items()}
    return Documents(titles, urls, found[0].name, found[0].origin, pictures)


def _documents_of(table: Keyed) -> Documents | None:
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
