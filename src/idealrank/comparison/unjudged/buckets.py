"""The unjudged results of all queries: looked at bucket by bucket, since a bucket has every row of its queries."""

from __future__ import annotations

import functools
import math
import operator
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from typing import Any, TypeVar

import numpy as np

from idealrank.arrays import EQUAL, UNITS, Cache, Floats, Ints, exact_totals
from idealrank.comparison.pairing import Key, Pair, Pairing
from idealrank.comparison.types import TO_JUDGE_ROW
from idealrank.comparison.unjudged.bounds import Bounds
from idealrank.comparison.unjudged.holes import MeasureUnjudged, UnjudgedFacts, unjudged_by_measure
from idealrank.display.table import Table
from idealrank.errors import UsageError, option
from idealrank.evaluation.buckets import map_buckets
from idealrank.evaluation.values import Values
from idealrank.judged_lists.join import Join
from idealrank.measures.definition import Measure

SEED = 0
"""Seed of the drawn grades: not the caller's, or somebody could try seeds until a verdict suits."""

DRAWS_ALONE = 5
"""How often the holes of one system alone are drawn, and all holes at least."""

Made = TypeVar("Made")


@dataclass(frozen=True, eq=False)
class UnjudgedResults:
    """The holes of the systems of an evaluation, under each of its measures.

    Attributes
    ----------
    unseen
        So many relevant documents that nobody returned may exist for each query, besides.
    """

    scores: Values
    unseen: int = 0
    _kept: Cache = field(default_factory=Cache, init=False, repr=False)

    @functools.cached_property
    def facts(self) -> tuple[UnjudgedFacts, ...]:
        """What all queries decide, by measure."""
        by_bucket = [facts for _, facts in self._map(_facts_of)]
        return tuple(functools.reduce(operator.add, of_measure) for of_measure in zip(*by_bucket, strict=True))

    def map_buckets(self, work: Callable[[Sequence[MeasureUnjudged]], Made]) -> list[tuple[Ints, Made]]:
        """Return the places of the queries of every bucket, with what a function makes of its holes by measure.

        The function can be pickled.
        """
        place = {query: q for q, query in enumerate(self.scores.queries)}
        pairs = self._map(work, self.facts)
        return [(np.array([place[query] for query in names], np.int64), made) for names, made in pairs]

    def _map(
        self, work: Callable[[Sequence[MeasureUnjudged]], Made], facts: tuple[UnjudgedFacts, ...] | None = None
    ) -> list[tuple[list[str], Made]]:
        if self.scores.lists.in_memory:  # found once, and kept
            return [(self.scores.queries, work(self._unjudged_in_memory))]
        return map_buckets(self.scores, _UnjudgedOfBucket(self.scores.measures, self.unseen, facts, work))

    @functools.cached_property
    def _unjudged_in_memory(self) -> list[MeasureUnjudged]:
        unknown = [None] * len(self.scores.measures)
        return unjudged_by_measure(self.scores.joins, self.scores.measures, self.unseen, unknown)

    def difference_bounds(self, m: int, pairs: tuple[Pair, ...]) -> dict[Pair, Bounds]:
        """Return the lowest and the highest difference of pairs under a measure, query by query; found once."""
        return self._kept.once((m, pairs), lambda: self._find_difference_bounds(m, pairs))

    def _find_difference_bounds(self, m: int, pairs: tuple[Pair, ...]) -> dict[Pair, Bounds]:
        pieces = self.map_buckets(functools.partial(_bounds_of_pairs, m=m, pairs=pairs))
        return {pair: merge_bounds([(at, made[pair]) for at, made in pieces]) for pair in pairs}

    @functools.cached_property
    def bounds(self) -> list[dict[int, Bounds]]:
        """By measure, the lowest and the highest value each system can have, query by query."""
        pieces = self.map_buckets(_bounds_of_systems)
        return [
            {s: merge_bounds([(at, made[m][s]) for at, made in pieces]) for s in range(len(self.scores.systems))}
            for m in range(len(self.scores.measures))
        ]


# The functions that `map_buckets` takes are those of a module, since Spark pickles them.


def _facts_of(by_measure: Sequence[MeasureUnjudged]) -> list[UnjudgedFacts]:
    return [unjudged.facts for unjudged in by_measure]


def _bounds_of_pairs(by_measure: Sequence[MeasureUnjudged], m: int, pairs: Sequence[Pair]) -> dict[Pair, Bounds]:
    return {pair: by_measure[m].difference(*pair) for pair in pairs}


def _bounds_of_systems(by_measure: Sequence[MeasureUnjudged]) -> list[list[Bounds]]:
    return [[unjudged.bounds(s) for s in range(len(unjudged.systems))] for unjudged in by_measure]


@dataclass(frozen=True)
class _UnjudgedOfBucket:
    """Find the holes of a bucket, and apply a function to them."""

    measures: tuple[Measure, ...]
    unseen: int
    facts: tuple[UnjudgedFacts, ...] | None
    work: Callable[[Sequence[MeasureUnjudged]], Any]

    def __call__(self, joins: list[Join]) -> Any:
        known = self.facts or [None] * len(self.measures)
        return self.work(unjudged_by_measure(joins, self.measures, self.unseen, known))


def merge_bounds(pieces: Sequence[tuple[Ints, Bounds]]) -> Bounds:
    """Put the bounds of the queries of each bucket together."""
    size = sum(len(at) for at, _ in pieces)
    low, high, exact = np.full(size, np.nan), np.full(size, np.nan), np.zeros(size, np.bool_)
    for at, bounds in pieces:
        low[at], high[at], exact[at] = bounds.low, bounds.high, bounds.exact
    least = max((bounds for _, bounds in pieces), key=lambda bounds: _LOOSER.index(bounds.kind))
    return Bounds(low, high, exact, least.kind, least.why)


_LOOSER = ("exact", "enclosure", "unknown")


@dataclass(frozen=True)
class DrawnMoments:
    """Sums over queries of differences with the grades of holes drawn, one of each for every drawing.

    They are exact (`exact_totals`), so those of buckets add up to those of all queries to the last bit.

    Attributes
    ----------
    first, second, square
        w e, w² e and w² e² of weights w and differences e from a common centre.
    low, high
        The lowest and the highest difference.
    """

    first: tuple[int, ...]
    second: tuple[int, ...]
    square: tuple[int, ...]
    low: tuple[float, ...]
    high: tuple[float, ...]

    @classmethod
    def of(cls, differences: Floats, weights: Floats, centre: float) -> DrawnMoments:
        """Add (D, n) differences of n queries up."""
        e = differences - centre
        first, second, square = (exact_totals(each) for each in (weights * e, weights**2 * e, (weights * e) ** 2))
        low, high = differences.min(axis=1, initial=np.inf), differences.max(axis=1, initial=-np.inf)
        return cls(tuple(first), tuple(second), tuple(square), tuple(low.tolist()), tuple(high.tolist()))

    def __add__(self, other: DrawnMoments) -> DrawnMoments:
        return DrawnMoments(
            first=tuple(map(operator.add, self.first, other.first)),
            second=tuple(map(operator.add, self.second, other.second)),
            square=tuple(map(operator.add, self.square, other.square)),
            low=tuple(map(min, self.low, other.low)),
            high=tuple(map(max, self.high, other.high)),
        )

    def means_and_errors(self, weights: Floats, centre: float) -> tuple[Floats, Floats]:
        """Return the mean of each drawing and its standard error, as `Sample` has them."""
        n, means, errors = len(weights), [], []
        mass, squares = (Fraction(total, UNITS) for total in exact_totals(np.stack([weights, weights**2])))
        sums = zip(self.first, self.second, self.square, self.low, self.high, strict=True)
        for first, second, square, low, high in sums:
            moved = Fraction(first, UNITS) / mass
            residuals = (square - 2 * moved * second) / UNITS + moved**2 * squares
            constant = n > 1 and high - low <= EQUAL * max(abs(low), abs(high))
            means.append(float(Fraction(centre) + moved))
            error = math.sqrt(max(float(residuals), 0.0) * n / (n - 1)) / float(mass) if n > 1 else math.nan
            errors.append(0.0 if constant else error)
        return np.array(means), np.array(errors)


@dataclass(frozen=True, eq=False)
class Flips:
    """Holes that move the gain of a pair in one direction, in the order in which they are taken to be relevant.

    Attributes
    ----------
    query
        (n,) the place of the query of each; those of one query are the furthest first.
    move
        (n,) how far it moves the gain.
    after
        (n,) the difference of its query, once it and those of its query before it are relevant.
    """

    query: Ints
    move: Floats
    after: Floats


@dataclass(frozen=True)
class PairQuestion:
    """What is asked about the holes of a pair of systems under a measure.

    Attributes
    ----------
    weights
        (Q,) the weight of each query; 0 where it is not paired.
    centre
        The mean difference as it is.
    before, share
        (Q,) the difference of each query as it is, and the part it has in the mean.
    direction
        Where `Flips` are to move the difference, 1 up or -1 down; 0: none are asked for.
    only_in
        The holes that the first of these systems returned and the second did not are drawn for themselves; None: no
        holes are.
    """

    weights: Floats
    centre: float
    before: Floats
    share: Floats
    direction: float = 0.0
    only_in: tuple[int, int] | None = None


@dataclass(frozen=True, eq=False)
class PairAnswer:
    """What the holes may change of the difference of a pair under a measure.

    Attributes
    ----------
    bounds
        (Q,) the lowest and the highest difference of every query; None where they were not asked for.
    moments
        Of the drawings; None where nothing was drawn.
    own, moved
        How many holes of paired queries only one system returned; the sums of what drawing these alone moves.
    flips
        The holes that move the gain against what the measure says; None where none were asked for.
    """

    bounds: Bounds | None = None
    moments: DrawnMoments | None = None
    own: int = 0
    moved: tuple[int, ...] = ()
    flips: Flips | None = None


@dataclass(frozen=True, eq=False)
class MeasureAnswer:
    """What the holes under one measure may change; (Q,) how many there are of each query."""

    total: Ints
    pairs: Mapping[Pair, PairAnswer]


@dataclass(frozen=True)
class BucketQuestion:
    """What is asked about the holes of every bucket: the pairs under each measure, and how often grades are drawn.

    Attributes
    ----------
    place
        The places of the queries.
    bounded
        By measure, whether bounds are asked for, and all that does not depend on the number of drawings.
    """

    place: Mapping[str, int]
    pairs: tuple[Mapping[Pair, PairQuestion], ...]
    draws: tuple[int, ...]
    bounded: tuple[bool, ...]

    def __call__(self, by_measure: Sequence[MeasureUnjudged]) -> list[MeasureAnswer]:
        """Answer for the holes of a bucket, by measure."""
        asked = zip(by_measure, self.pairs, self.draws, self.bounded, strict=True)
        return [self._answer(*one) for one in asked]

    def _answer(
        self, unjudged: MeasureUnjudged, pairs: Mapping[Pair, PairQuestion], draws: int, bounded: bool
    ) -> MeasureAnswer:
        at = np.array([self.place[query] for query in unjudged.queries], np.int64)
        drawn = np.stack(list(unjudged.drawn(draws, seed=SEED))) if draws else None
        answers = {pair: _answer_pair(unjudged, pair, one, drawn, at, bounded) for pair, one in pairs.items()}
        unjudged.forget_lists()
        return MeasureAnswer(unjudged.total, answers)


def _answer_pair(
    unjudged: MeasureUnjudged, pair: Pair, question: PairQuestion, drawn: Floats | None, at: Ints, bounded: bool
) -> PairAnswer:
    weights = question.weights[at]
    paired = np.flatnonzero(weights > 0)
    moments = None
    if drawn is not None:
        differences = drawn[:, pair.system, paired] - drawn[:, pair.baseline, paired]
        moments = DrawnMoments.of(differences, weights[paired], question.centre)
    if not bounded:
        return PairAnswer(moments=moments)
    bounds = unjudged.difference(*pair)
    answer = PairAnswer(bounds, moments)
    if question.only_in is not None and drawn is not None:
        answer = replace(answer, **_draw_own(unjudged, pair, question.only_in, question.centre, weights))
    if question.direction and bounds.kind != "unknown":
        answer = replace(answer, flips=_find_flips(unjudged, pair, question, at))
    return answer


def _draw_own(
    unjudged: MeasureUnjudged, pair: Pair, only_in: tuple[int, int], centre: float, weights: Floats
) -> dict[str, Any]:
    """Return the fields `own` and `moved` of an answer."""
    has, has_not = only_in
    own = (unjudged.rank[has] > 0) & (unjudged.rank[has_not] == 0)
    paired = np.flatnonzero(weights > 0)
    values = np.stack(list(unjudged.drawn(DRAWS_ALONE, own, SEED)))[:, :, paired]
    moved = (values[:, pair.system] - values[:, pair.baseline]) - centre
    count = int((own & (weights > 0)[unjudged.query]).sum())
    return {"own": count, "moved": tuple(exact_totals(weights[paired] * moved))}


def _find_flips(unjudged: MeasureUnjudged, pair: Pair, question: PairQuestion, at: Ints) -> Flips:
    query = at[unjudged.query]
    first, second = unjudged.alone(*pair)
    move = np.nan_to_num(((second - first) - question.before[query]) * question.share[query]) * question.direction
    order = np.argsort(-move, kind="stable")
    order = order[move[order] > 0]
    first, second = unjudged.in_turn(order, *pair)
    return Flips(query[order], move[order], second - first)


def merge_answers(pieces: Sequence[tuple[Ints, list[MeasureAnswer]]]) -> list[MeasureAnswer]:
    """Put the answers of all buckets together, by measure."""
    measures = range(len(pieces[0][1]))
    return [_merge_measure([(at, answers[m]) for at, answers in pieces]) for m in measures]


def _merge_measure(pieces: Sequence[tuple[Ints, MeasureAnswer]]) -> MeasureAnswer:
    total = np.zeros(sum(len(at) for at, _ in pieces), np.int64)
    for at, answer in pieces:
        total[at] = answer.total
    pairs = pieces[0][1].pairs
    return MeasureAnswer(total, {pair: _merge_pair([(at, each.pairs[pair]) for at, each in pieces]) for pair in pairs})


def _merge_pair(pieces: Sequence[tuple[Ints, PairAnswer]]) -> PairAnswer:
    first, every = pieces[0][1], [answer for _, answer in pieces]
    bounds = [(at, answer.bounds) for at, answer in pieces if answer.bounds is not None]
    return PairAnswer(
        merge_bounds(bounds) if bounds else None,
        None if first.moments is None else functools.reduce(operator.add, [each.moments for each in every]),
        sum(each.own for each in every),
        tuple(map(sum, zip(*(each.moved for each in every), strict=True))),
        None if first.flips is None else _merge_flips(pieces),
    )


def _merge_flips(pieces: Sequence[tuple[Ints, PairAnswer]]) -> Flips:
    """Put holes in order, those that move the gain furthest first; of the same move by query and document id."""
    every = [answer.flips for _, answer in pieces if answer.flips is not None]
    if len(every) == 1 and bool((np.diff(pieces[0][0]) > 0).all()):
        return every[0]  # they are: see `_find_flips`
    query, move, after = (np.concatenate([getattr(one, name) for one in every]) for name in ("query", "move", "after"))
    order = np.lexsort((np.arange(len(query)), query, -move))
    return Flips(query[order], move[order], after[order])


def to_judge(pairing: Pairing, unjudged: UnjudgedResults, key: Key, n: int) -> Table:
    """Return the n holes that move the mean difference most, each taken for itself.

    A hole's move is what the mean difference (in the weights of the queries) becomes with the top grade of the
    scale for this document alone, less what it is. Holes of the same move stand by query and document id; a rank is
    missing where the system did not return the document.

    Raises
    ------
    UsageError
        Where unjudged results do not count as grade 0.
    """
    scores, (pair, m) = pairing.scores, key
    measure = scores.measures[m]
    if measure.on_lists.unjudged != "zero":
        raise UsageError(
            f"{measure}: what a label would move is known only if unjudged results count as grade 0. "
            f"Use {option('unjudged', 'zero')}."
        )
    place = {query: q for q, query in enumerate(scores.queries)}
    question = _Movers(key, n, place, pairing.difference(*key), pairing.query_shares(*key))
    movers = [mover for _, of_bucket in unjudged.map_buckets(question) for mover in of_bucket]
    movers.sort(key=lambda mover: (-abs(mover["move"]), mover["q"]))  # those of one query come by document id
    movers = movers[:n]
    ids = [scores.queries[mover["q"]] for mover in movers]
    columns: dict[str, Any] = {"query": ids}
    if scores.texts:
        columns["text"] = [scores.texts.get(key) for key in ids]
    columns |= {name: [scores.systems[s]] * len(ids) for name, s in zip(("baseline", "system"), pair, strict=True)}
    columns["document"] = [mover["document"] for mover in movers]
    for name, side in (("baseline rank", 0), ("rank", 1)):
        columns[name] = np.array([mover["ranks"][side] or np.nan for mover in movers], np.float64)
    columns["move"] = np.array([mover["move"] for mover in movers], np.float64)
    return Table(columns, "to judge", {"fingerprint": measure.fingerprint}, TO_JUDGE_ROW)


@dataclass(frozen=True)
class _Movers:
    """Find the holes of a bucket that move the mean difference most."""

    key: Key
    n: int
    place: Mapping[str, int]
    before: Floats
    share: Floats

    def __call__(self, by_measure: Sequence[MeasureUnjudged]) -> list[dict[str, Any]]:
        pair, m = self.key
        found = by_measure[m]
        query = np.array([self.place[name] for name in found.queries], np.int64)[found.query]
        first, second = found.alone(*pair)
        move = np.nan_to_num(((second - first) - self.before[query]) * self.share[query])
        order = np.argsort(-np.abs(move), kind="stable")
        order = order[move[order] != 0][: self.n]
        ranks = found.rank[list(pair)]
        return [
            {"q": int(query[i]), "document": found.document[i], "ranks": ranks[:, i].tolist(), "move": float(move[i])}
            for i in order.tolist()
        ]
