"""overlap: how much two result lists share, before anybody asks which is better."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from idealrank.decisions import Decisions
from idealrank.errors import UsageError
from idealrank.systems import read_systems
from idealrank.table import Table
from idealrank.tables import Results

READ = ("duplicates", "order_by", "rank_gaps", "ties", "score_precision")
"""The decisions that shape a list of documents."""


def overlap(results_a: Any, results_b: Any = None, *, k: int | None = None, **decisions: Any) -> Table:
    """Compare the sets of documents two systems returned, query by query.

    Parameters
    ----------
    results_a, results_b
        What `read_results` takes, one system each; or the first holds both.
    k
        Only the first k results of each; None for all.
    **decisions
        Answers that shape a list: `duplicates`, `order_by`, `rank_gaps`, `ties`, `score_precision`.

    Returns
    -------
    One row a query: jaccard (intersection / union), the sets, a note. A query that only one system
    answered has Jaccard 0 and a note that says so.

    Raises
    ------
    UsageError
        If there are not two systems, or a decision needs grades.

    Examples
    --------
    >>> t = overlap({"q": {"d1": 2, "d2": 1}}, {"q": {"d1": 2, "d3": 1}})
    >>> t["jaccard"], t["union"]
    ([0.3333333333333333], [('d1', 'd2', 'd3')])
    """
    if k is not None and k < 1:
        raise UsageError(f"k={k}: the cutoff k is a whole number from 1 up.")
    settled = _settled(decisions)
    a, b = (_sets(results, system, settled, k) for results, system in _two_systems(results_a, results_b))
    rows = [_row(query, a.get(query, set()), b.get(query, set())) for query in dict.fromkeys([*a, *b])]
    names = ("query", "jaccard", "a", "b", "intersection", "union", "note")
    columns: dict[str, Any] = {name: [row[i] for row in rows] for i, name in enumerate(names)}
    return Table(columns | {"jaccard": np.array(columns["jaccard"], np.float64)}, "overlap")


def _settled(given: dict[str, Any]) -> Decisions:
    found = Decisions().but(**given)
    for name in given:
        if name not in READ:
            raise UsageError(f"{name} does not change which documents a list holds. overlap reads {', '.join(READ)}.")
    if found.ties in ("average", "best", "worst"):
        raise UsageError(f"ties={found.ties} needs grades, and overlap has none. Use docid_desc, docid_asc or given.")
    return found


def _two_systems(results_a: Any, results_b: Any) -> list[tuple[Results, str]]:
    sides = [results_a] if results_b is None else [results_a, results_b]
    found = [[(table, name) for table in read_systems(side) for name in table.systems] for side in sides]
    if [len(side) for side in found] in ([2], [1, 1]):
        return [pair for side in found for pair in side]
    counts = " and ".join(f"{len(side)} ({', '.join(name for _, name in side)})" for side in found)
    raise UsageError(f"overlap compares two systems, one on each side or both in one table; found {counts}.")


def _sets(results: Results, system: str, decisions: Decisions, k: int | None) -> dict[str, set[str]]:
    from idealrank import _core

    run = results.run(system, decisions.duplicates)
    # Ranked by the one join there is, against a pool that judges nothing these lists hold.
    names = list(run.queries)
    asked = _core.from_columns(["query", "doc", "grade"], [names, ["–"] * len(names), np.zeros(len(names))])
    pool = _core.Pool(asked.column(0), asked.column(1), asked.column(2), "error")
    order: Any = results.order(decisions.order_by)
    ties: Any = decisions.ties
    precision: Any = decisions.score_precision
    gaps: Any = decisions.rank_gaps
    judged = _core.judge(pool, run, order, ties, precision, gaps, True)
    start = judged.hit_start
    every_rank, _, _, every_row, *_ = judged.hits(0, len(pool.queries))
    rows, ranks = np.split(every_row, start[1:-1]), np.split(every_rank, start[1:-1])
    deep = math.inf if k is None else k
    return {query: set(run.docs(row[rank <= deep])) for query, row, rank in zip(pool.queries, rows, ranks, strict=True)}


def _row(query: str, left: set[str], right: set[str]) -> tuple[Any, ...]:
    sets = (tuple(sorted(docs)) for docs in (left, right, left & right, left | right))
    return (query, _jaccard(left, right), *sets, _note(left, right))


def _jaccard(left: set[str], right: set[str]) -> float:
    return len(left & right) / len(left | right) if left | right else 1.0


def _note(left: set[str], right: set[str]) -> str:
    if not left and not right:
        return "neither returned anything"
    return "" if left and right else f"only {'a' if left else 'b'} returned anything"


def in_brief(table: Table) -> Table:
    """Return the overlap as a reader wants it: what both have as a count, what one alone has by name."""
    both = [len(docs) for docs in table["intersection"]]
    alone = {
        f"only in {side}": [tuple(doc for doc in docs if doc not in shared) for docs, shared in pairs]
        for side in ("a", "b")
        for pairs in [list(zip(table[side], map(set, table["intersection"]), strict=True))]
    }
    columns: dict[str, Any] = {"query": table["query"], "jaccard": table.array("jaccard")}
    columns |= {"in both": np.array(both, np.int64), **alone}
    return Table(columns | ({"note": table["note"]} if any(table["note"]) else {}), "overlap")


def summary(table: Table) -> str:
    """Say how much two systems share on average, and how many queries only one of them answered."""
    values, notes = table["jaccard"], table["note"]
    line = f"mean Jaccard {math.fsum(values) / len(values):.4f} over {len(values)} queries" if values else "no queries"
    alone = [f"{notes.count(f'only {s} returned anything')} answered by {s} alone" for s in ("a", "b")]
    return "; ".join([line, *(text for text in alone if not text.startswith("0 "))])
