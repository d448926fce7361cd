"""Every answer of every decision, one at a time, for every measure that reads the decision."""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator
from dataclasses import replace
from typing import Any, NamedTuple

from idealrank.decisions import DEFAULT, Decisions, questions
from idealrank.measures import DEFINITIONS, Definition, Measure, Parameter, parse

OPEN = tuple(written for question in questions().values() if question.form for written in question.form.written)
"""Answers that stand for infinitely many."""

SAMPLES: dict[str, dict[str, Any]] = {
    "gain": {
        "{rising}": {-1: 0, 0: 0, 0.5: 1, 1: 2, 2: 3, 3: 10, 5: 11},
        "{grade 0 is worth 0.5}": {-1: 0, 0: 0.5, 0.5: 1, 1: 2, 2: 3, 3: 4, 5: 5},
        "{grade 0 costs 1}": {-1: -2, 0: -1, 0.5: 0, 1: 1, 2: 2, 3: 3, 5: 5},
        "{not in the order of grades}": {-1: 0, 0: 0, 0.5: 2, 1: 3, 2: 1, 3: 2, 5: 1},
    },
    "unit": {
        "source": "source",
        "before(#)": "before(#)",
        "match(…)": "match(([0-9]+)#[0-9]+)",
        "map(…)": {f"{doc}#{part}": str(doc) for doc in range(1000, 5100) for part in range(3)},
    },
    "roll_up": {"mean(2)": "mean(2)"},
    "overlap": {"span(0.5)": "span(0.5)", "chunk(0.5)": "chunk(0.5)", "iou(0.5)": "iou(0.5)"},
    "discount": {"log(2)": "log(2)", "log(3)": "log(3)"},
    "max_grade": {"5": 5},
    "unjudged": {"0.5": 0.5, "2": 2},
    "relevant_from": {"2": 2, "0.5": 0.5, "0": 0},
    "rounding": {
        "term,round,1": "term,round,1",
        "term,floor,1": "term,floor,1",
        "query,round,1": "query,round,1",
        "query,floor,1": "query,floor,1",
        "mean,round,2": "mean,round,2",
    },
}
"""Samples of the open answers, under the label that messages and the table of exceptions use."""

NEEDED = {"unit": {"unit": "before(#)"}, "unit=spans": {"unit": "spans"}}
"""The answer with which decisions about units are asked, by what they are asked with."""

CUTOFFS = (None, 1, 2, 3, 5)


class Answer(NamedTuple):
    """One answer of one decision; no decision: the default."""

    decision: str
    label: str
    value: Any

    def __str__(self) -> str:
        return f"{self.decision}={self.label}" if self.decision else "default"

    @property
    def options(self) -> dict[str, Any]:
        """The answer by the name of its decision, with the answer without which it is not asked; none by default."""
        if not self.decision:
            return {}
        return {self.decision: self.value, **NEEDED.get(questions()[self.decision].only_with, {})}

    def given(self, base: Decisions = DEFAULT) -> Decisions:
        """The decisions with this answer."""
        return base.but(**self.options)


DEFAULT_ANSWER = Answer("", "", None)


def answers(decision: str) -> list[Answer]:
    """All answers of a decision: its words, and samples where it is open."""
    words = [word for word in questions()[decision].answers if word not in OPEN]
    return [Answer(decision, word, word) for word in words] + [
        Answer(decision, label, value) for label, value in SAMPLES.get(decision, {}).items()
    ]


def acts_on_lists(answer: Answer) -> bool:
    """Whether an answer acts once the judged list stands, and before the mean; the others have tests of their own."""
    if answer.decision == "ties":
        return answer.label in ("average", "best", "worst")
    if answer.decision == "rounding":
        return answer.label.startswith(("term", "query"))
    return questions()[answer.decision].stage == "value"


def departures(definition: Definition) -> Iterator[Answer]:
    """The default, then every single answer that departs from it in a decision the measure reads."""
    yield DEFAULT_ANSWER
    for name in definition.decisions:
        asked = (a for a in answers(name) if acts_on_lists(a) and a.given() != DEFAULT)
        yield from (a for a in asked if definition.properties.average == "exact" or str(a) != "ties=average")


SWEEP = [(definition, answer) for definition in DEFINITIONS for answer in departures(definition)]
"""Every measure under the default and under every single answer it reads."""


def tried(parameter: Parameter) -> tuple[float, ...]:
    """Values of a parameter: its default, one near each bound, and one in between."""
    low = parameter.low if math.isfinite(parameter.low) else parameter.default - 50.0
    high = parameter.high if math.isfinite(parameter.high) else low + 50.0 * (parameter.default - low)
    between = (low + share * (high - low) for share in (0.01, 0.3, 0.99))
    return tuple(dict.fromkeys((parameter.default, *between)))


def settings(definition: Definition) -> Iterator[tuple[tuple[str, float], ...]]:
    """The defaults of a measure's parameters, then every value tried of each, one at a time."""
    defaults = {parameter.name: parameter.default for parameter in definition.parameters}
    yield tuple(defaults.items())
    for parameter in definition.parameters:
        yield from (tuple({**defaults, parameter.name: value}.items()) for value in tried(parameter)[1:])


def measures(definition: Definition, decisions: Decisions) -> Iterator[Measure]:
    """The measure at every cutoff it takes, and at several values of every parameter."""
    whole = replace(parse(definition.name)[0], decisions=decisions, base=decisions)
    cutoffs = CUTOFFS if definition.cutoff == "optional" else (None,)
    for parameters, cutoff in itertools.product(settings(definition), cutoffs):
        yield replace(whole, parameters=parameters, cutoff=cutoff)
