"""The queries of a replay: an id, a text, and the other columns of their table, as values for templates."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from os import PathLike
from pathlib import Path
from typing import Any

from idealrank.data.ids import id_text
from idealrank.data.queries import Queries, read_queries
from idealrank.data.read import read_judgments
from idealrank.errors import DataError, either, some

OWN = ("query", "query_id", "k")
"""Values that every template may name, whatever the columns are called."""


@dataclass(frozen=True)
class ReplayQueries:
    """The queries that are asked.

    Attributes
    ----------
    keys
        Their ids.
    texts
        Their texts.
    columns
        ``{column: values}`` of the rest of their table.
    name
        The table's name; "" for queries given in Python.
    without_text
        Ids of queries that have no text, and are not asked.
    repeated
        How many texts of a list repeat another, and are asked once.
    rows
        How many rows their table has, where some queries have several, as in judgments; 0 otherwise.
    varying
        Columns of such a table that differ within a query, and are no values for templates.
    sha256
        The hash of their file; "" if they were not read from one.
    """

    keys: Sequence[Any]
    texts: Sequence[str]
    columns: Mapping[str, Sequence[Any]] = field(default_factory=dict)
    name: str = ""
    without_text: Sequence[str] = ()
    repeated: int = 0
    sha256: str = ""
    rows: int = 0
    varying: Sequence[str] = ()

    def values(self, place: int, k: int, settings: Mapping[str, Any]) -> dict[str, Any]:
        """Return the values for the template of a system, for one query."""
        row = {name: column[place] for name, column in self.columns.items()}
        own = {"query": self.texts[place], "query_id": self.keys[place], "k": k}
        return {**row, **own, **settings}

    def hash(self, names: frozenset[str]) -> str:
        """Return a hash of the ids, the texts, and the columns that a template uses."""
        digest = hashlib.sha256()
        used = [self.columns[name] for name in sorted(names & set(self.columns))]
        for row in zip(self.keys, self.texts, *used, strict=True):
            digest.update(json.dumps(row, default=str).encode())
        return digest.hexdigest()


def read_replay_queries(source: Any, query: str | None = None, text: str | None = None) -> ReplayQueries:
    """Return the queries of texts, of ``{id: text}``, or of a table; of a text file without columns, its lines.

    Raises
    ------
    DataError
        If there is none, or the table has no texts.
    """
    if isinstance(source, Mapping) and all(isinstance(words, str) for words in source.values()):
        found = _drop_repeats(list(source), list(source.values()))
    elif isinstance(source, (str, PathLike)) and Path(source).suffix.lower() == ".txt":
        lines = [line.strip() for line in _read_lines(source) if line.strip()]
        found = _drop_repeats(lines, lines, str(source))
    elif isinstance(source, (str, PathLike, Mapping)) or hasattr(source, "__arrow_c_stream__"):
        found = _read_table(source, query, text)
    else:
        texts = list(source)
        found = _drop_repeats(texts, texts)
    if not found.keys:
        raise DataError(f"{found.name + ': no' if found.name else 'No'} queries to replay. Give at least one.")
    return found


def _read_lines(source: str | PathLike[str]) -> list[str]:
    try:
        return Path(source).read_text(encoding="utf-8-sig").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        why = error.strerror if isinstance(error, OSError) else "not UTF-8"
        raise DataError(f"{source}: cannot be read: {why}. Give a file of queries, one on each line.") from None


def _drop_repeats(keys: list[Any], texts: list[str], name: str = "") -> ReplayQueries:
    """Return queries without those that repeat another."""
    once = dict(zip(keys, texts, strict=True))
    kept = {key: text for key, text in once.items() if str(text).strip()}
    without = [id_text(key) for key in once if key not in kept]
    return ReplayQueries(list(kept), list(kept.values()), {}, name, without, len(keys) - len(once))


def _read_table(source: Any, query: str | None, text: str | None) -> ReplayQueries:
    table = read_queries(source, query=query, text=text, repeated=True)
    if not table.text:
        raise DataError(_no_texts_message(table))
    words = table.attributes[table.text]
    keys = [key for key, text in words.items() if text is not None and str(text).strip()]
    columns = {name: [values[key] for key in keys] for name, values in table.attributes.items() if name != table.text}
    read = table.tables[0] if table.tables else None
    for name in read.nested if read else ():
        if name in columns:
            columns[name] = [_parse_json_cell(value) for value in columns[name]]
    asked = set(keys)
    without = [id_text(key) for key in words if key not in asked]
    sha256 = (read.origin.sha256() if read and read.origin else None) or ""
    texts = [str(words[key]) for key in keys]
    rows, varying = (read.rows, read.varying) if read and read.rows > len(words) else (0, ())
    return ReplayQueries(keys, texts, columns, table.name, without, sha256=sha256, rows=rows, varying=varying)


def _parse_json_cell(value: Any) -> Any:
    """Return the list or the object that a table has as JSON text; anything else as it is."""
    if not isinstance(value, str) or value[:1] not in ("[", "{"):
        return value
    try:
        return json.loads(value)
    except (ValueError, RecursionError):
        return value


def _no_texts_message(table: Queries) -> str:
    """Say that a table has no texts, and how to name their column."""
    names = [name for each in table.tables for name in (each.key, *each.columns, *each.varying)]
    way = either("call it text", "--text-col queries:NAME")
    return f"{table.name}: no column with the queries' texts, only {some(names)}. Name it: {way}."


def judged_ids(judgments: Any, questions: ReplayQueries) -> list[str]:
    """Return the documents that are judged for some queries, once each; the queries are met by id or by text."""
    found = read_judgments(judgments)
    documents = found.source.ids(found.doc).to_list(None)
    if found.one_query:
        return list(dict.fromkeys(map(id_text, documents)))
    asked = {id_text(key) for key in questions.keys} | {str(text) for text in questions.texts}
    pairs = zip(found.keys.query.to_list(None), documents, strict=True)
    return list(dict.fromkeys(id_text(doc) for query, doc in pairs if doc is not None and id_text(query) in asked))
