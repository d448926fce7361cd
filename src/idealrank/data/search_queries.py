"""Every search by itself: tables in which each search for a task is a query of its own."""

from __future__ import annotations

import functools
import itertools
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields, replace
from typing import Any

import numpy as np

from idealrank._core import Column, Frame, from_columns
from idealrank.arrays import Cache, Ints
from idealrank.data.filters import query_mask, requested_queries
from idealrank.data.ids import Keyed, Keys, id_text, query_keys
from idealrank.data.judgments import Judgments
from idealrank.data.queries import Queries
from idealrank.data.read import Tables
from idealrank.data.results import Results
from idealrank.data.searches import search_name, whole_steps
from idealrank.errors import DataError, option, some

TaskSearches = dict[str, dict[int, str]]
"""The searches made for each task: ``{task: {step: name of the search}}``."""


@dataclass(frozen=True, eq=False, kw_only=True)
class _SearchTable(Keyed):
    """A table whose queries are searches.

    Attributes
    ----------
    names
        (N,) the search of each row.
    """

    names: Column

    @functools.cached_property
    def keys(self) -> Keys:
        """The searches, and the column of texts."""
        return Keys(self.names, query_keys(self.source, self.roles).text, False)


@dataclass(frozen=True, eq=False, kw_only=True)
class SearchResults(_SearchTable, Results):
    """Results whose queries are searches."""


@dataclass(frozen=True, eq=False, kw_only=True)
class SearchJudgments(_SearchTable, Judgments):
    """Judgments whose queries are searches.

    Attributes
    ----------
    made
        The searches of each task.
    """

    made: TaskSearches


def split_searches(tables: Tables, systems: Sequence[tuple[Results, str]]) -> Tables:
    """Make each search a query of its own, with the judgments of its task, or those of its step.

    Parameters
    ----------
    systems
        The systems that are scored, each with its table; "" means all systems of the table as one.

    Raises
    ------
    DataError
        If two systems made different searches for one task.
    """
    if all(results.searches(system) is None for results, system in systems):
        return tables
    made = _searches_of_all(systems)
    of = {id(results): system for results, system in systems}
    results = [_split_results(each, of.get(id(each), "")) for each in tables.results]
    judgments = _split_judgments(tables.judgments, made)
    return Tables(
        judgments, results, _split_queries(tables.queries, judgments), _expand_tasks(tables.only, judgments.made)
    )


def _searches_of_all(systems: Sequence[tuple[Results, str]]) -> TaskSearches:
    """Return the searches that all systems made.

    Raises
    ------
    DataError
        If two systems made different searches for one task.
    """
    made: TaskSearches = {}
    for results, system in systems:
        for task, steps in _searches_of_system(results, system).items():
            if steps.keys() != made.setdefault(task, steps).keys():
                raise DataError(
                    f"{results.name}: systems made different searches for query {task!r}: steps {some(made[task])} "
                    f"and {some(steps)}. Step 2 of one system is not step 2 of another, so steps=each cannot compare "
                    f"them. Use {option('steps', 'union')} or {option('steps', 'last')}, or score one system alone: "
                    f"{option('system', system or results.systems[0])}."
                )
    return made


def _searches_of_system(results: Results, system: str) -> TaskSearches:
    alone = results.searches(system) is None
    return {
        task: {step: task if alone else search_name(task, step) for step in sorted(steps)}
        for task, steps in searched_steps(results, system).items()
    }


def searched_steps(results: Results, system: str) -> dict[str, set[int]]:
    """Return the steps of each query that a system searched for; 0 where the steps say nothing.

    Examples
    --------
    >>> from idealrank.data.read import read_results
    >>> searched_steps(read_results({"query": ["t", "t"], "step": [1, 2], "doc": ["d", ""]}), "")
    {'t': {1, 2}}
    """
    searches, rows = results.searches(system), np.flatnonzero(results.searched(system))
    step = _steps_if_numbers(results, rows) if searches is None else searches.step
    made: dict[str, set[int]] = {}
    for task, number in zip(_id_texts(results.keys.query, rows), step[rows].tolist(), strict=True):
        made.setdefault(task, set()).add(number)
    return made


def _steps_if_numbers(results: Results, rows: Ints) -> Ints:
    """(N,) the steps of a table in which no query has several; 0 where they are no numbers."""
    asked = np.zeros(results.source.frame.rows, np.bool_)
    asked[rows] = True
    column = results.column("step")
    try:
        return np.zeros(len(asked), np.int64) if column is None else whole_steps(results, column, asked)
    except DataError:
        return np.zeros(len(asked), np.int64)


def _id_texts(column: Column, rows: Ints | None = None) -> list[str]:
    return ["" if value is None else id_text(value) for value in column.to_list(rows)]


def _split_results(results: Results, system: str) -> Results:
    parts = {part.name: getattr(results, part.name) for part in fields(Results)} | {"kept": Cache()}
    return SearchResults(**parts, names=results.lists_column(system))


def _split_judgments(judgments: Judgments, made: TaskSearches) -> SearchJudgments:
    """Repeat the judgments of each task for every search; a judgment of one step is for the search of that step."""
    column, every = judgments.column("step"), np.ones(judgments.source.frame.rows, np.bool_)
    there = np.zeros(len(every), np.bool_) if column is None else column.codes()[0] >= 0
    step = np.zeros(len(every), np.int64) if column is None else whole_steps(judgments, column, there)
    rows, names, known = [], [], {task: dict(steps) for task, steps in made.items()}
    for row, task in enumerate(_id_texts(judgments.keys.query)):
        steps = known.setdefault(task, {})
        if there[row]:
            wanted = [steps.setdefault(int(step[row]), search_name(task, int(step[row])))]
        else:
            wanted = list(made.get(task, {}).values()) or [task]
        rows += [row] * len(wanted)
        names += wanted
    parts = {part.name: getattr(judgments, part.name) for part in fields(Judgments)} | {"kept": Cache()}
    parts["source"] = replace(
        judgments.source, frame=_take_rows(judgments.source.frame, np.array(rows, np.int64)), tables={}
    )
    return SearchJudgments(**parts, names=from_columns(["search"], [names]).column(0), made=known)


def _take_rows(frame: Frame, rows: Ints) -> Frame:
    return from_columns(list(frame.names), [frame.column(place).to_list(rows) for place in range(len(frame.names))])


def _split_queries(queries: Queries, judgments: SearchJudgments) -> Queries:
    """Give every search the attributes of its task, its task and step, and its share of the task's weight.

    The judged searches of a task share its weight.
    """
    made, judged = judgments.made, set(_id_texts(judgments.names))
    searches = {name: task for task, steps in made.items() for name in steps.values()}
    attributes = {column: _copy_to_searches(values, searches) for column, values in queries.attributes.items()}
    own: dict[str, Mapping[str, Any]] = {
        "task": searches | {task: task for task, steps in made.items() if not steps},
        "step": {name: step for steps in made.values() for step, name in steps.items()},
    }
    weight = queries.weight and {
        key: value / max(len(judged.intersection(made.get(searches.get(key, key), {}).values())), 1)
        for key, value in _copy_to_searches(queries.weight, searches).items()
    }
    return replace(queries, attributes=own | attributes, weight=weight)


def _copy_to_searches(values: Mapping[str, Any], searches: Mapping[str, str]) -> dict[str, Any]:
    return {**values, **{name: values[task] for name, task in searches.items() if task in values}}


def _expand_tasks(only: Any, made: TaskSearches) -> Any:
    """Return the searches of the tasks that were asked for; other ids stay."""
    asked, tasks = requested_queries(only), list(made)
    if isinstance(asked, str):
        asked = tuple(itertools.compress(tasks, query_mask(asked, tasks)))
    if asked is None:
        return None
    searches = (made[key].values() if made.get(key) else (key,) for key in asked)
    return tuple(dict.fromkeys(itertools.chain.from_iterable(searches)))
