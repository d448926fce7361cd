"""overlap: how much two result lists share, before anybody asks which is better."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from idealrank.decisions import Decisions
from idealrank.errors import UsageError, option, plural, refuse_cutoff
from idealrank.keywords import refuse_unknown
from idealrank.ledger import Columns
from idealrank.matching import near
from idealrank.read.messages import quoted
from idealrank.systems import read_systems
from idealrank.table import Table
from idealrank.tables import Results

if TYPE_CHECKING:
    from idealrank._core import Pool, Run

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
    One row a query, in natural order: jaccard (intersection / union), the two sets under the names of
    the systems (a and b where these do not tell them apart), what they share, a note. A query that only
    one system answered has Jaccard 0 and a note that says so.

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
    if k is not None:
        refuse_cutoff(k)
    refuse_unknown(decisions, ("k",))
    settled = _settled(decisions)
    sides = _two_systems(results_a, results_b)
    runs = [results.run(system, settled.duplicates) for results, system in sides]
    pool = _every_query(runs)
    a, b = (
        _sets(pool, run, results.order(settled.order_by), settled, k)
        for run, (results, _) in zip(runs, sides, strict=True)
    )
    called = _called(*(system for _, system in sides))
    alike = _alike_queries(runs, called)
    rows = [_row(query, left, right, called, alike) for query, left, right in zip(pool.queries, a, b, strict=True)]
    names = ("query", "jaccard", *called, "intersection", "union", "note")
    columns: dict[str, Any] = {name: [row[i] for row in rows] for i, name in enumerate(names)}
    return Table(columns | {"jaccard": np.array(columns["jaccard"], np.float64)}, "overlap")


def _settled(given: dict[str, Any]) -> Decisions:
    found = Decisions().but(**given)
    for name in given:
        if name not in READ:
            raise UsageError(f"{name} does not change which documents a list holds. overlap reads {', '.join(READ)}.")
    if found.ties in ("average", "best", "worst"):
        way = f"Use {option('ties', 'docid_desc')}, docid_asc or given."
        raise UsageError(f"ties={found.ties} needs grades, and overlap has none. {way}")
    return found


def _two_systems(results_a: Any, results_b: Any) -> list[tuple[Results, str]]:
    sides = [results_a] if results_b is None else [results_a, results_b]
    found = [[(table, name) for table in read_systems(side) for name in table.systems] for side in sides]
    if [len(side) for side in found] in ([2], [1, 1]):
        return [pair for side in found for pair in side]
    counts = " and ".join(f"{len(side)} ({', '.join(name for _, name in side)})" for side in found)
    raise UsageError(f"overlap compares two systems, one on each side or both in one table; found {counts}.")


def _called(a: str, b: str) -> tuple[str, str]:
    """Call the systems by their names, if these tell them apart and are no name of another column."""
    taken = {"query", "jaccard", "intersection", "union", "note"}
    return (a, b) if a != b and not {a, b} & taken else ("a", "b")


def _every_query(runs: Sequence[Run]) -> Pool:
    """Return every query, in natural order, as a pool that judges nothing these lists hold: the join ranks them."""
    from idealrank import _core

    names = list(dict.fromkeys(query for run in runs for query in run.queries))
    asked = _core.from_columns(["query", "doc", "grade"], [names, ["–"] * len(names), np.zeros(len(names))])
    return _core.Pool(asked.column(0), asked.column(1), asked.column(2), "error")


def _sets(pool: Pool, run: Run, order: Any, decisions: Decisions, k: int | None) -> list[set[str]]:
    from idealrank import _core

    ties: Any = decisions.ties
    precision: Any = decisions.score_precision
    gaps: Any = decisions.rank_gaps
    judged = _core.judge(pool, run, order, ties, precision, gaps, True)
    start = judged.hit_start
    every_rank, _, _, every_row, *_ = judged.hits(0, len(pool.queries))
    rows, ranks = np.split(every_row, start[1:-1]), np.split(every_rank, start[1:-1])
    deep = math.inf if k is None else k
    return [set(run.docs(row[rank <= deep])) for row, rank in zip(rows, ranks, strict=True)]


def _alike_queries(runs: Sequence[Run], called: tuple[str, str]) -> dict[str, str]:
    """Return what is to be said of queries whose id the other system but spells otherwise."""
    theirs, ours = (set(run.queries) for run in runs)
    found = near(sorted(theirs - ours), ours - theirs)
    if found is None:
        return {}
    example = f"{quoted(found.theirs)} in {called[0]}, {quoted(found.ours)} in {called[1]}"
    said = f"{ALIKE}query ids differ by {found.by} ({example})"
    return {found.theirs: said, found.ours: said}


def _row(
    query: str, left: set[str], right: set[str], called: tuple[str, str], alike: dict[str, str]
) -> tuple[Any, ...]:
    sets = (tuple(sorted(docs)) for docs in (left, right, left & right, left | right))
    notes = (_note(left, right, called), alike.get(query, ""))
    return (query, _jaccard(left, right), *sets, "; ".join(filter(None, notes)))


ALIKE = "not the same: "
"""Begins a note on ids that differ by spelling only."""


def _jaccard(left: set[str], right: set[str]) -> float:
    return len(left & right) / len(left | right) if left | right else 1.0


def _note(left: set[str], right: set[str], called: tuple[str, str]) -> str:
    if not left and not right:
        return "neither returned anything"
    if not left or not right:
        return f"only {called[0] if left else called[1]} returned anything"
    found = near(sorted(left - right), right - left)
    if found is None:
        return ""
    example = f"{quoted(found.theirs)} in {called[0]}, {quoted(found.ours)} in {called[1]}"
    return f"{ALIKE}document ids differ by {found.by} ({example})"


def warnings(table: Table) -> list[str]:
    """Return what is to be warned of: ids that differ by spelling only, with the number of queries it concerns."""
    found: dict[str, list[str]] = {}
    for note in table["note"]:
        _, here, text = note.partition(ALIKE)
        if here:
            found.setdefault(text.split(" (")[0], []).append(text)
    return [f"{texts[0]}; taken as different in {plural(len(texts), 'query')}" for texts in found.values()]


def account(results: Sequence[Results], **decisions: Any) -> dict[str, str]:
    """Say under which decisions lists were made, which columns were taken, and by what they were ordered."""
    settled = _settled(decisions)
    read = [Columns(r.name, r.columns, r.form, r.order(settled.order_by)) for r in results]
    answers = " ".join(f"{name}={settled.text(name)}" for name in READ)
    return {"decisions": answers, "tables": "; ".join(f"{table.table}: {table.text}" for table in read)}


def _systems(table: Table) -> list[str]:
    return table.columns[2:4]


def in_brief(table: Table) -> Table:
    """Return the overlap as a reader wants it: what both have as a count, what one alone has by name."""
    both = [len(docs) for docs in table["intersection"]]
    alone = {
        f"only in {side}": [tuple(doc for doc in docs if doc not in shared) for docs, shared in pairs]
        for side in _systems(table)
        for pairs in [list(zip(table[side], map(set, table["intersection"]), strict=True))]
    }
    columns: dict[str, Any] = {"query": table["query"], "jaccard": table.array("jaccard")}
    columns |= {"in both": np.array(both, np.int64), **alone}
    return Table(columns | ({"note": table["note"]} if any(table["note"]) else {}), "overlap")


def summary(table: Table) -> str:
    """Say how much two systems share on average, and how many queries only one of them answered."""
    values, notes = table["jaccard"], table["note"]
    many = plural(len(values), "query")
    line = f"mean Jaccard {math.fsum(values) / len(values):.4f} over {many}" if values else "no queries"
    alone = [
        f"{sum(n.startswith(f'only {s} returned anything') for n in notes)} answered by {s} alone"
        for s in _systems(table)
    ]
    return "; ".join([line, *(text for text in alone if not text.startswith("0 "))])
