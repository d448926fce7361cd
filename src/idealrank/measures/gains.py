"""What a grade is worth, which hits are relevant, and how much a rank counts."""

import math
from typing import NamedTuple

import numpy as np

from idealrank.arrays import Cache, Floats
from idealrank.decisions.decisions import Decisions
from idealrank.decisions.question import GainTable, answer_text
from idealrank.errors import DataError, option, unsaid
from idealrank.judged_lists.lists import JudgedLists, Weight

MOST_GRADE = 1000
"""From this grade on, 2^grade or a sum of several may be too large: float64 ends below 2^1024, so a sum of 2^24
gains of 2^999 is still a number."""


def gains(grades: Floats, decisions: Decisions) -> Floats:
    """Return the gain of each grade; an unjudged one (NaN) is worth 0.

    Raises
    ------
    DataError
        If a grade in the data is missing from a gain table.
    """
    if decisions.gain == "linear":
        return _or_zero(grades)
    if decisions.gain == "whole":
        return np.trunc(_or_zero(grades))
    if decisions.gain == "exp2":
        refuse_large_grades(grades)
        return _or_zero(np.exp2(grades) - 1.0)
    if isinstance(decisions.gain, GainTable):
        return _table_gains(grades, decisions.gain)
    raise unsaid("gain", decisions.gain, __name__)


def _or_zero(values: Floats) -> Floats:
    return np.where(np.isnan(values), 0.0, values)


def _table_gains(grades: Floats, table: GainTable) -> Floats:
    in_table = np.array([grade for grade, _ in table])
    worth = np.array([gain for _, gain in table])
    wanted = _or_zero(grades)
    place = np.minimum(np.searchsorted(in_table, wanted), len(in_table) - 1)
    missing = (in_table[place] != wanted) & (wanted != 0)
    if missing.any():
        lacking = ", ".join(answer_text(float(g)) for g in np.unique(wanted[missing])[:5])
        raise DataError(
            f"gain={answer_text(table)}: judgments have grades without a gain: {lacking}. Give each grade a gain."
        )
    # A grade 0 that the table does not list is worth 0, like an unjudged result.
    return np.where(np.isnan(grades) | (in_table[place] != wanted), 0.0, worth[place])


def refuse_large_grades(grades: Floats) -> None:
    """Refuse grades for which 2^grade is too large for a number.

    Raises
    ------
    DataError
        With the highest grade.
    """
    top = float(np.nanmax(grades, initial=0.0))
    if top >= MOST_GRADE:
        raise DataError(
            f"2^{top:.16g} is too large for a number. With gain=exp2 and in ERR, grades must be below "
            f"{MOST_GRADE}. Give smaller grades, or {option('gain', 'linear')}."
        )


def discount(decisions: Decisions) -> Weight:
    """Return the function of ranks that the decision `discount` names."""
    if decisions.discount.startswith("log("):
        base = float(decisions.discount[4:-1])
        # Järvelin and Kekäläinen discount no rank before b, where log_b(rank) is below 1 and would raise the gain.
        return lambda rank: np.where(rank < base, 1.0, math.log(base) / np.log(np.maximum(rank, base)))
    if decisions.discount not in _DISCOUNTS:
        raise unsaid("discount", decisions.discount, __name__)
    return _DISCOUNTS[decisions.discount]


_DISCOUNTS: dict[str, Weight] = {
    "log2": lambda rank: 1.0 / np.log2(rank + 1.0),
    "ln": lambda rank: 1.0 / np.log(rank + 1.0),
    "reciprocal": lambda rank: 1.0 / rank,
    "none": np.ones_like,
}
LOG2, RECIPROCAL = _DISCOUNTS["log2"], _DISCOUNTS["reciprocal"]


def depth(cutoff: int | None, decisions: Decisions) -> float | None:
    """Return the last rank that counts in the results (the ideal always keeps k)."""
    if cutoff is None:
        return None
    if decisions.cutoff not in _BEYOND:
        raise unsaid("cutoff", decisions.cutoff, __name__)
    return float(cutoff + _BEYOND[decisions.cutoff])


_BEYOND = {"at_most_k": 0, "below_k": -1}
"""Last rank that counts, by k."""


class Discounted(NamedTuple):
    """(H,) each hit's gain, how much its rank counts, and their product; `totals` is for `Steps`."""

    gain: Floats
    counts: Floats
    share: Floats
    totals: Cache


def discount_gains(lists: JudgedLists, decisions: Decisions, limit: float | None) -> Discounted:
    """Discount the gains down to a rank; kept until another gain or discount is requested."""

    def build() -> Discounted:
        gain, counts = gains(lists.grade, decisions), lists.weights(discount(decisions), limit)
        return Discounted(gain, counts, gain * counts, Cache())

    return lists.kept.latest(("discounted", limit), (decisions.gain, decisions.discount), build)


def every_rank(rank: Floats) -> Floats:
    """Let every rank count 1."""
    return np.ones_like(rank)


def within_cutoff(lists: JudgedLists, cutoff: int | None, decisions: Decisions) -> Floats:
    """(H,) 1 for hits within the cutoff, else 0; the probability of that for a hit in an averaged tie span."""
    return lists.weights(every_rank, depth(cutoff, decisions))


def worth_of_zero(decisions: Decisions) -> float:
    """The gain of grade 0, which is that of an unjudged result under ``unjudged=zero``."""
    return float(gains(np.zeros(1), decisions)[0])


RISING = frozenset({"linear", "whole", "exp2"})
"""Answers to `gain` for which a higher grade is never worth less."""


def gain_rises(decisions: Decisions) -> bool:
    """Whether the judgments, highest grade first, are also in the order of their gains; a table may say anything."""
    return decisions.gain in RISING


# Relevance as numbers: 1 or 0 for each hit, to be weighted and added up.


def relevance(lists: JudgedLists, decisions: Decisions) -> Floats:
    """(H,) 1 if the grade reaches `relevant_from`."""
    return lists.relevant(decisions.relevant_from).astype(np.float64)


def irrelevance(lists: JudgedLists, decisions: Decisions) -> Floats:
    """(H,) 1 if there is a grade, but it does not reach `relevant_from`."""
    return (~np.isnan(lists.grade) & ~lists.relevant(decisions.relevant_from)).astype(np.float64)


def judgedness(lists: JudgedLists) -> Floats:
    """(H,) 1 if there is a grade."""
    return (~np.isnan(lists.grade)).astype(np.float64)


def total_relevant(lists: JudgedLists, decisions: Decisions) -> Floats:
    """(Q,) the number R of judged documents whose grade reaches `relevant_from`."""
    return lists.judged_relevant(decisions.relevant_from)


def total_irrelevant(lists: JudgedLists, decisions: Decisions) -> Floats:
    """(Q,) the number of judged documents whose grade does not reach `relevant_from`."""
    return np.diff(lists.pool_start) - total_relevant(lists, decisions)
