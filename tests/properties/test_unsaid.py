"""An answer does something of its own, or is refused: none is taken for another in silence."""

from __future__ import annotations

import itertools
from typing import Any

import numpy as np
import pytest

import idealrank as ir
from idealrank.decisions import questions
from idealrank.errors import UsageError
from idealrank.measures import DEFINITIONS, Definition
from tests.properties.answers import Answer, answers, departures, measures
from tests.properties.ranked import TIED, Corpus, at_random, settled

JUDGMENTS = {
    "query_id": ["q", "q", "q", "q", "r", "t"],
    "doc_id": ["a", "b", "c", "n", "a", "a"],
    "rating_1": [2, 1, 0, -1, 0, 1],
    "rating_2": [2, 2, 0, -1, 0, 1],
}
RESULTS = {"q": {"a": 2.0, "x": 2.0, "b": 1.0, "n": 0.5, "c": 0.1}, "r": {"a": 1.0}, "s": {"a": 1.0}}
IN_THE_CORE = {"duplicates", "order_by", "rank_gaps", "score_precision"}
"""Decisions whose words the compiled core reads, and refuses."""

WORDS = [name for name in questions() if name not in ("rounding", "unit")]
"""Decisions that take words only; another word of `rounding` is no step, and one of `unit` is a column."""

UNITS = {"a": "u", "b": "u", "c": "u", "n": "n", "x": "x"}
"""Some units, with which decisions about them are asked."""
OFFSETS = {"begin": [0] * 6, "end": [5] * 6}
SPANS = (JUDGMENTS | OFFSETS, {"query_id": ["q", "t"], "doc_id": ["b", "a"], "begin": [0, 0], "end": [5, 5]})
"""Tables of spans, with which decisions about them are asked."""

SMALL = Corpus(at_random(30, 6, seed=7) + TIED.queries[:30])


@pytest.mark.parametrize("name", WORDS)
def test_a_word_nobody_computes_is_refused(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """A word that a decision takes and no code computes is refused by every measure that reads the decision."""
    monkeypatch.setitem(questions()[name].answers, "unheard-of", "a word without a meaning")
    readers = [d for d in DEFINITIONS if name in d.decisions and d.is_plain]
    for definition in readers if questions()[name].stage == "value" else readers[:1]:
        bases = [base for base in departures(definition) if base.decision != name]
        assert any(_refused(definition, name, base) for base in bases), f"{definition.name} takes any {name}"


def _refused(definition: Definition, name: str, base: Answer) -> bool:
    """Whether a word without a meaning is refused, under one other answer."""
    asked = definition.name + ("@2" if definition.cutoff == "optional" else "")
    needed: dict[str, Any] = {"unit": {"unit": UNITS}, "unit=spans": {"unit": "spans"}}
    options = base.options | needed.get(questions()[name].only_with, {})
    tables = SPANS if options.get("unit") == "spans" else (JUDGMENTS, RESULTS)
    try:
        ir.evaluate(*tables, [asked], convention=f"idealrank-1, {name}=unheard-of", **options)[asked]
    except NotImplementedError as error:
        return f"{name}=unheard-of" in str(error)
    except UsageError:
        return False
    except ValueError as error:
        return name in IN_THE_CORE and "unheard-of" in str(error)
    return False


def _apart(name: str, one: Answer, other: Answer) -> bool:
    """Whether some measure has another value under one answer than under the other."""
    for definition in DEFINITIONS:
        if name not in definition.decisions:
            continue
        for base in departures(definition):
            if base.decision == name:
                continue
            try:
                both = [one.given(base.given()), other.given(base.given())]
                found = [[settled(SMALL, m) for m in measures(definition, under)] for under in both]
            except UsageError:
                continue
            if not all(map(lambda a, b: np.array_equal(a, b, equal_nan=True), *found)):
                return True
    return False


PAIRS = [
    (name, one, other)
    for name, question in questions().items()
    if question.stage == "value"
    for one, other in itertools.combinations([a for a in answers(name) if a.label in question.answers], 2)
]


@pytest.mark.parametrize(("name", "one", "other"), PAIRS, ids=str)
def test_every_word_has_a_value_of_its_own(name: str, one: Answer, other: Answer) -> None:
    """No two words of a decision of the value stage give the same values everywhere."""
    assert _apart(name, one, other), f"{one} and {other} are the same"
