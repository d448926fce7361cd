"""An evaluation in parts is the same as one at once, to the last bit, for every measure and decision of the sweep."""

from __future__ import annotations

import random
from typing import Any

import pyarrow as pa
import pytest

import idealrank as ir
from idealrank.decisions import questions
from idealrank.distributed.kernel.plan import Plan
from idealrank.errors import IdealrankError
from idealrank.measures import DEFINITIONS, Definition
from tests.distributed.in_memory import BUCKETS, assert_same, evaluated_in_parts
from tests.properties.answers import Answer, answers, departures
from tests.properties.ranked import at_random
from tests.properties.tables import TELLING, Tables, scattered, table
from tests.properties.test_tables import ENCODED

QUERIES = at_random(40, 9, seed=21, tied=True)
"""Queries with ties, holes and missed documents; some without results, some without judgments."""

ON_TABLES = [a for name, q in questions().items() if q.stage in ("read", "list") for a in answers(name)]


def _arrow(tables: Tables) -> tuple[pa.Table, pa.Table]:
    return pa.table(tables.judgments), pa.table(tables.results)


def _compare(tables: Tables, measures: list[str], buckets: int, **decisions: Any) -> None:
    judgments, results = _arrow(tables)
    plan = Plan(measures, decisions=decisions)
    try:
        whole = ir.evaluate(judgments, results, measures, **decisions)
    except IdealrankError as refusal:
        with pytest.raises(type(refusal)):
            evaluated_in_parts(plan, judgments, [results], buckets)
        return
    assert_same(evaluated_in_parts(plan, judgments, [results], buckets), whole)


@pytest.mark.parametrize("buckets", BUCKETS)
@pytest.mark.parametrize("answer", ON_TABLES, ids=str)
def test_reading(answer: Answer, buckets: int) -> None:
    """Under every answer of the stages that read and order, parts make the same scores and the same ledger."""
    _compare(ENCODED[str(answer)](QUERIES, random.Random(5)), TELLING, buckets, **answer.options)


@pytest.mark.parametrize("buckets", BUCKETS)
@pytest.mark.parametrize("definition", DEFINITIONS, ids=lambda definition: definition.name)
def test_measures(definition: Definition, buckets: int) -> None:
    """Every measure under every answer that it reads has the same values and means, and the same moves."""
    tables = table(QUERIES, scattered, rank=lambda row: row.place, score=lambda row: -float(row.span))
    tables = tables.by_subtopic() if definition.by_subtopic else tables
    tables = tables.of_spans() if definition.by_span else tables
    name = definition.name if definition.cutoff != "required" else f"{definition.name}@3"
    for answer in departures(definition):
        options = answer.options if not definition.by_span else {"unit": "spans"} | answer.options
        _compare(tables, [name], buckets, **options)
