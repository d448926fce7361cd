"""What the engine's own aggregates say of the tables is what tasks say that read their rows."""

from __future__ import annotations

from typing import Any

import pytest

from idealrank.distributed import spark
from idealrank.distributed.spark import evaluation as survey
from idealrank.distributed.survey import Survey
from tests.heavy.spark.conftest import Frames

JUDGED = [("1", "d1", 3), ("1", "d2", None), ("2", "d1", -1)]
NAN, MISSING = float("nan"), None
RANKED = ("query_id", "doc_id", "rank", "score", "system")
RESULTS = {
    "two systems": [("1", "d1", 1, 0.5, "b"), ("1", "d2", 0, 0.25, "a"), ("2", "d1", 2, 1.0, "b")],
    "ranks of one": [("1", "d1", 3, 0.5, "a"), ("1", "d1", MISSING, 0.5, "b")],
    "a list without documents": [("1", MISSING, 0, MISSING, "a"), ("2", "", 0, MISSING, "a"), ("2", "d1", 2, 0.5, "a")],
    "no scores": [("1", "d1", 1, NAN, "a"), ("2", "d1", 2, MISSING, "a")],
    "one system": [("1", "d1", 1, 0.5, MISSING), ("2", "d1", 2, NAN, MISSING)],
}


def _surveys(ours: Any, theirs: Any, monkeypatch: pytest.MonkeyPatch, **options: Any) -> tuple[Survey, Survey]:
    """Return the survey by aggregates, and by tasks."""
    by_engine = spark.evaluate(ours, theirs, ["AP"], order_by="rank", **options).survey
    monkeypatch.setattr(survey, "_are_numbers", lambda table, role: False)
    return by_engine, spark.evaluate(ours, theirs, ["AP"], order_by="rank", **options).survey


@pytest.mark.parametrize("rows", RESULTS.values(), ids=RESULTS)
@pytest.mark.parametrize("kinds", [("long", "long"), ("double", "float")])
def test_both_say_the_same(frame: Frames, monkeypatch: pytest.MonkeyPatch, rows: Any, kinds: tuple[str, str]) -> None:
    """The highest grade, the systems, and which of them have ranks and scores, from integers and from floats."""
    types = {"grade": kinds[0], "rank": kinds[1]}
    ours, theirs = frame(("query_id", "doc_id", "grade"), JUDGED, **types), frame(RANKED, rows, **types)
    by_engine, by_tasks = _surveys(ours, theirs, monkeypatch)
    assert by_engine == by_tasks
    assert set(by_engine.highest.values()) == {3.0}


def test_grades_that_are_put_together(frame: Frames, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where several rows are one grade, the highest is that of the grades, which tasks put together."""
    ours = frame(("query_id", "doc_id", "grade"), [("1", "d1", 3), ("1", "d1", 0), ("1", "d2", 2)])
    theirs = frame(RANKED, RESULTS["two systems"], rank="long")
    by_engine, by_tasks = _surveys(ours, theirs, monkeypatch, duplicates="mean")
    assert by_engine == by_tasks
    assert set(by_engine.highest.values()) == {2.0}
