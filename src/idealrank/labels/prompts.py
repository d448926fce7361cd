"""Prompts: pairs of a query and a document with their texts, filled into a template."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from idealrank.data.documents import column_texts, read_documents, texts_beside
from idealrank.data.formats.reader import read_frame
from idealrank.data.formats.source import Source
from idealrank.data.ids import id_text
from idealrank.data.queries import read_queries
from idealrank.data.roles import Roles
from idealrank.errors import DataError, UsageError, listed, nearest, option, plural

_PLACE = re.compile(r"\{\{\s*([^{}]*?)\s*\}\}")


@dataclass(frozen=True, eq=False)
class TextPairs:
    """Pairs of a query and a document.

    Attributes
    ----------
    name
        Where they were read from.
    query, doc
        The id of each pair's query, or its text where it has no id, and of its document.
    has_ids
        Whether queries have ids.
    values
        What a template may name, of each pair.
    """

    name: str
    query: Sequence[str]
    doc: Sequence[str]
    has_ids: bool
    values: Sequence[Mapping[str, str]]

    def __len__(self) -> int:
        return len(self.query)


def read_pairs(
    source: Any, documents: Any = None, queries: Any = None, columns: Mapping[str, str | None] | None = None
) -> TextPairs:
    """Read pairs to judge, with their texts.

    Parameters
    ----------
    source
        A table with a row per pair: query, its text, document, its text or title.
    documents, queries
        Tables of the texts, where the pairs have none.
    columns
        The columns of query, text and doc, where they are not found by their names.

    Raises
    ------
    DataError
        If a pair has no query, no document or no text of one of them, or a column is missing.
    """
    table = read_frame(source, "pairs")
    roles = Roles(table.name, table.frame.names, columns or {})
    roles.require("doc")
    key, doc_place, text_place = roles.key, roles.required("doc"), roles.find("text")
    if key is None:
        raise roles.missing_columns("query")
    query_ids, docs = _ids(table, key, "query"), _ids(table, doc_place, "document")
    texts = _query_texts(table, text_place, query_ids, queries)
    titles, bodies = _document_texts(table, doc_place, documents)
    every = [_texts_by_name(table, place) for place in range(len(table.frame.names))]
    values = []
    for row, (query, doc) in enumerate(zip(query_ids, docs, strict=True)):
        title, body = titles.get(doc) or "", bodies.get(doc) or ""
        values.append(
            {
                **{name: column[row] for name, column in every},
                "query_id": query,
                "doc_id": doc,
                "query": texts[row],
                "title": title,
                "text": body,
                "document": _whole_document(title, body),
            }
        )
    pairs = TextPairs(table.name, query_ids, docs, roles.find("query") is not None, values)
    _refuse_textless(table, pairs)
    return pairs


def _ids(table: Source, place: int, what: str) -> list[str]:
    ids = table.ids(place).to_list(None)
    for row, value in enumerate(ids):
        if value in (None, ""):
            raise DataError(f"{table.place(row)}: no {what}. Name it, or leave the row out.")
    return list(map(id_text, ids))


def _texts_by_name(table: Source, place: int) -> tuple[str, list[str]]:
    if table.frame.nested(place) is not None:
        return table.frame.names[place], [""] * table.frame.rows
    return table.frame.names[place], [text or "" for text in column_texts(table, place)]


def _query_texts(table: Source, place: int | None, ids: Sequence[str], queries: Any) -> list[str]:
    """Return the text of each pair's query: of the table of queries, else of its own column."""
    own = column_texts(table, place)
    if queries is None:
        return [text or "" for text in own]
    known = read_queries(queries)
    texts = known.attributes.get(known.text, {})
    return [str(texts.get(query) or text or "") for query, text in zip(ids, own, strict=True)]


def _document_texts(
    table: Source, place: int, documents: Any
) -> tuple[Mapping[str, str | None], Mapping[str, str | None]]:
    """Return titles and texts by document: of the table of documents, else of the pairs' own columns."""
    if documents is not None:
        found = read_documents(documents, duplicates="first")
        return found.titles, found.texts()
    return texts_beside(table, place)


def _whole_document(title: str, body: str) -> str:
    r"""Return title and text; a title that was made of the text is left out.

    Examples
    --------
    >>> _whole_document("Red shoe", "Of leather."), _whole_document("Of le…", "Of leather."), _whole_document("Hat", "")
    ('Red shoe\n\nOf leather.', 'Of leather.', 'Hat')
    """
    if not body or body.startswith(title.removesuffix("…")):
        return body or title
    return f"{title}\n\n{body}"


def _refuse_textless(table: Source, pairs: TextPairs) -> None:
    for name, what, way in (
        ("query", "query", f"{option('queries', 'queries.csv', 'queries-table')}, or a column query_text"),
        ("document", "document", f"{option('documents', 'documents.csv')}, or a column text or title"),
    ):
        bare = [row for row, values in enumerate(pairs.values) if not values[name].strip()]
        if bare:
            ids = pairs.query if name == "query" else pairs.doc
            more = f", nor of those of {plural(len(bare) - 1, 'other row')}" if len(bare) > 1 else ""
            raise DataError(
                f"{table.place(bare[0])}: no text of the {what} {ids[bare[0]]}{more}. A model judges texts: give {way}."
            )


def read_template(template: str | Path) -> str:
    """Return the text of a template: a file, or the text itself if it has a place for the document.

    Raises
    ------
    UsageError
        If there is no such file, or it has no place for the query or for the document.
    """
    if isinstance(template, str) and "{{" in template:
        name, text = "template", template
    else:
        name = str(template)
        try:
            text = Path(template).read_text(encoding="utf-8")
        except (OSError, ValueError) as error:
            why = getattr(error, "strerror", None) or "not text in UTF-8"
            way = option("template", "FILE")
            raise UsageError(f"{name}: cannot be read: {why}. Give a file of text: {way}.") from None
    named = set(_PLACE.findall(text))
    lacking = [one for one, others in (("query", ()), ("document", ("text", "title"))) if not named & {one, *others}]
    if lacking:
        places = " and ".join(f"{{{{{one}}}}}" for one in lacking)
        raise UsageError(f"{name}: no place for {places}. Write it where the text is to stand, at the end best.")
    return text


def fill_template(template: str, pairs: TextPairs) -> tuple[list[str], list[dict[str, str]]]:
    """Return the prompt of each pair, and what was filled in.

    What is filled in is not looked at for places: a document may contain ``{{query}}``.

    Raises
    ------
    UsageError
        If the template names what pairs do not have.
    """
    named = list(dict.fromkeys(_PLACE.findall(template)))
    known = list(pairs.values[0]) if pairs.values else []
    unknown = next((name for name in named if name not in known), None)
    if unknown is not None:
        raise UsageError(
            f"The template names {{{{{unknown}}}}}, which {pairs.name} does not have.{nearest(unknown, known)} There "
            f"are: {listed(known, len(known))}."
        )
    filled = [{name: values[name] for name in named} for values in pairs.values]
    return [_fill(template, values) for values in filled], filled


def _fill(template: str, values: Mapping[str, str]) -> str:
    return _PLACE.sub(lambda place: values[place[1]], template)
