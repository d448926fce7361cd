"""The settings near the named conventions that can make a difference on some data, each once.

There are many settings within three departures of all conventions, and most are equal on the data. So a setting is a
`Code`, a tuple of small integers, until its values are needed: a departure changes one integer, equal settings are
equal tuples and appear once in a dict, and anything several settings share (the lists, the values before they are
filled) is looked up by a part of the tuple. A measure with all its decisions is built only for the few settings that
are computed.

The first two integers of a code are the kind of measure (its place among those seen: definition, cutoff, parameters)
and the place of its shift in `SHIFTS`, `UNREAD` without a cutoff. One integer for each of `fields` follows: the place
of the answer among the answers to that decision, where answers that are equal on the data have the place of the first;
`UNREAD` where the measure does not read the decision, `REFUSED` where the data does not allow the answer. With the
fields ``ties, gain``, ``(0, 0, 2, 1)`` is the first measure at its own cutoff, with the third answer to `ties` and the
second to `gain`.
"""

import functools
import itertools
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from idealrank.audit.equal_answers import LISTS, REFUSED, EqualAnswers
from idealrank.audit.named_settings import meaning, named_settings
from idealrank.decisions import DEFAULT, Decisions, answer_text, questions
from idealrank.errors import UsageError
from idealrank.evaluation.one_system import OneSystem
from idealrank.measures import Measure, parse

_OPEN: dict[str, tuple[str, ...]] = {
    "discount": ("log(2)",),
    "relevant_from": ("2", "positive"),
    "rounding": ("query,half_up,2", "term,floor,2+query,floor,2", "term,round,3"),
}
"""Values tried for open answers; all words of a decision are tried, and the grades as levels."""

MOST_LEVELS = 20
"""Most grades tried as the level from which a document is relevant."""

_NEVER = ("raters", "duplicates", "weights", "max_grade", "unit", "unit_grade", "roll_up", "counts", "overlap", "steps")
"""Decisions about the data itself."""

_FILLING = frozenset({"no_relevant", "no_results", "failed", "no_judgments", "average"})
"""Decisions that act only on the values of the queries."""

SHIFTS = (0, -1, 1)
"""By how much a cutoff may be off."""

Code = tuple[int, ...]
"""A kind of measure, a shift of its cutoff, and its answers to all fields by their place; `UNREAD` for none."""

UNREAD = -1
"""Stands for the answer to a decision that a measure does not read, and for the shift of no cutoff."""


class NearbySetting(NamedTuple):
    """A setting: a convention and its departures."""

    convention: str
    departures: tuple[tuple[int, int], ...]
    """The place of each field that differs, and the place of its answer."""


SHIFTED = {0: "", -1: ", read to k-1", 1: ", read to k+1"}
"""The words for a cutoff that is off by one."""


def match_text(convention: str, departures: Sequence[tuple[str, str]], shift: int) -> str:
    """Return a setting in words.

    Examples
    --------
    >>> match_text("idealrank-1", [("gain", "exp2")], -1)
    'idealrank-1, gain=exp2, read to k-1'
    """
    return ", ".join([convention, *(f"{name}={answer}" for name, answer in departures)]) + SHIFTED[shift]


class _Base(NamedTuple):
    """A convention's measures, and their answers."""

    convention: str
    measures: tuple[Measure, ...]
    codes: tuple[Code, ...]


class NearbySettings:
    """Settings as codes, one per requested measure: the convention's measure and the answers to all fields."""

    def __init__(self, ground: OneSystem, names: Sequence[str], fixed: Mapping[str, Any] | None = None) -> None:
        fixed = fixed or {}
        under = named_settings(ground, names, fixed)
        every = [measure for measures in under.values() for measure in measures]
        read = {name for measure in every for name in measure.definition.decisions}
        self.fields = [name for name in questions() if name in read and name not in _NEVER]
        self._equal = EqualAnswers(ground, len(ground.systems), DEFAULT.but(**fixed))
        self._tried = {name: [] if name in fixed else self._worth_trying(name) for name in self.fields}
        self._answers = {name: _answers(name, self._tried[name], every) for name in self.fields}
        self._same = {name: self._equal.classes(name, answers) for name, answers in self._answers.items()}
        self._kinds: list[tuple[Any, ...]] = []
        self._plain: list[Decisions] = []
        self._lists: dict[Code, Any] = {}
        self._place = {name: place for place, name in enumerate(self.fields, 2)}
        self._list_places = [place for name, place in self._place.items() if name in LISTS]
        self._value_places = [place for name, place in self._place.items() if name not in LISTS | _FILLING]
        self._filling_places = frozenset(place for name, place in self._place.items() if name in _FILLING)
        self.size = self._equal.queries
        self.measure = functools.lru_cache(maxsize=4096)(self._measure)
        self._stated = [self._settled_by(name) for name in names]
        self.bases = [_Base(name, own, tuple(map(self._code, own))) for name, own in under.items()]

    def _code(self, measure: Measure) -> Code:
        """The kind of measure, the shift of its cutoff, and its answers."""
        data = tuple((name, getattr(measure.decisions, name)) for name in _NEVER)
        kind = (measure.definition, measure.cutoff, measure.parameters, data)
        if kind not in self._kinds:
            self._kinds.append(kind)
            self._plain.append(DEFAULT.but(**dict(data)))
        read = measure.definition.decisions
        answers = ((name, getattr(measure.decisions, name)) for name in self.fields)
        codes = (self._same[n][self._answers[n].index(answer)] if n in read else UNREAD for n, answer in answers)
        return (self._kinds.index(kind), 0 if measure.cutoff else UNREAD, *codes)

    def _worth_trying(self, name: str) -> list[Any]:
        """The answers tried in place of a convention's own."""
        grades = self._equal.grades[self._equal.grades > 0][:MOST_LEVELS] if name == "relevant_from" else ()
        return list(dict.fromkeys([*_words(name), *map(float, grades)]))

    def _settled_by(self, name: str) -> frozenset[int]:
        """The places of the fields that a measure's name answers, as P(rel=2)@5 does; they do not change."""
        if isinstance(meaning(name), UsageError):  # one tool's name, which states nothing
            return frozenset()
        stated = []
        for field, place in self._place.items():
            tried = _words(field)[:2]
            answers = {getattr(parse(name, DEFAULT.but(**{field: answer}))[0].decisions, field) for answer in tried}
            stated += [place] if len(answers) < len(tried) else []
        return frozenset(stated)

    def within(self, farthest: int) -> Iterator[tuple[tuple[Code, ...], NearbySetting]]:
        """Yield settings and their codes, the nearest to a convention first; one may have several names."""
        for steps in range(farthest + 1):
            for base in self.bases:
                moves = self._moves(base) if steps else []
                for chosen in itertools.combinations(moves, steps):
                    if all(one[0] != other[0] for one, other in itertools.pairwise(chosen)):
                        yield self._moved(base.codes, chosen), NearbySetting(base.convention, chosen)

    def _moves(self, base: _Base) -> list[tuple[int, int]]:
        """The place of a field and another answer to it, in the order of the fields."""
        shifts = [(1, 1), (1, 2)] if any(code[1] == 0 for code in base.codes) else []
        moves = list(shifts)
        for place, name in enumerate(self.fields, 2):
            now = {code[place] for code in base.codes} - {UNREAD}
            tried = dict.fromkeys(self._same[name][at] for at in range(len(self._tried[name])))
            moves += [(place, answer) for answer in tried if answer != REFUSED and now and now != {answer}]
        return moves

    def _moved(self, codes: tuple[Code, ...], moves: Sequence[tuple[int, int]]) -> tuple[Code, ...]:
        if not moves:
            return codes
        moved = []
        for code, stated in zip(codes, self._stated, strict=True):
            changed = list(code)
            for place, answer in moves:
                if changed[place] != UNREAD and place not in stated:
                    changed[place] = answer
            moved.append(tuple(changed))
        return tuple(moved)

    def departures(self, near: NearbySetting) -> tuple[tuple[tuple[str, str], ...], int]:
        """Return the departures of a setting in words, and by how much the cutoff is off."""
        words = [
            (self.fields[p - 2], answer_text(self._answers[self.fields[p - 2]][a])) for p, a in near.departures if p > 1
        ]
        shift = next((SHIFTS[answer] for place, answer in near.departures if place == 1), 0)
        return tuple(words), shift

    def text(self, near: NearbySetting) -> str:
        """Return a setting in words."""
        return match_text(near.convention, *self.departures(near))

    def formula(self, code: Code) -> Any:
        """A value equal for equal values, before queries without a value are filled and all are averaged."""
        five = tuple(code[place] for place in self._list_places)
        if five not in self._lists:
            self._lists[five] = self._equal.lists(self.measure(code).decisions) if min(five) >= 0 else None
        return (code[0], code[1], self._lists[five], *(code[place] for place in self._value_places))

    def answer(self, code: Code, name: str) -> Any:
        """Return the answer to one decision; None if the measure does not read it."""
        at = code[self._place[name]] if name in self._place else -1
        return self._answers[name][at] if at >= 0 else None

    def unfilled(self, code: Code) -> Code:
        """Return the same setting with default answers about filling and averaging values."""
        return tuple(UNREAD if place in self._filling_places else answer for place, answer in enumerate(code))

    def unrounded(self, code: Code) -> Code:
        """Return the same setting without rounding."""
        place = self._place["rounding"]
        return (*code[:place], self._answers["rounding"].index(()), *code[place + 1 :])

    def _measure(self, code: Code) -> Measure:
        """Build the measure of a code; refuse answers that exclude each other, and a cutoff of 0."""
        (definition, cutoff, parameters, _), plain = self._kinds[code[0]], self._plain[code[0]]
        places = list(zip(self.fields, code[2:], strict=True))
        if refused := [name for name, at in places if at == REFUSED]:
            raise UsageError(f"{refused[0]} cannot have this answer on this data.")
        answers = {name: self._answers[name][at] for name, at in places if at >= 0}
        decisions = plain.but(**{name: answer for name, answer in answers.items() if answer != getattr(plain, name)})
        shifted = cutoff + SHIFTS[code[1]] if cutoff else cutoff
        return Measure(definition, shifted, parameters, decisions)


def by_answers(formula: Any) -> Any:
    """Order formulas so that those with the same answers about values come together, regardless of their lists."""
    kind, shift, lists, *answers = formula
    return kind, answers, shift, str(lists)


def _words(name: str) -> list[Any]:
    """The answers to a decision that are words, and the other answers that are tried."""
    question = questions()[name]
    open_answers = question.form.written if question.form else ()
    words = (word for word in question.answers if word not in open_answers)
    return list(dict.fromkeys(question.read(name, word) for word in (*words, *_OPEN.get(name, ()))))


def _answers(name: str, tried: Sequence[Any], measures: Sequence[Measure]) -> list[Any]:
    """All answers: those that are tried come first."""
    own = (getattr(measure.decisions, name) for measure in measures)
    return list(dict.fromkeys([*tried, *own, *((),) * (name == "rounding")]))
