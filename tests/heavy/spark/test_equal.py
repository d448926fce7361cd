"""Values on Spark are those of the local path to the last bit."""

from __future__ import annotations

from collections.abc import Callable
from decimal import Decimal
from typing import Any

import pyarrow as pa
import pytest

import idealrank as ir
from idealrank.distributed import spark
from idealrank.distributed.spark import tasks
from tests.heavy.spark.conftest import Frames, by_query, local
from tests.heavy.spark.worlds import JUDGED, RETURNED, Rows, columns, judged, returned, skewed

Tables = Callable[[Rows, Rows], tuple[Any, Any]]

MEASURES = ["nDCG@10", "nDCG(gain=exp2)@10", "P@5", "R@10", "AP", "RR", "ERR@10", "bpref", "RBP"]

ANSWERS: list[dict[str, Any]] = [
    {},
    {"convention": "trec_eval-9.0.8"},
    {"ties": "average"},
    {"ties": "docid_asc", "gain": "exp2", "ideal": "returned"},
    {"ideal": "max"},
    {"ideal": "max", "max_grade": 5},
    {"unjudged": "filter", "no_results": "skip"},
    {"no_relevant": "skip", "relevant_from": 2},
    {"only": "7..20"},
    {"score_precision": "float32", "short_list": "returned", "unjudged": 1},
]


@pytest.mark.parametrize("answers", ANSWERS, ids=lambda answers: ",".join(f"{k}={v}" for k, v in answers.items()))
def test_values(tables: Tables, answers: dict[str, Any], monkeypatch: pytest.MonkeyPatch) -> None:
    """Every value and state of two systems is the same, although some buckets lack judgments, or results."""
    monkeypatch.setattr(tasks, "BUCKET_ROWS", 40)
    ours, theirs = judged(), returned()
    names = ["ndcg", "ndcg_cut_10", "map", "P_5", "recip_rank", "bpref"] if "convention" in answers else MEASURES
    found = spark.evaluate(*tables(ours, theirs), names, **answers)
    expected = ir.evaluate(columns(JUDGED, ours), columns(RETURNED, theirs), names, **answers)
    assert by_query(found) == local(expected)


@pytest.mark.parametrize(("rows", "partitions"), [(1, 2), (1, 64), (300, 1), (300, 7), (50_000, 64)])
def test_partitions(tables: Tables, rows: int, partitions: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Neither partitions, most of 64 nearly empty, nor the size of buckets change a bit, or a word of the ledger."""
    monkeypatch.setattr(tasks, "BUCKET_ROWS", rows)
    ours, theirs = judged(), returned()
    frames = (frame.repartition(partitions) for frame in tables(ours, theirs))
    found = spark.evaluate(*frames, ["nDCG@10", "AP"])
    expected = ir.evaluate(columns(JUDGED, ours), columns(RETURNED, theirs), ["nDCG@10", "AP"])
    assert by_query(found) == local(expected)
    assert found.scores().to_dict() == expected.to_dict()


def test_skew(tables: Tables, monkeypatch: pytest.MonkeyPatch) -> None:
    """A query with half of all rows is computed in one piece, and named where it has many results."""
    monkeypatch.setattr(tasks, "LARGE_QUERY", 1000)
    monkeypatch.setattr(tasks, "BUCKET_ROWS", 100)
    ours, theirs = skewed()
    found = spark.evaluate(*tables(ours, theirs), MEASURES)
    assert by_query(found) == local(ir.evaluate(columns(JUDGED, ours), columns(RETURNED, theirs), MEASURES))
    assert found.large_queries == ("big",)


def test_one_partition_of_judgments_is_empty(frame: Frames) -> None:
    """A DataFrame with empty partitions, before and after the shuffle, gives the same values."""
    ours, theirs = [("q1", "d1", 2)], [("q1", "d1", 0.5, "a"), ("q2", "d1", 0.5, "a")]
    empty = frame(JUDGED, [])
    found = spark.evaluate(empty.unionByName(frame(JUDGED, ours)).repartition(5), frame(RETURNED, theirs), ["RR"])
    assert [values[0] for values in by_query(found).values()] == [1.0]


IDS = {"long": int, "int": int, "string": str, "double": float, "decimal(12,0)": Decimal, "decimal(12,2)": Decimal}
"""The same ids in columns of other types."""


@pytest.mark.parametrize("theirs", [*IDS, "text of floats"])
@pytest.mark.parametrize("ours", ["long", "string", "double"])
def test_ids_of_two_types(frame: Frames, ours: str, theirs: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """The query 12 is the same as "12", 12.0 and "12.0", so their rows come into the same bucket."""
    monkeypatch.setattr(tasks, "BUCKET_ROWS", 1)
    numbers = [0, 12, 7, 100_000_000]
    left = frame(JUDGED, [(IDS[ours](key), "d1", 1) for key in numbers], query_id=ours)
    spelt = (lambda key: f"{key}.0") if theirs == "text of floats" else IDS[theirs]
    kind = "string" if theirs == "text of floats" else theirs
    right = frame(RETURNED, [(spelt(key), "d1", 1.0, "a") for key in numbers], query_id=kind)
    found = by_query(spark.evaluate(left, right, ["RR"]))
    assert found == {(str(key), "a"): [1.0, "computed"] for key in numbers}


@pytest.mark.parametrize("kind", ["decimal(10,4)", "double", "float", "long", "int", "string"])
def test_scores_and_grades_of_other_types(frame: Frames, kind: str) -> None:
    """Scores and grades may be decimals, floats of either size, whole numbers or text."""
    cast = {"decimal(10,4)": Decimal, "double": float, "float": float, "string": str}.get(kind, int)
    ours = [(query, doc, cast(int(grade))) for query, doc, grade in judged()]
    theirs = [(query, doc, cast(int(score * 8)), system) for query, doc, score, system in returned()]
    found = spark.evaluate(frame(JUDGED, ours, grade=kind), frame(RETURNED, theirs, score=kind), MEASURES)
    assert by_query(found) == local(ir.evaluate(columns(JUDGED, ours), columns(RETURNED, theirs), MEASURES))


def test_systems_by_name(frame: Frames) -> None:
    """DataFrames of several systems may call their columns otherwise, and have them in other types."""
    ours, theirs = judged(), returned()
    each = {name: [row[:3] for row in theirs if row[3] == name] for name in "ab"}
    first = frame(RETURNED[:3], each["a"])
    second = frame(RETURNED[:3], each["b"], score="float").withColumnsRenamed({"query_id": "topic", "doc_id": "docno"})
    found = spark.evaluate(frame(JUDGED, ours), {"a": first, "b": second}, MEASURES)
    expected = {name: columns(RETURNED[:3], rows) for name, rows in each.items()}
    assert by_query(found) == local(ir.evaluate(columns(JUDGED, ours), expected, MEASURES))


def test_a_comparison(frame: Frames) -> None:
    """Executors say what unjudged results may change, as one machine does; Spark does not know the first system."""
    ours, theirs = judged(), returned()
    found = spark.evaluate(frame(JUDGED, ours), frame(RETURNED, theirs), MEASURES).scores()
    whole = ir.evaluate(columns(JUDGED, ours), columns(RETURNED, theirs), MEASURES)
    assert ir.compare(found, baseline="a").to_json() == ir.compare(whole, baseline="a").to_json()
    with pytest.raises(ir.UsageError, match="Which is the baseline, a or b"):
        ir.compare(found)


@pytest.mark.parametrize(
    "answers",
    [{"ties": "given"}, {"order_by": "given"}, {"duplicates": "first"}, {"duplicates": "last", "ties": "given"}],
    ids=str,
)
def test_row_numbers(session: Any, answers: dict[str, Any]) -> None:
    """Decisions that read the order of rows read it from the column of row numbers, however Spark mixes the rows."""
    theirs = [*returned(), ("7", "d3", 0.25, "a"), ("7", "d3", 0.75, "a")] if "duplicates" in answers else returned()
    ours = judged()
    tables = [pa.table(columns(JUDGED, ours)), pa.table(columns(RETURNED, theirs))]
    frames = [
        session.createDataFrame(table.append_column("no", pa.array(range(len(table)))).to_pandas())
        .repartition(7)
        .orderBy("doc_id")
        for table in tables
    ]
    found = spark.evaluate(*frames, ["nDCG@10", "AP"], row_number="no", **answers)
    assert by_query(found) == local(ir.evaluate(*tables, ["nDCG@10", "AP"], **answers))
