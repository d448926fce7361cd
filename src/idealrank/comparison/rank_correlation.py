"""How differently two measures, judgment sets or groups of raters rank the same systems."""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

import numpy as np

from idealrank._core import Frame, from_columns
from idealrank.arrays import Cache, Floats, Ints
from idealrank.comparison.compare import refuse_with_scores
from idealrank.data.ids import id_text
from idealrank.data.judgments import Judgments
from idealrank.data.read import read_judgments
from idealrank.display.table import Table
from idealrank.errors import DataError, UsageError, option, plural, unknown
from idealrank.evaluation.evaluate import evaluate
from idealrank.evaluation.scores import Scores
from idealrank.measures.definition import Measure
from idealrank.statistics.correlations import kendall_tau, tau_ap, tau_ap_b

EQUAL_DIGITS = 12
"""Decimals to which means are compared: sums in another order differ in the last bits, and would break ties."""


class Ranking(NamedTuple):
    """The systems under one measure and one set of judgments.

    Attributes
    ----------
    name
        The measure, the judgments, or both.
    means
        (S,) mean of each system.
    order
        (S,) the same, turned so that more is better.
    """

    name: str
    means: Floats
    order: Floats

    @property
    def ranks(self) -> Ints:
        """(S,) rank of each system, 1 is the best; equal ones share the best of their ranks."""
        ranks: Ints = (self.order[None, :] > self.order[:, None]).sum(axis=1) + 1
        return ranks


@dataclass(frozen=True, eq=False, repr=False)
class RankCorrelation:
    """The rankings of the same systems, and how far each two agree.

    Attributes
    ----------
    systems
        The systems.
    rankings
        One for each measure and set of judgments.
    queries
        Number of queries that all sets of judgments have.
    """

    systems: tuple[str, ...]
    rankings: tuple[Ranking, ...]
    queries: int

    @property
    def table(self) -> Table:
        """One row for each two rankings.

        - tau: Kendall's tau-b
        - tau_ap: AP correlation, the first taken as the true ranking; missing where systems are tied
        - tau_ap_b: AP correlation with ties, neither taken as true
        - max_drop: the most ranks a system loses from the first to the second, and which does: dropped
        """
        rows = [self._row(a, b) for a, b in itertools.combinations(self.rankings, 2)]
        return Table({name: [row[name] for row in rows] for name in rows[0]}, "rank correlation")

    def _row(self, first: Ranking, second: Ranking) -> dict[str, Any]:
        lost = second.ranks - first.ranks
        most = int(lost.max())
        dropped = tuple(name for name, ranks in zip(self.systems, lost, strict=True) if ranks == most > 0)
        return {
            "first": first.name,
            "second": second.name,
            "tau": kendall_tau(first.order, second.order),
            "tau_ap": _tau_ap_if_untied(first.order, second.order),
            "tau_ap_b": tau_ap_b(first.order, second.order),
            "max_drop": max(most, 0),
            "dropped": dropped,
        }

    @property
    def means(self) -> Table:
        """One row per system, one column per ranking: the means, best first by the first ranking."""
        return self._by_system("means", [one.means for one in self.rankings])

    @property
    def ranks(self) -> Table:
        """One row per system, one column per ranking: the ranks, best first by the first ranking."""
        return self._by_system("ranks", [one.ranks for one in self.rankings])

    def _by_system(self, title: str, columns: Sequence[Any]) -> Table:
        order = sorted(range(len(self.systems)), key=lambda s: (self.rankings[0].ranks[s], self.systems[s]))
        cells: dict[str, Any] = {"system": [self.systems[s] for s in order]}
        names = [one.name for one in self.rankings]
        return Table(cells | {name: column[order] for name, column in zip(names, columns, strict=True)}, title)

    def to_dict(self) -> dict[str, Any]:
        """Return everything as plain values, for JSON."""
        tables = {"correlations": self.table, "means": self.means, "ranks": self.ranks}
        whole = {name: table.rows(fingerprints=True) for name, table in tables.items()}
        return {"systems": list(self.systems), "queries": self.queries, **whole}

    def __repr__(self) -> str:
        over = f"{plural(len(self.systems), 'system')}, {plural(self.queries, 'query')}"
        return "\n".join([over, repr(self.table), "", repr(self.ranks)])


def _tau_ap_if_untied(first: Floats, second: Floats) -> float:
    # AP correlation (Yilmaz, Aslam and Robertson, SIGIR 2008) is defined for rankings without ties only.
    tied = any(len(np.unique(order)) < len(order) for order in (first, second))
    return math.nan if tied else tau_ap(first, second)


def rank_correlation(
    judgments: Any,
    results: Any = None,
    measures: Sequence[str | Measure] | str | None = None,
    *,
    against: Any = None,
    raters: Mapping[str, Iterable[object]] | None = None,
    **options: Any,
) -> RankCorrelation:
    """Rank the same systems by several measures, judgment sets or groups of raters, and correlate the rankings.

    Parameters
    ----------
    judgments
        A path, a dataframe, or ``{query: {document: grade}}``. Or finished `Scores` of two systems or more.
    results
        All systems together, as ``{"bm25": first, "hybrid": second}``: paths, dataframes, or dicts.
    measures
        Names such as ``nDCG@10``.
    against
        Other judgments of the same queries. The first are taken as the truth by `tau_ap`.
    raters
        Groups of raters, ``{name: [raters]}``: the judgments of each group are a set for itself.
    **options
        `convention`, `queries`, `weights`, `only` and answers to decisions, as for `evaluate`.

    Returns
    -------
    RankCorrelation: Kendall's tau-b, AP correlation and the greatest drop for each two rankings; means and ranks.
    Means are over the queries that all sets of judgments have.

    Raises
    ------
    UsageError
        If there is one system, or one ranking.
    DataError
        If the sets of judgments share no query, or no column says who judged.

    Examples
    --------
    >>> qrels = {"q": {"a": 3, "b": 1}, "r": {"a": 1, "c": 2}}
    >>> runs = {
    ...     "x": {"q": {"a": 2, "b": 1}, "r": {"a": 2, "c": 1}},
    ...     "y": {"q": {"b": 2, "a": 1}, "r": {"c": 1}},
    ...     "z": {"q": {"b": 1}, "r": {"d": 1}},
    ... }
    >>> found = rank_correlation(qrels, runs, ["nDCG@10", "RR"])
    >>> found.ranks["nDCG@10"], found.ranks["RR"], round(found.table["tau"][0], 4)
    ([1, 2, 3], [1, 1, 3], 0.8165)
    """
    if isinstance(judgments, Scores):
        refuse_with_scores(options, results=results, measures=measures, against=against, raters=raters)
        return _correlate({"": judgments})
    sets = _judgment_sets(read_judgments(judgments), against, raters)
    return _correlate({name: evaluate(one, results, measures, **options) for name, one in sets.items()})


def _judgment_sets(
    table: Judgments, against: Any, raters: Mapping[str, Iterable[object]] | None
) -> dict[str, Judgments]:
    if raters is not None and against is not None:
        raise UsageError("against and raters are two ways to give several sets of judgments. Leave one out.")
    if raters is not None:
        return {name: judged_by(table, group, name) for name, group in raters.items()}
    if against is None:
        return {"": table}
    other = read_judgments(against)
    names = (table.name, other.name) if table.name != other.name else ("judgments", "against")
    return dict(zip(names, (table, other), strict=True))


def _correlate(sets: Mapping[str, Scores]) -> RankCorrelation:
    first = next(iter(sets.values()), None)
    if first is None or len(sets) * len(first.measures) < 2:
        raise UsageError("One measure and one set of judgments make one ranking. Name two measures, against or raters.")
    if len(first.systems) < 2:
        raise UsageError(f"There is one system, {first.systems[0]!r}. Rankings are of two or more.")
    shared = set(first.queries).intersection(*(scores.queries for scores in sets.values()))
    if not shared:
        raise DataError(f"{' and '.join(sets)} have no query in common. Give judgments of the same queries.")
    rankings = [
        _ranking(scores, m, _ranking_name(name, label, len(sets), len(first.measures)), shared)
        for name, scores in sets.items()
        for m, label in enumerate(scores.labels)
    ]
    return RankCorrelation(first.systems, tuple(rankings), _count_shared(first, shared))


def _ranking_name(judgments: str, measure: str, sets: int, measures: int) -> str:
    if sets == 1:
        return measure
    return judgments if measures == 1 else f"{measure}, {judgments}"


def _ranking(scores: Scores, m: int, name: str, shared: set[str]) -> Ranking:
    measure = scores.measures[m]
    left_out = np.array([query not in shared for query in scores.queries])
    values = [np.where(left_out, np.nan, scores.values[s, m]) for s in range(len(scores.systems))]
    means = np.array([scores.average(s, measure, one) for s, one in enumerate(values)])
    if np.isnan(means).any():
        system = scores.systems[int(np.flatnonzero(np.isnan(means))[0])]
        raise DataError(f"{system} has no value of {name} in any query all judgments have. Leave it out.")
    sign = -1.0 if measure.definition.properties.direction == "lower" else 1.0
    return Ranking(name, means, np.round(sign * means, EQUAL_DIGITS))


def _count_shared(scores: Scores, shared: set[str]) -> int:
    """Count the queries asked for that all sets of judgments have."""
    return sum(query in shared for query, asked in zip(scores.queries, scores.in_scope, strict=True) if asked)


# The judgments of some of the raters of a table.


def judged_by(judgments: Judgments, raters: Iterable[object], name: str) -> Judgments:
    """Return the judgments of some raters, under a name.

    Parameters
    ----------
    raters
        Names in the rater column, or the names of the grade columns if every rater has one.

    Raises
    ------
    DataError
        If the table does not tell raters apart.
    UsageError
        If a rater is not in the table, or no rater is named.
    """
    wanted = [raters] if isinstance(raters, str) else [id_text(rater) for rater in raters]
    if not wanted:
        raise UsageError(f"The group {name!r} has no raters. Name at least one.")
    source = replace(judgments.source, name=name)
    if len(judgments.grades) > 1:
        columns = {judgments.roles.names[index]: index for index in judgments.grades}
        _refuse_unknown_raters(wanted, columns)
        return replace(judgments, source=source, grades=tuple(columns[one] for one in wanted), kept=Cache())
    column = judgments.column("rater")
    if column is None:
        raise DataError(
            f"{judgments.name}: no column says who judged. Name it: {option('rater', flag='rater-col')}, or give "
            "each rater a column of grades."
        )
    names = [None if rater is None else id_text(rater) for rater in column.to_list()]
    _refuse_unknown_raters(wanted, {rater for rater in names if rater is not None})
    rows = np.flatnonzero([rater in wanted for rater in names])
    return replace(judgments, source=replace(source, frame=_take_rows(judgments, rows)), kept=Cache())


def _take_rows(judgments: Judgments, rows: Ints) -> Frame:
    frame = judgments.source.frame
    return from_columns(frame.names, [frame.column(i).to_list(rows) for i in range(len(frame.names))])


def _refuse_unknown_raters(wanted: Iterable[str], names: Iterable[str]) -> None:
    for rater in wanted:
        if rater not in names:
            raise unknown("rater", rater, names)
