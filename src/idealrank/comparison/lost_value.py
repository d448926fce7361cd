"""Lost value: how much of what users get a change takes away, query by query."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from idealrank.arrays import Floats, Ints
from idealrank.comparison.pairing import Pair, Pairing
from idealrank.data.selection import chosen
from idealrank.display.table import Table
from idealrank.errors import refuse_count


def lost_value(pairing: Pairing, pairs: Sequence[Pair], m: int, n: int | None) -> Table:
    """Rank the paired queries of each pair by frequency x (value before - value after), the greatest first.

    Equal ones go by query id; queries without a frequency come last. Under a measure of which less is better, what
    rises is lost.

    Raises
    ------
    UsageError
        If there are no frequencies, or `n` is no whole number from 1 up.
    """
    if n is not None:
        refuse_count("n", n, "how many queries")
    scores = pairing.scores
    frequency = scores.table.frequencies(scores.queries, chosen(scores.only, scores.queries))
    turn = 1.0 if scores.measures[m].definition.properties.direction == "lower" else -1.0
    lost = [turn * frequency * pairing.difference(pair, m) + 0.0 for pair in pairs]
    orders = [_ranked(pairing, pair, m, each)[:n] for pair, each in zip(pairs, lost, strict=True)]
    places = np.concatenate(orders)
    columns: dict[str, Any] = {"query": [scores.queries[q] for q in places]}
    if scores.texts:
        columns["text"] = [scores.texts.get(scores.queries[q]) for q in places]
    for name, side in (("system", 1), ("baseline", 0)):
        columns[name] = [scores.systems[pair[side]] for pair, order in zip(pairs, orders, strict=True) for _ in order]
    columns["measure"] = [scores.labels[m]] * len(places)
    parts = {
        "frequency": [frequency] * len(pairs),
        "baseline value": [scores.values[pair[0], m] for pair in pairs],
        "value": [scores.values[pair[1], m] for pair in pairs],
        "lost": lost,
    }
    for name, values in parts.items():
        columns[name] = np.concatenate([each[order] for each, order in zip(values, orders, strict=True)])
    return Table(columns, "lost value", {"fingerprint": scores.measures[m].fingerprint})


def _ranked(pairing: Pairing, pair: Pair, m: int, lost: Floats) -> Ints:
    """Return the places of the queries with a value in both, the greatest loss first, those without one last."""
    by_id = pairing.by_id
    both = by_id[~np.isnan(pairing.difference(pair, m)[by_id])]
    return both[np.argsort(-lost[both], kind="stable")]
