"""The sentences of the brief: what became of the queries, what nobody judged, and the reason of a verdict."""

from __future__ import annotations

from dataclasses import replace

import pytest

import idealrank as ir
from idealrank.comparison.verdict.reasons import Reason, takes_back
from tests.cli.terminal import SHOP


def test_a_reason_that_the_summary_refers_to_is_said() -> None:
    """Where the summary says that the reason matters, it follows."""
    from idealrank.cli.comparison_summary import verdict_sentences

    comparison = ir.compare(SHOP / "judgments.csv", [SHOP / "bm25.csv", SHOP / "hybrid.csv"], ["RR"])
    decides = Reason("interval", "decides", "SHIP", "RR improves", {"low": 0.1, "high": 0.2, "bar": 0.0})
    doubted = (decides, takes_back("shape", "but it may be no gain"))
    unsure, sure = (replace(comparison.verdict["hybrid"], reasons=reasons) for reasons in (doubted, doubted[:1]))
    assert verdict_sentences(unsure) == [*unsure.summary, "RR improves; but it may be no gain."]
    assert verdict_sentences(sure)[: len(sure.summary) + 1] == [*sure.summary, f"{sure.assumption}."]


WORLD = {"q1": {"a": 1}, "q2": {"a": 1}, "q3": {"a": 0}, "q4": {"a": 1}}


@pytest.mark.parametrize(
    ("runs", "answers", "said"),
    [
        (
            {"q1": {"a": 1.0}, "q2": {"x": 1.0}, "q4": {"a": 1.0}},
            {"no_relevant": "skip"},
            ["All 4 queries counted. No results: q3, scored 0.", "Unjudged in the top 5, counted as not relevant: "
             "33% of the results."],
        ),
        (
            {q: {"a": 1.0} for q in WORLD},
            {"no_relevant": "skip"},
            ["3 of 4 queries counted. No relevant document: q3, left out.", "Every result in the top 5 is judged."],
        ),
        (
            {"q1": {"a": 1.0}, "q3": {"a": 1.0}, "q4": {"a": 1.0}, "q9": {"a": 1.0}},
            {"no_results": "skip", "no_judgments": "0"},
            ["3 of 4 queries counted. No results: q2, left out. No relevant document: q3, scored 0. No judgments: q9, "
             "scored 0.", "Every result in the top 5 is judged."],
        ),
        (
            {q: {"a": 2.0, "x": 1.0} for q in WORLD},
            {"only": ["q1", "q2"], "unjudged": "filter"},
            ["2 of 4 queries counted. Left out on request: 2 queries.", "Unjudged in the top 5, removed from the "
             "lists: 50% of the results."],
        ),
    ],
)  # fmt: skip
def test_sentences_about_queries(
    runs: dict[str, dict[str, float]], answers: dict[str, object], said: list[str]
) -> None:
    """What became of each query under the first measure is said in whole sentences."""
    from idealrank.evaluation.summary import summary_sentences

    assert summary_sentences(ir.evaluate(WORLD, runs, ["nDCG@5", "RR"], **answers)) == said


def test_many_systems_and_thousands() -> None:
    """Of more than three systems the lowest and the highest share are named; thousands are set apart."""
    from idealrank.evaluation.summary import summary_sentences

    qrels = {f"q{i}": {"a": 1} for i in range(1200)}
    runs = {name: {q: {"a": 2.0, **({"x": 1.0} if s else {})} for q in qrels} for s, name in enumerate("abcd")}
    counted, unjudged = summary_sentences(ir.evaluate(qrels, runs, ["RR"]))
    assert counted == "All 1,200 queries counted."
    assert unjudged == "Unjudged in the lists, counted as not relevant: from 0% of a to 50% of b."
