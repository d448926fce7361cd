"""Values: one number for each system, measure and query, and the means from them."""

from __future__ import annotations

import functools
import math
import re
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple, overload

import numpy as np

from idealrank.arrays import EQUAL, Floats, Ints, Mask
from idealrank.conventions import Setting
from idealrank.data.filters import query_mask
from idealrank.data.ids import id_text, plain_ids
from idealrank.data.queries import Queries
from idealrank.decisions.decisions import DEFAULT, questions
from idealrank.decisions.question import Stage
from idealrank.display.blocks import Block, Lines
from idealrank.errors import UsageError, either, named, nearest, some, unknown
from idealrank.evaluation.means import average, counts_unjudged
from idealrank.evaluation.partitioned import Lists
from idealrank.evaluation.scoring import QueryState
from idealrank.measures import parse
from idealrank.measures.definition import Measure
from idealrank.measures.grammar import measure_text

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from numpy.typing import NDArray

    from idealrank.evaluation.ledger.counts import Counts
    from idealrank.judged_lists.join import Join, SystemLists
    from idealrank.statistics.sample import Bounds


@dataclass(frozen=True, eq=False, repr=False, kw_only=True)
class QueryValues:
    """The values of S systems under M measures for Q judged queries.

    Attributes
    ----------
    only
        The queries asked for, as the caller named them; None: all.
    """

    measures: tuple[Measure, ...]
    systems: tuple[str, ...]
    queries: list[str]
    values: Floats
    states: NDArray[np.int8]
    setting: Setting
    only: Any = None

    def __post_init__(self) -> None:
        for array in (self.values, self.states):
            array.setflags(write=False)

    @property
    def decisions(self) -> str:
        """The decisions behind the numbers, as one line: what departs from `idealrank-1` first."""
        return self.answers.line

    @property
    def answers(self) -> DecisionsRead:
        """The decisions behind the numbers, one by one."""
        return DecisionsRead.collect(self.measures, self.setting.text)

    def of(self, measure: str | Measure, system: str | None = None) -> Floats:
        """(Q,) values of a measure, query by query; NaN where the query is left out."""
        values: Floats = self.values[self.system_place(system), self.place_of(measure)]
        return values

    @functools.cached_property
    def in_scope(self) -> Mask:
        """(Q,) which of the judged queries were asked for."""
        return query_mask(self.only, self.queries, least=0)

    def scope_of(self, queries: Sequence[str]) -> Mask:
        """Return which of some queries, judged or not, were asked for."""
        return query_mask(self.only, queries, least=0)

    @property
    def unanswered(self) -> Mask:
        """(S, M, Q) which queries asked for have no value since their search failed: under ``failed=0`` they have."""
        unanswered: Mask = self.states == QueryState.SKIPPED_FAILED
        return unanswered

    @functools.cached_property
    def labels(self) -> tuple[str, ...]:
        """The names of the measures; a name two of them share is replaced by the fingerprint."""
        often = Counter(m.name for m in self.measures)
        return tuple(m.name if often[m.name] == 1 else m.fingerprint for m in self.measures)

    @functools.cached_property
    def fingerprints(self) -> dict[str, str]:
        """The fingerprint of each measure, by its label."""
        return {label: m.fingerprint for label, m in zip(self.labels, self.measures, strict=True)}

    def place_of(self, measure: str | Measure | None) -> int:
        """Return the index of a measure, by any of its names; None: the first."""
        if measure is None:
            return 0
        if isinstance(measure, Measure):
            if measure in self.measures:
                return self.measures.index(measure)
            raise unknown("measure among these scores", measure.name, [m.name for m in self.measures])
        measure = measure_text(measure)
        for place, each in enumerate(self.measures):
            if measure in (each.name, each.typed, each.fingerprint):
                return place
        ours = self.setting.our_name(measure)
        try:
            names = {m.name for m in parse(ours, self.setting.decisions)} | {m.name for m in parse(ours)}
        except UsageError:
            self._refuse_system_or_query(measure)
            raise
        for place, each in enumerate(self.measures):
            if each.name in names:
                return place
        raise unknown("measure among these scores", measure, [m.name for m in self.measures])

    def _refuse_system_or_query(self, name: str) -> None:
        """Refuse a system or a query given in place of a measure."""
        label = self.labels[0]
        if name in self.systems:
            raise UsageError(f"{name!r} is a system, not a measure: name the measure first, as [{label!r}, {name!r}].")
        if name in self.queries:
            ways = f"explain({label!r}, {name!r}) or per_query.filter(query={name!r})"
            raise UsageError(f"{name!r} is a query, not a measure: ask the scores for {ways}.")

    def system_place(self, system: str | None) -> int:
        """Return the index of a system; None where there is one."""
        if system is None:
            if len(self.systems) > 1:
                first = self.systems[0]
                raise UsageError(f"Several systems: {', '.join(self.systems)}. Name one, as {named('system', first)}.")
            return 0
        if system not in self.systems:
            raise UsageError(
                f"No system called {system!r}.{nearest(system, self.systems)} Known: {', '.join(self.systems)}."
            )
        return self.systems.index(system)

    def system_places(self, system: str | None) -> list[int]:
        """Return the index of a system, or of every one where none is named."""
        return list(range(len(self.systems))) if system is None else [self.system_place(system)]


@dataclass(frozen=True, eq=False, repr=False, kw_only=True)
class Values(QueryValues):
    """The values of all queries of an evaluation: all that `Scores` contains except the ledger.

    Attributes
    ----------
    table, weights
        Attributes of the queries; (Q,) how much each counts, None where all count alike.
    lists
        The joins of each system's results with the judgments: all in memory, or in buckets.
    counted
        What was counted in the tables, or how to count it: see `counts`.
    """

    table: Queries
    weights: Floats | None
    lists: Lists
    counted: Counts | Callable[[], Counts]

    @functools.cached_property
    def counts(self) -> Counts:
        """What was counted in the tables; of tables in memory when somebody asks."""
        return self.counted() if callable(self.counted) else self.counted

    @overload
    def __getitem__(self, key: tuple[str, str]) -> float: ...
    @overload
    def __getitem__(self, key: str) -> Any: ...  # a union would have `round(scores["RR"], 4)` refused
    def __getitem__(self, key: str | tuple[str, str]) -> float | dict[str, float]:
        """Return the mean of a measure, ``scores["nDCG@10"]``, or that of each of several systems, ``{system: mean}``.

        ``scores["nDCG@10", "bm25"]`` is the mean of one system.

        Raises
        ------
        UsageError
            If the measure was not asked for, or there is no such system.
        """
        name, system = key if isinstance(key, tuple) else (key, None)
        if system is None and len(self.systems) > 1:
            return {each: self.mean(name, each) for each in self.systems}
        return self.mean(name, system)

    def __iter__(self) -> Iterator[str]:
        return iter(self.labels)

    def __len__(self) -> int:
        return len(self.labels)

    def __float__(self) -> float:
        return float(self.mean())

    def keys(self) -> list[str]:
        """Return the names of the measures, so that ``dict(scores)`` has the means."""
        return list(self.labels)

    def items(self) -> list[tuple[str, Any]]:
        """Return each measure with its mean, or with ``{system: mean}`` of several systems."""
        return [(label, self[label]) for label in self.labels]

    def mean(self, measure: str | Measure | None = None, system: str | None = None) -> float:
        """Return the mean (or sum) of a measure over the queries that count."""
        if measure is None and len(self) == 1:
            measure = self.labels[0]
        if measure is None:
            raise UsageError(f"Name the measure: scores.mean({self.labels[0]!r}). All means are in scores.means.")
        s, m = self.system_place(system), self.place_of(measure)
        return self.all_means[s][m]

    @property
    def joins(self) -> list[Join]:
        """The join of each system's results with the judgments; refused for scores that were computed in parts."""
        return self.lists.all_joins

    @functools.cached_property
    def joined(self) -> tuple[SystemLists, ...]:
        """The lists of each system under the decisions of the convention."""
        return tuple(join.lists(self.setting.decisions) for join in self.joins)

    def lengths(self, s: int) -> Ints:
        """(Q,) how many results a system returned."""
        return self.counts.returned[s].lengths

    @property
    def returned(self) -> Mask:
        """(S, Q) whether each system returned results."""
        return np.array([counts.lengths > 0 for counts in self.counts.returned])

    def fetch(self, queries: Sequence[str]) -> list[Join]:
        """Return the joins of the systems that have the lists of some judged queries, all fetched at once."""
        return self.lists.fetch(queries)

    def join_of(self, s: int, query: int) -> tuple[Join, int]:
        """Return a system's join that has the lists of a query, and the query's index there."""
        name = self.queries[query]
        join = self.lists.fetch_query(name)[s]
        return join, join.judged_queries(self.setting.decisions).index(name)

    @functools.cached_property
    def all_means(self) -> list[list[float]]:
        """The mean of each measure, for each system."""
        return [
            [self.average(s, measure, values) for measure, values in zip(self.measures, of_system, strict=True)]
            for s, of_system in enumerate(self.values)
        ]

    def average(self, s: int, measure: Measure, values: Floats) -> float:
        """Average (Q,) values of a system's queries as a measure's decisions say; NaN ones are left out."""
        unjudged = self.unjudged_queries(s) if counts_unjudged(measure.decisions) else ()
        weights = self.weights
        if unjudged and weights is not None:
            weights = np.concatenate((weights, self.table.weights(unjudged)))
        return average(values, measure.decisions, measure.definition.total, weights, len(unjudged))

    def unjudged_queries(self, s: int, everything: bool = False) -> tuple[str, ...]:
        """Return the queries without judgments that a system returned results for.

        Parameters
        ----------
        everything
            Whether to include those that were not asked for.
        """
        counts = self.counts.returned[s]
        return counts.unjudged if everything else counts.in_scope

    @property
    def has_times(self) -> bool:
        """Whether a table of results has a column of times."""
        return any(counts.times is not None for counts in self.counts.returned)

    @functools.cached_property
    def texts(self) -> dict[str, str]:
        """Texts of the queries, by id, where any table has them."""
        texts = dict(self.counts.texts)
        if self.table.text:
            own = self.table.attributes[self.table.text]
            texts |= {query: str(text) for query, text in own.items() if text is not None}
        return texts


def find_query(query: object, ids: Sequence[str], texts: Mapping[str, str], unjudged: Sequence[str] = ()) -> int:
    """Return the index of a query given by id or, failing that, by its text.

    Raises
    ------
    UsageError
        If there is none, or several ids have this text.
    """
    if query is None:
        if len(ids) == 1:
            return 0
        raise UsageError(f"Which of the {len(ids)} queries? Name one by id or by text, as {named('query', ids[0])}.")
    key, plain = id_text(query), plain_ids([query])[0]
    if plain in ids:
        return ids.index(plain)
    judged = set(ids)
    alike = [i for i, text in texts.items() if text == key and i in judged]
    if len(alike) == 1:
        return ids.index(alike[0])
    if alike:
        raise UsageError(f"{key!r} is the text of {len(alike)} queries: {some(alike)}. Give one of these ids.")
    if key in unjudged:
        raise UsageError(f"Query {key!r} has results but no judgments, so there is nothing to explain.")
    hint = (
        "" if texts else f" No table has texts of queries: give one with {either('queries=…', '--queries-table FILE')}."
    )
    raise UsageError(
        f"No judged query {key!r}.{nearest(key, [*ids[:10000], *texts.values()])} Queries: {some(ids, 3)}.{hint}"
    )


# The answers behind a number: those that differ from `idealrank-1` first, the others by stage.


class DecisionsRead(NamedTuple):
    """The answer to every decision some measures read.

    Attributes
    ----------
    setting
        The convention with the caller's overrides, as `parse_convention` reads it.
    texts
        ``{decision: answer}``; several answers, joined by |, where the measures differ.
    names
        Which measure each name stands for, where one was asked for by another name: "map is AP".
    """

    setting: str
    texts: dict[str, str]
    names: tuple[str, ...] = ()

    @classmethod
    def collect(cls, measures: Iterable[Measure], setting: str) -> DecisionsRead:
        """Collect the answers of some measures."""
        measures = tuple(measures)
        asked = [(m.decisions, frozenset(m.decisions.asked(m.definition.decisions))) for m in measures]
        texts: dict[str, str] = {}
        for name in questions():
            answers = dict.fromkeys(decisions.text(name) for decisions, names in asked if name in names)
            texts |= {name: "|".join(answers)} if answers else {}
        return cls(setting, texts, tuple(f"{m.typed} is {m.name}" for m in measures if _is_typed_otherwise(m)))

    @property
    def departures(self) -> list[str]:
        """The answers that differ from `idealrank-1`, as NAME=ANSWER."""
        return [f"{name}={answer}" for name, answer in self.texts.items() if answer != DEFAULT.text(name)]

    @property
    def by_stage(self) -> dict[Stage, list[str]]:
        """The answers that are `idealrank-1`'s, as NAME=ANSWER, by the stage they act at."""
        stages: dict[Stage, list[str]] = {}
        for name, answer in self.texts.items():
            if answer == DEFAULT.text(name):
                stages.setdefault(questions()[name].stage, []).append(f"{name}={answer}")
        return stages

    def shown(self) -> list[Block]:
        """Return every answer: what departs from `idealrank-1` first, the rest by stage."""
        changed = [("  changed", " ".join(self.departures))] if self.departures else []
        stages = [(f"  {stage}", " ".join(texts)) for stage, texts in self.by_stage.items()]
        names = [("names", ", ".join(self.names))] if self.names else []
        return [Lines([("decisions", self.setting), *changed, *stages, *names])]

    @property
    def line(self) -> str:
        """All of them, as one line."""
        others = [text for texts in self.by_stage.values() for text in texts]
        parts = [" ".join(texts) for texts in (self.departures, others) if texts]
        names = f"; {', '.join(self.names)}" if self.names else ""
        return f"{self.setting}: {'; '.join(parts)}{names}"


def _is_typed_otherwise(measure: Measure) -> bool:
    """Whether the user typed another name than the measure's own, apart from letter case."""
    typed = re.split(r"[@(\[]", measure.typed)[0]
    return typed.lower() not in ("", measure.definition.name.lower())


# The lowest and the highest value that a measure can have under its decisions.


def value_bounds(scores: Values, m: int) -> Bounds:
    """Return the range of a measure's values; ±∞ where its decisions let them leave what it promises."""
    measure = scores.measures[m]
    promised, under = measure.definition.properties, measure.decisions
    values = scores.values[:, m][~np.isnan(scores.values[:, m])]
    below = under.negative == "keep" or (values < promised.lowest - EQUAL).any()
    # An assumed grade of unjudged results is in the sum but not in the ideal, so even nDCG may exceed 1.
    above = isinstance(under.unjudged, float) or (values > promised.highest + EQUAL).any()
    return -math.inf if below else promised.lowest, math.inf if above else promised.highest


def difference_bounds(scores: Values, m: int) -> Bounds:
    """Return the range of the differences of two values of a measure."""
    low, high = value_bounds(scores, m)
    return low - high, high - low
