"""The plan of an evaluation in parts: what is the same for all of them."""

from __future__ import annotations

import functools
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from idealrank.conventions import Setting, parse_convention
from idealrank.data.filters import read_excluded, requested_queries
from idealrank.data.judgments import Judgments
from idealrank.data.results import Results
from idealrank.decisions.decisions import refuse_unknown
from idealrank.errors import UsageError, option
from idealrank.evaluation.joins import separate_systems
from idealrank.evaluation.requested_measures import measures_under
from idealrank.measures.definition import Measure

Columns = Mapping[str, Any]
"""The column of each role, as `read_judgments` and `read_results` take it."""


@dataclass(frozen=True)
class PlannedTable:
    """A table of results: its name in messages, the name of its system, and its columns by role.

    Attributes
    ----------
    systems
        The systems that are known to be in it, in their order.
    template
        A source with rows of the table, whatever they are: a part without rows is read as it is. Not needed where
        parts without rows are tables with columns.
    """

    name: str = "results"
    label: str = ""
    columns: Columns = field(default_factory=dict)
    systems: tuple[str, ...] = ()
    template: Any = None


@dataclass(frozen=True)
class EvaluationPlan:
    """What is computed; it can be pickled.

    Attributes
    ----------
    measures, options
        As for `evaluate`, without the tables of queries and of weights.
    name, columns, names
        The name of the judgments in messages, their columns by role, and the names of all, for parts without judgments.
    tables
        The tables of results.
    """

    measures: Any = None
    options: Mapping[str, Any] = field(default_factory=dict)
    name: str = "judgments"
    columns: Columns = field(default_factory=dict)
    names: tuple[str, ...] = ()
    tables: tuple[PlannedTable, ...] = (PlannedTable(),)

    @property
    def system(self) -> str | Sequence[str] | None:
        """The systems asked for."""
        return self.options.get("system")

    @functools.cached_property
    def setting(self) -> Setting:
        """The convention with its overrides.

        Raises
        ------
        UsageError
            If a name or an answer is not known, or an answer needs all rows at once.
        """
        own = ("convention", "only", "exclude", "system")
        decisions = {name: answer for name, answer in self.options.items() if name not in own}
        refuse_unknown(decisions, ["measures", "queries", "weights", *own])
        setting = parse_convention(self.options.get("convention", "idealrank-1"), decisions)
        setting = separate_systems(setting) if self.system is not None else setting
        selected = self.asked is not None or setting.decisions.weights == "given"
        if setting.decisions.steps == "each" and selected:
            raise UsageError(
                "In parts, steps=each takes neither only nor weights: they name tasks, and each search is a query "
                f"of its own. Leave them out, or use {option('steps', 'union')}."
            )
        return setting

    @functools.cached_property
    def under(self) -> tuple[Measure, ...]:
        """The measures, each under its decisions."""
        return measures_under(self.setting, self.measures)

    @functools.cached_property
    def asked(self) -> str | tuple[str, ...] | None:
        """The queries asked for."""
        return requested_queries(self.options.get("only"))

    @functools.cached_property
    def excluded(self) -> Judgments | Results | None:
        """The results that must not be counted."""
        listed = self.options.get("exclude")
        return None if listed is None else read_excluded(listed)

    def __getstate__(self) -> dict[str, Any]:
        """Leave out what follows from the rest."""
        return {name: getattr(self, name) for name in self.__dataclass_fields__}
