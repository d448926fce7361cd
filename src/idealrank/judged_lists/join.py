"""The join of results and judgments: made once per setting of the read and list stages, and then shared."""

from __future__ import annotations

import functools
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from idealrank._core import Judged, Pool, Run, judge
from idealrank.arrays import Cache, Ints, Mask
from idealrank.data.judgments import Judgments
from idealrank.data.results import Results
from idealrank.decisions.decisions import Decisions
from idealrank.decisions.fields import SPANS
from idealrank.decisions.question import answer_text
from idealrank.errors import DataError, option, unsaid
from idealrank.judged_lists.lists import JudgedLists, PoolCache
from idealrank.judged_lists.searches import joined_order
from idealrank.judged_lists.units import order_of, pool_of, refuse_repeats, returned_parts, run_of, subtopics_of

if TYPE_CHECKING:
    from idealrank.data.searches import Searches
    from idealrank.data.spans import Spans
    from idealrank.data.subtopics import Subtopics
    from idealrank.data.table_facts import Reading
    from idealrank.judged_lists.spans import JudgedSpans

_ORDERS = {"docid_asc": "docid_asc", "given": "given"} | dict.fromkeys(
    ("docid_desc", "average", "best", "worst"), "docid_desc"
)
"""How results with equal scores are ordered, before `arrangement` looks at their grades: by id where grades decide,
which may be equal as well."""

Joiner = Callable[[bool, Ints | None], "Judged | JudgedSpans"]


def tie_order(ties: str) -> str:
    """Return how the core orders results with equal scores under an answer to `ties`."""
    if ties not in _ORDERS:
        raise unsaid("ties", ties, __name__)
    return _ORDERS[ties]


def lists_key(decisions: Decisions, order: str) -> tuple[Any, ...]:
    """Return what decides the lists: decisions with the same key have the same lists.

    Parameters
    ----------
    order
        What orders the results: score, rank or given.
    """
    return (
        decisions.stage("read"), order, tie_order(decisions.ties), decisions.score_precision, decisions.rank_gaps,
        decisions.roll_up, decisions.overlap, decisions.counts, decisions.steps, decisions.max_grade, decisions.systems,
    )  # fmt: skip


Form = Literal["sparse", "dense"]

SMALL = 1 << 17
"""Most hits and judgments to keep, with everything derived from them: a few megabytes."""


@dataclass(frozen=True, eq=False, kw_only=True)
class JoinedLists:
    """The result of joining one system's results to the judgments.

    Attributes
    ----------
    judged, pool, run
        Which results are judged, the judgments, the results.
    order
        The order of the results: score, rank or given.
    max_grade
        The highest grade on the scale.
    form
        ``sparse``: judged results are hits; ``dense``: all are.
    subtopics
        Returns the judgments by subtopic, or None.
    searches
        Which search each result belongs to; None if no query has several.
    spans
        Where judged spans and chunks begin and end, if spans are judged.
    span
        First query and the one after the last of `lists`; None: all.
    names
        Returns the ids of the judged queries; None: those of the pool, made anew.
    of_pools
        By part: values that depend only on its judgments, shared by all lists with the same judgments.
    highest_of_whole
        The highest grade of all judgments, if these are those of some queries.
    """

    judged: Judged | JudgedSpans
    pool: Pool
    run: Run
    order: str
    max_grade: float
    form: Form
    subtopics: Callable[[], Subtopics | None] = field(default=lambda: None, repr=False)
    searches: Searches | None = field(default=None, repr=False)
    spans: Spans | None = field(default=None, repr=False)
    span: tuple[int, int] | None = None
    names: Callable[[], list[str]] | None = field(default=None, repr=False)
    of_pools: Cache = field(default_factory=Cache, repr=False)
    highest_of_whole: float | None = None

    @property
    def size(self) -> int:
        """Number of judged queries Q."""
        return len(self.judged.returned)

    @property
    def queries(self) -> list[str]:
        """The ids of the judged queries."""
        return self.pool.queries if self.names is None else self.names()

    @functools.cached_property
    def named_but_empty(self) -> int:
        """Number of judged queries that the results name although they have no results."""
        return int((self.judged.listed & (self.judged.returned == 0)).sum())

    @functools.cached_property
    def unjudged_queries(self) -> tuple[str, ...]:
        """The queries that have results but no judgments."""
        return tuple(self.judged.unjudged_queries)

    @functools.cached_property
    def highest_grade(self) -> float:
        """The highest grade of all."""
        if self.highest_of_whole is not None:
            return self.highest_of_whole
        return float(self.pool.grade[self.pool.start[:-1]].max())

    @functools.cached_property
    def lists(self) -> JudgedLists:
        """The judged lists of all queries, or of the span."""
        return self._make_lists(*(self.span or (0, self.size)))

    def part(self, first: int, last: int) -> JudgedLists:
        """Return the judged lists of the queries ``first:last``; all of them, if small, are made once."""
        return self.lists if self.is_small and (first, last) == (0, self.size) else self._make_lists(first, last)

    @property
    def is_small(self) -> bool:
        """Whether the lists, with everything derived from them, may be kept."""
        return bool(self.judged.hit_start[-1] + self.pool.start[-1] <= SMALL)

    def _make_lists(self, first: int, last: int) -> JudgedLists:
        judged, pool = self.judged, self.pool
        hit_start, pool_start = judged.hit_start[first : last + 1], pool.start[first : last + 1]
        low, high = int(pool_start[0]), int(pool_start[-1])
        rank, grade, entry, row, tie_first, tie_last = judged.hits(first, last)
        return JudgedLists(
            returned=judged.returned[first:last], hit_start=hit_start - hit_start[0], rank=rank, grade=grade,
            entry=entry, row=row, tie_first=tie_first, tie_last=tie_last, pool_start=pool_start - low,
            pool_grade=pool.grade[low:high], pool_entry=np.arange(low, high), max_grade=self.max_grade,
            form=self.form, of_pool=self._pool_cache(first, last), read_subtopics=self.subtopics,
            search_places=None if self.searches is None else self.searches.place,
            spans=self.spans,
        )  # fmt: skip

    def _pool_cache(self, first: int, last: int) -> PoolCache:
        return self.of_pools.once((first, last), PoolCache)

    def tidy(self, first: int, last: int) -> None:
        """Forget values per judgment of a part, if there are many judgments."""
        if not self.is_small:
            self._pool_cache(first, last).by_judgment.forget()


@dataclass(frozen=True, eq=False, kw_only=True)
class SystemLists(JoinedLists):
    """One system's results joined to the judgments, with the tables and the system they come from.

    Attributes
    ----------
    judgments, results
        The tables.
    system
        The name of the results, or of the table if all its systems are pooled.
    pooled
        Whether the results of all systems of the table are one list.
    parts
        The results as they were returned: the run itself, unless its units have several parts.
    join
        Joins again: whether every result is a hit, and which judged queries (None: all) have results.
    """

    judgments: Judgments
    results: Results
    system: str
    pooled: bool
    parts: Run
    join: Joiner = field(repr=False)

    @property
    def first_result(self) -> str:
        """The first document of the results."""
        return self.results.first("" if self.pooled else self.system)

    @property
    def nameless(self) -> dict[str, int]:
        """The number of rows without a document per query that also returned documents; they are dropped."""
        return self.results.nameless("" if self.pooled else self.system) if self.parts.placeholders else {}

    @functools.cached_property
    def failures(self) -> dict[str, str]:
        """The queries whose search failed, judged or not, each with its message."""
        return self.results.failed("" if self.pooled else self.system)

    @functools.cached_property
    def failed(self) -> Mask:
        """(Q,) which judged queries' search failed."""
        failures = self.failures
        return np.array([query in failures for query in self.queries] if failures else [False] * self.size, np.bool_)

    def repeated_within(self, depth: int | None) -> Ints:
        """(Q,) results within a depth that keep their ranks, and repeat a unit that stands before."""
        if not self.run.keeping_ranks:
            return np.zeros(self.size, np.int64)
        return self.join(True, None).repeated_within(depth)

    def every_result_of(self, queries: Ints) -> SystemLists:
        """Join again with every result a hit, in some of the judged queries; the others then have nothing."""
        return replace(self, judged=self.join(True, queries), form="dense")


@dataclass(frozen=True, eq=False)
class Join:
    """One system's results and the judgments; each list is built once and kept."""

    judgments: Judgments
    results: Results
    system: str
    kept: Cache = field(default_factory=Cache, repr=False)

    def judged_queries(self, decisions: Decisions) -> list[str]:
        """Return the judged queries, whose places are those in every list."""
        return _queries_of(self.judgments, decisions)

    def lists(self, decisions: Decisions, form: Form = "sparse", only: Ints | None = None) -> SystemLists:
        """Join under the read and list stages of the decisions.

        Parameters
        ----------
        form
            ``sparse`` keeps only judged results, ``dense`` all of them.
        only
            (n,) int64 indices of judged queries; the others then have nothing.
        """
        order = order_of(self.results, decisions)
        ties = tie_order(decisions.ties)
        key = (*lists_key(decisions, order), form, None if only is None else tuple(only))
        joined = self.kept.once(key, lambda: self._join(decisions, order, ties, form, only))
        refuse_repeats(joined.run, lambda: joined.join(True, None).tied_repeats, decisions)
        if decisions.unit == SPANS:
            from idealrank.judged_lists.spans import refuse_tied

            refuse_tied(joined.judged, decisions)
        return joined

    def lists_for(self, on_lists: Decisions, form: Form = "sparse", only: Ints | None = None) -> SystemLists:
        """Join under the decisions of a measure as the lists see them: `Measure.on_lists`."""
        # If unjudged results have a grade, every result must be a hit.
        dense = form == "dense" or isinstance(on_lists.unjudged, float)
        return self.lists(on_lists, "dense" if dense else "sparse", only)

    def lists_of_query(self, on_lists: Decisions, index: int) -> SystemLists:
        """Join only one judged query (by index), with every result a hit; its lists contain nothing else."""
        whole = self.lists_for(on_lists, "dense", np.array([index], np.int64))
        return replace(whole, span=(index, index + 1))

    def _is_pooled(self, decisions: Decisions) -> bool:
        """Whether the list is all rows of a table with several systems."""
        return self.results.pools(decisions.systems) or self.system not in self.results.systems

    def _join(self, decisions: Decisions, order: str, ties: str, form: Form, only: Ints | None) -> SystemLists:
        pooled = self._is_pooled(decisions)
        pool = pool_of(self.judgments, decisions)
        system = "" if pooled else self.system
        run = run_of(self.results, system, decisions, order)
        top = top_grade(self.judgments, pool, decisions)
        united = joined_order(self.results, system, decisions, order)
        how: Any = (pool, run, united, ties, decisions.score_precision, decisions.rank_gaps)
        join: Joiner = functools.partial(judge, *how)
        spans = None
        if decisions.unit == SPANS:
            from idealrank.judged_lists.spans import join_spans, refuse_span_answers, spans_between

            refuse_span_answers(decisions)
            spans = spans_between(self.judgments, self.results, pool)
            join, form = join_spans(functools.partial(judge, *how), pool, spans, decisions), "dense"
        whole = self.judgments.whole
        return SystemLists(
            highest_of_whole=None if whole is None else whole.highest[reading_answers(decisions)],
            judgments=self.judgments, results=self.results, system=self.system, pooled=pooled,
            parts=returned_parts(self.results, system, decisions),
            judged=join(form == "dense", only), pool=pool, run=run, order=order, max_grade=top, form=form, join=join,
            spans=spans, subtopics=functools.partial(subtopics_of, self.judgments, decisions),
            searches=self.results.searches(system), names=functools.partial(_queries_of, self.judgments, decisions),
            of_pools=self.kept.once(("judgments", decisions.stage("read")), Cache),
        )  # fmt: skip


def _queries_of(judgments: Judgments, decisions: Decisions) -> list[str]:
    """Return the judged queries: one list for all systems, since the core makes it anew each time."""
    key = ("queries", decisions.stage("read"))
    return judgments.kept.once(key, lambda: pool_of(judgments, decisions).queries)


def reading_answers(decisions: Decisions) -> Reading:
    """Return the answers that decide a grade."""
    return (decisions.raters, decisions.duplicates, decisions.text("unit"), decisions.unit_grade)


def top_grade(judgments: Judgments, pool: Pool, decisions: Decisions) -> float:
    """Return the highest grade on the scale: declared, or the highest in the whole table.

    Raises
    ------
    DataError
        If a grade is above the declared highest grade.
    """
    here = float(pool.grade.max(initial=0.0))
    highest = here if judgments.whole is None else max(0.0, judgments.whole.highest[reading_answers(decisions)])
    if decisions.max_grade == "highest":
        return highest
    if isinstance(decisions.max_grade, str):
        raise unsaid("max_grade", decisions.max_grade, __name__)
    if here > decisions.max_grade:
        row = int(pool.row[int(np.argmax(pool.grade))])
        raise DataError(
            f"{judgments.source.place(row)}: grade {answer_text(here)} is above "
            f"{option('max_grade', decisions.text('max_grade'))}. Correct the grade, or declare "
            f"{option('max_grade', answer_text(here))}."
        )
    return float(decisions.max_grade)
