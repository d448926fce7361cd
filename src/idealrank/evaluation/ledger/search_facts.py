"""Facts about queries that were searched for several times: what was asked for, and what came back."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

import numpy as np

from idealrank.arrays import Ints
from idealrank.data.ids import codes
from idealrank.data.judgments import Judgments
from idealrank.data.searches import whole_steps
from idealrank.data.searches_apart import JudgmentsApart, steps_made
from idealrank.decisions import Decisions, answer_text
from idealrank.errors import listed, plural
from idealrank.evaluation.ledger.entries import Fact
from idealrank.evaluation.values import Values
from idealrank.judged_lists.lists import reaches
from idealrank.judged_lists.meeting import Met
from idealrank.judged_lists.searches import of_all_searches
from idealrank.judged_lists.units import judged_parts

Pairs = dict[tuple[str, str], int | None]
"""Tasks and documents, with the step that needs the document; None if the task does as a whole."""


def search_facts(scores: Values, s: int) -> Iterator[Fact]:
    """Yield how many searches a system made, and which relevant documents these did not return."""
    met, system = scores.met[s], scores.systems[s]
    if met.results.column("step") is None:
        return
    tasks = _tasks(met)
    made = steps_made(met.results, "" if met.pooled else met.system)
    if apart := isinstance(met.judgments, JudgmentsApart):
        made = _by_task(made, tasks)
    if any(len(steps) > 1 for steps in made.values()):
        yield Fact(system, _searches(scores, made, apart))
    yield from _missed(scores, s, made, tasks)
    yield from _never_found(scores, s)


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


def _searches(scores: Values, made: Mapping[str, set[int]], apart: bool) -> str:
    many, most = sum(map(len, made.values())), max(map(len, made.values()))
    text = f"{many} searches for {plural(len(made), 'query')}, at most {most} each"
    if apart:
        return f"{text}; every search counts as a query of its own (steps=each)"
    return f"{text}; one list per query (steps={scores.setting.decisions.steps})"


def _missed(scores: Values, s: int, made: Mapping[str, set[int]], tasks: Mapping[str, str]) -> Iterator[Fact]:
    """Tell relevant documents that were asked for and did not come back from those nobody asked for."""
    missing = _not_returned(scores, s, tasks)
    never = {key for key, step in missing.items() if not made.get(key[0]) or (step and step not in made[key[0]])}
    system, asked = scores.systems[s], [key for key in missing if key not in never]
    if asked:
        text = f"{plural(len(asked), 'relevant document')} asked for and not returned: {_named(asked)}"
        yield Fact(system, text, tuple(dict.fromkeys(task for task, _ in asked)))
    if never:
        unasked = [key for key in missing if key in never]
        text = f"{plural(len(unasked), 'relevant document')} never asked for, without a search: {_named(unasked)}"
        yield Fact(system, text, tuple(dict.fromkeys(task for task, _ in unasked)))


def _named(pairs: list[tuple[str, str]]) -> str:
    return listed(f"{doc} ({task})" for task, doc in pairs)


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


def _never_found(scores: Values, s: int) -> Iterator[Fact]:
    """Count the queries that a number of searches counts as never found."""
    for m, measure in enumerate(scores.measures):
        most = dict(measure.parameters).get("most")
        if most is None:
            continue
        places = np.flatnonzero(scores.values[s, m] > most)
        if len(places):
            queries = tuple(scores.queries[q] for q in places)
            many = f"{plural(len(places), 'query')}, which {'counts' if len(places) == 1 else 'count'}"
            text = f"{scores.labels[m]}: not found within {answer_text(most)} searches for {many}"
            yield Fact(scores.systems[s], f"{text} {answer_text(most + 1)}: {listed(queries)}", queries)
