"""The tables of a part: read with the columns that were found in the whole."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from idealrank._core import from_arrow, from_dicts
from idealrank.arrays import Kept
from idealrank.data.exclusion import without
from idealrank.data.formats.source import Source
from idealrank.data.judgments import Judgments
from idealrank.data.queries import read_queries
from idealrank.data.read import no_results, read_judgments, read_results
from idealrank.data.results import Results
from idealrank.data.searches_apart import Tables
from idealrank.data.unnamed import as_scores
from idealrank.data.whole import WholeResults
from idealrank.distributed.kernel.plan import Plan, Table


def judgments_of(plan: Plan, source: Any) -> Judgments:
    """Read the judgments of some queries; None stands for none."""
    if source is None:
        return read_judgments(Source(plan.name, from_dicts({})))
    return read_judgments(_source(source, plan.name), **dict(plan.columns))


def results_of(table: Table, source: Any) -> Results:
    """Read the results of some queries; None stands for none."""
    if source is None and table.template is None:
        return no_results(table.label)
    found = read_results(
        _source(table.template if source is None else source, table.name), name=table.label, **dict(table.columns)
    )
    return found if source is not None else replace(found, left_out=np.arange(found.source.frame.rows))


def of_whole(results: Results, known: WholeResults) -> Results:
    """Read the results of some queries as the whole of their table is read."""
    roles = results.roles if known.counted else as_scores(results.source, results.roles)
    return replace(results, roles=roles, whole=known, kept=Kept())


def _source(source: Any, name: str) -> Any:
    """Return a table that may have no rows, under its name in messages."""
    return Source(name, from_arrow(source)) if hasattr(source, "__arrow_c_stream__") else source


def together(plan: Plan, judgments: Judgments, results: Sequence[Results]) -> Tables:
    """Return what is evaluated together."""
    listed = plan.excluded
    kept = [one if listed is None else without(one, listed) for one in results]
    return Tables(judgments, kept, read_queries(None), plan.asked)
