"""Values: one number for each system, measure and query, and the means from them."""

from __future__ import annotations

import copy
import functools
from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Self

import numpy as np

from idealrank.arrays import Floats
from idealrank.conventions import Setting
from idealrank.data.queries import Queries
from idealrank.data.selection import chosen
from idealrank.errors import UsageError, either, named, nearest, unknown, unsaid
from idealrank.evaluation.answers import Answers
from idealrank.evaluation.means import averaged
from idealrank.measures import Measure, parse
from idealrank.measures.spellings import written

if TYPE_CHECKING:
    from idealrank.evaluation.ledger.ledger import Ledger
    from idealrank.judged_lists.meeting import Meeting


@dataclass(frozen=True, eq=False)
class Values:
    """The values of S systems under M measures for Q judged queries.

    Attributes
    ----------
    measures, systems, queries
        What the axes of `values` are.
    values
        (S, M, Q) float64; NaN where the query is left out.
    states
        (S, M, Q) int8 codes of `idealrank.evaluation.scoring.State`.
    setting
        The convention with the caller's overrides.
    ledger
        What became of every query.
    """

    measures: tuple[Measure, ...]
    systems: tuple[str, ...]
    queries: list[str]
    values: Floats
    states: Any
    setting: Setting
    table: Queries
    weights: Floats | None
    meetings: list[Meeting]
    only: Any = None
    """The queries asked for, as the caller named them; None: all."""
    ledger: Ledger = None  # type: ignore[assignment]

    def __post_init__(self) -> None:
        for array in (self.values, self.states):
            array.setflags(write=False)

    def with_ledger(self, ledger: Ledger) -> Self:
        """Return the same values with their ledger."""
        found = copy.copy(self)  # unlike `replace`, it keeps the means
        object.__setattr__(found, "ledger", ledger)
        return found

    @property
    def decisions(self) -> str:
        """The decisions behind the numbers, as one line: what departs from `idealrank-1` first."""
        return self.answers.line

    @property
    def answers(self) -> Answers:
        """The decisions behind the numbers, one by one."""
        return Answers.to(self.measures, self.setting.text)

    def __getitem__(self, key: str | tuple[str, str]) -> float:
        """Return the mean of a measure: ``scores["nDCG@10"]``, or ``scores["nDCG@10", "bm25"]`` of several systems.

        Raises
        ------
        UsageError
            If the measure was not asked for, or the system is not named and there are several.
        """
        name, system = key if isinstance(key, tuple) else (key, None)
        return self.mean(name, system)

    def mean(self, measure: str | Measure, system: str | None = None) -> float:
        """Return the mean (or sum) of a measure over the queries that count."""
        s, m = self.system_place(system), self.place_of(measure)
        return self.all_means[s][m]

    def of(self, measure: str | Measure, system: str | None = None) -> Floats:
        """(Q,) values of a measure, query by query; NaN where the query is left out."""
        values: Floats = self.values[self.system_place(system), self.place_of(measure)]
        return values

    @functools.cached_property
    def all_means(self) -> list[list[float]]:
        """The mean of each measure, for each system."""
        return [[self._mean(s, m) for m in range(len(self.measures))] for s in range(len(self.systems))]

    def _mean(self, s: int, m: int) -> float:
        return self.average(s, self.measures[m], self.values[s, m])

    def average(self, s: int, measure: Measure, values: Floats) -> float:
        """Average (Q,) values of a system's queries as a measure's decisions say; NaN ones are left out."""
        if measure.decisions.no_judgments not in ("0", "skip"):
            raise unsaid("no_judgments", measure.decisions.no_judgments, __name__)
        added = self.unjudged_queries(s) if measure.decisions.no_judgments == "0" else ()
        counts = values
        weights = self.weights
        if added:
            counts = np.concatenate((values, np.zeros(len(added))))
            weights = None if weights is None else np.concatenate((weights, self.table.weights(added)))
        return averaged(counts, measure.decisions, measure.definition.total, weights)

    def unjudged_queries(self, s: int, everything: bool = False) -> tuple[str, ...]:
        """Return the queries a system returned results for that nobody judged.

        Parameters
        ----------
        everything
            Whether to return those too that were not asked for.
        """
        found = tuple(self.meetings[s].met(self.setting.decisions).judged.unjudged_queries)
        if everything or self.only is None or not found:
            return found
        kept = chosen(self.only, [*self.queries, *found])[len(self.queries) :]
        return tuple(query for query, keep in zip(found, kept, strict=True) if keep)

    @functools.cached_property
    def labels(self) -> tuple[str, ...]:
        """The names of the measures; a name two of them share is replaced by the fingerprint."""
        often = Counter(m.name for m in self.measures)
        return tuple(m.name if often[m.name] == 1 else m.fingerprint for m in self.measures)

    @functools.cached_property
    def fingerprints(self) -> dict[str, str]:
        """The fingerprint of each measure, by its label."""
        return {label: m.fingerprint for label, m in zip(self.labels, self.measures, strict=True)}

    def place_of(self, measure: str | Measure) -> int:
        """Return the index of a measure, by any of its names."""
        if isinstance(measure, Measure):
            if measure in self.measures:
                return self.measures.index(measure)
            raise unknown("measure among these scores", measure.name, [m.name for m in self.measures])
        measure = written(measure)
        for place, known in enumerate(self.measures):
            if measure in (known.name, known.typed, known.fingerprint):
                return place
        ours = self.setting.our_name(measure)
        asked = {m.name for m in parse(ours, self.setting.decisions)} | {m.name for m in parse(ours)}
        for place, known in enumerate(self.measures):
            if known.name in asked:
                return place
        raise unknown("measure among these scores", measure, [m.name for m in self.measures])

    def system_place(self, system: str | None) -> int:
        """Return the index of a system; None where there is one."""
        if system is None:
            if len(self.systems) > 1:
                first = self.systems[0]
                way = named("system", first) + either(f" or scores['nDCG@10', {first!r}]", "")
                raise UsageError(f"Several systems: {', '.join(self.systems)}. Name one, as {way}.")
            return 0
        if system not in self.systems:
            raise UsageError(
                f"No system called {system!r}.{nearest(system, self.systems)} Known: {', '.join(self.systems)}."
            )
        return self.systems.index(system)

    @functools.cached_property
    def texts(self) -> dict[str, str]:
        """Texts of the queries, by id, where any table has them."""
        found: dict[str, str] = {}
        for meeting in self.meetings:
            found |= meeting.results.texts[0] | meeting.judgments.texts[0]
        if self.table.text:
            found |= {
                key: str(text) for key, text in self.table.attributes[self.table.text].items() if text is not None
            }
        return found
