"""The order of results in formats that have nothing but scores for it."""

from __future__ import annotations

import numpy as np

from idealrank.arrays import Floats, Ints
from idealrank.data.writing.rows import Rows


def ranks_and_scores(rows: Rows, notes: list[str]) -> tuple[Ints, Floats]:
    """Return (N,) the rank of each result in its list, from 1, and (N,) scores that put them in that order.

    Scores that there are stay, unless the table goes by its ranks and they contradict them.
    """
    lists = rows.codes(rows.query, *([rows.words["system"]] if "system" in rows.words else []))
    key, own = _key(rows), rows.numbers.get("score")
    order = np.lexsort((np.arange(len(rows)), key, lists))
    ranks = _places(lists[order])[np.argsort(order, kind="stable")]
    if own is not None and (rows.order == "score" or _falls(own[order], key[order], lists[order])):
        return ranks, own
    notes.append(f"the scores are made up, to keep the order{' by rank' if rows.order == 'rank' else ''}")
    return ranks, (key.max(initial=0.0) + 1) - key


def _key(rows: Rows) -> Floats:
    """(N,) what rises from the first result of a list to its last."""
    if rows.order == "given":
        return np.arange(len(rows), dtype=np.float64)
    key = -rows.numbers["score"] if rows.order == "score" else rows.numbers["rank"]
    return np.where(np.isnan(key), np.nanmax(key, initial=0.0) + 1, key)


def _places(lists: Ints) -> Ints:
    """(N,) the place of each row in its list, of rows sorted by list."""
    first = np.flatnonzero(np.diff(lists, prepend=-1))
    return np.arange(len(lists)) - np.repeat(first, np.diff(np.append(first, len(lists)))) + 1


def _falls(scores: Floats, key: Floats, lists: Ints) -> bool:
    """Whether the scores of every list fall with its key, and are equal only where it is."""
    same = np.diff(lists) == 0
    step, keys = np.diff(scores)[same], np.diff(key)[same]
    return bool(((step < 0) == (keys > 0)).all() and not np.isnan(scores).any())
