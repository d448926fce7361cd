"""What raters are shown of a query and a document: texts of the project's tables, and nothing that systems say."""

from __future__ import annotations

from dataclasses import dataclass

from idealrank.data.documents import Documents, column_texts
from idealrank.data.ids import id_text
from idealrank.data.roles import fold
from idealrank.studio.joined import Pair
from idealrank.studio.project import DOCUMENTS, JUDGMENTS, RESULTS, StudioProject

_NEEDS = frozenset({
    "description", "desc", "narrative", "narr", "need", "informationneed", "intent", "task", "question", "context",
    "explanation", "note", "notes",
})  # fmt: skip
"""Names of columns, folded, that say what whoever asks wants."""

MOST_SIGNS = 5000
"""Of a text; what is longer ends there."""


@dataclass(frozen=True)
class Item:
    """A query and a document as a rater sees them.

    Attributes
    ----------
    text
        The query as it was asked; its id where that is not known.
    need
        What whoever asks wants, each with the name of its column.
    title, url, picture
        Of the document; "" where they are not known. The address is one of the web.
    fields
        What else its table says, each with the name of the column.
    """

    query: str
    doc: str
    text: str
    need: tuple[tuple[str, str], ...]
    title: str
    url: str
    picture: str
    fields: tuple[tuple[str, str], ...]


def item(project: StudioProject, pair: Pair) -> Item:
    """Return what is shown of a pair."""
    query, doc = pair
    text, need = _asked(project, query)
    documents = project.documents()
    if documents is None:
        return Item(query, doc, text, need, "", "", "", ())
    title = documents.titles.get(doc) or ""
    url, picture = documents.urls.get(doc, ""), documents.pictures.get(doc, "")
    fields = _row(project, documents, doc) if project.store.sources(DOCUMENTS) else ()
    shown = tuple((name, value) for name, value in fields if value not in (title, url, picture, doc))
    return Item(query, doc, text, need, title, url, picture, shown)


def _asked(project: StudioProject, query: str) -> tuple[str, tuple[tuple[str, str], ...]]:
    table = project.queries()
    if table is None:
        return _texts(project).get(query) or query, ()
    attributes = {
        name: _short(values[query]) for name, values in table.attributes.items() if values.get(query) is not None
    }
    need = tuple(
        (name, text) for name, text in attributes.items() if fold(name) in _NEEDS and name != table.text and text
    )
    return attributes.get(table.text) or query, need


def _texts(project: StudioProject) -> dict[str, str]:
    """Return the texts of queries that stand beside judgments and results."""
    sources = [*project.store.sources(JUDGMENTS), *project.store.sources(RESULTS)]
    key = ("texts", tuple(one.version for one in sources))
    return project.once(
        key, lambda: {id_text(query): text for one in sources for query, text in project.table(one).texts[0].items()}
    )


def _row(project: StudioProject, documents: Documents, doc: str) -> tuple[tuple[str, str], ...]:
    """Return a document's row of its table."""
    table = documents.table
    assert table is not None
    places = project.once(
        ("rows of documents", project.store.sources(DOCUMENTS)[0].version), lambda: _places(documents)
    )
    if doc not in places:
        return ()
    cells = ((name, column_texts(table, place, [places[doc]])[0]) for place, name in enumerate(table.frame.names))
    return tuple((name, _short(text)) for name, text in cells if text is not None)


def _places(documents: Documents) -> dict[str, int]:
    """Return the first row of each document."""
    assert documents.table is not None
    ids = documents.table.ids(documents.key).to_list(None)
    return {id_text(key): row for row, key in reversed(list(enumerate(ids)))}


def _short(value: object) -> str:
    text = str(value).strip()
    return text if len(text) <= MOST_SIGNS else f"{text[:MOST_SIGNS]}…"
