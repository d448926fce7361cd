"""The footnote of every picture and notebook table: the convention, and how many queries are in the means."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from idealrank.errors import plural
from idealrank.evaluation.mean_intervals import added, in_mean

if TYPE_CHECKING:
    from idealrank.evaluation.scores import Scores

NAMED = 4
"""So many different counts are named one by one; of more the lowest and the highest."""


def footnote(scores: Scores, measures: Sequence[int] | None = None, systems: Sequence[int] | None = None) -> str:
    """Say the measures, the convention, and how many of the judged queries are in their means.

    Parameters
    ----------
    measures, systems
        Places of those that are shown; None: all.

    Examples
    --------
    >>> import idealrank as ir
    >>> scores = ir.evaluate({"q": {"a": 1}, "r": {"a": 1}}, {"q": {"a": 1.0}}, ["RR"], no_results="skip")
    >>> footnote(scores)
    'RR under idealrank-1, no_results=skip; 1 of 2 queries'
    """
    places = range(len(scores.labels)) if measures is None else measures
    labels = ", ".join(scores.labels[m] for m in places)
    return f"{labels} under {scores.setting.text}; {counted(scores, places, systems)}"


def counted(scores: Scores, measures: Sequence[int], systems: Sequence[int] | None = None) -> str:
    """Say how many of the judged queries are in the means; where they differ, by measure or system."""
    which = range(len(scores.systems)) if systems is None else systems
    found = {(m, s): in_mean(scores, s, m) for m in measures for s in which}
    said = of_queries(_by(scores, found), len(scores.queries))
    more = max((added(scores, s, m) for m, s in found), default=0)
    return f"{said}, and {plural(more, 'query')} nobody judged as 0" if more else said


def of_queries(found: Mapping[str, int], judged: int) -> str:
    """Say N of M queries; where N differs, for each name.

    Examples
    --------
    >>> of_queries({"RR": 3, "AP": 3}, 4), of_queries({"RR": 3, "AP": 4}, 4)
    ('3 of 4 queries', 'RR 3, AP 4 of 4 queries')
    """
    counts, many = sorted(set(found.values())), plural(judged, "query")
    if len(counts) == 1:
        return f"{counts[0]} of {many}"
    if len(found) <= NAMED:
        return f"{', '.join(f'{name} {count}' for name, count in found.items())} of {many}"
    return f"{counts[0]} to {counts[-1]} of {many}, differing by system or measure"


def _by(scores: Scores, found: Mapping[tuple[int, int], int]) -> dict[str, int]:
    """Name the counts by measure where systems do not differ, by system where measures do not, else by both."""
    measures, systems = {scores.labels[m]: m for m, _ in found}, {scores.systems[s]: s for _, s in found}
    if all(found[m, s] == found[m, t] for m in measures.values() for s in systems.values() for t in systems.values()):
        return {label: next(found[key] for key in found if key[0] == m) for label, m in measures.items()}
    if all(found[m, s] == found[n, s] for s in systems.values() for m in measures.values() for n in measures.values()):
        return {name: next(found[key] for key in found if key[1] == s) for name, s in systems.items()}
    return {f"{scores.labels[m]} of {scores.systems[s]}": count for (m, s), count in found.items()}
