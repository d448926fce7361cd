"""How an answer to a decision is read."""

from __future__ import annotations

import fractions
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import idealrank as ir
from idealrank.decisions import Question, questions
from idealrank.decisions.question import AnswerForm as Form


def test_a_question_carries_its_own_reading() -> None:
    """A decision that takes an answer of a new form needs nothing but its entry."""
    halves = Form("A/B", lambda value: tuple(value.split("/")) if "/" in str(value) else None, "str")
    question = Question("value", "Which half?", {"none": "neither", "A/B": "one over another"}, form=halves)
    assert question.read("half", "left/right") == ("left", "right")
    assert question.read("half", " None ") == "none"
    with pytest.raises(ir.UsageError, match=r"half=both is not an answer\. Allowed: none, A/B\."):
        question.read("half", "both")


@pytest.mark.parametrize("name", [name for name, question in questions().items() if question.form])
def test_what_stands_for_a_form_is_no_answer(name: str) -> None:
    """What stands for infinitely many answers, such as log(b), is refused, or read as any other of its form is."""
    form = questions()[name].form
    assert form is not None
    for written in form.written:
        assert written in questions()[name].answers
        if name != "unit":  # whose NAME is a column called so, and TEXT a text
            with pytest.raises(ir.UsageError):
                ir.Decisions().but(**{name: written})


@pytest.mark.parametrize(
    ("name", "value", "said"),
    [
        ("gain", "{[1]: 2}", r"gain=\{\[1\]: 2\} is not an answer\. Allowed: linear, .*\{grade: gain\}\."),
        ("gain", "{}", "a gain table needs at least one grade"),
        ("gain", 2, "gain=2 is not an answer"),
        ("discount", "log(1)", "the base of log"),
        ("rounding", "query,round", "rounding=query,round is not an answer"),
        ("rounding", "query,round,2,2", "rounding=query,round,2,2 is not an answer"),
        ("unjudged", "nan", r"unjudged=nan is not an answer\. Allowed: zero, filter, complete, a number\."),
        ("unjudged", True, "unjudged=True is not an answer"),
        ("ties", {1: 2}, "ties=.* is not an answer"),
    ],
)
def test_what_is_no_answer(name: str, value: Any, said: str) -> None:
    """What is no answer is refused with what is allowed."""
    with pytest.raises(ir.UsageError, match=said):
        ir.Decisions().but(**{name: value})


@pytest.mark.parametrize("measure", ["R", "AP", "F1", "Bpref", "nDCG"])
def test_an_assumed_grade_can_lead_above_one(measure: str) -> None:
    """Where unjudged results have a grade, what counts judged documents only is exceeded; the decision says so."""
    judgments, results = ir.from_ranking(["d1", "u1", "u2", "u3"], {"d1": 1})
    assert ir.evaluate(judgments, results, [measure], unjudged=1)[measure] > 1
    assert measure in questions()["unjudged"].number.partition(". ")[2]


def test_half_up_rounds_as_java_does() -> None:
    """1/8 is 0.125: half up gives 0.13, as Math.round does; half to even 0.12."""
    results = {"q": {**{f"x{i}": 99.0 - i for i in range(7)}, "z": 1.0}}
    for rule, expected in (("half_up", 0.13), ("round", 0.12), ("floor", 0.12)):
        scores = ir.evaluate({"q": {"z": 1}}, results, ["P@8", "RR"], rounding=f"query,{rule},2")
        assert (scores["P@8"], scores["RR"]) == (expected, expected)


@pytest.mark.parametrize("measure", ["nDCG(gain=exp2)", "ERR"])
def test_grades_without_bounds_are_refused(measure: str) -> None:
    """Two to the power of the grade must be a number."""
    with pytest.raises(ir.DataError, match=r"2\^2000 is too large for a number.*below 1000"):
        ir.evaluate({"q": {"a": 2000, "b": 1}}, {"q": {"a": 2.0, "b": 1.0}}, [measure])


def test_ranks_left_out_have_the_grade_of_unjudged_results() -> None:
    """With rank_gaps=keep a rank that is left out is an unjudged result, and so has the grade `unjudged` gives it."""
    judgments = {"q": {"a": 2, "b": 1, "c": 0, "d": 1}, "p": {"a": 1}}
    gaps = {"query": ["q", "q", "q", "p"], "doc": ["a", "b", "c", "a"], "rank": [2, 5, 9, 1]}
    named = {"q": ["x1", "a", "x3", "x4", "b", "x6", "x7", "x8", "c"], "p": ["a"]}
    whole = {
        "query": [q for q, docs in named.items() for _ in docs],
        "doc": [d for docs in named.values() for d in docs],
        "rank": [r for docs in named.values() for r in range(1, len(docs) + 1)],
    }
    measures = ["DCG@5", "P@5", "RR", "AP", "nDCG", "Bpref", "NumRet", "Judged@5"]
    for unjudged in ("zero", "filter", "1", "0.5", "2"):
        kept = ir.evaluate(judgments, gaps, measures, rank_gaps="keep", unjudged=unjudged)
        assert kept.values.tolist() == ir.evaluate(judgments, whole, measures, unjudged=unjudged).values.tolist()
    steps = ir.explain(judgments, gaps, "DCG@5", query="q", rank_gaps="keep", unjudged=1).steps
    assert list(steps["doc"]) == [None, "a", None, None, "b"]
    with pytest.raises(ir.DataError, match=r"at most 10000000 may\. Use rank_gaps=close, or unjudged=zero"):
        ir.evaluate({"q": {"a": 1}}, {"query": ["q"], "doc": ["a"], "rank": [10**9]}, rank_gaps="keep", unjudged=1)


@pytest.mark.parametrize("value", [10**400, -(10**400)])
def test_numbers_beyond_the_largest_float(value: int) -> None:
    """A whole number too large for a float is refused like any other answer that is none."""
    with pytest.raises(ir.UsageError, match=r"^max_grade=inf is not an answer"):
        ir.evaluate({"q": {"d": 1}}, {"q": {"d": 1}}, ["nDCG"], max_grade=value)


@pytest.mark.parametrize("kind", [np.int64, np.int8, np.float32, fractions.Fraction], ids=lambda kind: kind.__name__)
def test_numbers_of_any_type_are_answers(kind: Callable[[int], Any]) -> None:
    """NumPy's numbers and fractions, as cells of tables are, answer as Python's do."""
    told = ir.Decisions(relevant_from=kind(2), max_grade=kind(3))
    assert (told.relevant_from, told.max_grade) == (2.0, 3.0)
    assert (type(told.relevant_from), type(told.max_grade)) == (float, float)
