"""Which systems are compared, and the differences between them, query by query."""

import functools
import itertools
import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final, Literal, NamedTuple

import numpy as np

from idealrank.arrays import EQUAL, Floats, Ints, Mask
from idealrank.errors import (
    NOBODY_JUDGED,
    DataError,
    IncomparableError,
    UsageError,
    either,
    named,
    nearest,
    option,
    plural,
    some,
    unknown,
)
from idealrank.evaluation.requested_measures import measures_under
from idealrank.evaluation.scores import Scores
from idealrank.evaluation.scoring import QueryState
from idealrank.measures.definition import Measure
from idealrank.statistics.sample import usable_weights

Role = Literal["decides", "guards", "shown"]
"""Whether a measure decides, can refuse a SHIP, or is only shown beside them."""

DECIDES: Final = "decides"
GUARDS: Final = "guards"
SHOWN: Final = "shown"


class Pair(NamedTuple):
    """The places of two systems."""

    baseline: int
    system: int


class Key(NamedTuple):
    """A pair of systems, and the place of a measure."""

    pair: Pair
    measure: int


@dataclass(frozen=True, eq=False)
class Pairing:
    """The scores of several systems, each query's values side by side.

    Attributes
    ----------
    scores
        The evaluation all systems share.
    baseline
        The system the others are compared with; "": every system with every other.
    roles
        Whether each measure decides, guards or is shown.

    Raises
    ------
    UsageError
        If there is one system, no such baseline, or a measure that is no mean of values by query.
    DataError
        If two systems returned results for no common query, or all weights are 0.
    """

    scores: Scores
    baseline: str
    roles: tuple[Role, ...]

    def __post_init__(self) -> None:
        _refuse_alone(self.scores)
        if self.baseline and self.baseline not in self.scores.systems:
            names = ", ".join(self.scores.systems)
            stem = os.path.splitext(os.path.basename(self.baseline))[0]
            hint = nearest(self.baseline, self.scores.systems) or nearest(stem, self.scores.systems)
            raise UsageError(f"No system called {self.baseline!r} to be the baseline.{hint} Known: {names}.")
        for measure, label in zip(self.scores.measures, self.scores.labels, strict=True):
            refuse_no_mean(measure, label)
        _refuse_filled_best(self.scores)
        if self.scores.measures[0].definition.properties.direction == "count":
            raise IncomparableError(
                f"{self.scores.labels[0]} is neither good nor bad, and cannot decide. Name another measure first."
            )
        _ = self.weights  # refuses those that are none
        self._refuse_disjoint()

    @functools.cached_property
    def pairs(self) -> tuple[Pair, ...]:
        """The others by name against the baseline, or all pairs by name."""
        names = self.scores.systems
        if self.baseline:
            first = names.index(self.baseline)
            return tuple(Pair(first, s) for s in range(len(names)) if s != first)
        return tuple(Pair(*both) for both in itertools.combinations(range(len(names)), 2))

    @property
    def keys(self) -> list[Key]:
        """Every pair under every measure."""
        return [Key(pair, m) for pair in self.pairs for m in range(len(self.scores.measures))]

    @functools.cached_property
    def by_id(self) -> Ints:
        """(Q,) places of the queries in the order of their ids: what is drawn does not depend on the order of rows."""
        return np.array(sorted(range(len(self.scores.queries)), key=self.scores.queries.__getitem__), np.int64)

    def key(self, measure: str | None = None, system: str | None = None) -> Key:
        """Return the pair of systems and the place of a measure: of the first, of the only pair, where none is named.

        Raises
        ------
        UsageError
            If a name is not known, or there are several and none is named.
        """
        m = 0 if measure is None else self.scores.place_of(measure)
        pairs = {self.pair_label(pair): pair for pair in self.pairs}
        if system is None and len(pairs) > 1:
            first = next(iter(pairs))
            raise UsageError(f"Several systems: {', '.join(pairs)}. Name one, as {named('system', first)}.")
        if system is not None and system not in pairs:
            raise unknown("system compared", system, pairs)
        return Key(next(iter(pairs.values())) if system is None else pairs[system], m)

    def pair_label(self, pair: Pair) -> str:
        """Return what a pair is called: the system against a baseline, both where all pairs are compared."""
        first, second = (self.scores.systems[s] for s in pair)
        return second if self.baseline else f"{second} vs {first}"

    @functools.cached_property
    def weights(self) -> Floats | None:
        """(Q,) weight of each query, scaled so that the largest is about 1, or None."""
        weights = self.scores.weights
        return None if weights is None else usable_weights(weights, len(self.scores.queries))

    def weights_of(self, places: Ints) -> Floats | None:
        """Return the weights of some queries, or None."""
        return None if self.weights is None else self.weights[places]

    @property
    def weightless(self) -> tuple[str, ...]:
        """The queries asked for that have the weight 0, and count nowhere."""
        if self.weights is None:
            return ()
        return tuple(self.scores.queries[q] for q in np.flatnonzero((self.weights == 0) & self.chosen))

    @functools.cached_property
    def chosen(self) -> Mask:
        """(Q,) which queries were asked for."""
        chosen: Mask = (self.scores.states != QueryState.LEFT_OUT).any(axis=(0, 1))
        return chosen

    def difference(self, pair: Pair, m: int) -> Floats:
        """(Q,) value of the second system less that of the first; NaN where either has none."""
        values = self.scores.values[:, m]
        d: Floats = values[pair[1]] - values[pair[0]]
        # Equal values that were summed in another order differ in the last bits: a sign test would count them.
        return np.where(np.abs(d) <= EQUAL, 0.0, d)

    def paired(self, pair: Pair, m: int) -> Mask:
        """(Q,) which queries have a value in both systems (without a baseline, in all), and a weight."""
        both = ~np.isnan(self.difference(pair, m) if self.baseline else self.scores.values[:, m].sum(axis=0))
        return self.with_weight(both)

    def paired_differences(self, key: Key) -> tuple[Ints, Floats, Floats | None]:
        """(n,) places of the queries that pair, their differences, and their weights."""
        places = np.flatnonzero(self.paired(*key))
        return places, self.difference(*key)[places], self.weights_of(places)

    def unpaired(self, key: Key) -> tuple[str, ...]:
        """Return the queries that some system has a value for, and that do not pair."""
        measured = self.with_weight(np.logical_or.reduce(~np.isnan(self.scores.values[:, key.measure])))
        return tuple(self.scores.queries[q] for q in np.flatnonzero(measured & ~self.paired(*key)))

    def failed_queries(self, s: int) -> tuple[str, ...]:
        """Return the queries a system has no value for under some measure, since the search failed; with a weight."""
        return tuple(self.scores.queries[q] for q in np.flatnonzero(self.has_failed(s)))

    def paired_systems(self, pair: Pair) -> Sequence[int]:
        """Return the systems that must have a value for a query to pair: these two, or without a baseline all."""
        return pair if self.baseline else range(len(self.scores.systems))

    def any_failed(self, key: Key) -> Mask:
        """(Q,) which queries do not pair since the search of some system failed."""
        systems = list(self.paired_systems(key.pair))
        return self.with_weight(np.logical_or.reduce(self.scores.unanswered[systems, key.measure]))

    def has_failed(self, s: int) -> Mask:
        """(Q,) which queries with a weight a system has no value for under some measure, since the search failed."""
        return self.with_weight((self.scores.states[s] == QueryState.SKIPPED_FAILED).any(axis=0))

    def with_weight(self, queries: Mask) -> Mask:
        """(Q,) which of some queries have a weight above 0."""
        return queries if self.weights is None else queries & (self.weights > 0)

    def query_shares(self, pair: Pair, m: int) -> Floats:
        """(Q,) the part each query has in the mean difference; 0 where it is not paired."""
        weights = np.where(self.paired(pair, m), 1.0 if self.weights is None else self.weights, 0.0)
        return np.asarray(weights / weights.sum())

    def complete(self, m: int) -> tuple[Floats, Floats | None]:
        """(S, n) values of the n queries that every system has one for, by id; (n,) their weights.

        Raises
        ------
        DataError
            If there is no such query.
        """
        values = self.scores.values[:, m][:, self.by_id]
        whole = ~np.isnan(values).any(axis=0)
        if not whole.any():
            raise DataError(
                f"No query has a value of {self.scores.labels[m]} in every system. Answer {option('no_results', '0')}, "
                f"or compare with a baseline: {option('baseline')}."
            )
        return values[:, whole], self.weights_of(self.by_id[whole])

    def one_sided(self, pair: Pair) -> tuple[tuple[str, ...], tuple[str, ...]]:
        """Return the judged queries that only the first system returned results for, and only the second."""
        first, second = (self.scores.lengths(s) > 0 for s in pair)
        queries = self.scores.queries
        # A failed search says nothing about what the system has: it is reported for itself.
        asked = self.chosen & ~(self.has_failed(pair.baseline) | self.has_failed(pair.system))
        sides = (first & ~second & asked, second & ~first & asked)
        return tuple(queries[q] for q in np.flatnonzero(sides[0])), tuple(queries[q] for q in np.flatnonzero(sides[1]))

    def _refuse_disjoint(self) -> None:
        """Refuse the first pair of systems without a common judged query: the pairs of a board are not listed."""
        returned = self.scores.returned
        if returned.all(axis=0).any():
            return  # all have a query in common, so any two do
        first = self.scores.systems.index(self.baseline) if self.baseline else None
        for a in range(len(returned) - 1) if first is None else (first,):
            disjoint = ~(returned[a + 1 if first is None else 0 :] & returned[a]).any(axis=1)
            if first is not None:
                disjoint[first] = False
            if disjoint.any():
                raise self._disjoint(a, int(disjoint.argmax()) + (a + 1 if first is None else 0))

    def _disjoint(self, a: int, b: int) -> DataError:
        returned = self.scores.returned
        names = [self.scores.systems[s] for s in (a, b)]
        first, second = (some([self.scores.queries[q] for q in np.flatnonzero(returned[s])], 3) for s in (a, b))
        return DataError(
            f"{names[0]} and {names[1]} returned results for no common judged query ({first or 'none'} there, "
            f"{second or 'none'} here). Give results for the same queries."
        )


def _refuse_alone(scores: Scores) -> None:
    if len(scores.systems) < 2:
        way = either('{"control": results, "test": results}', "one file of results per system")
        raise UsageError(
            f"A comparison needs two systems, and there is one: {scores.systems[0]!r}. "
            f"Give {way}, or one table with a system column. {NOBODY_JUDGED}"
        )


def refuse_no_mean(measure: Measure, label: str) -> None:
    """Refuse what is no arithmetic mean over the judged queries: no difference of its values by query sums to it."""
    decisions = measure.decisions
    fault = ""
    if measure.definition.total == "sum":
        fault = "is a sum over the queries"
    elif decisions.average != "arithmetic":
        fault = f"is averaged with average={decisions.average}"
    elif decisions.no_judgments == "0":
        fault = "counts queries nobody judged (no_judgments=0), which pair with nothing"
    if fault:
        way = f" Answer {option('no_judgments', 'skip')}." if decisions.no_judgments == "0" else ""
        raise IncomparableError(f"{label} {fault}. A comparison takes means of the values of judged queries.{way}")


_FILLS = {
    QueryState.FILLED_NO_RESULTS: "no_results",
    QueryState.FILLED_NO_RELEVANT: "no_relevant",
    QueryState.FILLED_FAILED: "failed",
}


def _refuse_filled_best(scores: Scores) -> None:
    """Refuse a measure of which less is better where a query that was not measured counts as its best value."""
    for m, (measure, label) in enumerate(zip(scores.measures, scores.labels, strict=True)):
        if measure.definition.properties.direction != "lower":
            continue
        for state, decision in _FILLS.items():
            filled = ((scores.states[:, m] == state) & (scores.values[:, m] == 0)).any(axis=0)
            if filled.any():
                names = some([scores.queries[q] for q in np.flatnonzero(filled)], 3)
                raise IncomparableError(
                    f"{label} is better where it is lower, and {plural(int(filled.sum()), 'query')} with nothing to "
                    f"measure would count as its best value, 0, by {decision}={measure.decisions.text(decision)} "
                    f"({names}). Answer {option(decision, 'skip')}."
                )


def unpaired_error(baseline: str, system: str, measure: str) -> DataError:
    """Build the error for two systems that have no query to be compared on."""
    return DataError(
        f"{baseline} and {system} have no query in common with a value of {measure}. Answer "
        f"{option('no_results', '0')}, or leave the measure out."
    )


def roles(scores: Scores, tolerance: float | Mapping[str, float]) -> tuple[Role, ...]:
    """Return the role of each measure: the first decides, those that were named guard, the others are shown.

    The measures that `evaluate` computes where none is named guard only where they have a tolerance. Counts, which
    are neither good nor bad, never do.
    """
    prints = [measure.fingerprint for measure in scores.measures]
    unnamed = prints == [measure.fingerprint for measure in measures_under(scores.setting, None)]
    tolerated = tolerance if isinstance(tolerance, Mapping) else scores.labels if tolerance else ()
    counts = [measure.definition.properties.direction == "count" for measure in scores.measures]
    rest = zip(scores.labels[1:], counts[1:], strict=True)
    return DECIDES, *(SHOWN if count or (unnamed and label not in tolerated) else GUARDS for label, count in rest)
