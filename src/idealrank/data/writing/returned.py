"""The rows of results: ranks and scores, the systems, and the queries whose search failed."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

import numpy as np

from idealrank._core import Column
from idealrank.data.failures import Failures
from idealrank.data.ids import Keyed, codes, id_text
from idealrank.data.writing.rows import Rows, rows_of


def result_rows(table: Keyed, doc: int, numbers: Mapping[str, Column | None], failures: Failures) -> Rows:
    """Return one row per row of a table of results."""
    system = table.systems_column()
    rows = rows_of(table, "results", doc, ("step",) if system is None else ("step", "system"))
    words = {**rows.words, **({"error": _said(table, failures)} if failures.queries else {})}
    return replace(rows, words=words, numbers={role: c.floats() for role, c in numbers.items() if c is not None})


def _said(table: Keyed, failures: Failures) -> list[str]:
    """(N,) the message of each row whose search failed, "" for others."""
    column, keys = table.systems_column(), table.keys.query.to_list()
    of = np.zeros(len(keys), np.int64) if column is None else codes(column)
    return [
        failures.queries.get(system, {}).get(id_text(key), "") for system, key in zip(of.tolist(), keys, strict=True)
    ]
