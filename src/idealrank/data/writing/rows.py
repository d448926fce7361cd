"""Rows to write: judgments or results, column by column, in whatever form they were read."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Self

import numpy as np

from idealrank._core import Column, from_columns
from idealrank.arrays import Floats, Ints, Mask
from idealrank.data.documents import is_clear_title
from idealrank.data.ids import Keyed, id_text
from idealrank.data.roles import ALIASES, fold
from idealrank.errors import DataError, UsageError, nearest

_MEANINGS = frozenset().union(
    *(tier for role, tiers in ALIASES.items() if role not in ("doc", "weight") for tier in tiers), ALIASES["doc"][0]
)
"""Folded names of columns that would be taken for another column of the file."""


class OtherColumns(Mapping[str, list[Any]]):
    """The columns of a table without a role, each made when one asks for it.

    A table of JSON has a column for each key, which may be as many as it has rows: all of them at once, with a value
    for every row, would be the square of its size.
    """

    def __init__(self, table: Keyed, columns: Mapping[str, int], rows: Ints | None = None) -> None:
        self._table, self._columns, self._rows = table, columns, rows

    def __getitem__(self, name: str) -> list[Any]:
        """Return the values of a column."""
        place = self._columns[name]
        source, rows = self._table.source, self._rows
        return source.call_core(lambda: source.frame.column(place).to_list(rows))

    def __iter__(self) -> Iterator[str]:
        """Go through the names."""
        return iter(self._columns)

    def __len__(self) -> int:
        """Count the columns."""
        return len(self._columns)

    def at(self, rows: Ints) -> OtherColumns:
        """Return the columns at some of these rows."""
        return OtherColumns(self._table, self._columns, rows if self._rows is None else self._rows[rows])


@dataclass(frozen=True, eq=False)
class RowsToWrite:
    """Judgments or results to write.

    Attributes
    ----------
    kind
        judgments or results.
    name
        The table's name in messages.
    query, doc
        (N,) the ids of each row; a document may be "" in results.
    numbers
        (N,) the grade; or the rank and the score, those there are. NaN where missing.
    words
        (N,) rater, subtopic, iteration (the second field of TREC judgments), step, system and error, those there
        are; "" where missing.
    others
        (N,) columns without a role.
    texts, titles, passages
        The text of queries, and the title and the text of documents, as far as they are known.
    nested
        Columns of lists or objects, which no format has a place for.
    system
        The name of the only system.
    order
        What orders results: score, rank or given.
    """

    kind: str
    name: str
    query: list[str]
    doc: list[str]
    numbers: Mapping[str, Floats] = field(default_factory=dict)
    words: Mapping[str, list[str]] = field(default_factory=dict)
    others: Mapping[str, list[Any]] = field(default_factory=dict)
    texts: Mapping[str, str] = field(default_factory=dict)
    titles: Mapping[str, str] = field(default_factory=dict)
    passages: Mapping[str, str] = field(default_factory=dict)
    nested: tuple[str, ...] = ()
    system: str = ""
    order: str = ""

    def __len__(self) -> int:
        return len(self.query)

    @property
    def grade(self) -> Floats:
        """(N,) the grades of judgments."""
        return self.numbers["grade"]

    def at(self, places: Ints) -> Self:
        """Return the rows at some places."""
        return replace(
            self,
            query=_take(self.query, places),
            doc=_take(self.doc, places),
            numbers={name: values[places] for name, values in self.numbers.items()},
            words={name: _take(values, places) for name, values in self.words.items()},
            others=_take_columns(self.others, places),
        )

    def by_rater(self, raters: Sequence[str], ratings: Floats) -> Self:
        """Return one row per rater, of (N, raters) ratings."""
        rows = self.at(np.repeat(np.arange(len(self)), len(raters)))
        words = {"rater": [*raters] * len(self), **rows.words}
        return replace(rows, numbers={"grade": ratings.ravel()}, words=words)

    def of_system(self, system: str, systems: Sequence[str], listed: Mask, name: str) -> Self:
        """Return the rows of results of one system, or of all for "".

        Raises
        ------
        UsageError
            If there is no such system.
        """
        if system and system not in systems:
            raise UsageError(f"{name}: no system called {system!r}.{nearest(system, systems)}")
        if system and "system" in self.words:
            listed = listed & np.array([one == system for one in self.words["system"]], np.bool_)
        rows = self if listed.all() else self.at(np.flatnonzero(listed))
        return replace(rows, system=system or systems[0])

    @staticmethod
    def codes(*columns: Sequence[str]) -> Ints:
        """(N,) a number for each row, the same where all columns are."""
        pairs = np.zeros(len(columns[0]), np.int64)
        for place, column in enumerate(columns):
            code, distinct = from_columns(["text"], [column]).column(0).codes()
            # Numbered anew after each column, so that the product of many columns does not overflow.
            pairs = np.unique(pairs * len(distinct) + code, return_inverse=True)[1] if place else code
        return pairs

    def by_query(self) -> Iterator[tuple[str, list[int]]]:
        """Yield each query with the places of its rows."""
        places: dict[str, list[int]] = {}
        for place, query in enumerate(self.query):
            places.setdefault(query, []).append(place)
        yield from places.items()


def _take_columns(others: Mapping[str, list[Any]], rows: Ints) -> Mapping[str, list[Any]]:
    if isinstance(others, OtherColumns):
        return others.at(rows)
    return {name: _take(values, rows) for name, values in others.items()}


def join_tables(parts: Sequence[RowsToWrite]) -> RowsToWrite:
    """Join rows of several tables into those of one; results of several files are several systems.

    Raises
    ------
    UsageError
        If one goes by rank and another by score.
    """
    first = parts[0]
    if len(parts) == 1:
        return first
    if any(part.order != first.order for part in parts):
        raise UsageError("Some of these results go by rank and some by score. Convert them one by one.")
    systems = first.kind == "results"
    words = [{**({"system": [part.system] * len(part)} if systems else {}), **part.words} for part in parts]
    return replace(
        first,
        query=[query for part in parts for query in part.query],
        doc=[doc for part in parts for doc in part.doc],
        numbers={
            name: np.concatenate([part.numbers.get(name, np.full(len(part), np.nan)) for part in parts])
            for name in dict.fromkeys(name for part in parts for name in part.numbers)
        },
        words=_stack_columns(words, parts, ""),
        others=_stack_columns([part.others for part in parts], parts, None),
        texts={key: text for part in reversed(parts) for key, text in part.texts.items()},
        titles={key: title for part in reversed(parts) for key, title in part.titles.items()},
        passages={key: text for part in reversed(parts) for key, text in part.passages.items()},
        nested=tuple(dict.fromkeys(name for part in parts for name in part.nested)),
    )


def _stack_columns(
    columns: Sequence[Mapping[str, list[Any]]], parts: Sequence[RowsToWrite], missing: Any
) -> dict[str, list[Any]]:
    return {
        name: [v for one, part in zip(columns, parts, strict=True) for v in one.get(name, [missing] * len(part))]
        for name in dict.fromkeys(name for one in columns for name in one)
    }


def rows_of(table: Keyed, kind: str, doc: int, roles: Sequence[str]) -> RowsToWrite:
    """Return the ids, the words of some roles, and the columns without a role.

    Raises
    ------
    DataError
        If a row names no query; the message gives its line.
    """
    query, docs = _column_texts(table.keys.query), _column_texts(table.source.ids(doc))
    if "" in query:
        raise table.source.bad_row("missing_id", query.index(""), "query", "", "", -1)
    texts, differing = table.texts
    words = {role: _column_texts(column) for role in roles if (column := table.column(role)) is not None}
    if (iteration := table.iteration) is not None:
        words["iteration"] = _column_texts(iteration)
    others, nested = ([], []) if table.form else _unused_columns(table, doc)
    values = OtherColumns(table, {name: place for place, name in others})
    texts = {key: text for key, text in texts.items() if key not in differing}
    return RowsToWrite(
        kind, table.name, query, docs, {}, words, values, texts, nested=tuple(name for _, name in nested)
    )


def _unused_columns(table: Keyed, doc: int) -> tuple[list[tuple[int, str]], list[tuple[int, str]]]:
    """Return the columns without a role that can be written, and those of lists or objects."""
    roles, frame = table.roles, table.source.frame
    used = {doc, *roles.chosen.values(), *roles.several, *roles.ratings(), *roles.taken}
    free = [
        (place, name)
        for place, name in enumerate(frame.names)
        if place not in used and name and fold(name) not in _MEANINGS
    ]
    nested = [each for each in free if frame.nested(each[0]) is not None or each[1] in table.source.unfit]
    nested_columns = set(nested)
    return [each for each in free if each not in nested_columns], nested


def _column_texts(column: Column) -> list[str]:
    values: list[Any] = column.to_list()
    if column.kind == "text" and not column.missing:
        return values
    return ["" if value is None else value if type(value) is str else id_text(value) for value in values]


def _take(values: Sequence[Any], places: Ints) -> list[Any]:
    return [values[place] for place in places.tolist()]


def number_texts(values: Floats) -> list[str]:
    """Write numbers: whole ones without decimals, others so that they read back the same; "" for NaN.

    Examples
    --------
    >>> number_texts(np.array([3.0, 0.1, np.nan, -1.0]))
    ['3', '0.1', '', '-1']
    """
    distinct, place = np.unique(values, return_inverse=True)
    texts = [text.removesuffix(".0") for text in map(repr, (distinct + 0.0).tolist())]  # without -0
    if len(distinct) and distinct[-1] != distinct[-1]:  # NaN, which np.unique sorts last
        texts[-1] = ""
    return [texts[i] for i in place.tolist()]


NO_NUL = "which no text can contain. Remove it, or write JSON lines or Parquet."
"""What is said of a NUL byte in a format of text, which its reader would refuse."""


def whole_as_int(value: float) -> int | float:
    """Return a whole number as an integer, for JSON."""
    return int(value) if value.is_integer() else value


def row_error(rows: RowsToWrite, place: int, what: str, way: str) -> DataError:
    """Build the error for a row that a format cannot contain."""
    return DataError(f"{rows.name}: {what} (query {rows.query[place]!r}, document {rows.doc[place]!r}). {way}")


# The order of results in formats that have nothing but scores for it.


def ranks_and_scores(rows: RowsToWrite, notes: list[str]) -> tuple[Ints, Floats]:
    """Return (N,) the rank of each result in its list, from 1, and (N,) scores that put them in that order.

    Scores that there are stay, unless the table goes by its ranks and they contradict them.
    """
    lists = rows.codes(rows.query, *([rows.words["system"]] if "system" in rows.words else []))
    key, own = _sort_key(rows), rows.numbers.get("score")
    order = np.lexsort((np.arange(len(rows)), key, lists))
    ranks = _places_in_list(lists[order])[np.argsort(order, kind="stable")]
    if own is not None and (rows.order == "score" or _is_falling(own[order], key[order], lists[order])):
        return ranks, own
    notes.append(f"the scores are made up, to keep the order{' by rank' if rows.order == 'rank' else ''}")
    return ranks, (key.max(initial=0.0) + 1) - key


def _sort_key(rows: RowsToWrite) -> Floats:
    """(N,) numbers that increase from the first result of a list to the last."""
    if rows.order == "given":
        return np.arange(len(rows), dtype=np.float64)
    key = -rows.numbers["score"] if rows.order == "score" else rows.numbers["rank"]
    return np.where(np.isnan(key), np.nanmax(key, initial=0.0) + 1, key)


def _places_in_list(lists: Ints) -> Ints:
    """(N,) the place of each row in its list, of rows sorted by list."""
    first = np.flatnonzero(np.diff(lists, prepend=-1))
    return np.arange(len(lists)) - np.repeat(first, np.diff(np.append(first, len(lists)))) + 1


def _is_falling(scores: Floats, key: Floats, lists: Ints) -> bool:
    """Whether the scores of every list decrease where its key increases, and are equal only where it is equal."""
    same = np.diff(lists) == 0
    step, keys = np.diff(scores)[same], np.diff(key)[same]
    return bool(((step < 0) == (keys > 0)).all() and not np.isnan(scores).any())


# Rows as a table with named columns, which CSV, JSON lines and Parquet write.


_WORDS = ("rater", "subtopic", "iteration", "step", "system", "error")


def columns_of(rows: RowsToWrite) -> dict[str, Any]:
    """Return the columns, arrays of numbers or lists of texts, under the names that idealrank finds first.

    Examples
    --------
    >>> import numpy as np
    >>> rows = RowsToWrite("judgments", "j", ["q1"], ["d1"], {"grade": np.ones(1)}, texts={"q1": "red shoes"})
    >>> list(columns_of(rows))
    ['query_id', 'query', 'doc_id', 'grade']
    """
    columns: dict[str, Any] = {"query_id": rows.query}
    if rows.texts:
        columns["query"] = [rows.texts.get(query, "") for query in rows.query]
    columns["doc_id"] = rows.doc
    columns.update(rows.numbers)
    columns.update((role, rows.words[role]) for role in _WORDS if role in rows.words)
    if rows.kind == "results" and "system" not in rows.words and rows.system:
        columns["system"] = [rows.system] * len(rows)
    if rows.titles and not any(map(is_clear_title, rows.others)):
        columns["title"] = [rows.titles.get(doc, "") for doc in rows.doc]
    return columns | {name: values for name, values in rows.others.items() if name not in columns}


# The names of queries and documents in formats that know queries by their text.


def query_names(rows: RowsToWrite, notes: list[str]) -> Mapping[str, str]:
    """Return what to call each query: its text, if each has one of its own; else its id.

    Examples
    --------
    >>> query_names(RowsToWrite("judgments", "j", ["q1", "q2"], ["a", "b"], texts={"q1": "red", "q2": "blue"}), [])
    {'q1': 'red', 'q2': 'blue'}
    """
    ids = list(dict.fromkeys(rows.query))
    texts = [rows.texts.get(query, "") for query in ids]
    if all(texts) and len(set(texts)) == len(ids):
        return dict(zip(ids, texts, strict=True))
    if rows.texts:
        why = "two queries have the same" if all(texts) else "not every query has one"
        notes.append(f"queries are called by their ids, not by their texts: {why}")
    return {query: query for query in ids}


def indented_json(value: Any) -> str:
    """Write JSON for people to read."""
    return json.dumps(value, ensure_ascii=False, indent=1) + "\n"
