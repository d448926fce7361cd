"""Numbers that are too good to say anything."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from idealrank.doctor.finding import SHOWN, Finding
from idealrank.doctor.inputs import Inputs
from idealrank.doctor.lists import placed
from idealrank.errors import plural
from idealrank.judged_lists.meeting import Met

FEWEST = 2
"""Queries, at least; one alone may be so by chance, but not in a table of judgments and results."""


def perfection(inputs: Inputs) -> Iterator[Finding]:
    """Every measure is 1 for every query, as when the ranking was made from the judgments."""
    scores = inputs.scores
    if scores is None or len(scores.queries) < FEWEST:
        return
    for s, met in enumerate(inputs.mets):
        if (scores.values[s] == 1).all():
            many = plural(len(scores.queries), "query")
            text = f"every measure of {met.system} is 1 for all {many}: was it ranked by the grades?"
            yield _doubt(met, "perfect scores", text, "Check where the ranking comes from.")


def closed_lists(inputs: Inputs) -> Iterator[Finding]:
    """Exactly the judged documents were returned, so that the ideal and recall know of nothing that was missed."""
    for met in inputs.mets:
        returned, hits, judged = met.judged.returned, met.judged.judged_within(), np.diff(met.pool.start)
        answered = returned > 0
        least = 1 if met.results.shared else FEWEST
        if answered.sum() >= least and ((returned == hits) & (returned == judged))[answered].all():
            many = plural(int(answered.sum()), "query")
            text = f"{met.system} returned exactly the judged documents of {many}: the ideal knows of no other"
            way = "Give all judgments as the first file, and the results as the second."
            yield _doubt(met, "only the judged documents", text, way)


def _doubt(met: Met, name: str, text: str, way: str) -> Finding:
    lists = np.flatnonzero(met.judged.returned > 0).tolist()
    return Finding(
        name=name, text=text, count=len(lists), system=met.system, examples=placed(met, lists, SHOWN), way=way
    )
