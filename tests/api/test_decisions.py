"""How an answer to a decision is read."""

from __future__ import annotations

from typing import Any

import pytest

import idealrank as ir
from idealrank.decisions import Question, questions
from idealrank.decisions.forms import Form


def test_a_question_carries_its_own_reading() -> None:
    """A decision that takes an answer of a new form needs nothing but its entry."""
    halves = Form("A/B", lambda value: tuple(value.split("/")) if "/" in str(value) else None)
    question = Question("value", "Which half?", {"none": "neither", "A/B": "one over another"}, form=halves)
    assert question.read("half", "left/right") == ("left", "right")
    assert question.read("half", " None ") == "none"
    with pytest.raises(ir.UsageError, match=r"half=both is not an answer\. Allowed: none, A/B\."):
        question.read("half", "both")


@pytest.mark.parametrize("name", [name for name, question in questions().items() if question.form])
def test_what_stands_for_a_form_is_no_answer(name: str) -> None:
    """The word that stands for infinitely many answers, such as log(b), is refused as an answer."""
    form = questions()[name].form
    assert form is not None
    assert form.written in questions()[name].answers
    with pytest.raises(ir.UsageError):
        ir.Decisions().but(**{name: form.written})


@pytest.mark.parametrize(
    ("name", "value", "said"),
    [
        ("gain", "{[1]: 2}", r"gain=\{\[1\]: 2\} is not an answer\. Allowed: linear, .*\{grade: gain\}\."),
        ("gain", "{}", "a gain table needs at least one grade"),
        ("gain", 2, "gain=2 is not an answer"),
        ("discount", "log(1)", "the base of log"),
        ("rounding", "query,round", "rounding=query,round is not an answer"),
        ("rounding", "query,round,2,2", "rounding=query,round,2,2 is not an answer"),
        ("unjudged", "nan", r"unjudged=nan is not an answer\. Allowed: zero, filter, a number\."),
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
    assert measure in questions()["unjudged"].number.partition("; ")[2]
