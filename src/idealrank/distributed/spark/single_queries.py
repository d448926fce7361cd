"""Single queries of an evaluation on Spark: the worst, and the arithmetic of one."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from idealrank.data.ids import plain_ids
from idealrank.display.table import Table
from idealrank.distributed.kernel.portion import values_of_part
from idealrank.distributed.spark.engine import collected, functions, window
from idealrank.distributed.spark.evaluation import Evaluation
from idealrank.distributed.spark.tables import column
from idealrank.errors import UsageError, nearest, some
from idealrank.evaluation.explanation.explanation import Explanation, explain_value
from idealrank.evaluation.score_tables import refuse_n
from idealrank.evaluation.values import find_query


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
    label = _one_of("measure", measure, evaluation.labels)
    systems = evaluation.systems if system is None else (_one_of("system", system, evaluation.systems),)
    place = {name: s for s, name in enumerate(systems)}
    rows = sorted(collected(_lowest(evaluation, label, systems, n)), key=lambda row: (place[row[1]], row[3]))
    columns: dict[str, Any] = {"query": [row[0] for row in rows]}
    if len(evaluation.systems) > 1:
        columns["system"] = [row[1] for row in rows]
    return Table(columns | {label: np.array([row[2] for row in rows], np.float64)}, "queries")


def _lowest(evaluation: Evaluation, label: str, systems: Sequence[str], n: int) -> Any:
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
    label = _one_of("measure", measure, evaluation.labels)
    if query is None:
        raise UsageError("Which query? Name one by its id, as query='q1'. spark.worst(evaluation) lists the lowest.")
    ids = plain_ids([query])
    ((judged, returned),) = evaluation.fetch(ids)
    if judged is None:
        raise UsageError(f"No judged query {ids[0]!r}. Judged queries are in the judgments DataFrame.")
    values = values_of_part(evaluation.plan, evaluation.survey, judged, returned)
    meeting, ours = values.meetings[values.system_place(system)], values.measures[values.place_of(label)]
    place, text = find_query(ids[0], values.queries, values.texts), values.texts.get(ids[0], "")
    return explain_value(meeting, ours, place, text, values.setting.text)


def _one_of(what: str, name: str | None, names: tuple[str, ...]) -> str:
    if name is None:
        return names[0]
    if name not in names:
        raise UsageError(f"No {what} called {name!r} in this evaluation.{nearest(name, names)} There: {some(names)}.")
    return name
