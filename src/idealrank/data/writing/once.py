"""Rows of which a document has several for one query: one of them is kept."""

from __future__ import annotations

import numpy as np

from idealrank.arrays import Ints
from idealrank.data.writing.rows import Rows
from idealrank.errors import UsageError, not_allowed, option, plural

KEPT = ("error", "first", "last", "max")
"""Answers to what is kept; error leaves the rows as they are, and formats with one place refuse them."""


def once_each(rows: Rows, keep: str, notes: list[str]) -> Rows:
    """Return rows with one for each document of a query, rater, subtopic, system and step.

    Raises
    ------
    UsageError
        If the answer is not known, or the highest score is to be kept and there are no scores.
    """
    if keep not in KEPT:
        raise not_allowed("duplicates", keep, KEPT)
    if keep == "error":
        return rows
    roles = ("rater", "subtopic", "iteration", "system", "step")
    pairs = rows.codes(rows.query, rows.doc, *(rows.words[role] for role in roles if role in rows.words))
    order = _order(rows, keep)
    _, first = np.unique(pairs[order], return_index=True)
    kept = np.sort(order[first])
    if len(kept) < len(rows):
        notes.append(f"{plural(len(rows) - len(kept), 'row')} left out: the document comes twice (duplicates={keep})")
    return rows.at(kept)


def _order(rows: Rows, keep: str) -> Ints:
    """(N,) the rows, those to keep before others of the same document."""
    places = np.arange(len(rows))
    if keep != "max":
        return places if keep == "first" else places[::-1]
    worth = rows.numbers.get("grade" if rows.kind == "judgments" else "score")
    if worth is None:
        raise UsageError(f"{rows.name}: no score, so none is the highest. Use {option('duplicates', 'first')} or last.")
    return np.argsort(-worth, kind="stable")
