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
from tests.distributed.same import assert_same
from tests.heavy.distributed.in_memory import evaluated_in_parts
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
    """Compare all measures at once; where one of them is refused, each by itself."""
    judgments, results = _arrow(tables)
    plan = Plan(measures, decisions)
    try:
        whole = ir.evaluate(judgments, results, measures, **decisions)
    except IdealrankError as refusal:
        if len(measures) > 1:
            for measure in measures:
                _compare(tables, [measure], buckets, **decisions)
            return
        with pytest.raises(type(refusal)):
            evaluated_in_parts(plan, judgments, [results], buckets)
        return
    assert_same(evaluated_in_parts(plan, judgments, [results], buckets), whole)


@pytest.mark.parametrize("answer", ON_TABLES, ids=str)
def test_reading(answer: Answer) -> None:
    """Under every answer of the stages that read and order, parts make the same scores and the same ledger."""
    _compare(ENCODED[str(answer)](QUERIES, random.Random(5)), TELLING, 7, **answer.options)


def test_many_buckets() -> None:
    """More buckets than queries change nothing: some have judgments or results only, and some have neither."""
    _compare(table(QUERIES, scattered, score=lambda row: -float(row.span)), TELLING, 64)


KINDS = {"documents": {}, "subtopics": {}, "spans": {"unit": "spans"}}
"""What is judged, with the decision it takes."""

Group = tuple[str, str]
"""What is judged, and the answer in words."""


def _grouped() -> dict[Group, tuple[Answer, list[str]]]:
    """The pairs the sweep tries, by what is judged and by the answer: the measures of a group are one evaluation."""
    groups: dict[Group, tuple[Answer, list[str]]] = {}
    for definition, answer in CHOSEN:
        name = definition.name if definition.cutoff != "required" else f"{definition.name}@3"
        groups.setdefault((_kind(definition), str(answer)), (answer, []))[1].append(name)
    return groups


def _kind(definition: Definition) -> str:
    return "spans" if definition.by_span else "subtopics" if definition.by_subtopic else "documents"


GROUPS = _grouped()


@pytest.mark.parametrize("group", GROUPS, ids=" ".join)
def test_measures(group: Group) -> None:
    """Every measure under the answers that the sweep tries has the same values, means and moves."""
    kind, (answer, measures) = group[0], GROUPS[group]
    tables = table(QUERIES, scattered, rank=lambda row: row.place, score=lambda row: -float(row.span))
    tables = tables.by_subtopic() if kind == "subtopics" else tables
    tables = tables.of_spans() if kind == "spans" else tables
    _compare(tables, measures, 7, **KINDS[kind] | answer.options)


def test_every_measure_is_in_a_group() -> None:
    """No pair that the sweep tries is left out."""
    assert sum(len(measures) for _, measures in GROUPS.values()) == len(CHOSEN)
