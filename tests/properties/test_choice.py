"""The chosen pairs stand for the whole sweep."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable

from idealrank.decisions import Decisions
from idealrank.judged_lists.lists import JudgedLists
from idealrank.measures import DEFINITIONS, Definition, parse
from idealrank.measures.steps import Steps
from tests.properties.answers import SWEEP, Answer
from tests.properties.choice import CHOSEN, LEAST
from tests.properties.exceptions import EXCEPTIONS, check, speaks_of
from tests.properties.promises.undefined import wrongly_undefined


def test_every_measure_is_tried() -> None:
    """Every measure keeps its promises under the default, and all but the few that read little under another answer."""
    assert [definition for definition, answer in CHOSEN if not answer.decision] == list(DEFINITIONS)
    tried, possible = (Counter(definition.name for definition, _ in pairs) for pairs in (CHOSEN, SWEEP))
    assert all(tried[name] > 1 for name in possible if possible[name] > 5)


def test_every_answer_is_tried() -> None:
    """Every answer of every decision is met by six measures at the least, or by all that read it."""
    tried, possible = (Counter(str(answer) for _, answer in pairs) for pairs in (CHOSEN, SWEEP))
    assert all(tried[answer] >= min(LEAST, possible[answer]) for answer in possible)


def test_every_exception_is_tried() -> None:
    """Every exception is met by a pair: if it no longer holds, it is struck."""
    assert all(any(speaks_of(row, *pair) for pair in CHOSEN) for row in EXCEPTIONS)


def test_the_choice_is_a_part() -> None:
    """The chosen pairs stand in the order of the sweep, each once, and are fewer than half of it."""
    names = [(definition.name, str(answer)) for definition, answer in SWEEP]
    places = [names.index((definition.name, str(answer))) for definition, answer in CHOSEN]
    assert places == sorted(set(places))
    assert len(places) < len(SWEEP) / 2


def test_a_gain_off_by_one_is_seen(computed_by: Callable[[Definition, Callable[..., Steps]], None]) -> None:
    """If nDCG took 2^g for 2^g - 1, under gain=exp2 alone, a promise of a chosen pair would be broken."""
    definition = parse("nDCG")[0].definition
    right = definition.compute

    def wrong(lists: JudgedLists, decisions: Decisions, cutoff: int | None) -> Steps:
        off = {grade: 2.0**grade for grade in (-1, 0, 0.5, 1, 2, 3)}
        return right(lists, decisions.but(gain=off) if decisions.gain == "exp2" else decisions, cutoff)

    computed_by(definition, wrong)
    broken = [str(pair[1]) for pair in CHOSEN if pair[0] is definition and _breaks(*pair)]
    assert broken == ["gain=exp2"]


def _breaks(definition: Definition, answer: Answer) -> bool:
    """Whether it is 0/0 under an answer, or the default, where it says it is not."""
    if answer.decision not in ("", "gain"):
        return False
    try:
        check("undefined", definition, answer, wrongly_undefined(definition, answer, definition.properties.undefined))
    except AssertionError:
        return True
    return False
