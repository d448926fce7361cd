"""Tables as pandas writes them as JSON or as dicts: by column, by row, split, or with a schema."""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from idealrank.data.formats.list_names import QUERIES, are_columns, is_name
from idealrank.data.roles import ALIASES, fold
from idealrank.errors import DataError, either, listed, quoted_option


def is_table_of_columns(data: object, whole: bool = True) -> bool:
    """Whether an object is a table by columns, one of them the queries, as pandas writes it.

    Parameters
    ----------
    whole
        Whether the object is; the beginning of one may lack columns, and the rest of the last.

    Examples
    --------
    >>> is_table_of_columns({"query": ["q1"], "doc": ["a"]}), is_table_of_columns({"query": ["a", "b"], "q2": ["c"]})
    (True, False)
    """
    if not isinstance(data, Mapping) or not any(fold(str(key)) in QUERIES for key in data):
        return False
    columns = data.values()
    if not all(isinstance(column, (list, tuple)) for column in columns):
        return False
    if any(isinstance(item, Mapping) for column in columns for item in column[:_ITEMS]):
        return False
    return are_columns(data) if whole else all(map(is_name, data))


_ITEMS = 50
"""So many items of a list are looked at."""


def columns_of_frame(data: object, whole: bool = True, docs: str = "") -> dict[Any, list[Any]] | None:
    """Return the columns of a table as pandas writes it as an object: by column, by row, or split; None for others.

    Parameters
    ----------
    whole
        Whether the object is; the beginning of one is only recognized.
    docs
        The column of the documents, as the user named it; "" for none.

    Examples
    --------
    >>> columns_of_frame({"query": {"0": "q1"}, "doc": {"0": "a"}})
    {'query': ['q1'], 'doc': ['a']}
    >>> columns_of_frame({0: {"query": "q1", "doc": "a"}})
    {'query': ['q1'], 'doc': ['a']}
    >>> columns_of_frame({"columns": ["query", "doc"], "index": [0], "data": [["q1", "a"]]})
    {'query': ['q1'], 'doc': ['a']}
    >>> columns_of_frame({"query": {"17": 1}, "q2": {"17": 0}}) is None
    True
    """
    if not isinstance(data, Mapping) or not data:
        return None
    if "columns" in data and _SPLIT.issuperset(data):
        return _columns_of_split(data["columns"], data.get("data", []), whole)
    if "schema" in data and _TABLE.issuperset(data):
        return _columns_of_table(data["schema"], data.get("data", []), whole)
    parts = [*data.values()]
    parts = parts if whole or len(parts) == 1 else parts[:-1]
    first = parts[0]
    if not isinstance(first, Mapping) or not (whole or first):
        return None
    by_row = all(map(_is_row_number, data))
    if not by_row and not all(map(_is_row_number, first)):
        return None
    if not all(isinstance(one, Mapping) and one.keys() == first.keys() for one in parts):
        return None
    if by_row:
        columns = {name: [one[name] for one in parts] for name in first}
        table = _name_a_table(columns, docs) or _are_cells(columns, [*data][: len(parts)])
        return columns if table else None
    columns = {name: [one[label] for label in first] for name, one in zip(data, parts, strict=False)}
    if whole:
        return columns if _name_a_table(columns, docs) or _are_cells(columns, first) else None
    if _name_a_table(columns, docs):
        return columns
    return columns if all(map(is_name, data)) or _are_first_cells(columns[next(iter(data))], first) else None


def _columns_of_split(names: Any, rows: Any, whole: bool) -> dict[Any, list[Any]] | None:
    """Return the columns of a table whose rows are lists beside the names of the columns."""
    lists = isinstance(names, list) and isinstance(rows, list) and all(isinstance(row, list) for row in rows)
    if not lists or not all(len(row) == len(names) for row in (rows if whole else rows[:-1])):
        return None
    return {name: [row[at] for row in rows if at < len(row)] for at, name in enumerate(names)}


def _columns_of_table(schema: Any, rows: Any, whole: bool) -> dict[Any, list[Any]] | None:
    """Return the columns of a table whose rows are objects beside a schema with the names of the columns."""
    fields = schema.get("fields") if isinstance(schema, Mapping) else None
    if not isinstance(fields, list) or not all(isinstance(one, Mapping) and "name" in one for one in fields):
        return None
    if not isinstance(rows, list) or not all(isinstance(row, Mapping) for row in rows):
        return None
    names = [one["name"] for one in fields]
    even = all({*names}.issuperset(row) for row in (rows if whole else rows[:-1]))
    return {name: [row.get(name) for row in rows] for name in names} if even else None


def _are_cells(columns: Mapping[Any, list[Any]], labels: Iterable[object]) -> bool:
    """Whether values are the cells of columns under any names, and not the grades or scores of documents.

    A column called as queries are contains texts, or texts stand in some columns and numbers in others. If all are
    numbers, the rows count from 0, one column repeats the query in neighboring rows, and another contains whole numbers
    that are different within it and larger than grades.

    Examples
    --------
    >>> _are_cells({"Suche": ["q1", "q1"], "Rang": [1, 2]}, "01"), _are_cells({"q": [1, 0], "p": [0, 1]}, "01")
    (True, False)
    >>> _are_cells({"Suche": [1, 1, 7], "Artikel": [31, 44, 31], "Note": [2, 0, 1]}, "012")
    True
    """
    filled = [[value for value in values if value is not None] for values in columns.values()]
    queries = [values for name, values in zip(columns, filled, strict=True) if fold(str(name)) in QUERIES]
    if len(columns) > 1 and any(values and all(isinstance(value, str) for value in values) for values in queries):
        return True
    texts = [all(isinstance(value, str) for value in values) for values in filled if values]
    numbers = [all(_is_number(value) for value in values) for values in filled if values]
    if not all(text or number for text, number in zip(texts, numbers, strict=True)):
        return False
    if any(texts):
        return any(numbers)
    whole = _whole_columns(columns, labels)
    return any(_groups(keys, ids) for keys in whole for ids in whole if keys is not ids and max(ids) > _HIGHEST_GRADE)


def _whole_columns(columns: Mapping[Any, list[Any]], labels: Iterable[object]) -> list[list[float]]:
    """Return the columns of whole numbers, if rows are numbered from 0 and there are as many columns as a table has."""
    rows = len(next(iter(columns.values()), []))
    if len(columns) < _FEWEST or not rows or {*map(str, labels)} != {*map(str, range(rows))}:
        return []
    return [each for each in columns.values() if all(value is not None and value % 1 == 0 for value in each)]


def unclear_names(data: object) -> Sequence[str]:
    """Return the names in a dict of dicts that is columns of a table, or queries and documents; none if it is clear.

    The names have no digit, all rows are numbered from 0, the first column is in order and repeats its numbers in
    neighboring rows, and another contains whole numbers, however small, that are different within these.

    Examples
    --------
    >>> unclear_names({"Suche": {0: 1, 1: 1}, "Artikel": {0: 4, 1: 5}, "Note": {0: 2, 1: 0}})
    ['Suche', 'Artikel', 'Note']
    >>> unclear_names({"q1": {0: 1, 1: 1}, "q2": {0: 4, 1: 5}, "q3": {0: 2, 1: 0}})
    ()
    """
    first = next(iter(data.values()), None) if isinstance(data, Mapping) else None
    if not isinstance(data, Mapping) or not isinstance(first, Mapping):
        return ()
    by_row = next(iter(data)) in (0, "0")
    if not by_row and next(iter(first), None) not in (0, "0"):
        return ()  # it is seen at once that rows are not counted from 0
    names, labels = ([*first], data) if by_row else ([*data], first)
    if not 0 < len(names) <= _COLUMNS or any(not isinstance(name, str) or re.search(r"\d", name) for name in names):
        return ()
    parts = [*data.values()]
    if any(not isinstance(one, Mapping) or one.keys() != first.keys() for one in parts):
        return ()
    columns = {name: [one[name] for one in parts] if by_row else [*data[name].values()] for name in names}
    if not all(_is_number(value) for values in columns.values() for value in values):
        return ()
    keys, whole = columns[names[0]], _whole_columns(columns, labels)
    in_order = keys == sorted(keys) and any(keys is one for one in whole)
    return names if in_order and any(_groups(keys, ids) for ids in whole if ids is not keys) else ()


def refuse_unclear_names(data: Mapping[Any, Any], source: str) -> None:
    """Refuse a dict of dicts that may be columns of a table, or queries and documents.

    Raises
    ------
    DataError
        If it may be either; the message says how to give each.
    """
    if names := unclear_names(data):
        raise DataError(
            f"{source}: {listed(names)} can be columns of a table whose rows are called 0, 1, … or, with the same "
            "numbers, queries or documents. If they are columns, name the one with the documents, such as "
            f"{names[1]}: {either(f'doc={names[1]!r}', quoted_option('doc-col', names[1]))}, and the others alike. If "
            "they are not, give rows with query, doc and grade."
        )


_COLUMNS = 12
"""More names than this are those of queries."""


_FEWEST = 3
"""Columns of a table of numbers: the query, the document, and its grade, rank or score."""

_HIGHEST_GRADE = 20
"""No usual scale of grades goes beyond."""


def _groups(keys: Sequence[float], ids: Sequence[float]) -> bool:
    """Whether keys stand in runs, one of several rows at least, in none of which an id occurs twice."""
    runs = [key for key, _ in itertools.groupby(keys)]
    return len(set(runs)) == len(runs) < len(keys) and len({*zip(keys, ids, strict=True)}) == len(keys)


def _are_first_cells(values: Sequence[object], labels: Iterable[object]) -> bool:
    """Whether the beginning of a file may be the first column of a table: texts or whole numbers of rows from 0."""
    counted = [*map(str, labels)] == [*map(str, range(len(values)))]
    return counted and any(all(isinstance(value, kind) for value in values) for kind in (str, int))


def _is_number(value: object) -> bool:
    return isinstance(value, (int, float)) and not isinstance(value, bool)


_TABLE = frozenset({"schema", "data"})
_SPLIT = frozenset({"columns", "index", "data", "index_names", "column_names"})
_OTHERS = frozenset().union(*(names for role in ("doc", "grade", "rank", "score") for names in ALIASES[role]))


def _name_a_table(names: Iterable[object], docs: str) -> bool:
    """Whether names are those of queries and of something beside them, or one of them is that of the documents."""
    folded = {fold(str(name)) for name in names}
    if docs and fold(docs) in folded:
        return True
    return not folded.isdisjoint(QUERIES) and not (folded - QUERIES).isdisjoint(_OTHERS)


def _is_row_number(label: object) -> bool:
    return isinstance(label, int) or (isinstance(label, str) and label.isdecimal())
