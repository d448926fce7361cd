"""Joins of the judgments with the results of each system, and one system under many decisions."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from idealrank.arrays import Cache, Floats
from idealrank.conventions import Setting, parse_convention
from idealrank.data.judgments import Judgments
from idealrank.data.read import read_judgments
from idealrank.data.results import Results
from idealrank.data.systems import read_systems
from idealrank.decisions.decisions import Decisions
from idealrank.errors import DataError, UsageError, either, named, quoted_option, some
from idealrank.evaluation.means import average, counts_unjudged
from idealrank.evaluation.requested_measures import measures_under
from idealrank.evaluation.scoring import refuse_failed
from idealrank.evaluation.variants import list_variants, values_of
from idealrank.judged_lists.join import Form, Join, SystemLists, top_grade
from idealrank.judged_lists.near_ids import refuse_strangers
from idealrank.judged_lists.searches import with_all_searches
from idealrank.judged_lists.units import mark_whole_units, pool_of
from idealrank.measures.definition import Measure

# One system's results and the judgments, scored under many decisions.


class SystemUnderTest:
    """Judgments and the results of one system, whose values are compared under different decisions.

    Values are cached, so that asking twice costs nothing.
    """

    def __init__(self, judgments: Any, results: Any, system: str | None = None) -> None:
        self.judgments = read_judgments(judgments)
        sources = read_systems(self.judgments if results is None else results, self.judgments)
        joins = joins_of(self.judgments, sources)
        self.systems = [join.system for join in joins]
        if system is None and len(joins) > 1:
            raise UsageError(
                f"Several systems: {', '.join(self.systems)}. Name one, as {named('system', self.systems[0])}."
            )
        chosen = joins if system is None else choose_systems(joins, system)
        self.system, self.results = chosen[0].system, chosen[0].results
        self.apart = names_one_system(system, self.results)
        self._kept = Cache()

    def join(self, decisions: Decisions) -> Join:
        """Return the join with the judgments: of the system's results, or of those of all systems, pooled."""
        lists = self.results.lists(decisions.systems)
        name = self.system if len(lists) > 1 else lists[0]
        return self._kept.once(("join", name, decisions.unit), lambda: self._join(name, decisions))

    def _join(self, name: str, decisions: Decisions) -> Join:
        join = Join(mark_whole_units(self.judgments, [self.results], decisions), self.results, name)
        refuse_strangers(join.lists(with_all_searches(decisions)))
        return join

    def lists(self, decisions: Decisions) -> SystemLists:
        """Return the lists under the decisions."""
        return self.join(decisions).lists(decisions)

    def lists_for(self, measure: Measure, form: Form = "sparse") -> SystemLists:
        """Return the lists as a measure sees them."""
        return self.join(measure.decisions).lists_for(measure.on_lists, form)

    def judged_queries(self) -> list[str]:
        """Return the judged queries, regardless of what the judgments say."""
        return self.judgments.pool("max", "max").queries

    def queries(self, measure: Measure) -> list[str]:
        """Return the judged queries, in the order of the values."""
        return self.lists_for(measure).queries

    def measure(self, convention: str, name: str, overrides: Mapping[str, Any]) -> Measure:
        """Read one measure under a convention.

        Raises
        ------
        UsageError
            If the convention does not support it, or the name means several measures.
        """
        setting = parse_convention(convention, dict(overrides))
        setting = separate_systems(setting) if self.apart else setting
        measures = measures_under(setting, [name])
        if len(measures) != 1:
            raise UsageError(f"{name!r} is {len(measures)} measures. Give one cutoff.")
        return measures[0]

    def is_readable(self, decisions: Decisions) -> bool:
        """Whether these decisions allow the tables: no grade above the declared top, no document twice."""
        try:
            top_grade(self.judgments, pool_of(self.judgments, decisions), decisions)
            if self.apart and self.results.pools(decisions.systems):
                self.results.returned("", decisions.duplicates)
        except DataError:
            return False
        return True

    def values(self, measure: Measure) -> Floats:
        """(Q,) the values of a measure, cached; NaN where its decisions leave a query out.

        Raises
        ------
        DataError, UsageError
            If the data or the measure cannot be used under these decisions, or a query has no results and
            ``no_results=error``, or its search failed and ``failed=refuse``.
        """
        return self._kept.once(measure, lambda: self._values(measure))

    def _values(self, measure: Measure) -> Floats:
        return values_of(*list_variants(self.join(measure.decisions), [measure], None, refuse_any_failed))

    def mean(self, measure: Measure) -> float:
        """The mean (or sum) over the queries that count."""
        return self.mean_of(measure, self.values(measure))

    def mean_of(self, measure: Measure, values: Floats) -> float:
        """The mean (or sum) of the values of a measure."""
        decisions = measure.decisions
        unjudged = len(self.lists(decisions).unjudged_queries) if counts_unjudged(decisions) else 0
        return average(values, decisions, measure.definition.total, unjudged=unjudged)


def refuse_any_failed(joined: SystemLists, measure: Measure) -> None:
    """Refuse failed searches as the decisions of a measure say, whichever query they are of."""
    refuse_failed(joined, measure.decisions)


# The joins of an evaluation: one per system, chosen and checked.


def joins_of(
    judgments: Judgments, sources: Sequence[Results], systems: str = "auto", system: str | Iterable[str] | None = None
) -> list[Join]:
    """Join the results of each system, or of those named, with the judgments.

    Parameters
    ----------
    systems
        The answer to `systems`: what is one system in a table of several. Different tables are always different
        systems.

    Raises
    ------
    UsageError
        If there is no system of the name.
    DataError
        If two systems have one name.
    """
    joins = [Join(judgments, source, name) for source in sources for name in source.lists(systems)]
    if system is not None:
        joins = choose_systems(joins, system)
    _refuse_namesakes(joins)
    return joins


def scored_systems(
    sources: Sequence[Results], systems: str, system: str | Iterable[str] | None
) -> list[tuple[Results, str]]:
    """Return the systems that are scored, each with its table; "" for all systems of a table as one."""
    names = {system} if isinstance(system, str) else set(system or ())
    every = ((source, name) for source in sources for name in source.lists(systems))
    chosen = [(source, name) for source, name in every if not names or name in names]
    return [(source, name if name in source.systems else "") for source, name in chosen]


def names_one_system(system: str | Iterable[str] | None, *sources: Results) -> bool:
    """Whether a system that is asked for is one of several in its table."""
    names = {system} if isinstance(system, str) else set(system or ())
    return any(len(source.systems) > 1 and not names.isdisjoint(source.systems) for source in sources)


def separate_systems(setting: Setting) -> Setting:
    """Answer ``systems=separate`` where a convention pools: whoever names a system of several asks for it alone."""
    if "systems" in setting.overrides or setting.decisions.systems == "separate":
        return setting
    return setting._replace(overrides={**setting.overrides, "systems": "separate"})


def choose_systems(joins: list[Join], system: str | Iterable[str]) -> list[Join]:
    """Return the joins of one system, or of several in the order asked for.

    Raises
    ------
    UsageError
        If there is no system of a name.
    """
    chosen: list[Join] = []
    for name in dict.fromkeys([system] if isinstance(system, str) else system):
        found = [join for join in joins if join.system == name]
        if not found:
            raise UsageError(f"No system called {name!r}. Found: {', '.join(join.system for join in joins)}.")
        chosen += found
    return chosen


def _refuse_namesakes(joins: list[Join]) -> None:
    names = [join.system for join in joins]
    for name in names:
        if names.count(name) > 1:
            where = some(dict.fromkeys(m.results.name for m in joins if m.system == name))
            raise DataError(
                f"{names.count(name)} systems are called {name!r} (in {where}). {_advise_on_namesakes(joins, name)}."
            )


def _advise_on_namesakes(joins: list[Join], name: str) -> str:
    """Say how to tell systems of one name apart; a file that was given twice need be given only once."""
    sources = [join.results.source for join in joins if join.system == name]
    files = [source.origin.path for source in sources if source.origin]
    if len(files) > len(set(files)):
        return "The same file is given twice. Give it once"
    typed = "Rename a file, or evaluate one at a time"
    if any(len(join.results.systems) > 1 for join in joins if join.system == name):
        typed = (
            "These names are in the tables. Save the scores of each table (idealrank evaluate JUDGMENTS TABLE --save "
            f"FILE), and compare one system of both: idealrank compare FILE FILE {quoted_option('system', name)}"
        )
    return either("Pass {name: results, …}, or evaluate one at a time", typed)
