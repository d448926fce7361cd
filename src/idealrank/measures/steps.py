"""The steps of a measure: what each hit contributes, the divisor of the sum, and the lists that have no steps."""

from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from idealrank.arrays import Cache, Floats, Ints
from idealrank.decisions.decisions import Decisions
from idealrank.decisions.question import Rounding
from idealrank.errors import DataError, UsageError, option
from idealrank.judged_lists.lists import JudgedLists


class Ideal(NamedTuple):
    """The best lists a measure compares with, as rows over all queries.

    Attributes
    ----------
    query, rank, grade, gain, discount, contribution
        (I,) one row per place of each query's ideal list.
    entry
        (I,) index into the pool's arrays; -1 if the ideal names no document.
    """

    query: Ints
    rank: Ints
    grade: Floats
    gain: Floats
    discount: Floats
    contribution: Floats
    entry: Ints


class Steps(NamedTuple):
    """The arithmetic of a measure, hit by hit.

    The score of query q is the sum of its contributions divided by ``normaliser[q]``. If the normaliser is
    not above 0 (an ideal below zero measures nothing), the decision `no_relevant` applies.

    Attributes
    ----------
    columns
        Named (H,) arrays a reader wants to see: gain, discount, relevant …
    contribution
        (H,) share of each hit in the sum.
    normaliser
        (Q,) the divisor of the sum.
    ideal
        Builds the ideal list, if the measure has one.
    score
        (Q,) given if the score is not this sum; `unsplit` then says why.
    totals
        (Q,) sums of the contributions, by how these are rounded, if other steps have the same contributions.
    """

    lists: JudgedLists
    columns: dict[str, Floats]
    contribution: Floats
    normaliser: Floats
    ideal: Callable[[], Ideal] | None = None
    score: Floats | None = None
    unsplit: str = ""
    totals: Cache | None = None

    def scores(self, decisions: Decisions) -> Floats:
        """Return (Q,) scores; NaN if the measure is 0/0.

        Raises
        ------
        DataError
            If a sum is too large for a number.
        """
        if self.score is not None:
            return apply_rounding(_refuse_infinite(self.score), decisions.rounding, "query")
        total, below = _refuse_infinite(self._total(decisions.rounding)), _refuse_infinite(self.normaliser)
        values = total / np.where(below <= 0, np.nan, below)
        return apply_rounding(values, decisions.rounding, "query")

    def _total(self, roundings: tuple[Rounding, ...]) -> Floats:
        terms = tuple(step for step in roundings if step.stage == "term")
        totals = self.totals or Cache()
        return totals.once(terms, lambda: self.lists.per_query(apply_rounding(self.contribution, terms, "term")))


BEYOND = "The gains of a query add up to more than the largest number (1.8e308). Give smaller grades or gains."
"""The message for sums that overflow."""


def _refuse_infinite(sums: Floats) -> Floats:
    """Return the sums, if all are numbers."""
    if np.isinf(sums).any():
        raise DataError(BEYOND)
    return sums


def apply_rounding(values: Floats, roundings: tuple[Rounding, ...], stage: str) -> Floats:
    """Apply the rounding steps of one stage, in order; without any, values stay as they are."""
    for step in roundings:
        if step.stage == stage:
            values = _to_digits(values, step)
    return values


def _to_digits(values: Floats, step: Rounding) -> Floats:
    if step.rule == "round":
        return np.round(values, step.digits)
    scale = 10.0**step.digits
    if step.rule == "half_up":
        return np.floor(values * scale + 0.5) / scale
    # 0.29 x 100 is 28.999… in binary: a whole number in decimals stays one.
    return np.floor(np.round(values * scale, 9)) / scale


def unsplit(lists: JudgedLists, columns: dict[str, Floats], score: Floats, why: str) -> Steps:
    """The steps of a measure whose score is not a sum of contributions, and why not."""
    return Steps(lists, columns, np.zeros(len(lists.rank)), ones(lists), score=score, unsplit=why)


def ones(lists: JudgedLists) -> Floats:
    """A normaliser of 1 for every query."""
    return np.ones(lists.size)


def constant(lists: JudgedLists, number: float) -> Floats:
    """One number for every query."""
    return np.full(lists.size, float(number))


# Lists that a measure cannot be computed on.


def refuse_without_subtopics(lists: JudgedLists, name: str) -> None:
    """Refuse judgments without subtopics, for a measure that reads them.

    Raises
    ------
    UsageError
        With what to give.
    """
    if lists.read_subtopics() is None:
        raise UsageError(
            f"{name} reads judgments by subtopic, and these name no subtopics. Give a table with a column "
            f"subtopic and one row per query, subtopic and document. If the column has another name: "
            f"{option('subtopic', flag='subtopic-col')}."
        )


def refuse_without_spans(lists: JudgedLists, name: str) -> None:
    """Refuse lists of whole documents, for a measure over characters.

    Raises
    ------
    UsageError
        With what to give.
    """
    if lists.spans is None:
        raise UsageError(
            f"{name} compares characters, so it needs judged spans, and chunks with columns for their begin and end. "
            f"Give such tables, and {option('unit', 'spans')}."
        )


def refuse_shared_ranks(lists: JudgedLists, name: str) -> None:
    """Refuse lists of spans with several at one rank, for a measure that counts one result per rank.

    Raises
    ------
    UsageError
        With what to answer.
    """
    if not lists.opens_rank.all():
        raise UsageError(
            f"{name} counts one result per rank, and under counts=returned a chunk that hits several spans has all of "
            f"them at its rank. Use {option('counts', 'units')}, or a measure of what was found: R, RR, CharR."
        )


def refuse_averaged(lists: JudgedLists, name: str) -> None:
    """Refuse lists under ``ties=average``, for a measure whose average over all orders is not computed.

    Raises
    ------
    UsageError
        With what to answer.
    """
    if lists.ranks == "averaged":
        raise UsageError(
            f"ties=average: the average of {name} over all orders is not computed. "
            f"Use {option('ties', 'docid_desc')}, or see how much the order matters: best and worst."
        )
