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
from idealrank.data.queries import read_queries
from idealrank.errors import DataError

OWN = ("query", "query_id", "k")
"""Values that every template may name, whatever the columns are called."""


@dataclass(frozen=True)
class Questions:
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


def questions_of(source: Any, query: str | None = None, text: str | None = None) -> Questions:
    """Return the queries of texts, of ``{id: text}``, or of a table; of a text file without columns, its lines.

    Raises
    ------
    DataError
        If there is none, or the table has no texts.
    """
    if isinstance(source, Mapping) and all(isinstance(words, str) for words in source.values()):
        found = _distinct(list(source), list(source.values()))
    elif isinstance(source, (str, PathLike)) and Path(source).suffix.lower() == ".txt":
        lines = [line.strip() for line in _lines(source) if line.strip()]
        found = _distinct(lines, lines, str(source))
    elif isinstance(source, (str, PathLike, Mapping)) or hasattr(source, "__arrow_c_stream__"):
        found = _from_table(source, query, text)
    else:
        texts = list(source)
        found = _distinct(texts, texts)
    if not found.keys:
        raise DataError(f"{found.name + ': no' if found.name else 'No'} queries to replay. Give at least one.")
    return found


def _lines(source: str | PathLike[str]) -> list[str]:
    try:
        return Path(source).read_text(encoding="utf-8-sig").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        why = error.strerror if isinstance(error, OSError) else "not UTF-8"
        raise DataError(f"{source}: cannot be read: {why}. Give a file of queries, one on each line.") from None


def _distinct(keys: list[Any], texts: list[str], name: str = "") -> Questions:
    """Return queries without those that repeat another."""
    once = dict(zip(keys, texts, strict=True))
    said = {key: text for key, text in once.items() if str(text).strip()}
    without = [id_text(key) for key in once if key not in said]
    return Questions(list(said), list(said.values()), {}, name, without, len(keys) - len(once))


def _from_table(source: Any, query: str | None, text: str | None) -> Questions:
    table = read_queries(source, query=query, text=text)
    if not table.text:
        raise DataError(f"{table.name}: no column with the queries' texts. Give one called query or text.")
    words = table.attributes[table.text]
    keys = [key for key, said in words.items() if said is not None and str(said).strip()]
    columns = {name: [values[key] for key in keys] for name, values in table.attributes.items() if name != table.text}
    asked = set(keys)
    without = [id_text(key) for key in words if key not in asked]
    origin = table.tables[0].origin if table.tables else None
    sha256 = (origin.sha256() if origin else None) or ""
    return Questions(keys, [str(words[key]) for key in keys], columns, table.name, without, sha256=sha256)
