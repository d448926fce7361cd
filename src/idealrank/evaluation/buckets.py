"""Buckets: all rows of some queries, of the judgments and of every system. Tables in memory are one bucket."""

from __future__ import annotations

import functools
from collections.abc import Callable, Sequence
from dataclasses import dataclass, fields
from functools import partial
from typing import Any, TypeVar

import numpy as np

from idealrank.arrays import Floats, Ints
from idealrank.conventions import Setting
from idealrank.data.filters import query_mask
from idealrank.data.judgments import Judgments
from idealrank.data.latency_columns import STEMS, latency_column
from idealrank.decisions.decisions import Decisions
from idealrank.evaluation.scoring import MeasureTask, QueryState, apply_fills, compute, refuse_unreached
from idealrank.evaluation.values import QueryValues, Values
from idealrank.judged_lists.join import Join, SystemLists
from idealrank.measures.definition import Measure

Made = TypeVar("Made")
Numbers = TypeVar("Numbers", Floats, Ints)


@dataclass(frozen=True, eq=False, repr=False, kw_only=True)
class BucketValues(QueryValues):
    """The values of the judged queries of a bucket.

    Attributes
    ----------
    joins
        The join of each system's results with the judgments.
    """

    joins: list[Join]

    @functools.cached_property
    def joined(self) -> tuple[SystemLists, ...]:
        """The lists of each system under the decisions of the convention."""
        return tuple(join.lists(self.setting.decisions) for join in self.joins)

    @functools.cached_property
    def has_times(self) -> bool:
        """Whether any table of results has a column of times."""
        names = (join.results.roles.names for join in self.joins)
        return any(latency_column(each, clock) is not None for each in names for clock in STEMS)

    @property
    def texts(self) -> dict[str, str]:
        """Texts of the queries, by id, where the judgments or any results have them."""
        texts: dict[str, str] = {}
        for join in self.joins:
            texts |= join.results.texts[0] | join.judgments.texts[0]
        return texts


def score_bucket(joins: list[Join], measures: tuple[Measure, ...], setting: Setting, only: Any) -> BucketValues:
    """Compute the values of a bucket. Checks that need all queries, such as for strangers, are left to the caller.

    Parameters
    ----------
    only
        The queries asked for; None: all.
    """
    queries = joins[0].judged_queries(setting.decisions)
    _refuse_blank_ids(joins[0].judgments, queries)
    values = np.full((len(joins), len(measures), len(queries)), np.nan)
    states = np.full(values.shape, QueryState.LEFT_OUT, np.int8)
    for s, join in enumerate(joins):
        tasks = [MeasureTask.on(join, measure) for measure in measures]
        for joined, measure, _ in tasks:
            refuse_unreached(joined, measure)
        for m, (task, outcome) in enumerate(zip(tasks, compute(tasks), strict=True)):
            values[s, m], states[s, m] = apply_fills(task.joined, task.measure, outcome)
    # A bucket may have none of the queries asked for; callers refuse it if no bucket has any.
    others = ~query_mask(only, queries, least=0)
    values[:, :, others], states[:, :, others] = np.nan, QueryState.LEFT_OUT
    return BucketValues(
        measures=measures, systems=tuple(join.system for join in joins), queries=queries, values=values,
        states=states, setting=setting, only=only, joins=joins,
    )  # fmt: skip


def _refuse_blank_ids(table: Judgments, ids: Sequence[str]) -> None:
    """Refuse a query id that consists of blanks, since nobody sees it in a message; say its line."""
    if any(map(str.isspace, ids)):
        row = next(i for i, key in enumerate(table.keys.query.to_list(None)) if str(key).isspace())
        raise table.source.bad_row("missing_id", row, "query", "", "", -1)


# Work that needs the lists of all queries is done bucket by bucket; lists in memory are one bucket.


def map_buckets(scores: Values, work: Callable[[list[Join]], Made]) -> list[tuple[list[str], Made]]:
    """Call a function with the joins of each bucket; return the judged queries of each, with its result.

    The function must be picklable: it may run where the rows of the bucket are, such as on a Spark executor.
    """
    return scores.lists.map_buckets(partial(_with_queries, work=work, decisions=scores.setting.decisions))


def _with_queries(
    joins: list[Join], work: Callable[[list[Join]], Made], decisions: Decisions
) -> tuple[list[str], Made]:
    return joins[0].judged_queries(decisions), work(joins)


def compute_per_query(scores: Values, work: Callable[[list[Join]], Numbers]) -> Numbers:
    """(…, Q) numbers that a function computes from the joins of each bucket, in the order of all queries."""
    buckets = map_buckets(scores, work)
    if len(buckets) == 1 and buckets[0][0] == scores.queries:
        return buckets[0][1]
    order = query_order(scores, [queries for queries, _ in buckets])
    numbers: Numbers = np.concatenate([numbers for _, numbers in buckets], axis=-1)[..., order]
    return numbers


def query_order(scores: Values, buckets: Sequence[Sequence[str]]) -> Ints:
    """(Q,) indices that bring what is concatenated bucket by bucket into the order of all queries."""
    place = {query: q for q, query in enumerate(scores.queries)}
    order: Ints = np.argsort([place[query] for names in buckets for query in names])
    return order


def map_bucket_values(scores: Values, work: Callable[[BucketValues], Made]) -> list[tuple[list[str], Made]]:
    """Call a function with the values and lists of each bucket; return the judged queries of each, with its result."""
    # The values alone are sent along, not the scores: they have the tables of the evaluation, and may be elsewhere.
    whole = QueryValues(**{part.name: getattr(scores, part.name) for part in fields(QueryValues)})
    return map_buckets(scores, _BucketValuesWork(whole, work))


@dataclass(frozen=True)
class _BucketValuesWork:
    """Calls a function with the values of a bucket, which it takes out of those of all queries.

    A class and not a closure, since closures cannot be pickled.
    """

    whole: QueryValues
    work: Callable[[BucketValues], Any]

    def __call__(self, joins: list[Join]) -> Any:
        whole = self.whole
        queries = joins[0].judged_queries(whole.setting.decisions)
        values, states = whole.values, whole.states
        if queries != whole.queries:
            place = {query: q for q, query in enumerate(whole.queries)}
            places = [place[query] for query in queries]
            values, states = values[..., places], states[..., places]
        bucket = BucketValues(
            measures=whole.measures, systems=whole.systems, queries=queries, values=values, states=states,
            setting=whole.setting, only=whole.only, joins=joins,
        )  # fmt: skip
        return self.work(bucket)
