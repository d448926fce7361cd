"""Results that must not be counted: a list of queries and documents to exclude."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from idealrank._core import Column
from idealrank.arrays import Ints, Kept
from idealrank.data.formats.reader import read_frame
from idealrank.data.ids import id_text
from idealrank.data.judgments import Judgments
from idealrank.data.read import read_judgments, read_results
from idealrank.data.results import Results


def read_excluded(source: Any) -> Judgments | Results:
    """Read the queries and documents to exclude: a table with both, TREC judgments, or ``{query: {document: 1}}``.

    Examples
    --------
    >>> read_excluded({"q1": {"d1": 1}})
    Results('results to exclude', 1 row, systems: results)
    """
    if isinstance(source, (Judgments, Results)):
        return source
    table = read_frame(source, "results to exclude")
    return read_judgments(table) if table.frame.format == "trec-qrels" else read_results(table)


def without(results: Results, excluded: Judgments | Results) -> Results:
    """Leave out the results on a list; results below them move up.

    Examples
    --------
    >>> run = read_results({"q1": {"d1": 2.0, "d2": 1.0}})
    >>> without(run, read_excluded({"q1": {"d1": 1}, "q2": {"d2": 1}})).left_out
    array([0])
    """
    rows = excluded_rows(results, excluded)
    return replace(results, left_out=rows, kept=Kept()) if len(rows) else results


def excluded_rows(results: Results, excluded: Judgments | Results) -> Ints:
    """Return the rows of results whose query and document are on a list."""
    query, asked = _names(results.keys.query)
    doc, named = _names(results.source.ids(results.doc))
    documents = _texts(excluded.source.ids(excluded.doc))
    pairs, wanted = set(zip(_texts(excluded.keys.query), documents, strict=True)), set(documents)
    known = np.isin(doc, [i for i, name in enumerate(named) if name in wanted])
    rows = np.flatnonzero(known & (query >= 0))
    return np.array([row for row in rows.tolist() if (asked[query[row]], named[doc[row]]) in pairs], np.int64)


def _names(column: Column) -> tuple[Ints, list[str]]:
    code, distinct = column.codes()
    return code, [id_text(name) for name in distinct.to_list()]


def _texts(column: Column) -> list[str]:
    return [id_text(name) for name in column.to_list()]
