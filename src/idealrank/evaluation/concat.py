"""Scores of different queries are put together, as if these had been evaluated at once."""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, ExitStack
from dataclasses import dataclass, replace
from typing import Any, TypeVar

import numpy as np

from idealrank.arrays import Cache, Ints
from idealrank.data.ids import natural_order
from idealrank.data.judgments import Judgments
from idealrank.data.queries import Queries, merge_part_files
from idealrank.data.table_facts import JudgmentFacts, Reading
from idealrank.decisions.decisions import DEFAULT
from idealrank.errors import UsageError, option, some
from idealrank.evaluation.ledger.counts import Counts, join
from idealrank.evaluation.partitioned import InMemory, Lists
from idealrank.evaluation.values import QueryValues, Values
from idealrank.judged_lists.join import Join
from idealrank.judged_lists.units import pool_of

V = TypeVar("V", bound=QueryValues)


def append_queries(parts: Sequence[V]) -> tuple[V, Ints]:
    """Append the queries of parts in their natural order; return the first part with all of them, and the order."""
    order, ids = natural_order([query for part in parts for query in part.queries])
    values, states = (join([getattr(part, name) for part in parts], order) for name in ("values", "states"))
    return replace(parts[0], queries=ids, values=values, states=states), order


def concat_values(parts: Sequence[Values]) -> Values:
    """Put values of different queries together; see `Scores.concat`."""
    if not parts:
        raise UsageError("Scores.concat([]): give at least one.")
    first = parts[0]
    for other in parts[1:]:
        _refuse_unlike(first, other)
    often = [query for query, many in _count(parts).items() if many > 1]
    if often:
        raise UsageError(f"Scores.concat: {some(often)} is in several of the scores. Give each query once.")
    whole, order = append_queries(parts)
    weights = [part.weights for part in parts if part.weights is not None]
    return replace(
        whole,
        table=_append_tables([part.table for part in parts]),
        weights=np.concatenate(weights)[order] if weights else None,
        lists=Appended(tuple(_of_one_scale(parts)), {q: p for p, part in enumerate(parts) for q in part.queries}),
        counted=Counts.join([part.counts for part in parts], order, _append_sentences(parts)),
    )


def _of_one_scale(parts: Sequence[Values]) -> Iterator[Lists]:
    """Yield the lists of each part, which know the highest grade of all: another answer may ask for it."""
    tops = {part.counts.judged.highest for part in parts}
    if len(tops) == 1 or not all(part.lists.in_memory for part in parts):
        yield from (part.lists for part in parts)
        return
    whole = JudgmentFacts(_HighestOfAll([part.joins[0].judgments for part in parts]))
    for part in parts:
        judgments = replace(part.joins[0].judgments, whole=whole, kept=Cache())
        yield InMemory([Join(judgments, each.results, each.system) for each in part.joins])


class _HighestOfAll(Mapping[Reading, float]):
    """The highest grade in several tables, by the answers that decide a grade."""

    def __init__(self, tables: Sequence[Judgments]) -> None:
        self.tables = tables

    def __getitem__(self, reading: Reading) -> float:
        raters, duplicates, unit, unit_grade = reading
        decisions = DEFAULT.but(raters=raters, duplicates=duplicates, unit=unit, unit_grade=unit_grade)
        return max(float(pool_of(table, decisions).grade.max(initial=-math.inf)) for table in self.tables)

    def __iter__(self) -> Iterator[Reading]:
        return iter(())

    def __len__(self) -> int:
        return 0


def _count(parts: Sequence[Values]) -> dict[str, int]:
    often: dict[str, int] = {}
    for query in itertools.chain.from_iterable(part.queries for part in parts):
        often[query] = often.get(query, 0) + 1
    return often


def _refuse_unlike(one: Values, other: Values) -> None:
    """Refuse scores that are not of the same systems, measured alike.

    Raises
    ------
    UsageError
        With what differs.
    """
    if one.systems != other.systems:
        names = f"{', '.join(one.systems)} there, {', '.join(other.systems)} here"
        raise UsageError(f"Scores.concat: the systems differ: {names}. Give scores of the same systems.")
    ours, theirs = ([measure.fingerprint for measure in each.measures] for each in (one, other))
    if ours != theirs or one.setting.text != other.setting.text or one.only != other.only:
        raise UsageError("Scores.concat: these were not measured alike. Give the same measures, answers and only=….")
    if (one.weights is None) != (other.weights is None):
        raise UsageError("Scores.concat: some are weighted and some are not. Weight all of them.")
    tops = [each.counts.judged.tops for each in (one, other)]
    if all(tops) and tops[0] != tops[1]:
        values = " and ".join(f"{top:g}" for top in (max(each.values()) for each in tops))
        raise UsageError(
            f"Scores.concat: the highest grades of the judgments, {values}, were read as the top of the scale. Say "
            f"what it is: {option('max_grade', '…')}."
        )


def _append_sentences(parts: Sequence[Values]) -> tuple[tuple[str, ...], ...]:
    of_systems = zip(*(part.counts.near_ids for part in parts), strict=True)
    return tuple(tuple(dict.fromkeys(itertools.chain.from_iterable(found))) for found in of_systems)


def _append_tables(tables: Sequence[Queries]) -> Queries:
    weight = {query: of for table in tables if table.weight is not None for query, of in table.weight.items()}
    found = merge_part_files([table.attributes for table in tables])
    return replace(
        tables[0],
        attributes={name: values for name, values in found.items() if values is not None},
        weight=weight or None,
        tables=tuple(dict.fromkeys(itertools.chain.from_iterable(table.tables for table in tables))),
        ids=tuple(dict.fromkeys(itertools.chain.from_iterable(table.ids for table in tables))),
    )


@dataclass(frozen=True)
class Appended(Lists):
    """The lists of scores that were put together: those of each remain where they are.

    Attributes
    ----------
    parts, places
        The lists of each; by query, which of them has its list.
    """

    parts: tuple[Lists, ...]
    places: Mapping[str, int]

    @property
    def at_hand(self) -> bool:  # type: ignore[override]
        """Whether all of them can be had."""
        return all(part.at_hand for part in self.parts)

    @property
    def keeps_order(self) -> bool:  # type: ignore[override]
        """Whether the systems are in the order of the rows, wherever they are."""
        return all(part.keeps_order for part in self.parts)

    def open(self) -> AbstractContextManager[object]:
        """Prepare the buckets of all parts."""
        every = ExitStack()
        for part in self.parts:
            every.enter_context(part.open())
        return every

    def map_buckets(self, work: Callable[[list[Join]], Any]) -> list[Any]:
        """Call a function with the joins of each bucket of each part, and return its results."""
        return [made for part in self.parts for made in part.map_buckets(work)]

    def fetch(self, queries: Sequence[str]) -> list[Join]:
        """Return the joins of the part that has the lists of these queries; refused if several have."""
        found = {self.places[query] for query in queries}
        return self.parts[found.pop()].fetch(queries) if len(found) == 1 else self.all_joins

    def fetch_query(self, query: str) -> list[Join]:
        """Return the joins that have the lists of a judged query."""
        return self.parts[self.places[query]].fetch_query(query)
