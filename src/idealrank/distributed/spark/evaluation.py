"""spark.evaluate: from DataFrames of Spark to values and scores."""

from __future__ import annotations

import dataclasses
import functools
import pickle
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any, Unpack

from idealrank.arrays import Kept
from idealrank.data.exclusion import read_excluded
from idealrank.data.judgments import Judgments
from idealrank.data.read import read_results
from idealrank.data.results import Results
from idealrank.data.selection import asked_for
from idealrank.data.units import judgments_of_units
from idealrank.decisions.keywords import naming
from idealrank.distributed.kernel.lookup import queries_of_rows
from idealrank.distributed.kernel.merging import merged
from idealrank.distributed.kernel.plan import Plan, Table
from idealrank.distributed.kernel.portion import Portion, meetings_of_part, values_of_part
from idealrank.distributed.kernel.survey import Survey
from idealrank.distributed.spark import tasks
from idealrank.distributed.spark.engine import collected, functions
from idealrank.distributed.spark.row_order import refuse_row_order
from idealrank.distributed.spark.survey import survey_of_tables
from idealrank.distributed.spark.tables import Frame, SparkTable, column, grouped, recognised, rows_of
from idealrank.errors import UsageError
from idealrank.evaluation.evaluate import answered_weights
from idealrank.evaluation.options import TablesOptions
from idealrank.evaluation.scores import Scores
from idealrank.evaluation.values import Values
from idealrank.judged_lists.meeting import Meeting
from idealrank.measures import Measure


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
    queries, weights
        As they were given to `evaluate`.
    """

    plan: Plan
    survey: Survey
    judgments: SparkTable
    results: SparkTable
    portions: Frame
    queries: Any = None
    weights: Any = None
    _kept: Kept = field(default_factory=Kept, repr=False)

    @property
    def labels(self) -> tuple[str, ...]:
        """The names of the measures."""
        return self._of_nothing.labels

    @property
    def systems(self) -> tuple[str, ...]:
        """The names of the systems."""
        return self._of_nothing.systems

    @property
    def _of_nothing(self) -> Values:
        return self._kept.once("nothing", lambda: values_of_part(self.plan, self.survey, None, None))

    def fetch(self, queries: Sequence[str]) -> list[tuple[Any, Any]]:
        """Collect the judgments and the results of some queries; None where there are no rows."""
        judged, returned = rows_of((self.judgments, self.results), queries)
        return [(judged, returned)]

    def meetings(self, queries: Sequence[str]) -> list[Meeting]:
        """Collect the rows of some judged queries, filtered by Spark once per table, and return their lists."""
        (tables,) = self.fetch(queries_of_rows(self.plan, queries))
        return meetings_of_part(self.plan, self.survey, *tables)

    def each(self, work: Callable[[list[Meeting]], Any]) -> list[Any]:
        """Return what a function, which can be pickled, makes on the executors of the lists of every bucket."""
        task = tasks.met_again(self.plan, self.survey, work)
        frame = grouped(judgment=self.judgments, result=self.results).mapInArrow(task, tasks.MADE)
        return [pickle.loads(row[0]) for row in collected(frame)]

    @property
    def values(self) -> Frame:
        """A lazy DataFrame: one row per query and system, and per measure a column of values and one of states.

        A value is null where the query is left out. The states are those of the ledger, such as ``computed`` and
        ``filled_no_results``; their column is called like the measure, with ``_state``.
        """
        measures = "".join(f", `{label}` double, `{label}_state` string" for label in self.labels)
        task = tasks.unpacked(self.labels)
        return self.portions.mapInArrow(task, f"query string, system string{measures}")

    def scores(self) -> Scores:
        """Compute all buckets, and return the scores of the local `evaluate`, with their ledger; computed once.

        The values come to the driver: 8 bytes per query, system and measure, and one for the state.
        """
        return self._kept.once("scores", self._scores)

    def _scores(self) -> Scores:
        return merged(self.plan, self.survey, self._collected[0], self.fetch, self, self.queries, self.weights)

    @property
    def large_queries(self) -> tuple[str, ...]:
        """Queries with five million results or more: each is computed by one task in one piece. Computes the scores."""
        return self._collected[1]

    @property
    def _collected(self) -> tuple[list[Portion], tuple[str, ...]]:
        return self._kept.once("portions", lambda: _collected(self.portions))


def _collected(portions: Frame) -> tuple[list[Portion], tuple[str, ...]]:
    rows = collected(portions.select("portion", "large"))
    return [Portion.from_bytes(row[0]) for row in rows], tuple(row[1] for row in rows if row[1] is not None)


@naming(TablesOptions)
def evaluate(
    judgments: Frame,
    results: Frame | Mapping[str, Frame],
    measures: Sequence[str | Measure] | str | None = None,
    *,
    row_number: str = "",
    **options: Unpack[TablesOptions],
) -> Evaluation:
    """Score results against judgments where they lie: in DataFrames of Spark 3.5 or later, classic or Connect.

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
    answer, weights = answered_weights(options.pop("weights", None))
    plan = Plan.of(measures, {**options, **answer, **_on_the_driver(options)})
    units = _units(plan)
    read = partial(judgments_of_units, unit=plan.setting.decisions.unit)
    judged = recognised(judgments, "judgments", read, row_number, units)
    returned, systems = _returned(results, row_number, units)
    table = Table(columns=returned.roles, systems=systems)
    plan = dataclasses.replace(plan, columns=judged.roles, tables=(table,))
    refuse_row_order(plan.under, judged, returned)
    survey = survey_of_tables(plan, judged, returned)
    task = tasks.evaluating(plan, survey, tasks.BUCKET_ROWS, tasks.LARGE_QUERY)
    portions = grouped(judgment=judged, result=returned).mapInArrow(task, tasks.PORTIONS)
    return Evaluation(plan, survey, judged, returned, portions, queries, weights)


def _units(plan: Plan) -> set[str]:
    """Return the answers to `unit` that may be columns."""
    answers = {plan.setting.decisions.unit, *(measure.decisions.unit for measure in plan.under)}
    return {unit for unit in answers if isinstance(unit, str)}


def _on_the_driver(options: TablesOptions) -> dict[str, Any]:
    """Read what `only` and `exclude` name here: executors do not have the files."""
    listed = options.get("exclude")
    pairs = None if listed is None else _pairs(read_excluded(listed))
    return {"only": asked_for(options.get("only")), "exclude": pairs}


def _pairs(listed: Judgments | Results) -> dict[str, list[Any]]:
    """Return the results to exclude as columns, which reach the executors; a file would not."""
    return {"query_id": listed.keys.query.to_list(), "doc_id": listed.source.ids(listed.doc).to_list()}


def _returned(
    results: Frame | Mapping[str, Frame], row_number: str, units: Collection[str]
) -> tuple[SparkTable, tuple[str, ...]]:
    """Recognise the results; those of several systems become one table with a column of systems."""
    if not isinstance(results, Mapping):
        return recognised(results, "results", read_results, row_number, units), ()
    if not results:
        raise UsageError("results: {} names no system. Give a DataFrame, or {name: DataFrame}.")
    tables = [
        recognised(frame, f"results {name}", partial(read_results, name=name), row_number, units)
        for name, frame in results.items()
    ]
    first, roles = tables[0], _common(tables)
    named = [_named(table, roles, name) for name, table in zip(results, tables, strict=True)]
    frame = functools.reduce(lambda one, other: one.unionByName(other, allowMissingColumns=True), named)
    return dataclasses.replace(first, frame=frame, roles=roles | {"system": "system"}), tuple(results)


def _common(tables: Sequence[SparkTable]) -> dict[str, str]:
    """Return the roles that all tables have, each with its column in the common table."""
    shared = set.intersection(*(set(table.roles) for table in tables)) - {"system"}
    return {role: _PLAIN.get(role, role) for role in tables[0].roles if role in shared}


_PLAIN = {"query": "query_id", "doc": "doc_id", "text": "query_text"}
"""Names of columns that cannot be mistaken for another role."""


def _named(table: SparkTable, roles: Mapping[str, str], system: str) -> Frame:
    """Return a table of one system with the columns of the common table, and those that have no role."""
    own = [column(table.frame, str(table.roles[role])).alias(name) for role, name in roles.items()]
    taken = {*table.roles.values(), *roles.values(), "system"}
    others = [column(table.frame, name) for name in table.frame.columns if name not in taken]
    return table.frame.select(*own, *others, functions(table.frame).lit(system).alias("system"))
