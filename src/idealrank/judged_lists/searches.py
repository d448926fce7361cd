"""Runs of queries that were searched for several times: one list per query, as `steps` says."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from idealrank._core import Column, Run, from_columns
from idealrank.arrays import Floats, Ints
from idealrank.data.ids import codes, id_text
from idealrank.data.results import Results
from idealrank.decisions import Decisions
from idealrank.errors import DataError, UsageError, listed, option, plural, unsaid

if TYPE_CHECKING:
    from idealrank.data.searches import Searches

READINGS = ("one", "union", "last", "each")
"""The answers to `steps`."""


def joining_answers(decisions: Decisions) -> tuple[Any, ...]:
    """Return the answers that say how the lists of several searches become one."""
    return (decisions.steps, decisions.score_precision, decisions.rank_gaps)


def with_all_searches(decisions: Decisions) -> Decisions:
    """Return decisions under which the list of a query has every document that any of its searches returned."""
    if decisions.steps in ("one", "each"):
        return decisions
    return decisions.but(steps="union", roll_up="first", counts="units", rank_gaps="close")


def joined_order(results: Results, system: str, decisions: Decisions, order: str) -> str:
    """Return what orders the one list of each query: the ranks of the union, if lists were united."""
    united = decisions.steps == "union" and results.searches(system) is not None
    return "rank" if united else order


def run_by_query(
    results: Results, system: str, decisions: Decisions, order: str, duplicates: str, docs: Column | None = None
) -> Run:
    """Return one system's results by query, under `steps`.

    Parameters
    ----------
    system
        "" means all systems as one.
    order
        What orders the results of one search: score, rank or given.
    docs
        (N,) other documents than the table's.

    Raises
    ------
    DataError
        If queries have several searches, and nothing says how to read them; if a row cannot be used.
    """
    if decisions.steps not in READINGS:
        raise unsaid("steps", decisions.steps, __name__)
    searches = results.searches(system)
    key = ("by query", system, duplicates, *(joining_answers(decisions) if searches else ()), order, docs and id(docs))
    return results.kept.once(
        key, lambda: _run_under_steps(results, system, searches, decisions, order, duplicates, docs)
    )


def _run_under_steps(
    results: Results,
    system: str,
    searches: Searches | None,
    decisions: Decisions,
    order: str,
    duplicates: str,
    docs: Column | None,
) -> Run:
    by = results.grouping(system)
    by = by if docs is None else by._replace(docs=docs)
    if searches is None:
        return results.run(system, duplicates) if docs is None else results.grouped(by, duplicates, system)
    results.grouped(by._replace(query=searches.names), duplicates, system)  # a document twice in one search
    rows = results.rows(system)
    if decisions.steps == "last":
        return results.grouped(by._replace(rows=rows[searches.last[rows]]), duplicates, system)
    if decisions.steps == "union":
        rows = _first_seen_rows(by.query, by.docs, searches, rows)
        rank = _rank_union(by.query, searches, rows, _order_keys(results, decisions, order))
        return results.grouped(by._replace(rows=rows, rank=rank), duplicates, system)
    raise _several_lists_error(results, searches, rows, decisions)


def _first_seen_rows(query: Column, docs: Column, searches: Searches, rows: Ints) -> Ints:
    """Return the rows of the search that returned their document first, and those without a document."""
    document, task = codes(docs)[rows], codes(query)[rows]
    pair = np.unique(np.column_stack((task, document)), axis=0, return_inverse=True)[1].reshape(-1)
    place = searches.place[rows]
    first = np.full(pair.max(initial=-1) + 1, np.iinfo(np.int64).max)
    np.minimum.at(first, pair, place)
    kept: Ints = rows[(place == first[pair]) | (document < 0)]
    return kept


def _order_keys(results: Results, decisions: Decisions, order: str) -> Floats:
    """(N,) what orders the results of one search, lowest first; infinite where it is missing."""
    if decisions.rank_gaps == "keep":
        raise DataError(
            f"{results.name}: rank_gaps=keep leaves ranks empty, and the ranks of several searches become one list "
            f"under steps=union. Use {option('rank_gaps', 'close')}, or {option('steps', 'last')}."
        )
    if order == "given":
        return np.arange(results.source.frame.rows, dtype=np.float64)
    column = results.score if order == "score" else results.rank
    assert column is not None
    keys = column.floats() if order == "rank" else -column.floats()
    if order == "score" and decisions.score_precision == "float32":
        keys = keys.astype(np.float32).astype(np.float64)
    return np.where(np.isfinite(keys), keys, np.inf)


def _rank_union(query: Column, searches: Searches, rows: Ints, keys: Floats) -> Column:
    """(N,) ranks that put the searches of a query one after another; tied results of a search stay tied."""
    task, place, key = codes(query)[rows], searches.place[rows], keys[rows]
    order = np.lexsort((key, place, task))
    new = np.ones(len(rows), np.bool_)
    new[1:] = (np.diff(task[order]) != 0) | (np.diff(place[order]) != 0) | (key[order][1:] != key[order][:-1])
    ranks = np.full(len(keys), np.nan)
    ranks[rows[order]] = np.cumsum(new)
    return from_columns(["rank"], [ranks]).column(0)


def _several_lists_error(results: Results, searches: Searches, rows: Ints, decisions: Decisions) -> Exception:
    if decisions.steps == "each":
        return UsageError(
            "steps=each makes every search a query of its own, so it must be said for a whole evaluation, not for one "
            f"measure or audit. Use {option('steps', 'union')} or {option('steps', 'last')} here."
        )
    tasks, names = searches.query.codes()
    several = np.unique(tasks[rows[searches.made[rows] > 1]])
    many = f"{plural(len(several), 'query')} {'has' if len(several) == 1 else 'have'} several steps"
    return DataError(
        f"{results.name}: {many} ({listed(map(id_text, names.to_list(several)))}), so there are several "
        f"lists per query. Say how to read them: {option('steps', 'union')} (one list of all steps, each document "
        f"where it was first seen), {option('steps', 'last')} (the list of the last step) or "
        f"{option('steps', 'each')} (every step by itself)."
    )
