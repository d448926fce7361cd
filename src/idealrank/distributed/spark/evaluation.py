"""spark.evaluate: from DataFrames of Spark to values and scores."""

from __future__ import annotations

import dataclasses
import functools
import math
import pickle
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any, Unpack

import numpy as np

from idealrank.arrays import Cache
from idealrank.data.filters import read_excluded, requested_queries
from idealrank.data.ids import natural_order, plain_ids
from idealrank.data.judgments import Judgments
from idealrank.data.read import read_judgments_of_units, read_results
from idealrank.data.results import Results
from idealrank.data.roles import ALIASES, fold
from idealrank.data.table_facts import ResultFacts
from idealrank.decisions.decisions import naming
from idealrank.display.table import Table
from idealrank.distributed.merge import merge_portions, queries_of_rows
from idealrank.distributed.plan import EvaluationPlan, PlannedTable
from idealrank.distributed.portion import join_part, score_part
from idealrank.distributed.spark import tasks
from idealrank.distributed.spark.tables import (
    Frame,
    SparkTable,
    collect,
    collect_queries,
    column,
    count_rows,
    functions,
    id_text,
    in_parts,
    recognise_table,
    window,
)
from idealrank.distributed.survey import Survey, grade_readings
from idealrank.errors import UsageError, nearest, some
from idealrank.evaluation.buckets import BucketValues
from idealrank.evaluation.evaluate import TablesOptions, split_weights
from idealrank.evaluation.explanation import Explanation, explain_value
from idealrank.evaluation.partitioned import Partitioned
from idealrank.evaluation.scores import Scores, refuse_n
from idealrank.evaluation.values import find_query
from idealrank.judged_lists.join import Join
from idealrank.judged_lists.units import is_rule
from idealrank.measures.definition import Measure


@dataclass(frozen=True, eq=False)
class Evaluation:
    """An evaluation on Spark: nothing is computed before it is asked for, apart from a survey of the tables.

    Attributes
    ----------
    judgments, results
        The tables, with the columns that matter.
    portions
        A lazy DataFrame: one row per bucket of queries, with its part of the scores as bytes. `values` and `scores`
        each compute it; where both are wanted, call `portions.persist()` first.
    survey
        What is true of all buckets: the highest grade, the systems.
    parts
        The number of buckets.
    queries, weights
        As they were given to `evaluate`.
    """

    plan: EvaluationPlan
    survey: Survey
    judgments: SparkTable
    results: SparkTable
    portions: Frame
    parts: int = 1
    queries: Any = None
    weights: Any = None
    _kept: Cache = field(default_factory=Cache, repr=False)

    @property
    def labels(self) -> tuple[str, ...]:
        """The names of the measures."""
        return self._empty_bucket.labels

    @property
    def systems(self) -> tuple[str, ...]:
        """The names of the systems."""
        return self._empty_bucket.systems

    @property
    def _empty_bucket(self) -> BucketValues:
        return self._kept.once("nothing", lambda: score_part(self.plan, self.survey, None, None))

    def fetch(self, queries: Sequence[str]) -> list[Any]:
        """Collect the judgments and the results of some queries; None where there are no rows."""
        return collect_queries((self.judgments, self.results), queries)

    @property
    def values(self) -> Frame:
        """A lazy DataFrame: one row per query and system, and per measure a column of values and one of states.

        A value is null where the query is left out. The states are those of the ledger, such as ``computed`` and
        ``filled_no_results``; their column is called like the measure, with ``_state``.
        """
        measures = "".join(f", `{label}` double, `{label}_state` string" for label in self.labels)
        task = tasks.unpack_values_task(self.labels)
        return self.portions.mapInArrow(task, f"query string, system string{measures}")

    def scores(self) -> Scores:
        """Compute all buckets, and return the scores of the local `evaluate`, with their ledger; computed once.

        The values come to the driver: 8 bytes per query, system and measure, and one for the state.
        """
        return self._collected[0]

    @property
    def large_queries(self) -> tuple[str, ...]:
        """Queries with five million results or more: each is computed by one task in one piece. Computes the scores."""
        return self._collected[1]

    @property
    def _collected(self) -> tuple[Scores, tuple[str, ...]]:
        return self._kept.once("scores", self._collect)

    def _collect(self) -> tuple[Scores, tuple[str, ...]]:
        rows = collect(self.portions.select("portion", "large"))
        portions = [pickle.loads(row[0]) for row in rows]
        scores = merge_portions(self.plan, self.survey, portions, _SparkLists(self), self.queries, self.weights)
        return scores, tuple(row[1] for row in rows if row[1] is not None)


@dataclass(frozen=True)
class _SparkLists(Partitioned):
    """Lists that Spark reads again: whether tables are cached, and where, is up to the user's cluster."""

    evaluation: Evaluation

    @property
    def keeps_order(self) -> bool:  # type: ignore[override]
        """Whether the user named the systems: Spark keeps no order of rows."""
        return bool(self.evaluation.plan.tables[0].systems)

    def read(self, queries: Sequence[str]) -> list[Join]:
        """Collect the rows of some judged queries, filtered by Spark once per table, and return their lists."""
        of = self.evaluation
        return join_part(of.plan, of.survey, *of.fetch(queries_of_rows(of.plan, queries)))

    def map_buckets(self, work: Callable[[list[Join]], Any]) -> list[Any]:
        """Call a function, which can be pickled, on executors with the joins of each bucket; return its results."""
        of = self.evaluation
        task = tasks.rejoin_task(of.plan, of.survey, (of.judgments.columns, of.results.columns), work)
        frame = in_parts(of.parts, judgment=of.judgments, result=of.results).applyInArrow(task, tasks.MADE)
        return [pickle.loads(row[0]) for row in collect(frame)]


@naming(TablesOptions)
def evaluate(
    judgments: Frame,
    results: Frame | Mapping[str, Frame],
    measures: Sequence[str | Measure] | str | None = None,
    *,
    row_number: str = "",
    **options: Unpack[TablesOptions],
) -> Evaluation:
    """Score results against judgments where they lie: in DataFrames of Spark 4.0 or later, classic or Connect.

    Queries are cut into buckets of about 50,000 rows, and each bucket is evaluated like a small table on one machine:
    the values are the same to the last bit, regardless of partitions and executors.

    Parameters
    ----------
    judgments, results
        DataFrames; their columns are found by name, as in `read_judgments` and `read_results`. Several systems as one
        DataFrame with a system column, or as ``{name: DataFrame}``.
    measures, **options
        As for `idealrank.evaluate`: tables of queries and of results to exclude are local ones.
    row_number
        The column that numbers the rows of the tables. Spark keeps no order of rows, so decisions that read it
        (``ties=given``, ``order_by=given``, ``duplicates=first``) need one.

    Returns
    -------
    Evaluation: a lazy DataFrame of values, and scores on demand.

    Raises
    ------
    UsageError
        If a name or an answer is not known, or a decision needs an order of rows.
    DataError
        If the data cannot be used.
    """
    queries = options.pop("queries", None)
    answer, weights = split_weights(options.pop("weights", None))
    plan = EvaluationPlan(measures, {**options, **answer, **_on_the_driver(options)})
    units = _unit_columns(plan)
    read = partial(read_judgments_of_units, unit=plan.setting.decisions.unit)
    judged = recognise_table(judgments, "judgments", read, row_number, units)
    returned, systems = _recognise_results(results, row_number, units)
    table = PlannedTable(columns=returned.roles, systems=systems)
    plan = dataclasses.replace(plan, columns=judged.roles, tables=(table,))
    refuse_row_order(plan.under, judged, returned)
    parts = math.ceil(count_rows(judged, returned) / tasks.BUCKET_ROWS) or 1
    survey = survey_of_tables(plan, judged, returned, parts)
    task = tasks.evaluate_task(plan, survey, (judged.columns, returned.columns), tasks.LARGE_QUERY)
    portions = in_parts(parts, judgment=judged, result=returned).applyInArrow(task, tasks.PORTIONS)
    return Evaluation(plan, survey, judged, returned, portions, parts, queries, weights)


def _unit_columns(plan: EvaluationPlan) -> set[str]:
    """Return the answers to `unit` that may be columns."""
    answers = {plan.setting.decisions.unit, *(measure.decisions.unit for measure in plan.under)}
    return {unit for unit in answers if isinstance(unit, str)}


def _on_the_driver(options: TablesOptions) -> dict[str, Any]:
    """Read the files that `only` and `exclude` name on the driver: executors do not have them."""
    listed = options.get("exclude")
    pairs = None if listed is None else _excluded_columns(read_excluded(listed))
    return {"only": requested_queries(options.get("only")), "exclude": pairs}


def _excluded_columns(listed: Judgments | Results) -> dict[str, list[Any]]:
    """Return the results to exclude as columns, which reach the executors; a file would not."""
    return {"query_id": listed.keys.query.to_list(), "doc_id": listed.source.ids(listed.doc).to_list()}


def _recognise_results(
    results: Frame | Mapping[str, Frame], row_number: str, units: Collection[str]
) -> tuple[SparkTable, tuple[str, ...]]:
    """Recognise the results; those of several systems become one table with a column of systems."""
    if not isinstance(results, Mapping):
        return recognise_table(results, "results", read_results, row_number, units), ()
    if not results:
        raise UsageError("results: {} names no system. Give a DataFrame, or {name: DataFrame}.")
    tables = [
        recognise_table(frame, f"results {name}", partial(read_results, name=name), row_number, units)
        for name, frame in results.items()
    ]
    first, roles = tables[0], _shared_roles(tables)
    named = [_with_system(table, roles, name) for name, table in zip(results, tables, strict=True)]
    frame = functools.reduce(lambda one, other: one.unionByName(other, allowMissingColumns=True), named)
    return dataclasses.replace(first, frame=frame, roles=roles | {"system": "system"}), tuple(results)


def _shared_roles(tables: Sequence[SparkTable]) -> dict[str, str]:
    """Return the roles that all tables have, each with its column in the common table."""
    shared = set.intersection(*(set(table.roles) for table in tables)) - {"system"}
    return {role: _COLUMN_NAMES.get(role, role) for role in tables[0].roles if role in shared}


_COLUMN_NAMES = {"query": "query_id", "doc": "doc_id", "text": "query_text"}
"""Names of columns that cannot be mistaken for another role."""


def _with_system(table: SparkTable, roles: Mapping[str, str], system: str) -> Frame:
    """Return a table of one system with the columns of the common table, and those that have no role."""
    own = [column(table.frame, str(table.roles[role])).alias(name) for role, name in roles.items()]
    taken = {*table.roles.values(), *roles.values(), "system"}
    others = [column(table.frame, name) for name in table.frame.columns if name not in taken]
    return table.frame.select(*own, *others, functions(table.frame).lit(system).alias("system"))


# Decisions that read the order of rows, which Spark does not keep.


_WAYS = {
    "order_by": "order_by=rank or order_by=score with such a column",
    "ties": "ties=docid_desc or another answer",
    "duplicates": "duplicates=max or error",
}
"""What else to answer, by decision."""


def refuse_row_order(measures: Sequence[Measure], judgments: SparkTable, results: SparkTable) -> None:
    """Refuse decisions that need an order of rows where no column numbers the rows.

    Raises
    ------
    UsageError
        With the decision, and what to pass.
    """
    if judgments.row_number and results.row_number:
        return
    for measure in measures:
        for name, answer in _row_order_answers(measure, results):
            raise UsageError(
                f"{measure}: {name}={answer} reads the order of rows, which Spark does not keep. Number the rows of "
                f"both tables in a column when they are written, and name it: row_number='…'. Or choose {_WAYS[name]}."
            )


def _row_order_answers(measure: Measure, results: SparkTable) -> Iterator[tuple[str, str]]:
    decisions = measure.decisions
    ordered = "rank" in results.roles or "score" in results.roles
    if decisions.order_by == "given" or (decisions.order_by == "auto" and not ordered):
        yield "order_by", decisions.order_by
    if decisions.ties == "given":
        yield "ties", "given"
    if decisions.duplicates in ("first", "last"):
        yield "duplicates", decisions.duplicates


# The survey of tables of Spark: by aggregates of the engine where these are enough, else by tasks.


_NUMBERS = frozenset({"byte", "short", "integer", "long", "float", "double"})
_FAILURES = frozenset(name for role in ("status", "error") for tier in ALIASES[role] for name in tier)
_ONE_GRADE = frozenset({"query", "doc", "grade", "text"})
"""Roles of judgments whose highest grade is the highest of their column."""


def survey_of_tables(plan: EvaluationPlan, judgments: SparkTable, results: SparkTable, parts: int) -> Survey:
    """Survey the judgments, where need be in parts, and the results."""
    known = [_survey_judgments(plan, judgments, parts), _survey_results(plan, results)]
    survey = Survey.merge([survey for surveys in known for survey in surveys])
    return dataclasses.replace(survey, tables=tuple(_sort_systems(table, plan) for table in survey.tables))


def _sort_systems(known: ResultFacts, plan: EvaluationPlan) -> ResultFacts:
    """Sort the systems by name, where the user did not name them, since Spark keeps no order of rows.

    Batches of rows do not show whether systems share queries. It only matters for TREC runs, which Spark does not read.
    """
    names = known.systems if plan.tables[0].systems else tuple(natural_order(known.systems)[1])
    return known._replace(systems=names, together=len(names) > 1)


def _survey_judgments(plan: EvaluationPlan, table: SparkTable, parts: int) -> list[Survey]:
    every = grade_readings(plan)
    simple = all(unit == "as_returned" and duplicates in ("error", "max") for _, duplicates, unit, _ in every)
    if not simple or not {"grade"} <= set(table.roles) <= _ONE_GRADE or not _are_numbers(table, "grade"):
        task = tasks.survey_judgments_task(plan, table.columns)
        return _survey_by_tasks(in_parts(parts, judgment=table).applyInArrow(task, tasks.SURVEYS))
    ((highest,),) = collect(_rows_with_document(table).agg(functions(table.frame).max(_number_column(table, "grade"))))
    grade = -math.inf if highest is None else float(highest)
    return [Survey(dict.fromkeys(every, grade), tables=(ResultFacts(plan.tables[0].systems),))]


def _survey_results(plan: EvaluationPlan, table: SparkTable) -> list[Survey]:
    failures = any(fold(name) in _FAILURES for name in table.frame.columns)
    if is_rule(plan.setting.decisions) or failures or not all(_are_numbers(table, role) for role in ("rank", "score")):
        return _survey_by_tasks(table.frame.mapInArrow(tasks.survey_results_task(plan), tasks.SURVEYS))
    own, name = functions(table.frame), table.roles.get("system")
    system = id_text(table.frame, name) if isinstance(name, str) else own.lit("")
    rank, score = (_number_column(table, role) for role in ("rank", "score"))
    rows = table.frame.groupBy(system.alias("system")).agg(
        own.min(own.when(_has_document(table), rank)), own.count(rank), own.count(score)
    )
    return [Survey(tables=(_system_facts(row, plan, named=name is not None),)) for row in collect(rows)]


def _system_facts(row: Any, plan: EvaluationPlan, named: bool) -> ResultFacts:
    """Return what is true of the results of a system; those without a name are no system."""
    system, lowest, ranked, scored = row
    names = dict.fromkeys((*plan.tables[0].systems, *([system] if named and system is not None else [])))
    ranks: Mapping[str, float] = {} if lowest is None else {system or "": float(lowest)}
    return ResultFacts(tuple(names), ranked=ranked > 0, scored=scored > 0, lowest_ranks=ranks)


def _survey_by_tasks(frame: Frame) -> list[Survey]:
    return [pickle.loads(row[0]) for row in collect(frame)]


def _are_numbers(table: SparkTable, role: str) -> bool:
    """Whether the column of a role is of a type of numbers, or there is none."""
    name = table.roles.get(role)
    return name is None or (isinstance(name, str) and table.frame.schema[name].dataType.typeName() in _NUMBERS)


def _number_column(table: SparkTable, role: str) -> Any:
    """Return the numbers of a role, null where there is none."""
    own, name = functions(table.frame), table.roles.get(role)
    if not isinstance(name, str):
        return own.lit(None).cast("double")
    value = column(table.frame, name).cast("double")
    return own.when(~own.isnan(value), value)


def _rows_with_document(table: SparkTable) -> Frame:
    return table.frame.filter(_has_document(table))


def _has_document(table: SparkTable) -> Any:
    document = column(table.frame, str(table.roles["doc"]))
    return document.isNotNull() & (document.cast("string") != "")


# Single queries of an evaluation on Spark: the worst, and the arithmetic of one.


def worst(evaluation: Evaluation, n: int = 10, measure: str | None = None, system: str | None = None) -> Table:
    """Return the n queries with the lowest values, lowest first; equal ones by query id.

    Spark computes and sorts the values of all systems in one job; n rows of each come to the driver.

    Parameters
    ----------
    measure
        One of the measures; None: the first.
    system
        One of the systems; None: n queries of each.
    """
    refuse_n(n)
    label = _choose_name("measure", measure, evaluation.labels)
    systems = evaluation.systems if system is None else (_choose_name("system", system, evaluation.systems),)
    place = {name: s for s, name in enumerate(systems)}
    rows = sorted(collect(_lowest_values(evaluation, label, systems, n)), key=lambda row: (place[row[1]], row[3]))
    columns: dict[str, Any] = {"query": [row[0] for row in rows]}
    if len(evaluation.systems) > 1:
        columns["system"] = [row[1] for row in rows]
    return Table(columns | {label: np.array([row[2] for row in rows], np.float64)}, "queries")


def _lowest_values(evaluation: Evaluation, label: str, systems: Sequence[str], n: int) -> Any:
    """Return query, system, value and place of the n lowest of each system, by value, then by id: q9 before q10."""
    values = evaluation.values
    value, query, own = column(values, label), column(values, "query"), functions(values)
    digits = own.regexp_extract(query, r"^[^0-9]*([0-9]{1,18})", 1)
    number = own.when(digits != "", digits.cast("long"))
    letters = own.regexp_extract(query, r"^([^0-9]*)", 1)
    there = values.filter(value.isNotNull() & column(values, "system").isin(list(systems)))
    order = window(values).partitionBy("system").orderBy(value, letters, number, query)
    placed = there.select("query", "system", value, own.row_number().over(order).alias("place"))
    return placed.filter(column(placed, "place") <= n)


def explain(
    evaluation: Evaluation, measure: str | None = None, query: object = None, system: str | None = None
) -> Explanation:
    """Explain one value: only the rows of this query are fetched, and computed here.

    Parameters
    ----------
    measure
        One of the measures; None: the first.
    query
        The id of a judged query.
    system
        The system to explain, where there are several.

    Raises
    ------
    UsageError
        If the query is not judged, or none is named.
    """
    label = _choose_name("measure", measure, evaluation.labels)
    if query is None:
        raise UsageError("Which query? Name one by its id, as query='q1'. spark.worst(evaluation) lists the lowest.")
    ids = plain_ids([query])
    judged, returned = evaluation.fetch(ids)
    if judged is None:
        raise UsageError(f"No judged query {ids[0]!r}. Judged queries are in the judgments DataFrame.")
    values = score_part(evaluation.plan, evaluation.survey, judged, returned)
    join, ours = values.joins[values.system_place(system)], values.measures[values.place_of(label)]
    place, text = find_query(ids[0], values.queries, values.texts), values.texts.get(ids[0], "")
    return explain_value(join, ours, place, text, values.setting.text)


def _choose_name(what: str, name: str | None, names: tuple[str, ...]) -> str:
    if name is None:
        return names[0]
    if name not in names:
        raise UsageError(f"No {what} called {name!r} in this evaluation.{nearest(name, names)} There: {some(names)}.")
    return name
