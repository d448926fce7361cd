"""The names of queries and documents in formats that know queries by their text."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from idealrank.data.writing.rows import Rows


def query_names(rows: Rows, notes: list[str]) -> Mapping[str, str]:
    """Return what to call each query: its text, if each has one of its own; else its id.

    Examples
    --------
    >>> query_names(Rows("judgments", "j", ["q1", "q2"], ["a", "b"], texts={"q1": "red", "q2": "blue"}), [])
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


def as_json(value: Any) -> str:
    """Write JSON for people to read."""
    return json.dumps(value, ensure_ascii=False, indent=1) + "\n"
