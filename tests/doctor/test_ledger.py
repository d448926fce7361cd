"""What the ledger of an evaluation says, the doctor says once, with the same counts."""

from __future__ import annotations

import pytest

import idealrank as ir

NO_RELEVANT = "queries without relevant documents"
QRELS = {"q1": {"a": 1, "b": 0, "c": 1}, "q2": {"d": 1, "e": 0}}
TABLE = {"query": ["q1", "q1", "q2", "q2"], "doc": ["a", "b", "c", "d"], "rank": [1, 2, 1, 2], "grade": [1, 0, 0, 1]}


@pytest.mark.parametrize(
    ("judgments", "results", "phrase", "name"),
    [
        (QRELS, [{"q1": {"A": 2.0, "c": 1.0}, "q2": {"x": 1.0}}], "except for letter case", "ids spelled differently"),
        ({"q1": {"a": 0.5, "b": 1}}, [{"q1": {"a": 2.0, "x": 1.0}}], "no grade is above 1", "grades from 0 to 1"),
        (TABLE, [], "every judged document was returned", "only the judged documents"),
    ],
)
def test_a_warning_becomes_a_finding(judgments: object, results: list[object], phrase: str, name: str) -> None:
    """A warning that has a finding of its own is not repeated."""
    (warning,) = ir.evaluate(judgments, *results, measures=["nDCG@10", "P@1"]).ledger.warnings
    assert phrase in warning
    assert [each.name for each in ir.doctor(judgments, *results, measures=["nDCG@10", "P@1"]).findings] == [name]


def test_other_warnings_are_passed_on() -> None:
    """A warning without a finding of its own is one, in its own words."""
    results = [{"query_id": "q1", "doc_id": "a", "score": 1.0, "error": ""}]
    results += [{"query_id": "q2", "doc_id": "", "score": 0.5, "error": "timeout"}]
    (warning,) = ir.evaluate(QRELS, results, ["RR"]).ledger.warnings
    (found,) = ir.doctor(QRELS, results, measures=["RR"]).findings
    assert (found.name, found.count, found.examples) == ("warning of the ledger", 1, ("q2",))
    assert found.text.endswith(warning)


def test_a_mean_that_vanishes() -> None:
    """Where no query has a relevant document, none is left to skip: there is no mean after, in JSON neither."""
    results = {"q1": {"a": 2.0, "x": 1.0}, "q2": {"x": 1.0}}
    diagnosis = ir.doctor({"q1": {"a": 0, "b": 0}, "q2": {"d": 0}}, results, measures=["AP"])
    (found,) = diagnosis.findings
    assert (found.name, found.call, diagnosis.moves) == (NO_RELEVANT, "no_relevant='skip'", True)
    assert found.to_dict()["shifts"] == [{"measure": "AP", "system": "results", "before": 0.0, "after": None}]


def test_ties_are_those_of_the_ledger() -> None:
    """The count of tied results and the range are those that evaluate prints."""
    results = {"q1": {"a": 1.0, "x": 1.0, "b": 1.0, "y": 0.5}, "q2": {"d": 2.0, "z": 1.0}}
    scores = ir.evaluate(QRELS, results, ["RR"])
    (found,) = ir.doctor(QRELS, results, measures=["RR"]).findings
    assert found.count == scores.ledger.systems[0].counts["tied results"] == 3
    # a is first, second or third of three: RR of q1 is 1 at best and 1/3 at worst, q2 has 1
    assert found.text.endswith("their order makes RR anything from 0.6667 to 1.0000")
