"""nDCG relative to the local ideal if a tie span crosses the cutoff: every way to fill the last places."""

import itertools
import math
from collections.abc import Iterator

import numpy as np

from idealrank.arrays import Floats, Mask
from idealrank.decisions import Decisions
from idealrank.errors import UsageError
from idealrank.judged_lists.lists import JudgedLists
from idealrank.measures.gains import discount

MOST_FILLINGS = 10_000


def average_local(
    lists: JudgedLists, decisions: Decisions, gain: Floats, share: Floats, limit: float
) -> tuple[Floats, Floats]:
    """Return contributions and normaliser (NaN: the ideal's own) that give the exact average over all orders.

    Which of the tied results are within the cutoff is random, and so is the ideal of the first k.
    For each multiset of gains that may fill the span's places within the cutoff, this takes its probability
    (hypergeometric), its expected DCG and its ideal. For these queries the normaliser is 1 and the
    contributions are already divided.

    Raises
    ------
    UsageError
        If a query has more than 10,000 multisets to enumerate.
    """
    share, divisor = share.copy(), np.full(lists.size, np.nan)
    crossing = (lists.tie_first <= limit) & (lists.tie_last > limit)
    for query in np.unique(lists.query[crossing]):
        hits = slice(int(lists.hit_start[query]), int(lists.hit_start[query + 1]))
        inside = crossing[hits]
        first = int(lists.tie_first[hits][inside][0])
        size = int(lists.tie_last[hits][inside][0]) - first + 1
        before = lists.tie_last[hits] < first
        parts = _average(gain[hits], share[hits], before, inside, first, size, int(limit), decisions)
        divisor[query] = 0.0 if parts is None else 1.0
        if parts is not None:
            share[hits] = parts
    return share, divisor


def _average(
    gain: Floats, share: Floats, before: Mask, inside: Mask, first: int, size: int, limit: int, decisions: Decisions
) -> Floats | None:
    slots = limit - first + 1
    worth, owned = _kinds(gain[inside], size)
    _refuse_many(owned, slots)
    weigh = discount(decisions)
    mean_discount = float(weigh(np.arange(float(first), limit + 1)).sum()) / slots
    inverse, chosen, undefined = 0.0, np.zeros(len(worth)), 0.0
    for filling in _fillings(owned, slots):
        chance = math.prod(map(math.comb, owned, filling)) / math.comb(size, slots)
        best = np.sort(np.concatenate((gain[before], np.repeat(worth, filling), _zeros(before, first))))[::-1]
        ideal = float(best @ weigh(np.arange(1.0, len(best) + 1)))
        if ideal <= 0:
            undefined += chance
            continue
        inverse += chance / ideal
        chosen += chance / ideal * np.array(filling) / np.array(owned)
    if inverse == 0:
        return None
    if undefined and decisions.no_relevant != "0":
        raise UsageError(
            "ties=average with ideal=local: the ideal is zero in some orders of the tied results but not in all, "
            f"so no_relevant={decisions.no_relevant} cannot be averaged. Use no_relevant=0."
        )
    tied = gain * mean_discount * chosen[np.searchsorted(worth, gain).clip(max=len(worth) - 1)]
    return np.where(inside, tied, share * inverse)


def _kinds(gain: Floats, size: int) -> tuple[Floats, list[int]]:
    """Distinct gains in the span, rising, and how many results have each; the unjudged are worth 0."""
    everything = np.concatenate((gain, np.zeros(size - len(gain))))
    worth, owned = np.unique(everything, return_counts=True)
    return worth, owned.tolist()


def _zeros(before: Mask, first: int) -> Floats:
    return np.zeros(first - 1 - int(before.sum()))


def _refuse_many(owned: list[int], slots: int) -> None:
    ways = np.ones(1)
    for count in owned:
        ways = np.convolve(ways, np.ones(count + 1))[: slots + 1]
    if ways[slots] > MOST_FILLINGS:
        raise UsageError(
            f"ties=average with ideal=local: there are {ways[slots]:.0f} ways to fill the {slots} places up to the "
            f"cutoff from {sum(owned)} tied results. At most {MOST_FILLINGS} are allowed. "
            "Use ideal=global or ideal=returned, or another answer to ties."
        )


def _fillings(owned: list[int], slots: int) -> Iterator[tuple[int, ...]]:
    ranges = [range(min(count, slots) + 1) for count in owned[1:]]
    for rest in itertools.product(*ranges):
        head = slots - sum(rest)
        if 0 <= head <= owned[0]:
            yield (head, *rest)
