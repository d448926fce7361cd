"""Sail: a Spark Connect server without a JVM, one per file of tests, so that pages of the docs have their own."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from typing import Any

import pytest

import idealrank as ir
from idealrank.distributed.spark import Evaluation
from tests.distributed.spark.worlds import JUDGED, RETURNED, Rows

TYPES = {"query_id": "string", "doc_id": "string", "grade": "long", "score": "double", "system": "string"}

Frames = Callable[..., Any]


@pytest.fixture(scope="module")
def session() -> Iterator[Any]:
    """Return a session of Sail."""
    try:
        from pysail.spark import SparkConnectServer
        from pyspark.sql import SparkSession
    except ImportError:
        if os.environ.get("CI") == "true":
            raise
        pytest.skip("NOT TESTED: Spark. pyspark[connect] and pysail are not installed.")
    server = SparkConnectServer(port=0)
    server.start(background=True)
    session = SparkSession.builder.remote(f"sc://localhost:{server.listening_address[1]}").create()
    yield session
    session.stop()
    server.stop()


@pytest.fixture
def frame(session: Any) -> Frames:
    """Return a function that makes a DataFrame of rows, with types other than the usual as keywords."""

    def made(names: tuple[str, ...], rows: Rows, **types: str) -> Any:
        schema = ", ".join(f"`{name}` {(TYPES | types)[name]}" for name in names)
        return session.createDataFrame(rows, schema)

    return made


@pytest.fixture
def tables(frame: Frames) -> Callable[[Rows, Rows], tuple[Any, Any]]:
    """Return a function that makes the DataFrames of judgments and results."""
    return lambda ours, theirs: (frame(JUDGED, ours), frame(RETURNED, theirs))


def by_query(evaluation: Evaluation) -> dict[tuple[str, str], list[Any]]:
    """Collect the values and states on Spark, by query and system; None where there is no value."""
    return {(row[0], row[1]): list(row[2:]) for row in evaluation.values.collect()}


def local(scores: ir.Scores) -> dict[tuple[str, str], list[Any]]:
    """Return the values and states of local scores in the same form."""
    from idealrank.evaluation.scoring import State

    found: dict[tuple[str, str], list[Any]] = {}
    for s, system in enumerate(scores.systems):
        for q, query in enumerate(scores.queries):
            if scores.in_scope[q]:
                pairs = zip(scores.values[s, :, q].tolist(), scores.states[s, :, q].tolist(), strict=True)
                each = [(None if value != value else value, State(state).name.lower()) for value, state in pairs]
                found[query, system] = [part for pair in each for part in pair]
    return found
