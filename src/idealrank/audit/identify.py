"""identify: the convention under which a printed number was computed."""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Annotated, Any, NamedTuple, TypedDict, Unpack

import numpy as np

from idealrank.arrays import Floats, Ints, Mask
from idealrank.audit.attribution import LEFT_OUT
from idealrank.audit.candidate_settings import Code, NearbySetting, NearbySettings, match_text, most_frequent
from idealrank.audit.printed_values import Printed, PrintedTarget, read_printed
from idealrank.conventions import parse_convention
from idealrank.decisions.answers import DecisionAnswers
from idealrank.decisions.decisions import Decisions, naming, refuse_unknown
from idealrank.display.columns import Fingerprints, Value
from idealrank.display.document import Described
from idealrank.display.schema import Named
from idealrank.display.table import Table, fingerprint_columns
from idealrank.errors import DataError, StrangersError, UsageError, unknown
from idealrank.evaluation.joins import SystemUnderTest, refuse_any_failed
from idealrank.evaluation.means import AVERAGES, counts_unjudged
from idealrank.evaluation.requested_measures import measures_under
from idealrank.evaluation.scoring import fill_of_failed, fill_of_no_relevant, fills_empty, fills_of_no_results
from idealrank.evaluation.variants import Unfilled, Variant, fill, list_unfilled
from idealrank.judged_lists.join import Join, SystemLists
from idealrank.measures.definition import Measure

FARTHEST = 3
"""Most decisions that may differ from a named convention."""

ALIKE = 12
"""Decimals to which equal values agree."""


@naming(DecisionAnswers)
def identify(
    judgments: Any,
    results: Any,
    printed: Mapping[str, Any],
    *,
    system: str | None = None,
    departures: int = FARTHEST,
    **decisions: Unpack[DecisionAnswers],
) -> Identification:
    """Find the conventions that give some printed numbers.

    Named conventions are tried first, then up to three departures from each: other answers to decisions,
    and a cutoff off by one. Answers that make no difference on this data are tried once.

    Parameters
    ----------
    judgments
        A path, a dataframe, or ``{query: {document: grade}}``.
    results
        A path, a dataframe, or ``{query: {document: score}}``.
    system
        The system that is meant, where the results are of several.
    printed
        ``{measure: number}``, with the number as printed, as text, because its digits count. Or the values of
        queries: ``{query: number}``, a table, or a file of them, as in `reconcile`.
    departures
        Most decisions that may differ from a named convention: 0 to 3.
    **decisions
        Answers that apply to every convention; others are not tried.

    Raises
    ------
    UsageError
        If a number is not a number, no measure was given, or a query has no judgments.
    DataError
        If no named setting can be computed, as under ``failed=refuse`` if a search failed.

    Examples
    --------
    >>> import idealrank as ir
    >>> qrels = {"q": {"a": 3, "b": 1, "c": 2}, "r": {"x": 1, "y": 2}}
    >>> run = {"q": {"b": 3.0, "a": 2.0}, "r": {"x": 2.0}}
    >>> found = ir.identify(qrels, run, {"nDCG@10": "0.4260"}, departures=0)
    >>> found.classes[0][0].text
    'gdeval'
    """
    if departures not in range(FARTHEST + 1):
        raise UsageError(f"departures={departures}: 0 to {FARTHEST} decisions may differ from a convention.")
    refuse_unknown(decisions, ("system", "departures"))
    ground = SystemUnderTest(judgments, results, system)
    numbers, id_columns = read_printed(printed, ground.judged_queries)
    search = _Search(ground, numbers, decisions)
    classes = search.classes(departures)
    if not classes:
        search.refuse_all()
    return Identification(numbers, classes, search.tried, search.between(), decisions, id_columns)


FEW = 64
"""Number of values of queries compared before all are."""

KEPT = 1 << 22
"""Number of values of queries computed, and kept, at a time: 32 MB."""


class _Hit(NamedTuple):
    """A setting that gives the numbers: its codes, its means, and a value equal for settings equal on every query."""

    codes: tuple[Code, ...]
    means: tuple[float, ...]
    key: Any


_Placed = tuple[int, tuple[Code, ...]]
"""The place of a setting among all, and its codes."""


class _Numbers(NamedTuple):
    """The numbers of one measure: for all queries, and for single ones."""

    means: PrintedTarget
    of_queries: PrintedTarget
    places: Ints

    def match(self, values: Floats, mean: float) -> bool:
        """Whether the values of the queries and their mean are the printed ones."""
        return bool(self.means.match(np.array(mean)).all() and self.of_queries.match(values[self.places]).all())

    def can_match(self, raw: Floats, returned: Ints) -> Ints:
        """Which rows of (N, Q) unfilled values can be the printed ones: by a few queries, then by all."""
        rows = np.arange(len(raw))
        for some in (slice(FEW), slice(FEW, None)):
            places = self.places[some]
            values, empty = raw[np.ix_(rows, places)], returned[places] == 0
            equal = PrintedTarget(self.of_queries.wanted[some], self.of_queries.unit[some]).match(values)
            rows = rows[(equal | np.isnan(values) | empty).all(axis=1)]
        return rows

    def can_mean(self, means: Floats) -> Mask:
        """(N,) whether each mean can be the printed one."""
        fits: Mask = np.logical_and.reduce(self.means.match(means[:, None]), axis=1)
        return fits

    def key(self, values: Floats, mean: float) -> tuple[Any, ...]:
        """A value equal for equal settings: the values of the queries, and their mean if that was printed."""
        return np.round(values, ALIKE).tobytes(), round(mean, ALIKE) if len(self.means.wanted) else None


class _Search:
    """Walks the settings near the conventions, those with the same values before any is filled together."""

    def __init__(self, ground: SystemUnderTest, printed: Sequence[Printed], fixed: Mapping[str, Any]) -> None:
        self.ground, self.tried = ground, 0
        names = list(dict.fromkeys(one.measure for one in printed))
        self.near = NearbySettings(ground, names, fixed)
        self._numbers = [self._read_numbers([one for one in printed if one.measure == name]) for name in names]
        self._first_two: list[tuple[Code, ...]] = []

    def _read_numbers(self, printed: list[Printed]) -> _Numbers:
        of_queries = [one for one in printed if one.query]
        places = np.zeros(0, np.int64)
        if of_queries and self.near.bases:
            at = {query: place for place, query in enumerate(self.ground.queries(self.near.bases[0].measures[0]))}
            if strangers := [one.query for one in of_queries if one.query not in at]:
                raise unknown("judged query", strangers[0], at)
            places = np.array([at[one.query] for one in of_queries], np.int64)
        return _Numbers(
            PrintedTarget.of([one for one in printed if not one.query]), PrintedTarget.of(of_queries), places
        )

    def classes(self, farthest: int) -> tuple[tuple[Match, ...], ...]:
        """Group the matches that are equal on every query; the nearest first."""
        found = [*self._matches(farthest)]
        groups: dict[Any, list[Match]] = {}
        for match, hit in sorted(found, key=lambda pair: pair[0].distance):
            groups.setdefault(hit.key, []).append(match)
        first = {hit.key: hit.codes for _, hit in reversed(found)}
        self._first_two = [first[key] for key in groups][:2]
        return tuple(_drop_redundant(group) for group in groups.values())

    def refuse_all(self) -> None:
        """Raise the reason if no named setting can be computed: an answer given refuses the data.

        Raises
        ------
        DataError, UsageError
            The error of most settings.
        """
        refusals: list[UsageError | DataError] = []
        for base in self.near.bases:
            try:
                for code in base.codes:
                    self.ground.values(self.near.measure(code))
            except (UsageError, DataError) as refusal:
                refusals.append(refusal)
            else:
                return
        raise most_frequent(refusals)

    def _matches(self, farthest: int) -> Iterator[tuple[Match, _Hit]]:
        """Yield the settings that give the numbers, by all their names."""
        names: dict[tuple[Code, ...], list[NearbySetting]] = {}
        for codes, near in self.near.within(farthest):
            same = names.setdefault(codes, [])
            if not same or not near.departures:
                same.append(near)
        groups: dict[Any, list[tuple[Code, ...]]] = {}
        for codes in names:
            groups.setdefault(self.near.formula(codes[0]), []).append(codes)
        self.tried = len(names)
        for hit in self._hits(itertools.chain(*groups.values())):
            for near in names[hit.codes]:
                departures, shift = self.near.departures(near)
                yield Match(near.convention, departures, hit.means, shift), hit

    def _hits(self, settings: Iterable[tuple[Code, ...]]) -> list[_Hit]:
        """Return the settings that give the numbers, in their order."""
        alike: dict[Any, list[_Placed]] = {}
        for place, codes in enumerate(settings):
            alike.setdefault(self.near.same_values(codes[0]), []).append((place, codes))
        hits: list[tuple[int, _Hit]] = []
        # Those that share most are computed together: lists keep what was computed last.
        keys, many = sorted(alike), 1 + KEPT // max(1, len(self.ground.judged_queries()))
        for some in [keys[first : first + many] for first in range(0, len(keys), many)]:
            together = {self.near.unfilled(alike[key][0][1][0]): alike[key] for key in some}
            unfilled = self._unfilled(together, {})
            by_lists: dict[SystemLists, list[Code]] = {}
            for code, (_, one) in unfilled.items():
                by_lists.setdefault(one.joined, []).append(code)
            chosen: list[tuple[Code, _Placed]] = []
            for joined, of_lists in by_lists.items():
                chosen += self._possible(joined, {code: unfilled[code] for code in of_lists}, together)
            known = {measure: one.values for measure, one in (unfilled[code] for code, _ in chosen)}
            hits += self._match([setting for _, setting in chosen], known)
        return [hit for _, hit in sorted(hits, key=lambda pair: pair[0])]

    def _unfilled(self, codes: Iterable[Code], known: Mapping[Measure, Floats]) -> dict[Code, tuple[Measure, Unfilled]]:
        """Return the values of settings before any is filled; without the settings that are refused."""
        by_join: dict[Join, dict[Code, Measure]] = {}
        for code in codes:
            try:
                measure = self.near.measure(code)
                by_join.setdefault(self.ground.join(measure.decisions), {})[code] = measure
            except StrangersError:
                raise
            except (UsageError, DataError):
                continue
        found: dict[Code, tuple[Measure, Unfilled]] = {}
        for join, settings in by_join.items():
            made = list_unfilled(join, [*settings.values()], known)
            of_codes = zip(settings.items(), made, strict=True)
            found |= {code: (measure, one) for (code, measure), one in of_codes if isinstance(one, Unfilled)}
        return found

    def _possible(
        self,
        joined: SystemLists,
        unfilled: Mapping[Code, tuple[Measure, Unfilled]],
        settings: Mapping[Code, Sequence[_Placed]],
    ) -> Iterator[tuple[Code, _Placed]]:
        """Yield the settings with these unfilled values of the first measure that can give its numbers."""
        numbers, codes = self._numbers[0], [*unfilled]
        values = np.array([one.values for _, one in unfilled.values()])
        by_filling: dict[tuple[int, ...], list[tuple[int, _Placed]]] = {}
        for row in numbers.can_match(values, joined.judged.returned):
            for placed in settings[codes[row]]:
                by_filling.setdefault(placed[1][0].answers[self.near.filling], []).append((row, placed))
        certain = np.array([_is_plain_mean(measure) for measure, _ in unfilled.values()])
        for filling, chosen in by_filling.items():
            rows = [row for row, _ in chosen]
            means = filled_means(joined, values[rows], self.near.read(self.near.filling, filling))
            possible = numbers.can_mean(means) | ~certain[rows]
            yield from ((codes[row], placed) for row, placed in itertools.compress(chosen, possible))

    def _match(self, settings: Sequence[_Placed], known: Mapping[Measure, Floats]) -> Iterator[tuple[int, _Hit]]:
        """Yield the settings that give the numbers."""
        unfilled = self._unfilled(dict.fromkeys(code for _, codes in settings for code in codes), known)
        found: dict[Code, tuple[Floats, float]] = {}
        for code, (measure, one) in unfilled.items():
            filled = fill(one, measure, refuse=refuse_any_failed)
            if isinstance(filled, Variant):
                found[code] = filled.values, self.ground.mean_of(measure, filled.values)
        for place, codes in settings:
            if not all(code in found for code in codes):
                continue
            values = [found[code] for code in codes]
            if all(own.match(*value) for own, value in zip(self._numbers, values, strict=True)):
                key = tuple(own.key(*value) for own, value in zip(self._numbers, values, strict=True))
                yield place, _Hit(codes, tuple(mean for _, mean in values), key)

    def between(self) -> str:
        """Name a query that tells the first two classes apart."""
        if len(self._first_two) < 2:
            return ""
        for measure, other in zip(*(map(self.near.measure, codes) for codes in self._first_two), strict=True):
            a, b = self.ground.values(measure), self.ground.values(other)
            apart = np.abs(np.nan_to_num(a, nan=LEFT_OUT) - np.nan_to_num(b, nan=LEFT_OUT))
            if apart.max(initial=0.0) > 10.0**-ALIKE:
                at = int(np.argmax(apart))
                where = f"{measure.definition.name} of query {self.ground.queries(measure)[at]}"
                return f"{where} tells the first two apart: {_write_apart(a[at], b[at])}"
        return "the first two differ only in the mean"


def _write_apart(*values: float) -> str:
    """Write values with enough digits to tell them apart."""
    digits = next((n for n in (4, 6, 8) if len({f"{value:.{n}f}" for value in values}) == len(values)), ALIKE)
    return " or ".join("left out" if math.isnan(value) else f"{value:.{digits}f}" for value in values)


def _drop_redundant(matches: Sequence[Match]) -> tuple[Match, ...]:
    """Leave out matches equal to one with fewer departures: their other departures change nothing on this data."""
    parts = {match: (*match.departures, *([match.shift] if match.shift else [])) for match in matches}
    settings = {(match.convention, frozenset(own)) for match, own in parts.items()}
    return tuple(match for match, own in parts.items() if not settings & set(_smaller_settings(match.convention, own)))


def _smaller_settings(convention: str, parts: Sequence[Any]) -> Iterator[tuple[str, frozenset[Any]]]:
    for size in range(len(parts)):
        for some in itertools.combinations(parts, size):
            yield convention, frozenset(some)


# The answer.


NAMED = 3
"""Number of a class's settings to name in one line."""


class Match(NamedTuple):
    """A setting that gives every printed number.

    Attributes
    ----------
    convention, departures
        The named convention, and the decisions that differ from it.
    values
        The mean of each requested measure under it.
    shift
        -1 or 1 if the cutoff is off by one, as in a loop that ends too early or too late.
    """

    convention: str
    departures: tuple[tuple[str, str], ...]
    values: tuple[float, ...]
    shift: int = 0

    @property
    def setting(self) -> str:
        """The setting as `parse_convention` reads it back."""
        return match_text(self.convention, self.departures, 0)

    @property
    def text(self) -> str:
        """The setting, and whether the cutoff is off by one."""
        return match_text(self.convention, self.departures, self.shift)

    @property
    def distance(self) -> int:
        """The number of departures from a named convention."""
        return len(self.departures) + abs(self.shift)

    def measure(self, name: str, fixed: Mapping[str, Any]) -> Measure:
        """Return a measure as the setting defines it, under the answers given for all settings."""
        measure = measures_under(parse_convention(self.setting, dict(fixed)), [name])[0]
        return replace(measure, cutoff=measure.cutoff + self.shift) if measure.cutoff else measure


class SettingsClass(TypedDict):
    """Settings that are equal on every query."""

    settings: Annotated[list[str], "The settings, nearest to a named convention first."]
    departures: Annotated[int, "How many decisions of the first differ from a named convention."]
    values: Annotated[dict[str, Value], "The mean under it, by measure."]
    fingerprints: Fingerprints


@dataclass(frozen=True, eq=False)
class Identification(Described):
    """The settings that give printed numbers.

    Attributes
    ----------
    printed
        The numbers.
    classes
        Settings that are equal on every query, grouped; the ones nearest to a named convention come first.
    tried
        Number of different settings computed.
    between
        A query, and its values under the first two classes, that would tell them apart; "" if there is one class.
    fixed
        Answers that apply to every setting.
    id_columns
        The columns taken as query ids, if none has such a name.
    """

    printed: tuple[Printed, ...]
    classes: tuple[tuple[Match, ...], ...]
    tried: Annotated[int, "How many different settings were tried."]
    between: Annotated[str, "A query that tells the first two classes apart; empty if there are not two."] = ""
    fixed: Mapping[str, Any] = field(default_factory=dict)
    id_columns: tuple[str, ...] = ()

    @property
    def identified(self) -> Annotated[bool, "Whether exactly one class gives the numbers."]:
        """Whether exactly one class of the settings tried gives the numbers."""
        return len(self.classes) == 1

    @property
    def measures(self) -> tuple[str, ...]:
        """The requested measures, without repeats."""
        return tuple(dict.fromkeys(one.measure for one in self.printed))

    @property
    def text(self) -> str:
        """The answer in one line."""
        if not self.classes:
            none = f"no setting near a convention gives this ({self.tried} tried)"
            return f"{self._numbers_text}: {none}{self._percent_hint}"
        first = self.classes[0]
        more = f" and {len(first) - NAMED} more" if len(first) > NAMED else ""
        names = "; ".join(match.text for match in first[:NAMED]) + more
        if self.identified:
            alike = " (equal on every query)" if len(first) > 1 else ""
            others = f"no other of {self.tried} settings tried gives this"
            return f"{self._numbers_text}: identified as {names}{alike}; {others}"
        matches = f"{len(self.classes)} classes match of {self.tried} settings tried"
        return f"{self._numbers_text}: ambiguous, {matches}; nearest: {names}"

    @property
    def _percent_hint(self) -> str:
        """A hint if a number may be a percentage."""
        large = [one for one in self.printed if 1.5 < float(one.text) <= 100]
        return f"; if {large[0].text} is in percent, give {float(large[0].text) / 100:g}" if large else ""

    @property
    def _numbers_text(self) -> str:
        means = [f"{one.measure}={one.text}" for one in self.printed if not one.query]
        of_queries = len(self.printed) - len(means)
        return " ".join([*means, *([f"{of_queries} values of queries"] if of_queries else [])])

    @property
    def table(self) -> Table:
        """One row per class: the nearest setting, its number of departures, the number of settings in the class."""
        rows: dict[str, Any] = {
            "setting": [group[0].text for group in self.classes],
            "departures": np.array([group[0].distance for group in self.classes], np.int64),
            "alike": np.array([len(group) for group in self.classes], np.int64),
        }
        for place, measure in enumerate(self.measures):
            rows[measure] = np.array([group[0].values[place] for group in self.classes], np.float64)
        prints = [self.fingerprints(group[0]) for group in self.classes]
        stated = {name: [by[name] for by in prints] for name in self.measures}
        return Table(rows, "classes", fingerprint_columns(stated))

    def fingerprints(self, match: Match) -> dict[str, str]:
        """Return the fingerprint of each requested measure, as a setting defines it."""
        return {name: match.measure(name, self.fixed).fingerprint for name in self.measures}

    @property
    def _printed(
        self,
    ) -> Annotated[
        dict[str, Annotated[str, "The number, as text: its digits count."]],
        Named("printed"),
        "The numbers as printed, by measure.",
    ]:
        return {one.name: one.text for one in self.printed}

    @property
    def _classes(
        self,
    ) -> Annotated[
        list[SettingsClass], Named("classes"), "The classes of settings that give the numbers, nearest first."
    ]:
        return [
            {
                "settings": [match.text for match in group],
                "departures": group[0].distance,
                "values": dict(zip(self.measures, group[0].values, strict=True)),
                "fingerprints": self.fingerprints(group[0]),
            }
            for group in self.classes
        ]

    def __repr__(self) -> str:
        parts = [self.text]
        parts += [repr(self.table)] if len(self.classes) > 1 else []
        return "\n\n".join([*parts, *([self.between] if self.between else []), *self.id_columns])


# Means of many settings.


def _is_plain_mean(measure: Measure) -> bool:
    """Whether the mean is that of filled values, not a sum or a rounded number."""
    return fills_empty(measure.definition) and all(step.stage != "mean" for step in measure.decisions.rounding)


def filled_means(joined: SystemLists, values: Floats, under: Decisions) -> Floats:
    """(N,) means of (N, Q) unfilled values of some lists under one way to fill them, except for the last digits."""
    filled = np.where(np.isnan(values), fill_of_no_relevant(under), values)
    filled = np.where(joined.judged.returned == 0, fills_of_no_results(joined, under), filled)
    filled = np.where(joined.failed, fill_of_failed(under), filled)
    if counts_unjudged(under):
        filled = np.pad(filled, ((0, 0), (0, len(joined.unjudged_queries))))
    kept = ~np.isnan(filled)
    count = np.maximum(kept.sum(axis=1), 1)
    if under.average == "median":
        ordered, row = np.sort(filled, axis=1), np.arange(len(filled))  # what is left out comes last
        medians: Floats = (ordered[row, (count - 1) // 2] + ordered[row, count // 2]) / 2
        return medians
    shape = AVERAGES[under.average]
    summed = np.where(kept, shape.of(filled), 0.0).sum(axis=1)
    return np.where(kept.any(axis=1), [shape.back(mean) for mean in summed / count], math.nan)
