"""Buckets: every row of some queries, of the judgments and of all results. All tables in memory are one bucket."""

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
    meetings
        Where the results of each system meet the judgments.
    """

    meetings: list[Join]

    @functools.cached_property
    def met(self) -> tuple[SystemLists, ...]:
        """What came of each system's meeting under the decisions of the convention."""
        return tuple(meeting.lists(self.setting.decisions) for meeting in self.meetings)

    @property
    def texts(self) -> dict[str, str]:
        """Texts of the queries, by id, where the judgments or any results have them."""
        texts: dict[str, str] = {}
        for meeting in self.meetings:
            texts |= meeting.results.texts[0] | meeting.judgments.texts[0]
        return texts


def score_bucket(meetings: list[Join], measures: tuple[Measure, ...], setting: Setting, only: Any) -> BucketValues:
    """Compute the values of a bucket; what only all queries can say is not asked here.

    Parameters
    ----------
    only
        The queries asked for; None: all.
    """
    queries = meetings[0].judged_queries(setting.decisions)
    _refuse_blank(meetings[0].judgments, queries)
    values = np.full((len(meetings), len(measures), len(queries)), np.nan)
    states = np.full(values.shape, QueryState.LEFT_OUT, np.int8)
    for s, meeting in enumerate(meetings):
        tasks = [MeasureTask.on(meeting, measure) for measure in measures]
        for met, measure, _ in tasks:
            refuse_unreached(met, measure)
        for m, (task, outcome) in enumerate(zip(tasks, compute(tasks), strict=True)):
            values[s, m], states[s, m] = apply_fills(task.met, task.measure, outcome)
    others = ~query_mask(only, queries, least=0)
    values[:, :, others], states[:, :, others] = np.nan, QueryState.LEFT_OUT
    return BucketValues(
        measures=measures, systems=tuple(meeting.system for meeting in meetings), queries=queries, values=values,
        states=states, setting=setting, only=only, meetings=meetings,
    )  # fmt: skip


def _refuse_blank(table: Judgments, ids: Sequence[str]) -> None:
    """Refuse a query id of blanks only, which nobody sees, with its line."""
    if any(map(str.isspace, ids)):
        row = next(i for i, key in enumerate(table.keys.query.to_list(None)) if str(key).isspace())
        raise table.source.bad_row("missing_id", row, "query", "", "", -1)


# What needs the lists of all queries: a pass over the buckets, of which there is one where all lists are in memory.


def each_bucket(scores: Values, work: Callable[[list[Join]], Made]) -> list[tuple[list[str], Made]]:
    """Return the judged queries of every bucket, with what a function makes of the lists of all systems there.

    The function can be pickled: it may run where the rows of the bucket are.
    """
    return scores.lists.each(partial(_named, work=work, decisions=scores.setting.decisions))


def _named(meetings: list[Join], work: Callable[[list[Join]], Made], decisions: Decisions) -> tuple[list[str], Made]:
    return meetings[0].judged_queries(decisions), work(meetings)


def per_query(scores: Values, work: Callable[[list[Join]], Numbers]) -> Numbers:
    """(…, Q) what a function makes of the lists of all queries, bucket by bucket."""
    found = each_bucket(scores, work)
    if len(found) == 1 and found[0][0] == scores.queries:
        return found[0][1]
    whole: Numbers = np.concatenate([numbers for _, numbers in found], axis=-1)[
        ..., order_of(scores, [names for names, _ in found])
    ]
    return whole


def order_of(scores: Values, buckets: Sequence[Sequence[str]]) -> Ints:
    """(Q,) the places of the judged queries of all buckets, in the order of all queries."""
    place = {query: q for q, query in enumerate(scores.queries)}
    order: Ints = np.argsort([place[query] for names in buckets for query in names])
    return order


def each_bucket_values(scores: Values, work: Callable[[BucketValues], Made]) -> list[tuple[list[str], Made]]:
    """Return the judged queries of every bucket, with what a function makes of the values and lists of the bucket."""
    return each_bucket(scores, _WithValues.of(scores, work))


@dataclass(frozen=True)
class _WithValues:
    """Takes the values of a bucket out of those of all queries, and hands them over."""

    whole: QueryValues
    work: Callable[[BucketValues], Any]

    @classmethod
    def of(cls, scores: Values, work: Callable[[BucketValues], Any]) -> _WithValues:
        return cls(QueryValues(**{part.name: getattr(scores, part.name) for part in fields(QueryValues)}), work)

    def __call__(self, meetings: list[Join]) -> Any:
        whole, names = self.whole, meetings[0].judged_queries(self.whole.setting.decisions)
        values, states = whole.values, whole.states
        if names != whole.queries:
            place = {query: q for q, query in enumerate(whole.queries)}
            places = [place[query] for query in names]
            values, states = values[..., places], states[..., places]
        bucket = BucketValues(
            measures=whole.measures, systems=whole.systems, queries=names, values=values, states=states,
            setting=whole.setting, only=whole.only, meetings=meetings,
        )  # fmt: skip
        return self.work(bucket)
