"""A portion: the scores of some queries, with all that is counted of them."""

from __future__ import annotations

import pickle
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from idealrank.arrays import Cache, Floats, Ints
from idealrank.data.judgments import Judgments
from idealrank.data.queries import Attributes, attributes_in
from idealrank.data.results import Results
from idealrank.data.search_queries import Tables
from idealrank.distributed.plan import EvaluationPlan
from idealrank.distributed.survey import Survey, judgments_of, of_whole, results_of, survey_of, together
from idealrank.errors import DataError
from idealrank.evaluation.evaluate import join_tables, refuse_other_documents, refuse_swapped, values_of
from idealrank.evaluation.ledger.counting import judgment_counts, reads_level, result_counts
from idealrank.evaluation.ledger.counts import JudgmentCounts, ResultCounts
from idealrank.evaluation.ledger.sensitivity import AlternativeMeans, attempts, others, values_under, why_reordered
from idealrank.evaluation.values import Values
from idealrank.judged_lists.join import Join
from idealrank.judged_lists.near_ids import unmatched_documents

if TYPE_CHECKING:
    from numpy.typing import NDArray

Key = tuple[str, str, int]
"""A decision, another answer to it, and the place of a measure."""

Others = Mapping[Key, Floats | None]
"""Values under another answer, where it may move them; None where they are refused."""


@dataclass(frozen=True, eq=False)
class Portion:
    """The scores of some queries.

    Attributes
    ----------
    systems, queries, values, states
        As in `Scores`: (S,) names, (Q,) ids, (S, M, Q) values, (S, M, Q) codes of states.
    lengths
        (S, Q) how many results the system returned.
    judged, returned
        What was counted in the judgments, and in the results of each system.
    texts
        Texts of the queries, where a table has them.
    attributes
        What the judgments and each table of results say about their queries, such as their segments.
    others
        For each system, values under other answers.
    rows
        How many rows there are of the judgments, and of the table of each system.
    named
        For each table of results, the systems that its rows name, in their order.
    """

    systems: tuple[str, ...]
    queries: list[str]
    values: Floats
    states: NDArray[np.int8]
    lengths: Ints
    judged: JudgmentCounts
    returned: tuple[ResultCounts, ...]
    texts: Mapping[str, str]
    attributes: tuple[Attributes, ...]
    others: tuple[Others, ...]
    rows: tuple[int, ...]
    named: tuple[tuple[str, ...], ...]

    def of_systems(self, places: Sequence[int]) -> Portion:
        """Return the portion with its systems in another order."""
        chosen = list(places)
        return replace(
            self,
            systems=tuple(self.systems[s] for s in chosen),
            values=self.values[chosen],
            states=self.states[chosen],
            lengths=self.lengths[chosen],
            returned=tuple(self.returned[s] for s in chosen),
            others=tuple(self.others[s] for s in chosen),
            rows=(self.rows[0], *(self.rows[1 + s] for s in chosen)),
        )

    def to_bytes(self) -> bytes:
        """Return the portion as bytes, for `from_bytes` of the same version."""
        return pickle.dumps(self, pickle.HIGHEST_PROTOCOL)

    @staticmethod
    def from_bytes(data: bytes) -> Portion:
        """Return the portion that `to_bytes` wrote; bytes of others are not safe to read."""
        portion = pickle.loads(data)  # written by our own tasks
        assert isinstance(portion, Portion)
        return portion


def values_of_part(plan: EvaluationPlan, survey: Survey, judgments: Any, results: Any) -> Values:
    """Evaluate some queries as part of the whole.

    Parameters
    ----------
    judgments
        What `read_judgments` takes, or None.
    results
        For each table of the plan what `read_results` takes, or None; a single table need not be in a list.
    """
    return values_of(_tables(plan, survey, *_read(plan, judgments, results)), plan.setting, plan.under, plan.system)


def meetings_of_part(plan: EvaluationPlan, survey: Survey, judgments: Any, results: Any) -> list[Join]:
    """Let the results of some queries meet the judgments; nothing is computed. Parameters as for `values_of_part`."""
    tables = _tables(plan, survey, *_read(plan, judgments, results))
    return join_tables(tables, plan.setting, plan.system)[1]


def evaluated(plan: EvaluationPlan, survey: Survey, judgments: Any, results: Any) -> Portion | Survey:
    """Evaluate some queries; if these tables say what the survey of all does not know, return their survey.

    Parameters
    ----------
    judgments, results
        As for `values_of_part`.

    Raises
    ------
    DataError, UsageError
        As `idealrank.evaluate`.
    """
    table, sources = _read(plan, judgments, results)
    mine = survey_of(plan, table, sources)
    if not survey.covers(mine):
        return mine
    there = [source for source in sources if source is not None]
    if table is not None and there:
        refuse_swapped(table, there, ordered=plan.setting.overrides.get("order_by") == "given")
        refuse_other_documents(table, there)
    values = values_of(_tables(plan, survey, table, sources), plan.setting, plan.under, plan.system)
    every = range(len(values.systems))
    judged = judgment_counts(values)
    returned = tuple(_counts(plan, values, s) for s in every)
    return Portion(
        values.systems, values.queries, values.values, values.states,
        np.array([met.judged.returned for met in values.met]),
        judged if table is not None else judged.of_nothing(), _known(values, returned, sources), values.texts,
        tuple({} if one is None else attributes_in(one) for one in (table, *sources)),
        tuple(_others(values, s, returned[s], judged) for s in every),
        _rows(values, table, sources),
        tuple(() if one is None else one.named for one in sources),
    )  # fmt: skip


def _rows(values: Values, table: Judgments | None, sources: Sequence[Results | None]) -> tuple[int, ...]:
    """Count the rows of the judgments and of the table of each system; of a table that is not there there are none."""
    there = {id(source.source) for source in sources if source is not None}
    tables = (meeting.results.source for meeting in values.meetings)
    counts = (source.frame.rows if id(source) in there else 0 for source in tables)
    return (0 if table is None else table.source.frame.rows, *counts)


def _counts(plan: EvaluationPlan, values: Values, s: int) -> ResultCounts:
    counts = result_counts(values, s)
    return (
        replace(counts, missed=tuple(unmatched_documents(values.met[s], counts.candidates)))
        if plan.missed_along
        else counts
    )


def _read(plan: EvaluationPlan, judgments: Any, results: Any) -> tuple[Judgments | None, list[Results | None]]:
    several = results if isinstance(results, (list, tuple)) else [results]
    tables = [None if one is None else results_of(table, one) for table, one in zip(plan.tables, several, strict=True)]
    return None if judgments is None else judgments_of(plan, judgments), tables


def _tables(plan: EvaluationPlan, survey: Survey, table: Judgments | None, sources: Sequence[Results | None]) -> Tables:
    survey.refuse(plan)
    judged = judgments_of(plan, None) if table is None else table
    judged = replace(judged, whole=survey.judgments, kept=Cache())
    tables = [
        of_whole(results_of(one, None) if source is None else source, known)
        for one, source, known in zip(plan.tables, sources, survey.tables, strict=True)
    ]
    return together(plan, judged, tables)


def _known(
    values: Values, returned: Sequence[ResultCounts], sources: Sequence[Results | None]
) -> tuple[ResultCounts, ...]:
    """Forget what a table that is not there was read as."""
    there = {id(source.source) for source in sources if source is not None}
    pairs = zip(returned, values.meetings, strict=True)
    return tuple(counts if id(meeting.results.source) in there else counts.of_nothing() for counts, meeting in pairs)


def _others(values: Values, s: int, counts: ResultCounts, judged: JudgmentCounts) -> Others:
    """Compute the values under every answer that may move a mean, if other queries make it matter, too."""
    met = values.met[s]
    rows = met.parts
    keeps = any(measure.decisions.rank_gaps == "keep" for measure in values.measures)
    unclear = bool(rows.missing_scores or rows.missing_ranks or rows.rank_repeats or (keeps and rows.rank_gaps))
    reordered = why_reordered(counts) or ("unclear" if unclear and met.results.rank and met.results.score else "")
    found: dict[Key, Floats | None] = {}
    for attempt in attempts(values, counts, replace(judged, low=judged.low | _assumed_low(values)), reordered):
        found |= _under(values, s, attempt)
    return found


def _assumed_low(values: Values) -> dict[tuple[str, float], int]:
    """Return the measures whose level unjudged results do not reach, or grades of single subtopics."""
    named = zip(values.labels, values.measures, strict=True)
    moved = ((label, m) for label, m in named if isinstance(m.decisions.unjudged, float) or m.definition.by_subtopic)
    levels = {label: reads_level(m) for label, m in moved}
    return {(label, level): 1 for label, level in levels.items() if level is not None}


def _under(values: Values, s: int, attempt: AlternativeMeans) -> dict[Key, Floats | None]:
    changed = others(attempt)
    try:
        outcomes = values_under(values, s, attempt.decision, changed)
    except DataError:
        outcomes = [DataError("")] * len(changed)
    keys = [(attempt.decision, other.answer, values.measures.index(other.measure)) for other in changed]
    return {
        key: outcome if isinstance(outcome, np.ndarray) else None for key, outcome in zip(keys, outcomes, strict=True)
    }
