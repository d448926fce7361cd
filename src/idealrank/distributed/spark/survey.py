"""The survey of tables of Spark: by aggregates of the engine where these say all, else by tasks."""

from __future__ import annotations

import dataclasses
import math
import pickle
from collections.abc import Mapping
from typing import Any

from idealrank.data.roles import ALIASES, fold
from idealrank.data.whole import WholeResults
from idealrank.distributed.kernel.order import natural
from idealrank.distributed.kernel.plan import Plan
from idealrank.distributed.kernel.survey import Survey, readings
from idealrank.distributed.spark import tasks
from idealrank.distributed.spark.engine import collected, functions
from idealrank.distributed.spark.tables import Frame, SparkTable, column, grouped, id_text
from idealrank.judged_lists.units import is_rule

_NUMBERS = frozenset({"byte", "short", "integer", "long", "float", "double"})
_FAILURES = frozenset(name for role in ("status", "error") for tier in ALIASES[role] for name in tier)
_ONE_GRADE = frozenset({"query", "doc", "grade", "text"})
"""Roles of judgments whose highest grade is the highest of their column."""


def survey_of_tables(plan: Plan, judgments: SparkTable, results: SparkTable) -> Survey:
    """Survey the judgments and the results."""
    known = [_of_judgments(plan, judgments), _of_results(plan, results)]
    survey = Survey.merged([survey for surveys in known for survey in surveys])
    return dataclasses.replace(survey, tables=tuple(_in_order(table, plan) for table in survey.tables))


def _in_order(known: WholeResults, plan: Plan) -> WholeResults:
    """Sort the systems by name, where the user did not name them, since Spark keeps no order of rows.

    Batches of rows do not show whether systems share queries. It only matters for TREC runs, which Spark does not read.
    """
    names = known.systems if plan.tables[0].systems else tuple(natural(known.systems)[1])
    return known._replace(systems=names, together=len(names) > 1)


def _of_judgments(plan: Plan, table: SparkTable) -> list[Survey]:
    every = readings(plan)
    simple = all(unit == "as_returned" and duplicates in ("error", "max") for _, duplicates, unit, _ in every)
    if not simple or not {"grade"} <= set(table.roles) <= _ONE_GRADE or not _are_numbers(table, "grade"):
        return _by_tasks(grouped(judgment=table).mapInArrow(tasks.surveyed(plan), tasks.SURVEYS))
    ((highest,),) = collected(_documents(table).agg(functions(table.frame).max(_present(table, "grade"))))
    grade = -math.inf if highest is None else float(highest)
    return [Survey(dict.fromkeys(every, grade), tables=(WholeResults(plan.tables[0].systems),))]


def _of_results(plan: Plan, table: SparkTable) -> list[Survey]:
    failures = any(fold(name) in _FAILURES for name in table.frame.columns)
    if is_rule(plan.setting.decisions) or failures or not all(_are_numbers(table, role) for role in ("rank", "score")):
        return _by_tasks(table.frame.mapInArrow(tasks.results_surveyed(plan), tasks.SURVEYS))
    own, name = functions(table.frame), table.roles.get("system")
    system = id_text(table.frame, name) if isinstance(name, str) else own.lit("")
    rank, score = (_present(table, role) for role in ("rank", "score"))
    rows = table.frame.groupBy(system.alias("system")).agg(
        own.min(own.when(_has_document(table), rank)), own.count(rank), own.count(score)
    )
    return [Survey(tables=(_whole(row, plan, named=name is not None),)) for row in collected(rows)]


def _whole(row: Any, plan: Plan, named: bool) -> WholeResults:
    """Return what is true of the results of a system; those without a name are no system."""
    system, lowest, ranked, scored = row
    names = dict.fromkeys((*plan.tables[0].systems, *([system] if named and system is not None else [])))
    ranks: Mapping[str, float] = {} if lowest is None else {system or "": float(lowest)}
    return WholeResults(tuple(names), ranked=ranked > 0, scored=scored > 0, lowest_ranks=ranks)


def _by_tasks(frame: Frame) -> list[Survey]:
    return [pickle.loads(row[0]) for row in collected(frame)]


def _are_numbers(table: SparkTable, role: str) -> bool:
    """Whether the column of a role is of a type of numbers, or there is none."""
    name = table.roles.get(role)
    return name is None or (isinstance(name, str) and table.frame.schema[name].dataType.typeName() in _NUMBERS)


def _present(table: SparkTable, role: str) -> Any:
    """Return the numbers of a role, null where there is none."""
    own, name = functions(table.frame), table.roles.get(role)
    if not isinstance(name, str):
        return own.lit(None).cast("double")
    value = column(table.frame, name).cast("double")
    return own.when(~own.isnan(value), value)


def _documents(table: SparkTable) -> Frame:
    return table.frame.filter(_has_document(table))


def _has_document(table: SparkTable) -> Any:
    document = column(table.frame, str(table.roles["doc"]))
    return document.isNotNull() & (document.cast("string") != "")
