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
from idealrank.data.units import AS_RETURNED, units_of_results
from idealrank.decisions import UnitMap
from idealrank.doctor.finding import Finding, of_mends
from idealrank.doctor.inputs import Inputs
from idealrank.doctor.mend import Mend


def duplicates(inputs: Inputs) -> Iterator[Finding]:
    """A document is judged or returned twice for one query; mended copies keep the first row."""
    for table in inputs.tables:
        parts = _parts(table, inputs.decisions.unit)
        if parts is not None:
            text = f"of {table.name} for a document that the query already has; a mended copy keeps the first"
            yield from of_mends("duplicates", "row", text, [Mend(table, dropped=repeated(parts).tolist())])


def _parts(table: Judgments | Results, unit: str | UnitMap) -> Judgments | Results | None:
    """Return the table with the documents that must not repeat; None where rows of one document are parts of it."""
    if unit == SPANS:
        return spans_of(table).table
    if table.roles.of_spans():
        return None
    if unit == AS_RETURNED or isinstance(table, Judgments):
        return table
    found = units_of_results(table, unit)
    return None if found.unnamed else found.table


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
