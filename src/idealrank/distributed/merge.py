"""Merges the portions of all buckets into the scores of one evaluation; only a few queries are read again."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from typing import Any

import numpy as np

from idealrank.arrays import Cache, Ints, Mask
from idealrank.data.filters import query_mask
from idealrank.data.ids import natural_order
from idealrank.data.queries import merge_part_files, merge_tables, read_queries
from idealrank.distributed.plan import EvaluationPlan
from idealrank.distributed.portion import Moved, Others, Portion, join_part
from idealrank.distributed.survey import Survey
from idealrank.errors import DataError, StrangersError, either
from idealrank.evaluation.concat import append_queries
from idealrank.evaluation.evaluate import weights_of
from idealrank.evaluation.ledger.counting import queries_without
from idealrank.evaluation.ledger.counts import Counts, Nothing, ResultCounts
from idealrank.evaluation.ledger.sensitivity import AlternativeAnswer, Trial
from idealrank.evaluation.partitioned import BucketAccess, Partitioned
from idealrank.evaluation.scores import Scores
from idealrank.evaluation.scoring import Outcome, refuse_failures
from idealrank.evaluation.values import QueryValues, Values
from idealrank.judged_lists.join import Join, SystemLists
from idealrank.judged_lists.near_ids import (
    MOST,
    UnmatchedDocuments,
    documents_in_words,
    few_queries,
    match_documents,
    match_spellings,
    nothing_judged,
    queries_in_words,
    strange_documents,
    strange_queries,
    unmatched_documents,
)
from idealrank.judged_lists.searches import with_all_searches

# From portions to scores: as if all queries had been evaluated together.


def merge_portions(
    plan: EvaluationPlan, survey: Survey, portions: list[Portion], fetch: Fetch, rows: BucketAccess,
    queries: Any = None, weights: Any = None, *, keeps_order: bool = True,
) -> Scores:  # fmt: skip
    """Put portions together.

    Parameters
    ----------
    portions
        They are taken out of the list, so that memory has each only once.
    fetch
        Returns the tables of some queries, where their ids have to be looked at.
    rows
        Reads the rows again when the scores are asked for lists.
    queries, weights
        As for `evaluate`.
    keeps_order
        Whether the systems of a table are in the order of its rows; else they are in that of their names.

    Raises
    ------
    DataError
        If there are no judgments, if nothing returned is judged, or if every search failed.
    """
    survey.refuse(plan)
    found, counted, attributes, others = (
        [getattr(portion, name) for portion in portions] for name in ("values", "counts", "attributes", "others")
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
    said = merge_tables(map(merge_part_files, zip(*attributes, strict=True)))
    table = read_queries(said if queries is None else queries, weights)
    ahead = () if plan.missed_along else tuple(query for of in counts.returned for query in few_queries(of.candidates))
    look = NearIdLookup(plan, survey, fetch, counts.texts, ahead)
    values = Values(
        **{part.name: getattr(whole, part.name) for part in fields(QueryValues)},
        table=table, weights=None, lists=Partitioned(rows, keeps_order), counts=counts,
    )  # fmt: skip
    weighed = weights_of(plan.setting, table, ids, values.in_scope)
    with_results = values.lengths > 0
    for s, of in enumerate(counts.returned):
        _refuse_failed_searches(of, values, s)
        look.refuse_strangers(of, ids, with_results[s], s)
    near_ids = tuple(tuple(look.near_ids(of, ids, with_results[s], s)) for s, of in enumerate(counts.returned))
    values = replace(values, weights=weighed, counts=replace(counts, near_ids=near_ids))
    return Scores.from_values(values, _ValuesLookup(values, others, starts.tolist(), order))


def _refuse_failed_searches(counts: ResultCounts, values: Values, s: int) -> None:
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


# Checks that read single queries again: ids that are spelled differently, or that the other table does not have.


Fetch = Callable[[Sequence[str]], Iterable[tuple[Any, Any]]]
"""Returns the judgments and the results of some queries, as `score_part` takes them: of all at once, or in groups.

Other queries may be among them.
"""

LOOKED_AT = 20
"""Queries of either side that are looked at if no id matches."""


def queries_of_rows(plan: EvaluationPlan, queries: Sequence[str]) -> list[str]:
    """Return the ids that the rows of some queries have: under ``steps=each`` queries are searches of a task."""
    each = plan.setting.decisions.steps == "each"
    return list(dict.fromkeys(query.rpartition("/")[0] for query in queries)) if each else list(queries)


@dataclass(frozen=True)
class NearIdLookup:
    """Reads single queries again, to look at their ids.

    Attributes
    ----------
    texts
        Texts of the queries, by id, where any table has them.
    ahead
        Queries that will be needed for some system: the first call that needs any of them fetches them all.
    """

    plan: EvaluationPlan
    survey: Survey
    fetch: Fetch
    texts: Mapping[str, str] = field(default_factory=dict)
    ahead: tuple[str, ...] = ()
    _kept: Cache = field(default_factory=Cache, repr=False)

    def meetings(self, queries: Sequence[str]) -> Iterator[list[Join]]:
        """Yield the meetings of the systems in groups of queries, some of which are asked for."""
        at_once = set(queries) <= set(self.ahead)
        rows = queries_of_rows(self.plan, self.ahead if at_once else queries)
        for tables in self._kept.once("ahead", lambda: list(self.fetch(rows))) if at_once else self.fetch(rows):
            yield join_part(self.plan, self.survey, *tables)

    def _fetch_lists(self, queries: Sequence[str], s: int) -> Iterator[SystemLists]:
        decisions = with_all_searches(self.plan.setting.decisions)
        return (meetings[s].lists(decisions) for meetings in self.meetings(queries))

    def _lists_with_both(self, queries: Sequence[str], s: int) -> SystemLists:
        """Return the lists of some queries, of a group that has both judgments and results if there is one."""
        return max(self._fetch_lists(queries, s), key=lambda met: bool(len(met.pool.grade)) + bool(met.run.results))

    def _missed_documents(self, counts: ResultCounts, s: int) -> list[UnmatchedDocuments]:
        """Return the documents that the first queries missed: as their parts said, or by reading them again."""
        first = few_queries(counts.candidates)
        known = {missed.query: missed for missed in counts.missed}
        if not known and first:
            known = {
                one.query: one
                for met in self._fetch_lists(first, s)
                for one in unmatched_documents(met, counts.candidates)
            }
        return [known[query] for query in first]

    def refuse_strangers(self, counts: ResultCounts, ids: Sequence[str], with_results: Mask, s: int) -> None:
        """Refuse results if nothing in them is judged.

        Raises
        ------
        DataError
            The message shows how ids look on either side.
        """
        if counts.chunks and not counts.chunks["hitting"]:
            raise StrangersError(
                f"No chunk in {counts.name} is of a document with judged spans. Use the same ids, or name the columns."
            )
        if not counts.results or counts.hits:
            return
        common = list(itertools.compress(ids, with_results))
        met = self._lists_with_both([*common[:1], *counts.unjudged[:1], *ids[:1]], s)
        if not common:
            self._refuse_joined_by_text(counts, set(ids))
            raise strange_queries(met, counts.unjudged, ids, match_spellings(counts.unjudged[:MOST], ids[:MOST]))
        alike = match_documents(self._missed_documents(counts, s))
        if len(common) > 1 or len(ids) > 1 or alike:
            raise strange_documents(met, counts.results, alike)

    def _refuse_joined_by_text(self, counts: ResultCounts, judged: set[str]) -> None:
        """Refuse queries that one side calls by id and the other by text: parts are joined by one column."""
        unjudged = set(counts.unjudged)
        theirs = {self.texts.get(query) for query in unjudged} & judged
        if theirs or {self.texts.get(query) for query in judged} & unjudged:
            way = either("query='…' for both tables", "--query-col NAME, or --query-col results:NAME")
            raise StrangersError(
                f"{counts.name}: its queries are judged only by their texts, and an evaluation in parts brings queries "
                f"together by one column. Name that of the texts: {way}."
            )

    def near_ids(self, counts: ResultCounts, ids: Sequence[str], with_results: Mask, s: int) -> list[str]:
        """Return sentences about queries and documents that differ only in spelling."""
        empty = [ids[q] for q in np.flatnonzero(~with_results)[:MOST]]
        alike = match_spellings(counts.unjudged[:MOST], empty) if empty and counts.unjudged else None
        sentences = [] if alike is None else [queries_in_words(alike)]
        sentences += documents_in_words(match_documents(self._missed_documents(counts, s)))
        if counts.results and not counts.hits:
            sentences.append(
                nothing_judged(
                    self._lists_with_both([*ids[:LOOKED_AT], *counts.unjudged[:LOOKED_AT]], s), counts.results
                )
            )
        return sentences
