"""Counts the searches of queries that were searched for several times, and what they did not return."""

from __future__ import annotations

import itertools
from collections.abc import Mapping

import numpy as np

from idealrank.arrays import Ints
from idealrank.data.ids import codes
from idealrank.data.judgments import Judgments
from idealrank.data.searches import whole_steps
from idealrank.data.searches_apart import JudgmentsApart, steps_made
from idealrank.decisions import Decisions
from idealrank.evaluation.counts.search_counts import Pair, SearchCounts
from idealrank.evaluation.values import Values
from idealrank.judged_lists.lists import reaches
from idealrank.judged_lists.meeting import Met
from idealrank.judged_lists.searches import of_all_searches
from idealrank.judged_lists.units import judged_parts

Pairs = dict[Pair, int | None]
"""Tasks and documents, with the step that needs the document; None if the task does as a whole."""


def search_counts(scores: Values, s: int) -> SearchCounts | None:
    """Count the searches of a system; None if no column says which search a row belongs to."""
    met = scores.met[s]
    if met.results.column("step") is None:
        return None
    tasks = _tasks(met)
    made = steps_made(met.results, "" if met.pooled else met.system)
    if apart := isinstance(met.judgments, JudgmentsApart):
        made = _by_task(made, tasks)
    missing = _not_returned(scores, s, tasks)
    never = {key for key, step in missing.items() if not made.get(key[0]) or (step and step not in made[key[0]])}
    return SearchCounts(
        apart=apart, searches=sum(map(len, made.values())), tasks=len(made),
        most=max(map(len, made.values()), default=0), missed=tuple(key for key in missing if key not in never),
        never_asked=tuple(key for key in missing if key in never), never_found=_never_found(scores, s),
    )  # fmt: skip


def _tasks(met: Met) -> Mapping[str, str]:
    """Return the task of each search that is a query of its own; none if queries are tasks."""
    if not isinstance(met.judgments, JudgmentsApart):
        return {}
    return {name: task for task, steps in met.judgments.made.items() for name in steps.values()}


def _by_task(made: dict[str, set[int]], tasks: Mapping[str, str]) -> dict[str, set[int]]:
    found: dict[str, set[int]] = {}
    for query, steps in made.items():
        found.setdefault(tasks.get(query, query), set()).update(steps)
    return found


def _not_returned(scores: Values, s: int, tasks: Mapping[str, str]) -> Pairs:
    """Return the relevant documents that no search of a task returned."""
    decisions = of_all_searches(scores.setting.decisions)
    met = scores.meetings[s].met(decisions)
    lists = met.lists
    wanted = reaches(lists.pool_grade, decisions.relevant_from) & scores.in_scope[lists.pool_query]
    wanted &= ~met.failed[lists.pool_query]
    names = [tasks.get(query, query) for query in met.queries]
    steps = _needed_by(met.judgments, decisions, met.pool.row[lists.pool_entry])
    hits = lists.entry >= 0
    found = set(zip((names[q] for q in lists.query[hits]), met.pool.docs(lists.entry[hits]), strict=True))
    rows = np.flatnonzero(wanted)
    pairs = zip((names[q] for q in lists.pool_query[rows]), met.pool.docs(lists.pool_entry[rows]), strict=True)
    return {key: steps[row] for key, row in zip(pairs, rows.tolist(), strict=True) if key not in found}


def _needed_by(judgments: Judgments, decisions: Decisions, rows: Ints) -> list[int | None]:
    """Return the step that each judged row is for; None if it is for the task as a whole."""
    table = judged_parts(judgments, decisions)
    column = table.column("step")
    if column is None:
        return [None] * len(rows)
    given = codes(column) >= 0
    step = whole_steps(table, column, given)
    return [int(step[row]) if given[row] else None for row in rows]


def _never_found(scores: Values, s: int) -> dict[str, tuple[str, ...]]:
    found: dict[str, tuple[str, ...]] = {}
    for m, measure in enumerate(scores.measures):
        most = dict(measure.parameters).get("most")
        lost = None if most is None else scores.values[s, m] > most
        if lost is not None and lost.any():
            found[scores.labels[m]] = tuple(itertools.compress(scores.queries, lost))
    return found
