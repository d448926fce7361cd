"""Why a mean changed from one date to the next: exactly the parts of its lists, its labels and its queries."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass

from idealrank.comparison.baseline.baseline import Baseline
from idealrank.comparison.baseline.differences import answers_changed, emptied
from idealrank.display.numbers import number_text
from idealrank.errors import listed, plural

Values = Mapping[str, float]

NAMED = 3
"""Queries that are named, at most."""


@dataclass(frozen=True)
class MeanChange:
    """What a mean changed by, and why.

    The change is taken apart by going one step at a time, and the parts sum to it exactly. With A the average of the
    measure, V00 the values of the old lists under the old labels, V01 of the old lists under the new labels, V11 of
    the new lists under the new labels, and C the queries that have all three:

    - queries: [A(V00 over C) - A(V00)] + [A(V11) - A(V11 over C)]
    - labels: A(V01 over C) - A(V00 over C)
    - lists: A(V11 over C) - A(V01 over C)

    Where only hashes are known, V01 is V00 for a query whose judgments are the same, and V11 for one whose list is
    the same. Queries in which both changed cannot be taken apart: they are `both`.

    Attributes
    ----------
    total, lists, labels, both, queries
        The change of the mean, and its parts; NaN where there is no value, or decisions changed.
    lists_changed, labels_changed, added, removed
        How many queries that is about.
    decisions
        The decisions that changed, in words; then there are no parts.
    relisted, emptied
        The queries whose lists changed, and those of them that had results and return nothing now.
    """

    total: float
    lists: float
    labels: float
    both: float
    queries: float
    lists_changed: int
    labels_changed: int
    added: int
    removed: int
    decisions: str = ""
    relisted: tuple[str, ...] = ()
    emptied: tuple[str, ...] = ()

    @property
    def why(self) -> str:
        """Say what changed; of several things, with the part of each in the change."""
        if self.decisions:
            return f"decisions changed: {self.decisions}"
        asked = [
            (self.labels_changed, f"labels changed in {plural(self.labels_changed, 'query')}", self.labels),
            (self.lists_changed, f"results changed in {plural(self.lists_changed, 'query')}{self._named}", self.lists),
            (self.both, "both in the same queries", self.both),
            (self.added or self.removed, f"queries +{self.added} −{self.removed}", self.queries),
        ]
        told = [(what, number_text(part, "+.4f")) for count, what, part in asked if count]
        if len(told) == 1:
            return told[0][0]
        return "; ".join(f"{what} {part}" for what, part in told) or "nothing"

    @property
    def _named(self) -> str:
        """Name the queries that return nothing now, or else the queries whose lists changed if they are few."""
        if self.emptied:
            return f" (no results: {listed(self.emptied, NAMED)})"
        return f" ({', '.join(self.relisted)})" if 0 < len(self.relisted) <= NAMED else ""


def change_between(before: Baseline, after: Baseline, measure: str, relabelled: Values | None = None) -> MeanChange:
    """Take the change of a mean apart.

    Parameters
    ----------
    relabelled
        The values of the old lists under the new labels, by query; None: as far as hashes tell.

    Examples
    --------
    >>> import idealrank as ir
    >>> from idealrank.comparison.baseline.making import baseline_of
    >>> def made(labels, lists):
    ...     return baseline_of(ir.evaluate(labels, lists, ["RR"]))
    >>> lists = {"q1": {"a": 2.0, "b": 1.0}, "q2": {"a": 2.0, "b": 1.0}}
    >>> old = made({"q1": {"a": 1}, "q2": {"b": 1}}, lists)
    >>> new = made({"q1": {"a": 0, "b": 1}, "q2": {"b": 1}}, lists | {"q2": {"b": 2.0, "a": 1.0}})
    >>> change_between(old, new, "RR").why
    'labels changed in 1 query −0.2500; results changed in 1 query (q2) +0.2500'
    """
    rows = [(q, before.queries[q], after.queries[q]) for q in before.queries if q in after.queries]
    relisted = {q for q, old, new in rows if old.list != new.list}
    relabelled_queries = {q for q, old, new in rows if old.judgments != new.judgments}
    counts = (len(relisted), len(relabelled_queries), len(after.queries) - len(rows), len(before.queries) - len(rows))
    total = after.mean(measure) - before.mean(measure)
    if before.measures[measure] != after.measures[measure]:
        said = answers_changed(before, after, measure)
        return MeanChange(total, math.nan, math.nan, math.nan, math.nan, *counts, said)
    named = tuple(q for q, *_ in rows if q in relisted), tuple(q for q, old, new in rows if emptied(old, new))
    parts = _parts(before, after, measure, relabelled, relisted, relabelled_queries)
    lists, labels, both = parts
    return MeanChange(total, lists, labels, both, total - lists - labels - both, *counts, "", *named)


def _parts(
    before: Baseline, after: Baseline, measure: str, relabelled: Values | None, relisted: set[str], regraded: set[str]
) -> tuple[float, float, float]:
    """Return the parts of lists, labels, and both, over the queries that both have values of."""
    old, new = before.values(measure), after.values(measure)
    common = [q for q in old if q in new and (relabelled is None or q in relabelled)]
    if not common:
        return math.nan, math.nan, math.nan
    first = {q: old[q] for q in common}
    if relabelled is None:
        # The second step takes the queries of which only labels changed, the third those of which only lists did.
        same_scale = before.max_grade == after.max_grade or not after.measure(measure).reads_top
        second = {q: new[q] if q not in relisted and (q in regraded or not same_scale) else old[q] for q in common}
        third = {q: new[q] if q in relisted and q not in regraded and same_scale else second[q] for q in common}
    else:
        second, third = {q: relabelled[q] for q in common}, {q: new[q] for q in common}
    steps = [after.mean(measure, values) for values in (first, second, third, {q: new[q] for q in common})]
    return steps[2] - steps[1], steps[1] - steps[0], steps[3] - steps[2]
