"""An evaluation in parts is the same as one at once, to the last bit, for every measure and decision of the sweep."""

from __future__ import annotations

import random
from typing import Any

import pyarrow as pa
import pytest

import idealrank as ir
from idealrank.decisions import questions
from idealrank.distributed.plan import EvaluationPlan as Plan
from idealrank.errors import IdealrankError
from idealrank.measures import Definition
from tests.distributed.in_memory import BUCKETS, assert_same, evaluated_in_parts
from tests.properties.answers import Answer, answers
from tests.properties.choice import CHOSEN
from tests.properties.ranked import at_random
from tests.properties.tables import TELLING, Tables, scattered, table
from tests.properties.test_tables import ENCODED

QUERIES = at_random(24, 7, seed=21, tied=True)
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


def test_many_buckets() -> None:
    """More buckets than queries change nothing: some have judgments or results only, and some have neither."""
    _compare(table(QUERIES, scattered, score=lambda row: -float(row.span)), TELLING, 64)


NUMBERED = [(*pair, BUCKETS[number % len(BUCKETS)]) for number, pair in enumerate(CHOSEN)]


@pytest.mark.parametrize(
    ("definition", "answer", "buckets"), NUMBERED, ids=lambda part: getattr(part, "name", str(part))
)
def test_measures(definition: Definition, answer: Answer, buckets: int) -> None:
    """Every measure under the answers that the sweep tries has the same values, means and moves."""
    tables = table(QUERIES, scattered, rank=lambda row: row.place, score=lambda row: -float(row.span))
    tables = tables.by_subtopic() if definition.by_subtopic else tables
    tables = tables.of_spans() if definition.by_span else tables
    name = definition.name if definition.cutoff != "required" else f"{definition.name}@3"
    _compare(tables, [name], buckets, **({"unit": "spans"} if definition.by_span else {}) | answer.options)
