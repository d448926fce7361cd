"""The judged list: results joined to the judgments, for all queries at once."""

from __future__ import annotations

import weakref
from collections.abc import Callable, Hashable
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from idealrank.arrays import Cache, Floats, Ints, Mask, offsets, places, running_sums, segment_counts
from idealrank.errors import unsaid

if TYPE_CHECKING:
    from idealrank.data.spans import Spans
    from idealrank.data.subtopics import Subtopics

Weight = Callable[[Floats], Floats]
"""A function of ranks (1-based, as float64) that says how much each rank counts."""


@dataclass(frozen=True, eq=False)
class PoolCache:
    """Values that depend only on the judgments, shared by lists with the same judgments.

    Attributes
    ----------
    by_judgment
        One value per judgment; forgotten after use if there are many.
    by_query
        (Q,) one value per query.
    """

    by_judgment: Cache = field(default_factory=Cache)
    by_query: Cache = field(default_factory=Cache)


@dataclass(frozen=True, eq=False)
class JudgedLists:
    """The results of Q judged queries, H of them hits, against J judged documents.

    Sparse form: only judged results are hits. Dense form: every result is one, and the grade
    of an unjudged hit is NaN. Measures read both. Arrays are never written to.

    Attributes
    ----------
    returned
        (Q,) results per query, judged or not.
    hit_start
        (Q + 1,) hits of query q are ``hit_start[q]:hit_start[q + 1]``, by rank.
    rank, grade
        (H,) 1-based rank among all results; grade.
    entry, row
        (H,) index into the pool's arrays (-1: unjudged), row in the results table.
    tie_first, tie_last
        (H,) first and last rank of the hit's span of equal keys.
    pool_start, pool_grade, pool_entry
        (Q + 1,), (J,), (J,) the judgments of each query, highest grade first.
    max_grade
        The highest grade on the scale.
    form
        ``sparse`` or ``dense``.
    ranks
        ``exact``, or ``averaged``: a rank stands for every order of its tie span (``ties=average``).
    """

    returned: Ints
    hit_start: Ints
    rank: Ints
    grade: Floats
    entry: Ints
    row: Ints
    tie_first: Ints
    tie_last: Ints
    pool_start: Ints
    pool_grade: Floats
    pool_entry: Ints
    max_grade: float
    form: Literal["sparse", "dense"] = "sparse"
    ranks: Literal["exact", "averaged"] = "exact"
    kept: Cache = field(default_factory=Cache, init=False, repr=False)
    """Values derived from these lists; others made from them by `replace` begin with none."""
    of_pool: PoolCache = field(default_factory=PoolCache, repr=False)
    uncut: Callable[[], JudgedLists | None] = field(default=lambda: None, repr=False)
    """Returns the lists these were cut from by `upto`, as long as they are referenced; None: these are whole."""
    read_subtopics: Callable[[], Subtopics | None] = field(default=lambda: None, repr=False)
    """Returns the judgments by subtopic, under the indices `entry` and `pool_entry`; None: there are none."""
    search_places: Ints | None = field(default=None, repr=False)
    """(N,) which search of its query each row of the table belongs to, from 1; None: each query has one."""
    spans: Spans | None = field(default=None, repr=False)
    """Where judged spans (by `entry` and `pool_entry`) and chunks (by `row`) begin and end; None: there are none."""
    every_judgment: tuple[Ints, Ints] | None = field(default=None, repr=False)
    """Index into the pool's arrays and query of every judgment, if the pool here omits those below zero."""

    @property
    def size(self) -> int:
        """Number of queries Q."""
        return len(self.returned)

    @property
    def whole(self) -> JudgedLists:
        """The lists with all hits, if these are cut."""
        return self.uncut() or self

    @property
    def subtopics(self) -> Subtopics:
        """The judgments by subtopic, gathered when a measure first asks for them; `Measure.steps` refuses without."""
        subtopics = self.read_subtopics()
        assert subtopics is not None
        return subtopics

    @property
    def search(self) -> Ints:
        """(H,) which search of its query returned the hit, from 1."""
        if self.search_places is None:
            return np.ones(len(self.row), np.int64)
        return np.where(self.row < 0, 1, self.search_places[self.row])

    def derive_once(self, key: Hashable, derive: Callable[[JudgedLists], JudgedLists]) -> JudgedLists:
        """Return a value derived from these lists, or the lists themselves; kept for the next measure."""

        def others() -> JudgedLists | None:
            lists = derive(self)
            return None if lists is self else lists

        lists = self.kept.once(("derived", key), others)
        return self if lists is None else lists

    @property
    def query(self) -> Ints:
        """(H,) query index of each hit."""
        return self.kept.once("query", lambda: np.repeat(np.arange(self.size), np.diff(self.hit_start)))

    @property
    def pool_query(self) -> Ints:
        """(J,) query index of each judgment."""
        counts = np.diff(self.pool_start)
        return self.of_pool.by_judgment.once("query", lambda: np.repeat(np.arange(self.size), counts))

    @property
    def pool_place(self) -> Ints:
        """(J,) 1-based place of each judgment within its query, highest grade first."""
        return self.of_pool.by_judgment.once("place", lambda: places(self.pool_start))

    @property
    def opens_rank(self) -> Mask:
        """(H,) which hits are the first of their rank: several spans that one chunk hits may share one."""
        first: Mask = np.diff(self.rank, prepend=0) != 0
        first[self.hit_start[:-1][np.diff(self.hit_start) > 0]] = True
        return first

    def per_query(self, values: Floats | Ints | Mask) -> Floats:
        """Sum values of hits (H,) by query, in rank order: (Q,)."""
        return np.bincount(self.query, weights=values, minlength=self.size).astype(np.float64, copy=False)

    def relevant(self, level: float | str) -> Mask:
        """(H,) whether each hit is relevant: its grade reaches the level (``positive``: is above 0)."""
        return self.kept.once(("relevant", level), lambda: reaches(self.grade, level))

    def judged_relevant(self, level: float | str) -> Floats:
        """(Q,) number R of judged documents that reach the level."""

        def count() -> Floats:
            return segment_counts(reaches(self.pool_grade, level), self.pool_start).astype(np.float64)

        return self.of_pool.by_query.once(("R", level), count)

    def before(self, values: Floats) -> Floats:
        """(H,) sum of the values of the earlier hits of the same query."""
        total = np.concatenate(([0.0], np.cumsum(values)))
        # A difference of sums over all queries, which is exact for counts. Fractions take `running`: it adds each
        # query's own, so that no query's rounding depends on the others.
        return total[:-1] - total[self.hit_start[self.query]]

    def running(self, values: Floats) -> Floats:
        """(H,) sum of the values up to and including each hit of its query, added in rank order."""
        return running_sums(values, self.hit_start)

    def weights(self, weight: Weight, depth: Floats | float | None = None) -> Floats:
        """(H,) weight of each hit's rank, 0 beyond the depth; the mean over its tie span if averaged.

        Parameters
        ----------
        weight
            Weight of a rank.
        depth
            Last rank that counts: a number, or (Q,) one for each query; None for all.
        """
        limit = None if depth is None else self.spread(depth)
        if self.ranks == "exact":
            plain = rank_weights(weight, self.rank)
            return plain if limit is None else np.where(self.rank <= limit, plain, 0.0)
        return self._mean_weights(weight, limit)

    def spread(self, depth: Floats | float) -> Floats | float:
        """(H,) a per-query depth repeated for each hit, or a number as it is."""
        return depth[self.query] if isinstance(depth, np.ndarray) else depth

    def _mean_weights(self, weight: Weight, limit: Floats | float | None) -> Floats:
        first, last = self.tie_first, self.tie_last
        top = int(last.max(initial=0))
        sums = np.concatenate(([0.0], np.cumsum(weight(np.arange(1.0, top + 1)))))
        cut = last if limit is None else np.minimum(last, limit).astype(np.int64)
        begin = np.minimum(first - 1, cut)
        single = np.where(cut < first, 0.0, rank_weights(weight, first))
        return np.where(first == last, single, (sums[cut] - sums[begin]) / (last - first + 1))

    def upto(self, depth: int) -> JudgedLists:
        """Return the lists without the hits that cannot be within a depth; kept for the next measure."""

        def cut(lists: JudgedLists) -> JudgedLists:
            first = lists.rank if lists.ranks == "exact" else lists.tie_first
            within = first <= depth
            return lists if within.all() else replace(only_hits(lists, within), uncut=weakref.ref(lists))

        return self.derive_once(("upto", depth), cut)

    def take(self, queries: Ints) -> JudgedLists:
        """Return the lists of some queries only, in the order given."""
        hits, hit_start = _take_segments(self.hit_start, queries)
        pool, pool_start = _take_segments(self.pool_start, queries)
        chosen = {name: getattr(self, name)[hits] for name in HIT_ARRAYS}
        chosen |= {"pool_grade": self.pool_grade[pool], "pool_entry": self.pool_entry[pool]}
        starts: dict[str, Any] = {"hit_start": hit_start, "pool_start": pool_start, "returned": self.returned[queries]}
        of_pool = PoolCache(by_query=self.of_pool.by_query.each(lambda values: values[queries]))
        every = self.every_judgment and _select_queries(*self.every_judgment, queries, self.size)
        return replace(self, of_pool=of_pool, every_judgment=every, **chosen, **starts)


def _select_queries(values: Ints, query: Ints, queries: Ints, size: int) -> tuple[Ints, Ints]:
    """Return the values of some queries, and the place of each one's query among these."""
    places, begin = _take_segments(offsets(np.bincount(query, minlength=size)), queries)
    return values[places], np.repeat(np.arange(len(queries)), np.diff(begin))


def only_hits(lists: JudgedLists, keep: Mask) -> JudgedLists:
    """Return the lists with some of their hits and unchanged ranks."""
    places = np.flatnonzero(keep)
    chosen = {name: getattr(lists, name)[places] for name in HIT_ARRAYS}
    return replace(lists, hit_start=offsets(segment_counts(keep, lists.hit_start)), **chosen)


HIT_ARRAYS = ("rank", "grade", "entry", "row", "tie_first", "tie_last")
"""The fields with one value per hit."""


def span_ids(lists: JudgedLists) -> Ints:
    """(H,) number of each hit's tie span, counting over all queries."""
    new = np.ones(len(lists.rank), np.bool_)
    new[1:] = lists.tie_first[1:] != lists.tie_first[:-1]
    new[lists.hit_start[:-1][np.diff(lists.hit_start) > 0]] = True
    return np.cumsum(new, dtype=np.int64) - 1


def rank_weights(weight: Weight, rank: Ints) -> Floats:
    """(H,) the weight of each rank, computed once per rank if ranks repeat."""
    top = int(rank.max(initial=0))
    if top > len(rank):
        return weight(rank.astype(np.float64))
    return weight(np.arange(1.0, top + 1))[rank - 1]


def reaches(grade: Floats, level: float | str) -> Mask:
    """Whether grades are relevant from a level on; NaN never is."""
    if level == "positive":
        return grade > 0.0
    if isinstance(level, str):
        raise unsaid("relevant_from", level, __name__)
    return grade >= level


def _take_segments(start: Ints, chosen: Ints) -> tuple[Ints, Ints]:
    """Return the elements of some segments, and the offsets of these segments."""
    counts = (start[1:] - start[:-1])[chosen]
    begin = offsets(counts)
    return np.arange(begin[-1]) + np.repeat(start[:-1][chosen] - begin[:-1], counts), begin
