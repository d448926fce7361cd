"""The worst queries, and the arithmetic of one, without fetching the others."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import idealrank as ir
from idealrank.distributed import spark
from idealrank.distributed.spark import tables as tables_on_spark
from idealrank.distributed.spark.tables import collect_queries
from tests.heavy.spark.worlds import JUDGED, RETURNED, Rows, columns, judged, returned

Tables = Callable[[Rows, Rows], tuple[Any, Any]]


@pytest.mark.parametrize("system", [None, "b"])
def test_worst(tables: Tables, system: str | None) -> None:
    """The lowest values are those that the local path lists, and of equal ones q9 comes before q10."""
    ours, theirs = judged(), returned()
    found = spark.worst(spark.evaluate(*tables(ours, theirs), ["AP", "nDCG@5"]), 12, "nDCG@5", system)
    expected = ir.evaluate(columns(JUDGED, ours), columns(RETURNED, theirs), ["AP", "nDCG@5"])
    assert found.to_dict() == expected.worst(12, "nDCG@5", system).to_dict()


def test_explain(tables: Tables) -> None:
    """The value explained is that of the whole table, whose highest grade 3 is not among the grades of the query."""
    ours = [("1", "d1", 2), ("1", "d2", 1), ("2", "d1", 3)]
    theirs = [("1", "d2", 0.9, "a"), ("1", "d1", 0.1, "a"), ("2", "d1", 0.5, "a"), ("1", "d1", 0.5, "b")]
    evaluation = spark.evaluate(*tables(ours, theirs), ["nDCG@2"], ideal="max", discount="reciprocal")
    explanation = spark.explain(evaluation, "nDCG@2", 1, "a")
    assert explanation.score == pytest.approx((1 + 2 / 2) / (3 + 3 / 2))


def jobs(monkeypatch: pytest.MonkeyPatch) -> list[Any]:
    """Return a list that every DataFrame computed from now on joins."""
    asked: list[Any] = []

    def counted(compute: Callable[[], Any]) -> Any:
        asked.append(compute)
        return computed(compute)

    computed = tables_on_spark._computed
    monkeypatch.setattr(tables_on_spark, "_computed", counted)
    return asked


def test_one_job(tables: Tables, monkeypatch: pytest.MonkeyPatch) -> None:
    """The worst of two systems are one job, an explanation one per table, and scores one."""
    evaluation = spark.evaluate(*tables(judged(), returned()), ["AP"])
    asked = jobs(monkeypatch)
    many = []
    for call in (lambda: spark.worst(evaluation), lambda: spark.explain(evaluation, "AP", "7", "a"), evaluation.scores):
        call()
        many.append(len(asked))
    assert many == [1, 3, 4]


def test_only_one_query_is_fetched(tables: Tables) -> None:
    """Of tables of forty queries, the rows of the query asked for come to the driver."""
    evaluation = spark.evaluate(*tables(judged(), returned()), ["AP"])
    found = collect_queries((evaluation.judgments, evaluation.results), ["7"])
    for rows, names, every in zip(found, (JUDGED, RETURNED), (judged(), returned()), strict=True):
        assert rows is not None
        mine = columns(names, [row for row in every if row[0] == "7"])
        assert sorted(zip(*rows.to_pydict().values(), strict=True)) == sorted(zip(*mine.values(), strict=True))


@pytest.mark.parametrize(
    ("asked", "said"),
    [
        ({"query": "none"}, "No judged query 'none'"),
        ({}, "Which query"),
        ({"measure": "nDCG", "query": "7"}, "No measure called 'nDCG'"),
    ],
)
def test_refused(tables: Tables, asked: dict[str, Any], said: str) -> None:
    """A query that is not judged, no query, and a measure that was not asked for are refused."""
    evaluation = spark.evaluate(*tables(judged(), returned()), ["AP"])
    with pytest.raises(ir.UsageError, match=said):
        spark.explain(evaluation, **asked)


def test_no_such_system(tables: Tables) -> None:
    """A system that is not in the results is refused with those that are."""
    evaluation = spark.evaluate(*tables(judged(), returned()), ["AP"])
    with pytest.raises(ir.UsageError, match=r"No system called 'c' in this evaluation.*There: 'a', 'b'"):
        spark.worst(evaluation, system="c")


def test_reports_fetch_all_lists_at_once(tables: Tables, monkeypatch: pytest.MonkeyPatch) -> None:
    """A report on Spark has the lists and the arithmetic of the local one; its queries are fetched by one filter."""
    ours, theirs = judged(), returned()
    asked: list[int] = []
    fetch = spark.Evaluation.fetch
    monkeypatch.setattr(
        spark.Evaluation, "fetch", lambda self, queries: asked.append(len(queries)) or fetch(self, queries)
    )
    scores = spark.evaluate(*tables(ours, theirs), ["AP", "nDCG@5"]).scores()
    asked.clear()
    found = ir.report(ir.compare(scores, baseline="a"))
    whole = ir.report(ir.compare(columns(JUDGED, ours), columns(RETURNED, theirs), ["AP", "nDCG@5"], baseline="a"))
    for part in ("queries", "values", "states", "lists", "explanations", "documents", "curves", "overlap", "segments"):
        assert getattr(found, part) == getattr(whole, part), part
    assert asked == [40]


def test_baselines_are_made_on_the_executors(tables: Tables, tmp_path: Path) -> None:
    """The baseline of scores on Spark is the file that is made of local scores, to the last byte."""
    ours, theirs = judged(), returned()
    files = [tmp_path / "spark.json", tmp_path / "local.json"]
    ir.bless(spark.evaluate(*tables(ours, theirs), ["AP"], system="a").scores(), files[0])
    ir.bless(ir.evaluate(columns(JUDGED, ours), columns(RETURNED, theirs), ["AP"], system="a"), files[1])
    assert files[0].read_bytes() == files[1].read_bytes()


def test_tie_ranges(tables: Tables) -> None:
    """The ranges over the orders of tied results are computed on the executors, for the mean of all queries."""
    ours, theirs = judged(), returned()
    scores = spark.evaluate(*tables(ours, theirs), ["AP", "nDCG@5"]).scores()
    whole = ir.evaluate(columns(JUDGED, ours), columns(RETURNED, theirs), ["AP", "nDCG@5"])
    assert scores.tie_ranges.to_dict() == whole.tie_ranges.to_dict()
