"""The settings that `identify` tries: named conventions, and those near them, each once for some data.

There are many settings within three departures of all conventions, and most are equal on the data. So a setting is
a `Code` of small integers until its values are needed. Its answers are places among those of each `Field`, and answers
that are equal on the data have the place of the first, so equal settings have equal codes. With the fields
``ties, gain``, ``Code(kind=0, shift=0, answers=(2, 1))`` is the first kind of measure at its own cutoff, with the third
answer to `ties` and the second to `gain`.
"""

import functools
import hashlib
import itertools
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
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
from idealrank.measures.definition import Definition, Measure
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


FILLING = ("no_relevant", "no_results", "failed", "no_judgments", "average")
"""Decisions that act only on the values of the queries."""

UNREAD, REFUSED = -1, -2
"""Stand for the answer to a decision that a measure does not read, and for an answer that is impossible on the data,
such as ordering by a column that is missing."""


class Code(NamedTuple):
    """A setting of one measure.

    Attributes
    ----------
    kind
        The place of its `SettingKind`.
    shift
        By how much its cutoff is off: 0, -1 or 1.
    answers
        For each field the place of its answer, `UNREAD` or `REFUSED`.
    """

    kind: int
    shift: int
    answers: tuple[int, ...]


SHIFT = -1
"""Stands for the shift of the cutoff where departures name the place of a field."""


class NearbySetting(NamedTuple):
    """A setting: a convention and its departures."""

    convention: str
    departures: tuple[tuple[int, int], ...]
    """The place of each field that differs, and the place of its answer; or `SHIFT`, and -1 or 1."""


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


class Field(NamedTuple):
    """A decision that settings differ in.

    Attributes
    ----------
    name
        The decision.
    answers
        Those that are tried, then those of the conventions.
    same
        For each answer the place of the first that gives the same on the data, or `REFUSED`.
    tried
        The places of the answers that settings depart to.
    """

    name: str
    answers: list[Any]
    same: list[int]
    tried: list[int]


class SettingKind(NamedTuple):
    """What settings do not depart from: what is computed, and what is decided about the data itself."""

    definition: Definition
    cutoff: int | None
    parameters: tuple[tuple[str, float], ...]
    data: dict[str, Any]


class Base(NamedTuple):
    """A convention's measures, as they are and as codes."""

    convention: str
    measures: tuple[Measure, ...]
    codes: tuple[Code, ...]


class NearbySettings:
    """Settings as codes, one per requested measure: the convention's measure and the answers to all fields.

    Attributes
    ----------
    fields
        The decisions that settings differ in: those that fill values first, then those that order lists.
    filling, ordering, computing
        The places of the fields that fill and average values, that order the lists, and of all others.
    bases
        The named conventions.
    """

    def __init__(self, ground: SystemUnderTest, names: Sequence[str], fixed: Mapping[str, Any] | None = None) -> None:
        fixed = fixed or {}
        under = named_settings(ground, names, fixed)
        every = [measure for measures in under.values() for measure in measures]
        read = {name for measure in every for name in measure.definition.decisions} - set(_NEVER)
        self.equal = EqualAnswers(ground, DEFAULT.but(**fixed))
        filling, lists = [n for n in FILLING if n in read], [n for n in LISTS if n in read]
        names_of_fields = [*filling, *lists, *(n for n in questions() if n in read - {*filling, *lists})]
        self.filling = slice(len(filling))
        self.ordering = slice(len(filling), len(filling) + len(lists))
        self.computing = slice(self.ordering.stop, None)
        self.fields = [self._field(name, every, name in fixed) for name in names_of_fields]
        self._place = {name: place for place, name in enumerate(names_of_fields)}
        self._kinds: list[SettingKind] = []
        self.bases = [Base(name, own, tuple(map(self._code, own))) for name, own in under.items()]
        self._stated = [self._stated_fields(name) for name in names]
        self._alike = [self._alike_kinds(top) for top in (False, True)]
        self._lists = functools.cache(self._hash_lists)

    def _field(self, name: str, measures: Sequence[Measure], fixed: bool) -> Field:
        grades = self.equal.grades[self.equal.grades > 0][:MOST_LEVELS] if name == "relevant_from" else ()
        tried = [] if fixed else list(dict.fromkeys([*_word_answers(name), *map(float, grades)]))
        answers = list(dict.fromkeys([*tried, *(getattr(measure.decisions, name) for measure in measures)]))
        same = self.equal.classes(name, answers)
        return Field(name, answers, same, [at for at in dict.fromkeys(same[: len(tried)]) if at != REFUSED])

    def _code(self, measure: Measure) -> Code:
        under, read = measure.decisions, measure.definition.decisions
        data = {name: getattr(under, name) for name in _NEVER}
        kind = SettingKind(measure.definition, measure.cutoff, measure.parameters, data)
        if kind not in self._kinds:
            self._kinds.append(kind)
        answers = (
            field.same[field.answers.index(getattr(under, field.name))] if field.name in read else UNREAD
            for field in self.fields
        )
        return Code(self._kinds.index(kind), 0, tuple(answers))

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

    def _alike_kinds(self, top: bool) -> list[int]:
        """For each kind the place of the first with the same values; `top`: where these depend on the highest grade."""
        signs = []
        for definition, cutoff, parameters, data in self._kinds:
            answers = dict(data)
            if self.equal.has_no_duplicates and answers["duplicates"] not in COMBINING:
                del answers["duplicates"]
            declared = answers.pop("max_grade")
            scale = self.equal.top(declared) if top and "max_grade" in definition.reads else None
            signs.append((definition, cutoff, parameters, scale, answers))
        return [signs.index(sign) for sign in signs]

    def within(self, farthest: int) -> Iterator[tuple[tuple[Code, ...], NearbySetting]]:
        """Yield settings and their codes, the nearest to a convention first; one may have several names."""
        first = {base.codes: base for base in reversed(self.bases)}
        for steps in range(farthest + 1):
            for base in self.bases:
                if steps and base is not first[base.codes]:  # what is near it is named after the first
                    continue
                open_places = [
                    self._open_places(code) - stated for code, stated in zip(base.codes, self._stated, strict=True)
                ]
                for moves in itertools.combinations(self._moves(base), steps):
                    if len(dict(moves)) == steps:  # of different fields
                        moved = [_apply_moves(*each, moves) for each in zip(base.codes, open_places, strict=True)]
                        yield tuple(moved), NearbySetting(base.convention, moves)

    def _open_places(self, code: Code) -> set[int]:
        """The places of the fields that a measure reads, and `SHIFT` if it has a cutoff."""
        shift = {SHIFT} if self._kinds[code.kind].cutoff else set()
        return shift | {place for place, at in enumerate(code.answers) if at != UNREAD}

    def _moves(self, base: Base) -> list[tuple[int, int]]:
        """The place of a field and another answer to it, in the order of the decisions; shifts of the cutoff first."""
        moves = [(SHIFT, -1), (SHIFT, 1)] if any(measure.cutoff for measure in base.measures) else []
        for place in [self._place[name] for name in questions() if name in self._place]:
            now = {code.answers[place] for code in base.codes} - {UNREAD}
            moves += [(place, at) for at in self.fields[place].tried if now and now != {at}]
        return moves

    def departures(self, near: NearbySetting) -> tuple[tuple[tuple[str, str], ...], int]:
        """Return the departures of a setting in words, and by how much the cutoff is off."""
        fields = [(self.fields[place], at) for place, at in near.departures if place != SHIFT]
        words = tuple((field.name, answer_text(field.answers[at])) for field, at in fields)
        return words, dict(near.departures).get(SHIFT, 0)

    def text(self, near: NearbySetting) -> str:
        """Return a setting in words."""
        return match_text(near.convention, *self.departures(near))

    def formula(self, code: Code) -> tuple[Any, ...]:
        """A value equal for equal values, before queries without a value are filled and all are averaged."""
        return code.kind, code.answers[self.computing], code.shift, self._lists(code.answers[self.ordering])

    def same_values(self, code: Code) -> tuple[Any, ...]:
        """The same, equal also for kinds of measure that are alike on this data."""
        reads_top = self.answer(code, "ideal") in (None, "max")
        return self._alike[reads_top][code.kind], *self.formula(code)[1:]

    def _hash_lists(self, ordering: tuple[int, ...]) -> str:
        """A value that is equal for equal lists; "" if an answer is impossible or the measure reads none."""
        if min(ordering, default=UNREAD) < 0:
            return ""
        return self.equal.lists(self.read(self.ordering, ordering))

    def read(self, part: slice, answers: tuple[int, ...]) -> Decisions:
        """Return the decisions of a part of the fields from its places; the others have their default answers."""
        fields = zip(self.fields[part], answers, strict=True)
        return DEFAULT.with_read({field.name: field.answers[at] for field, at in fields if at >= 0})

    def answer(self, code: Code, name: str) -> Any:
        """Return the answer to one decision; None if the measure does not read it."""
        at = code.answers[self._place[name]] if name in self._place else UNREAD
        return None if at < 0 else self.fields[self._place[name]].answers[at]

    def unfilled(self, code: Code) -> Code:
        """Return the same setting with default answers about filling and averaging values."""
        return code._replace(answers=(UNREAD,) * self.filling.stop + code.answers[self.filling.stop :])

    def measure(self, code: Code) -> Measure:
        """Return the measure of a code; refuse answers that exclude each other, and a cutoff of 0."""
        kind, answers = self._kinds[code.kind], {}
        for field, at in zip(self.fields, code.answers, strict=True):
            if at == REFUSED:
                raise UsageError(f"{field.name} cannot have this answer on this data.")
            if at != UNREAD:
                answers[field.name] = field.answers[at]
        cutoff = kind.cutoff and kind.cutoff + code.shift
        return Measure(kind.definition, cutoff, kind.parameters, DEFAULT.with_read(kind.data | answers))


def _apply_moves(code: Code, open_places: set[int], moves: Iterable[tuple[int, int]]) -> Code:
    shift, answers = code.shift, [*code.answers]
    for place, at in moves:
        if place == SHIFT:
            shift = at if SHIFT in open_places else shift
        elif place in open_places:
            answers[place] = at
    return Code(code.kind, shift, tuple(answers))


_SAME_VALUES = (("unjudged", "complete"),)
"""Answers with the values of another: what differs is what a verdict says."""


def _word_answers(name: str) -> list[Any]:
    """The answers to a decision that are words, and the other answers that are tried."""
    question = questions()[name]
    open_answers = question.form.written if question.form else ()
    words = (word for word in question.answers if word not in open_answers and (name, word) not in _SAME_VALUES)
    return list(dict.fromkeys(question.read(name, word) for word in (*words, *_OPEN.get(name, ()))))


# Answers that give the same.


_PLAIN = ("docid_desc", "docid_asc", "given")
"""Answers to `ties` that order the documents regardless of their grades."""

LISTS = ("systems", "order_by", "rank_gaps", "ties", "score_precision")
"""Decisions about which results there are, and their order."""

_MISSING = ("unjudged", "negative", "no_results", "no_judgments", "failed")
"""Decisions about what is not there."""


class EqualAnswers:
    """The effect of answers on the lists, the grades and the queries of some data."""

    def __init__(self, ground: SystemUnderTest, base: Decisions = DEFAULT) -> None:
        self._ground, self._base = ground, base
        # The rows of all systems can be one ranking if no two returned one document for one query.
        pools = len(ground.systems) > 1 and ground.is_readable(base.but(systems="pooled"))
        self._pooled = ("separate", "pooled") if pools else ("separate",)
        self._orders = [order for order in ("score", "rank", "given") if self._resolve_order(order) is not None]

    def classes(self, name: str, answers: list[Any]) -> list[int]:
        """For each answer the place of the first one that gives the same, or `REFUSED`."""
        signs = [self._signature(name, answer) for answer in answers]
        return [REFUSED if sign is None else signs.index(sign) for sign in signs]

    def _signature(self, name: str, answer: Any) -> Any:
        """Return a value that is equal for answers that give the same; None for one that is impossible."""
        if name in LISTS:
            return self._list_signature(name, answer)
        if name == "relevant_from":
            return reaches(self.grades, answer).tobytes()
        if name == "gain":
            try:
                return gains(self.grades, self._base.but(gain=answer)).tobytes()
            except DataError:
                return None
        if name not in _MISSING:
            return answer
        unnamed = answer == "skip_missing" and not self._ground.lists(self._base).named_but_empty
        return "" if name not in self._matter else "skip" if unnamed else answer

    @functools.cached_property
    def _matter(self) -> set[str]:
        """Which decisions about what is not there matter for the data."""
        matter: set[str] = set()
        for systems in self._pooled:
            joined = self._ground.lists(self._base.but(systems=systems))
            below, empty = self.grades[0] < 0, joined.judged.returned == 0
            holes = below or joined.judged.returned.sum() > joined.judged.hit_start[-1]
            held = (holes, below, (empty & ~joined.failed).any(), bool(joined.unjudged_queries), joined.failed.any())
            matter.update(itertools.compress(_MISSING, held))
        return matter

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

    def _list_signature(self, name: str, answer: Any) -> Any:
        if name == "systems":
            return self._resolve_systems(answer) if self._resolve_systems(answer) in self._pooled else None
        if name == "order_by" and self._resolve_order(answer) is None:
            return None
        if name == "ties" and answer not in _PLAIN:
            if self._has_ties:
                return answer
            answer = _PLAIN[0]
        answers = (self._pooled, self._orders, ("close", "keep"), _PLAIN, ("float64", "float32"))
        tried = dict(zip(LISTS, answers, strict=True))
        every = itertools.product(*(tried | {name: [answer]}).values())
        return tuple(self.lists(self._base.but(**dict(zip(LISTS, one, strict=True)))) for one in every)

    @functools.cached_property
    def _has_ties(self) -> bool:
        """Whether any judged result shares its score or rank, regardless of how the list is ordered."""
        every = itertools.product(self._pooled, self._orders)
        return any(self._hash_lists(*one, "close", _PLAIN[0], "float32")[1] for one in every)

    def _resolve_systems(self, answer: str) -> str:
        return "pooled" if len(self._ground.results.systems) > 1 and self._ground.results.pools(answer) else "separate"

    def _resolve_order(self, order_by: str) -> str | None:
        try:
            return self._ground.results.order(order_by)
        except NoColumnError:
            return None

    def lists(self, decisions: Decisions) -> str:
        """A value that is equal for equal lists under the decisions that order them.

        Raises
        ------
        NoColumnError
            If the order needs a column that is missing from the results.
        """
        order, ties = self._ground.results.order(decisions.order_by), decisions.ties
        digest, _ = self._hash_lists(
            self._resolve_systems(decisions.systems) if len(self._pooled) > 1 else "separate",
            order,
            decisions.rank_gaps if order == "rank" else "close",
            ties if ties in _PLAIN and order != "given" else _PLAIN[0],
            decisions.score_precision if order == "score" else "float64",
        )
        return digest if ties in _PLAIN or not self._has_ties else f"{digest} {ties}"

    @functools.cache  # noqa: B019 - lives as long as one search
    def _hash_lists(self, *answers: str) -> tuple[str, bool]:
        """Return a hash of the judged results under answers to `LISTS`, and whether any is tied."""
        judged = self._ground.lists(self._base.but(**dict(zip(LISTS, answers, strict=True)))).judged
        digest = hashlib.blake2b(judged.returned.tobytes(), digest_size=16)
        rank, _, entry, _, first, last = judged.hits(0, len(judged.returned))
        for values in (judged.hit_start, rank, entry, first, last):
            digest.update(np.ascontiguousarray(values).tobytes())
        return f"{answers[0]} {digest.hexdigest()}", bool((first != last).any())


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
