"""How long each search took, read from a column of results or from an engine's own answer."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

import idealrank as ir
from idealrank.data.latency_columns import Clock
from idealrank.data.read import read_results
from idealrank.errors import DataError
from idealrank.evaluation.latency import latencies

NAMED: list[tuple[str, Clock, float]] = [
    ("latency_ms", "latency", 8.0),
    ("latency", "latency", 8.0),
    ("latency_s", "latency", 8000.0),
    ("Latency (s)", "latency", 8000.0),
    ("latency_us", "latency", 0.008),
    ("latency_microseconds", "latency", 0.008),
    ("latencySeconds", "latency", 8000.0),
    ("response_time", "latency", 8.0),
    ("responseTimeMs", "latency", 8.0),
    ("response_time_sec", "latency", 8000.0),
    ("wall_ms", "latency", 8.0),
    ("wall_time", "latency", 8.0),
    ("elapsed", "latency", 8.0),
    ("elapsed_ms", "latency", 8.0),
    ("duration_ms", "latency", 8.0),
    ("took", "took", 8.0),
    ("took_ms", "took", 8.0),
    ("QTime", "took", 8.0),
    ("engine_ms", "took", 8.0),
    ("engine_time_us", "took", 0.008),
    ("latency_µs", "latency", 0.008),
    ("latency (μs)", "latency", 0.008),
    ("latency_usec", "latency", 0.008),
    ("latency_ns", "latency", 0.000008),
    ("latency_second", "latency", 8000.0),
    ("latency_millisecond", "latency", 8.0),
    ("latency_minutes", "latency", 480_000.0),
    ("response_ms", "latency", 8.0),
    ("response_time_in_ms", "latency", 8.0),
    ("response_time_in_s", "latency", 8000.0),
    ("query_time_ms", "latency", 8.0),
    ("search_time_seconds", "latency", 8000.0),
    ("time_ms", "latency", 8.0),
    ("rtt_us", "latency", 0.008),
]


@pytest.mark.parametrize(("name", "clock", "milliseconds"), NAMED)
def test_names_and_units(name: str, clock: Clock, milliseconds: float) -> None:
    """The ending of a column's name is its unit; without one it is milliseconds."""
    other: Clock = "took" if clock == "latency" else "latency"
    results = read_results({"query": ["q"], "doc": ["d"], "rank": [1], name: [8]})
    assert latencies(results, clock) == {"q": pytest.approx(milliseconds)}
    assert latencies(results, other) == {}


@pytest.mark.parametrize(
    "name",
    [
        "engine",
        "engines",
        "wall",
        "late",
        "time",
        "took_place",
        "latency_class",
        "latency_min",
        "rtt",
        "response",
        "query_time",
    ],
)
def test_other_names(name: str) -> None:
    """A name that only resembles those of times is no time."""
    results = read_results({"query": ["q", "r"], "doc": ["d", "d"], "rank": [1, 1], name: [8, 8]})
    assert latencies(results, "latency") == latencies(results, "took") == {}


REPLAYED = """query_id,query,doc_id,rank,score,latency_ms,took_ms,status,error
q1,shoes,a,1,2.5,30.5,12,answered,
q1,shoes,b,2,1.5,30.5,12,answered,
q2,boots,,,,7,,empty,
q3,socks,,,,5000,,failed,HTTP 500
q4,hats,a,1,1.0,,3,answered,
"""


def test_searches_without_results_have_a_time_and_failed_ones_have_none(tmp_path: Path) -> None:
    """An empty list took its time; how long a failed search took is not counted; what is not said is not known."""
    (tmp_path / "bm25.csv").write_text(REPLAYED, "utf-8")
    results = read_results(str(tmp_path / "bm25.csv"))
    assert latencies(results, "latency") == {"q1": 30.5, "q2": 7.0}
    assert latencies(results, "took") == {"q1": 12.0, "q4": 3.0}
    assert results.columns["latency"] == "latency_ms"
    assert results.columns["took"] == "took_ms"


def test_a_failed_search_may_have_taken_for_ever() -> None:
    """The time of a failed search is not even checked."""
    rows: dict[str, list[Any]] = {"query": ["q", "r"], "doc": ["d", ""], "rank": [1, 1]}
    rows |= {"latency": [3.0, float("inf")], "status": ["ok", "timeout"]}
    assert latencies(read_results(rows), "latency") == {"q": 3.0}


def test_several_systems() -> None:
    """Every system of a table has its own time for a query; all of them as one ranking have none."""
    rows = {"system": ["a", "b"], "query": ["q", "q"], "doc": ["d", "d"], "rank": [1, 1], "latency": [3, 5]}
    results = read_results(rows)
    assert latencies(results, "latency", "a") == {"q": 3.0}
    assert latencies(results, "latency", "b") == {"q": 5.0}
    assert latencies(results, "latency") == {}


def test_several_searches_for_a_query() -> None:
    """The searches of a task add up, 3 + 4 = 7; where one of them has no time, that of the task is not known."""
    rows: dict[str, list[Any]] = {
        "query": ["t", "t", "t", "u", "u"],
        "step": [1, 1, 2, 1, 2],
        "doc": ["a", "b", "c", "a", "b"],
        "rank": [1, 2, 1, 1, 1],
        "latency": [3.0, 3.0, 4.0, 5.0, float("nan")],
    }
    assert latencies(read_results(rows), "latency") == {"t": 7.0}


def refused(text: str, tmp_path: Path) -> str:
    """Return why a file is refused."""
    path = tmp_path / "run.csv"
    path.write_text(text, "utf-8")
    with pytest.raises(DataError) as caught:
        ir.evaluate({"q": {"d": 1}}, str(path), ["RR"])
    return str(caught.value)


def test_two_columns_of_one_clock(tmp_path: Path) -> None:
    """Two columns that both say the wall time are refused with both names; one that may be anything is ignored."""
    said = refused("query,doc,rank,latency_ms,response_time\nq,d,1,30,31\n", tmp_path)
    assert "run.csv: latency_ms and response_time both say the wall time of a search." in said
    rows = {"query": ["q"], "doc": ["d"], "rank": [1], "elapsed": [7], "latency_ms": [8], "took_ms": [6]}
    assert latencies(read_results(rows), "latency") == {"q": 8.0}


def test_rows_that_disagree(tmp_path: Path) -> None:
    """Two times for one search are refused with both lines and both values."""
    said = refused("query,doc,rank,latency_ms\nq,d,1,30\nr,d,1,8\nq,x,2,31.5\n", tmp_path)
    assert "run.csv line 4: latency_ms 31.5, and line 2 says 30 for the same search." in said
    assert "step" in said


@pytest.mark.parametrize(
    ("value", "why"), [("-3", "took_ms -3 is below 0"), ("inf", "'inf' is not finite"), ("3 ms", "is not a number")]
)
def test_no_times(value: str, why: str, tmp_path: Path) -> None:
    """A time that is negative, infinite or no number is refused with its line."""
    said = refused(f"query,doc,rank,took_ms\nq,d,1,30\nr,d,1,{value}\n", tmp_path)
    assert "run.csv line 3: " in said
    assert why in said


@pytest.mark.parametrize(
    ("name", "values"),
    [("took", ["3:05", "4:10"]), ("elapsed", [185, 250]), ("duration", [-1, -1]), ("duration_ms", ["long", "short"])],
)
def test_columns_about_something_else(name: str, values: list[Any]) -> None:
    """A column that is about documents, such as the length of a film, stays unread, and the results are read."""
    rows = {"query": ["q", "q"], "doc": ["x", "d"], "rank": [1, 2], name: values}
    results = read_results(rows)
    assert latencies(results, "latency") == latencies(results, "took") == {}
    assert ir.evaluate({"q": {"d": 1}}, rows, ["RR"])["RR"] == 0.5


@pytest.mark.parametrize("name", ["took", "elapsed", "latency", "duration"])
def test_ids_called_like_times(name: str) -> None:
    """A query, or a document, that is called like a column of times is one."""
    assert ir.evaluate({name: {"d": 1}}, {name: {"x": 2.0, "d": 1.0}}, ["RR"])["RR"] == 0.5
    assert ir.evaluate({"q": {name: 1}}, {"q": {"x": 2.0, name: 1.0}}, ["RR"])["RR"] == 0.5


def answer(took: float, *ids: str) -> dict[str, Any]:
    """Return an answer of Elasticsearch."""
    return {"took": took, "hits": {"hits": [{"_id": each, "_score": 1.0} for each in ids]}}


SOLR = {"responseHeader": {"QTime": 5, "params": {"q": "shoe"}}, "response": {"docs": [{"id": "a"}, {"id": "b"}]}}
VESPA = {
    "timing": {"querytime": 0.001, "searchtime": 0.0125},
    "root": {"fields": {}, "children": [{"id": "id:s:p::a", "relevance": 1.0}]},
}
ANSWERS: dict[str, tuple[Any, dict[str, float]]] = {
    "_search": (answer(12, "a", "b"), {"answers": 12.0}),
    "_msearch": (
        {"took": 30, "responses": [answer(12, "a"), answer(7), {"error": {"reason": "no"}, "status": 500}]},
        {"1": 12.0, "2": 7.0},
    ),
    "_search by query": ({"q1": answer(3, "a"), "q2": answer(4), "q3": None}, {"q1": 3.0, "q2": 4.0}),
    "Solr": (SOLR, {"shoe": 5.0}),
    "Vespa": (VESPA, {"answers": 12.5}),
    "Vespa by query": ({"q1": VESPA, "q2": VESPA}, {"q1": 12.5, "q2": 12.5}),
}


@pytest.mark.parametrize("name", ANSWERS)
def test_answers_of_engines(name: str, tmp_path: Path) -> None:
    """Elasticsearch's took, Solr's QTime and Vespa's searchtime, which is in seconds, are the engine's own time."""
    document, times = ANSWERS[name]
    (tmp_path / "answers.json").write_text(json.dumps(document), "utf-8")
    results = read_results(str(tmp_path / "answers.json"))
    assert latencies(results, "took") == pytest.approx(times)
    assert latencies(results, "latency") == {}
