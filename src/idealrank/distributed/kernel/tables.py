"""The tables of a part: read with the columns that were found in the whole."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from idealrank._core import Frame, from_arrow, from_columns, from_dicts
from idealrank.arrays import Kept
from idealrank.data.exclusion import without
from idealrank.data.formats.messages import quoted
from idealrank.data.formats.source import Source
from idealrank.data.ids import ONE_QUERY, id_text
from idealrank.data.judgments import Judgments
from idealrank.data.queries import read_queries
from idealrank.data.read import no_results, read_judgments, read_results
from idealrank.data.results import Results
from idealrank.data.searches_apart import Tables
from idealrank.data.unnamed import as_scores
from idealrank.data.whole import WholeResults
from idealrank.distributed.kernel.plan import Columns, Plan, Table


def judgments_of(plan: Plan, source: Any) -> Judgments:
    """Read the judgments of some queries; None stands for none."""
    if source is None and not plan.names:
        return read_judgments(Source(plan.name, from_dicts({})))
    if source is None:
        source = Source(plan.name, from_columns(list(plan.names), [[] for _ in plan.names]))
    return read_judgments(_source(source, plan.name, plan.columns), **dict(plan.columns))


def results_of(table: Table, source: Any) -> Results:
    """Read the results of some queries; None stands for none."""
    if source is None and table.template is None:
        return no_results(table.label)
    rows = _source(table.template if source is None else source, table.name, table.columns)
    found = read_results(rows, name=table.label, **dict(table.columns))
    return found if source is not None else replace(found, left_out=np.arange(found.source.frame.rows))


def of_whole(results: Results, known: WholeResults) -> Results:
    """Read the results of some queries as the whole of their table is read."""
    roles = results.roles if known.counted else as_scores(results.source, results.roles)
    return replace(results, roles=roles, whole=known, kept=Kept())


def _source(source: Any, name: str, columns: Columns) -> Any:
    """Return a table that may have no rows, under its name in messages."""
    if not hasattr(source, "__arrow_c_stream__"):
        return source
    frame = from_arrow(source)
    return Source(name, frame, whence=lambda row: _query_of(frame, dict(columns).get("query"), row))


def _query_of(frame: Frame, name: str | None, row: int) -> str:
    """Say which query a row is of, as its number counts in this part only."""
    if name is None:
        return f"query {ONE_QUERY!r}"
    (query,) = frame.column(frame.names.index(name)).to_list(np.array([row]))
    return "row without a query" if query is None else f"query {quoted(id_text(query))}"


def together(plan: Plan, judgments: Judgments, results: Sequence[Results]) -> Tables:
    """Return what is evaluated together."""
    listed = plan.excluded
    kept = [one if listed is None else without(one, listed) for one in results]
    return Tables(judgments, kept, read_queries(None), plan.asked)
