"""The footnote of every picture and notebook table: the convention, and how many queries are in the means."""

from collections.abc import Mapping, Sequence

from idealrank.errors import plural
from idealrank.evaluation.mean_intervals import in_mean, unjudged_in_mean
from idealrank.evaluation.values import Values

NAMED = 4
"""So many different counts are named one by one; of more the lowest and the highest."""


def footnote(scores: Values, measures: Sequence[int] | None = None, systems: Sequence[int] | None = None) -> str:
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


def counted(scores: Values, measures: Sequence[int], systems: Sequence[int] | None = None) -> str:
    """Say how many of the judged queries are in the means; where they differ, by measure or system."""
    which = range(len(scores.systems)) if systems is None else systems
    counts = {(m, s): int(in_mean(scores, s, m).sum()) for m in measures for s in which}
    text = of_queries(_by(scores, counts), len(scores.queries))
    more = max((unjudged_in_mean(scores, s, m) for m, s in counts), default=0)
    return f"{text}, and {plural(more, 'query')} nobody judged as 0" if more else text


def of_queries(counts: Mapping[str, int], judged: int) -> str:
    """Say N of M queries; where N differs, for each name.

    Examples
    --------
    >>> of_queries({"RR": 3, "AP": 3}, 4), of_queries({"RR": 3, "AP": 4}, 4)
    ('3 of 4 queries', 'RR 3, AP 4 of 4 queries')
    """
    different, many = sorted(set(counts.values())), plural(judged, "query")
    if len(different) == 1:
        return f"{different[0]:,} of {many}"
    if len(counts) <= NAMED:
        return f"{', '.join(f'{name} {count}' for name, count in counts.items())} of {many}"
    return f"{different[0]:,} to {different[-1]:,} of {many}, differing by system or measure"


def _by(scores: Values, counts: Mapping[tuple[int, int], int]) -> dict[str, int]:
    """Name the counts by measure where systems do not differ, by system where measures do not, else by both."""
    measures, systems = {scores.labels[m]: m for m, _ in counts}, {scores.systems[s]: s for _, s in counts}
    if all(counts[m, s] == counts[m, t] for m in measures.values() for s in systems.values() for t in systems.values()):
        return {label: next(counts[key] for key in counts if key[0] == m) for label, m in measures.items()}
    first_m, first_s = next(iter(counts))
    if all(count == counts[m, first_s] for (m, _), count in counts.items()):
        return {label: counts[m, first_s] for label, m in measures.items()}
    if all(count == counts[first_m, s] for (_, s), count in counts.items()):
        return {name: counts[first_m, s] for name, s in systems.items()}
    return {f"{scores.labels[m]} of {scores.systems[s]}": count for (m, s), count in counts.items()}
