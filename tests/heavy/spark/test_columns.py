"""Columns that a decision names, and ids of every type: as on the local path, or refused on the driver."""

from __future__ import annotations

import datetime
from collections.abc import Callable
from decimal import Decimal
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest
from pyarrow import parquet

import idealrank as ir
from idealrank.distributed import spark
from tests.heavy.spark.conftest import Frames, by_query, local
from tests.heavy.spark.worlds import JUDGED, RETURNED, Rows, columns, judged, returned

Tables = Callable[[Rows, Rows], tuple[Any, Any]]

CHUNKS: Rows = [("7", "c1", 0.9, "manual"), ("7", "c2", 0.8, "guide"), ("7", "c3", 0.7, "manual")]
SOURCES: Rows = [("7", "manual", 1), ("7", "faq", 1)]


@pytest.mark.parametrize("answer", ["origin", "Origin"])
@pytest.mark.parametrize("named", [False, True], ids=["a DataFrame", "a DataFrame per system"])
def test_units_in_a_column(frame: Frames, answer: str, named: bool) -> None:
    """Chunks count by the column of the results that `unit` names: of two judged sources the first is found."""
    theirs = frame((*RETURNED[:3], "origin"), CHUNKS, origin="string")
    found = spark.evaluate(frame(JUDGED, SOURCES), {"a": theirs} if named else theirs, ["R@2", "P@1"], unit=answer)
    assert found.scores()["R@2"] == 0.5


def test_judged_by_a_unit_without_documents(frame: Frames) -> None:
    """Judgments may name the unit only, in a column that is no document elsewhere."""
    ours = frame(("query_id", "origin", "grade"), SOURCES, origin="string")
    found = spark.evaluate(ours, frame((*RETURNED[:3], "origin"), CHUNKS, origin="string"), ["R@2"], unit="origin")
    assert found.scores()["R@2"] == 0.5


def test_no_such_unit(frame: Frames) -> None:
    """A unit that is no column is refused with the columns there are."""
    theirs = frame(RETURNED[:3], [row[:3] for row in CHUNKS])
    found = spark.evaluate(frame(JUDGED, SOURCES), theirs, ["P@1"], unit="origin")
    with pytest.raises(ir.DataError, match=r"no column called 'origin' for the unit.*Found: query_id, doc_id, score"):
        found.scores()


def test_failed_searches_of_named_systems(frame: Frames) -> None:
    """A search that failed is skipped as on the local path, where only one of two DataFrames has a status."""
    ours = [("1", "d1", 1), ("2", "d1", 1)]
    first = {"query_id": ["1", "2"], "doc_id": ["d1", None], "score": [0.5, None], "status": ["200", "503"]}
    second = {"query_id": ["1", "2"], "doc_id": ["d1", "d2"], "score": [0.5, 0.5]}
    frames = {
        "a": frame(tuple(first), list(zip(*first.values(), strict=True)), status="string"),
        "b": frame(tuple(second), list(zip(*second.values(), strict=True))),
    }
    found = spark.evaluate(frame(JUDGED, ours), frames, ["P@1"])
    assert by_query(found) == local(ir.evaluate(columns(JUDGED, ours), {"a": first, "b": second}, ["P@1"]))


def test_files_are_read_on_the_driver(tables: Tables, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A file of results to exclude, and one of the queries asked for, need not be on the executors."""
    monkeypatch.chdir(tmp_path)
    Path("seen.csv").write_text("query_id,doc_id\n7,d3\n9,d1\n")
    Path("asked.txt").write_text("7\n9\n")
    ours, theirs = judged(), returned()
    named: dict[str, Any] = {"exclude": "seen.csv", "only": "asked.txt"}
    expected = ir.evaluate(columns(JUDGED, ours), columns(RETURNED, theirs), ["AP"], **named)
    found = spark.evaluate(*tables(ours, theirs), ["AP"], **named)
    for name in ("seen.csv", "asked.txt"):
        Path(name).unlink()
    assert by_query(found) == local(expected)


DAY = datetime.date(2026, 11, 23)
BEYOND = 2**53 + 1

IDS: list[tuple[str, list[Any], list[str]]] = [
    ("decimal(38,0)", [Decimal(BEYOND), Decimal(10) ** 30], [f"{BEYOND}", f"1{'0' * 30}"]),
    ("decimal(38,10)", [Decimal(12), Decimal(0)], ["12", "0"]),
    ("long", [BEYOND, -BEYOND], [f"{BEYOND}", f"-{BEYOND}"]),
    ("date", [DAY, DAY.replace(year=2025)], ["2026-11-23", "2025-11-23"]),
]
"""Types, two ids of each, and the same as text."""


@pytest.mark.parametrize(("kind", "ids", "texts"), IDS, ids=[kind for kind, *_ in IDS])
@pytest.mark.parametrize("judged_as", ["the same", "text"])
def test_ids(frame: Frames, kind: str, ids: list[Any], texts: list[str], judged_as: str) -> None:
    """Ids of these types are those of the local path, beside ids of the same type or as text, and can be looked up."""
    ours, type_of_ours = (ids, kind) if judged_as == "the same" else (texts, "string")
    judgments = frame(JUDGED, [(key, key, 1) for key in ours], query_id=type_of_ours, doc_id=type_of_ours)
    results = frame(RETURNED[:3], [(key, key, 0.5) for key in ids], query_id=kind, doc_id=kind)
    found = spark.evaluate(judgments, results, ["RR"])
    assert by_query(found) == {(text, "results"): [1.0, "computed"] for text in texts}
    assert spark.explain(found, query=texts[0]).score == 1


@pytest.mark.parametrize(
    ("kind", "value", "way"),
    [
        ("boolean", True, r"col\('{}'\)\.cast\('string'\)"),
        ("binary", b"q", r"col\('{}'\)\.cast\('string'\)"),
        ("timestamp", datetime.datetime(2026, 11, 23, 12), r"col\('{}'\)\.cast\('string'\)"),
        ("array<string>", ["q"], r"explode\('{}'\)"),
        ("struct<a:string>", ("q",), r"col\('{}'\)\.cast\('string'\)"),
    ],
)
@pytest.mark.parametrize("name", ["query_id", "doc_id"])
def test_ids_of_other_types(frame: Frames, kind: str, value: Any, way: str, name: str) -> None:
    """Ids of types that are none are refused before anything runs, with how Spark converts them."""
    row = {"query_id": "1", "doc_id": "d1", "score": 0.5} | {name: value}
    theirs = frame(RETURNED[:3], [tuple(row.values())], **{name: kind})
    told = rf"results: the ids in {name} are of the type {kind.partition('<')[0]}\. .*Convert .*{way.format(name)}"
    with pytest.raises(ir.DataError, match=told):
        spark.evaluate(frame(JUDGED, judged()), theirs, ["AP"])


def test_parts_of_other_types(session: Any, tmp_path: Path) -> None:
    """Parquet parts with scores of two types are refused by the engine; each part cast and united, all are counted."""
    names = {"first": pa.array([0.5]), "second": pa.array(["0.7"])}
    for query, (name, scores) in enumerate(names.items()):
        table = pa.table({"query_id": [str(query)], "doc_id": ["d1"], "score": scores})
        parquet.write_table(table, tmp_path / f"{name}.parquet")
    judgments = session.createDataFrame([("0", "d1", 1), ("1", "d1", 1)], "query_id string, doc_id string, grade long")
    with pytest.raises(Exception, match=r"(?i)schema|type|convert|vectorized|parquet"):
        spark.evaluate(judgments, session.read.parquet(str(tmp_path)), ["RR"]).scores()
    first, second = (session.read.parquet(str(tmp_path / f"{name}.parquet")) for name in names)
    results = first.unionByName(second.withColumn("score", second["score"].cast("double")))
    assert spark.evaluate(judgments, results, ["RR"]).scores()["RR"] == 1
