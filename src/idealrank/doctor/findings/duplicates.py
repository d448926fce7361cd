"""Rows that come twice."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from idealrank.arrays import Ints
from idealrank.data.duplicates import first_with
from idealrank.data.ids import codes
from idealrank.data.judgments import Judgments
from idealrank.data.results import Results
from idealrank.data.spans import SPANS, spans_of
from idealrank.doctor.finding import Finding, of_mends
from idealrank.doctor.inputs import Inputs
from idealrank.doctor.mend import Mend


def duplicates(inputs: Inputs) -> Iterator[Finding]:
    """A document is judged or returned twice for one query; mended copies keep the first row."""
    for table in inputs.tables:
        if inputs.decisions.unit != SPANS and table.roles.of_spans():
            continue  # rows of one document may be different spans of it
        text = f"of {table.name} for a document that the query already has; a mended copy keeps the first"
        rows = repeated(spans_of(table).table if inputs.decisions.unit == SPANS else table)
        yield from of_mends("duplicates", "row", text, [Mend(table, dropped=rows.tolist())])


def repeated(table: Judgments | Results) -> Ints:
    """Return the rows whose query, document, rater, subtopic, step and system came before."""
    key = table.pairs(table.doc)
    for role in ("rater", "subtopic") if isinstance(table, Judgments) else ("step",):
        key = _finer(key, table, role)
    if table.systems_column() is not None:
        key = _finer(key, table, "system")
    return np.flatnonzero(first_with(key) != np.arange(len(key)))


def _finer(key: Ints, table: Judgments | Results, role: str) -> Ints:
    column = table.column(role)
    if column is None:
        return key
    code = codes(column) + 1
    finer: Ints = key * (code.max(initial=0) + 1) + code
    return finer
