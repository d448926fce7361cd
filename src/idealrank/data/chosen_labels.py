"""Labels that were chosen to decide between two systems: which systems the column names that says so."""

from __future__ import annotations

from collections.abc import Sequence

from idealrank.data.judgments import Judgments
from idealrank.data.roles import CHOSEN_FOR, fold

_VERSUS = " vs "


def chosen_for(baseline: str, system: str) -> str:
    """Return what stands in the column for two systems.

    Examples
    --------
    >>> chosen_for("bm25", "hybrid")
    'bm25 vs hybrid'
    """
    return f"{baseline}{_VERSUS}{system}"


def is_label_list(columns: Sequence[str]) -> bool:
    """Whether a table is one of documents to label, whose ranks are those of two systems, and no results.

    Examples
    --------
    >>> is_label_list(["query", "doc", "baseline rank", "rank", "weight", "grade", "order"])
    True
    """
    return {"baselinerank", "rank", "weight", "grade", "order"} <= set(map(fold, columns))


def systems_chosen_for(table: Judgments) -> frozenset[str]:
    """Return the systems that the labels in a table were chosen for; none where the column is missing or empty.

    Examples
    --------
    >>> import idealrank as ir
    >>> rows = {"query": ["q", "q"], "doc": ["a", "b"], "grade": [1, 0], "chosen for": [None, "bm25 vs hybrid"]}
    >>> sorted(systems_chosen_for(ir.read_judgments(rows)))
    ['bm25', 'hybrid']
    """
    place = _column(table)
    if place is None:
        return frozenset()
    systems: set[str] = set()
    for value in table.source.frame.column(place).distinct(_MOST):
        # A name may contain the word, too: both ways of reading it name the systems, and others that nobody compares.
        parts = str(value or "").split(_VERSUS)
        cuts = range(1, len(parts))
        systems |= {_VERSUS.join(part).strip() for cut in cuts for part in (parts[:cut], parts[cut:])}
    return frozenset(systems)


def pairs_chosen_for(table: Judgments) -> list[str]:
    """Return what stands in the column, a text for each row; none where the column is missing.

    Examples
    --------
    >>> import idealrank as ir
    >>> rows = {"query": ["q", "q"], "doc": ["a", "b"], "grade": [1, 0], "chosen for": [None, "bm25 vs hybrid"]}
    >>> pairs_chosen_for(ir.read_judgments(rows))
    ['', 'bm25 vs hybrid']
    """
    place = _column(table)
    return [] if place is None else [str(cell or "").strip() for cell in table.source.frame.column(place).to_list()]


def _column(table: Judgments) -> int | None:
    names = table.source.frame.names
    place = next((i for i, name in enumerate(names) if fold(name) == fold(CHOSEN_FOR)), None)
    return None if place is None or table.source.frame.nested(place) is not None else place


_MOST = 1000
"""Pairs of systems that labels may have been chosen for; what comes after is not read."""
