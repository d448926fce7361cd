"""How each promise of `Properties` is tried: each function returns a counterexample, or None."""

from __future__ import annotations

import functools
import itertools
import re
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np

from idealrank.arrays import Floats
from idealrank.decisions import Decisions
from idealrank.errors import UsageError
from idealrank.evaluation.tie_ranges import has_tie_range
from idealrank.measures import Definition, Measure
from tests.properties import model
from tests.properties.answers import Answer, measures
from tests.properties.ranked import (
    CORPORA,
    EMPTY,
    GRADED,
    TIED,
    VERY_LONG,
    Corpus,
    Grade,
    Ranked,
    at_random,
    every,
    nearly_ideal,
    scores,
    settled,
)

CLOSE = 1e-12
"""How far rounding errors of float64 may carry a score of these short lists."""


def _first(bad: Any, measure: Measure, queries: Sequence[Ranked], *values: Floats) -> str | None:
    """Describe the first case marked bad."""
    places = np.flatnonzero(np.asarray(bad, bool))
    if not len(places):
        return None
    place = int(places[0])
    return f"{measure} of {queries[place]}: {', '.join(str(value[place]) for value in values)}"


def out_of_range(definition: Definition, answer: Answer) -> str | None:
    """A query whose score lies outside the declared range."""
    low, high = definition.properties.lowest, definition.properties.highest
    for measure, corpus in itertools.product(
        measures(definition, answer.given()), (*CORPORA, _permuted()[0], VERY_LONG)
    ):
        values = settled(corpus, measure)
        bad = (values < low - CLOSE) | (values > high + CLOSE)
        if found := _first(bad, measure, corpus.queries, values):
            return found
    return None


def slack(definition: Definition) -> str | None:
    """An end of the declared range that no list comes near."""
    low, high = definition.properties.lowest, definition.properties.highest
    for measure in measures(definition, Decisions()):
        if measure.cutoff is None:
            values = np.concatenate([settled(corpus, measure) for corpus in (*CORPORA, VERY_LONG, PERFECT)])
            least, most = values.min(), values.max()
            if least > max(low + 0.01, -1) or most < min(high - 0.01, 5):
                return f"{measure} is from {least} to {most}"
    return None


PERFECT = Corpus((Ranked((8.0,) * 1500),))
"""Nothing but top documents, all returned."""


def without_effect(definition: Definition) -> str | None:
    """A value of a parameter under which every list scores as under the value before."""
    found = list(measures(definition, Decisions()))
    whole = [measure for measure in found if measure.cutoff is None]
    for one, other in itertools.pairwise(whole):
        if not any(_differ(settled(corpus, one), settled(corpus, other)).any() for corpus in (GRADED, VERY_LONG)):
            return f"{other} scores every list as {one}"
    return None


def infinite(definition: Definition, answer: Answer) -> str | None:
    """A query whose score is infinite."""
    for measure, corpus in itertools.product(measures(definition, answer.given()), CORPORA):
        values = scores(corpus, measure)
        if found := _first(np.isinf(values), measure, corpus.queries, values):
            return found
    return None


# ---------------------------------------------------------------- the ideal order


@functools.cache
def _permuted() -> tuple[Corpus, Any, Any]:
    """Every order of short lists, and long lists with two neighbours exchanged.

    Returns the corpus, the list each order belongs to, and whether nothing was missed.
    """
    short = every((None, -1.0, 0.0, 0.5, 1.0, 3.0), 2, ((), (2.0,))) + at_random(120, 4, seed=3, shortest=3)
    distinct = {(tuple(sorted(q.grades, key=str)), q.missed): q for q in short if q.grades}.values()
    complete = [replace(q, missed=()) for q in distinct]
    owners, orders = [], []
    for owner, query in enumerate([*distinct, *complete]):
        for grades in sorted(set(itertools.permutations(query.grades)), key=str):
            owners.append(owner)
            orders.append(replace(query, grades=grades))
    for owner, group in enumerate(nearly_ideal(40, 12, seed=6), owners[-1] + 1):
        owners += [owner] * len(group)
        orders += group
    return Corpus(tuple(orders)), np.array(owners), np.array([not q.missed for q in orders])


@functools.lru_cache(4)
def _in_ideal_order(definition: Definition, decisions: Decisions) -> tuple[Corpus, Any]:
    """The orders of `_permuted`, and whether no result is better than one before it.

    Under the answers to ties the equally good results of an ideal order are tied.
    """
    corpus, _, _ = _permuted()
    good = [[model.goodness(g, definition, decisions) for g in q.grades] for q in corpus.queries]
    ideal = np.array([all(a >= b for a, b in itertools.pairwise(values)) for values in good])
    if decisions.ties == "docid_desc":
        return corpus, ideal
    tied = [
        replace(q, ties=_equal_runs(values)) if i else q
        for q, values, i in zip(corpus.queries, good, ideal, strict=True)
    ]
    return Corpus(tuple(tied)), ideal


def _equal_runs(values: list[float]) -> tuple[tuple[int, int], ...]:
    runs, first = [], 1
    for _, group in itertools.groupby(values):
        size = len(list(group))
        runs += [(first, first + size - 1)] if size > 1 else []
        first += size
    return tuple(runs)


def ideal_is_not_one(definition: Definition, answer: Answer) -> str | None:
    """A list with everything judged returned in ideal order whose score is not 1 (0/0 apart)."""
    corpus, ideal = _in_ideal_order(definition, answer.given())
    complete = _permuted()[2]
    for measure in measures(definition, answer.given()):
        values = scores(corpus, measure)
        if found := _first(ideal & complete & (np.abs(values - 1) > CLOSE), measure, corpus.queries, values):
            return found
    return None


def ideal_is_not_best(definition: Definition, answer: Answer) -> str | None:
    """A list in ideal order that scores less than another order of the same results."""
    corpus, ideal = _in_ideal_order(definition, answer.given())
    owners = _permuted()[1]
    for measure in measures(definition, answer.given()):
        values = np.nan_to_num(settled(corpus, measure))
        best = np.full(owners[-1] + 1, -np.inf)
        np.maximum.at(best, owners, values)
        if found := _first(ideal & (values < best[owners] - CLOSE), measure, corpus.queries, values, best[owners]):
            return found
    return None


# ---------------------------------------------------------------- 0/0


def wrongly_undefined(definition: Definition, answer: Answer, when: str) -> str | None:
    """A query that is 0/0 although the words do not say so, or the other way round."""
    for measure, which in itertools.product(measures(definition, answer.given()), range(len(CORPORA))):
        corpus = _thinned(which)
        values, expected = scores(corpus, measure), _UNDEFINED[when](corpus, measure)
        if found := _first(np.isnan(values) != expected, measure, corpus.queries, values):
            return found
    return None


@functools.cache
def _thinned(which: int) -> Corpus:
    """A part of a corpus, for what is slow, with all its empty lists."""
    corpus = CORPORA[which]
    return Corpus(corpus.queries[:: 7 if corpus is GRADED else 3] + EMPTY, corpus.highest)


def _no_relevant(corpus: Corpus, measure: Measure) -> Any:
    return _without_relevant(corpus, measure.decisions.negative, measure.decisions.relevant_from)


@functools.cache
def _without_relevant(corpus: Corpus, negative: str, level: Any) -> Any:
    decisions = Decisions(negative=negative, relevant_from=level)
    return np.array([not _relevant_judged(query, decisions) for query in corpus.queries])


def _nothing_returned(corpus: Corpus, measure: Measure) -> Any:
    decisions = measure.decisions
    return np.array([not model.results(query, decisions) for query in corpus.queries])


def _share_of_nothing(corpus: Corpus, measure: Measure) -> Any:
    """Nothing returned, where the share of the returned is asked for: a share of k places is 0/k."""
    of_returned = measure.cutoff is None or measure.decisions.short_list == "returned"
    return of_returned & _nothing_returned(corpus, measure)


def _ideal_zero(corpus: Corpus, measure: Measure) -> Any:
    # An ideal below zero measures nothing either.
    declared = measure.decisions.max_grade
    top = corpus.highest if declared == "highest" else declared
    return np.array([model.ideal_worth(query, measure, top) <= 0 for query in corpus.queries])


def _nothing_of_worth(corpus: Corpus, measure: Measure) -> Any:
    under = measure.decisions
    return np.array([all(model.gain(g, under) <= 0 for g in model.pool(q, under)) for q in corpus.queries])


def _within_cutoff(query: Ranked, measure: Measure) -> list[Grade]:
    found = model.results(query, measure.decisions)
    return found[: model.last_rank(measure, len(found))]


def _none_found(corpus: Corpus, measure: Measure) -> Any:
    lists = [_within_cutoff(query, measure) for query in corpus.queries]
    return np.array([not any(model.relevant(g, measure.decisions) for g in grades) for grades in lists])


def _none_judged(corpus: Corpus, measure: Measure) -> Any:
    return np.array([all(g is None for g in _within_cutoff(query, measure)) for query in corpus.queries])


def _no_pair(corpus: Corpus, measure: Measure) -> Any:
    lists = (model.results(query, measure.decisions) for query in corpus.queries)
    return np.array([len({0.0 if grade is None else grade for grade in grades}) < 2 for grades in lists])


def _no_preference(corpus: Corpus, measure: Measure, kinds: int) -> Any:
    """No two judged documents of different grades: with both returned, with one of them, with none."""
    return np.array([not any(_preferences(query, measure.decisions)[:kinds]) for query in corpus.queries])


def _preferences(query: Ranked, decisions: Decisions) -> list[bool]:
    returned = {grade for g in query.grades if (grade := model.judged(g, decisions)) is not None}
    missed = {grade for g in query.missed if (grade := model.judged(g, decisions)) is not None}
    return [len(returned) > 1, bool(returned) and len(returned | missed) > 1, len(missed) > 1]


def _one_kind(corpus: Corpus, measure: Measure) -> Any:
    lists = (model.results(query, measure.decisions) for query in corpus.queries)
    return np.array([len({model.relevant(grade, measure.decisions) for grade in grades}) < 2 for grades in lists])


def _none_of_worth(corpus: Corpus, measure: Measure) -> Any:
    under = measure.decisions
    lists = (model.results(query, under) for query in corpus.queries)
    return np.array([all(model.gain(grade, under) <= 0 for grade in grades) for grades in lists])


def _all_relevant(corpus: Corpus, measure: Measure) -> Any:
    under = measure.decisions
    return np.array([all(model.relevant(grade, under) for grade in model.pool(q, under)) for q in corpus.queries])


_UNDEFINED: dict[str, Callable[[Corpus, Measure], Any]] = {
    "never": lambda corpus, _: np.zeros(len(corpus.queries), bool),
    "no relevant": _no_relevant,
    "ideal zero": _ideal_zero,
    "nothing of worth": lambda c, m: _nothing_of_worth(c, m),
    "nothing of worth or no relevant": lambda c, m: _nothing_of_worth(c, m) | _no_relevant(c, m),
    "nothing returned": _share_of_nothing,
    "no pair": _no_pair,
    "no pair judged": lambda c, m: _no_preference(c, m, 3),
    "no pair with a result": lambda c, m: _no_preference(c, m, 2),
    "no pair of judged results": lambda c, m: _no_preference(c, m, 1),
    "no pair of relevant and other": _one_kind,
    "nothing of worth returned": _none_of_worth,
    "none judged non-relevant": _all_relevant,
    # The words of the exceptions.
    "nothing returned, no relevant": lambda c, m: (m.cutoff is None) & _nothing_returned(c, m) & _no_relevant(c, m),
    "nothing returned or no relevant": lambda c, m: _nothing_returned(c, m) | _no_relevant(c, m),
    "nothing of worth judged or returned": lambda c, m: _nothing_of_worth(c, m) & _none_of_worth(c, m),
    "none found": _none_found,
    "none judged": _none_judged,
}


def _relevant_judged(query: Ranked, decisions: Decisions) -> int:
    return sum(model.relevant(grade, decisions) for grade in model.pool(query, decisions))


# ---------------------------------------------------------------- monotone


class Swaps(NamedTuple):
    """Every swap of two neighbours that differ in the lists of a corpus.

    Attributes
    ----------
    more
        The lists after the swaps that the corpus does not hold.
    before, after
        Which list is swapped, and which it becomes, among those of the corpus and these.
    grades
        The grades of the upper and the lower before the swap.
    """

    more: Corpus
    before: Any
    after: Any
    grades: list[tuple[Grade, Grade]]


@functools.cache
def _swaps(which: int) -> Swaps:
    corpus = CORPORA[which]
    numbers = {query: number for number, query in enumerate(corpus.queries)}
    before, after, grades, more = [], [], [], []
    for number, query in enumerate(corpus.queries):
        for place, (upper, lower) in enumerate(itertools.pairwise(query.grades)):
            if upper != lower:
                swapped = query.swapped(place)
                if swapped not in numbers:
                    numbers[swapped] = len(corpus.queries) + len(more)
                    more.append(swapped)
                before.append(number)
                after.append(numbers[swapped])
                grades.append((upper, lower))
    return Swaps(Corpus(tuple(more), corpus.highest), np.array(before, int), np.array(after, int), grades)


def promised_monotone(definition: Definition, answer: Answer) -> bool:
    """Whether the declaration promises that a better document one place up never lowers the score."""
    declared = definition.properties.monotone
    if declared in ("always", "no"):
        return declared == "always"
    return answer.given().ideal in re.findall(r"\w+", declared)


def lowered_by_a_better_document(definition: Definition, answer: Answer) -> str | None:
    """A list that scores less once a better document is swapped one place up."""
    decisions = answer.given()
    for which in range(len(CORPORA)):
        swaps, corpus = _swaps(which), CORPORA[which]
        queries = corpus.queries + swaps.more.queries
        good = {g: model.goodness(g, definition, decisions) for g in set(itertools.chain.from_iterable(swaps.grades))}
        better = np.array([good[lower] > good[upper] for upper, lower in swaps.grades], bool)
        for measure in measures(definition, decisions):
            values = np.concatenate([settled(part, measure) for part in (corpus, swaps.more) if part.queries])
            old, new = values[swaps.before], values[swaps.after]
            bad = better & (np.nan_to_num(new) < np.nan_to_num(old) - CLOSE)
            if found := _first(bad, measure, [queries[number] for number in swaps.before], old, new):
                return f"{found} after the swap to {queries[swaps.after[np.flatnonzero(bad)[0]]].grades}"
    return None


# ---------------------------------------------------------------- depth


def _limits(measure: Measure, queries: Sequence[Ranked]) -> tuple[int, ...]:
    """The last rank each query is read to, counted in results as they were returned."""
    decisions = measure.decisions
    if measure.definition.properties.depth == "R":
        deep = [_relevant_judged(q, decisions) for q in queries]
    else:
        deep = [model.last_rank(measure, len(q.grades)) for q in queries]
    return tuple(_as_returned(q, d, decisions) for q, d in zip(queries, deep, strict=True))


def _as_returned(query: Ranked, depth: int, decisions: Decisions) -> int:
    if decisions.unjudged == "filter":
        places = [i for i, g in enumerate(query.grades, 1) if model.judged(g, decisions) is not None]
        depth = (places[depth - 1] if depth else 0) if depth <= len(places) else len(query.grades)
    if decisions.ties in ("average", "best", "worst"):
        depth = max([depth, *(last for first, last in query.ties if first <= depth)])
    return min(depth, len(query.grades))


@functools.cache
def _changed_beyond(which: int, limits: tuple[int, ...]) -> tuple[Corpus, Corpus]:
    """Lists, and the same with the results beyond the limit in another order, unjudged, gone, or exchanged."""
    before, after = [], []
    for query, limit in zip(_thinned(which).queries, limits, strict=True):
        tail = query.grades[limit:]
        if not tail:
            continue
        # An emptied list is no shorter list: what it counts is not the measure's business (no_results).
        others = [tail[::-1], (None,) * len(tail), (*tail, *query.missed), (*query.missed, None, *tail)]
        for new in [*others, ()] if limit else others:
            before.append(query)
            after.append(_with_tail(query, limit, new))
    top = _thinned(which).highest
    return Corpus(tuple(before), top), Corpus(tuple(after), top)


def _with_tail(query: Ranked, limit: int, tail: Sequence[float | None]) -> Ranked:
    """The query with other results beyond the limit, and the same judgments."""
    grades = (*query.grades[:limit], *tail)
    missed = list(query.pool)
    for grade in grades:
        if grade is not None:
            missed.remove(grade)
    ties = tuple((first, last) for first, last in query.ties if last <= limit)
    return Ranked(grades, ties, tuple(missed))


def changed_by_deeper_results(definition: Definition, answer: Answer) -> str | None:
    """A list whose score depends on results beyond the rank it is said to read to."""
    for measure, which in itertools.product(measures(definition, answer.given()), range(len(CORPORA))):
        before, after = _changed_beyond(which, _limits(measure, _thinned(which).queries))
        old, new = settled(before, measure), settled(after, measure)
        if found := _first(_differ(old, new), measure, before.queries, old, new):
            return found
    return None


def _differ(old: Floats, new: Floats) -> Any:
    far = np.abs(np.nan_to_num(old) - np.nan_to_num(new)) > CLOSE * np.maximum(1.0, np.abs(np.nan_to_num(old)))
    return (np.isnan(old) != np.isnan(new)) | far


@functools.cache
def _changed_at(which: int, limits: tuple[int, ...]) -> tuple[Corpus, Corpus]:
    """Lists, and the same with the result at the limit unjudged, exchanged, or gone with all behind it."""
    before, after = [], []
    for query, limit in zip(_thinned(which).queries, limits, strict=True):
        if limit:
            tail = query.grades[limit:]
            others = [(None, *tail), (), *((grade, *tail) for grade in query.missed)]
            before += [query] * len(others)
            after += [_with_tail(replace(query, ties=()), limit - 1, other) for other in others]
    top = _thinned(which).highest
    return Corpus(tuple(before), top), Corpus(tuple(after), top)


def untouched_by_the_last_rank(definition: Definition, answer: Answer) -> str | None:
    """A cutoff at which no change of the last result that counts changes any score."""
    for measure in measures(definition, answer.given()):
        some = measure.cutoff is None or model.last_rank(measure, measure.cutoff) > 0
        if some and not any(_last_counts(measure, which) for which in range(len(CORPORA))):
            return f"{measure} does not read its last rank"
    return None


def _last_counts(measure: Measure, which: int) -> bool:
    before, after = _changed_at(which, _limits(measure, _thinned(which).queries))
    return bool(_differ(settled(before, measure), settled(after, measure)).any())


LONG = Corpus(at_random(40, 40, seed=4, shortest=30))


def untouched_by_deep_results(definition: Definition, answer: Answer) -> str | None:
    """Word that nothing beyond rank 20 matters, for a measure said to read everything."""
    before, after = [], []
    for query in LONG.queries:
        for tail in ((), (None,) * 10, query.missed):
            before.append(query)
            after.append(_with_tail(query, 20, tail))
    old, new = Corpus(tuple(before), LONG.highest), Corpus(tuple(after), LONG.highest)
    for measure in measures(definition, answer.given()):
        if _differ(settled(old, measure), settled(new, measure)).any():
            return None
    return f"{definition.name} reads no result beyond rank 20"


# ---------------------------------------------------------------- direction


@functools.cache
def _good_and_bad(worthless: Grade) -> tuple[Corpus, Corpus]:
    """Lists of top documents, and the same with worthless ones returned in their place."""
    lengths, judged = range(1, 7), () if worthless is None else (worthless,)
    good = [Ranked((3.0,) * n, (), judged * n) for n in lengths]
    bad = [Ranked((worthless,) * n, (), (3.0,) * n) for n in lengths]
    return Corpus(tuple(good)), Corpus(tuple(bad))


def not_raised_by_good_results(definition: Definition, answer: Answer) -> str | None:
    """A list of top documents that does not score more than one of worthless documents."""
    decisions = answer.given()
    # From level 0 on even grade 0 is relevant, and only the unjudged are not.
    good, bad = _good_and_bad(None if model.relevant(0.0, decisions) else 0.0)
    for measure in measures(definition, decisions):
        if not model.last_rank(measure, 1):
            continue  # rank < 1 leaves nothing to score
        high, low = settled(good, measure), settled(bad, measure)
        if found := _first(~(np.nan_to_num(high) > np.nan_to_num(low) + CLOSE), measure, good.queries, high, low):
            return found
    return None


def not_lowered_by_good_results(definition: Definition, answer: Answer) -> str | None:
    """A list of top documents that does not score less than one of worthless documents."""
    decisions = answer.given()
    # From level 0 on even grade 0 is relevant, and only the unjudged are not.
    good, bad = _good_and_bad(None if model.relevant(0.0, decisions) else 0.0)
    for measure in measures(definition, decisions):
        if not model.last_rank(measure, 1):
            continue  # rank < 1 leaves nothing to score
        high, low = settled(good, measure), settled(bad, measure)
        if found := _first(~(np.nan_to_num(high) < np.nan_to_num(low) - CLOSE), measure, good.queries, high, low):
            return found
    return None


def moved_by_good_results(definition: Definition, answer: Answer) -> str | None:
    """A list of top documents that does not score the same as one of worthless documents."""
    good, bad = _good_and_bad(0.0)
    for measure in measures(definition, answer.given()):
        high, low = settled(good, measure), settled(bad, measure)
        if found := _first(_differ(high, low), measure, good.queries, high, low):
            return found
    return None


# ---------------------------------------------------------------- average over ties


@functools.lru_cache(4)
def orders_of(corpus: Corpus) -> tuple[Corpus, Any]:
    """Every order of the tied results of every query, and the query each belongs to."""
    owners, orders = [], []
    for owner, query in enumerate(corpus.queries):
        for order in query.orders():
            owners.append(owner)
            orders.append(order)
    return Corpus(tuple(orders), corpus.highest), np.array(owners)


def mean_over_orders(corpus: Corpus, measure: Measure) -> Floats:
    """The mean of the scores of all orders of the tied results; an order left out makes it NaN."""
    orders, owners = orders_of(corpus)
    plain = replace(measure, decisions=measure.decisions.but(ties="given"))
    total = np.zeros(len(corpus.queries))
    np.add.at(total, owners, settled(orders, plain))
    return total / np.bincount(owners)


def average_is_not_exact(definition: Definition, answer: Answer) -> str | None:
    """A query whose score under ``ties=average`` is not the mean over all orders, or the refusal of it."""
    for measure in measures(definition, answer.given().but(ties="average")):
        wanted = mean_over_orders(TIED, measure)
        try:
            got = settled(TIED, measure)
        except UsageError as refusal:
            return f"{measure} is refused: {refusal}"
        if found := _first(_differ(got, wanted), measure, TIED.queries, got, wanted):
            return found
    return None


def tie_range_is_not_exact(definition: Definition, answer: Answer) -> str | None:
    """A query whose lowest or highest score over all orders of its ties is not that of the worst or best first."""
    for measure in filter(has_tie_range, measures(definition, answer.given())):
        low, high = _ends_over_orders(TIED, measure)
        worst, best = (
            np.nan_to_num(settled(TIED, replace(measure, decisions=measure.decisions.but(ties=ties))))
            for ties in ("worst", "best")
        )
        wrong = _differ(low, np.minimum(worst, best)) | _differ(high, np.maximum(worst, best))
        if found := _first(wrong, measure, TIED.queries, worst, low, best, high):
            return found
    return None


def _ends_over_orders(corpus: Corpus, measure: Measure) -> tuple[Floats, Floats]:
    orders, owners = orders_of(corpus)
    values = np.nan_to_num(settled(orders, replace(measure, decisions=measure.decisions.but(ties="given"))))
    low, high = np.full(len(corpus.queries), np.inf), np.full(len(corpus.queries), -np.inf)
    np.minimum.at(low, owners, values)
    np.maximum.at(high, owners, values)
    return low, high
