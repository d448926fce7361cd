"""Where results meet judgments: once per setting of the read and list stages, then shared."""

from __future__ import annotations

import functools
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from idealrank.arrays import Ints
from idealrank.data.judgments import Judgments
from idealrank.data.results import Results
from idealrank.decisions import Decisions, answer_text
from idealrank.errors import DataError, option, unsaid
from idealrank.judged_lists.lists import JudgedLists

if TYPE_CHECKING:
    from idealrank._core import Judged, Pool, Run
    from idealrank.data.subtopics import Subtopics

Form = Literal["sparse", "dense"]

FEW = 1 << 17
"""So many hits and judgments, and all that is derived from them, may be kept: at most some megabytes."""


_ORDERS = {"docid_asc": "docid_asc", "given": "given"} | dict.fromkeys(
    ("docid_desc", "average", "best", "worst"), "docid_desc"
)
"""How results are put in order that have equal scores, before `arranging` looks at their grades."""


@dataclass(frozen=True, eq=False)
class Met:
    """What came of one meeting.

    Attributes
    ----------
    judged, pool, run
        Which results are judged, the judgments, the results.
    order
        What the results are ordered by: score, rank or given.
    max_grade
        Top of the grade scale.
    subtopics
        Returns what the judgments say by subtopic, or None.
    span
        First query and the one after the last of `lists`; None: all.
    """

    judged: Judged
    pool: Pool
    run: Run
    order: str
    max_grade: float
    form: Form
    subtopics: Callable[[], Subtopics | None] = field(default=lambda: None, repr=False)
    span: tuple[int, int] | None = None
    kept: dict[tuple[int, int], dict[Any, Any]] = field(default_factory=dict, repr=False)
    """By part: what follows from its judgments alone; all that met the same judgments share it."""

    @property
    def size(self) -> int:
        """Number of judged queries Q."""
        return len(self.judged.returned)

    @functools.cached_property
    def answered(self) -> Ints:
        """Which judged queries have results."""
        return np.flatnonzero(self.judged.returned)

    @functools.cached_property
    def named(self) -> int:
        """How many judged queries without results the results name nevertheless."""
        return int((self.judged.listed & (self.judged.returned == 0)).sum())

    @functools.cached_property
    def added(self) -> int:
        """How many queries have results and no judgments."""
        return len(self.judged.unjudged_queries)

    @functools.cached_property
    def highest(self) -> float:
        """The highest grade of all."""
        return float(self.pool.grade[self.pool.start[:-1]].max())

    @functools.cached_property
    def lists(self) -> JudgedLists:
        """The judged lists of all queries, or of the span."""
        return self._made(*(self.span or (0, self.size)))

    def part(self, first: int, last: int) -> JudgedLists:
        """Return the judged lists of the queries ``first:last``; where they are all, and few, they are made once."""
        return self.lists if self.few and (first, last) == (0, self.size) else self._made(first, last)

    @property
    def few(self) -> bool:
        """Whether the lists, and all that is derived from them, may be kept."""
        return bool(self.judged.hit_start[-1] + self.pool.start[-1] <= FEW)

    def _made(self, first: int, last: int) -> JudgedLists:
        judged, pool = self.judged, self.pool
        hit_start, pool_start = judged.hit_start[first : last + 1], pool.start[first : last + 1]
        low, high = int(pool_start[0]), int(pool_start[-1])
        return JudgedLists(
            judged.returned[first:last], hit_start - hit_start[0], *judged.hits(first, last), pool_start - low,
            pool.grade[low:high], np.arange(low, high), self.max_grade, self.form,
            pool_cache=self.kept.setdefault((first, last), {}), read_subtopics=self.subtopics,
        )  # fmt: skip

    def tidy(self, first: int, last: int) -> None:
        """Forget what a part has found out about its judgments and is as long as they are, where they are many."""
        known = self.kept.get((first, last), {})
        for key in [] if self.few else [key for key in known if not isinstance(key, tuple)]:
            known.pop(key, None)


@dataclass(frozen=True, eq=False)
class Meeting:
    """One system's results and the judgments; each list is built once and kept."""

    judgments: Judgments
    results: Results
    system: str
    cache: dict[Any, Met] = field(default_factory=dict, repr=False)
    kept: dict[int, dict[tuple[int, int], dict[Any, Any]]] = field(default_factory=dict, repr=False)

    def met(self, decisions: Decisions, form: Form = "sparse", only: Any = None) -> Met:
        """Join under the read and list stages of the decisions.

        Parameters
        ----------
        form
            ``sparse`` keeps judged results only, ``dense`` all of them.
        only
            (n,) int64 indices of judged queries; the others then have nothing.
        """
        order = self.results.order(decisions.order_by)
        if decisions.ties not in _ORDERS:
            raise unsaid("ties", decisions.ties, __name__)
        ties = _ORDERS[decisions.ties]
        key = (
            decisions.stage("read"), order, ties, decisions.score_precision, decisions.rank_gaps,
            decisions.max_grade, decisions.systems, form, None if only is None else tuple(only),
        )  # fmt: skip
        if key not in self.cache:
            self.cache[key] = self._meet(decisions, order, ties, form, only)
        return self.cache[key]

    def met_for(self, on_lists: Decisions, form: Form = "sparse", only: Any = None) -> Met:
        """Join under the decisions of a measure as the lists see them: `Measure.on_lists`."""
        # Where unjudged results have a grade, every result must be a hit.
        dense = form == "dense" or isinstance(on_lists.unjudged, float)
        return self.met(on_lists, "dense" if dense else "sparse", only)

    def nameless(self, decisions: Decisions) -> dict[str, int]:
        """Count the rows without a document of each query that returned documents, too: they are dropped."""
        named = not self.met(decisions).run.placeholders
        return {} if named else self.results.nameless("" if decisions.systems == "pooled" else self.system)

    def _meet(self, decisions: Decisions, order: str, ties: str, form: Form, only: Any) -> Met:
        from idealrank._core import judge

        pool = self.judgments.pool(decisions.raters, decisions.duplicates)
        run = self.results.run("" if decisions.systems == "pooled" else self.system, decisions.duplicates)
        top, kept = top_grade(self.judgments, pool, decisions), self.kept.setdefault(id(pool), {})
        ordered: Any = (pool, run, order, ties, decisions.score_precision, decisions.rank_gaps, form == "dense", only)
        judged = judge(*ordered)
        subtopics = functools.partial(self.judgments.subtopics, decisions.raters, decisions.duplicates)
        return Met(judged, pool, run, order, top, form, subtopics, kept=kept)


def top_grade(judgments: Judgments, pool: Pool, decisions: Decisions) -> float:
    """Return the top of the grade scale: declared, or the highest grade in the whole table.

    Raises
    ------
    DataError
        If a grade lies above the declared top.
    """
    highest = float(pool.grade.max(initial=0.0))
    if decisions.max_grade == "highest":
        return highest
    if isinstance(decisions.max_grade, str):
        raise unsaid("max_grade", decisions.max_grade, __name__)
    if highest > decisions.max_grade:
        row = int(pool.row[int(np.argmax(pool.grade))])
        raise DataError(
            f"{judgments.source.place(row)}: grade {answer_text(highest)} lies above "
            f"{option('max_grade', decisions.text('max_grade'))}. Declare a higher one, or mend the grade."
        )
    return float(decisions.max_grade)
