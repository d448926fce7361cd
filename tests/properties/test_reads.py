"""The decisions a measure says it reads are those that change it: its fingerprint leaves nothing out."""

from __future__ import annotations

import itertools
from collections.abc import Iterator

import numpy as np
import pytest

from idealrank.decisions import DEFAULT, Decisions, questions
from idealrank.errors import UsageError
from idealrank.measures import DEFINITIONS, Definition, Measure
from tests.amounts import part
from tests.properties.answers import Answer, acts_on_lists, answers, departures, measures
from tests.properties.ranked import TIED, Corpus, at_random, settled

SMALL = Corpus(at_random(30, 6, seed=7) + TIED.queries[:30])

each_definition = pytest.mark.parametrize("definition", DEFINITIONS, ids=lambda d: d.name)


def _combined(answer: Answer, base: Decisions) -> Decisions | None:
    combined = answer.given(base)
    return None if (combined.ideal, combined.ideal_depth) == ("max", "all") else combined


def _changes(measure: Measure, other: Measure) -> bool:
    return not np.array_equal(settled(SMALL, measure), settled(SMALL, other), equal_nan=True)


def _pairs(definition: Definition, base: Decisions, answer: Answer) -> Iterator[tuple[Measure, Measure]]:
    decisions = _combined(answer, base)
    if decisions is not None and decisions != base:
        kept = (None, 2)
        both = zip(measures(definition, base), measures(definition, decisions), strict=True)
        yield from ((one, other) for one, other in both if one.cutoff in kept)


@pytest.mark.parametrize("definition", DEFINITIONS, ids=lambda definition: definition.name)
def test_unread_decisions_change_nothing(definition: Definition, answers_of: dict[str, list[Answer]]) -> None:
    """A decision that a measure does not read leaves every score as it is, under each answer the measure is tried."""
    unread = [name for name, q in questions().items() if q.stage == "value" and name not in definition.reads]
    every = list(itertools.chain(*map(answers, unread)))
    for place, base in enumerate(answers_of[definition.name]):
        for answer in part(every, place) if base.decision else every:
            for one, other in _pairs(definition, base.given(), answer):
                assert not _changes(one, other), f"{definition.name} under {base} reads {answer}"


def _cases() -> list[tuple[Definition, str]]:
    return [(definition, name) for definition in DEFINITIONS for name in definition.reads]


@pytest.mark.parametrize(("definition", "name"), _cases(), ids=lambda value: getattr(value, "name", value))
def test_read_decisions_change_something(definition: Definition, name: str) -> None:
    """A decision that a measure reads changes a score, under the default or under one other answer."""
    bases = [DEFAULT, *(answer.given() for answer in departures(definition) if answer.decision != name)]
    for base, answer in itertools.product(bases, filter(acts_on_lists, answers(name))):
        if any(_refused_or_changes(*pair) for pair in _pairs(definition, base, answer)):
            return
    pytest.fail(f"{definition.name} never depends on {name}")


def _refused_or_changes(one: Measure, other: Measure) -> bool:
    try:
        return _changes(one, other)
    except UsageError:
        return True
