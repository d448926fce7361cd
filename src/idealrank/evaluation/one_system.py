"""One system's results and the judgments, to be asked for one measure under many decisions."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from idealrank.arrays import Floats
from idealrank.conventions import parse_convention
from idealrank.data.read import read_judgments
from idealrank.data.systems import read_systems
from idealrank.decisions import Decisions
from idealrank.errors import DataError, UsageError, named
from idealrank.evaluation.evaluate import measures_under
from idealrank.evaluation.means import averaged
from idealrank.evaluation.parallel import Task
from idealrank.evaluation.scoring import settled
from idealrank.judged_lists.meeting import Meeting, Met, top_grade
from idealrank.judged_lists.near_ids import refuse_strangers
from idealrank.measures import Measure


class Ground:
    """What is compared under two conventions is the same: judgments, results, one system.

    Values are kept, so that asking twice costs nothing.
    """

    def __init__(self, judgments: Any, results: Any, system: str | None = None) -> None:
        self.judgments = read_judgments(judgments)
        self._meetings: dict[str, Meeting] = {}
        self._values: dict[Measure, Floats] = {}
        sources = read_systems(self.judgments if results is None else results)
        found = {name: source for source in sources for name in source.systems}
        if system is None and len(found) > 1:
            raise UsageError(f"Several systems: {', '.join(found)}. Name one, as {named('system', next(iter(found)))}.")
        if system is not None and system not in found:
            raise UsageError(f"No system called {system!r}. Found: {', '.join(found)}.")
        self.systems = list(found)
        self.system = next(iter(found)) if system is None else system
        self.results = found[self.system]

    def meeting(self, decisions: Decisions) -> Meeting:
        """Return where the results meet the judgments: those of the system, or pooled of all."""
        name = self.system if decisions.systems == "separate" else self.results.label or "pooled"
        if name not in self._meetings:
            meeting = Meeting(self.judgments, self.results, name)
            refuse_strangers(meeting, decisions)
            self._meetings[name] = meeting
        return self._meetings[name]

    def judged(self) -> list[str]:
        """Return the judged queries, whatever the judgments say."""
        return self.judgments.pool("max", "max").queries

    def queries(self, measure: Measure) -> list[str]:
        """Return the judged queries, in the order of the values."""
        return self.meeting(measure.decisions).met_for(measure.on_lists).pool.queries

    def measure(self, convention: str, name: str, overrides: Mapping[str, Any]) -> Measure:
        """Read one measure under a convention.

        Raises
        ------
        UsageError
            If the convention does not support it, or the name stands for several measures.
        """
        setting = parse_convention(convention, dict(overrides))
        found = measures_under(setting, [name])
        if len(found) != 1:
            raise UsageError(f"{name!r} is {len(found)} measures. Give one cutoff.")
        return found[0]

    def holds(self, decisions: Decisions) -> bool:
        """Whether the judgments can be read so: no grade above the declared top, no document judged twice."""
        try:
            top_grade(self.judgments, self.judgments.pool(decisions.raters, decisions.duplicates), decisions)
        except DataError:
            return False
        return True

    def raw(self, measure: Measure) -> Floats:
        """(Q,) the values before `no_relevant` and `no_results` answer: NaN where there is none.

        Raises
        ------
        DataError, UsageError
            If the data or the measure cannot be used under these decisions.
        """
        return Task(measure).values(self.meeting(measure.decisions).met_for(measure.on_lists).lists)

    def values(self, measure: Measure) -> Floats:
        """(Q,) the values of a measure; NaN where its decisions leave a query out. They are kept.

        Raises
        ------
        DataError, UsageError
            As `raw`, and if a query has no results and ``no_results=error``.
        """
        if measure not in self._values:
            self._values[measure] = self.settled(measure, self.raw(measure))
        return self._values[measure]

    def settled(self, measure: Measure, raw: Floats) -> Floats:
        """(Q,) raw values with `no_relevant` and `no_results` answered."""
        return settled(self.meeting(measure.decisions), measure, raw)[0]

    def mean(self, measure: Measure) -> float:
        """The mean (or sum) over the queries that count."""
        return self.mean_of(measure, self.values(measure))

    def mean_of(self, measure: Measure, values: Floats) -> float:
        """The mean (or sum) of the values of a measure."""
        if measure.decisions.no_judgments == "0":
            values = np.concatenate((values, np.zeros(self.added(measure.decisions))))
        return averaged(values, measure.decisions, measure.definition.total)

    def added(self, decisions: Decisions) -> int:
        """Count the queries with results and without judgments."""
        return self.met(decisions).added

    def met(self, decisions: Decisions) -> Met:
        """What came of the meeting under the decisions."""
        return self.meeting(decisions).met(decisions)
