"""Which measures meet which answers in a run of the sweep: a choice of them, or all."""

from __future__ import annotations

from collections.abc import Sequence

from idealrank.measures import Definition
from tests.properties.answers import SWEEP, Answer
from tests.properties.exceptions import EXCEPTIONS, speaks_of

Pair = tuple[Definition, Answer]

LEAST = 6
"""An answer is met by so many measures at the least, by all that read it if they are fewer."""

SHARE = 10
"""One measure in so many meets an answer that most measures read: one code computes it for all of them."""


def chosen(sweep: Sequence[Pair]) -> list[Pair]:
    """Choose pairs, always the same ones.

    Every measure is tried under the default and one answer more, every answer by several measures, others for each
    answer, and every exception by one of its measures.
    """
    by_answer: dict[str, list[Pair]] = {}
    for definition, answer in sweep:
        by_answer.setdefault(str(answer), []).append((definition, answer))
    kept = {_key(pair) for number, pairs in enumerate(by_answer.values()) for pair in _some(pairs, number)}
    for row in EXCEPTIONS:
        joined = [_key(pair) for pair in sweep if speaks_of(row, *pair)]
        if not kept.intersection(joined):
            kept.add(joined[0])
    alone = [pair for pair in sweep if [name for name, _ in kept].count(pair[0].name) == 1 and pair[1].decision]
    kept |= {_key(pair) for pair in {pair[0].name: pair for pair in alone}.values()}
    return [pair for pair in sweep if _key(pair) in kept]


def _some(pairs: Sequence[Pair], number: int) -> Sequence[Pair]:
    """Choose some pairs of one answer, beginning elsewhere for each answer; all of the default's."""
    step = 1 if not pairs[0][1].decision else min(SHARE, max(1, len(pairs) // LEAST))
    return pairs[number % step :: step]


def _key(pair: Pair) -> tuple[str, str]:
    return pair[0].name, str(pair[1])


CHOSEN = chosen(SWEEP)
"""The pairs of the whole sweep that a run tries."""
