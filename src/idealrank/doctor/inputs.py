"""What the doctor looks at: judgments, the results joined to them, and the means under the answers given."""

from __future__ import annotations

import functools
from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, NamedTuple

import numpy as np

from idealrank._core import Column, from_columns
from idealrank.arrays import Cache, Ints
from idealrank.conventions import parse_convention
from idealrank.data.formats.source import Source
from idealrank.data.ids import id_text
from idealrank.data.judgments import Judgments
from idealrank.data.queries import Queries
from idealrank.data.results import Results
from idealrank.decisions.decisions import Decisions
from idealrank.doctor.finding import Mend
from idealrank.errors import IdealrankError, StrangersError, listed
from idealrank.evaluation.evaluate import evaluate
from idealrank.evaluation.joins import joins_of
from idealrank.evaluation.scores import Scores
from idealrank.judged_lists.join import Join, SystemLists
from idealrank.judged_lists.near_ids import fold_spelling, fold_spellings, forms_of_uuid, name_differences
from idealrank.judged_lists.units import mark_whole_units

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
    _under: Cache = field(default_factory=Cache, init=False, repr=False)

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
    def joins(self) -> list[Join]:
        """The joins of all systems."""
        judgments = mark_whole_units(self.judgments, self.results, self.decisions)
        return joins_of(judgments, self.results, self.decisions.systems)

    @functools.cached_property
    def system_lists(self) -> list[SystemLists]:
        """The lists of all systems with every result a hit."""
        return [join.lists(self.decisions, "dense") for join in self.joins]

    @functools.cached_property
    def outcome(self) -> Scores | IdealrankError:
        """The scores, or why `evaluate` refuses them."""
        call: dict[str, Any] = {"convention": self.convention, "queries": self.queries, **self.answers}
        try:
            return evaluate(self.judgments, list(self.results), self.measures, **call)
        except IdealrankError as refused:
            return refused

    @functools.cached_property
    def accepted(self) -> Inputs:
        """The same with the measures alone that are not refused; itself if all are refused, or none."""
        if isinstance(self.outcome, Scores) or len(self.measures) == 1:
            return self
        alone = (replace(self, measures=(measure,)) for measure in self.measures)
        names = [one.measures[0] for one in alone if isinstance(one.outcome, Scores)]
        return replace(self, measures=tuple(names)) if names else self

    @property
    def scores(self) -> Scores | None:
        """The scores of the measures that are not refused; None if all are."""
        return outcome if isinstance(outcome := self.accepted.outcome, Scores) else None

    @functools.cached_property
    def means(self) -> Means:
        """The mean of every measure and system that `evaluate` does not refuse."""
        if self.scores is None:
            return {}
        names, systems = self.accepted.measures, self.scores.systems
        every = zip(systems, self.scores.all_means, strict=True)
        return {(name, system): float(mean) for system, means in every for name, mean in zip(names, means, strict=True)}

    @functools.cached_property
    def evaluable(self) -> Inputs:
        """The same with answers to what is refused as long as nobody answers it; itself if that does not help.

        Where no answer is enough because nothing returned is judged either, the one after which that alone is refused:
        why it is not can be found.
        """
        if self.means or isinstance(self.outcome, StrangersError):
            return self
        tried = [replace(self, answers={**more, **self.answers}) for more in GROUNDS]
        strangers = (inputs for inputs in tried if isinstance(inputs.outcome, StrangersError))
        return next((inputs for inputs in tried if inputs.means), None) or next(strangers, self)

    def means_after(self, mends: Collection[Mend], answers: Mapping[str, str]) -> Means:
        """Return the means with mended tables and further answers; those of answers alone are kept."""
        if mends:
            return self.apply_mends(mends, answers).means
        return self._under.once(tuple(answers.items()), lambda: self.apply_mends((), answers).means)

    def apply_mends(self, mends: Iterable[Mend], answers: Mapping[str, str]) -> Inputs:
        """Return the inputs with mended tables and further answers."""
        judgments, results = self.judgments, self.results
        for mend in mends:
            source = mend.table.source
            copy = mend.make_copy()
            judgments = _replace_source(judgments, source, copy)
            results = tuple(_replace_source(each, source, copy) for each in results)
        return replace(self, judgments=judgments, results=results, answers={**self.answers, **answers})


def _replace_source(table: Any, source: Source, copy: Source) -> Any:
    return replace(table, source=copy, kept=Cache()) if table.source is source else table


# Ids.


FEWEST = 3
"""Ids that must meet without a prefix, at least."""


@dataclass(frozen=True, eq=False)
class Ids:
    """The ids of a column: a number per row, -1 where there is none, and the distinct ids they stand for.

    A run may have a million documents, so what asks for few of them asks the core; `names` makes a text of each.
    """

    code: Ints
    distinct: Column

    @classmethod
    def of(cls, column: Column) -> Ids:
        """Read the ids of a column."""
        code, distinct = column.codes()
        return cls(code, distinct if distinct.kind == "text" else _column(map(id_text, distinct.to_list())))

    @functools.cached_property
    def names(self) -> list[str]:
        """All distinct ids."""
        return self.distinct.to_list()

    def at(self, row: int) -> str:
        """Return the id of a row; "" where there is none."""
        return self.names[self.code[row]] if self.code[row] >= 0 else ""

    def places_of(self, ids: Iterable[str]) -> Ints:
        """(n,) the places of those of some ids that are among the distinct ones, in order."""
        return self.distinct.among(_column(ids))[0]

    def those_of(self, ids: Iterable[str]) -> list[str]:
        """Return those of some ids that are among these, in the order of these."""
        return self.distinct.to_list(self.places_of(ids))


def _column(ids: Iterable[str]) -> Column:
    return from_columns(["id"], [list(ids)]).column(0)


def queries_of(table: Judgments | Results) -> Ids:
    """Return the queries of a table."""
    return table.kept.once("ids of queries", lambda: Ids.of(table.keys.query))


def documents_of(table: Judgments | Results) -> Ids:
    """Return the documents of a table."""
    return table.kept.once("ids of documents", lambda: Ids.of(table.source.ids(table.doc)))


class NearMatch(NamedTuple):
    """Ids that would meet judged ones: the judged id of each, and in what they differ."""

    ours: Mapping[str, str]
    by: str


def match_spelling(theirs: Ids, ours: Ids) -> NearMatch:
    """Match ids that differ only in how they are spelled; those that could be two judged ids are left alone.

    Examples
    --------
    >>> match_spelling(ids_of(["A1", "b"]), ids_of(["a1", "c"]))
    NearMatch(ours={'A1': 'a1'}, by='letter case')
    >>> match_spelling(ids_of(["A1"]), ids_of(["a1", "a01"])).ours
    {}
    """
    mine = set(ours.names)
    known, twice = _index_spellings(mine)
    looked_for = [*known, *(form for text in mine for form in forms_of_uuid(text))]
    likely = theirs.distinct.to_list(theirs.distinct.spelled_as(_column(looked_for)))
    missing = [text for text in likely if text and text not in mine]
    spelled = zip(missing, fold_spellings(missing), strict=True)
    found = {text: known[key] for text, key in spelled if key in known and key not in twice}
    causes = dict.fromkeys(name_differences(*pair) for pair in found.items())
    return NearMatch(found, " or ".join(causes))


def ids_of(names: Iterable[str]) -> Ids:
    """Return ids of one row each."""
    return Ids.of(_column(names))


def _index_spellings(ids: Iterable[str]) -> tuple[dict[str, str], set[str]]:
    """Return the id of each spelling, and the spellings of several ids."""
    known: dict[str, str] = {}
    twice: set[str] = set()
    for text in ids:
        if known.setdefault(fold_spelling(text), text) != text:
            twice.add(fold_spelling(text))
    return known, twice


def match_prefix(theirs: Ids, ours: Ids) -> NearMatch:
    """Match ids that all begin with the same text, which the judged ones lack, or the other way round.

    Examples
    --------
    >>> match_prefix(ids_of(["doc:1", "doc:2", "doc:3"]), ids_of(["1", "2", "3"]))
    NearMatch(ours={'doc:1': '1', 'doc:2': '2', 'doc:3': '3'}, by='the prefix doc:')
    >>> match_prefix(ids_of(["1", "2", "3"]), ids_of(["p-1", "p-2", "p-3"])).by
    'the prefix p-'

    Digits are no prefix of a number.

    >>> match_prefix(ids_of(["12", "13", "14"]), ids_of(["2", "3", "4"])).ours
    {}
    """
    mine = set(ours.names)

    def missing(ids: Iterable[str]) -> list[str]:
        """Return those of some ids that they alone have."""
        return theirs.those_of({text for text in ids if text} - mine)

    def losing(start: str) -> dict[str, str]:
        return {word: word[len(start) :] for word in missing(start + text for text in mine)}

    def gaining(start: str) -> dict[str, str]:
        those = set(missing(word[len(start) :] for word in mine))
        return {word: word[len(start) :] for word in mine if word[len(start) :] in those}

    longer, start = _without_prefix(_common_start(theirs.distinct.ends(ours.distinct)), losing)
    if longer:
        return NearMatch(longer, f"the prefix {start}")
    shorter, start = _without_prefix(_common_start((min(mine), max(mine)) if mine else None), gaining)
    return NearMatch({short: long for long, short in shorter.items()}, f"the prefix {start}" if shorter else "")


def _common_start(ends: tuple[str, str] | None) -> str:
    """Return what all words begin with: what the first and the last of them in order do."""
    first, last = ends or ("", "")
    alike = [a == b for a, b in zip(first, last, strict=False)]
    return first[: [*alike, False].index(False)]


def _without_prefix(start: str, short_of: Callable[[str], dict[str, str]]) -> tuple[dict[str, str], str]:
    """Return the short id of each long one under the prefix that most of them lose, and the prefix."""
    best: dict[str, str] = {}
    at = 0
    for size in range(1, len(start) + 1):
        found = {word: short for word, short in short_of(start[:size]).items() if _can_end(word, size)}
        if len(found) > len(best):
            best, at = found, size
    return (best, start[:at]) if len(best) >= FEWEST else ({}, "")


def _can_end(word: str, size: int) -> bool:
    """Whether a prefix may end here: not within a number, so 12 is no prefix of 123."""
    return not (word[size - 1].isdigit() and word[size : size + 1].isdigit())


# Ranked lists.


MOST = 0.9
"""Share of the lists in which something must be so to be so in all."""

DEEP = 10
"""Ranks that people look at, and that judges should have seen."""


def top_rows(joined: SystemLists, depth: int) -> list[int]:
    """Return the rows of the results of judged queries down to a rank."""
    lists = joined.lists
    rows: list[int] = lists.row[lists.rank <= depth].tolist()
    return rows


def rows_below(joined: SystemLists, depth: int) -> list[int]:
    """Return the rows of the results of judged queries below a rank."""
    lists = joined.lists
    rows: list[int] = lists.row[lists.rank > depth].tolist()
    return rows


def query_places(joined: SystemLists, queries: Iterable[int], most: int = 3) -> tuple[str, ...]:
    """Name some judged queries, each with the place of its first result."""
    start, row = joined.lists.hit_start, joined.lists.row
    chosen = [q for q in queries if start[q] < start[q + 1]][:most]
    places = [int(row[start[q] : start[q + 1]].min()) for q in chosen]
    return tuple(
        f"{joined.results.source.place(p)}: query {joined.queries[q]}" for p, q in zip(places, chosen, strict=True)
    )


def name_systems(systems_joined: Iterable[SystemLists]) -> str:
    """Name the systems of some lists."""
    return listed(joined.system for joined in systems_joined)


def tied_lists(joined: SystemLists) -> Ints:
    """Return the judged queries of several results that all have the same key."""
    returned = joined.judged.returned
    return np.flatnonzero((returned > 1) & (joined.judged.tied == returned))


def is_constant(joined: SystemLists) -> bool:
    """Whether nearly all lists of several results have the same key throughout."""
    several = int((joined.judged.returned > 1).sum())
    return several > 0 and len(tied_lists(joined)) >= MOST * several
