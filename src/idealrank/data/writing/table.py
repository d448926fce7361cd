"""Rows as a table with named columns, which CSV, JSON lines and Parquet write."""

from __future__ import annotations

from typing import Any

from idealrank.data.documents import is_clear_title
from idealrank.data.writing.rows import Rows

_WORDS = ("rater", "subtopic", "iteration", "step", "system", "error")


def columns_of(rows: Rows) -> dict[str, Any]:
    """Return the columns, arrays of numbers or lists of texts, under the names that idealrank finds first.

    Examples
    --------
    >>> import numpy as np
    >>> list(columns_of(Rows("judgments", "j", ["q1"], ["d1"], {"grade": np.ones(1)}, texts={"q1": "red shoes"})))
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
