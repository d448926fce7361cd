"""Tables with lists in their cells, and nested Python objects, as rows."""

from __future__ import annotations

import ast
import dataclasses
import json
from collections.abc import Mapping, Sequence
from typing import Any

from idealrank._core import Frame, from_columns
from idealrank.data.formats.plan import Plan
from idealrank.data.formats.shapes import known, plan_of
from idealrank.data.formats.shapes.names import EITHER, NUMBERS, POSITIVE, RETRIEVED, is_name
from idealrank.data.formats.source import Source
from idealrank.data.formats.walk import tables_of
from idealrank.data.roles import fold

_CLEAR = POSITIVE | RETRIEVED
"""Lists whose name says what they contain; others stand beside no grade and no score, which would be that of all."""

_FIELDS = ("id", "id_", "_id", "doc_id", "node_id", "document_id", "score", "metadata", "meta", "node", "payload")
"""What is read of an object: ids and scores of documents, as frameworks for retrieval call them."""


def with_rows(table: Source) -> Source:
    """Return a table whose cells contain lists of documents as rows; others are returned as they are."""
    names = table.frame.names
    called = _CLEAR if any(fold(name) in NUMBERS for name in names) else _CLEAR | EITHER
    lists = [place for place, name in enumerate(names) if fold(name) in called and _has_lists(table, place)]
    if not lists:
        return table
    columns = [table.frame.column(place).to_list(None) for place in range(len(names))]
    for place in lists:
        columns[place] = [_parsed(value) for value in columns[place]]
    records = [dict(zip(names, row, strict=True)) for row in zip(*columns, strict=True)]
    return _by_plan(records, table) or table


def _has_lists(table: Source, place: int) -> bool:
    unfit = table.unfit.get(table.frame.names[place])
    if table.frame.nested(place) is not None or (unfit is not None and unfit.nested):
        return True
    column = table.frame.column(place)
    return column.kind == "text" and any(_parsed(value) is not value for value in column.distinct(20))


def _parsed(text: Any) -> Any:
    """Return the list that a text spells as JSON or as Python prints it; anything else as it is."""
    if not isinstance(text, str) or text[:1] not in ("[", "{", "("):
        return text
    for read in (json.loads, ast.literal_eval):
        try:
            value = read(text)
        except (ValueError, SyntaxError, RecursionError, MemoryError):
            continue
        return value if isinstance(value, (list, tuple, set, dict)) else text
    return text


def nested_rows(data: Any, kind: str) -> Source | None:
    """Return nested Python objects as tables; None for data of another form."""
    if hasattr(data, "relevant_docs") and hasattr(data, "queries"):
        data = {name: getattr(data, name, {}) for name in ("queries", "corpus", "relevant_docs")}
    if not _is_nested(data) and not (isinstance(data, Mapping) and isinstance(known([data], kind), Plan)):
        return None
    return _by_plan(plain(data), Source(kind, from_columns([], [])))


def _by_plan(data: Any, table: Source) -> Source | None:
    documents = [data]
    plan = plan_of(documents, table.name)
    if not isinstance(plan, Plan):
        return None
    tables = {name: _frame(columns) for name, columns in tables_of(plan, documents).items()}
    return dataclasses.replace(
        table, frame=next(iter(tables.values())), unfit={}, what=plan.what, tables=tables, notes=plan.notes
    )


def _frame(columns: Mapping[str, Sequence[Any]]) -> Frame:
    return from_columns(list(columns), [list(values) for values in columns.values()])


def _is_nested(data: Any) -> bool:
    """Whether data is {query: documents}, or rows with lists of documents."""
    if isinstance(data, Mapping):
        values = list(data.values())
        return bool(values) and not any(map(is_name, data)) and _are_documents(values)
    if not isinstance(data, (list, tuple)) or not data:
        return False
    return all(isinstance(row, Mapping) for row in data) and any(map(has_documents, data))


def has_documents(row: Any) -> bool:
    """Whether a row contains a list of documents.

    Examples
    --------
    >>> has_documents({"question": "a", "retrieved": ["d2", "d1"]}), has_documents({"query": "a", "doc": "d1"})
    (True, False)
    """
    return isinstance(row, Mapping) and any(
        fold(str(key)) in _CLEAR | EITHER and _is_documents(value) for key, value in row.items()
    )


def _are_documents(values: Sequence[Any]) -> bool:
    """Whether the values of a dict are the documents of queries; columns differ in what they contain."""
    if any(isinstance(value, (set, frozenset)) for value in values):
        return all(map(_is_documents, values))
    if not all(isinstance(value, (list, tuple)) for value in values):
        return False
    items = [item for value in values for item in value]
    objects = all(plain(item) is not item for item in items)
    alike = objects or {*map(type, items)} == {str} or len({*map(len, values)}) > 1
    return alike and all(map(_is_documents, values))


def _is_documents(value: Any) -> bool:
    """Whether a value is a set, or a list of ids or objects; not a column of numbers."""
    if isinstance(value, (set, frozenset)):
        return True
    if not isinstance(value, (list, tuple)):
        return False
    return all(_is_scored(item) or not isinstance(item, (float, list, tuple, type(None))) for item in value)


def _is_scored(item: Any) -> bool:
    """Whether an item is a document, or its id, with its score: ``(document, 0.9)``."""
    if not isinstance(item, tuple) or len(item) != 2 or hasattr(item, "_asdict"):
        return False
    return isinstance(item[1], (int, float)) and not isinstance(item[0], (int, float))


def plain(data: Any) -> Any:
    """Return objects as dicts and lists: of an object the fields that name a document and its score.

    Examples
    --------
    >>> from types import SimpleNamespace
    >>> plain({"q1": [SimpleNamespace(id="d1", score=0.5, content="…")], "q2": {"b", "a"}})
    {'q1': [{'id': 'd1', 'score': 0.5}], 'q2': ['a', 'b']}
    """
    if isinstance(data, Mapping):
        return {key: plain(value) for key, value in data.items()}
    if isinstance(data, (set, frozenset)):
        return sorted(map(plain, data), key=str)
    if _is_scored(data):
        doc = plain(data[0])
        return {**(doc if isinstance(doc, dict) else {"id": doc}), "score": data[1]}
    if isinstance(data, (list, tuple)) and not hasattr(data, "_asdict"):
        return list(map(plain, data))
    if hasattr(data, "_asdict"):
        return plain(data._asdict())
    if data is None or isinstance(data, (str, int, float)) or hasattr(data, "dtype"):
        return data
    fields = {name: getattr(data, name) for name in _FIELDS if getattr(data, name, None) is not None}
    return {name: plain(value) for name, value in fields.items()} if fields else data
