"""The parts of a report against the files they come from, read by other means."""

from __future__ import annotations

import csv
import hashlib
import json
import math
import statistics
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import idealrank as ir
from idealrank.reports.types import PARTS
from tests.comparison.worlds import random_world

SHOP = Path("examples/shop")
MEASURES = ["nDCG@10", "P@5", "RR", "AP"]


@pytest.fixture(scope="module")
def comparison() -> ir.Comparison:
    """The two systems of the shop."""
    files = [SHOP / "bm25.csv", SHOP / "hybrid.csv"]
    return ir.compare(SHOP / "judgments.csv", files, MEASURES, queries=SHOP / "queries.csv")


@pytest.fixture(scope="module")
def parts(comparison: ir.Comparison) -> dict[str, Any]:
    """What the report on them holds, as somebody reads it back."""
    found: dict[str, Any] = json.loads(ir.report(comparison, title="Shop").to_json())
    return found


def listed(system: str) -> dict[str, list[str]]:
    """Read the documents of each query of the shop, by rank."""
    with open(SHOP / f"{system}.csv", encoding="utf-8") as file:
        rows = [row for row in csv.DictReader(file) if row["product_id"]]
    found: dict[str, list[str]] = {}
    for row in sorted(rows, key=lambda row: int(row["rank"])):
        found.setdefault(row["query_id"], []).append(row["product_id"])
    return found


def graded() -> dict[tuple[str, str], float]:
    """Read the median grade of each judged document of the shop."""
    with open(SHOP / "judgments.csv", encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    given = {
        (r["query_id"], r["product_id"]): [float(r[f"rater_{i}"]) for i in (1, 2, 3) if r[f"rater_{i}"]] for r in rows
    }
    return {key: statistics.median(grades) for key, grades in given.items() if grades}


def spans(part: dict[str, Any]) -> Iterator[range]:
    """Yield the places of each query."""
    yield from (range(i, j) for i, j in zip(part["start"], part["start"][1:], strict=False))


def test_every_part_is_there(parts: dict[str, Any]) -> None:
    """The value has the parts that are listed, and is JSON without NaN."""
    assert tuple(parts) == PARTS
    assert parts["title"] == "Shop"


def test_the_documented_parts_are_all(parts: dict[str, Any]) -> None:
    """The page of documentation describes every part, and no other."""
    lines = Path("docs/report.md").read_text("utf-8").splitlines()
    assert [line.split("`")[1] for line in lines if line.startswith("| `")] == list(parts)


@pytest.mark.parametrize("system", ["bm25", "hybrid"])
def test_lists_are_those_of_the_file(parts: dict[str, Any], system: str) -> None:
    """Each list holds the first ten rows of the query in the file, with the median of the ratings, if there are any."""
    ids, found, known = parts["documents"]["id"], parts["lists"]["systems"][system], graded()
    for query, places in zip(parts["queries"]["id"], spans(found), strict=True):
        expected = listed(system).get(query, [])
        assert [ids[found["document"][i]] for i in places] == expected[:10]
        assert [found["grade"][i] for i in places] == [known.get((query, doc)) for doc in expected[:10]]
        assert found["returned"][parts["queries"]["id"].index(query)] == len(expected)


def test_holes_are_results_without_a_rating(parts: dict[str, Any]) -> None:
    """The number of holes is that of the first ten results that no rater rated."""
    known = graded()
    for system, counts in parts["holes"]["counts"].items():
        docs = [listed(system).get(query, [])[:10] for query in parts["queries"]["id"]]
        assert counts == [
            sum((q, d) not in known for d in each) for q, each in zip(parts["queries"]["id"], docs, strict=True)
        ]


def test_best_are_the_highest_grades(parts: dict[str, Any]) -> None:
    """The documents judged best are the ten highest grades of the query."""
    found, known = parts["lists"]["best"], graded()
    for query, places in zip(parts["queries"]["id"], spans(found), strict=True):
        grades = sorted((grade for (q, _), grade in known.items() if q == query), reverse=True)
        assert [found["grade"][i] for i in places] == grades[:10]


@pytest.mark.parametrize("measure", MEASURES)
@pytest.mark.parametrize("system", ["bm25", "hybrid"])
def test_shares_sum_to_the_value(parts: dict[str, Any], measure: str, system: str) -> None:
    """What the shown results add, with what those below add, over the normaliser, is the value within 1e-12."""
    found, lists = parts["explanations"][measure]["systems"][system], parts["lists"]["systems"][system]
    for q, places in enumerate(spans(lists)):
        shown = math.fsum(found["contribution"][i] for i in places if found["contribution"][i] is not None)
        assert shown + found["rest"][q] == pytest.approx(found["total"][q], abs=1e-12)
        if found["normaliser"][q]:
            value = parts["values"][measure][system][q]
            assert found["total"][q] / found["normaliser"][q] == pytest.approx(value, abs=1e-12)


def test_ndcg_by_hand(parts: dict[str, Any]) -> None:
    """Each share of nDCG@10 is grade / log2(rank + 1); the normaliser is that of the ten highest grades."""
    found, known = parts["explanations"]["nDCG@10"], graded()
    for query, places in zip(parts["queries"]["id"], spans(parts["lists"]["systems"]["bm25"]), strict=True):
        docs = listed("bm25").get(query, [])[:10]
        gains = [known.get((query, doc), 0.0) / math.log2(rank + 1) for rank, doc in enumerate(docs, 1)]
        assert [found["systems"]["bm25"]["contribution"][i] for i in places] == pytest.approx(gains, abs=1e-12)
        best = sorted((g for (q, _), g in known.items() if q == query), reverse=True)[:10]
        ideal = math.fsum(grade / math.log2(rank + 1) for rank, grade in enumerate(best, 1))
        place = parts["queries"]["id"].index(query)
        assert found["systems"]["bm25"]["normaliser"][place] == pytest.approx(ideal, abs=1e-12)


def test_the_ideal_list_is_that_of_explain(parts: dict[str, Any], comparison: ir.Comparison) -> None:
    """The ideal list of a query is the one `explain` shows: documents, gains, discounts."""
    found, ids = parts["explanations"]["nDCG@10"]["ideal"][""], parts["documents"]["id"]
    for query, places in zip(parts["queries"]["id"], spans(found), strict=True):
        ideal = comparison.scores.explain("nDCG@10", query, "hybrid").ideal
        assert [ids[found["document"][i]] for i in places] == ideal["doc"]
        for name in ("grade", "gain", "discount", "contribution"):
            assert [found[name][i] for i in places] == ideal[name]


def test_what_lies_below_the_depth_is_told() -> None:
    """Of three relevant results two are shown: the third's share of R@3 is the rest."""
    scores = ir.evaluate({"q": {"a": 1, "b": 1, "c": 1}}, {"q": {"a": 3.0, "b": 2.0, "c": 1.0}}, ["R@3"])
    found = ir.report(scores, depth=2).explanations["R@3"]["systems"]["results"]
    assert (found["contribution"], found["rest"], found["total"]) == ([1, 1], [1], [3])


def test_shares_under_a_filter() -> None:
    """With unjudged results removed a result counts at its new rank; the removed one has no share."""
    scores = ir.evaluate({"q": {"a": 1}}, {"q": {"x": 2.0, "a": 1.0}}, ["RR(unjudged=filter)"])
    found = ir.report(scores).explanations["RR(unjudged=filter)"]["systems"]["results"]
    assert found["contribution"] == [None, 1]


def test_values_are_the_evaluations(parts: dict[str, Any], comparison: ir.Comparison) -> None:
    """The values are those of `evaluate`, in full precision; the means are their means."""
    scores = ir.evaluate(SHOP / "judgments.csv", [SHOP / "bm25.csv", SHOP / "hybrid.csv"], MEASURES)
    for row in parts["means"]:
        values = parts["values"][row["measure"]][row["system"]]
        assert values == scores.of(row["measure"], row["system"]).tolist()
        assert row["mean"] == pytest.approx(statistics.fmean(values), abs=1e-12)


def test_means_by_segment(parts: dict[str, Any]) -> None:
    """The mean of a segment is that of its queries' values; its queries are those the table names."""
    with open(SHOP / "queries.csv", encoding="utf-8") as file:
        table = {row["query_id"]: row["segment"] for row in csv.DictReader(file)}
    labels = parts["segments"]["labels"]["segment"]
    assert labels == [table[query] for query in parts["queries"]["id"]]
    for row in parts["segments"]["means"]:
        if row["attribute"] == "segment":
            values = parts["values"][row["measure"]][row["system"]]
            chosen = [value for value, label in zip(values, labels, strict=True) if label == row["segment"]]
            assert (row["queries"], row["mean"]) == (len(chosen), pytest.approx(statistics.fmean(chosen), abs=1e-12))


def test_overlap_is_of_the_lists_shown(parts: dict[str, Any]) -> None:
    """Jaccard is of the first ten documents of both; 1 where neither returned any."""
    (found,) = parts["overlap"]
    for query, jaccard in zip(parts["queries"]["id"], found["jaccard"], strict=True):
        a, b = (set(listed(system).get(query, [])[:10]) for system in ("bm25", "hybrid"))
        assert jaccard == pytest.approx(len(a & b) / len(a | b) if a | b else 1.0, abs=1e-12)
    assert found["summary"]["jaccard"] == pytest.approx(statistics.fmean(found["jaccard"]), abs=1e-12)


def test_files_have_the_hash_of_their_bytes(parts: dict[str, Any]) -> None:
    """Each file that was read is named with the SHA-256 of its bytes."""
    found = {entry["name"]: entry["sha256"] for entry in parts["inputs"]}
    assert set(found) == {str(SHOP / name) for name in ("judgments.csv", "bm25.csv", "hybrid.csv", "queries.csv")}
    for name, digest in found.items():
        assert digest == hashlib.sha256(Path(name).read_bytes()).hexdigest()


def test_tables_in_memory_have_a_hash() -> None:
    """Equal tables have equal fingerprints, and one other grade makes another."""

    def prints(grade: int) -> list[str]:
        scores = ir.evaluate({"q": {"a": grade}}, {"q": {"a": 1.0}}, ["RR"])
        return [entry["sha256"] for entry in ir.report(scores).inputs]

    assert prints(1) == prints(1)
    assert prints(1)[0] != prints(2)[0]
    assert prints(1)[1] == prints(2)[1]


def test_rows_in_another_order_make_the_same_report() -> None:
    """The report depends on the content, not on the order of rows or queries: only the tables' hashes differ."""
    judged, runs = random_world(5, queries=12)
    turned = {name: dict(reversed(run.items())) for name, run in runs.items()}
    first, second = (ir.report(ir.compare(dict(j), r, ["nDCG@5", "RR"])).to_dict()
                     for j, r in ((judged, runs), (dict(reversed(judged.items())), turned)))  # fmt: skip
    assert {name: part for name, part in first.items() if name != "inputs"} == {
        name: part for name, part in second.items() if name != "inputs"
    }


@pytest.mark.parametrize("systems", [1, 2, 20])
def test_any_number_of_systems(systems: int) -> None:
    """One system has no pairs; of twenty every pair is compared, with a baseline nineteen."""
    judged, runs = random_world(7, queries=9, systems=systems, holes=0.3)
    scores = ir.evaluate(judged, runs, ["nDCG@5"])
    assert ir.report(scores).to_dict()["compared"] is None
    if systems > 1:
        found = ir.report(ir.compare(scores, baseline="s0")).to_dict()
        assert len(found["pairs"]) == len(found["overlap"]) == len(found["compared"]["verdicts"]) == systems - 1


def test_ties_put_in_order_by_grade() -> None:
    """Under ties=best the lists stand as the measure reads them: the better of equal scores first, -1 unjudged."""
    judged, run = {"q": {"a": 0, "b": 2, "c": -1}}, {"q": {"a": 1.0, "b": 1.0, "c": 0.5, "x": 0.1}}
    report = ir.report(ir.evaluate(judged, run, ["nDCG@3"], ties="best"))
    lists, ids = report.lists["systems"]["results"], report.documents["id"]
    assert [(ids[d], g) for d, g in zip(lists["document"], lists["grade"], strict=True)] == [
        ("b", 2), ("a", 0), ("c", None), ("x", None),
    ]  # fmt: skip
    assert report.explanations["nDCG@3"]["systems"]["results"]["contribution"][0] == 2


def test_any_name_of_a_system() -> None:
    """Systems may be called like the columns of a table."""
    judged, runs = random_world(2, queries=3, systems=2)
    scores = ir.evaluate(judged, {"k": runs["s0"], "low": runs["s1"]}, ["nDCG@5"])
    found = ir.report(scores).to_dict()
    assert set(found["curves"]["nDCG@5"]["systems"]) == set(found["distributions"]["nDCG@5"]["counts"]) == {"k", "low"}
    assert found["curves"]["nDCG@5"]["systems"]["k"][4] == pytest.approx(scores["nDCG@5", "k"], abs=1e-12)


def test_a_file_that_changes_is_not_hashed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The fingerprint is of what was evaluated: not of the file as it is later, nor of another file of that name."""
    judgments, results = tmp_path / "j.csv", tmp_path / "judgments"
    judgments.write_text("query_id,doc_id,grade\nq,a,1\n")
    results.write_text("query_id,doc_id,rank\nq,x,1\nq,a,2\n")
    before = hashlib.sha256(results.read_bytes()).hexdigest()
    monkeypatch.chdir(tmp_path)
    scores = ir.evaluate("j.csv", "judgments", ["RR"])
    monkeypatch.chdir("/")
    assert ir.report(scores).inputs[1]["sha256"] == before
    results.write_text("query_id,doc_id,rank\nq,a,1\nq,x,2\n")
    assert ir.report(scores).inputs[1]["sha256"] not in (before, hashlib.sha256(results.read_bytes()).hexdigest())
    monkeypatch.chdir(tmp_path)
    memory = ir.report(ir.evaluate({"q": {"a": 1}}, {"q": {"a": 1.0}}, ["RR"]))
    assert memory.inputs[0]["name"] == "judgments"
    assert memory.inputs[0]["sha256"] != hashlib.sha256(results.read_bytes()).hexdigest()
