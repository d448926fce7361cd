"""What is odd about judgments and results: the ledger warns of it, the doctor mends it, a verdict doubts it.

To add an oddity, write its check and put it into `CHECKS`: it says what is odd, once, and everybody reads it there.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from idealrank.arrays import Floats, Mask
from idealrank.decisions.decisions import Decisions
from idealrank.errors import listed, plural
from idealrank.evaluation.buckets import compute_per_query
from idealrank.evaluation.ledger.counting import FAR_RANK
from idealrank.evaluation.ledger.counts import RankCounts
from idealrank.evaluation.values import Values
from idealrank.judged_lists.join import Join


@dataclass(frozen=True, eq=False)
class Oddity:
    """What is odd about the judgments or the results of a system.

    Attributes
    ----------
    kind
        What it is about, in a word or two.
    system
        Whose results they are; "" if it is the judgments that are odd.
    text, advice
        What is odd, and what to do about it, each without the point.
    queries
        (Q,) the judged queries whose values are in doubt; none where it is only worth a word.
    named
        The queries that the ledger names, judged or not.
    count
        How many queries are odd, in doubt or not.
    warns
        Whether it is odd by itself; if not, only beside a system without it.
    lowers
        Whether it can only have lowered the values of the system, as results that are not there.
    left_out
        (Q,) the queries that an answer to a decision leaves out of the comparison because of it; None: none.
    """

    kind: str
    system: str
    text: str
    advice: str
    queries: Mask
    named: Sequence[str] = ()
    count: int = 0
    warns: bool = True
    lowers: bool = False
    left_out: Mask | None = None

    @property
    def sentence(self) -> str:
        """What is odd, and what to do about it."""
        return f"{self.text}. {self.advice}"

    @property
    def cause(self) -> tuple[str, str]:
        """Whose results, and what to do: the same beside whichever system it was noticed."""
        return self.system, self.advice


def find_odd(scores: Values) -> tuple[Oddity, ...]:
    """Return what is odd about the judgments, and then about the results of each system."""
    of_systems = (each for s in range(len(scores.systems)) for check in CHECKS for each in check(scores, s))
    return (*far_grade(scores), *of_systems)


def _oddity(
    scores: Values, kind: str, text: str, advice: str, named: Sequence[str], *, system: str, warns: bool = True
) -> Oddity:
    """Return an oddity by which the values of the queries that it names are in doubt."""
    odd = frozenset(named)
    queries = np.fromiter((query in odd for query in scores.queries), np.bool_, len(scores.queries))
    return Oddity(kind, system, text, advice, queries, tuple(sorted(named)), warns=warns)


MANY_SHARE = 0.05
"""The share of queries above which what is odd about them is no accident of a few."""

NEARLY_ALL = 0.9
"""Share of the lists in which scores must rise to say that those of a system do."""


def are_many(queries: int, of: int) -> bool:
    """Whether so many queries are odd that it is no accident of a few."""
    return queries > 1 and queries > MANY_SHARE * of


def spell_answer(decision: str, value: str) -> str:
    """Write the answer to a decision as it is typed, and as it is passed."""
    return f"--{decision.replace('_', '-')} {value} ({decision}={value} in Python)"


def odd_ranks(scores: Values, s: int) -> Iterator[Oddity]:
    """Find ranks that can hardly be right.

    What a decision answers is not odd where somebody gave that answer: `order_by` for ranks that are equal or have
    fractions, `rank_gaps` for those that are missing.
    """
    of, answered, system = scores.counts.returned[s], scores.setting.overrides, scores.systems[s]
    counts, found = of.ranks, functools.partial(_oddity, scores, system=system)
    if counts is None:
        return
    if of.order == "rank" and "order_by" not in answered:
        if counts.level and 2 * len(counts.level) > counts.several:
            text = f"{system}: the results of a query all have rank {counts.same:g} in {_share(counts.level, counts)}"
            way = (
                f"Order the results by their scores: {spell_answer('order_by', 'score')}"
                if "score" in of.columns
                else "Give ranks that differ"
            )
            yield found("level", f"{text}, so the ranks do not say which comes first", way, counts.level)
        elif are_many(len(counts.fractional), counts.lists):
            text = (
                f"{system}: ranks with fractions, such as {counts.fraction:g}, in {_share(counts.fractional, counts)}"
            )
            text += ", as if the columns of ranks and scores were swapped" if "score" in of.columns else ""
            way = f"Check which column is the rank. If it is the right one, say so: {spell_answer('order_by', 'rank')}"
            yield found("fractional", text, way, counts.fractional)
    if "rank_gaps" in answered or not counts.lists:
        return
    way = f"Check that no row is missing. If none is, say so: {spell_answer('rank_gaps', 'close')}"
    begin, most = max(sorted(counts.first.items()), key=lambda each: each[1])
    if 1 < begin <= FAR_RANK and 2 * most > counts.lists > 1:
        text = f"{system}: the results of {_share(counts.late, counts)} begin at rank {begin}, so the first are missing"
        yield found("late", text, way, counts.late)
        return
    # Ranks that run on from one query to the next begin anywhere; where most lists begin at 1, the others lost results.
    lost = counts.late if 2 * (counts.first.get(0, 0) + counts.first.get(1, 0)) > counts.lists else ()
    gapped = tuple(sorted({*lost, *counts.gapped}))
    if are_many(len(gapped), counts.lists):
        text = (
            f"{system}: ranks are left out in {_share(gapped, counts)} ({listed(gapped)}), as if results were missing"
        )
        yield found("gapped", text, way, gapped, warns=False)


def _share(queries: Sequence[str], counts: RankCounts) -> str:
    return f"{len(queries):,} of {plural(counts.lists, 'query')}"


def odd_scores(scores: Values, s: int) -> Iterator[Oddity]:
    """Find scores that can hardly order the results, if that is so in several queries.

    Not where somebody said what orders them (`order_by`), or, of equal scores, what becomes of ties (`ties`).
    """
    of, answered, system = scores.counts.returned[s], scores.setting.overrides, scores.systems[s]
    counts, found = of.scores, functools.partial(_oddity, scores, system=system)
    if counts is None or "order_by" in answered:
        return
    other = spell_answer("order_by", "rank" if "rank" in of.columns else "given")
    if len(counts.level) > 1 and "ties" not in answered and 2 * len(counts.level) > counts.several:
        share = f"{len(counts.level):,} of {plural(counts.several, 'query')}"
        text = f"{system}: the results of a query all have score {counts.same:g} in {share}"
        way = f"Give scores that differ, or order the results by their {_ORDERS['rank' in of.columns]}: {other}"
        text += ", so the scores do not say which comes first"
        yield found("level scores", text, way, counts.level, warns=False)
    if len(counts.swapped) > 1 and len(counts.swapped) >= NEARLY_ALL * counts.distinct:
        share = f"{len(counts.swapped):,} of {plural(counts.distinct, 'query')}"
        text = f"{system}: the scores count the results from 1 in {share}, and the ranks do not, as if the columns of "
        way = (
            "Check which column is the score, and swap the two. If a higher score is better, say so: "
            f"{spell_answer('order_by', 'score')}"
        )
        text += "ranks and scores were swapped, so the last result counts as the best"
        yield found("swapped", text, way, counts.swapped)
    elif len(counts.rising) > 1 and len(counts.rising) >= NEARLY_ALL * counts.distinct:
        share = f"{len(counts.rising):,} of {plural(counts.distinct, 'query')}"
        text = f"{system}: scores rise from the first result to the last in {share}, as distances and ranks do"
        way = (
            f"If a lower score is better, order the results by their {_ORDERS['rank' in of.columns]}: {other}. If a "
            f"higher one is, say so: {spell_answer('order_by', 'score')}"
        )
        yield found("rising scores", f"{text}, and the highest counts as the best", way, counts.rising)


_ORDERS = {True: "ranks", False: "rows"}
"""What else can order results, by whether there are ranks."""


FAR_ABOVE = 5.0
"""How many times the next grade one is that is far above all others."""

MANY_GRADES, FAR_ABOVE_COUNTS = 20, 50.0
"""Different grades from which they are counts, as of clicks, and how many times the next count is far above it: the
highest of a thousand counts is five times the next in one case of seven, and fifty times in one of a hundred."""

FEW_QUERIES = 0.2
"""The share of the queries up to which a grade that they alone have is a slip."""


def far_grade(scores: Values) -> Iterator[Oddity]:
    """Find the few queries that have a grade far above all others: a slip of the finger may outweigh all the rest."""
    if not scores.counts.judged.highest >= FAR_ABOVE or not scores.lists.at_hand:
        return
    decisions, asked = scores.setting.decisions, scores.in_scope
    every = compute_per_query(scores, functools.partial(_highest_grades, decisions=decisions))
    scale = np.unique(every[asked & ~np.isnan(every)])
    if len(scale) < 2 or scale[-1] < FAR_ABOVE * max(scale[-2], 1.0):
        return
    if _has_many_grades(scores) and scale[-1] < FAR_ABOVE_COUNTS * max(scale[-2], 1.0):
        return
    odd = asked & (every == scale[-1])
    if not 0 < int(odd.sum()) <= max(2, FEW_QUERIES * int(asked.sum())):
        return
    named = tuple(scores.queries[q] for q in np.flatnonzero(odd))
    text = f"the judgments have the grade {scale[-1]:g} ({listed(named)}), and no other above {scale[-2]:g}"
    yield Oddity("far grade", "", text, f"Correct the grade {scale[-1]:g}, or take it out", odd, named)


def _highest_grades(joins: list[Join], decisions: Decisions) -> Floats:
    """(Q,) the highest grade of each query; NaN without one."""
    lists = joins[0].lists(decisions, "dense").lists
    sizes = np.diff(lists.pool_start)
    highest = np.full(len(sizes), np.nan)
    highest[sizes > 0] = lists.pool_grade[lists.pool_start[:-1][sizes > 0]]
    return highest


def _has_many_grades(scores: Values) -> bool:
    if not scores.lists.in_memory:
        return False
    return len(np.unique(scores.joins[0].lists(scores.setting.decisions).pool.grade)) >= MANY_GRADES


CHECKS: tuple[Callable[[Values, int], Iterator[Oddity]], ...] = (odd_ranks, odd_scores)
"""Each yields what is odd about the results of one system: `scores`, and its place among the systems."""
