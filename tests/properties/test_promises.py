"""Every promise of every measure, under the default and under every single answer of every decision it reads."""

from __future__ import annotations

import math
import re
from collections.abc import Callable

import pytest

from idealrank.decisions import Decisions
from idealrank.judged_lists.lists import JudgedLists
from idealrank.measures import DEFINITIONS, Definition, Parameter, Properties, parse
from idealrank.measures.gains import depth
from idealrank.measures.steps import Steps, ones
from tests.properties.answers import DEFAULT_ANSWER, SWEEP, Answer, tried
from tests.properties.exceptional import Exceptional, covers
from tests.properties.exceptions import EXCEPTIONS, check, exception
from tests.properties.promises.depth import (
    changed_by_deeper_results,
    untouched_by_deep_results,
    untouched_by_the_last_rank,
)
from tests.properties.promises.direction import (
    moved_by_good_results,
    not_lowered_by_good_results,
    not_raised_by_good_results,
)
from tests.properties.promises.ideal_order import ideal_is_not_best, ideal_is_not_one
from tests.properties.promises.monotone import lowered_by_a_better_document, promised_monotone
from tests.properties.promises.ranges import infinite, out_of_range, slack, without_effect
from tests.properties.promises.ties import average_is_not_exact, tie_range_is_not_exact
from tests.properties.promises.undefined import wrongly_undefined

each_definition = pytest.mark.parametrize("definition", DEFINITIONS, ids=lambda d: d.name)


def test_parameters_are_tried_all_over() -> None:
    """The sweep tries a parameter at its default, near both bounds and in the middle, within what it allows."""
    for one in (Parameter("p", 0.8, 0.0, 1.0), Parameter("beta", 1.0, 0.0, math.inf)):
        values = tried(one)
        assert values[0] == one.default
        assert len(values) == 4
        assert all(one.read(repr(value)) == value for value in values)
        assert min(values) < one.default < max(values)


def a_careless_rbp(lists: JudgedLists, decisions: Decisions, cutoff: int | None, p: float) -> Steps:
    """RBP whose reader never goes on with a chance above 0.8, though the factor before the sum says so."""
    relevant = lists.relevant(decisions.relevant_from).astype(float)
    counts = lists.weights(lambda rank: (1.0 - p) * min(p, 0.8) ** (rank - 1.0), depth(cutoff, decisions))
    return Steps(lists, {"relevant": relevant}, relevant * counts, ones(lists))


def test_the_sweep_sees_every_value_of_a_parameter(
    computed_by: Callable[[Definition, Callable[..., Steps]], None],
) -> None:
    """A formula that is wrong only far from the parameter's default breaks a promise: it never comes near 1."""
    definition = parse("RBP")[0].definition
    computed_by(definition, a_careless_rbp)
    assert "p=" in str(slack(definition))


@each_definition
def test_declared(definition: Definition) -> None:
    """Every measure declares its properties, and every word of the declaration is one the sweep knows."""
    declared = definition.properties
    assert isinstance(declared, Properties)
    assert declared.lowest <= declared.highest
    assert all(declared.meanings.values())


def keeps_range(definition: Definition, answer: Answer) -> None:
    """The score of a query is finite, and lies within the declared range."""
    assert infinite(definition, answer) is None
    check("range", definition, answer, out_of_range(definition, answer))


@each_definition
def test_range_is_needed(definition: Definition) -> None:
    """Both ends of the declared range are reached, or come near: in 1,500 perfect results, in lists short and long."""
    check("range needed", definition, DEFAULT_ANSWER, slack(definition))


@each_definition
def test_parameters_matter(definition: Definition) -> None:
    """Each value of a parameter that the sweep tries gives other scores than the one before it."""
    check("parameters", definition, DEFAULT_ANSWER, without_effect(definition))


def keeps_at_ideal(definition: Definition, answer: Answer) -> None:
    """With all judged documents returned, best first, the score is 1; or no other order of the results scores more."""
    declared = definition.properties.at_ideal
    if declared == "1":
        check("at_ideal", definition, answer, ideal_is_not_one(definition, answer))
    if declared in ("1", "best"):
        check("best", definition, answer, ideal_is_not_best(definition, answer))


@each_definition
def test_at_ideal_denied(definition: Definition) -> None:
    """A measure that does not promise 1 at the ideal order has an ideal order that scores something else."""
    if definition.properties.at_ideal != "1":
        found = ideal_is_not_one(definition, DEFAULT_ANSWER)
        check("at_ideal denied", definition, DEFAULT_ANSWER, None if found else "1 in every ideal order")


def keeps_undefined(definition: Definition, answer: Answer) -> None:
    """The measure is 0/0 exactly when it is declared to be."""
    declared = definition.properties.undefined
    check("undefined", definition, answer, wrongly_undefined(definition, answer, declared))
    if (row := exception("undefined", definition, answer)) is not None:
        assert wrongly_undefined(definition, answer, row.instead) is None


def keeps_monotone(definition: Definition, answer: Answer) -> None:
    """A better document one place up never lowers the score; where that is denied, it once does."""
    found = lowered_by_a_better_document(definition, answer)
    if promised_monotone(definition, answer):
        check("monotone", definition, answer, found)
    else:
        check("monotone denied", definition, answer, None if found else "no swap of neighbours lowers it")


def keeps_depth(definition: Definition, answer: Answer) -> None:
    """Nothing beyond the declared depth changes the score; something at it, or deep down, can."""
    if definition.properties.depth == "nothing":
        found = untouched_by_deep_results(definition, answer)
        check("nothing", definition, answer, None if found else "some result changes it")
    elif definition.properties.depth == "all":
        check("deep", definition, answer, untouched_by_deep_results(definition, answer))
    else:
        check("depth", definition, answer, changed_by_deeper_results(definition, answer))
        check("last rank", definition, answer, untouched_by_the_last_rank(definition, answer))


def keeps_direction(definition: Definition, answer: Answer) -> None:
    """Where higher is better, top documents score more than worthless ones, less where lower is; a count is alike."""
    tries = {"higher": not_raised_by_good_results, "lower": not_lowered_by_good_results, "count": moved_by_good_results}
    check("direction", definition, answer, tries[definition.properties.direction](definition, answer))


def keeps_average(definition: Definition, answer: Answer) -> None:
    """Under ties=average the score is the mean over all orders of the tied results, or refused as declared."""
    found = average_is_not_exact(definition, answer)
    declared = definition.properties
    refused = declared.average != "exact" or str(answer) in declared.not_averaged
    assert ("is refused: ties=average" in str(found)) == refused
    if not refused:
        check("average", definition, answer, found)


def keeps_tie_range(definition: Definition, answer: Answer) -> None:
    """With the worst and the best of tied results first, the score is the lowest and the highest over all orders."""
    if answer.decision != "ties":
        assert tie_range_is_not_exact(definition, answer) is None


PROMISES = (
    keeps_range,
    keeps_at_ideal,
    keeps_undefined,
    keeps_monotone,
    keeps_depth,
    keeps_direction,
    keeps_average,
    keeps_tie_range,
)


@each_definition
def test_promises(definition: Definition, answers_of: dict[str, list[Answer]]) -> None:
    """A measure keeps every promise under every answer it is tried with; all that are broken are named."""
    broken = []
    for answer in answers_of[definition.name]:  # the promises of one answer share what was computed
        for keeps in PROMISES:
            try:
                keeps(definition, answer)
            except AssertionError as error:
                broken.append(f"{keeps.__name__}, {answer}: {error}")
    assert not broken, "\n".join(broken)


@pytest.mark.parametrize("row", EXCEPTIONS, ids=lambda row: f"{row.promise}, {row.measures}, {row.answers[0]}")
def test_exceptions_exist(row: Exceptional) -> None:
    """Every exception speaks of measures and answers that the sweep tries, and gives its reason."""
    assert row.reason
    here = {definition.name: definition for definition in DEFINITIONS if covers(row.measures, definition)}
    named = set(re.sub(r"\(.*?\)", "", row.measures).split())
    assert here
    assert named <= set(here)
    tried = {str(answer) for definition, answer in SWEEP if definition.name in here} | {"*"}
    assert set(row.answers) <= tried
