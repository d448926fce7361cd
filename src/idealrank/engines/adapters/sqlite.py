"""SQLite: a table of documents as a full-text index (FTS5) in memory, for those who have no engine yet.

Source: SQLite documentation, "SQLite FTS5 Extension": bm25(), tokenizers, full-text query syntax.
"""

from __future__ import annotations

import contextlib
import sqlite3
import time
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

from idealrank.data.documents import Documents, read_documents
from idealrank.data.ids import id_text
from idealrank.engines.address import Address
from idealrank.engines.engine import Document, Engine, SearchError, SearchHits, SearchOptions, Values
from idealrank.engines.hits import hits_of_rows
from idealrank.engines.templates import all_words, any_word, compile_sql
from idealrank.errors import NoColumnError, UsageError, listed, nearest

_OWN = """SELECT id, -bm25(documents) AS score{more}
FROM documents
WHERE documents MATCH {{{{query|any}}}}
ORDER BY score DESC, id
LIMIT {{{{k}}}}
"""
"""bm25() is the smaller the better a document matches, and scores here are the greater the better."""
_TOKENIZE = "porter unicode61 remove_diacritics 2"

_STEPS = 100_000
"""Steps of SQLite after which it is asked whether time is up."""

_MOST_ROWS = 1_000_000
"""Rows of an answer that are read: a template may make more than there are documents."""

_LONGEST = 1 << 26
"""Bytes of the longest value that a template may make."""


class Sqlite(Engine):
    """A table of documents with a template in SQL; its table is called documents, its column of ids id."""

    kind = "sqlite"
    alone = True
    fetches = True

    def __init__(self, address: Address, wishes: SearchOptions) -> None:
        self.address, self._wishes = address.text, wishes
        source = _read_documents(address.url)
        table, key = source.table, source.key
        assert table is not None, "documents were read from a table"
        names = [name for place, name in enumerate(table.frame.names) if place != key]
        texts = _searched_columns(address, names)
        called = _column_names(names)
        more = "".join(
            f", {called[name]} AS {_quote_name(name)}" for name in _check_columns(wishes.fields, names, address.text)
        )
        template = address.template(_OWN.format(more=more))
        self.template, self.origin = template.text, template.origin
        words = {"any": any_word, "all": all_words}
        self._statement = compile_sql(template, words, lambda name: f":{name}")
        self.content = source.origin.sha256() or "" if source.origin else ""
        self._template, self._table = template, (table, key, names, texts)
        self._tokenize = address.options.get("tokenize", _TOKENIZE)
        self._count = table.frame.rows
        self._base: sqlite3.Connection | None = None

    async def open(self) -> None:
        """Index the documents, and refuse a template that SQLite cannot read, before the first query."""
        self._base = sqlite3.connect(":memory:")
        self._index(self._base, *self._table)
        self._base.set_authorizer(_authorize)
        self._base.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, _LONGEST)
        sample = {name: '""' if place.made else 1 for name, place in self._statement.bound}
        where = self._template.origin or self.address
        self._stop_in_time(self._base, time.perf_counter())
        with _explain_errors(where):
            cursor = self._base.execute(self._statement.text, sample)
        try:
            hits_of_rows([column[0] for column in cursor.description or ()], [], self._wishes.fields)
        except SearchError as error:
            raise UsageError(f"{where}: {error}.") from None

    def _index(self, base: sqlite3.Connection, table: Any, key: int, names: list[str], texts: list[str]) -> None:
        called = _column_names(names)
        columns = ", ".join(called[name] + ("" if name in texts else " UNINDEXED") for name in names)
        ids = table.ids(key).to_list(None)
        others = [table.frame.column(table.frame.names.index(name)).to_list(None) for name in names]
        marks = ", ".join("?" * (len(names) + 1))
        with _explain_errors(self.address):
            tokenize = _quote_text(self._tokenize)
            base.execute(f"CREATE VIRTUAL TABLE documents USING fts5(id UNINDEXED, {columns}, tokenize={tokenize})")
            base.executemany(f"INSERT INTO documents VALUES ({marks})", zip(ids, *others, strict=True))

    def _stop_in_time(self, base: sqlite3.Connection, begin: float) -> None:
        base.set_progress_handler(lambda: time.perf_counter() - begin > self._wishes.timeout, _STEPS)

    @property
    def names(self) -> frozenset[str]:
        """Names of the values that the template needs."""
        return frozenset(place.name for _, place in self._statement.bound)

    def describe_request(self, values: Values) -> str:
        """Return the statement and its parameters."""
        bound = self._statement.parameters(values)
        return "\n".join([self._statement.text.rstrip(), *(f":{name} = {value!r}" for name, value in bound.items())])

    async def about(self) -> dict[str, Any]:
        """Return SQLite's version and the number of documents."""
        return {"engine": "sqlite", "version": sqlite3.sqlite_version, "index": None, "documents": self._count}

    async def ask(self, values: Values) -> SearchHits:
        """Run the statement for a query."""
        assert self._base is not None, "the engine was not opened"
        begin = time.perf_counter()
        self._stop_in_time(self._base, begin)
        try:
            cursor = self._base.execute(self._statement.text, self._statement.parameters(values))
            rows = cursor.fetchmany(_MOST_ROWS)
        except sqlite3.OperationalError as error:
            late = f"no whole answer within {self._wishes.timeout:g} s" if str(error) == "interrupted" else ""
            raise SearchError(late or f"SQLite: {error}", timed_out=bool(late)) from None
        except sqlite3.Error as error:
            raise SearchError(f"SQLite: {error}") from None
        latency = (time.perf_counter() - begin) * 1000
        found = hits_of_rows([column[0] for column in cursor.description], rows, self._wishes.fields)
        return replace(found, latency=latency)

    async def documents(self, ids: Sequence[str]) -> dict[str, Document]:
        """Return the fields of some documents, as their table has them."""
        table, key, _, _ = self._table
        names, wanted = table.frame.names, set(ids)
        rows = {text: row for row, of in enumerate(table.ids(key).to_list(None)) if (text := id_text(of)) in wanted}
        columns = {name: table.frame.column(names.index(name)).to_list(None) for name in self._wishes.fields}
        return {text: {name: values[row] for name, values in columns.items()} for text, row in rows.items()}

    async def close(self) -> None:
        """Let go of the index."""
        if self._base is not None:
            self._base.close()


def engine(address: Address, wishes: SearchOptions) -> Sqlite:
    """Return the index of a table of documents."""
    return Sqlite(address, wishes)


def _read_documents(file: str) -> Documents:
    """Read the table of documents."""
    try:
        return read_documents(file, column="")
    except NoColumnError as error:
        reason = str(error).partition(" Name it")[0]
        raise NoColumnError(f"{reason} Call the column of ids id or doc_id.") from None


def _authorize(action: int, *names: str | None) -> int:
    """Refuse what writes outside of the index in memory."""
    sets_pragma = action == sqlite3.SQLITE_PRAGMA and names[:2] != ("data_version", None)  # which FTS5 itself asks
    return sqlite3.SQLITE_DENY if sets_pragma or action == sqlite3.SQLITE_ATTACH else sqlite3.SQLITE_OK


@contextlib.contextmanager
def _explain_errors(where: str) -> Iterator[None]:
    try:
        yield
    except sqlite3.Error as error:
        raise UsageError(f"{where}: SQLite: {error}. A template for sqlite: is a SELECT of id and score.") from None


def _searched_columns(address: Address, names: list[str]) -> list[str]:
    """Return the columns that are searched: those named in the address, else all."""
    asked = address.options.get("columns", "")
    return _check_columns(tuple(asked.split(",")), names, address.text) if asked else names


def _check_columns(asked: tuple[str, ...], names: list[str], where: str) -> list[str]:
    strange = next((name for name in asked if name not in names), None)
    if strange is not None:
        raise UsageError(f"{where}: no column {strange!r}.{nearest(strange, names)} Columns: {listed(names, 20)}.")
    return list(asked)


_TAKEN = ("id", "documents", "rank", "rowid", "score")
"""Names that FTS5, or the templates here, use otherwise."""


def _column_names(names: list[str]) -> dict[str, str]:
    """Return what each column is called in SQL, quoted: its name, with _ behind it where that is taken already.

    Examples
    --------
    >>> _column_names(["title", "rank", "Title"])
    {'title': '"title"', 'rank': '"rank_"', 'Title': '"Title_"'}
    """
    found: dict[str, str] = {}
    taken = set(_TAKEN)
    for name in names:
        own = name
        while own.lower() in taken:
            own += "_"
        taken.add(own.lower())
        found[name] = _quote_name(own)
    return found


def _quote_name(name: str) -> str:
    return '"' + name.replace('"', '""') + '"'


def _quote_text(value: str) -> str:
    return "'" + value.replace("'", "''") + "'"
