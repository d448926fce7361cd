"""identify: which convention a printed number was computed under."""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from idealrank.conventions import CONVENTIONS, Setting, parse_convention
from idealrank.decisions import Decisions, questions
from idealrank.errors import DataError, StrangersError, UsageError
from idealrank.evaluation import measures_under
from idealrank.ground import Ground
from idealrank.measures import Measure, parse
from idealrank.table import Table

FARTHEST = 3
"""So many decisions at most may depart from a named convention."""

ALIKE = 12
"""Decimals in which values agree that are the same number."""

_OPEN: dict[str, tuple[Any, ...]] = {
    "discount": ("log(2)",),
    "relevant_from": (2, "positive"),
    "rounding": ("query,half_up,2", "term,floor,2+query,floor,2"),
}
"""What is tried of answers that may be anything; the words of a decision are all tried."""

_NEVER = ("raters", "duplicates", "weights", "max_grade")
"""Decisions about the data itself."""


class Printed(NamedTuple):
    """A number as somebody printed it."""

    measure: str
    text: str

    @property
    def digits(self) -> int:
        """Decimals that count."""
        return len(self.text.partition(".")[2])

    def matches(self, value: float) -> bool:
        """Whether the value rounds, or is cut off, to the printed digits."""
        if math.isnan(value):
            return False
        unit, wanted = 10.0**-self.digits, float(self.text)
        slack = 1e-9 * max(1.0, abs(value))
        rounded = abs(value - wanted) <= unit / 2 + slack
        beyond = math.copysign(1.0, wanted) * (value - wanted)
        cut = -slack <= beyond < unit - slack
        return rounded or cut


class Match(NamedTuple):
    """A setting under which every printed number comes out."""

    convention: str
    departures: tuple[tuple[str, str], ...]
    values: tuple[float, ...]

    @property
    def text(self) -> str:
        """The setting as `parse_convention` reads it back."""
        return ", ".join([self.convention, *(f"{name}={answer}" for name, answer in self.departures)])


@dataclass(frozen=True, eq=False)
class Identification:
    """The settings that give some printed numbers.

    Attributes
    ----------
    printed
        The numbers.
    classes
        Settings that are equal on every query stand together, the ones nearest to a named convention first.
    tried
        How many different settings were computed.
    between
        A query, and its values under the first two classes, that would tell them apart; "" where one is enough.
    """

    printed: tuple[Printed, ...]
    classes: tuple[tuple[Match, ...], ...]
    tried: int
    between: str = ""

    @property
    def identified(self) -> bool:
        """Whether a single class gives the numbers."""
        return len(self.classes) == 1

    @property
    def text(self) -> str:
        """The answer in one line."""
        said = " ".join(f"{one.measure}={one.text}" for one in self.printed)
        if not self.classes:
            return f"{said}: no setting within reach of a convention gives this ({self.tried} tried)"
        names = "; ".join(match.text for match in self.classes[0][:3])
        if self.identified:
            return f"{said}: identified as {names}"
        return f"{said}: ambiguous, {len(self.classes)} classes; nearest {names}"

    @property
    def table(self) -> Table:
        """One row a class: the nearest setting, how many departures it has, how many settings are in it."""
        rows: dict[str, Any] = {
            "setting": [found[0].text for found in self.classes],
            "departures": np.array([len(found[0].departures) for found in self.classes], np.int64),
            "alike": np.array([len(found) for found in self.classes], np.int64),
        }
        for place, one in enumerate(self.printed):
            rows[one.measure] = np.array([found[0].values[place] for found in self.classes], np.float64)
        return Table(rows, "classes")

    def to_dict(self) -> dict[str, Any]:
        """Return everything as plain values, for JSON."""
        classes = [[match.text for match in group] for group in self.classes]
        return {
            "printed": {one.measure: one.text for one in self.printed},
            "identified": self.identified,
            "classes": classes,
            "tried": self.tried,
            "between": self.between,
        }

    def __repr__(self) -> str:
        parts = [self.text]
        parts += [repr(self.table)] if len(self.classes) > 1 else []
        return "\n\n".join([*parts, *([self.between] if self.between else [])])


def identify(
    judgments: Any,
    results: Any,
    printed: Mapping[str, object],
    *,
    system: str | None = None,
    departures: int = 2,
) -> Identification:
    """Find the conventions under which printed numbers come out.

    Named conventions are tried first, then up to three departures from each. Answers that change no
    value on this data are left out.

    Parameters
    ----------
    judgments, results, system
        As for `evaluate`.
    printed
        Measure to number as printed, as text: its digits count.
    departures
        At most so many decisions depart from a named convention: 0 to 3; three take long.

    Raises
    ------
    UsageError
        If a number is none, or no measure was given.

    Examples
    --------
    >>> import idealrank as ir
    >>> qrels = {"q": {"a": 3, "b": 1, "c": 2}, "r": {"x": 1, "y": 2}}
    >>> run = {"q": {"b": 3.0, "a": 2.0}, "r": {"x": 2.0}}
    >>> found = ir.identify(qrels, run, {"nDCG@10": "0.4260"}, departures=1)
    >>> "idealrank-1, gain=exp2" in [match.text for matches in found.classes for match in matches]
    True
    """
    asked = tuple(Printed(measure, _number(measure, text)) for measure, text in printed.items())
    if departures not in range(FARTHEST + 1):
        raise UsageError(f"departures={departures}: 0 to {FARTHEST} decisions may depart from a convention.")
    if not asked:
        raise UsageError("No numbers given. Give at least one, as nDCG@10=0.437.")
    for one in asked:
        parse(one.measure)
    search = _Search(Ground(judgments, results, system), asked)
    matches = list(search.matches(departures))
    classes = search.classes(matches)
    return Identification(asked, classes, search.tried, search.between(classes))


def _number(measure: str, text: object) -> str:
    words = str(text).strip()
    try:
        finite = math.isfinite(float(words))
    except ValueError:
        finite = False
    if not finite:
        raise UsageError(f"{measure}={words}: not a number. Give it as it was printed, as 0.437.")
    return words


class _Search:
    """Walks the settings around the named conventions; what was computed once is not computed again."""

    def __init__(self, ground: Ground, printed: tuple[Printed, ...]) -> None:
        self.ground, self.printed = ground, printed
        self._means: dict[Measure, float] = {}
        self._seen: set[tuple[str, Decisions]] = set()

    @property
    def tried(self) -> int:
        return len(self._means)

    def matches(self, farthest: int) -> Iterator[Match]:
        for steps in range(farthest + 1):
            for name in CONVENTIONS:
                for departures in self._around(name, steps):
                    match = self._match(name, departures)
                    if match is not None:
                        yield match

    def _around(self, name: str, steps: int) -> Iterator[tuple[tuple[str, Any], ...]]:
        moving = self._moving(name) if steps else []
        for chosen in itertools.combinations(moving, steps):
            fields = [field for field, _ in chosen]
            if len(set(fields)) == steps:
                yield chosen

    def _moving(self, name: str) -> list[tuple[str, Any]]:
        """The single departures from a convention that change the value of some query, each kind once."""
        base = self._measures(name, {})
        if base is None:
            return []
        found, kinds = [], {self._key(base)}
        for field, question in questions().items():
            if field in _NEVER:
                continue
            open_answer = question.form.written if question.form else ""
            for answer in (*(word for word in question.answers if word != open_answer), *_OPEN.get(field, ())):
                measures = self._measures(name, {field: answer})
                if measures is not None and (key := self._key(measures)) not in kinds:
                    kinds.add(key)
                    found.append((field, answer))
        return found

    def _measures(self, name: str, answers: dict[str, Any]) -> list[Measure] | None:
        try:
            setting = parse_convention(name, answers)
            found = [measures_under(setting, [one.measure])[0] for one in self.printed]
            for measure in found:
                self._mean(measure)
        except StrangersError:
            raise
        except (UsageError, DataError):
            return None
        return found

    def _mean(self, measure: Measure) -> float:
        if measure not in self._means:
            self._means[measure] = self.ground.mean(measure)
        return self._means[measure]

    def _key(self, measures: Sequence[Measure]) -> tuple[Any, ...]:
        """What makes settings equal: the values of every query, and the means."""
        each = ((np.round(self.ground.values(m), ALIKE), self._mean(m)) for m in measures)
        return tuple((values.tobytes(), round(mean, ALIKE)) for values, mean in each)

    def _match(self, name: str, departures: Iterable[tuple[str, Any]]) -> Match | None:
        given = dict(departures)
        try:
            setting = parse_convention(name, given)
            if (name, setting.decisions) in self._seen:
                return None
            self._seen.add((name, setting.decisions))
            values = self._values_if_matching(setting)
        except StrangersError:
            raise
        except (UsageError, DataError):
            return None
        if values is None:
            return None
        words = tuple((field, setting.decisions.text(field)) for field in given)
        return Match(name, words, values)

    def _values_if_matching(self, setting: Setting) -> tuple[float, ...] | None:
        values: list[float] = []
        for one in self.printed:
            value = self._mean(measures_under(setting, [one.measure])[0])
            if not one.matches(value):
                return None
            values.append(value)
        return tuple(values)

    def classes(self, matches: Sequence[Match]) -> tuple[tuple[Match, ...], ...]:
        """Put together the matches that are equal on every query; the nearest first."""
        found: dict[Any, list[Match]] = {}
        for match in sorted(matches, key=lambda match: len(match.departures)):
            found.setdefault(self._key(self._of(match)), []).append(match)
        return tuple(tuple(group) for group in found.values())

    def _of(self, match: Match) -> list[Measure]:
        setting = parse_convention(match.text)
        return [measures_under(setting, [one.measure])[0] for one in self.printed]

    def between(self, classes: Sequence[Sequence[Match]]) -> str:
        """Name a query that tells the first two classes apart."""
        if len(classes) < 2:
            return ""
        one, two = (self._of(group[0]) for group in classes[:2])
        for first, second in zip(one, two, strict=True):
            a, b = self.ground.values(first), self.ground.values(second)
            apart = np.flatnonzero(~((a == b) | (np.isnan(a) & np.isnan(b))))
            if len(apart) and np.nanmax(np.abs(a[apart] - b[apart]), initial=0.0) > 10.0**-ALIKE:
                at = int(apart[np.argmax(np.abs(np.nan_to_num(a[apart], nan=9.0) - np.nan_to_num(b[apart], nan=9.0)))])
                query = self.ground.queries(first)[at]
                return f"{first.definition.name} of query {query} tells the first two apart: {a[at]:.4f} or {b[at]:.4f}"
        return "the first two differ in the mean only"
