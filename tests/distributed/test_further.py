"""What goes on from scores that were computed in parts: tables, segments, comparisons, gates; and what cannot."""

from __future__ import annotations

import csv
import itertools
import random
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import idealrank as ir
from idealrank.distributed.files import Files, evaluate_files
from idealrank.errors import DataError, UsageError
from tests.distributed.same import assert_same
from tests.properties.ranked import at_random
from tests.properties.tables import Columns, scattered, table

MEASURES = ["nDCG@3", "AP", "RR"]

Both = Callable[..., tuple[ir.Scores, ir.Scores]]


def _two_systems() -> tuple[Columns, Columns]:
    """Return judgments, and the results of two systems."""
    tables = table(at_random(60, 8, seed=3, shortest=1), scattered, score=lambda row: -float(row.span))
    rng = random.Random(1)
    scores = tables.results["score"]
    other = [score + 4 * rng.random() for score in scores]
    results = {name: values * 2 for name, values in tables.results.items()}
    return tables.judgments, results | {"score": scores + other, "system": ["a"] * len(scores) + ["b"] * len(scores)}


@pytest.fixture
def both(tmp_path: Path) -> Both:
    """Return what evaluates tables in seven buckets of their files, and at once."""
    numbers = itertools.count()

    def evaluated(judgments: Columns, results: Columns, **given: Any) -> tuple[ir.Scores, ir.Scores]:
        folder = tmp_path / str(next(numbers))
        folder.mkdir()
        files = [folder / "judgments.csv", folder / "results.csv"]
        for file, columns in zip(files, (judgments, results), strict=True):
            with file.open("w", newline="") as text:
                csv.writer(text).writerows([columns, *zip(*columns.values(), strict=True)])
        parts = evaluate_files(Files(str(files[0]), [str(files[1])]), MEASURES, buckets=7, **given)
        return parts, ir.evaluate(*files, MEASURES, **given)

    return evaluated


@pytest.mark.parametrize("only", ["103..120", ["101", "115", "nowhere"]], ids=str)
def test_some_queries(both: Both, only: Any) -> None:
    """Only the queries asked for count, and one that is nowhere is named."""
    assert_same(*both(*_two_systems(), only=only))


def test_excluded_results(both: Both) -> None:
    """Results on a list to exclude are left out, and counted."""
    judgments, results = _two_systems()
    query, doc = (results[name][0] for name in ("query_id", "doc_id"))
    assert_same(*both(judgments, results, exclude={query: {doc: 1}}))


def test_weights_and_attributes(both: Both) -> None:
    """Weights and attributes of queries are those of all queries; those without a row are named."""
    judgments, results = _two_systems()
    queries = {"query_id": [str(100 + n) for n in range(60)], "frequency": [n % 7 for n in range(60)]}
    queries["segment"] = [["head", "tail"][n % 2] for n in range(60)]
    ours, theirs = both(judgments, results, queries=queries, weights="frequency")
    assert_same(ours, theirs)
    assert repr(ours.describe("segment")) == repr(theirs.describe("segment"))


def test_ids_that_differ_in_spelling(both: Both) -> None:
    """Ids that differ only in letter case are told, as when all rows are together."""
    judged = {"query_id": ["q1", "q2", "q3"], "doc_id": ["a", "B", "C"], "grade": [1, 1, 1]}
    assert_same(*both(judged, {"query_id": ["q1", "q2", "Q3"], "doc_id": ["a", "b", "C"], "rank": [1, 1, 1]}))


def test_rank_against_score_is_refused(both: Both) -> None:
    """A table in which scores run against ranks in most queries is refused, counting all parts."""
    judged = {"query_id": ["1", "2"], "doc_id": ["a", "b"], "grade": [1, 1]}
    results = {"query_id": ["1", "1", "2", "2"], "doc_id": ["a", "b"] * 2, "rank": [1, 2, 1, 2]}
    with pytest.raises(DataError, match="opposite directions in 2 of 2"):
        both(judged, results | {"score": [1.0, 2.0, 1.0, 2.0]})


def test_tie_ranges(both: Both) -> None:
    """The ranges over the orders of tied results are those of the whole, computed in one more pass over the parts."""
    judgments, results = _two_systems()
    ours, theirs = both(judgments, results | {"score": [round(score / 4) for score in results["score"]]})
    assert repr(ours.tie_ranges) == repr(theirs.tie_ranges)
    assert repr(ours.tie_range("AP", "b")) == repr(theirs.tie_range("AP", "b"))
    assert ours.tie_ranges["lowest"][0] < ours.tie_ranges["highest"][0]


@pytest.mark.parametrize("only", [None, "101..140"])
def test_baselines(both: Both, only: Any, tmp_path: Path) -> None:
    """A baseline has the hashes of all lists and judgments, and the sketch of the documents, to the last byte."""
    judgments, results = _two_systems()
    ours, theirs = both(judgments, results, system="b", only=only)
    files = [tmp_path / "ours.json", tmp_path / "theirs.json"]
    for scores, file in zip((ours, theirs), files, strict=True):
        ir.bless(scores, file)
    assert files[0].read_bytes() == files[1].read_bytes()


def test_gates_with_a_baseline(both: Both, tmp_path: Path) -> None:
    """Scores in parts are checked against a baseline's file like the tables: the same findings, the same refusals."""
    judgments, results = _two_systems()
    ours, theirs = both(judgments, results, system="b")
    file = tmp_path / "base.json"
    ir.bless(both(judgments, results, system="a")[1], file)
    found, whole = (ir.gate(scores, file, tolerance=0.5) for scores in (ours, theirs))
    half = len(results["system"]) // 2
    table = {name: values[half:] for name, values in results.items() if name != "system"}
    direct = ir.gate(judgments, file, table, tolerance=0.5, systems="separate")
    assert [each.sentence for each in found.findings] == [each.sentence for each in direct.findings]
    assert found.to_json() == whole.to_json()
    other = judgments | {"grade": [3 if grade == 0 else grade for grade in judgments["grade"]]}
    with pytest.raises(DataError, match=r"judgments of .* changed"):
        ir.gate(both(other, results, system="b")[0], file)


def test_gates(both: Both) -> None:
    """A gate on scores in parts passes and fails as one on scores at once, or on the tables."""
    judgments, results = _two_systems()
    ours, theirs = both(judgments, results)
    found, whole = (ir.gate(scores, fail_if="AP drops 0.01", minimum="RR>=0.5") for scores in (ours, theirs))
    assert [one.sentence for one in found.findings] == [one.sentence for one in whole.findings]
    for level, outcome in ((0.1, "passed"), (0.99, "failed")):
        assert ir.gate(both(judgments, results, system="b")[0], minimum=f"AP>={level}").outcome == outcome


@pytest.mark.parametrize("ties", ["average", "docid_desc"])
def test_steps_of_all_queries(both: Both, ties: str) -> None:
    """The steps of all queries are gathered from the parts, with the tie columns that only some of these need."""
    judgments, results = _two_systems()
    pairs = zip(results["query_id"], results["score"], strict=True)
    only_one = [0.0 if query == "101" else score for query, score in pairs]
    ours, theirs = both(judgments, results | {"score": only_one}, ties=ties)
    for measure in MEASURES:
        tables = [scores.steps(measure, system="a") for scores in (ours, theirs)]
        assert tables[0].to_csv() == tables[1].to_csv()
        assert ("tie_first" in tables[0].columns) == (ties == "average")
        assert ours.steps(measure, "117", "a")["running"] == [
            row["running"] for row in tables[1] if row["query"] == "117"
        ]


@pytest.mark.parametrize("decisions", [{}, {"unjudged": 1.0}, {"weights": "n"}], ids=str)
def test_segments_of_documents(both: Both, decisions: dict[str, Any]) -> None:
    """Segments of documents are summed over the parts."""
    judgments, results = _two_systems()
    names = sorted({*judgments["doc_id"], *results["doc_id"]})
    types = {name: ["page", "pdf", "note", None][place % 4] for place, name in enumerate(names)}
    if "weights" in decisions:
        decisions = decisions | {
            "queries": {"query_id": [str(100 + n) for n in range(60)], "n": [n % 5 + 1 for n in range(60)]}
        }
    ours, theirs = both(judgments, results, **decisions)
    assert ours.by_document("type", types).to_dict() == theirs.by_document("type", types).to_dict()
    messages = []
    for scores in (ours, theirs):
        with pytest.raises(DataError) as refused:
            scores.by_document("type", {"elsewhere": "page"})
        messages.append(str(refused.value))
    assert messages[0] == messages[1]


def test_scores_side_by_side_are_refused(both: Both) -> None:
    """Each of two evaluations divided its queries by itself: their systems are evaluated together."""
    scores, _ = both(*_two_systems(), system="a")
    with pytest.raises(UsageError, match="computed in parts"):
        ir.compare({"a": scores, "b": scores})


def test_latency(both: Both) -> None:
    """Quantiles of latencies are over all queries."""
    judged = {"query_id": ["1", "2", "3"], "doc_id": ["a"] * 3, "grade": [1] * 3}
    results = {"query_id": ["1", "2", "3"], "doc_id": ["a"] * 3, "rank": [1] * 3, "latency_ms": [3.0, 9.0, 27.0]}
    ours, theirs = both(judged, results)
    assert_same(ours, theirs)
    assert list(ours.latency) == list(theirs.latency)
