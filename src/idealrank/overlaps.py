"""overlap: how much two result lists share, before anybody asks which is better."""

from __future__ import annotations

from typing import Any

import numpy as np

from idealrank.decisions import Decisions
from idealrank.errors import UsageError
from idealrank.systems import read_systems
from idealrank.table import Table
from idealrank.tables import Results


def overlap(results_a: Any, results_b: Any, *, k: int | None = None, **decisions: Any) -> Table:
    """Compare the sets of documents two systems returned, query by query.

    Parameters
    ----------
    results_a, results_b
        What `read_results` takes, one system each.
    k
        Only the first k results of each; None for all.
    **decisions
        Answers of the list stage, such as ``order_by``.

    Returns
    -------
    One row a query: jaccard (intersection / union), the sets, a note. A query that only one system
    answered has Jaccard 0 and a note that says so.

    Examples
    --------
    >>> t = overlap({"q": {"d1": 2, "d2": 1}}, {"q": {"d1": 2, "d3": 1}})
    >>> t["jaccard"], t["union"]
    ([0.3333333333333333], [('d1', 'd2', 'd3')])
    """
    if k is not None and k < 1:
        raise UsageError(f"k={k}: the cutoff k is a whole number from 1 up.")
    settled = Decisions().but(**decisions)
    a, b = (_sets(_one_system(results), settled, k) for results in (results_a, results_b))
    queries = list(dict.fromkeys([*a, *b]))
    columns: dict[str, list[Any]] = {
        name: [] for name in ("query", "jaccard", "a", "b", "intersection", "union", "note")
    }
    for query in queries:
        left, right = a.get(query, set()), b.get(query, set())
        row = [query, _jaccard(left, right), *(tuple(sorted(s)) for s in (left, right, left & right, left | right))]
        for name, value in zip(columns, [*row, _note(left, right)], strict=True):
            columns[name].append(value)
    return Table(columns | {"jaccard": np.array(columns["jaccard"])}, "overlap")


def _one_system(results: Any) -> Results:
    found = read_systems(results)
    if len(found) != 1 or len(found[0].systems) != 1:
        names = [name for item in found for name in item.systems]
        raise UsageError(f"overlap compares two systems; {', '.join(names)} came as one. Give one system on each side.")
    return found[0]


def _sets(results: Results, decisions: Decisions, k: int | None) -> dict[str, set[str]]:
    from idealrank import _core

    run = results.run("", decisions.duplicates)
    order = results.order(decisions.order_by)
    ties = decisions.ties if decisions.ties in ("docid_desc", "docid_asc", "given") else "docid_desc"
    # Ranked by the one join there is, against a pool that judges nothing these lists hold.
    names = list(run.queries)
    asked = _core.from_columns(["query", "doc", "grade"], [names, ["–"] * len(names), np.zeros(len(names))])
    pool = _core.Pool(asked.column(0), asked.column(1), asked.column(2), "error")
    judged = _core.judge(pool, run, order, ties, decisions.score_precision, decisions.rank_gaps, True)
    start, rows = judged.hit_start, judged.row
    found = {}
    for place, query in enumerate(pool.queries):
        found[query] = set(run.docs(rows[start[place] : start[place + 1]][:k]))
    return found


def _jaccard(left: set[str], right: set[str]) -> float:
    return len(left & right) / len(left | right) if left | right else 1.0


def _note(left: set[str], right: set[str]) -> str:
    if not left and not right:
        return "neither returned anything"
    return "" if left and right else f"only {'the first' if left else 'the second'} returned anything"
