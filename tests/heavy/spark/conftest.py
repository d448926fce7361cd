"""An engine for the tests: Sail, or the one that SPARK_ENGINE names.

sail: a Spark Connect server without a JVM, one per file of tests, so that pages of the docs have their own.
classic, connect: the Spark that is installed, in one process with two threads, or behind its own Connect server.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterator
from importlib.util import find_spec
from typing import Any

import pytest

import idealrank as ir
from idealrank.distributed.spark import Evaluation
from tests.heavy.spark.worlds import JUDGED, RETURNED, Rows

TYPES = {"query_id": "string", "doc_id": "string", "grade": "long", "score": "double", "system": "string"}

Frames = Callable[..., Any]


ENGINE = os.environ.get("SPARK_ENGINE", "sail")

SETTINGS = {
    "spark.ui.enabled": "false",
    "spark.ui.showConsoleProgress": "false",
    "spark.driver.host": "127.0.0.1",
    "spark.sql.shuffle.partitions": "2",
}


LEFT_TO_PYSPARK = ("ResourceWarning", "pytest.PytestUnraisableExceptionWarning", "DeprecationWarning")
"""Warnings of classic PySpark: sockets it leaves to the garbage collector; 3.5 asks for versions with distutils."""


def pytest_itemcollected(item: pytest.Item) -> None:
    """Take no notice of warnings that are PySpark's."""
    for warning in LEFT_TO_PYSPARK if ENGINE != "sail" else ():
        item.add_marker(pytest.mark.filterwarnings(f"ignore::{warning}"))


@pytest.fixture(scope="module")
def session() -> Iterator[Any]:
    """Return a session of the engine."""
    for needed in ("pyspark", *(["pysail"] if ENGINE == "sail" else [])):
        if find_spec(needed) is None:
            (pytest.fail if os.environ.get("CI") == "true" else pytest.skip)(
                "NOT TESTED: Spark. pyspark[connect] and pysail are not installed."
            )
    yield from {"sail": of_sail, "classic": of_spark, "connect": of_connect}[ENGINE]()


_OPENED: list[Any] = []
"""Every server and session, until the process ends: what is collected later ends what is there by then.

A server that is collected in a thread of its own panics as it joins it; a session that is collected while another one
works shuts down the threads that all sessions share.
"""


def of_sail() -> Iterator[Any]:
    """Start a server of Sail."""
    from pysail.spark import SparkConnectServer
    from pyspark.sql import SparkSession

    server = SparkConnectServer(port=0)
    server.start(background=True)
    session = SparkSession.builder.remote(f"sc://localhost:{server.listening_address[1]}").create()
    _OPENED.extend((server, session))
    yield session
    session.stop()
    server.stop()


def of_spark() -> Iterator[Any]:
    """Start Spark in a process with two threads."""
    from pyspark.sql import SparkSession

    os.environ |= {"PYSPARK_PYTHON": sys.executable, "SPARK_LOCAL_IP": "127.0.0.1"}
    session = SparkSession.builder.master("local[2]").config(map=SETTINGS).getOrCreate()
    session.sparkContext.setLogLevel("ERROR")
    yield session
    session.stop()


def of_connect() -> Iterator[Any]:
    """Start Spark behind a Connect server of its own."""
    from pyspark.sql import SparkSession

    os.environ |= {"PYSPARK_PYTHON": sys.executable, "SPARK_LOCAL_IP": "127.0.0.1"}
    session = SparkSession.builder.remote("local[2]").getOrCreate()
    session.conf.set("spark.sql.shuffle.partitions", SETTINGS["spark.sql.shuffle.partitions"])
    yield session
    session.stop()


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
    from idealrank.evaluation.scoring import QueryState as State

    found: dict[tuple[str, str], list[Any]] = {}
    for s, system in enumerate(scores.systems):
        for q, query in enumerate(scores.queries):
            if scores.in_scope[q]:
                pairs = zip(scores.values[s, :, q].tolist(), scores.states[s, :, q].tolist(), strict=True)
                each = [(None if value != value else value, State(state).name.lower()) for value, state in pairs]
                found[query, system] = [part for pair in each for part in pair]
    return found
