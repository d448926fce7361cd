"""What a doctor looks at: judgments, the results that met them, and the means under the answers given."""

from __future__ import annotations

import functools
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from idealrank.arrays import Kept
from idealrank.conventions import parse_convention
from idealrank.data.formats.source import Source
from idealrank.data.judgments import Judgments
from idealrank.data.queries import Queries
from idealrank.data.results import Results
from idealrank.decisions import Decisions
from idealrank.doctor.mend import Mend
from idealrank.errors import IdealrankError
from idealrank.evaluation.evaluate import evaluate
from idealrank.evaluation.meetings import meetings_of
from idealrank.evaluation.scores import Scores
from idealrank.judged_lists.meeting import Meeting, Met
from idealrank.judged_lists.units import settled_units

Means = dict[tuple[str, str], float]
"""``{(measure, system): mean}``, without the measures that `evaluate` refuses."""

GROUNDS: tuple[Mapping[str, str], ...] = (
    {"duplicates": "first"},
    {"order_by": "rank"},
    {"duplicates": "first", "order_by": "rank"},
)
"""Answers to what `evaluate` refuses to guess, so that the rest can be looked at."""


@dataclass(frozen=True, eq=False, kw_only=True)
class Inputs:
    """What was read, and how it is to be evaluated.

    Attributes
    ----------
    judgments, results
        The tables.
    measures
        The measures whose means count, the headline first.
    convention, answers
        What `evaluate` is told.
    queries
        The table of queries.
    excluded
        Results that must not be counted, as a table of queries and documents; None: there is none.
    by
        A mean that moves by more than this has moved.
    """

    judgments: Judgments
    results: tuple[Results, ...]
    measures: tuple[str, ...]
    convention: str
    answers: Mapping[str, Any]
    queries: Queries = field(default_factory=Queries)
    excluded: Judgments | Results | None = None
    by: float = 0.0005
    _under: Kept = field(default_factory=Kept, init=False, repr=False)

    @property
    def tables(self) -> tuple[Judgments | Results, ...]:
        """Judgments and results; a table that is both, once."""
        own = [results for results in self.results if results.source is not self.judgments.source]
        return (self.judgments, *own)

    @functools.cached_property
    def decisions(self) -> Decisions:
        """The decisions of the convention with the answers."""
        return parse_convention(self.convention, dict(self.answers)).decisions

    @functools.cached_property
    def meetings(self) -> list[Meeting]:
        """The meetings of all systems."""
        judgments = settled_units(self.judgments, self.results, self.decisions)
        return meetings_of(judgments, self.results, self.decisions.systems)

    @functools.cached_property
    def mets(self) -> list[Met]:
        """The lists of all systems with every result a hit."""
        return [meeting.met(self.decisions, "dense") for meeting in self.meetings]

    @functools.cached_property
    def outcome(self) -> Scores | IdealrankError:
        """The scores, or why `evaluate` refuses them."""
        call: dict[str, Any] = {"convention": self.convention, "queries": self.queries, **self.answers}
        try:
            return evaluate(self.judgments, list(self.results), self.measures, **call)
        except IdealrankError as refused:
            return refused

    @functools.cached_property
    def allowed(self) -> Inputs:
        """The same with the measures alone that are not refused; itself if all are refused, or none."""
        if isinstance(self.outcome, Scores) or len(self.measures) == 1:
            return self
        apart = (replace(self, measures=(measure,)) for measure in self.measures)
        names = [one.measures[0] for one in apart if isinstance(one.outcome, Scores)]
        return replace(self, measures=tuple(names)) if names else self

    @property
    def scores(self) -> Scores | None:
        """The scores of the measures that are not refused; None if all are."""
        return outcome if isinstance(outcome := self.allowed.outcome, Scores) else None

    @functools.cached_property
    def means(self) -> Means:
        """The mean of every measure and system that `evaluate` does not refuse."""
        if self.scores is None:
            return {}
        names, systems = self.allowed.measures, self.scores.systems
        every = zip(systems, self.scores.all_means, strict=True)
        return {(name, system): float(mean) for system, means in every for name, mean in zip(names, means, strict=True)}

    @functools.cached_property
    def grounded(self) -> Inputs:
        """The same with answers to what is refused as long as nobody answers it; itself if that does not help."""
        if self.means:
            return self
        tried = (replace(self, answers={**more, **self.answers}) for more in GROUNDS)
        return next((inputs for inputs in tried if inputs.means), self)

    def means_after(self, mends: Collection[Mend], answers: Mapping[str, str]) -> Means:
        """Return the means with mended tables and further answers; those of answers alone are kept."""
        if mends:
            return self.mended(mends, answers).means
        return self._under.once(tuple(answers.items()), lambda: self.mended((), answers).means)

    def mended(self, mends: Iterable[Mend], answers: Mapping[str, str]) -> Inputs:
        """Return the inputs with mended tables and further answers."""
        judgments, results = self.judgments, self.results
        for mend in mends:
            source = mend.table.source
            copy = mend.copied()
            judgments = _on(judgments, source, copy)
            results = tuple(_on(each, source, copy) for each in results)
        return replace(self, judgments=judgments, results=results, answers={**self.answers, **answers})


def _on(table: Any, source: Source, copy: Source) -> Any:
    return replace(table, source=copy, kept=Kept()) if table.source is source else table
