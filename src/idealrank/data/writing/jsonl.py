"""JSON lines: one object per row."""

from __future__ import annotations

import json
from typing import Any

import numpy as np

from idealrank.data.writing.rows import Rows, plain
from idealrank.data.writing.table import columns_of
from idealrank.data.writing.writer import TABLE, Wishes, Writer


def lines(rows: Rows, wishes: Wishes, notes: list[str]) -> str:
    """Write one object per row; what is missing in a row is left out of it, but never an id."""
    columns = {name: _values(values) for name, values in columns_of(rows).items()}
    encode = json.JSONEncoder(ensure_ascii=False).encode
    always = {"query_id", "doc_id"}
    return "".join(
        encode({name: v for name, v in zip(columns, row, strict=True) if name in always or v not in (None, "")}) + "\n"
        for row in zip(*columns.values(), strict=True)
    )


def _values(values: Any) -> list[Any]:
    if isinstance(values, np.ndarray):
        return [None if value != value else plain(value) for value in values.tolist()]
    return list(values)


JSONL = Writer("jsonl", "JSON lines", (".jsonl", ".ndjson"), {"judgments": lines, "results": lines}, TABLE)
