"""The arithmetic behind a value, and the ideal list it is measured against, worked out by hand."""

from __future__ import annotations

import math
from itertools import pairwise
from typing import Any

import pytest

import idealrank as ir

LOG3 = 1 / math.log2(3)
"""The discount of rank 2; that of rank 1 is 1, of rank 3 a half."""

JUDGED = {"q": {"a": 3, "b": 2, "c": 1}}

SERVED = {"q1": {"a": "st", "b": "s", "c": "u"}, "q2": {"a": "v", "b": "vw", "d": "w"}}
"""The subtopics of each judged document."""


def scored(*docs: str) -> dict[str, float]:
    """Give documents scores that keep their order."""
    return {doc: -float(place) for place, doc in enumerate(docs)}


def explained(scores: ir.Scores, depth: int = 10) -> tuple[dict[str, Any], list[str]]:
    """Return the arithmetic of the first measure, and the documents its numbers stand for."""
    report = ir.report(scores, depth=depth)
    return report.explanations[scores.labels[0]], report.documents["id"]


def named(ideal: dict[str, Any], ids: list[str]) -> list[list[str]]:
    """Return the documents of the ideal list of each query."""
    return [[ids[doc] for doc in ideal["document"][i:j]] for i, j in pairwise(ideal["start"])]


def test_what_the_ideal_list_adds_below_the_depth() -> None:
    """The ideal of nDCG@3 is 3 + 2 / log2(3) + 1 / 2; where two ranks are shown the half is the rest."""
    found, ids = explained(ir.evaluate(JUDGED, {"q": scored("b", "x", "a")}, ["nDCG@3"]), depth=2)
    ideal = found["ideal"][""]
    assert named(ideal, ids) == [["a", "b"]]
    assert ideal["contribution"] == pytest.approx([3, 2 * LOG3])
    assert ideal["rest"] == pytest.approx([0.5])
    assert found["systems"]["results"]["rest"] == pytest.approx([1.5])


def test_each_system_is_measured_against_its_own_list() -> None:
    """Under ideal=local the ideal of a system is what it returned, the best first."""
    runs = {"x": {"q": scored("c", "b")}, "y": {"q": scored("c", "a")}}
    found, ids = explained(ir.evaluate(JUDGED, runs, ["nDCG@2"], ideal="local"))
    assert {system: named(each, ids) for system, each in found["ideal"].items()} == {
        "x": [["b", "c"]],
        "y": [["a", "c"]],
    }
    assert found["ideal"]["y"]["contribution"] == pytest.approx([3, LOG3])


def test_an_ideal_as_deep_as_the_list_is_each_system_s_own() -> None:
    """Elasticsearch cuts the ideal at the number of hits: of two judged documents for one system, of one for another.

    A grade is worth 2^grade - 1.
    """
    runs = {"x": {"q": scored("b", "c")}, "y": {"q": scored("c")}}
    found, ids = explained(ir.evaluate(JUDGED, runs, ["nDCG@2"], convention="elasticsearch"))
    assert {system: named(each, ids) for system, each in found["ideal"].items()} == {"x": [["a", "b"]], "y": [["a"]]}
    assert found["ideal"]["x"]["contribution"] == pytest.approx([7, 3 * LOG3])
    assert found["systems"]["x"]["normaliser"] == pytest.approx([7 + 3 * LOG3])
    assert found["systems"]["y"]["normaliser"] == [7]


def test_one_ideal_for_all_where_it_follows_from_the_judgments() -> None:
    """The default takes the ideal from the judgments alone: there is one, under an empty name."""
    runs = {"x": {"q": scored("b", "c")}, "y": {"q": scored("c")}}
    found, ids = explained(ir.evaluate(JUDGED, runs, ["nDCG@2"]))
    assert {system: named(each, ids) for system, each in found["ideal"].items()} == {"": [["a", "b"]]}


def test_equal_documents_stand_as_the_judgments_name_them() -> None:
    """Of equal grades the one that was judged first comes first, in the ideal and among the documents judged best."""
    judged = {"q": {"z": 1, "k": 2, "a": 1, "m": 1}}
    scores = ir.evaluate(judged, {"q": scored("a", "m", "z", "x")}, ["nDCG@4"])
    found, ids = explained(scores)
    assert named(found["ideal"][""], ids) == [["k", "z", "a", "m"]]
    best = ir.report(scores).lists["best"]
    assert named(best, ir.report(scores).documents["id"]) == [["k", "z", "a", "m"]]


def by_subtopic() -> dict[str, list[Any]]:
    """Return the judgments as columns."""
    rows = [(query, topic, doc) for query, docs in SERVED.items() for doc, topics in docs.items() for topic in topics]
    return dict(zip(("query", "subtopic", "doc"), map(list, zip(*rows, strict=True)), strict=True)) | {
        "grade": [1] * len(rows)
    }


@pytest.mark.parametrize("measure", ["alpha_nDCG@3", "nERR_IA@3"])
def test_ideals_by_subtopic(measure: str) -> None:
    """The ideal takes what adds most: two subtopics first, then the new one; each query's adds up to its normaliser.

    After the document of two subtopics one of another subtopic adds 1, one of the same half of that (alpha_nDCG). Of
    equals the one judged first comes first.
    """
    runs = {"q1": scored("c", "b"), "q2": scored("d", "a", "b")}
    found, ids = explained(ir.evaluate(by_subtopic(), runs, [measure]))
    ideal = found["ideal"][""]
    assert named(ideal, ids) == [["a", "c", "b"], ["b", "a", "d"]]
    for q, (i, j) in enumerate(pairwise(ideal["start"])):
        shares = ideal["contribution"][i:j]
        assert math.fsum(shares) + ideal["rest"][q] == pytest.approx(found["systems"]["results"]["normaliser"][q])
        assert ideal["discount"][i:j] == sorted(ideal["discount"][i:j], reverse=True)
    if measure.startswith("alpha"):
        assert ideal["contribution"][:3] == pytest.approx([2, LOG3, 0.5 * 0.5])
        assert ideal["contribution"][3:] == pytest.approx([2, 0.5 * LOG3, 0.5 * 0.5])


def test_an_ideal_by_subtopic_that_is_cut() -> None:
    """With one rank shown the first document of each query stands there, and the two below are the rest."""
    runs = {"q1": scored("c", "b"), "q2": scored("d", "a", "b")}
    found, ids = explained(ir.evaluate(by_subtopic(), runs, ["alpha_nDCG@3"]), depth=1)
    assert named(found["ideal"][""], ids) == [["a"], ["b"]]
    assert found["ideal"][""]["rest"] == pytest.approx([LOG3 + 0.25, 0.5 * LOG3 + 0.25])


def test_terms_that_are_rounded_are_shown_rounded() -> None:
    """With two digits a grade of 2 at rank 2 adds 1.26, and so it does in the ideal; the sums are of these."""
    scores = ir.evaluate(JUDGED, {"q": scored("x", "b", "a")}, ["nDCG@3"], rounding="term,round,2")
    found, _ = explained(scores)
    mine = found["systems"]["results"]
    assert mine["contribution"] == [0, 1.26, 1.5]
    assert mine["total"] == pytest.approx([2.76], abs=1e-15)
    assert found["ideal"][""]["contribution"] == [3, 1.26, 0.5]
    assert mine["normaliser"] == pytest.approx([4.76], abs=1e-15)
    assert scores.of("nDCG@3")[0] == pytest.approx(2.76 / 4.76)


def test_columns_stand_beside_their_results() -> None:
    """Gain and discount of a result are those of its own grade and rank, query by query; 0 and 1 / log2(rank + 1)."""
    judged = {"q1": {"a": 3, "b": 2}, "q2": {"a": 1, "c": 2}}
    runs = {"q1": scored("b", "x", "a"), "q2": scored("c", "a", "y")}
    report = ir.report(ir.evaluate(judged, runs, ["nDCG@3"]))
    found, lists = report.explanations["nDCG@3"]["systems"]["results"], report.lists["systems"]["results"]
    assert found["columns"]["gain"] == [2, 0, 3, 2, 1, 0]
    assert found["columns"]["discount"] == pytest.approx([1, LOG3, 0.5, 1, LOG3, 0.5])
    assert lists["rank"] == [1, 2, 3, 1, 2, 3]
    assert found["contribution"] == pytest.approx([2, 0, 1.5, 2, LOG3, 0])
    assert found["total"] == pytest.approx([3.5, 2 + LOG3])
