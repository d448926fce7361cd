"""Results that look damaged: what is odd about those of a pair of systems, and whether it could turn a verdict."""

from __future__ import annotations

import functools
import itertools
import math
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from typing import NamedTuple

import numpy as np

from idealrank.arrays import EQUAL, Cache, Floats, Ints, Mask
from idealrank.comparison.contrasts import Contrast, gain_interval
from idealrank.comparison.overlap import same_lists
from idealrank.comparison.pairing import SHOWN, Key, Pair, Pairing
from idealrank.comparison.verdict.failed_searches import best_or_worst
from idealrank.comparison.verdict.reasons import Reason, Step, but, noted
from idealrank.comparison.verdict.rule import CANT_TELL, DONT, SHIP, Outcome, Rule
from idealrank.data.latency_columns import STEMS
from idealrank.data.roles import CHOSEN_FOR, has_column
from idealrank.decisions.decisions import Decisions
from idealrank.display.numbers import decimal, signed
from idealrank.errors import listed, plural
from idealrank.evaluation.buckets import compute_per_query
from idealrank.evaluation.latency import search_times
from idealrank.evaluation.ledger.ledger import MeanShift
from idealrank.evaluation.ledger.oddities import MANY_SHARE, NEARLY_ALL, Oddity, are_many, spell_answer
from idealrank.evaluation.ledger.sensitivity import AlternativeAnswer, values_under
from idealrank.evaluation.scores import Scores
from idealrank.evaluation.tie_ranges import has_tie_range
from idealrank.judged_lists.join import Join
from idealrank.statistics.intervals import Interval
from idealrank.statistics.sample import Sample, make_sample

ENOUGH = 0.5
"""The share of the queries that must be left without those in doubt, for a verdict on them to say anything."""

FEWEST_ALIKE, LONG_ENOUGH = 10, 3
"""Queries, and results of each on average, from which lists that are just the judged documents are no chance."""

BACKWARDS = 4.0
"""Standard errors above 0 of how grades rise with the rank."""

ODD_ORDER, SURELY_ODD, ODD_SHARE = 1.5, 2.0, 0.2
"""Standard errors by which grades rise with the rank in the lists of an odd query: on average in those of two systems,
and in that of one; and the share of odd queries that is no chance."""

TURNED = 0.8
"""Standard errors by which grades must rise with the rank in an average list, before its order seems turned round."""

FEWEST_ORDERS = 1000
"""Orders from which it is no chance that a list is in that of its grades."""

FAR_FROM_ORDER = 0.2
"""The share of slips from which lists are far from the order of their grades: chance makes a third."""

FAR_FROM = 0.8
"""The share of the cutoff at which lists have lost results that matter, if all end there."""


def suspicions(pairing: Pairing) -> dict[Pair, list[Oddity]]:
    """Return what is odd about the results of each pair of systems, in the order in which it is said.

    A doubt that a decision answers is not raised where somebody gave that answer (`no_results`, `order_by`,
    `rank_gaps`); what the answer itself favours is said.
    """
    looked = _LookedUp(pairing)
    return {
        pair: [
            *_upside_down(looked, pair),
            *_odd_judgments(looked),
            *_same(looked, pair),
            *_damaged(looked, pair, [_order_of_ties(looked, pair)]),
        ]
        for pair in pairing.pairs
    }


class _LookedUp:
    """What the checks read of each system, looked up once in however many pairs it stands."""

    def __init__(self, pairing: Pairing) -> None:
        self.pairing, self.scores = pairing, pairing.scores
        self.place = {query: q for q, query in enumerate(self.scores.queries)}
        self._kept = Cache()

    @functools.cached_property
    def answered(self) -> Mask:
        """(S, Q) which of the queries asked for did not fail: a failed search has a rule of its own."""
        failed = [self.pairing.has_failed(s) for s in range(len(self.scores.systems))]
        answered: Mask = self.pairing.chosen & ~np.array(failed)
        for s, of in enumerate(self.scores.ledger.systems):
            answered[s, [self.place[query] for query in of.failed if query in self.place]] = False
        return answered

    @functools.cached_property
    def found_by_some(self) -> Mask:
        """(Q,) for which queries some system has results."""
        found: Mask = (self.scores.ledger.returned & self.answered).any(axis=0)
        return found

    @functools.cached_property
    def reordered(self) -> dict[str, MeanShift]:
        """The move of the means of each system by the other order of its results, where there is one."""
        moves = [move for move in self.scores.ledger.moves if move.decision == "order_by"]
        return {move.system: move for move in reversed(moves)}  # the first of a system

    def gapped(self, s: int) -> bool:
        """Whether the ranks of a system have gaps that can move the deciding measure."""
        return any(each.kind == "gapped" for each in self.odd(s))

    @functools.cached_property
    def chosen_for(self) -> frozenset[str]:
        """The systems that labels were chosen for, where the judgments say so."""
        if not self.scores.lists.in_memory:
            return frozenset()
        judgments = self.scores.joins[0].judgments
        if not has_column(judgments.source.frame.names, CHOSEN_FOR):
            return frozenset()
        from idealrank.data.chosen_labels import systems_chosen_for  # only for labels of `label_next`

        return systems_chosen_for(judgments)

    @functools.cached_property
    def copied(self) -> list[int]:
        """(S,) the place of the first system that returned the same lists, down to their ends."""
        scores, first = self.scores, list[int]()
        for s in range(len(scores.systems)):
            alike = (
                f
                for f in dict.fromkeys(first)
                if np.array_equal(scores.values[f], scores.values[s], equal_nan=True)
                and same_lists(scores, Pair(f, s), whole=True)
            )
            first.append(next(alike, s))
        return first

    @functools.cached_property
    def averaged(self) -> dict[int, Floats]:
        """The (Q,) values of the deciding measure as the mean over all orders of equal scores, where a system has some.

        Of no system where that answer is refused.
        """
        first = self.scores.measures[0]
        every_order = replace(first, decisions=first.decisions.but(ties="average"))
        tied = [s for s in range(len(self.scores.systems)) if self.tied_queries(s)]
        asked = [(s, "ties", [AlternativeAnswer(first, "average", every_order)]) for s in tied]
        outcomes = [values for (values,) in values_under(self.scores, asked)]
        averaged = {s: of for s, of in zip(tied, outcomes, strict=True) if isinstance(of, np.ndarray)}
        return averaged if len(averaged) == len(tied) else {}

    def odd(self, s: int) -> list[Oddity]:
        """What the ledger finds odd about the results of a system, where it can move the deciding measure."""
        return self._kept.once(("odd", s), lambda: _odd_of_system(self, s))

    def tied_queries(self, s: int) -> int:
        """In how many queries a system has equal scores."""
        return self.scores.ledger.systems[s].counts.get("queries with ties", 0)

    def moved_by_ties(self, s: int) -> int:
        """How many queries have another value of the deciding measure in another order of tied results."""
        return self._kept.once(("ties", s), lambda: _moved_by_ties(self.scores, s))

    def short(self, s: int) -> _Short | None:
        """Where the lists of a system end, if that is far from the cutoff."""
        return self._kept.once(("short", s), lambda: _short(self.pairing, s))

    def ends_early(self, s: int) -> float:
        """The share of the lists of a system that end far from the cutoff."""
        return self._kept.once(("early", s), lambda: _share_ending_early(self.pairing, s))

    @functools.cached_property
    def grades(self) -> frozenset[float]:
        """The different grades of judged documents; empty where the lists are not in memory."""
        if not self.scores.lists.in_memory:
            return frozenset()
        pool = self.scores.joins[0].lists(self.scores.setting.decisions).pool
        return frozenset(np.unique(pool.grade).tolist())

    def backwards(self, s: int) -> Floats:
        """(Q,) by how many standard errors grades rise with the rank in a list of a system; NaN where none tells."""
        decisions = self.scores.setting.decisions
        of = functools.partial(_backwards, s=s, decisions=decisions)
        return self._kept.once(("backwards", s), lambda: compute_per_query(self.scores, of))

    def slope(self, s: int) -> float:
        """By how many standard errors grades rise with the rank in the lists of a system; 0 for a few queries."""
        return self._kept.once(("slope", s), lambda: _error_above_0(self, self.backwards(s)))

    def turned(self, s: int) -> Mask:
        """(Q,) which lists of a system would be better from their ends."""
        return self._kept.once(("turned", s), lambda: _turned(self, s))

    def slips(self, s: int) -> Floats:
        """(Q,) the share of slips in the order of the grades in a list of a system; NaN where it may be chance."""
        of = functools.partial(_slips_of_lists, s=s, decisions=self.scores.setting.decisions)
        return self._kept.once(("slips", s), lambda: compute_per_query(self.scores, of))

    def judgments_again(self, s: int) -> Oddity | None:
        """The doubt that the results of a system are the judgments, or are ordered by them."""
        return self._kept.once(("again", s), lambda: _judgments_again(self.pairing, s) or _ordered_by_grade(self, s))


def _damaged(looked: _LookedUp, pair: Pair, further: Iterable[Iterator[Oddity]] = ()) -> Iterator[Oddity]:
    both = (tuple(pair), tuple(reversed(pair)))
    for check in (_one_sided, _judged_again):
        yield from (each for s, other in both for each in check(looked, s, other))
    ranks = [each for s, other in both for check in (_odd, _gaps) for each in check(looked, s, other)]
    yield from (each for s, other in both for each in _chosen_for_others(looked, s, other))
    yield from ranks
    for check in (_orders, _best_of_ties):
        yield from (each for s, other in both for each in check(looked, s, other))
    # Lists whose ranks have gaps are shorter for the same reason, and their ties and order are those of the ranks.
    doubted = {doubt.system for doubt in ranks}
    turned = (each for s, other in both for each in _turned_round(looked, s, other))
    cut_off = (each for s, other in both for each in _cut_off(looked, s, other))
    fewer = (each for s, other in both for each in _fewer(looked, s, other))
    for found in (turned, *further, cut_off, fewer):
        yield from (each for each in found if each.system not in doubted)


def _same(looked: _LookedUp, pair: Pair) -> Iterator[Oddity]:
    """Say that both returned the same lists: the results of one may have been given for those of the other."""
    pairing = looked.pairing
    if looked.copied[pair.baseline] != looked.copied[pair.system]:
        return
    old, new = (pairing.scores.systems[s] for s in pair)
    every = np.zeros(len(pairing.scores.queries), np.bool_)
    queries = int(pairing.chosen.sum())
    text = f"{old} and {new} gave the same lists for {'the one query' if queries == 1 else f'all {queries:,} queries'}"
    yield Oddity(
        "same lists", new, text, f"If {new} should differ, check that its results are not those of {old}", every
    )


def warnings_of(found: Iterable[Oddity], ledger: Iterable[str]) -> tuple[str, ...]:
    """Return what is odd about results, each once, then those warnings of a ledger that say something else."""
    found = list(found)
    shown = {f"{each.text}. {each.advice}" for each in found}
    others = [text for text in ledger if text not in shown]
    return tuple(dict.fromkeys([*(f"{each.text}." for each in found), *others]))


def by_system(pairing: Pairing) -> tuple[Oddity, ...]:
    """Return what is odd about the results of each system, once, beside the system where it is about most queries.

    That systems have the same lists is not said: a board has them side by side, with the same mean. Nor is the order
    of equal scores, which is a doubt about the difference of two systems.

    Of two thousand systems there are two million pairs: each check names the few systems beside which it can first
    say something of one, or say it of most queries, and is made for these. What is said, and in which order, is as if
    all pairs were looked at.
    """
    looked = _LookedUp(pairing)
    found: list[tuple[Pair, int, bool, Oddity]] = []
    for s in range(len(pairing.scores.systems)):
        for place, (check, beside) in enumerate(_OF_A_BOARD):
            for other in beside(looked, s):
                pair = Pair(min(s, other), max(s, other))
                found += [(pair, place, s == pair.system, each) for each in check(looked, s, other)]
    kept: dict[tuple[str, str], Oddity] = {}
    for *_, each in sorted(found, key=lambda one: one[:3]):
        before = kept.get(each.cause)
        if before is None or each.count > before.count:
            kept[each.cause] = each
    return tuple(kept.values())


# Each check of one system beside another, and of all others those beside which it is enough to make it.


def _one_sided(looked: _LookedUp, s: int, other: int) -> Iterator[Oddity]:
    """Doubt results that lack many queries which the other system has results for.

    A search that has a time was made and answered: that it found nothing is worth a word, but its value is no doubt.
    """
    pairing, scores = looked.pairing, looked.scores
    decisions = scores.measures[0].decisions
    answered_so = "no_results" in scores.setting.overrides
    left_out = decisions.no_results == "skip" or (answered_so and decisions.no_results == "skip_missing")
    returned = scores.ledger.returned
    of_own, of_other = returned[s], returned[other]
    either = int(((of_other | of_own) & pairing.chosen).sum())
    places = np.flatnonzero(of_other & ~of_own & looked.answered[other] & looked.answered[s])
    counted = answered_so and not left_out
    if not are_many(len(places), either) or (counted and len(places) <= ENOUGH * either):
        return
    lacking = [scores.queries[q] for q in places]
    system, theirs = scores.systems[s], scores.systems[other]
    text = f"{system} has no results for {len(lacking)} of {plural(either, 'query')} that {theirs} has results for"
    affected = np.zeros(len(scores.queries), np.bool_)
    if left_out:
        text += f" ({listed(lacking)}), and no_results={decisions.no_results} leaves them out of the comparison"
        way = f"Count them: {spell_answer('no_results', '0')}"
        missing = np.zeros(len(scores.queries), np.bool_)
        missing[places] = True
        yield Oddity("no results", system, text, way, affected, count=len(lacking), left_out=missing)
        return
    way = f"Check that {system} was asked these queries and that its file is complete"
    if counted:
        text += f" ({listed(lacking)}), and each counts as 0"
        yield Oddity("no results", system, text, way, affected, count=len(lacking))
        return
    way += f". If it found nothing for them, say so: {spell_answer('no_results', '0')}"
    timed = {query for clock in STEMS for query in search_times(scores, s, clock)}
    unsure = [q for q, query in zip(places, lacking, strict=True) if query not in timed]
    affected[unsure] = True
    names = listed(lacking) if unsure else f"{listed(lacking)}; by their times, it was asked and found nothing"
    lowers = _more_is_better(pairing)
    yield Oddity("no results", system, f"{text} ({names})", way, affected, count=len(lacking), lowers=lowers)


def _with_more_queries(looked: _LookedUp, s: int) -> Iterator[int]:
    """Yield the first system that has results for many queries which this one lacks, and the one that has most."""
    returned, chosen = looked.scores.ledger.returned, looked.pairing.chosen
    none = np.flatnonzero(looked.found_by_some & ~returned[s] & looked.answered[s])
    if len(none) < 2:  # as with most systems of a board
        return
    lacking = np.count_nonzero(returned[:, none] & looked.answered[:, none], axis=1)
    either = np.count_nonzero((returned | returned[s]) & chosen, axis=1)
    many = (lacking > 1) & (lacking > MANY_SHARE * either)
    if many.any():
        yield int(many.argmax())
        yield int(np.where(many, lacking, -1).argmax())


def _more_is_better(pairing: Pairing) -> bool:
    return pairing.scores.measures[0].definition.properties.direction == "higher"


def _chosen_for_others(looked: _LookedUp, s: int, _other: int) -> Iterator[Oddity]:
    """Say that labels were chosen to decide between other systems: documents of these alone had a chance of one."""
    system, chosen = looked.scores.systems[s], looked.chosen_for
    if not chosen or system in chosen:
        return
    text = (
        f"Labels in the judgments were chosen to decide between {listed(sorted(chosen), 4, ' and ')}, and {system} is "
        f"another system: documents that only {system} returns were not asked for, so its values are likely too low"
    )
    none = np.zeros(len(looked.scores.queries), np.bool_)
    way = f"Label documents of {system} first: idealrank label-next"
    yield Oddity("labels for others", system, text, way, none, lowers=True)


def _judged_again(looked: _LookedUp, s: int, _other: int) -> Iterator[Oddity]:
    doubt = looked.judgments_again(s)
    if doubt is not None:
        yield doubt


def _judgments_again(pairing: Pairing, s: int) -> Oddity | None:
    """Doubt a system whose lists begin with the relevant documents of every query in the order of their grades.

    No system is perfect on long lists: such results are the judgments, or were made from them, whatever their scores.
    """
    scores = pairing.scores
    if int(pairing.chosen.sum()) < FEWEST_ALIKE:
        return None
    if scores.measures[0].definition.properties.at_ideal == "1" and not (
        np.nanmin(scores.values[s, 0][pairing.chosen], initial=1.0) >= 1 - EQUAL
    ):
        return None  # most systems end here, and their lists are not looked at
    lengths = compute_per_query(scores, functools.partial(_ideal_lengths, s=s, decisions=scores.setting.decisions))[
        pairing.chosen
    ]
    if not (lengths.min() > 0 and lengths.mean() >= LONG_ENOUGH):
        return None
    system = scores.systems[s]
    text = (
        f"{system} returned the relevant documents of all {len(lengths):,} queries first, in the order of their grades"
    )
    way = f"Check that the results of {system} are not the judgments, nor made from them"
    return Oddity("judgments as results", system, text, way, pairing.chosen)


def _ideal_lengths(joins: list[Join], s: int, decisions: Decisions) -> Ints:
    """(Q,) how many relevant documents a list begins with, where it has as many as it can in the best order; else 0."""
    lists = joins[s].lists(decisions, "dense").lists
    queries = len(lists.hit_start) - 1
    of_pool = np.repeat(np.arange(queries), np.diff(lists.pool_start))
    relevant = np.bincount(of_pool[lists.pool_grade > 0], minlength=queries)
    first = np.minimum(relevant, np.diff(lists.hit_start))
    query = np.repeat(np.arange(queries), np.diff(lists.hit_start))
    place = np.arange(len(query)) - lists.hit_start[query]
    read = np.flatnonzero(place < first[query])
    ideal = lists.pool_grade[lists.pool_start[query[read]] + place[read]]
    wrong = np.bincount(query[read][lists.grade[read] != ideal], minlength=queries)
    return np.where(wrong == 0, first, 0)


def _ordered_by_grade(looked: _LookedUp, s: int) -> Oddity | None:
    """Doubt a system whose judged results stand in the order of their grades in nearly all lists that can tell.

    Or in more than chance explains, where the other lists are far from it. Its scores were made from the grades, with
    or without noise: to find documents is one thing, to sort ten of three grades without a slip in query after query
    another. Where another system comes near to that order, too, the query is easy: it counts only where nearly all are
    sorted.
    """
    pairing = looked.pairing
    slips = looked.slips(s)
    telling = pairing.chosen & ~np.isnan(slips)
    ordered = telling & (slips == 0)
    of = int(telling.sum())
    every = int(ordered.sum()) >= NEARLY_ALL * of
    some = False
    if _is_no_chance(ordered, telling) and not every and slips[telling & ~ordered].mean() >= FAR_FROM_ORDER:
        others = range(len(pairing.scores.systems))
        near = [looked.slips(other) < FAR_FROM_ORDER for other in others if other != s]
        some = _is_no_chance(ordered & ~np.logical_or.reduce(near), telling)
    count = int(ordered.sum())
    if of < FEWEST_ALIKE or not (every or some):
        return None
    system = pairing.scores.systems[s]
    text = f"{system} has its judged results in the order of their grades in {count:,} of {of:,} long lists"
    way = f"Check that the results of {system} are not the judgments, nor made from them"
    return Oddity("judgments as results", system, text, way, pairing.chosen if every else ordered)


def _slips_of_lists(joins: list[Join], s: int, decisions: Decisions) -> Floats:
    """(Q,) the share of the judged results of a list that stand right behind one of a lower grade.

    NaN where their order may be chance: where there are fewer than three grades, or few orders in which the list could
    stand.
    """
    from scipy.special import gammaln

    lists = joins[s].lists(decisions, "dense").lists
    queries = len(lists.hit_start) - 1
    query = np.repeat(np.arange(queries), np.diff(lists.hit_start))
    kept = ~np.isnan(lists.grade)
    query, grade = query[kept], lists.grade[kept]
    rises = np.bincount(query[1:][(np.diff(grade) > 0) & (np.diff(query) == 0)], minlength=queries)
    grades, which = np.unique(grade, return_inverse=True)
    of_grade, counts = np.unique(query * len(grades) + which, return_counts=True)
    of_query = of_grade // max(len(grades), 1)
    alike = np.bincount(of_query, gammaln(counts + 1), minlength=queries)
    judged = np.bincount(query, minlength=queries)
    tells = np.bincount(of_query, minlength=queries) >= 3
    tells &= gammaln(judged + 1) - alike >= math.log(FEWEST_ORDERS)
    return np.where(tells, rises / np.maximum(judged - 1, 1), np.nan)


def _upside_down(looked: _LookedUp, pair: Pair) -> Iterator[Oddity]:
    """Doubt judgments by which both systems put the worst documents first: 1 may be the best grade, not the worst.

    That of some queries is enough, where there are more of them than chance explains: raters may have worked by two
    scales.
    """
    scores, pairing = looked.scores, looked.pairing
    # Of two grades the one that counts is seldom mistaken, and weak systems may well have it low.
    if not _more_is_better(pairing) or len(looked.grades) < 3:
        return
    asked = pairing.chosen & scores.in_scope
    both = np.array([looked.backwards(s) for s in pair])
    odd = asked & (both.min(axis=0) > 0)
    if all(looked.slope(s) >= BACKWARDS for s in pair):
        odd, where = asked, "in nearly every query"
    elif _is_no_chance(odd & (both.mean(axis=0) > ODD_ORDER), asked):
        names = listed([scores.queries[q] for q in np.flatnonzero(odd)])
        where = f"in {int(odd.sum()):,} of {plural(int(asked.sum()), 'query')} ({names})"
    else:
        return
    text = f"both systems put documents of low grades before those of high ones, {where}"
    way = "Check that high grades are the good ones. If 1 is the best, turn them: --grades '1=3,2=2,3=1'"
    yield Oddity("grades turned round", "", text, way, odd)


def _turned_round(looked: _LookedUp, s: int, other: int) -> Iterator[Oddity]:
    """Doubt lists that would be better from their ends, in nearly every query or in more than chance explains.

    A system that is ahead is so in spite of it; and where both are so, rather the judgments are in doubt.
    """
    scores, pairing = looked.scores, looked.pairing
    turned = looked.turned(s)
    behind = float(np.nansum(pairing.difference(Pair(s, other), 0))) > 0
    if not turned.any() or not behind or looked.slope(other) >= BACKWARDS:
        return
    asked = pairing.chosen & scores.in_scope
    if not turned[asked].all():
        turned = turned & ~(looked.backwards(other) > 0)
        if not _is_no_chance(turned & (looked.backwards(s) > SURELY_ODD), asked):
            return
    system, many, of = scores.systems[s], int(turned.sum()), int(asked.sum())
    where = "in nearly every query" if many == of else f"in {many:,} of {plural(of, 'query')}"
    text = f"{system} has its results in an order that would be better from the end, {where}"
    way = (
        f"Check the order of the results of {system}: if a lower score is better, turn the signs of its scores. "
        f"If the order is right, say so: {spell_answer('order_by', scores.ledger.found[s].order)}"
    )
    yield Oddity("lists turned round", system, text, way, turned, count=many)


def _turned(looked: _LookedUp, s: int) -> Mask:
    """(Q,) which lists of a system would be better from their ends: nearly all, or more than chance explains."""
    scores, pairing = looked.scores, looked.pairing
    asked = pairing.chosen & scores.in_scope
    none = np.zeros_like(asked)
    # Equal scores have no order that could be turned round.
    tied = are_many(looked.tied_queries(s), int(asked.sum()))
    if tied or "order_by" in scores.setting.overrides or not _more_is_better(pairing):
        return none
    rise = looked.backwards(s)
    every, odd = looked.slope(s) >= BACKWARDS, asked & (rise > SURELY_ODD)
    if not every and not _is_no_chance(odd, asked):
        return none
    gain = compute_per_query(scores, functools.partial(_gain_if_turned, s=s, decisions=scores.setting.decisions))
    if not every:
        return asked & (rise > 0) & (gain > 0)  # where some surely are, any of these may be
    # Where all lists are alike there is no spread to judge by.
    turned = np.nanmean(rise[asked]) >= TURNED and BACKWARDS <= _error_above_0(looked, gain) < math.inf
    return asked if turned else none


def _is_no_chance(odd: Mask, asked: Mask) -> bool:
    """Whether odd queries are more than chance explains, though not nearly all."""
    return int(odd.sum()) >= max(FEWEST_ALIKE, ODD_SHARE * int(asked.sum()))


def _error_above_0(looked: _LookedUp, of_query: Floats) -> float:
    """Return how many standard errors the mean over queries is above 0; 0 for a few queries."""
    known = of_query[looked.pairing.chosen & ~np.isnan(of_query)]
    return make_sample(known).t if len(known) >= FEWEST_ALIKE else 0.0


def _gain_if_turned(joins: list[Join], s: int, decisions: Decisions) -> Floats:
    """(Q,) by how much the DCG of a whole list would be higher from its end; NaN where one document alone has a grade.

    That one document stands low may be so of a system that finds it late, and its place says little.
    """
    lists = joins[s].lists(decisions, "dense").lists
    lengths = np.diff(lists.hit_start)
    query = np.repeat(np.arange(len(lengths)), lengths)
    place = np.arange(len(query)) - lists.hit_start[query]
    more = 1 / np.log2(lengths[query] - place + 1) - 1 / np.log2(place + 2)
    found = np.bincount(query, np.nan_to_num(lists.grade) * more, minlength=len(lengths))
    return np.where(np.bincount(query, lists.grade > 0, minlength=len(lengths)) > 1, found, np.nan)


def _backwards(joins: list[Join], s: int, decisions: Decisions) -> Floats:
    """(Q,) how rank and grade go together among the judged results of a query; NaN where these do not vary.

    In standard errors: their correlation times the root of their number less 1.
    """
    lists = joins[s].lists(decisions, "dense").lists
    queries = len(lists.hit_start) - 1
    query = np.repeat(np.arange(queries), np.diff(lists.hit_start))
    kept = ~np.isnan(lists.grade)
    query, rank, grade = query[kept], lists.rank[kept].astype(np.float64), lists.grade[kept]
    count = np.bincount(query, minlength=queries)

    def centred(values: Floats) -> Floats:
        return values - (np.bincount(query, values, minlength=queries) / count)[query]

    with np.errstate(all="ignore"):  # of queries that do not tell, and of grades near the largest number there is
        rank, grade = centred(rank), centred(grade)
        products = (rank * grade, rank**2, grade**2)
        both, ranks, grades = (np.bincount(query, each, minlength=queries) for each in products)
        together: Floats = both / np.sqrt(ranks * grades) * np.sqrt(count - 1)
    return np.where((count > 2) & (ranks * grades > EQUAL) & np.isfinite(grades), together, np.nan)


def _odd_judgments(looked: _LookedUp) -> Iterator[Oddity]:
    """Yield what the ledger finds odd about the judgments of the queries that are compared."""
    for each in looked.scores.ledger.odd:
        if not each.system and (queries := each.queries & looked.pairing.chosen).any():
            yield replace(each, queries=queries)


def _odd_of_system(looked: _LookedUp, s: int) -> list[Oddity]:
    scores = looked.scores
    found = [each for each in scores.ledger.odd if each.system == scores.systems[s]]
    movable = not found or has_tie_range(scores.measures[0])
    found = [each for each in found if each.kind != "level scores" or not movable or looked.moved_by_ties(s)]
    return [replace(each, queries=each.queries & looked.pairing.chosen) for each in found]


def _odd(looked: _LookedUp, s: int, _other: int) -> Iterator[Oddity]:
    """Doubt what the ledger finds odd, such as ranks that can hardly be right, whatever stands beside it."""
    yield from (each for each in looked.odd(s) if each.kind != "gapped")


def _gaps(looked: _LookedUp, s: int, other: int) -> Iterator[Oddity]:
    """Doubt gaps in the ranks of one system where the other has none: they tell of lost rows.

    Gaps in both files, or beside a file without ranks, tell of how they were made.
    """
    if looked.scores.ledger.found[other].reads_ranks and not looked.gapped(other):
        yield from (each for each in looked.odd(s) if each.kind == "gapped")


def _orders(looked: _LookedUp, s: int, other: int) -> Iterator[Oddity]:
    """Doubt results whose ranks and scores disagree in most queries, if the other order changes the mean notably.

    Every value is in doubt where it changes that by as much as the systems differ. Ranks of a TREC run are no doubt:
    its format says that the scores count, and trec_eval never reads them.
    """
    pairing, scores = looked.pairing, looked.scores
    label = scores.labels[0]
    if "order_by" in scores.setting.overrides:
        return
    system, counts = scores.systems[s], scores.ledger.found[s]
    shift = looked.reordered.get(system)
    means = {name: both for name, *both in shift.means} if shift is not None else {}
    disagree = 2 * counts.conflicting > counts.compared > 1 and counts.format != "trec-run"
    if shift is None or label not in means or not disagree:
        return
    before, after = means[label]
    text = f"{system}: rank and score disagree in {counts.conflicting:,} of {plural(counts.compared, 'query')}"
    text += f"; the results are ordered by {counts.order}, and by {shift.answer} {label} would be {decimal(after)}"
    way = f"Say which counts: {spell_answer('order_by', 'rank')} or {spell_answer('order_by', 'score')}"
    gap = abs(float(np.nanmean(pairing.difference(Pair(s, other), 0))))
    affected = pairing.chosen & (abs(after - before) >= gap)
    yield Oddity("rank against score", system, text, way, affected, count=counts.conflicting)


def _best_of_ties(looked: _LookedUp, s: int, other: int) -> Iterator[Oddity]:
    """Warn where each tie is broken to the advantage of a system, and it alone has the ties to gain by."""
    if not _may_have_the_best_of_ties(looked, s):
        return
    scores, moved, theirs = looked.scores, looked.moved_by_ties(s), looked.moved_by_ties(other)
    if moved > 2 * theirs:
        system, label = scores.systems[s], scores.labels[0]
        text = f"{system}: in {plural(moved, 'query')} the order of tied results moves {label}, and ties=best "
        text += f"takes the one that is best for it; {scores.systems[other]} has {theirs or 'no'} such queries"
        way = f"Count the mean of all orders: {spell_answer('ties', 'average')}"
        none = np.zeros(len(scores.queries), np.bool_)
        yield Oddity("best of ties", system, text, way, none, count=moved)


def _may_have_the_best_of_ties(looked: _LookedUp, s: int) -> bool:
    """Whether ties are broken to the advantage of each, and that moves many queries of a system."""
    best = _is_best_of_ties(looked.scores)
    return best and are_many(looked.moved_by_ties(s), int(looked.pairing.chosen.sum()))


def _is_best_of_ties(scores: Scores) -> bool:
    return scores.measures[0].decisions.ties == "best" and has_tie_range(scores.measures[0])


def _moved_by_ties(scores: Scores, s: int) -> int:
    ends = scores.tie_range(scores.labels[0], scores.systems[s])
    return sum(row["highest"] - row["lowest"] > EQUAL for row in ends)


def _order_of_ties(looked: _LookedUp, pair: Pair) -> Iterator[Oddity]:
    """Doubt a difference that comes from the order of equal scores, which says nothing of a system.

    By ids, as trec_eval orders them, it favours a system with many ties wherever ids tell of relevance: those of newer
    documents are higher, say. It is in doubt where the mean over all orders (``ties=average``) takes away half of it,
    and more than its standard error.
    """
    pairing, scores = looked.pairing, looked.scores
    first, label = scores.measures[0], scores.labels[0]
    answered = "ties" in scores.setting.overrides and first.decisions.ties != "given"
    if answered or first.decisions.ties == "average":
        return
    averaged = {s: looked.averaged[s] for s in pair if s in looked.averaged}
    if not averaged:
        return
    key = Key(pair, 0)
    of_baseline, of_system = (averaged.get(s, scores.values[s, 0]) - scores.values[s, 0] for s in pair)
    shift = np.where(pairing.paired(*key), of_system - of_baseline, 0.0)
    paired = np.flatnonzero(pairing.paired(*key))
    given = make_sample(pairing.difference(*key)[paired], pairing.weights_of(paired))
    moved = make_sample(shift[paired], pairing.weights_of(paired)).mean
    if abs(moved) < max(abs(given.mean) / 2, given.error, EQUAL):
        return
    luckier = max(averaged, key=lambda s: abs(float(np.nansum(averaged[s] - scores.values[s, 0]))))
    system, queries = scores.systems[luckier], plural(int((np.abs(shift) > EQUAL).sum()), "query")
    text = f"{system} has equal scores whose order moves {label} in {queries}: the difference is "
    text += f"{signed(given.mean)}, and {signed(given.mean + moved)} as the mean over all orders"
    way = f"Count the mean over all orders: {spell_answer('ties', 'average')}; or give scores that differ"
    yield Oddity("order of ties", system, text, way, np.abs(shift) > EQUAL)


def _cut_off(looked: _LookedUp, s: int, other: int) -> Iterator[Oddity]:
    """Doubt lists that mostly end at four fifths of the cutoff of the deciding measure, or before, beside longer ones.

    Systems may well return 9 results and 10. Lists of various lengths are those of a system that finds fewer documents
    for some queries, and a system that is ahead with fewer results is not so because of them.
    """
    pairing, scores = looked.pairing, looked.scores
    short = looked.short(s)
    if short is None:
        return
    longer = short.places[scores.lengths(other)[short.places] > short.end]
    if not are_many(len(longer), short.lists):
        return
    if _more_is_better(pairing) and float(np.nansum(pairing.difference(Pair(other, s), 0))) > 0:
        return
    system, label, cutoff, end = scores.systems[s], scores.labels[0], scores.measures[0].cutoff, short.end
    ended = len(short.places)
    most = "at most" if ended == short.lists else f"in {ended} of {short.lists} lists"
    affected = np.zeros(len(scores.queries), np.bool_)
    affected[longer] = True
    text = f"{system} has {most} {plural(end, 'result')} per query, where {scores.systems[other]} has more"
    yield Oddity(
        "lists cut off",
        system,
        f"{text}; {label} reads {cutoff}",
        f"Give the results of {system} down to rank {cutoff}, or decide by a cutoff that both reach: @{end}",
        affected,
    )


def _fewer(looked: _LookedUp, s: int, other: int) -> Iterator[Oddity]:
    """Say that nearly all lists of a system end early, at various lengths, beside one whose lists go on.

    A search that finds less returns such lists; so does whoever cuts them.
    """
    pairing, scores = looked.pairing, looked.scores
    cutoff = scores.measures[0].cutoff
    if cutoff is None or looked.short(s) is not None or looked.ends_early(s) < NEARLY_ALL:
        return
    behind = _more_is_better(pairing) and float(np.nansum(pairing.difference(Pair(s, other), 0))) > 0
    if not behind or looked.ends_early(other) > 1 - NEARLY_ALL:
        return
    system, lengths = scores.systems[s], np.where(pairing.chosen, scores.lengths(s), 0)
    found = lengths[lengths > 0]
    text = f"{system} has {found.mean():.1f} results per query on average, where {scores.systems[other]} has more"
    text += f"; {scores.labels[0]} reads {cutoff}"
    way = f"If the lists of {system} were cut, give them down to rank {cutoff}"
    yield Oddity("lists end early", system, text, way, np.zeros(len(scores.queries), np.bool_))


class _Short(NamedTuple):
    """Lists of a system that mostly end far from the cutoff: where, the places of their queries, and of how many."""

    end: int
    places: Ints
    lists: int


def _short(pairing: Pairing, s: int) -> _Short | None:
    """Return where lists of a system end, in which queries, and how many lists it has; None if they go on.

    Most of them, or many where nearly all others go on: lists of various lengths are those of a search that finds
    fewer documents for some queries.
    """
    cutoff = pairing.scores.measures[0].cutoff
    if cutoff is None:
        return None
    lengths = np.where(pairing.chosen, pairing.scores.lengths(s), 0)
    lists = int((lengths > 0).sum())
    ending = lengths[(lengths > 0) & (lengths <= FAR_FROM * cutoff)]
    if not len(ending):
        return None
    end = int(np.bincount(ending).argmax())
    places = np.flatnonzero(lengths == end)
    ended = len(places)
    most, many = 2 * ended > lists, are_many(ended, lists) and not are_many(len(ending) - ended, lists)
    return _Short(end, places, lists) if most or many else None


def _share_ending_early(pairing: Pairing, s: int) -> float:
    lengths = np.where(pairing.chosen, pairing.scores.lengths(s), 0)
    found = lengths[lengths > 0]
    return float(np.mean(found <= FAR_FROM * (pairing.scores.measures[0].cutoff or 0))) if len(found) else 0.0


_Check = Callable[[_LookedUp, int, int], Iterator[Oddity]]
_Beside = Callable[[_LookedUp, int], Iterable[int]]


def _first_beside(check: _Check, may_be: Callable[[_LookedUp, int], object]) -> tuple[_Check, _Beside]:
    """Return a check that says the same of a system beside any other of which it says something.

    Parameters
    ----------
    may_be
        Whether there is anything to say of a system: only then others are looked at, up to the first.
    """

    def beside(looked: _LookedUp, s: int) -> Iterator[int]:
        others = (other for other in range(len(looked.scores.systems)) if other != s) if may_be(looked, s) else ()
        yield from itertools.islice((other for other in others if any(check(looked, s, other))), 1)

    return check, beside


def _where_ranks_are_whole(check: _Check) -> _Check:
    """Return a check that says nothing where the ranks of a system are odd: what it would find has that reason."""
    return lambda looked, s, other: (
        iter(()) if any(_odd(looked, s, other)) or any(_gaps(looked, s, other)) else check(looked, s, other)
    )


_OF_A_BOARD: tuple[tuple[_Check, _Beside], ...] = (
    (_one_sided, _with_more_queries),
    _first_beside(_judged_again, _LookedUp.judgments_again),
    _first_beside(_chosen_for_others, lambda looked, s: looked.chosen_for),
    _first_beside(_odd, _LookedUp.odd),
    _first_beside(_gaps, _LookedUp.gapped),
    _first_beside(_orders, lambda looked, s: looked.scores.systems[s] in looked.reordered),
    _first_beside(_best_of_ties, _may_have_the_best_of_ties),
    _first_beside(_where_ranks_are_whole(_turned_round), lambda looked, s: looked.turned(s).any()),
    _first_beside(_where_ranks_are_whole(_cut_off), _LookedUp.short),
    _first_beside(_where_ranks_are_whole(_fewer), lambda looked, s: looked.ends_early(s) >= NEARLY_ALL),
)
"""The checks of a board, in the order of `_damaged`, each with the others beside which it is made."""


def suspicion_reasons(
    outcome: Outcome, found: Sequence[Oddity], pairing: Pairing, contrasts: Sequence[Contrast], pair: Pair, rule: Rule
) -> list[Reason]:
    """Return what is odd about results; and CAN'T TELL where that could turn an outcome.

    It could where the verdict is another if the queries in doubt went as the others did, or where these are too few.

    Parameters
    ----------
    contrasts
        One a measure, the deciding one first.
    """
    odd = [noted("odd results", each.text, system=each.system, count=int(each.queries.sum())) for each in found]
    if not found or outcome == CANT_TELL:
        return odd
    # Lost results lower the values of a system: they do not explain why it is ahead.
    ahead = {SHIP: contrasts[0].system, DONT: contrasts[0].baseline}.get(outcome, "")
    doubted = [each for each in found if each.queries.any() and not (each.lowers and each.system == ahead)]
    without = ""
    if doubted:
        affected = np.logical_or.reduce([each.queries for each in doubted])
        without = _without(pairing, contrasts, pair, rule, affected, outcome)
    missing = [each for each in found if each.left_out is not None]
    if missing and not without:
        affected = np.logical_or.reduce([each.left_out for each in missing if each.left_out is not None])
        without, doubted = _if_counted(pairing, contrasts, pair, rule, affected, outcome), missing
    if not without:
        return odd
    advice = tuple(dict.fromkeys(each.advice for each in doubted))
    step, names = Step("check", "; ".join(advice), advice), [each.system for each in doubted]
    return [*odd, but("odd results", without, step, systems=names, count=int(affected.sum()))]


def _without(
    pairing: Pairing, contrasts: Sequence[Contrast], pair: Pair, rule: Rule, affected: Mask, outcome: Outcome
) -> str:
    """Say what the verdict would be if the queries in doubt went as the others; "" if it is the same."""
    first = Key(pair, 0)
    rest = int((pairing.paired(*first) & ~affected).sum())
    count = plural(int((pairing.paired(*first) & affected).sum()), "query")
    if rest < ENOUGH * contrasts[0].queries:
        return f"without the {count} in doubt, too few are left to decide by"
    read = [m for m, contrast in enumerate(contrasts) if contrast.role != SHOWN]
    gains = [_gain(pairing, Key(pair, m), contrasts[m], affected) for m in read]
    same = all(gain.low == gain.high == 0 for gain in gains)
    other, _ = rule.outcome(gains, [contrasts[m].measure for m in read], same)
    return "" if other == outcome else f"if the {count} in doubt went as the others, it would be {other}"


def _if_counted(
    pairing: Pairing, contrasts: Sequence[Contrast], pair: Pair, rule: Rule, missing: Mask, outcome: Outcome
) -> str:
    """Say what the verdict would be if queries that were left out counted as nothing found; "" if it is the same."""

    def gains(m: int) -> Sample:
        before, after, weights = counted(pairing, Key(pair, m), missing)
        return make_sample(after - before, weights)

    other = _outcome_of(gains, contrasts, rule)
    many = plural(int(missing.sum()), "query")
    return "" if other == outcome else f"if the {many} left out counted, it would be {other}"


def counted(pairing: Pairing, key: Key, missing: Mask) -> tuple[Floats, Floats, Floats | None]:
    """Return both values and the weights of the paired queries and of missing ones, these as if nothing was found."""
    values, m = pairing.scores.values, key.measure
    worst = best_or_worst(pairing.scores, m, best=False)
    before, after = (np.where(missing & np.isnan(values[s, m]), worst, values[s, m]) for s in key.pair)
    places = np.flatnonzero((pairing.paired(*key) | missing) & np.isfinite(after - before))
    return before[places], after[places], pairing.weights_of(places)


def weight_reasons(
    outcome: Outcome, pairing: Pairing, contrasts: Sequence[Contrast], pair: Pair, rule: Rule
) -> list[Reason]:
    """Return what an outcome would be with equal weights, where those that were given turn it."""
    if pairing.weights is None or outcome == CANT_TELL:
        return []

    def gains(m: int) -> Sample:
        return make_sample(pairing.difference(pair, m)[pairing.paired(pair, m)])

    other = _outcome_of(gains, contrasts, rule)
    text, effective = f"with equal weights it would be {other}", contrasts[0].effective
    return [] if other == outcome else [noted("weights", text, other=other, effective=effective)]


def _outcome_of(gains: Callable[[int], Sample], contrasts: Sequence[Contrast], rule: Rule) -> Outcome:
    """Return what the rule says of other differences, with intervals as many standard errors wide as the corrected."""
    read = [m for m, contrast in enumerate(contrasts) if contrast.role != SHOWN]
    spans = []
    for m in read:
        span = gain_interval(contrasts[m], gains(m))
        spans.append(span.negated if contrasts[m].direction == "lower" else span)
    outcome, _ = rule.outcome(spans, [contrasts[m].measure for m in read])
    return outcome


def _gain(pairing: Pairing, key: Key, contrast: Contrast, affected: Mask) -> Interval:
    """Return the interval of the gain if the queries in doubt went as the others did.

    It is as many standard errors wide as the corrected one, and these are of all queries: that fewer queries say less
    is no sign that the results are damaged.
    """
    paired = pairing.paired(*key)
    places = np.flatnonzero(paired & ~affected)
    weights = np.where(paired, 1.0 if pairing.weights is None else pairing.weights, 0.0)
    sign = -1.0 if contrast.direction == "lower" else 1.0
    sample = make_sample(sign * pairing.difference(*key)[places], pairing.weights_of(places))
    error = sample.error * math.sqrt(float(weights[places].sum() / weights.sum()))
    half = contrast.wide * error if error > EQUAL else 0.0
    if math.isnan(half):
        half = math.inf
    return Interval(sample.mean - half, sample.mean + half, contrast.corrected.level, contrast.corrected.method)
