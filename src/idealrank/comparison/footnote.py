"""How many queries stand behind differences, for the footnote of every picture and notebook table."""

from __future__ import annotations

from collections.abc import Sequence

from idealrank.comparison.findings import Findings
from idealrank.comparison.pairing import Key, Pair
from idealrank.evaluation.footnote import of_queries


def paired_note(findings: Findings, measures: Sequence[int], pairs: Sequence[Pair]) -> str:
    """Say how many of the judged queries are paired; where they differ, by measure and pair.

    Examples
    --------
    >>> import idealrank as ir
    >>> runs = {"old": {"q": {"a": 1.0}}, "new": {"q": {"a": 1.0}}}
    >>> comparison = ir.compare({"q": {"a": 1}, "r": {"a": 1}}, runs, ["RR"], no_results="skip")
    >>> paired_note(comparison, [0], comparison.pairing.pairs)
    '1 of 2 queries paired'
    """
    scores, called = findings.scores, findings.pairing.called
    counts = {
        f"{scores.labels[m]} of {called(pair)}": findings.contrasts[Key(pair, m)].queries
        for m in measures
        for pair in pairs
    }
    return f"{of_queries(counts, len(scores.queries))} paired"
