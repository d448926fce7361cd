"""The settings that `identify` tries: named conventions, and those near them, each once for some data.

There are many settings within three departures of all conventions, and most are equal on the data. So a setting is
a `Code`, a tuple of small integers, until its values are needed: a departure changes one integer, equal settings
are equal tuples and appear once in a dict, and anything several settings share (the lists, the values before they
are filled) is looked up by a part of the tuple. A measure with all its decisions is built only for the few settings
that are computed.

The first two integers of a code are the kind of measure (its place among those seen: definition, cutoff,
parameters) and the place of its shift in `SHIFTS`, `UNREAD` without a cutoff. One integer for each of `fields`
follows: the place of the answer among the answers to that decision, where answers that are equal on the data have
the place of the first; `UNREAD` where the measure does not read the decision, `REFUSED` where the data does not
allow the answer. With the fields ``ties, gain``, ``(0, 0, 2, 1)`` is the first measure at its own cutoff, with the
third answer to `ties` and the second to `gain`.
"""

import functools
import hashlib
import itertools
import operator
from collections import Counter
from collections.abc import Callable, Container, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np

from idealrank.conventions import CONVENTIONS, parse_convention
from idealrank.data.duplicates import COMBINING
from idealrank.decisions.decisions import DEFAULT, Decisions, questions
from idealrank.decisions.question import answer_text
from idealrank.errors import DataError, NoColumnError, UsageError
from idealrank.evaluation.joins import SystemUnderTest
from idealrank.evaluation.requested_measures import measures_under
from idealrank.judged_lists.lists import reaches
from idealrank.measures import parse
from idealrank.measures.definition import Measure
from idealrank.measures.gains import gains

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


class Filling(NamedTuple):
    """The answers to the decisions that act only on the values of the queries; None where the measure reads none."""

    no_relevant: str | None
    no_results: str | None
    failed: str | None
    no_judgments: str | None
    average: str


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
    >>> match_text("terrier-4.0, order_by=auto", [("order_by", "given")], 0)
    'terrier-4.0, order_by=given'
    """
    # A convention may need an answer on some data, and a departure may give another one in its place.
    departed = {name for name, _ in departures}
    name, *needed = convention.split(", ")
    kept = [answer for answer in needed if answer.partition("=")[0] not in departed]
    return ", ".join([name, *kept, *(f"{field}={answer}" for field, answer in departures)]) + SHIFTED[shift]


class _Base(NamedTuple):
    """A convention's measures, and their answers."""

    convention: str
    measures: tuple[Measure, ...]
    codes: tuple[Code, ...]


class NearbySettings:
    """Settings as codes, one per requested measure: the convention's measure and the answers to all fields."""

    def __init__(self, ground: SystemUnderTest, names: Sequence[str], fixed: Mapping[str, Any] | None = None) -> None:
        fixed = fixed or {}
        under = named_settings(ground, names, fixed)
        every = [measure for measures in under.values() for measure in measures]
        read = {name for measure in every for name in measure.definition.decisions}
        self.fields = [name for name in questions() if name in read and name not in _NEVER]
        self._equal = EqualAnswers(ground, len(ground.systems), DEFAULT.but(**fixed))
        self._tried = {name: [] if name in fixed else self._answers_to_try(name) for name in self.fields}
        self._answers = {name: _all_answers(name, self._tried[name], every) for name in self.fields}
        self._same = {name: self._equal.classes(name, answers) for name, answers in self._answers.items()}
        self._kinds: list[tuple[Any, ...]] = []
        self._plain: list[Decisions] = []
        self._lists: dict[Code, Any] = {}
        self._fillings: dict[Code, Filling] = {}
        self._place = {name: place for place, name in enumerate(self.fields, 2)}
        self._list_part, self._filling_part = self._part(LISTS), self._part(Filling._fields)
        self._value_part = self._part(set(self.fields) - LISTS - set(Filling._fields))
        self._arranging_part = self._part(LISTS | {"unjudged", "negative", "gain"})
        self._filling_places = frozenset(place for name, place in self._place.items() if name in Filling._fields)
        self.size = self._equal.queries
        self.measure = functools.lru_cache(maxsize=4096)(self._build_measure)
        self._stated = [self._stated_fields(name) for name in names]
        self.bases = [_Base(name, own, tuple(map(self._code, own))) for name, own in under.items()]
        self._first: dict[Any, Code] = {}
        self._alike = (self._alike_kinds(top=False), self._alike_kinds(top=True))

    def _part(self, names: Container[str]) -> Callable[[Code], tuple[int, ...]]:
        """Return what takes the answers to some decisions out of a code."""
        places = [place for name, place in self._place.items() if name in names]
        if len(places) > 1:
            return operator.itemgetter(*places)
        return lambda code: tuple(code[place] for place in places)

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

    def _answers_to_try(self, name: str) -> list[Any]:
        """The answers tried in place of a convention's own."""
        grades = self._equal.grades[self._equal.grades > 0][:MOST_LEVELS] if name == "relevant_from" else ()
        return list(dict.fromkeys([*_word_answers(name), *map(float, grades)]))

    def _stated_fields(self, name: str) -> frozenset[int]:
        """The places of the fields that a measure's name answers, as P(rel=2)@5 does; they do not change."""
        if isinstance(meaning(name), UsageError):  # one tool's name, which states nothing
            return frozenset()
        stated = []
        for field, place in self._place.items():
            tried = _word_answers(field)[:2]
            answers = {getattr(parse(name, DEFAULT.but(**{field: answer}))[0].decisions, field) for answer in tried}
            stated += [place] if len(answers) < len(tried) else []
        return frozenset(stated)

    def within(self, farthest: int) -> Iterator[tuple[tuple[Code, ...], NearbySetting]]:
        """Yield settings and their codes, the nearest to a convention first; one may have several names."""
        for steps in range(farthest + 1):
            for base in self.bases:
                if not steps:
                    yield base.codes, NearbySetting(base.convention, ())
                    continue
                for codes, chosen in self._apply_moves(base.codes, self._moves(base), steps):
                    yield codes, NearbySetting(base.convention, chosen)

    def _moves(self, base: _Base) -> list[tuple[int, int]]:
        """The place of a field and another answer to it, in the order of the fields."""
        shifts = [(1, 1), (1, 2)] if any(code[1] == 0 for code in base.codes) else []
        moves = list(shifts)
        for place, name in enumerate(self.fields, 2):
            now = {code[place] for code in base.codes} - {UNREAD}
            tried = dict.fromkeys(self._same[name][at] for at in range(len(self._tried[name])))
            moves += [(place, answer) for answer in tried if answer != REFUSED and now and now != {answer}]
        return moves

    def _apply_moves(
        self, codes: tuple[Code, ...], moves: Sequence[tuple[int, int]], steps: int
    ) -> Iterator[tuple[tuple[Code, ...], tuple[tuple[int, int], ...]]]:
        """Yield the codes after every choice of so many moves of different fields, and the choice."""
        for at, move in enumerate(moves):
            place, answer = move
            moved = tuple(
                [
                    code if code[place] == UNREAD or place in stated else (*code[:place], answer, *code[place + 1 :])
                    for code, stated in zip(codes, self._stated, strict=True)
                ]
            )
            if steps == 1:
                yield moved, (move,)
                continue
            others = [other for other in moves[at + 1 :] if other[0] != place]
            for changed, chosen in self._apply_moves(moved, others, steps - 1):
                yield changed, (move, *chosen)

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
        five = self._list_part(code)
        if five not in self._lists:
            self._lists[five] = self._equal.lists(self.measure(code).decisions) if min(five) >= 0 else None
        return (code[0], code[1], self._lists[five], *self._value_part(code))

    def arranging(self, code: Code) -> Any:
        """A value equal for settings under which a measure reads the same lists, cut to no depth."""
        return code[0], self._arranging_part(code)

    def same_values(self, code: Code) -> Code:
        """The first code asked for whose values are the same before any is filled, also of kinds alike on this data."""
        _, shift, lists, *answers = self.formula(code)
        reads_top = "ideal" not in self._place or self.answer(code, "ideal") in (None, "max")
        # An exact average over all orders may be refused because of the answer to `no_relevant`.
        averaged = lists is None or lists[1] == "average"
        undefined = code[self._place["no_relevant"]] if averaged and "no_relevant" in self._place else UNREAD
        key = (self._alike[reads_top][code[0]], shift, lists, *answers, undefined)
        return self._first.setdefault(key, code)

    def _alike_kinds(self, top: bool) -> list[int]:
        """For each kind the place of the first with the same values; `top`: where these depend on the highest grade."""
        signs = []
        for definition, cutoff, parameters, data in self._kinds:
            answers = dict(data)
            if self._equal.has_no_duplicates and answers["duplicates"] not in COMBINING:
                del answers["duplicates"]
            declared = answers.pop("max_grade")
            scale = self._equal.top(declared) if top and "max_grade" in definition.reads else None
            signs.append((definition, cutoff, parameters, scale, answers))
        return [signs.index(sign) for sign in signs]

    def answer(self, code: Code, name: str) -> Any:
        """Return the answer to one decision; None if the measure does not read it."""
        at = code[self._place[name]] if name in self._place else -1
        return self._answers[name][at] if at >= 0 else None

    def filling(self, code: Code) -> Filling:
        """Return the answers about filling and averaging values."""
        some = self._filling_part(code)
        if some not in self._fillings:
            self._fillings[some] = Filling(*(self.answer(code, name) for name in Filling._fields))
        return self._fillings[some]

    def unfilled(self, code: Code) -> Code:
        """Return the same setting with default answers about filling and averaging values."""
        return tuple(UNREAD if place in self._filling_places else answer for place, answer in enumerate(code))

    def unrounded(self, code: Code) -> Code:
        """Return the same setting without rounding."""
        place = self._place["rounding"]
        return (*code[:place], self._answers["rounding"].index(()), *code[place + 1 :])

    def _build_measure(self, code: Code) -> Measure:
        """Build the measure of a code; refuse answers that exclude each other, and a cutoff of 0."""
        (definition, cutoff, parameters, _), plain = self._kinds[code[0]], self._plain[code[0]]
        places = list(zip(self.fields, code[2:], strict=True))
        if refused := [name for name, at in places if at == REFUSED]:
            raise UsageError(f"{refused[0]} cannot have this answer on this data.")
        decisions = plain.with_read({name: self._answers[name][at] for name, at in places if at >= 0})
        shifted = cutoff + SHIFTS[code[1]] if cutoff else cutoff
        return Measure(definition, shifted, parameters, decisions)


def answers_first(formula: Any) -> Any:
    """Order formulas so that those with the same answers about values come together, regardless of their lists."""
    kind, shift, lists, *answers = formula
    return kind, answers, shift, str(lists)


_SAME_VALUES = (("unjudged", "complete"),)
"""Answers with the values of another: what differs is what a verdict says."""


def _word_answers(name: str) -> list[Any]:
    """The answers to a decision that are words, and the other answers that are tried."""
    question = questions()[name]
    open_answers = question.form.written if question.form else ()
    words = (word for word in question.answers if word not in open_answers and (name, word) not in _SAME_VALUES)
    return list(dict.fromkeys(question.read(name, word) for word in (*words, *_OPEN.get(name, ()))))


def _all_answers(name: str, tried: Sequence[Any], measures: Sequence[Measure]) -> list[Any]:
    """All answers: those that are tried come first."""
    own = (getattr(measure.decisions, name) for measure in measures)
    return list(dict.fromkeys([*tried, *own, *((),) * (name == "rounding")]))


# Answers that give the same.


REFUSED = -2
"""Stands for an answer that is impossible on the data, such as ordering by a column that is missing."""

_PLAIN = ("docid_desc", "docid_asc", "given")
"""Answers to `ties` that order the documents regardless of their grades."""

LISTS = frozenset({"systems", "order_by", "rank_gaps", "ties", "score_precision"})
"""Decisions about which results there are, and their order."""


class EqualAnswers:
    """The effect of answers on the lists, the grades and the queries of some data."""

    def __init__(self, ground: SystemUnderTest, systems: int, base: Decisions = DEFAULT) -> None:
        self._ground, self._base = ground, base
        self._pooled = ("separate", "pooled") if systems > 1 and _can_pool(ground, base) else ("separate",)
        self._orders = [order for order in ("score", "rank", "given") if self._resolve_order(order) is not None]

    def classes(self, name: str, answers: list[Any]) -> list[int]:
        """For each answer the place of the first one that gives the same, or `REFUSED`."""
        signs = [self._signature(name, answer) for answer in answers]
        return [REFUSED if sign is None else signs.index(sign) for sign in signs]

    def _signature(self, name: str, answer: Any) -> Any:
        if name in LISTS:
            return self._list_signature(name, answer)
        if name in ("unjudged", "negative", "no_results", "no_judgments", "failed"):
            return self._without_row(answer) if self._matters(name) else ""
        if name == "relevant_from":
            return reaches(self.grades, answer).tobytes()
        if name == "gain":
            return self._gain_signature(answer)
        return answer

    def _without_row(self, answer: Any) -> Any:
        """Use skip for skip_missing if no row names a query without results."""
        named = answer == "skip_missing" and self._ground.lists(self._base).named_but_empty
        return "skip" if answer == "skip_missing" and not named else answer

    def _gain_signature(self, answer: Any) -> Any:
        try:
            return gains(self.grades, self._base.but(gain=answer)).tobytes()
        except DataError:
            return None

    def _matters(self, name: str) -> bool:
        """Whether a decision matters for the data."""
        ground = self._ground
        for systems in self._pooled:
            decisions = self._base.but(systems=systems)
            judged = ground.lists(decisions).judged
            holes = judged.returned.sum() > judged.hit_start[-1]
            held = {
                "negative": self.grades[0] < 0,
                "unjudged": holes or self.grades[0] < 0,
                "no_results": bool(((judged.returned == 0) & ~ground.lists(decisions).failed).any()),
                "failed": bool(ground.lists(decisions).failed.any()),
                "no_judgments": bool(ground.lists(decisions).unjudged_queries),
            }
            if held[name]:
                return True
        return False

    @functools.cached_property
    def has_no_duplicates(self) -> bool:
        """Whether no document is judged or returned twice, so that it does not matter which of two rows counts."""
        try:
            for systems in self._pooled:
                self._ground.lists(self._base.but(duplicates="error", systems=systems))
        except DataError:
            return False
        return True

    def top(self, declared: Any) -> float:
        """The highest grade on the scale, under an answer to `max_grade`."""
        return self._ground.lists(self._base.but(max_grade=declared)).max_grade

    @functools.cached_property
    def grades(self) -> Any:
        """The grades there are, and 0, the lowest first."""
        return np.unique(np.append(self._ground.lists(self._base).pool.grade, 0.0))

    @property
    def queries(self) -> int:
        """Number of judged queries."""
        return self._ground.lists(self._base).size

    def _list_signature(self, name: str, answer: Any) -> Any:
        if name == "systems":
            return self._resolve_systems(answer) if self._resolve_systems(answer) in self._pooled else None
        if name == "order_by" and self._resolve_order(answer) is None:
            return None
        if name == "ties" and answer not in _PLAIN and self._has_ties:
            return answer
        fixed = {"ties": _PLAIN[0]} if name == "ties" and answer not in _PLAIN else {name: answer}
        tried = {
            "systems": self._pooled, "order_by": self._orders, "rank_gaps": ("close", "keep"), "ties": _PLAIN,
            "score_precision": ("float64", "float32"),
        }  # fmt: skip
        every = [[fixed[key]] if key in fixed else list(answers) for key, answers in tried.items()]
        return tuple(
            self.lists(self._base.but(**dict(zip(tried, one, strict=True)))) for one in itertools.product(*every)
        )

    @functools.cached_property
    def _has_ties(self) -> bool:
        """Whether any judged result shares its score or rank, regardless of how the list is ordered."""
        return any(
            self._hash_lists(systems, order, "docid_desc", "float32", "close")[1]
            for systems in self._pooled
            for order in self._orders
        )

    def _resolve_systems(self, answer: str) -> str:
        return "pooled" if len(self._ground.results.systems) > 1 and self._ground.results.pools(answer) else "separate"

    def _resolve_order(self, order_by: str) -> str | None:
        try:
            return self._ground.results.order(order_by)
        except NoColumnError:
            return None

    def lists(self, decisions: Decisions) -> tuple[str, str]:
        """A value that is equal for equal lists under the decisions that order them.

        Raises
        ------
        NoColumnError
            If the order needs a column that is missing from the results.
        """
        order = self._ground.results.order(decisions.order_by)
        ties = decisions.ties if decisions.ties in _PLAIN else _PLAIN[0]
        precision = decisions.score_precision if order == "score" else "float64"
        gaps = decisions.rank_gaps if order == "rank" else "close"
        pooled = self._resolve_systems(decisions.systems) if len(self._pooled) > 1 else "separate"
        ties = _PLAIN[0] if order == "given" else ties
        kind = decisions.ties if decisions.ties not in _PLAIN and self._has_ties else ""
        return self._hash_lists(pooled, order, ties, precision, gaps)[0], kind

    @functools.cache  # noqa: B019 - lives as long as one search
    def _hash_lists(self, systems: str, order: str, ties: str, precision: str, gaps: str) -> tuple[str, bool]:
        under = self._base.but(systems=systems, order_by=order, ties=ties, score_precision=precision, rank_gaps=gaps)
        judged = self._ground.lists(under).judged
        digest = hashlib.blake2b(judged.returned.tobytes(), digest_size=16)
        rank, _, entry, _, first, last = judged.hits(0, len(judged.returned))
        for values in (judged.hit_start, rank, entry, first, last):
            digest.update(np.ascontiguousarray(values).tobytes())
        return f"{systems} {digest.hexdigest()}", bool((first != last).any())


def _can_pool(ground: SystemUnderTest, base: Decisions) -> bool:
    """Whether the rows of all systems can be one ranking: no two returned one document for one query."""
    return ground.is_readable(base.but(systems="pooled"))


# The named settings.


MeasuresBySetting = dict[str, tuple[Measure, ...]]
"""The requested measures under each setting, by its text."""


def named_settings(ground: SystemUnderTest, names: Sequence[str], fixed: Mapping[str, Any]) -> MeasuresBySetting:
    """Return the measures under each convention that has them all and can be computed on the data.

    If a convention orders by a column that is missing from the results, they are ordered by an existing one: the
    tool itself must have been given other data.

    Parameters
    ----------
    names
        The measures.
    fixed
        Answers that apply to each.

    Raises
    ------
    UsageError
        If no convention has them.
    """
    settings: MeasuresBySetting = {}
    for convention in CONVENTIONS.values():
        for text in (convention.name, *([f"{convention.name}, faults=on"] if convention.switched else [])):
            for needed in _needed_answers(ground, fixed):
                measures = _read_measures(text, names, {**fixed, **needed})
                if measures is not None and _is_computable(ground, measures):
                    settings[", ".join([text, *(f"{n}={a}" for n, a in needed.items())])] = measures
                    break
    if not settings:
        raise _refusal(names, fixed)
    # Settings for which the data had to be read differently come last.
    return dict(sorted(settings.items(), key=lambda one: one[0].endswith(", order_by=auto")))


def _needed_answers(ground: SystemUnderTest, fixed: Mapping[str, Any]) -> Iterator[dict[str, str]]:
    """Yield the answers a setting may need on this data: none, one system at a time, an existing order."""
    apart = [{}, {"systems": "separate"}] if ground.apart and "systems" not in fixed else [{}]
    order = [{}] if "order_by" in fixed else [{}, {"order_by": "auto"}]
    yield from (one | other for other in order for one in apart)


def _is_computable(ground: SystemUnderTest, measures: Sequence[Measure]) -> bool:
    try:
        for measure in measures:
            ground.results.order(measure.decisions.order_by)
    except NoColumnError:
        return False
    return all(ground.is_readable(measure.decisions) for measure in measures)


def _read_measures(setting: str, names: Sequence[str], fixed: Mapping[str, Any]) -> tuple[Measure, ...] | None:
    """The measures as a setting defines them; None if it does not support them all."""
    try:
        return tuple(measures_under(parse_convention(setting, dict(fixed)), [name])[0] for name in names)
    except (UsageError, DataError):
        return None


def meaning(name: str) -> Measure | UsageError:
    """Return the measure a name means, or the error if it means none."""
    try:
        return parse(name)[0]
    except UsageError as refusal:
        return refusal


def most_frequent(refusals: Sequence[UsageError | DataError]) -> UsageError | DataError:
    """Return the error that most settings gave where none can be computed, the first of these.

    Examples
    --------
    >>> most_frequent([UsageError("a"), DataError("b"), DataError("b")])
    DataError('b')
    """
    often, _ = Counter(map(str, refusals)).most_common(1)[0]
    return next(refusal for refusal in refusals if str(refusal) == often)


def _refusal(names: Sequence[str], fixed: Mapping[str, Any]) -> UsageError:
    """Say why no convention has all measures."""
    for name in names:
        lacking = meaning(name)
        if isinstance(lacking, UsageError) and all(
            _read_measures(convention, [name], fixed) is None for convention in CONVENTIONS
        ):
            return lacking
    return UsageError(f"No convention computes {' and '.join(names)} on this data. Ask for one at a time.")
