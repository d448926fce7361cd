"""The scores of all buckets become those of one evaluation; few queries are looked at again."""

from __future__ import annotations

import dataclasses
import itertools
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from idealrank._core import Pool, from_columns
from idealrank.arrays import Cache, Ints, Mask
from idealrank.data.filters import chosen
from idealrank.data.queries import Queries, attributes_of_parts, queries_of, read_queries
from idealrank.distributed.plan import EvaluationPlan
from idealrank.distributed.portion import Key, Portion, meetings_of_part
from idealrank.distributed.survey import Survey
from idealrank.errors import DataError, StrangersError, either
from idealrank.evaluation.evaluate import weights_of
from idealrank.evaluation.ledger.accounts import LedgerInputs, ledger_of
from idealrank.evaluation.ledger.counts import JudgmentCounts, ResultCounts, SearchCounts, total
from idealrank.evaluation.ledger.sensitivity import AlternativeAnswer, Under
from idealrank.evaluation.partitioned import BucketAccess, Partitioned
from idealrank.evaluation.scores import Scores
from idealrank.evaluation.scoring import Outcome, refuse_failures
from idealrank.evaluation.values import Values
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
    plan: EvaluationPlan, survey: Survey, portions: Sequence[Portion], fetch: Fetch, rows: BucketAccess,
    queries: Any = None, weights: Any = None, *, by_name: bool = False,
) -> Scores:  # fmt: skip
    """Put portions together.

    Parameters
    ----------
    fetch
        Returns the tables of some queries, where their ids have to be looked at.
    rows
        Goes to the rows again when the scores are asked for lists.
    queries, weights
        As for `evaluate`.
    by_name
        Whether systems of one table stand in the order of their names, since Spark keeps no order of rows.

    Raises
    ------
    DataError
        If there are no judgments, if nothing returned is judged, or if every search failed.
    """
    survey.refuse(plan)
    order, ids = natural_key([query for portion in portions for query in portion.queries])
    if not ids:
        raise DataError(f"{plan.name}: no grade. Give at least one.")
    chosen(plan.asked, ids)  # refused where none of them was asked for
    judged = judged_in_order(total([portion.judged for portion in portions]))
    systems = range(portions[0].values.shape[0])
    returned = [in_order(total([portion.returned[s] for portion in portions])) for s in systems]
    texts = {query: text for portion in portions for query, text in portion.texts.items()}
    table = read_queries(_beside(portions) if queries is None else queries, weights)
    ahead = () if plan.missed_along else tuple(query for counts in returned for query in few_queries(counts.candidates))
    look = NearIdLookup(plan, survey, fetch, texts, ahead)
    lengths = np.concatenate([portion.lengths for portion in portions], axis=1)[:, order]
    table_rows = tuple(map(sum, zip(*(portion.rows for portion in portions), strict=True)))
    parts = Partitioned(judged, tuple(returned), texts, rows, lengths, table_rows, by_name)
    values = Values(
        measures=plan.under, systems=portions[0].systems, queries=ids, setting=plan.setting, table=table,
        values=np.concatenate([portion.values for portion in portions], axis=2)[:, :, order],
        states=np.concatenate([portion.states for portion in portions], axis=2)[:, :, order],
        weights=None, lists=parts, only=plan.asked,
    )  # fmt: skip
    values = dataclasses.replace(values, weights=weights_of(plan.setting, table, ids, values.in_scope))
    with_results = lengths > 0
    for s, counts in enumerate(returned):
        _refuse_failed(counts, values, s)
        look.refuse_strangers(counts, ids, with_results[s], s)
    evidence = LedgerInputs(
        judged, returned, with_results,
        [look.near_ids(counts, ids, with_results[s], s) for s, counts in enumerate(returned)],
        [_under(portions, values, s, order) for s in systems],
    )  # fmt: skip
    fields = {part.name: getattr(values, part.name) for part in dataclasses.fields(Values)}
    return Scores(**fields, ledger=ledger_of(values, evidence))


def _refuse_failed(counts: ResultCounts, values: Values, s: int) -> None:
    ran = counts.results > 0 or counts.rows["placeholder rows"] > 0
    errors = {query: counts.errors[query] for query in (counts.failed if ran else natural_key(list(counts.errors))[1])}
    never_run = not ran or len(errors) == int(values.in_scope.sum())
    refuse_failures(counts.name, values.systems[s], errors, values.setting.decisions.failed, never_run)


def _beside(portions: Sequence[Portion]) -> Queries:
    """Return what the tables themselves say about their queries."""
    tables = zip(*(portion.attributes for portion in portions), strict=True)
    return queries_of(map(attributes_of_parts, tables))


def _under(portions: Sequence[Portion], values: Values, s: int, order: Ints) -> Under:
    """Return what looks up the values under another answer; a part that did not try it has the same as before."""

    def under(decision: str, changed: Sequence[AlternativeAnswer]) -> list[Outcome]:
        keys = [(decision, each.answer, values.place_of(each.measure)) for each in changed]
        return [_other(portions, values, s, order, key) for key in keys]

    return under


def _other(portions: Sequence[Portion], values: Values, s: int, order: Ints, key: Key) -> Outcome:
    found = [portion.others[s].get(key, portion.values[s, key[2]]) for portion in portions]
    known = [each for each in found if each is not None]
    return np.concatenate(known)[order] if len(known) == len(found) else DataError("refused in a part")


# What is seen only by looking at single queries again: ids that are spelled otherwise, or are strangers.


Fetch = Callable[[Sequence[str]], Iterable[tuple[Any, Any]]]
"""Returns the judgments and the results of some queries, as `values_of_part` takes them: of all at once, or in groups.

Other queries may be among them.
"""

SOME = 20
"""Queries of either side that are looked at where no id matches."""


def queries_of_rows(plan: EvaluationPlan, queries: Sequence[str]) -> list[str]:
    """Return the ids that the rows of some queries have: under ``steps=each`` queries are searches of a task."""
    each = plan.setting.decisions.steps == "each"
    return list(dict.fromkeys(query.rpartition("/")[0] for query in queries)) if each else list(queries)


@dataclass(frozen=True)
class NearIdLookup:
    """Looks at single queries again.

    Attributes
    ----------
    texts
        Texts of the queries, by id, where any table has them.
    ahead
        Queries that some system will be asked about: they are fetched at once, where one of them is.
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
            yield meetings_of_part(self.plan, self.survey, *tables)

    def _met(self, queries: Sequence[str], s: int) -> Iterator[SystemLists]:
        decisions = with_all_searches(self.plan.setting.decisions)
        return (meetings[s].lists(decisions) for meetings in self.meetings(queries))

    def _seen(self, queries: Sequence[str], s: int) -> SystemLists:
        """Return where some queries meet: judgments and results, if any of them has both."""
        return max(self._met(queries, s), key=lambda met: bool(len(met.pool.grade)) + bool(met.run.results))

    def _missed(self, counts: ResultCounts, s: int) -> list[UnmatchedDocuments]:
        """Return what the first queries missed: as their parts said, or looked up."""
        first = few_queries(counts.candidates)
        known = {missed.query: missed for missed in counts.missed}
        if not known and first:
            known = {
                one.query: one for met in self._met(first, s) for one in unmatched_documents(met, counts.candidates)
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
        met = self._seen([*common[:1], *counts.unjudged[:1], *ids[:1]], s)
        if not common:
            self._refuse_texts(counts, set(ids))
            raise strange_queries(met, counts.unjudged, ids, match_spellings(counts.unjudged[:MOST], ids[:MOST]))
        alike = match_documents(self._missed(counts, s))
        if len(common) > 1 or len(ids) > 1 or alike:
            raise strange_documents(met, counts.results, alike)

    def _refuse_texts(self, counts: ResultCounts, judged: set[str]) -> None:
        """Refuse queries that one side calls by id and the other by text: parts are joined by one column."""
        unjudged = set(counts.unjudged)
        theirs = {self.texts.get(query) for query in unjudged} & judged
        if theirs or {self.texts.get(query) for query in judged} & unjudged:
            way = either("query='…' for both tables", "--query-col NAME, or --query-col results:NAME")
            raise StrangersError(
                f"{counts.name}: its queries are judged only by their texts, and an evaluation in parts brings queries "
                f"together by one column. Name that of the texts: {way}."
            )

    def _of_either(self, counts: ResultCounts, ids: Sequence[str]) -> list[str]:
        return [*ids[:SOME], *counts.unjudged[:SOME]]

    def near_ids(self, counts: ResultCounts, ids: Sequence[str], with_results: Mask, s: int) -> list[str]:
        """Return sentences about queries and documents that differ only in spelling."""
        empty = [ids[q] for q in np.flatnonzero(~with_results)[:MOST]]
        alike = match_spellings(counts.unjudged[:MOST], empty) if empty and counts.unjudged else None
        said = [] if alike is None else [queries_in_words(alike)]
        said += documents_in_words(match_documents(self._missed(counts, s)))
        if counts.results and not counts.hits:
            said.append(nothing_judged(self._seen(self._of_either(counts, ids), s), counts.results))
        return said


# The natural order of queries, in which portions are put together.


def natural_key(names: Sequence[str]) -> tuple[Ints, list[str]]:
    """Return the order of different names, and the names in it: q9 before q10.

    Examples
    --------
    >>> order, names = natural_key(["q10", "q9"])
    >>> order.tolist(), names
    ([1, 0], ['q9', 'q10'])
    """
    if not names:
        return np.zeros(0, np.int64), []
    same = np.zeros(len(names))
    table = from_columns(["query", "doc", "grade"], [list(names), same, same])
    order = Pool(table.column(0), table.column(1), table.column(2), "first").row
    return order, np.array(names, object)[order].tolist()  # the same texts, not copies of them


def in_order(counts: ResultCounts) -> ResultCounts:
    """Return counts with the queries that they name in order."""
    named = ("empty", "never_asked", "failed", "unjudged", "in_scope")
    rows: dict[str, Any] = {name: tuple(natural_key(getattr(counts, name))[1]) for name in named}
    place = {candidate.query: candidate for candidate in counts.candidates}
    candidates = tuple(place[query] for query in natural_key(list(place))[1])
    nameless = {query: counts.nameless[query] for query in natural_key(list(counts.nameless))[1]}
    searches = counts.searches and _searches_in_order(counts.searches)
    return replace(counts, **rows, candidates=candidates, nameless=nameless, searches=searches)


def judged_in_order(counts: JudgmentCounts) -> JudgmentCounts:
    """Return counts of judgments with the queries that they name in order."""
    ungraded = tuple(natural_key(counts.ungraded_queries)[1])
    return replace(counts, ungraded_queries=ungraded, differing=tuple(sorted(counts.differing)))


def _searches_in_order(counts: SearchCounts) -> SearchCounts:
    tasks = list({task for task, _ in (*counts.missed, *counts.never_asked)})
    place = {task: i for i, task in enumerate(natural_key(tasks)[1])}
    every = (counts.missed, counts.never_asked)
    missed, never = (tuple(sorted(pairs, key=lambda pair: place[pair[0]])) for pairs in every)
    found = {label: tuple(natural_key(queries)[1]) for label, queries in counts.never_found.items()}
    return replace(counts, missed=missed, never_asked=never, never_found=found)
