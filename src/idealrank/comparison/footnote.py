"""How many queries stand behind differences, for the footnote of every picture and notebook table."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from idealrank.evaluation.footnote import of_queries

if TYPE_CHECKING:
    from idealrank.comparison.comparison import Comparison


def paired_note(comparison: Comparison, measures: Sequence[int], pairs: Sequence[tuple[int, int]]) -> str:
    """Say how many of the judged queries are paired; where they differ, by measure and pair.

    Examples
    --------
    >>> import idealrank as ir
    >>> runs = {"old": {"q": {"a": 1.0}}, "new": {"q": {"a": 1.0}}}
    >>> found = ir.compare({"q": {"a": 1}, "r": {"a": 1}}, runs, ["RR"], no_results="skip")
    >>> paired_note(found, [0], [(0, 1)])
    '1 of 2 queries paired'
    """
    scores, called = comparison.scores, comparison.pairing.called
    counts = {
        f"{scores.labels[m]} of {called(pair)}": comparison.contrasts[pair, m].queries
        for m in measures
        for pair in pairs
    }
    return f"{of_queries(counts, len(scores.queries))} paired"
