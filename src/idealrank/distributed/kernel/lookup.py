"""What is seen only by looking at single queries again: ids that are spelled otherwise, or are strangers."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from idealrank.arrays import Kept, Mask
from idealrank.distributed.kernel.plan import Plan
from idealrank.distributed.kernel.portion import meetings_of_part
from idealrank.distributed.kernel.survey import Survey
from idealrank.errors import StrangersError, either
from idealrank.evaluation.counts.result_counts import ResultCounts
from idealrank.judged_lists.meeting import Meeting, Met
from idealrank.judged_lists.near_documents import Missed, documents_in_words, few, missed_in, near_in
from idealrank.judged_lists.near_ids import MOST, nothing_judged, queries_in_words, strange_documents, strange_queries
from idealrank.judged_lists.near_spellings import near
from idealrank.judged_lists.searches import of_all_searches

Fetch = Callable[[Sequence[str]], Iterable[tuple[Any, Any]]]
"""Returns the judgments and the results of some queries, as `values_of_part` takes them: of all at once, or in groups.

Other queries may be among them.
"""

SOME = 20
"""Queries of either side that are looked at where no id matches."""


def queries_of_rows(plan: Plan, queries: Sequence[str]) -> list[str]:
    """Return the ids that the rows of some queries have: under ``steps=each`` queries are searches of a task."""
    each = plan.setting.decisions.steps == "each"
    return list(dict.fromkeys(query.rpartition("/")[0] for query in queries)) if each else list(queries)


@dataclass(frozen=True)
class Lookup:
    """Looks at single queries again.

    Attributes
    ----------
    texts
        Texts of the queries, by id, where any table has them.
    ahead
        Queries that some system will be asked about: they are fetched at once, where one of them is.
    """

    plan: Plan
    survey: Survey
    fetch: Fetch
    texts: Mapping[str, str] = field(default_factory=dict)
    ahead: tuple[str, ...] = ()
    _kept: Kept = field(default_factory=Kept, repr=False)

    def meetings(self, queries: Sequence[str]) -> Iterator[list[Meeting]]:
        """Yield the meetings of the systems in groups of queries, some of which are asked for."""
        at_once = set(queries) <= set(self.ahead)
        rows = queries_of_rows(self.plan, self.ahead if at_once else queries)
        for tables in self._kept.once("ahead", lambda: list(self.fetch(rows))) if at_once else self.fetch(rows):
            yield meetings_of_part(self.plan, self.survey, *tables)

    def _met(self, queries: Sequence[str], s: int) -> Iterator[Met]:
        decisions = of_all_searches(self.plan.setting.decisions)
        return (meetings[s].met(decisions) for meetings in self.meetings(queries))

    def _seen(self, queries: Sequence[str], s: int) -> Met:
        """Return where some queries meet: judgments and results, if any of them has both."""
        return max(self._met(queries, s), key=lambda met: bool(len(met.pool.grade)) + bool(met.run.results))

    def _missed(self, counts: ResultCounts, s: int) -> list[Missed]:
        """Return what the first queries missed: as their parts said, or looked up."""
        first = few(counts.candidates)
        known = {missed.query: missed for missed in counts.missed}
        if not known and first:
            known = {one.query: one for met in self._met(first, s) for one in missed_in(met, counts.candidates)}
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
            raise strange_queries(met, counts.unjudged, ids, near(counts.unjudged[:MOST], ids[:MOST]))
        alike = near_in(self._missed(counts, s))
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
        alike = near(counts.unjudged[:MOST], empty) if empty and counts.unjudged else None
        said = [] if alike is None else [queries_in_words(alike)]
        said += documents_in_words(near_in(self._missed(counts, s)))
        if counts.results and not counts.hits:
            said.append(nothing_judged(self._seen(self._of_either(counts, ids), s), counts.results))
        return said
