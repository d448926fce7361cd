"""Results and judgments joined under the read and list stages: from the core's join to judged lists."""

import functools
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Literal

import numpy as np

from idealrank._core import Judged, Pool, Run
from idealrank.arrays import Ints, Kept
from idealrank.data.searches import Searches
from idealrank.data.spans import Spans
from idealrank.data.subtopics import Subtopics
from idealrank.judged_lists.judged_spans import JudgedSpans
from idealrank.judged_lists.lists import JudgedLists, OfPool

Form = Literal["sparse", "dense"]

SMALL = 1 << 17
"""Most hits and judgments to keep, with everything derived from them: a few megabytes."""


@dataclass(frozen=True, eq=False, kw_only=True)
class Joined:
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
    of_pools: Kept = field(default_factory=Kept, repr=False)
    highest_of_whole: float | None = None

    @property
    def size(self) -> int:
        """Number of judged queries Q."""
        return len(self.judged.returned)

    @property
    def queries(self) -> list[str]:
        """The ids of the judged queries."""
        return self.pool.queries

    @functools.cached_property
    def with_results(self) -> Ints:
        """Which judged queries have results."""
        return np.flatnonzero(self.judged.returned)

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
        return self._made(*(self.span or (0, self.size)))

    def part(self, first: int, last: int) -> JudgedLists:
        """Return the judged lists of the queries ``first:last``; all of them, if small, are made once."""
        return self.lists if self.is_small and (first, last) == (0, self.size) else self._made(first, last)

    @property
    def is_small(self) -> bool:
        """Whether the lists, with everything derived from them, may be kept."""
        return bool(self.judged.hit_start[-1] + self.pool.start[-1] <= SMALL)

    def _made(self, first: int, last: int) -> JudgedLists:
        judged, pool = self.judged, self.pool
        hit_start, pool_start = judged.hit_start[first : last + 1], pool.start[first : last + 1]
        low, high = int(pool_start[0]), int(pool_start[-1])
        rank, grade, entry, row, tie_first, tie_last = judged.hits(first, last)
        return JudgedLists(
            returned=judged.returned[first:last], hit_start=hit_start - hit_start[0], rank=rank, grade=grade,
            entry=entry, row=row, tie_first=tie_first, tie_last=tie_last, pool_start=pool_start - low,
            pool_grade=pool.grade[low:high], pool_entry=np.arange(low, high), max_grade=self.max_grade,
            form=self.form, of_pool=self._of_pool(first, last), read_subtopics=self.subtopics,
            search_places=None if self.searches is None else self.searches.place,
            spans=self.spans,
        )  # fmt: skip

    def _of_pool(self, first: int, last: int) -> OfPool:
        return self.of_pools.once((first, last), OfPool)

    def tidy(self, first: int, last: int) -> None:
        """Forget values per judgment of a part, if there are many judgments."""
        if not self.is_small:
            self._of_pool(first, last).by_judgment.forget()
