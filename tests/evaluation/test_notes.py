"""The notes of an explanation: what the decisions did here, in plain words."""

from __future__ import annotations

from typing import Any

import pytest

import idealrank as ir


def notes(grades: list[float | None], measure: str = "nDCG@3", **options: Any) -> tuple[str, ...]:
    """Return the notes on one query of these grades in rank order."""
    judgments, results = ir.from_grades(grades, **{k: options.pop(k) for k in ("also_judged",) if k in options})
    return ir.explain(judgments, results, measure, **options).notes


@pytest.mark.parametrize(
    ("ideal", "said"),
    [
        ("global", "all judged documents, best first: it also asks whether the known good documents were found"),
        ("returned", "the returned documents in their best order: documents that were missed cost nothing"),
        ("local", "the top k in its best order: only the order inside the top k counts"),
        ("max", "the scale's top grade at every rank: it also asks whether the collection has enough good documents"),
    ],
)
def test_what_the_ideal_was(ideal: str, said: str) -> None:
    """The ideal is named in words, with its depth and its worth (B061, B064)."""
    found = notes([0, 1, 2], also_judged=[2], ideal=ideal)
    depth, worth = {"global": (3, 3.7619), "returned": (3, 2.6309), "local": (3, 2.6309), "max": (3, 4.2619)}[ideal]
    assert found[0] == f"The ideal is {said}. It is {depth} deep and worth {worth:.4f}."


def test_what_filtering_removed() -> None:
    """What filtering removed is counted; nothing is said where it removed nothing."""
    assert notes([1, None, None, 2], unjudged="filter")[1] == (
        "2 of 4 results were unjudged and removed; the ranks closed up (unjudged=filter)."
    )
    assert not any("removed" in note for note in notes([1, 2], unjudged="filter"))


def test_what_unjudged_results_count() -> None:
    """Unjudged results are counted with the grade they count as."""
    assert notes([1, None, 2])[1] == "1 of 3 results is unjudged; it counts as grade 0 and keeps its rank."
    assert (
        notes([1, None, None, 2], "nDCG")[1]
        == "2 of 4 results are unjudged; they count as grade 0 and keep their ranks."
    )
    assert notes([1, None, 2], unjudged=0.5)[1] == (
        "1 of 3 results is unjudged; it counts as grade 0.5 and keeps its rank."
    )


def test_what_is_below_the_cutoff_counts_nothing() -> None:
    """Under a cutoff the unjudged results of the top are counted, of as many as count."""
    said = "1 of the first 2 results is unjudged; it counts as grade 0 and keeps its rank."
    assert said in notes([1, None, None, 2], "nDCG@2")
    assert not any("unjudged" in note for note in notes([1, 2, None], "nDCG@2"))


@pytest.mark.parametrize(
    ("measure", "one", "two"),
    [
        ("Bpref", "is unjudged; it does not count.", "are unjudged; they do not count."),
        ("Judged@5", "is unjudged; it counts as a result without a judgment.",
         "are unjudged; they count as results without a judgment."),
        ("NumRet", "is unjudged; it counts like any other result.", "are unjudged; they count like any other result."),
    ],
)  # fmt: skip
def test_measures_for_which_unjudged_is_not_grade_0(measure: str, one: str, two: str) -> None:
    """What an unjudged result does is said as the measure has it; as a grade where the answer is one."""
    assert f"1 of 3 results {one}" in notes([1, None, 2], measure)
    assert f"2 of 4 results {two}" in notes([1, None, None, 2], measure)
    said = "1 of 3 results is unjudged; it counts as grade 0 and keeps its rank."
    assert said in notes([1, None, 2], measure, unjudged=0.0)


def test_rows_without_a_document() -> None:
    """A row without a document among others of its query is dropped: said, named, and warned of."""
    judgments = {"q1": {"a": 1, "b": 1}, "q2": {"a": 1}}
    results = {"qid": ["q1", "q1", "q1", "q2"], "doc": ["a", None, "b", ""], "rank": [1, 2, 3, 1]}
    scores = ir.evaluate(judgments, results, ["RR"])
    text = "1 row without a document dropped from queries that returned others (q1)"
    assert scores.ledger.warnings == (text,)
    assert {text, "1 row without a document: no results"} <= set(scores.ledger.notes)
    assert any(fact.queries == ("q1",) for fact in scores.ledger.facts)
    assert "1 row without a document was dropped." in scores.explain("RR", "q1").notes
    assert not any("document was" in note for note in scores.explain("RR", "q2").notes)


def test_results_without_a_rank() -> None:
    """A result without a rank goes to the end, where the rank is the order."""
    results = {"qid": ["q", "q"], "doc": ["a", "b"], "rank": [None, 1], "score": [2.0, 1.0]}
    found = ir.evaluate({"q": {"a": 1}}, results, ["RR"])
    assert found["RR"] == 0.5
    assert "1 result without a rank, placed last" in found.ledger.notes
    by_score = ir.evaluate({"q": {"a": 1}}, results, ["RR"], order_by="score")
    assert "1 result without a rank" in by_score.ledger.notes


def test_grades_below_zero() -> None:
    """A grade below zero says what it counts as."""
    assert notes([1, -1])[1] == "1 of 2 results has a grade below zero; it counts as unjudged (negative=unjudged)."
    assert notes([1, -1], negative="zero")[1].endswith("counts as grade 0 (negative=zero).")
    assert not any("below zero" in note for note in notes([1, -1], negative="keep"))


def test_exp2_on_grades_to_one() -> None:
    """exp2 on a scale from 0 to 1 is nearly linear, and that is said (B032)."""
    said = "gain=exp2 on grades from 0 to 1 is nearly linear"
    assert any(said in note for note in notes([0.9, 0.1], gain="exp2"))
    assert not any(said in note for note in notes([3, 1], gain="exp2"))
    assert not any(said in note for note in notes([0.9, 0.1]))
    assert not any(said in note for note in notes([0.9, 0.1], "RR", relevant_from="positive", gain="exp2"))


def test_zero_by_zero() -> None:
    """0/0 says which decision answers."""
    assert "0/0: nothing to divide by. no_relevant=0 decides." in notes([0, 0])
    assert "0/0: nothing to divide by. no_relevant=1 decides." in notes([0, 0], "AP", no_relevant=1)
    below = notes([-1, -2], negative="keep")
    assert "An ideal below zero measures nothing. no_relevant=0 decides." in below


def test_relevant_documents() -> None:
    """Binary measures say how many relevant documents there are, by which level, and how many were returned."""
    assert "2 of 3 relevant documents (grade 1 or more) were returned." in notes([1, 0, 2], "AP", also_judged=[1])
    assert "1 of 1 relevant document (grade 2 or more) was returned." in notes([1, 0, 2], "P(rel=2)@3")
    assert "1 of 1 relevant document (grade above 0) was returned." in notes([0.5], "RR", relevant_from="positive")


def test_short_lists_and_cutoffs() -> None:
    """A list shorter than k says what it is divided by; a cutoff that leaves out rank k says so."""
    assert "Fewer than 5 results came back; divided by 5 (short_list=k)." in notes([1, 0], "P@5")
    found = notes([1, 0], "P@5", short_list="returned")
    assert "Fewer than 5 results came back; divided by 2 (short_list=returned)." in found
    assert "Rank 3 does not count (cutoff=below_k)." in notes([1, 2, 3], cutoff="below_k")
    assert not any("came back" in note for note in notes([1, 0], "P@2"))


def test_order_and_ties() -> None:
    """The order that counted is named, and how many results are tied."""
    run = {"q": {"a": 1.0, "b": 1.0, "c": 0.5}}
    found = ir.explain({"q": {"a": 1.0}}, run, "RR", query="q").notes
    assert found[-1] == "Ordered by score, highest first; 2 results are tied, ties=docid_desc."
    assert notes([1, 0], "RR")[-1] == "Ordered by rank, lowest first."
    given = ir.explain({"q": {"a": 1.0}}, run, "RR", query="q", order_by="given").notes
    assert given[-1] == "Ordered by the order of the rows."


def test_the_declared_scale() -> None:
    """A declared top of the scale is told."""
    assert "The scale's top grade is 4, as declared." in notes([1, 3], "nDCG(ideal=max)@2", max_grade=4)


def test_local_ideal_of_tied_results() -> None:
    """Where tied results cross the cutoff, the local ideal depends on chance, and that is said."""
    run = {"q": {"a": 2.0, "b": 1.0, "c": 1.0}}
    found = ir.explain({"q": {"a": 1.0, "b": 2.0}}, run, "nDCG(ideal=local, ties=average)@2", query="q")
    assert "chance decides which are in the top k" in found.notes[0]
    assert found.total / found.normaliser == pytest.approx(found.score)
