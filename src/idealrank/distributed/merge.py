"""Merges the portions of all buckets into the scores of one evaluation; only a few queries are read again."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from typing import Any

import numpy as np

from idealrank.arrays import Ints
from idealrank.data.filters import query_mask
from idealrank.data.ids import natural_order
from idealrank.data.queries import merge_part_files, merge_tables, read_queries
from idealrank.distributed.plan import EvaluationPlan
from idealrank.distributed.portion import Moved, Others, Portion
from idealrank.distributed.survey import Survey
from idealrank.errors import DataError, StrangersError, either
from idealrank.evaluation.concat import append_queries
from idealrank.evaluation.evaluate import weights_of
from idealrank.evaluation.ledger.counting import queries_without
from idealrank.evaluation.ledger.counts import Counts, Nothing, ResultCounts, in_order
from idealrank.evaluation.ledger.sensitivity import AlternativeAnswer, Trial
from idealrank.evaluation.partitioned import Lists
from idealrank.evaluation.scores import Scores
from idealrank.evaluation.scoring import Outcome, refuse_failures
from idealrank.evaluation.values import QueryValues, Values
from idealrank.judged_lists.join import SystemLists
from idealrank.judged_lists.near_ids import (
    FEW_QUERIES,
    MOST,
    SpellingMatch,
    documents_in_words,
    match_documents,
    match_spellings,
    nothing_judged,
    queries_in_words,
    strange_documents,
    strange_queries,
)
from idealrank.judged_lists.searches import with_all_searches

# From portions to scores: as if all queries had been evaluated together.


def merge_portions(
    plan: EvaluationPlan, survey: Survey, portions: list[Portion], lists: Lists,
    queries: Any = None, weights: Any = None,
) -> Scores:  # fmt: skip
    """Put portions together.

    Parameters
    ----------
    portions
        They are taken out of the list, so that memory has each only once.
    lists
        Where the lists are read again: when ids have to be looked at, and when the scores are asked for lists.
    queries, weights
        As for `evaluate`.

    Raises
    ------
    DataError
        If there are no judgments, if nothing returned is judged, or if every search failed.
    """
    survey.refuse(plan)
    found, counted, attributes, others, missing = (
        [getattr(portion, name) for portion in portions]
        for name in ("values", "counts", "attributes", "others", "missed")
    )
    portions.clear()  # so that of what is joined, parts and whole are held together only while it is joined
    starts = np.cumsum([0, *(len(each.queries) for each in found[:-1])])
    whole, order = append_queries(found)
    del found
    ids = whole.queries
    if not ids:
        raise DataError(f"{plan.name}: no grade. Give at least one.")
    query_mask(plan.asked, ids)  # refuses a selection that matches no query
    counts = Counts.join(counted, order)
    del counted
    merged = merge_tables(map(merge_part_files, zip(*attributes, strict=True)))
    table = read_queries(merged if queries is None else queries, weights)
    values = Values(
        **{part.name: getattr(whole, part.name) for part in fields(QueryValues)},
        table=table, weights=None, lists=lists, counted=counts,
    )  # fmt: skip
    weighed = weights_of(plan.setting, table, ids, values.in_scope)
    missed = [in_order(itertools.chain.from_iterable(of))[:FEW_QUERIES] for of in zip(*missing, strict=True)]
    for s, of in enumerate(missed):
        _refuse_failed_searches(values, s)
        _refuse_strangers(values, s, match_documents(of))
    near_ids = tuple(tuple(_near_misses(values, s, match_documents(of))) for s, of in enumerate(missed))
    values = replace(values, weights=weighed, counted=replace(counts, near_ids=near_ids))
    return Scores.from_values(values, _ValuesLookup(values, others, starts.tolist(), order))


def _refuse_failed_searches(values: Values, s: int) -> None:
    counts = values.counts.returned[s]
    failed = queries_without(values, counts, Nothing.FAILED)
    ran = counts.results > 0 or counts.rows["placeholder rows"] > 0
    errors = {query: counts.errors[query] for query in (failed if ran else natural_order(list(counts.errors))[1])}
    never_run = not ran or len(errors) == int(values.in_scope.sum())
    refuse_failures(counts.name, values.systems[s], errors, values.setting.decisions.failed, never_run)


@dataclass(frozen=True)
class _ValuesLookup:
    """Looks up values under other answers; a portion that did not try one has unchanged values under it.

    Attributes
    ----------
    others, starts
        What other answers do in each portion, and the place of its first query among those of all in their order.
    order
        The order of all queries.
    """

    values: Values
    others: Sequence[Sequence[Others]]
    starts: Sequence[int]
    order: Ints

    def __call__(self, asked: Sequence[Trial]) -> Iterator[Iterator[Outcome]]:
        # One at a time: each is as long as the queries, of which there may be many millions.
        return ((self._of(s, decision, other) for other in others) for s, decision, others in asked)

    def _of(self, s: int, decision: str, other: AlternativeAnswer) -> Outcome:
        m = self.values.place_of(other.measure)
        values = np.empty(len(self.order))
        values[self.order] = self.values.values[s, m]
        for start, others in zip(self.starts, self.others, strict=True):
            moved = others[s].get((decision, other.answer, m), _NOT_TRIED)
            if moved is None:
                return DataError("refused in a bucket")
            values[moved[0] + start] = moved[1]
        return values[self.order]


_NOT_TRIED: Moved = (np.zeros(0, np.int32), np.zeros(0))


# Checks that may read single queries again: ids that are spelled differently, or that the other table does not have.


LOOKED_AT = 20
"""Queries of either side that are looked at if no id matches."""


def queries_of_rows(plan: EvaluationPlan, queries: Sequence[str]) -> list[str]:
    """Return the ids that the rows of some queries have: under ``steps=each`` queries are searches of a task."""
    each = plan.setting.decisions.steps == "each"
    return list(dict.fromkeys(query.rpartition("/")[0] for query in queries)) if each else list(queries)


def _fetch_lists(values: Values, s: int, *queries: Sequence[str]) -> SystemLists:
    """Return a system's lists of some queries, among them judged and returned ones."""
    return values.fetch([*itertools.chain.from_iterable(queries)])[s].lists(with_all_searches(values.setting.decisions))


def _refuse_strangers(values: Values, s: int, documents: SpellingMatch | None) -> None:
    """Refuse results if nothing in them is judged.

    Raises
    ------
    DataError
        The message shows how ids look on either side.
    """
    counts, ids = values.counts.returned[s], values.queries
    if counts.chunks and not counts.chunks["hitting"]:
        raise StrangersError(
            f"No chunk in {counts.name} is of a document with judged spans. Use the same ids, or name the columns."
        )
    if not counts.results or counts.hits:
        return
    common = list(itertools.compress(ids, counts.lengths > 0))
    joined = _fetch_lists(values, s, common[:1], counts.unjudged[:1], ids[:1])
    if not common:
        _refuse_joined_by_text(counts, values.counts.texts, set(ids))
        raise strange_queries(joined, counts.unjudged, ids, match_spellings(counts.unjudged[:MOST], ids[:MOST]))
    if len(common) > 1 or len(ids) > 1 or documents:
        raise strange_documents(joined, counts.results, documents)


def _refuse_joined_by_text(counts: ResultCounts, texts: Mapping[str, str], judged: set[str]) -> None:
    """Refuse queries that one side calls by id and the other by text: parts are joined by one column."""
    unjudged = set(counts.unjudged)
    if {texts.get(query) for query in unjudged} & judged or {texts.get(query) for query in judged} & unjudged:
        way = either("query='…' for both tables", "--query-col NAME, or --query-col results:NAME")
        raise StrangersError(
            f"{counts.name}: its queries are judged only by their texts, and an evaluation in parts brings queries "
            f"together by one column. Name that of the texts: {way}."
        )


def _near_misses(values: Values, s: int, documents: SpellingMatch | None) -> Iterator[str]:
    """Yield sentences about queries and documents that differ only in spelling."""
    counts, ids = values.counts.returned[s], values.queries
    empty = [ids[q] for q in np.flatnonzero(counts.lengths == 0)[:MOST]]
    if empty and (alike := match_spellings(counts.unjudged[:MOST], empty)) is not None:
        yield queries_in_words(alike)
    yield from documents_in_words(documents)
    if counts.results and not counts.hits:
        yield nothing_judged(_fetch_lists(values, s, ids[:LOOKED_AT], counts.unjudged[:LOOKED_AT]), counts.results)
