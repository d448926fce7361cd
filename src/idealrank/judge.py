"""Where results meet judgments: once per setting of the read and list stages, then shared."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

import numpy as np

from idealrank.decisions import Decisions, answer_text
from idealrank.errors import DataError, option
from idealrank.lists import Ints, JudgedLists
from idealrank.measures import Measure
from idealrank.tables import Judgments, Results

if TYPE_CHECKING:
    from idealrank._core import Judged, Pool, Run

Form = Literal["sparse", "dense"]


class Met(NamedTuple):
    """What came of one meeting."""

    lists: JudgedLists
    judged: Judged
    pool: Pool
    run: Run
    order: str


@dataclass(frozen=True, eq=False)
class Meeting:
    """One system's results and the judgments; each list is built once and kept."""

    judgments: Judgments
    results: Results
    system: str
    cache: dict[Any, Met] = field(default_factory=dict, repr=False)

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
        ties = decisions.ties if decisions.ties in ("docid_desc", "docid_asc", "given") else "docid_desc"
        key = (
            decisions.stage("read"), order, ties, decisions.score_precision, decisions.rank_gaps,
            decisions.max_grade, decisions.systems, form, None if only is None else tuple(only),
        )  # fmt: skip
        if key not in self.cache:
            self.cache[key] = self._meet(decisions, order, ties, form, only)
        return self.cache[key]

    def lists(self, measure: Measure, form: Form = "sparse", only: Any = None) -> JudgedLists:
        """Return the judged lists under all decisions that shape them for a measure."""
        decisions = measure.on_lists
        # Where unjudged results have a grade, every result must be a hit.
        dense = form == "dense" or isinstance(decisions.unjudged, float)
        return self.met(decisions, "dense" if dense else "sparse", only).lists.arranged(decisions)

    def tied(self, measure: Measure) -> tuple[JudgedLists, Ints]:
        """Return the lists of the queries in which some hit is tied, and which queries these are."""
        decisions = measure.on_lists
        whole = self.met(decisions, "dense" if isinstance(decisions.unjudged, float) else "sparse").lists

        def some() -> tuple[JudgedLists, Ints]:
            (queries,) = np.nonzero(whole.per_query(whole.tie_first != whole.tie_last))
            return whole.take(queries), queries

        return whole.once("tied", some)  # type: ignore[no-any-return]

    def _meet(self, decisions: Decisions, order: str, ties: str, form: Form, only: Any) -> Met:
        from idealrank import _core

        pool = self.judgments.pool(decisions.raters, decisions.duplicates)
        run = self.results.run("" if decisions.systems == "pooled" else self.system, decisions.duplicates)
        ordered: Any = (pool, run, order, ties, decisions.score_precision, decisions.rank_gaps, form == "dense", only)
        judged = _core.judge(*ordered)
        lists = JudgedLists(
            judged.returned, judged.hit_start, judged.rank, judged.grade, judged.entry, judged.row,
            judged.tie_first, judged.tie_last, pool.start, pool.grade, np.arange(len(pool.grade)),
            top_grade(self.judgments, pool, decisions), form,
        )  # fmt: skip
        return Met(lists, judged, pool, run, order)


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
    if highest > decisions.max_grade:
        row = int(pool.row[int(np.argmax(pool.grade))])
        raise DataError(
            f"{judgments.source.place(row)}: grade {answer_text(highest)} lies above "
            f"{option('max_grade', decisions.text('max_grade'))}. Declare a higher one, or mend the grade."
        )
    return float(decisions.max_grade)
