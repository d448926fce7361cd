"""A portion: the values of a bucket, and what is counted in it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields, replace
from typing import Any

import numpy as np

from idealrank.arrays import Cache, Floats, Ints
from idealrank.data.judgments import Judgments
from idealrank.data.queries import Attributes, attributes_in
from idealrank.data.read import Tables
from idealrank.data.results import Results
from idealrank.distributed.plan import EvaluationPlan
from idealrank.distributed.survey import (
    Survey,
    as_part_of_whole,
    make_survey,
    part_tables,
    read_part_judgments,
    read_part_results,
)
from idealrank.evaluation.buckets import BucketValues, score_bucket
from idealrank.evaluation.evaluate import join_tables, refuse_other_documents, refuse_swapped
from idealrank.evaluation.ledger.counting import count_bucket, count_results, reads_level
from idealrank.evaluation.ledger.counts import Counts
from idealrank.evaluation.ledger.sensitivity import alternatives_to_try, apply_alternative, why_reordered
from idealrank.evaluation.values import QueryValues
from idealrank.evaluation.variants import Variant, bucket_variants
from idealrank.judged_lists.join import Join
from idealrank.judged_lists.near_ids import UnmatchedDocuments, unmatched_documents

Key = tuple[str, str, int]
"""A decision, another answer to it, and the place of a measure."""

Moved = tuple[Ints, Floats]
"""The places of queries whose values another answer moves, and these values."""

Others = Mapping[Key, Moved | None]
"""What other answers that may move values do to them; None where they are refused."""


@dataclass(frozen=True, eq=False)
class Portion:
    """The scores of some queries.

    Attributes
    ----------
    values
        Their values.
    counts
        What was counted in the tables.
    attributes
        What the judgments and each table of results say about their queries, such as their segments.
    others, missed
        For each system, what other answers do to the values, and the documents that its first queries missed.
    named
        For each table of results, the systems that its rows name, in their order.
    """

    values: QueryValues
    counts: Counts
    attributes: tuple[Attributes, ...]
    others: tuple[Others, ...]
    missed: tuple[list[UnmatchedDocuments], ...]
    named: tuple[tuple[str, ...], ...]

    def select_systems(self, places: Sequence[int]) -> Portion:
        """Return the portion with its systems in another order."""
        chosen = list(places)
        return replace(
            self,
            values=replace(
                self.values,
                systems=tuple(self.values.systems[s] for s in chosen),
                values=self.values.values[chosen],
                states=self.values.states[chosen],
            ),
            counts=self.counts.select_systems(chosen),
            others=tuple(self.others[s] for s in chosen),
            missed=tuple(self.missed[s] for s in chosen),
        )


def score_part(plan: EvaluationPlan, survey: Survey, judgments: Any, results: Any) -> BucketValues:
    """Evaluate some queries as part of the whole.

    Parameters
    ----------
    judgments
        What `read_judgments` takes, or None.
    results
        For each table of the plan what `read_results` takes, or None; a single table need not be in a list.
    """
    return _score_tables(plan, _complete_tables(plan, survey, *_read_tables(plan, judgments, results)))


def _score_tables(plan: EvaluationPlan, tables: Tables) -> BucketValues:
    tables, joins = join_tables(tables, plan.setting, plan.system)
    return score_bucket(joins, plan.under, plan.setting, tables.only)


def join_part(plan: EvaluationPlan, survey: Survey, judgments: Any, results: Any) -> list[Join]:
    """Join the results of some queries with the judgments, without computing values. Parameters as for `score_part`."""
    tables = _complete_tables(plan, survey, *_read_tables(plan, judgments, results))
    return join_tables(tables, plan.setting, plan.system)[1]


def survey_part(plan: EvaluationPlan, judgments: Any, results: Any) -> Survey:
    """Survey some queries, or some rows of a table if the others are None. Parameters as for `score_part`."""
    return make_survey(plan, *_read_tables(plan, judgments, results))


def evaluate_part(plan: EvaluationPlan, survey: Survey, judgments: Any, results: Any) -> Portion | Survey:
    """Evaluate some queries; if these tables show something that the survey of all does not know, return their survey.

    Parameters
    ----------
    judgments, results
        As for `score_part`.

    Raises
    ------
    DataError, UsageError
        As `idealrank.evaluate`.
    """
    table, sources = _read_tables(plan, judgments, results)
    mine = make_survey(plan, table, sources)
    if not survey.covers(mine):
        return mine
    there = [source for source in sources if source is not None]
    if table is not None and there:
        refuse_swapped(table, there, ordered=plan.setting.overrides.get("order_by") == "given")
        refuse_other_documents(table, there)
    values = _score_tables(plan, _complete_tables(plan, survey, table, sources))
    counts = count_bucket(values)
    return Portion(
        QueryValues(**{part.name: getattr(values, part.name) for part in fields(QueryValues)}), counts,
        tuple({} if one is None else attributes_in(one) for one in (table, *sources)),
        tuple(_values_under_alternatives(values, s, counts) for s in range(len(values.systems))),
        tuple(map(unmatched_documents, values.joined)),
        tuple(() if one is None else one.named for one in sources),
    )  # fmt: skip


def _read_tables(plan: EvaluationPlan, judgments: Any, results: Any) -> tuple[Judgments | None, list[Results | None]]:
    several = results if isinstance(results, (list, tuple)) else [results]
    tables = [
        None if one is None else read_part_results(table, one) for table, one in zip(plan.tables, several, strict=True)
    ]
    return None if judgments is None else read_part_judgments(plan, judgments), tables


def _complete_tables(
    plan: EvaluationPlan, survey: Survey, table: Judgments | None, sources: Sequence[Results | None]
) -> Tables:
    survey.refuse(plan)
    judged = read_part_judgments(plan, None) if table is None else table
    judged = replace(judged, whole=survey.judgments._replace(absent=table is None), kept=Cache())
    tables = [
        as_part_of_whole(
            read_part_results(one, None) if source is None else source, known._replace(absent=source is None)
        )
        for one, source, known in zip(plan.tables, sources, survey.tables, strict=True)
    ]
    return part_tables(plan, judged, tables)


def _values_under_alternatives(values: BucketValues, s: int, counts: Counts) -> Others:
    """Compute what every answer that may move the mean does to it, even if only other buckets make it matter."""
    joined, judged = values.joined[s], counts.judged
    # The counts of a table without rows here do not know what orders it, which decides the alternatives to try.
    returned = counts.returned[s] if counts.returned[s].orders else count_results(values, s, values.has_times)
    rows = joined.parts
    keeps = any(measure.decisions.rank_gaps == "keep" for measure in values.measures)
    unclear = bool(rows.missing_scores or rows.missing_ranks or rows.rank_repeats or (keeps and rows.rank_gaps))
    reordered = why_reordered(returned) or (
        "unclear" if unclear and joined.results.rank and joined.results.score else ""
    )
    low = replace(judged, low=judged.low | _assumed_low_grades(values))
    found: dict[Key, Moved | None] = {}
    for attempt in alternatives_to_try(values, s, returned, low, reordered):
        changed = apply_alternative(attempt)
        outcomes = bucket_variants(values, [(s, other.changed) for other in changed])
        for other, outcome in zip(changed, outcomes, strict=True):
            m = values.measures.index(other.measure)
            moved = _moved(values.values[s, m], outcome.values) if isinstance(outcome, Variant) else None
            found[attempt.decision, other.answer, m] = moved
    return found


def _moved(before: Floats, after: Floats) -> Moved:
    places = np.flatnonzero((before != after) & ~(np.isnan(before) & np.isnan(after)))
    return places.astype(np.int32), after[places]


def _assumed_low_grades(values: BucketValues) -> dict[tuple[str, float], int]:
    """Return the measures whose level unjudged results do not reach, or grades of single subtopics."""
    named = zip(values.labels, values.measures, strict=True)
    moved = ((label, m) for label, m in named if isinstance(m.decisions.unjudged, float) or m.definition.by_subtopic)
    levels = {label: reads_level(m) for label, m in moved}
    return {(label, level): 1 for label, level in levels.items() if level is not None}
